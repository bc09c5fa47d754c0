// Floating-point arithmetic: every operation rounds once, to nearest even, whatever its fast-math
// flags allow.
#include "lib/Interpreter/Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace tilec::ref {
namespace {

template <class Op>
struct BinaryFloat {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      using S = typename T::Storage;
      S *out = reinterpret_cast<S *>(outputs[0]);
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      const S *b = reinterpret_cast<const S *>(inputs[1].data);
      size_t aStep = inputs[0].step, bStep = inputs[1].step;
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(Op::apply(T::load(a[i * aStep]), T::load(b[i * bStep])));
    }
  };
};

#define TILEC_FLOAT_OP(name, expression)                                                           \
  struct name {                                                                                    \
    template <class T>                                                                             \
    static T apply(T a, T b) {                                                                     \
      return expression;                                                                           \
    }                                                                                              \
  };

/// Of two zeros the negative one is the smaller, as IEEE 754-2019 has it for all four.
template <class T>
bool isLess(T a, T b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

TILEC_FLOAT_OP(Add, a + b)
TILEC_FLOAT_OP(Sub, a - b)
TILEC_FLOAT_OP(Mul, a *b)
TILEC_FLOAT_OP(Div, a / b)
TILEC_FLOAT_OP(Rem, std::fmod(a, b))
// NaN if either is: a + b is one then.
TILEC_FLOAT_OP(Maximum, std::isnan(a) || std::isnan(b) ? a + b : isLess(a, b) ? b : a)
TILEC_FLOAT_OP(Minimum, std::isnan(a) || std::isnan(b) ? a + b : isLess(b, a) ? b : a)
// The number if one is NaN.
TILEC_FLOAT_OP(MaxNum, std::isnan(a) ? b : std::isnan(b) ? a : isLess(a, b) ? b : a)
TILEC_FLOAT_OP(MinNum, std::isnan(a) ? b : std::isnan(b) ? a : isLess(b, a) ? b : a)
#undef TILEC_FLOAT_OP

struct Negate {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      // The sign bit alone, for NaN too.
      using S = IntStorage<FloatTraits<K>::kBits>;
      S *out = reinterpret_cast<S *>(outputs[0]);
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = a[i * inputs[0].step] ^ (S(1) << (FloatTraits<K>::kBits - 1));
    }
  };
};

using P = arith::CmpFPredicate;

template <P Predicate>
struct CompareFloat {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      using S = typename T::Storage;
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      const S *b = reinterpret_cast<const S *>(inputs[1].data);
      for (size_t i = 0; i < count; ++i)
        outputs[0][i] = holds(T::load(a[i * inputs[0].step]), T::load(b[i * inputs[1].step]));
    }
    template <class T>
    static bool holds(T a, T b) {
      bool unordered = std::isnan(a) || std::isnan(b);
      switch (Predicate) {
      case P::AlwaysFalse:
        return false;
      case P::OEQ:
        return a == b;
      case P::OGT:
        return a > b;
      case P::OGE:
        return a >= b;
      case P::OLT:
        return a < b;
      case P::OLE:
        return a <= b;
      case P::ONE:
        return !unordered && a != b;
      case P::ORD:
        return !unordered;
      case P::UEQ:
        return unordered || a == b;
      case P::UGT:
        return unordered || a > b;
      case P::UGE:
        return unordered || a >= b;
      case P::ULT:
        return unordered || a < b;
      case P::ULE:
        return unordered || a <= b;
      case P::UNE:
        return unordered || a != b;
      case P::UNO:
        return unordered;
      case P::AlwaysTrue:
        return true;
      }
      return false;
    }
  };
};

template <template <Kind> class Family>
Kernel selectByOperand(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getOperand(0).getType());
  return kind ? selectFloat<Family>(*kind) : nullptr;
}

Kernel selectCompare(Operation *op) {
  switch (cast<arith::CmpFOp>(op).getPredicate()) {
  case P::AlwaysFalse:
    return selectByOperand<CompareFloat<P::AlwaysFalse>::On>(op);
  case P::OEQ:
    return selectByOperand<CompareFloat<P::OEQ>::On>(op);
  case P::OGT:
    return selectByOperand<CompareFloat<P::OGT>::On>(op);
  case P::OGE:
    return selectByOperand<CompareFloat<P::OGE>::On>(op);
  case P::OLT:
    return selectByOperand<CompareFloat<P::OLT>::On>(op);
  case P::OLE:
    return selectByOperand<CompareFloat<P::OLE>::On>(op);
  case P::ONE:
    return selectByOperand<CompareFloat<P::ONE>::On>(op);
  case P::ORD:
    return selectByOperand<CompareFloat<P::ORD>::On>(op);
  case P::UEQ:
    return selectByOperand<CompareFloat<P::UEQ>::On>(op);
  case P::UGT:
    return selectByOperand<CompareFloat<P::UGT>::On>(op);
  case P::UGE:
    return selectByOperand<CompareFloat<P::UGE>::On>(op);
  case P::ULT:
    return selectByOperand<CompareFloat<P::ULT>::On>(op);
  case P::ULE:
    return selectByOperand<CompareFloat<P::ULE>::On>(op);
  case P::UNE:
    return selectByOperand<CompareFloat<P::UNE>::On>(op);
  case P::UNO:
    return selectByOperand<CompareFloat<P::UNO>::On>(op);
  case P::AlwaysTrue:
    return selectByOperand<CompareFloat<P::AlwaysTrue>::On>(op);
  }
  return nullptr;
}

template <class Op>
void addBinary(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByOperand<BinaryFloat<Op>::template On>};
}

} // namespace

void addFloatOps(OpTable &table) {
  addBinary<Add>(table, "arith.addf");
  addBinary<Sub>(table, "arith.subf");
  addBinary<Mul>(table, "arith.mulf");
  addBinary<Div>(table, "arith.divf");
  addBinary<Rem>(table, "arith.remf");
  addBinary<Maximum>(table, "arith.maximumf");
  addBinary<Minimum>(table, "arith.minimumf");
  addBinary<MaxNum>(table, "arith.maxnumf");
  addBinary<MinNum>(table, "arith.minnumf");
  table["arith.negf"] = {runElementwise, selectByOperand<Negate::On>};
  table["arith.cmpf"] = {runElementwise, selectCompare};
}

} // namespace tilec::ref
