// Element kinds of the interpreter: how an element lies in memory and what it is computed in.
#ifndef TILEC_LIB_INTERPRETER_ELEMENTS_H
#define TILEC_LIB_INTERPRETER_ELEMENTS_H

#include "lib/Support/FloatFormats.h"

#include "mlir/IR/Types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace tilec::ref {

/// What an element is. Booleans are bytes of 0 or 1; `index` is I64; pointers are 64 bits.
enum class Kind : uint8_t { I1, I8, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, Ptr };

inline bool isFloat(Kind kind) { return kind >= Kind::F8E4M3 && kind <= Kind::F64; }
inline bool isInt(Kind kind) { return kind <= Kind::I64; }

/// Size of an element in bytes.
inline unsigned byteSize(Kind kind) {
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
  case Kind::F8E4M3:
  case Kind::F8E5M2:
    return 1;
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
  case Kind::F64:
  case Kind::Ptr:
    return 8;
  }
  return 0;
}

/// The kind of a scalar type or of a tensor's elements; nothing for a type without one.
std::optional<Kind> kindOf(mlir::Type type);

/// The language's name of an element type, "fp32" for f32.
llvm::StringRef languageName(mlir::Type element);

//===--- Integers ----------------------------------------------------------===//

template <unsigned Bits>
using IntStorage = std::conditional_t<
    Bits <= 8, uint8_t,
    std::conditional_t<Bits == 16, uint16_t, std::conditional_t<Bits == 32, uint32_t, uint64_t>>>;

template <unsigned Bits>
inline int64_t signExtend(uint64_t value) {
  if constexpr (Bits == 64)
    return static_cast<int64_t>(value);
  else
    return static_cast<int64_t>(value << (64 - Bits)) >> (64 - Bits);
}

template <unsigned Bits>
inline uint64_t truncate(uint64_t value) {
  if constexpr (Bits == 64)
    return value;
  else
    return value & ((uint64_t(1) << Bits) - 1);
}

//===--- Floats ------------------------------------------------------------===//

/// Per float kind: `Storage` in memory and `Compute`, the C++ type of its arithmetic. fp16, bf16
/// and fp8 are computed in double and rounded once: for + - * / and sqrt a double has enough bits
/// that the second rounding does no harm. `Wide` is what mathematical functions are computed in.
template <Kind K>
struct FloatTraits;

template <>
struct FloatTraits<Kind::F64> {
  using Storage = double;
  using Compute = double;
  using Wide = long double;
  static constexpr unsigned kBits = 64;
  static double load(Storage s) { return s; }
  template <class T>
  static Storage store(T value) {
    return static_cast<double>(value);
  }
};

template <>
struct FloatTraits<Kind::F32> {
  using Storage = float;
  using Compute = float;
  using Wide = double;
  static constexpr unsigned kBits = 32;
  static float load(Storage s) { return s; }
  template <class T>
  static Storage store(T value) {
    return static_cast<float>(value);
  }
};

template <class S, S (*Encode)(double), double (*Decode)(S)>
struct NarrowFloatTraits {
  using Storage = S;
  using Compute = double;
  using Wide = double;
  static constexpr unsigned kBits = sizeof(S) * 8;
  static double load(S s) { return Decode(s); }
  static S store(double value) { return Encode(value); }
};

template <>
struct FloatTraits<Kind::F16> : NarrowFloatTraits<uint16_t, encodeFP16, decodeFP16> {};
template <>
struct FloatTraits<Kind::BF16> : NarrowFloatTraits<uint16_t, encodeBF16, decodeBF16> {};
template <>
struct FloatTraits<Kind::F8E4M3> : NarrowFloatTraits<uint8_t, encodeFP8E4, decodeFP8E4> {};
template <>
struct FloatTraits<Kind::F8E5M2> : NarrowFloatTraits<uint8_t, encodeFP8E5, decodeFP8E5> {};

//===--- Kernels -----------------------------------------------------------===//

/// One input of an elementwise loop; `step` is 0 for a scalar that stands for every element.
struct Input {
  const uint8_t *data;
  size_t step;
};

/// Computes `count` elements of every output. An output may be one of the inputs.
using Kernel = void (*)(uint8_t *const *outputs, const Input *inputs, size_t count);

/// The kernel of a family for a kind: `Family<Kind>::run`, over the float kinds ...
template <template <Kind> class Family>
Kernel selectFloat(Kind kind) {
  switch (kind) {
  case Kind::F8E4M3:
    return Family<Kind::F8E4M3>::run;
  case Kind::F8E5M2:
    return Family<Kind::F8E5M2>::run;
  case Kind::F16:
    return Family<Kind::F16>::run;
  case Kind::BF16:
    return Family<Kind::BF16>::run;
  case Kind::F32:
    return Family<Kind::F32>::run;
  case Kind::F64:
    return Family<Kind::F64>::run;
  default:
    return nullptr;
  }
}

/// ... and over the integer widths: `Family<Bits>::run`.
template <template <unsigned> class Family>
Kernel selectInt(Kind kind) {
  switch (kind) {
  case Kind::I1:
    return Family<1>::run;
  case Kind::I8:
    return Family<8>::run;
  case Kind::I16:
    return Family<16>::run;
  case Kind::I32:
    return Family<32>::run;
  case Kind::I64:
    return Family<64>::run;
  default:
    return nullptr;
  }
}

} // namespace tilec::ref

#endif // TILEC_LIB_INTERPRETER_ELEMENTS_H
