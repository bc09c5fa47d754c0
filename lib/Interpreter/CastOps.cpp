// Conversions between element types.
//
// Float to narrower float rounds once, to nearest even unless the operation names another mode;
// fp8 saturates and has no way to overflow. Float to integer truncates as PTX's `cvt` does.
#include "lib/Interpreter/Evaluator.h"
#include "lib/Support/FloatToInt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;

namespace tilec::ref {
namespace {

//===--- Integer to integer ------------------------------------------------===//

template <unsigned From, bool Signed>
struct IntCast {
  template <unsigned To>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      auto *out = reinterpret_cast<IntStorage<To> *>(outputs[0]);
      auto *in = reinterpret_cast<const IntStorage<From> *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i) {
        uint64_t value = in[i * inputs[0].step];
        if (Signed)
          value = static_cast<uint64_t>(signExtend<From>(value));
        out[i] = static_cast<IntStorage<To>>(truncate<To>(value));
      }
    }
  };
};

template <bool Signed>
struct FromInt {
  /// Converts once: what a double cannot hold keeps a sticky bit below the last place.
  template <Kind To>
  static auto convert(uint64_t bits) {
    using T = FloatTraits<To>;
    bool negative = Signed && static_cast<int64_t>(bits) < 0;
    if constexpr (To == Kind::F32 || To == Kind::F64) {
      return Signed ? static_cast<typename T::Compute>(static_cast<int64_t>(bits))
                    : static_cast<typename T::Compute>(bits);
    } else {
      uint64_t magnitude = negative ? -bits : bits;
      if (magnitude >> 53)
        magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
      double value = static_cast<double>(magnitude);
      return T::store(negative ? -value : value);
    }
  }

  template <unsigned From>
  struct Bits {
    template <Kind To>
    struct On {
      static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
        auto *out = reinterpret_cast<typename FloatTraits<To>::Storage *>(outputs[0]);
        auto *in = reinterpret_cast<const IntStorage<From> *>(inputs[0].data);
        for (size_t i = 0; i < count; ++i) {
          uint64_t value = in[i * inputs[0].step];
          if (Signed)
            value = static_cast<uint64_t>(signExtend<From>(value));
          out[i] = convert<To>(value);
        }
      }
    };
  };
};

/// Calls `f` with an integral constant of the kind's width.
template <class F>
Kernel withWidth(Kind kind, F f) {
  switch (kind) {
  case Kind::I1:
    return f(std::integral_constant<unsigned, 1>());
  case Kind::I8:
    return f(std::integral_constant<unsigned, 8>());
  case Kind::I16:
    return f(std::integral_constant<unsigned, 16>());
  case Kind::I32:
    return f(std::integral_constant<unsigned, 32>());
  case Kind::I64:
    return f(std::integral_constant<unsigned, 64>());
  default:
    return nullptr;
  }
}

template <bool Signed>
Kernel selectIntCast(Operation *op) {
  auto from = kindOf(op->getOperand(0).getType()), to = kindOf(op->getResult(0).getType());
  if (!from || !to)
    return nullptr;
  return withWidth(*from, [&](auto width) {
    return selectInt<IntCast<decltype(width)::value, Signed>::template On>(*to);
  });
}

template <bool Signed>
Kernel selectIntToFloat(Operation *op) {
  auto from = kindOf(op->getOperand(0).getType()), to = kindOf(op->getResult(0).getType());
  if (!from || !to)
    return nullptr;
  return withWidth(*from, [&](auto width) {
    return selectFloat<FromInt<Signed>::template Bits<decltype(width)::value>::template On>(*to);
  });
}

//===--- Float to integer --------------------------------------------------===//

template <Kind From, bool Signed>
struct ToInt {
  template <unsigned To>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<From>;
      auto *out = reinterpret_cast<IntStorage<To> *>(outputs[0]);
      auto *in = reinterpret_cast<const typename T::Storage *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = static_cast<IntStorage<To>>(
            floatToInt(T::load(in[i * inputs[0].step]), To, Signed, From == Kind::F64));
    }
  };
};

template <bool Signed>
Kernel selectFloatToInt(Operation *op) {
  auto from = kindOf(op->getOperand(0).getType()), to = kindOf(op->getResult(0).getType());
  if (!from || !to)
    return nullptr;
  switch (*from) {
  case Kind::F8E4M3:
    return selectInt<ToInt<Kind::F8E4M3, Signed>::template On>(*to);
  case Kind::F8E5M2:
    return selectInt<ToInt<Kind::F8E5M2, Signed>::template On>(*to);
  case Kind::F16:
    return selectInt<ToInt<Kind::F16, Signed>::template On>(*to);
  case Kind::BF16:
    return selectInt<ToInt<Kind::BF16, Signed>::template On>(*to);
  case Kind::F32:
    return selectInt<ToInt<Kind::F32, Signed>::template On>(*to);
  case Kind::F64:
    return selectInt<ToInt<Kind::F64, Signed>::template On>(*to);
  default:
    return nullptr;
  }
}

//===--- Float to float ----------------------------------------------------===//

