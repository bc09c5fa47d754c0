// Mathematical functions, computed in a wider type (double, or long double for fp64) and rounded
// once. Results are the correctly rounded ones but for ties that the wider result cannot tell.
#include "lib/Interpreter/Evaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace tilec::ref {
namespace {

template <class Op>
struct UnaryMath {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      auto *a = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(Op::apply(typename T::Wide(T::load(a[i * inputs[0].step]))));
    }
  };
};

template <class Op>
struct BinaryMath {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      using W = typename T::Wide;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      auto *a = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      auto *b = reinterpret_cast<const typename T::Storage *>(inputs[1].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(
            Op::apply(W(T::load(a[i * inputs[0].step])), W(T::load(b[i * inputs[1].step]))));
    }
  };
};

/// The square root, which the number's own format rounds right: rounding a wider result again may
/// not.
struct SquareRoot {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      auto *a = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(std::sqrt(T::load(a[i * inputs[0].step])));
    }
  };
};

/// Classification: a boolean per element.
template <class Op>
struct Classify {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      auto *a = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        outputs[0][i] = Op::template apply<K>(T::load(a[i * inputs[0].step]));
    }
  };
};

#define TILEC_UNARY(name, expression)                                                              \
  struct name {                                                                                    \
    template <class T>                                                                             \
    static T apply(T x) {                                                                          \
      return expression;                                                                           \
    }                                                                                              \
  };

TILEC_UNARY(Abs, std::fabs(x))
TILEC_UNARY(Acos, std::acos(x))
TILEC_UNARY(Acosh, std::acosh(x))
TILEC_UNARY(Asin, std::asin(x))
TILEC_UNARY(Asinh, std::asinh(x))
TILEC_UNARY(Atan, std::atan(x))
TILEC_UNARY(Atanh, std::atanh(x))
TILEC_UNARY(Cbrt, std::cbrt(x))
TILEC_UNARY(Ceil, std::ceil(x))
TILEC_UNARY(Cos, std::cos(x))
TILEC_UNARY(Cosh, std::cosh(x))
TILEC_UNARY(Erf, std::erf(x))
TILEC_UNARY(Erfc, std::erfc(x))
TILEC_UNARY(Exp, std::exp(x))
TILEC_UNARY(Exp2, std::exp2(x))
TILEC_UNARY(Expm1, std::expm1(x))
TILEC_UNARY(Floor, std::floor(x))
TILEC_UNARY(Log, std::log(x))
TILEC_UNARY(Log10, std::log10(x))
TILEC_UNARY(Log1p, std::log1p(x))
TILEC_UNARY(Log2, std::log2(x))
TILEC_UNARY(Round, std::round(x))
TILEC_UNARY(RoundEven, std::nearbyint(x))
TILEC_UNARY(Rsqrt, T(1) / std::sqrt(x))
TILEC_UNARY(Sin, std::sin(x))
TILEC_UNARY(Sinh, std::sinh(x))
TILEC_UNARY(Tan, std::tan(x))
TILEC_UNARY(Tanh, std::tanh(x))
TILEC_UNARY(Trunc, std::trunc(x))
#undef TILEC_UNARY

struct Atan2 {
  template <class T>
  static T apply(T y, T x) {
    return std::atan2(y, x);
  }
};
struct CopySign {
  template <class T>
  static T apply(T x, T y) {
    return std::copysign(x, y);
  }
};
struct Pow {
  template <class T>
  static T apply(T x, T y) {
    return std::pow(x, y);
  }
};

struct IsFinite {
  template <Kind K>
  static bool apply(double x) {
    return std::isfinite(x);
  }
};
struct IsInf {
  template <Kind K>
  static bool apply(double x) {
    return std::isinf(x);
  }
};
struct IsNaN {
  template <Kind K>
  static bool apply(double x) {
    return std::isnan(x);
  }
};
struct IsNormal {
  /// Exponent of the smallest normal number.
  static constexpr int minExponent(Kind kind) {
    switch (kind) {
    case Kind::F8E4M3:
      return -6;
    case Kind::F8E5M2:
    case Kind::F16:
      return -14;
    case Kind::F64:
      return -1022;
    default:
      return -126;
    }
  }
  template <Kind K>
  static bool apply(double x) {
    return std::isfinite(x) && std::fabs(x) >= std::ldexp(1.0, minExponent(K));
  }
};

