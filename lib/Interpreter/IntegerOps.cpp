// Integer arithmetic. Integers are signless; each operation says how it reads them. Everything
// wraps; nothing is undefined but division by zero, which is a fault.
#include "lib/Interpreter/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilec::ref {
namespace {

/// Operands come zero-extended; of a result the low bits count.
template <class Op>
struct BinaryInt {
  template <unsigned Bits>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using S = IntStorage<Bits>;
      S *out = reinterpret_cast<S *>(outputs[0]);
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      const S *b = reinterpret_cast<const S *>(inputs[1].data);
      size_t aStep = inputs[0].step, bStep = inputs[1].step;
      for (size_t i = 0; i < count; ++i)
        out[i] =
            static_cast<S>(truncate<Bits>(Op::template apply<Bits>(a[i * aStep], b[i * bStep])));
    }
  };
};

/// The same with a second result.
template <class Op>
struct ExtendedInt {
  template <unsigned Bits>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using S = IntStorage<Bits>;
      using High = std::conditional_t<Op::kHighIsBool, uint8_t, S>;
      S *low = reinterpret_cast<S *>(outputs[0]);
      High *high = reinterpret_cast<High *>(outputs[1]);
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      const S *b = reinterpret_cast<const S *>(inputs[1].data);
      for (size_t i = 0; i < count; ++i) {
        auto [lo, hi] = Op::template apply<Bits>(a[i * inputs[0].step], b[i * inputs[1].step]);
        low[i] = static_cast<S>(truncate<Bits>(lo));
        high[i] = static_cast<High>(truncate<Bits>(hi));
      }
    }
  };
};

#define TILEC_INT_OP(name, expression)                                                             \
  struct name {                                                                                    \
    template <unsigned Bits>                                                                       \
    static uint64_t apply(uint64_t a, uint64_t b) {                                                \
      [[maybe_unused]] int64_t sa = signExtend<Bits>(a), sb = signExtend<Bits>(b);                 \
      return static_cast<uint64_t>(expression);                                                    \
    }                                                                                              \
  };

TILEC_INT_OP(Add, a + b)
TILEC_INT_OP(Sub, a - b)
TILEC_INT_OP(Mul, a *b)
TILEC_INT_OP(And, a &b)
TILEC_INT_OP(Or, a | b)
TILEC_INT_OP(Xor, a ^ b)
TILEC_INT_OP(MaxS, std::max(sa, sb))
TILEC_INT_OP(MinS, std::min(sa, sb))
TILEC_INT_OP(MaxU, std::max(a, b))
TILEC_INT_OP(MinU, std::min(a, b))
// The amount is unsigned; what shifts everything out leaves zeros or the sign, as PTX clamps.
TILEC_INT_OP(ShiftLeft, b >= Bits ? 0 : a << b)
TILEC_INT_OP(ShiftRightU, b >= Bits ? 0 : a >> b)
TILEC_INT_OP(ShiftRightS, sa >> (b >= Bits ? Bits - 1 : b))
// Division by -1 is negation, so that the smallest integer wraps instead of trapping.
TILEC_INT_OP(DivS, sb == -1 ? -a : uint64_t(sa / sb))
TILEC_INT_OP(RemS, sb == -1 ? 0 : sa % sb)
TILEC_INT_OP(DivU, a / b)
TILEC_INT_OP(RemU, a % b)
TILEC_INT_OP(CeilDivU, a / b + (a % b != 0))
TILEC_INT_OP(CeilDivS, sb == -1 ? -a : uint64_t(sa / sb + (sa % sb != 0 && (sa < 0) == (sb < 0))))
TILEC_INT_OP(FloorDivS, sb == -1 ? -a : uint64_t(sa / sb - (sa % sb != 0 && (sa < 0) != (sb < 0))))
#undef TILEC_INT_OP

struct AddExtended {
  static constexpr bool kHighIsBool = true;
  template <unsigned Bits>
  static std::pair<uint64_t, uint64_t> apply(uint64_t a, uint64_t b) {
    return {a + b, truncate<Bits>(a + b) < a};
  }
};

struct MulUExtended {
  static constexpr bool kHighIsBool = false;
  template <unsigned Bits>
  static std::pair<uint64_t, uint64_t> apply(uint64_t a, uint64_t b) {
    unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> Bits)};
  }
};

struct MulSExtended {
  static constexpr bool kHighIsBool = false;
  template <unsigned Bits>
  static std::pair<uint64_t, uint64_t> apply(uint64_t a, uint64_t b) {
    __int128 product = static_cast<__int128>(signExtend<Bits>(a)) * signExtend<Bits>(b);
    return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> Bits)};
  }
};

template <arith::CmpIPredicate P>
struct CompareInt {
  template <unsigned Bits>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using S = IntStorage<Bits>;
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      const S *b = reinterpret_cast<const S *>(inputs[1].data);
      for (size_t i = 0; i < count; ++i)
        outputs[0][i] = holds(a[i * inputs[0].step], b[i * inputs[1].step]);
    }
    static bool holds(uint64_t a, uint64_t b) {
      int64_t sa = signExtend<Bits>(a), sb = signExtend<Bits>(b);
      switch (P) {
      case arith::CmpIPredicate::eq:
        return a == b;
      case arith::CmpIPredicate::ne:
        return a != b;
      case arith::CmpIPredicate::slt:
        return sa < sb;
      case arith::CmpIPredicate::sle:
        return sa <= sb;
      case arith::CmpIPredicate::sgt:
        return sa > sb;
      case arith::CmpIPredicate::sge:
        return sa >= sb;
      case arith::CmpIPredicate::ult:
        return a < b;
      case arith::CmpIPredicate::ule:
        return a <= b;
      case arith::CmpIPredicate::ugt:
        return a > b;
      case arith::CmpIPredicate::uge:
        return a >= b;
      }
      return false;
    }
  };
};

