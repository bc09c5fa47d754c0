// A float as an integer, out of range too, as PTX's cvt.rzi has it.
#ifndef TILEC_LIB_SUPPORT_FLOATTOINT_H
#define TILEC_LIB_SUPPORT_FLOATTOINT_H

#include <cmath>
#include <cstdint>

namespace tilec {

/// The low `bits` bits of `value` as an integer [R13]. cvt goes to 16, 32 or 64 bits and saturates
/// there. NaN is 0, or the highest bit of those if it comes from fp64 or goes to 64 bits.
inline uint64_t floatToInt(double value, unsigned bits, bool isSigned, bool isFromFP64) {
  unsigned width = bits < 16 ? 16 : bits;
  uint64_t highest = uint64_t(1) << (width - 1), mask = ~uint64_t(0) >> (64 - bits);
  if (std::isnan(value))
    return isFromFP64 || width == 64 ? highest & mask : 0;
  double end = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  if (value >= end)
    return (isSigned ? highest - 1 : ~uint64_t(0)) & mask;
  if (!isSigned)
    return (value > 0 ? static_cast<uint64_t>(value) : 0) & mask;
  return (value < -end ? highest : static_cast<uint64_t>(static_cast<int64_t>(value))) & mask;
}

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_FLOATTOINT_H