/// a * b + c with one rounding. The narrow formats' products are exact in a double; their sum is
/// rounded to odd there, so that rounding it again is as good as rounding the exact sum.
double fusedMultiplyAdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double part = sum - product;
  double error = (product - (sum - part)) + (c - part);
  if (error == 0 || (bitCast<uint64_t>(sum) & 1))
    return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// An operation of three numbers of one format; `Op` sees them as FloatTraits loads them.
template <class Op>
struct TernaryMath {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      auto at = [&](unsigned n, size_t i) {
        return T::load(
            reinterpret_cast<const typename T::Storage *>(inputs[n].data)[i * inputs[n].step]);
      };
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(Op::template apply<K>(at(0, i), at(1, i), at(2, i)));
    }
  };
};

struct FMA {
  template <Kind K, class V>
  static auto apply(V a, V b, V c) {
    if constexpr (K == Kind::F32 || K == Kind::F64)
      return std::fma(a, b, c);
    else
      return fusedMultiplyAdd(a, b, c);
  }
};

/// min(max(x, low), high); NaN in any of them is NaN, as in maximumf and minimumf.
struct Clamp {
  template <Kind K, class V>
  static V apply(V x, V low, V high) {
    V sum = x + low + high;
    if (std::isnan(x) || std::isnan(low) || std::isnan(high))
      x = sum;
    else if (low > x)
      x = low;
    if (high < x)
      x = high;
    return x;
  }
};

template <Kind K>
struct SinCos {
  static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
    uint8_t *cosine = outputs[1];
    UnaryMath<Sin>::On<K>::run(outputs, inputs, count);
    UnaryMath<Cos>::On<K>::run(&cosine, inputs, count);
  }
};

/// x to the power of an integer.
template <unsigned Bits>
struct FloatPower {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      auto *x = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      auto *n = reinterpret_cast<const IntStorage<Bits> *>(inputs[1].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = T::store(std::pow(typename T::Wide(T::load(x[i * inputs[0].step])),
                                   typename T::Wide(signExtend<Bits>(n[i * inputs[1].step]))));
    }
  };
};

//===--- Integers ----------------------------------------------------------===//

template <class Op>
struct UnaryInt {
  template <unsigned Bits>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using S = IntStorage<Bits>;
      S *out = reinterpret_cast<S *>(outputs[0]);
      const S *a = reinterpret_cast<const S *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = static_cast<S>(truncate<Bits>(Op::template apply<Bits>(a[i * inputs[0].step])));
    }
  };
};

struct AbsInt {
  template <unsigned Bits>
  static uint64_t apply(uint64_t x) {
    return signExtend<Bits>(x) < 0 ? -x : x;
  }
};
struct CountLeadingZeros {
  template <unsigned Bits>
  static uint64_t apply(uint64_t x) {
    return x ? __builtin_clzll(x) - (64 - Bits) : Bits;
  }
};
struct CountTrailingZeros {
  template <unsigned Bits>
  static uint64_t apply(uint64_t x) {
    return x ? __builtin_ctzll(x) : Bits;
  }
};
struct PopulationCount {
  template <unsigned Bits>
  static uint64_t apply(uint64_t x) {
    return __builtin_popcountll(x);
  }
};

/// Wraps; a negative power of anything but 1 and -1 is 0.
template <unsigned Bits>
struct IntPower {
  static uint64_t power(uint64_t base, int64_t exponent) {
    if (exponent < 0) {
      int64_t value = signExtend<Bits>(base);
      return value == 1 ? 1 : value == -1 ? (exponent & 1 ? ~uint64_t(0) : 1) : 0;
    }
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
      if (exponent & 1)
        result *= base;
    return result;
  }
  static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
    using S = IntStorage<Bits>;
    S *out = reinterpret_cast<S *>(outputs[0]);
    const S *a = reinterpret_cast<const S *>(inputs[0].data);
    const S *b = reinterpret_cast<const S *>(inputs[1].data);
    for (size_t i = 0; i < count; ++i)
      out[i] = static_cast<S>(
          truncate<Bits>(power(a[i * inputs[0].step], signExtend<Bits>(b[i * inputs[1].step]))));
  }
};

//===--- The table ---------------------------------------------------------===//

