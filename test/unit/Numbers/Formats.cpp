// Floating-point formats in integer arithmetic.
#include "test/unit/Numbers/Formats.h"

namespace tilec::test {

const Format kE4M3{"fp8e4nv", 4, 3, 7, true, true}, kE5M2{"fp8e5", 5, 2, 15, true, false},
    kHalf{"fp16", 5, 10, 15, false, false}, kBFloat{"bf16", 8, 7, 127, false, false},
    kSingle{"fp32", 8, 23, 127, false, false}, kDouble{"fp64", 11, 52, 1023, false, false};

static uint64_t infinityOf(const Format &format) {
  return ((uint64_t(1) << format.exponentBits) - 1) << format.mantissaBits;
}

uint64_t Format::largest() const {
  uint64_t all = (uint64_t(1) << (exponentBits + mantissaBits)) - 1;
  return isFinite ? all - 1 : infinityOf(*this) - 1;
}

bool Format::isNaN(uint64_t code) const { return decode(*this, code).isNaN; }

Exact decode(const Format &format, uint64_t code) {
  Exact number;
  number.negative = code >> (format.bits() - 1) & 1;
  uint64_t magnitude = code & ((uint64_t(1) << (format.bits() - 1)) - 1);
  uint64_t field = magnitude >> format.mantissaBits;
  uint64_t fraction = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
  if (magnitude > format.largest()) {
    number.isInfinite = !format.isFinite && fraction == 0;
    number.isNaN = !number.isInfinite;
    return number;
  }
  number.mantissa = field ? fraction | uint64_t(1) << format.mantissaBits : fraction;
  number.exponent = (field ? int(field) : 1) - format.bias - int(format.mantissaBits);
  return number;
}

uint64_t encode(const Format &format, const Exact &number, bool towardZero) {
  uint64_t sign = uint64_t(number.negative) << (format.bits() - 1);
  uint64_t overflow = format.saturates ? format.largest() : infinityOf(format);
  if (number.isNaN)
    return sign | (format.largest() + (format.isFinite ? 1 : 2));
  if (number.isInfinite)
    return sign | overflow;
  if (number.mantissa == 0)
    return sign;
  int top = 63 - __builtin_clzll(number.mantissa);
  // The exponent of the last place that the result has.
  int least = 1 - format.bias - int(format.mantissaBits);
  int last = number.exponent + top - int(format.mantissaBits);
  last = last < least ? least : last;
  int drop = last - number.exponent;
  uint64_t kept;
  if (drop <= 0) {
    kept = number.mantissa << -drop;
  } else if (drop > 64) {
    kept = 0;
  } else {
    kept = drop == 64 ? 0 : number.mantissa >> drop;
    // Twice the rest against the last place.
    unsigned __int128 rest = number.mantissa - (drop == 64 ? 0 : kept << drop);
    unsigned __int128 unit = static_cast<unsigned __int128>(1) << drop;
    if (!towardZero && (2 * rest > unit || (2 * rest == unit && (kept & 1))))
      ++kept;
  }
  // The mantissa's leading bit adds one to the exponent field, and so does a carry.
  uint64_t code = kept + (static_cast<uint64_t>(last - least) << format.mantissaBits);
  if (last > least + (1 << format.exponentBits) || code > format.largest())
    return sign | (towardZero ? format.largest() : overflow);
  return sign | code;
}

} // namespace tilec::test
