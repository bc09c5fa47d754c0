// Operators of tensors under the names that Python gives them: `x.__lshift__(4)` is `x << 4`.
#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

using ast::BinaryOp;
using ast::CompareOp;
using ast::UnaryOp;

template <BinaryOp Op>
static Value emitBinary(Generator &g, const CallArgs &args) {
  return g.binary(Op, args[0], args[1], args.range);
}

/// `x.__rsub__(y)` is `y - x`.
template <BinaryOp Op>
static Value emitReflected(Generator &g, const CallArgs &args) {
  return g.binary(Op, args[1], args[0], args.range);
}

template <CompareOp Op>
static Value emitComparison(Generator &g, const CallArgs &args) {
  return g.compare(Op, args[0], args[1], args.range);
}

template <UnaryOp Op>
static Value emitUnary(Generator &g, const CallArgs &args) {
  return g.unary(Op, args[0], args.range);
}

/// What is for the host, and regions of a profiler, which is not there.
static Value emitNothing(Generator &, const CallArgs &) { return Value::none(); }
static Value emitScope(Generator &, const CallArgs &) { return Value::record("scope", {}); }

llvm::ArrayRef<Builtin> getOperatorBuiltins() {
  static constexpr Builtin table[] = {
      {"__add__", "tensor", "self other", emitBinary<BinaryOp::Add>},
      {"__sub__", "tensor", "self other", emitBinary<BinaryOp::Sub>},
      {"__mul__", "tensor", "self other", emitBinary<BinaryOp::Mul>},
      {"__truediv__", "tensor", "self other", emitBinary<BinaryOp::Div>},
      {"__floordiv__", "tensor", "self other", emitBinary<BinaryOp::FloorDiv>},
      {"__mod__", "tensor", "self other", emitBinary<BinaryOp::Mod>},
      {"__and__", "tensor", "self other", emitBinary<BinaryOp::BitAnd>},
      {"__or__", "tensor", "self other", emitBinary<BinaryOp::BitOr>},
      {"__xor__", "tensor", "self other", emitBinary<BinaryOp::BitXor>},
      {"__lshift__", "tensor", "self other", emitBinary<BinaryOp::LShift>},
      {"__rshift__", "tensor", "self other", emitBinary<BinaryOp::RShift>},
      {"__radd__", "tensor", "self other", emitReflected<BinaryOp::Add>},
      {"__rsub__", "tensor", "self other", emitReflected<BinaryOp::Sub>},
      {"__rmul__", "tensor", "self other", emitReflected<BinaryOp::Mul>},
      {"__rtruediv__", "tensor", "self other", emitReflected<BinaryOp::Div>},
      {"__rfloordiv__", "tensor", "self other", emitReflected<BinaryOp::FloorDiv>},
      {"__rmod__", "tensor", "self other", emitReflected<BinaryOp::Mod>},
      {"__rand__", "tensor", "self other", emitReflected<BinaryOp::BitAnd>},
      {"__ror__", "tensor", "self other", emitReflected<BinaryOp::BitOr>},
      {"__rxor__", "tensor", "self other", emitReflected<BinaryOp::BitXor>},
      {"__rlshift__", "tensor", "self other", emitReflected<BinaryOp::LShift>},
      {"__rrshift__", "tensor", "self other", emitReflected<BinaryOp::RShift>},
      {"__lt__", "tensor", "self other", emitComparison<CompareOp::Lt>},
      {"__le__", "tensor", "self other", emitComparison<CompareOp::LtE>},
      {"__gt__", "tensor", "self other", emitComparison<CompareOp::Gt>},
      {"__ge__", "tensor", "self other", emitComparison<CompareOp::GtE>},
      {"__eq__", "tensor", "self other", emitComparison<CompareOp::Eq>},
      {"__ne__", "tensor", "self other", emitComparison<CompareOp::NotEq>},
      {"__neg__", "tensor", "self", emitUnary<UnaryOp::Minus>},
      {"__invert__", "tensor", "self", emitUnary<UnaryOp::Invert>},
      {"set_allocator", "triton", "allocator", emitNothing},
      {"enter_scope", "triton.profiler.language", "name", emitNothing},
      {"exit_scope", "triton.profiler.language", "name", emitNothing},
      {"scope", "triton.profiler.language", "name", emitScope},
  };
  return table;
}

} // namespace tilec::frontend