template <template <Kind> class Family>
Kernel selectByFloat(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getOperand(0).getType());
  return kind ? selectFloat<Family>(*kind) : nullptr;
}

template <template <unsigned> class Family>
Kernel selectByInt(Operation *op) {
  std::optional<Kind> kind = kindOf(op->getOperand(0).getType());
  return kind ? selectInt<Family>(*kind) : nullptr;
}

Kernel selectFloatPower(Operation *op) {
  auto kind = kindOf(op->getOperand(0).getType()), power = kindOf(op->getOperand(1).getType());
  if (!kind || !power)
    return nullptr;
  switch (*power) {
  case Kind::I8:
    return selectFloat<FloatPower<8>::On>(*kind);
  case Kind::I16:
    return selectFloat<FloatPower<16>::On>(*kind);
  case Kind::I32:
    return selectFloat<FloatPower<32>::On>(*kind);
  case Kind::I64:
    return selectFloat<FloatPower<64>::On>(*kind);
  default:
    return nullptr;
  }
}

template <class Op>
void addUnary(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByFloat<UnaryMath<Op>::template On>};
}
template <class Op>
void addBinary(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByFloat<BinaryMath<Op>::template On>};
}
template <class Op>
void addClassify(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByFloat<Classify<Op>::template On>};
}
template <class Op>
void addUnaryInt(OpTable &table, StringRef name) {
  table[name] = {runElementwise, selectByInt<UnaryInt<Op>::template On>};
}

} // namespace

void addMathOps(OpTable &table) {
  addUnary<Abs>(table, "math.absf");
  addUnary<Acos>(table, "math.acos");
  addUnary<Acosh>(table, "math.acosh");
  addUnary<Asin>(table, "math.asin");
  addUnary<Asinh>(table, "math.asinh");
  addUnary<Atan>(table, "math.atan");
  addUnary<Atanh>(table, "math.atanh");
  addUnary<Cbrt>(table, "math.cbrt");
  addUnary<Ceil>(table, "math.ceil");
  addUnary<Cos>(table, "math.cos");
  addUnary<Cosh>(table, "math.cosh");
  addUnary<Erf>(table, "math.erf");
  addUnary<Erfc>(table, "math.erfc");
  addUnary<Exp>(table, "math.exp");
  addUnary<Exp2>(table, "math.exp2");
  addUnary<Expm1>(table, "math.expm1");
  addUnary<Floor>(table, "math.floor");
  addUnary<Log>(table, "math.log");
  addUnary<Log10>(table, "math.log10");
  addUnary<Log1p>(table, "math.log1p");
  addUnary<Log2>(table, "math.log2");
  addUnary<Round>(table, "math.round");
  addUnary<RoundEven>(table, "math.roundeven");
  addUnary<Rsqrt>(table, "math.rsqrt");
  addUnary<Sin>(table, "math.sin");
  addUnary<Sinh>(table, "math.sinh");
  table["math.sqrt"] = {runElementwise, selectByFloat<SquareRoot::On>};
  addUnary<Tan>(table, "math.tan");
  addUnary<Tanh>(table, "math.tanh");
  addUnary<Trunc>(table, "math.trunc");
  addBinary<Atan2>(table, "math.atan2");
  addBinary<CopySign>(table, "math.copysign");
  addBinary<Pow>(table, "math.powf");
  addClassify<IsFinite>(table, "math.isfinite");
  addClassify<IsInf>(table, "math.isinf");
  addClassify<IsNaN>(table, "math.isnan");
  addClassify<IsNormal>(table, "math.isnormal");
  table["math.fma"] = {runElementwise, selectByFloat<TernaryMath<FMA>::On>};
  table["math.clampf"] = {runElementwise, selectByFloat<TernaryMath<Clamp>::On>};
  table["math.sincos"] = {runElementwise, selectByFloat<SinCos>};
  table["math.fpowi"] = {runElementwise, selectFloatPower};
  table["math.ipowi"] = {runElementwise, selectByInt<IntPower>};
  addUnaryInt<AbsInt>(table, "math.absi");
  addUnaryInt<CountLeadingZeros>(table, "math.ctlz");
  addUnaryInt<CountTrailingZeros>(table, "math.cttz");
  addUnaryInt<PopulationCount>(table, "math.ctpop");
}

} // namespace tilec::ref