template <template <unsigned> class Family>
Kernel selectByOperand(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getOperand(0).getType());
  return kind ? selectInt<Family>(*kind) : nullptr;
}

Kernel selectCompare(Operation *op) {
  using P = arith::CmpIPredicate;
  switch (cast<arith::CmpIOp>(op).getPredicate()) {
  case P::eq:
    return selectByOperand<CompareInt<P::eq>::On>(op);
  case P::ne:
    return selectByOperand<CompareInt<P::ne>::On>(op);
  case P::slt:
    return selectByOperand<CompareInt<P::slt>::On>(op);
  case P::sle:
    return selectByOperand<CompareInt<P::sle>::On>(op);
  case P::sgt:
    return selectByOperand<CompareInt<P::sgt>::On>(op);
  case P::sge:
    return selectByOperand<CompareInt<P::sge>::On>(op);
  case P::ult:
    return selectByOperand<CompareInt<P::ult>::On>(op);
  case P::ule:
    return selectByOperand<CompareInt<P::ule>::On>(op);
  case P::ugt:
    return selectByOperand<CompareInt<P::ugt>::On>(op);
  case P::uge:
    return selectByOperand<CompareInt<P::uge>::On>(op);
  }
  return nullptr;
}

/// Where the divisor is zero the result is undefined: a fault as soon as it matters.
LogicalResult runDivision(Program &program, const Step &step) {
  Value divisor = program.operand(step, 1);
  std::vector<uint8_t> isZero(divisor.getSize());
  bool anyZero = false;
  for (int64_t i = 0; i < divisor.getSize(); ++i)
    anyZero |= isZero[i] = divisor.getUnsigned(i) == 0;
  if (!anyZero)
    return runElementwise(program, step);

  // Divide by one there instead.
  unsigned bytes = byteSize(divisor.getKind());
  Value safe(divisor.getKind(), divisor.getSize());
  std::memcpy(safe.data(), divisor.data(), divisor.getSize() * bytes);
  for (int64_t i = 0; i < divisor.getSize(); ++i)
    safe.data()[i * bytes] |= isZero[i];
  for (int64_t i = 0; i < divisor.getSize(); ++i)
    isZero[i] |= divisor.isUndefined(i);
  safe.setUndefined(&step, std::move(isZero));
  program[step.operands[1]] = std::move(safe);
  LogicalResult result = runElementwise(program, step);
  program[step.operands[1]] = std::move(divisor);
  return result;
}

/// Selects by the width of the elements, whatever they are.
struct Select {
  template <unsigned Bits>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using S = IntStorage<Bits>;
      S *out = reinterpret_cast<S *>(outputs[0]);
      const uint8_t *condition = inputs[0].data;
      const S *a = reinterpret_cast<const S *>(inputs[1].data);
      const S *b = reinterpret_cast<const S *>(inputs[2].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = condition[i * inputs[0].step] ? a[i * inputs[1].step] : b[i * inputs[2].step];
    }
  };
};

Kernel selectSelect(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getResult(0).getType());
  if (!kind)
    return nullptr;
  switch (byteSize(*kind)) {
  case 1:
    return Select::On<8>::run;
  case 2:
    return Select::On<16>::run;
  case 4:
    return Select::On<32>::run;
  default:
    return Select::On<64>::run;
  }
}

template <class Op>
void addBinary(OpTable &table, StringRef name, Handler handler = runElementwise) {
  table[name] = {handler, selectByOperand<BinaryInt<Op>::template On>};
}

template <class Op>
void addExtended(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByOperand<ExtendedInt<Op>::template On>};
}

} // namespace

void addIntegerOps(OpTable &table) {
  addBinary<Add>(table, "arith.addi");
  addBinary<Sub>(table, "arith.subi");
  addBinary<Mul>(table, "arith.muli");
  addBinary<And>(table, "arith.andi");
  addBinary<Or>(table, "arith.ori");
  addBinary<Xor>(table, "arith.xori");
  addBinary<MaxS>(table, "arith.maxsi");
  addBinary<MinS>(table, "arith.minsi");
  addBinary<MaxU>(table, "arith.maxui");
  addBinary<MinU>(table, "arith.minui");
  addBinary<ShiftLeft>(table, "arith.shli");
  addBinary<ShiftRightU>(table, "arith.shrui");
  addBinary<ShiftRightS>(table, "arith.shrsi");
  addBinary<DivS>(table, "arith.divsi", runDivision);
  addBinary<RemS>(table, "arith.remsi", runDivision);
  addBinary<DivU>(table, "arith.divui", runDivision);
  addBinary<RemU>(table, "arith.remui", runDivision);
  addBinary<CeilDivS>(table, "arith.ceildivsi", runDivision);
  addBinary<CeilDivU>(table, "arith.ceildivui", runDivision);
  addBinary<FloorDivS>(table, "arith.floordivsi", runDivision);
  addExtended<AddExtended>(table, "arith.addui_extended");
  addExtended<MulUExtended>(table, "arith.mului_extended");
  addExtended<MulSExtended>(table, "arith.mulsi_extended");
  table["arith.cmpi"] = {runElementwise, selectCompare};
  table["arith.select"] = {runElementwise, selectSelect};
}

} // namespace tilec::ref
