// Conversion of the floating-point formats that C++ has no type for: fp16, bf16 and the two fp8.
#ifndef TILEC_LIB_SUPPORT_FLOATFORMATS_H
#define TILEC_LIB_SUPPORT_FLOATFORMATS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tilec {

/// Reinterprets the bits of a value; the sizes must be equal.
template <class To, class From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// Rounds a double once, to nearest even, to a format with infinities and `ExpBits` and `ManBits`
/// bits. Overflow gives an infinity, NaN the canonical quiet one.
template <unsigned ExpBits, unsigned ManBits>
inline uint32_t encodeFloat(double value) {
  constexpr int kBias = (1 << (ExpBits - 1)) - 1;
  constexpr uint32_t kInf = ((1u << ExpBits) - 1) << ManBits;
  uint64_t bits = bitCast<uint64_t>(value);
  uint32_t sign = static_cast<uint32_t>(bits >> 63) << (ExpBits + ManBits);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff)
    return sign | kInf | (mantissa ? 1u << (ManBits - 1) : 0);
  if (exponent == 0) // Doubles that small round to zero in every format.
    return sign;
  mantissa |= uint64_t(1) << 52;
  int target = exponent - 1023 + kBias;
  // Bits to drop: more of them for a subnormal result, which keeps the exponent field at 0.
  int drop = 52 - static_cast<int>(ManBits) + (target < 1 ? 1 - target : 0);
  if (drop > 54)
    return sign;
  uint64_t kept = mantissa >> drop;
  uint64_t rest = mantissa & ((uint64_t(1) << drop) - 1);
  uint64_t half = uint64_t(1) << (drop - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A carry out of the mantissa raises the exponent by itself.
  uint64_t result = kept;
  if (target >= 1)
    result += static_cast<uint64_t>(target - 1) << ManBits;
  return sign | (result >= kInf ? kInf : static_cast<uint32_t>(result));
}

/// The exact value of a float in a format with infinities.
template <unsigned ExpBits, unsigned ManBits>
inline double decodeFloat(uint32_t bits) {
  constexpr int kBias = (1 << (ExpBits - 1)) - 1;
  constexpr uint32_t kExpMask = (1u << ExpBits) - 1;
  uint64_t sign = static_cast<uint64_t>(bits >> (ExpBits + ManBits) & 1) << 63;
  uint32_t exponent = bits >> ManBits & kExpMask;
  uint64_t mantissa = bits & ((1u << ManBits) - 1);
  if (exponent == 0) {
    double magnitude = std::ldexp(static_cast<double>(mantissa), 1 - kBias - int(ManBits));
    return bitCast<double>(bitCast<uint64_t>(magnitude) | sign);
  }
  uint64_t wide = exponent == kExpMask ? 0x7ff : exponent + 1023 - kBias;
  return bitCast<double>(sign | wide << 52 | mantissa << (52 - ManBits));
}

inline uint16_t encodeFP16(double value) { return encodeFloat<5, 10>(value); }
inline double decodeFP16(uint16_t bits) { return decodeFloat<5, 10>(bits); }

inline uint16_t encodeBF16(double value) { return encodeFloat<8, 7>(value); }
inline double decodeBF16(uint16_t bits) {
  return bitCast<float>(static_cast<uint32_t>(bits) << 16);
}

/// E5M2, rounded to nearest even. Infinities and what overflows saturate to the largest finite
/// value, as `cvt.rn.satfinite` does; NaN stays NaN.
inline uint8_t encodeFP8E5(double value) {
  uint8_t bits = static_cast<uint8_t>(encodeFloat<5, 2>(value));
  if (std::isnan(value))
    return bits | 0x03;
  return (bits & 0x7f) == 0x7c ? bits - 1 : bits;
}
inline double decodeFP8E5(uint8_t bits) { return decodeFloat<5, 2>(bits); }

/// E4M3 without infinities, rounded to nearest even. Infinities and what overflows saturate to
/// 448; NaN becomes 0x7f with the sign.
inline uint8_t encodeFP8E4(double value) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value))
    return sign | 0x7f;
  if (std::fabs(value) > 448)
    return sign | 0x7e;
  // The exponent that formats with infinities reserve holds 256 to 448 in steps of 32.
  if (std::fabs(value) >= 248)
    return sign | (0x78 + static_cast<uint8_t>(std::nearbyint(std::fabs(value) / 32) - 8));
  return static_cast<uint8_t>(encodeFloat<4, 3>(value));
}
inline double decodeFP8E4(uint8_t bits) {
  if ((bits & 0x7f) == 0x7f)
    return std::nan("");
  if ((bits & 0x78) == 0x78) // The exponent that other formats reserve.
    return (bits & 0x80 ? -1 : 1) * (256.0 + 32 * (bits & 7));
  return decodeFloat<4, 3>(bits);
}

/// fp8e4b15: E4M3 with a bias of 15, without infinities and NaN. Rounded to nearest, ties away from
/// zero; what is larger than 1.75, NaN too, becomes that.
inline uint8_t encodeFP8E4B15(double value) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  double magnitude = std::fabs(value);
  if (!(magnitude < 1.75))
    return sign | 0x7e;
  constexpr int kLeast = -14; // The exponent of the smallest normal number, and of those below it.
  int exponent = magnitude == 0 ? kLeast : std::max(std::ilogb(magnitude), kLeast);
  // A carry out of the mantissa raises the exponent by itself.
  return sign | static_cast<uint8_t>(std::lround(std::ldexp(magnitude, 3 - exponent)) +
                                     8 * (exponent - kLeast));
}
inline double decodeFP8E4B15(uint8_t bits) {
  return decodeFP16(static_cast<uint16_t>((bits & 0x80) << 8 | (bits & 0x7f) << 7));
}

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_FLOATFORMATS_H