const llvm::fltSemantics &semanticsOf(Kind kind) {
  switch (kind) {
  case Kind::F8E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case Kind::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case Kind::F16:
    return llvm::APFloat::IEEEhalf();
  case Kind::BF16:
    return llvm::APFloat::BFloat();
  case Kind::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

llvm::RoundingMode modeOf(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return llvm::RoundingMode::NearestTiesToEven;
  case arith::RoundingMode::downward:
    return llvm::RoundingMode::TowardNegative;
  case arith::RoundingMode::upward:
    return llvm::RoundingMode::TowardPositive;
  case arith::RoundingMode::toward_zero:
    return llvm::RoundingMode::TowardZero;
  case arith::RoundingMode::to_nearest_away:
    return llvm::RoundingMode::NearestTiesToAway;
  }
  return llvm::RoundingMode::NearestTiesToEven;
}

/// The bits of `value` in the format `to`, rounded as `mode` says.
uint64_t roundTo(double value, Kind to, arith::RoundingMode mode) {
  const llvm::fltSemantics &semantics = semanticsOf(to);
  bool isFP8 = to == Kind::F8E4M3 || to == Kind::F8E5M2;
  bool negative = std::signbit(value);
  if (isFP8 && std::isinf(value))
    return llvm::APFloat::getLargest(semantics, negative).bitcastToAPInt().getZExtValue();
  llvm::APFloat number(value);
  bool losesInfo;
  auto status = number.convert(semantics, modeOf(mode), &losesInfo);
  if (isFP8 && !std::isnan(value) && (status & llvm::APFloat::opOverflow || !number.isFinite()))
    number = llvm::APFloat::getLargest(semantics, negative);
  return number.bitcastToAPInt().getZExtValue();
}

template <Kind From>
struct FloatCast {
  template <Kind To>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      auto *out = reinterpret_cast<typename FloatTraits<To>::Storage *>(outputs[0]);
      auto *in = reinterpret_cast<const typename FloatTraits<From>::Storage *>(inputs[0].data);
      for (size_t i = 0; i < count; ++i)
        out[i] = FloatTraits<To>::store(FloatTraits<From>::load(in[i * inputs[0].step]));
    }
  };
};

template <arith::RoundingMode Mode>
struct Rounded {
  template <Kind From>
  struct Cast {
    template <Kind To>
    struct On {
      static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
        using S = IntStorage<FloatTraits<To>::kBits>;
        auto *out = reinterpret_cast<S *>(outputs[0]);
        auto *in = reinterpret_cast<const typename FloatTraits<From>::Storage *>(inputs[0].data);
        for (size_t i = 0; i < count; ++i)
          out[i] =
              static_cast<S>(roundTo(FloatTraits<From>::load(in[i * inputs[0].step]), To, Mode));
      }
    };
  };
};

template <template <Kind> class Cast>
Kernel selectFloatToFloat(Operation *op) {
  auto from = kindOf(op->getOperand(0).getType()), to = kindOf(op->getResult(0).getType());
  if (!from || !to)
    return nullptr;
  switch (*from) {
  case Kind::F8E4M3:
    return selectFloat<Cast<Kind::F8E4M3>::template On>(*to);
  case Kind::F8E5M2:
    return selectFloat<Cast<Kind::F8E5M2>::template On>(*to);
  case Kind::F16:
    return selectFloat<Cast<Kind::F16>::template On>(*to);
  case Kind::BF16:
    return selectFloat<Cast<Kind::BF16>::template On>(*to);
  case Kind::F32:
    return selectFloat<Cast<Kind::F32>::template On>(*to);
  case Kind::F64:
    return selectFloat<Cast<Kind::F64>::template On>(*to);
  default:
    return nullptr;
  }
}

Kernel selectTruncate(Operation *op) {
  using Mode = arith::RoundingMode;
  switch (cast<arith::TruncFOp>(op).getRoundingmode().value_or(Mode::to_nearest_even)) {
  case Mode::to_nearest_even:
    return selectFloatToFloat<FloatCast>(op);
  case Mode::downward:
    return selectFloatToFloat<Rounded<Mode::downward>::Cast>(op);
  case Mode::upward:
    return selectFloatToFloat<Rounded<Mode::upward>::Cast>(op);
  case Mode::toward_zero:
    return selectFloatToFloat<Rounded<Mode::toward_zero>::Cast>(op);
  case Mode::to_nearest_away:
    return selectFloatToFloat<Rounded<Mode::to_nearest_away>::Cast>(op);
  }
  return nullptr;
}

LogicalResult runBitcast(Program &program, const Step &step) {
  program.result(step) = program.operand(step, 0).as(step.resultTypes[0].kind);
  return success();
}

} // namespace

void addCastOps(OpTable &table) {
  table["arith.extsi"] = {runElementwise, selectIntCast<true>};
  table["arith.extui"] = {runElementwise, selectIntCast<false>};
  table["arith.trunci"] = {runElementwise, selectIntCast<false>};
  table["arith.index_cast"] = {runElementwise, selectIntCast<true>};
  table["arith.index_castui"] = {runElementwise, selectIntCast<false>};
  table["arith.sitofp"] = {runElementwise, selectIntToFloat<true>};
  table["arith.uitofp"] = {runElementwise, selectIntToFloat<false>};
  table["arith.fptosi"] = {runElementwise, selectFloatToInt<true>};
  table["arith.fptoui"] = {runElementwise, selectFloatToInt<false>};
  table["arith.extf"] = {runElementwise, selectFloatToFloat<FloatCast>};
  table["arith.truncf"] = {runElementwise, selectTruncate};
  table["arith.bitcast"] = {runBitcast};
}

} // namespace tilec::ref
