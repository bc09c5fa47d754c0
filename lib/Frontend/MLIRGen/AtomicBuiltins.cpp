// tl.atomic_add and its like [R19].
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/AccessArgs.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

namespace {
struct Order {
  tile::MemSemantic sem;
  tile::MemScope scope;
};
} // namespace

static std::optional<Order> readOrder(Generator &g, const CallArgs &args, unsigned index) {
  std::optional<std::string> sem = g.getOption(args, index);
  std::optional<std::string> scope = g.getOption(args, index + 1);
  if (!sem || !scope)
    return std::nullopt;
  auto semantic = llvm::StringSwitch<std::optional<tile::MemSemantic>>(*sem)
                      .Cases({"", "acq_rel"}, tile::MemSemantic::acq_rel)
                      .Case("acquire", tile::MemSemantic::acquire)
                      .Case("release", tile::MemSemantic::release)
                      .Case("relaxed", tile::MemSemantic::relaxed)
                      .Default(std::nullopt);
  if (!semantic) {
    g.error(args.ranges[index]) << "unknown memory order '" << *sem
                                << "'; known are 'relaxed', 'acquire', 'release' and 'acq_rel'";
    return std::nullopt;
  }
  auto range = llvm::StringSwitch<std::optional<tile::MemScope>>(*scope)
                   .Cases({"", "gpu"}, tile::MemScope::gpu)
                   .Case("cta", tile::MemScope::cta)
                   .Case("sys", tile::MemScope::sys)
                   .Default(std::nullopt);
  if (!range) {
    g.error(args.ranges[index + 1])
        << "unknown scope '" << *scope << "'; known are 'cta', 'gpu' and 'sys'";
    return std::nullopt;
  }
  return Order{*semantic, *range};
}

/// An argument in the pointee's type and the pointer's shape.
static Value readValue(Generator &g, const CallArgs &args, unsigned index, const Value &pointer,
                       llvm::StringRef what) {
  return fitToPointer(g, elementOf(g, args, index, pointer.getDType().getPointee()), pointer,
                      args.ranges[index], what);
}

static Value emitRMW(Generator &g, tile::AtomicKind kind, Order order, mlir::Value pointer,
                     const Value &value, mlir::Value mask) {
  auto op = tile::AtomicRMWOp::create(g.builder, g.loc(), value.getSSA().getType(), kind, order.sem,
                                      order.scope, pointer, value.getSSA(), mask);
  return Value::tensor(op.getResult(), value.getDType());
}

/// The maximum or minimum of floats is that of their bits: of signed integers if the value is
/// positive, and of unsigned ones, in the other direction, if it is negative.
static Value emitFloatExtremum(Generator &g, const CallArgs &args, Order order,
                               const Value &pointer, const Value &value, mlir::Value mask) {
  bool isMax = args.builtin->name == "atomic_max";
  DType integer = value.getDType().getBits() == 64 ? Scalar::I64 : Scalar::I32;
  Value bits = g.bitcast(value, integer, args.range);
  Value address = g.castTo(pointer, integer.getPointerTo(), args.range);
  Value zero = g.constant(integer, Value::integer(0), value.getType().shape);
  auto isSign = [&](arith::CmpIPredicate predicate) -> mlir::Value {
    mlir::Value is =
        arith::CmpIOp::create(g.builder, g.loc(), predicate, bits.getSSA(), zero.getSSA());
    return mask ? arith::AndIOp::create(g.builder, g.loc(), mask, is).getResult() : is;
  };
  mlir::Value positive = isSign(arith::CmpIPredicate::sge);
  mlir::Value negative = isSign(arith::CmpIPredicate::slt);
  Value ofPositive = emitRMW(g, isMax ? tile::AtomicKind::max : tile::AtomicKind::min, order,
                             address.getSSA(), bits, positive);
  Value ofNegative = emitRMW(g, isMax ? tile::AtomicKind::umin : tile::AtomicKind::umax, order,
                             address.getSSA(), bits, negative);
  mlir::Value old = arith::SelectOp::create(g.builder, g.loc(), positive, ofPositive.getSSA(),
                                            ofNegative.getSSA());
  return g.bitcast(Value::tensor(old, integer), value.getDType(), args.range);
}

