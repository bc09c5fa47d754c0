// Floating-point formats in integer arithmetic: what the language's rules say, independent of the
// compiler's own code.
#ifndef TILEC_TEST_UNIT_NUMBERS_FORMATS_H
#define TILEC_TEST_UNIT_NUMBERS_FORMATS_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::test {

struct Format {
  const char *name;
  unsigned exponentBits, mantissaBits;
  int bias;
  /// Overflow gives the largest number [R12].
  bool saturates;
  /// The largest exponent field holds numbers, its last code NaN.
  bool isFinite;

  unsigned bits() const { return 1 + exponentBits + mantissaBits; }
  unsigned bytes() const { return bits() / 8; }
  uint64_t largest() const;
  bool isNaN(uint64_t code) const;
};

extern const Format kE4M3, kE5M2, kHalf, kBFloat, kSingle, kDouble;

/// A number: NaN, infinite, or mantissa * 2^exponent.
struct Exact {
  bool negative = false, isNaN = false, isInfinite = false;
  uint64_t mantissa = 0;
  int exponent = 0;
};

Exact decode(const Format &format, uint64_t code);

/// The number rounded once, to nearest even or towards zero. Of NaN the code means nothing.
uint64_t encode(const Format &format, const Exact &number, bool towardZero = false);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_NUMBERS_FORMATS_H