/// What an atomic does to elements of a type; none if there is no such atomic.
static std::optional<tile::AtomicKind> kindOf(llvm::StringRef name, DType element) {
  using tile::AtomicKind;
  if (name == "atomic_add")
    return element.isFloat() ? AtomicKind::fadd : AtomicKind::add;
  // Halves can be added and nothing else.
  if (element.getBits() < 32)
    return std::nullopt;
  if (name == "atomic_xchg")
    return AtomicKind::xchg;
  if (name == "atomic_max")
    return element.isUnsigned() ? AtomicKind::umax : AtomicKind::max;
  if (name == "atomic_min")
    return element.isUnsigned() ? AtomicKind::umin : AtomicKind::min;
  if (element.isFloat())
    return std::nullopt;
  return name == "atomic_and"  ? AtomicKind::and_
         : name == "atomic_or" ? AtomicKind::or_
                               : AtomicKind::xor_;
}

static Value emitAtomic(Generator &g, const CallArgs &args) {
  Value pointer = readPointer(g, args, 0);
  if (pointer.isPoison())
    return pointer;
  DType element = pointer.getDType().getPointee();
  std::optional<tile::AtomicKind> kind = kindOf(args.builtin->name, element);
  bool isNarrowInt = element.getBits() < 16 || (element.isInt() && element.getBits() == 16);
  if (!kind || isNarrowInt)
    return g.error(args.range) << "'" << args.builtin->spelling() << "' does not work on "
                               << element << ", which " << pointer.describe() << " points to";
  Value value = readValue(g, args, 1, pointer, "value");
  if (value.isPoison())
    return value;
  Value mask;
  if (args.has(2)) {
    mask = readMask(g, args, 2, pointer);
    if (mask.isPoison())
      return mask;
  }
  std::optional<Order> order = readOrder(g, args, 3);
  if (!order)
    return Value();
  bool isExtremum = args.builtin->name == "atomic_max" || args.builtin->name == "atomic_min";
  if (element.isFloat() && isExtremum)
    return emitFloatExtremum(g, args, *order, pointer, value, mask.getSSA());
  return emitRMW(g, *kind, *order, pointer.getSSA(), value, mask.getSSA());
}

static Value emitCompareAndSwap(Generator &g, const CallArgs &args) {
  Value pointer = readPointer(g, args, 0);
  if (pointer.isPoison())
    return pointer;
  DType element = pointer.getDType().getPointee();
  if (element.getBits() < 16)
    return g.error(args.range) << "'tl.atomic_cas' takes elements of 16, 32 or 64 bits, not "
                               << element << ", which " << pointer.describe() << " points to";
  Value cmp = readValue(g, args, 1, pointer, "value of 'cmp'");
  Value value = readValue(g, args, 2, pointer, "value");
  std::optional<Order> order = readOrder(g, args, 3);
  if (cmp.isPoison() || value.isPoison() || !order)
    return Value();
  auto op = tile::AtomicCASOp::create(g.builder, g.loc(), value.getSSA().getType(), order->sem,
                                      order->scope, pointer.getSSA(), cmp.getSSA(), value.getSSA());
  return Value::tensor(op.getResult(), element);
}

llvm::ArrayRef<Builtin> getAtomicBuiltins() {
  static constexpr llvm::StringLiteral kParams = "pointer val mask? sem? scope?";
  static constexpr Builtin table[] = {
      {"atomic_add", "tl", kParams, emitAtomic},
      {"atomic_and", "tl", kParams, emitAtomic},
      {"atomic_max", "tl", kParams, emitAtomic},
      {"atomic_min", "tl", kParams, emitAtomic},
      {"atomic_or", "tl", kParams, emitAtomic},
      {"atomic_xchg", "tl", kParams, emitAtomic},
      {"atomic_xor", "tl", kParams, emitAtomic},
      {"atomic_cas", "tl", "pointer cmp val sem? scope?", emitCompareAndSwap},
  };
  return table;
}

} // namespace tilec::frontend
