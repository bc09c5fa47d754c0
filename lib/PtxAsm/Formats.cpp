// Floats of every format that PTX knows, as doubles.
#include "lib/PtxAsm/AsmIr.h"

#include "lib/Support/FloatFormats.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tilec::ptx {

PtxType PtxType::parse(llvm::StringRef text) {
  PtxType type;
  if (text == "pred") {
    type.kind = Kind::Predicate;
    type.bits = 1;
    return type;
  }
  for (unsigned count : {2, 4})
    if (text.size() > 2 && text.ends_with("x" + std::to_string(count)) && text != "x2") {
      type.count = static_cast<uint8_t>(count);
      text = text.drop_back(2);
      break;
    }
  auto makeFloat = [&](uint8_t bits, uint8_t exponent, uint8_t mantissa) {
    type.kind = Kind::Float;
    type.bits = bits;
    type.exponent = exponent;
    type.mantissa = mantissa;
  };
  if (text == "f16")
    makeFloat(16, 5, 10);
  else if (text == "bf16")
    makeFloat(16, 8, 7);
  else if (text == "tf32")
    makeFloat(32, 8, 10);
  else if (text == "f32")
    makeFloat(32, 8, 23);
  else if (text == "f64")
    makeFloat(64, 11, 52);
  else if (text == "e4m3")
    makeFloat(8, 4, 3);
  else if (text == "e5m2")
    makeFloat(8, 5, 2);
  else if (text == "e2m1")
    makeFloat(4, 2, 1);
  else if (text == "ue8m0")
    makeFloat(8, 8, 0);
  if (type.kind == Kind::Float)
    return type;
  unsigned bits = 0;
  if (text.size() < 2 || text.drop_front().getAsInteger(10, bits) ||
      !(bits == 8 || bits == 16 || bits == 32 || bits == 64))
    return {};
  type.bits = static_cast<uint8_t>(bits);
  type.kind = text[0] == 'b'   ? Kind::Bits
              : text[0] == 'u' ? Kind::Unsigned
              : text[0] == 's' ? Kind::Signed
                               : Kind::None;
  return type.kind == Kind::None ? PtxType() : type;
}

/// Formats whose largest exponent holds numbers: e4m3 has only one NaN, e2m1 none.
static bool hasInfinity(const PtxType &type) { return type.bits > 8 || type.exponent == 5; }

double decode(const PtxType &type, uint64_t bits) {
  if (type.bits == 64)
    return bitCast<double>(bits);
  if (type.bits == 32)
    return bitCast<float>(static_cast<uint32_t>(bits));
  if (type.mantissa == 0)
    return (bits & 0xff) == 0xff ? std::nan("")
                                 : std::ldexp(1.0, static_cast<int>(bits & 0xff) - 127);
  unsigned width = type.exponent + type.mantissa;
  int bias = (1 << (type.exponent - 1)) - 1;
  uint64_t exponent = bits >> type.mantissa & ((1u << type.exponent) - 1);
  uint64_t mantissa = bits & ((1u << type.mantissa) - 1);
  double sign = bits >> width & 1 ? -1 : 1;
  bool isTop = exponent == (1u << type.exponent) - 1;
  if (isTop && hasInfinity(type))
    return mantissa ? std::nan("") : sign * HUGE_VAL;
  if (isTop && type.exponent == 4 && mantissa == 7)
    return std::nan("");
  if (exponent == 0)
    return sign * std::ldexp(static_cast<double>(mantissa), 1 - bias - type.mantissa);
  return sign * std::ldexp(static_cast<double>(mantissa | 1u << type.mantissa),
                           static_cast<int>(exponent) - bias - type.mantissa);
}

/// `value`, which is not negative, in units of `2^exponent`, rounded.
static double roundUnits(double value, int exponent, Rounding rounding, bool negative) {
  double units = std::ldexp(value, -exponent);
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(units);
  case Rounding::NearestAway:
    return std::floor(units + 0.5);
  case Rounding::Zero:
    return std::floor(units);
  case Rounding::Down:
    return negative ? std::ceil(units) : std::floor(units);
  case Rounding::Up:
    return negative ? std::floor(units) : std::ceil(units);
  }
  return units;
}

static uint64_t encodeExponent(double value, Rounding rounding) {
  if (std::isnan(value))
    return 0xff;
  double magnitude = std::fabs(value);
  if (magnitude < std::ldexp(1.0, -127))
    return 0;
  int exponent = 0;
  double fraction = std::frexp(magnitude, &exponent); // in [0.5, 1)
  --exponent;
  if (rounding == Rounding::Up && fraction > 0.5)
    ++exponent;
  int biased = exponent + 127;
  return static_cast<uint64_t>(biased > 254 ? 254 : biased < 0 ? 0 : biased);
}

uint64_t encode(const PtxType &type, double value, Rounding rounding, bool finite) {
  if (type.bits == 64)
    return bitCast<uint64_t>(value);
  if (type.mantissa == 0)
    return encodeExponent(value, rounding);
  unsigned width = type.exponent + type.mantissa;
  bool negative = std::signbit(value);
  int bias = (1 << (type.exponent - 1)) - 1;
  uint64_t top = (uint64_t(1) << type.exponent) - 1;
  uint64_t sign = negative ? uint64_t(1) << width : 0;
  bool infinities = hasInfinity(type);
  // The largest number: just below the infinity, the NaN of e4m3, or the last code of e2m1.
  uint64_t largest = infinities ? (top << type.mantissa) - 1 : (uint64_t(1) << width) - 1;
  if (type.exponent == 4)
    largest -= 1;
  uint64_t infinity = infinities && !finite ? top << type.mantissa : largest;
  // A tf32 lies in the upper bits of an f32.
  unsigned shift = type.bits == 32 && type.mantissa == 10 ? 13 : 0;
  auto finish = [&](uint64_t code) { return code << shift; };
  if (std::isnan(value)) {
    if (type.bits == 32)
      return 0x7fffffff;
    if (type.exponent == 2)
      return largest;
    return infinities && type.bits == 8 ? 0x7f : (uint64_t(1) << width) - 1;
  }
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return finish(sign | infinity);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  --exponent;
  bool isDenormal = magnitude == 0 || exponent < 1 - bias;
  int unit = (isDenormal ? 1 - bias : exponent) - type.mantissa;
  auto units = static_cast<uint64_t>(roundUnits(magnitude, unit, rounding, negative));
  // A carry out of the mantissa raises the exponent by itself.
  uint64_t code = isDenormal ? units
                             : (static_cast<uint64_t>(exponent + bias) << type.mantissa) + units -
                                   (uint64_t(1) << type.mantissa);
  if (code > largest) {
    // Rounding towards zero stops at the largest number.
    bool inwards = rounding == Rounding::Zero || (rounding == Rounding::Down && !negative) ||
                   (rounding == Rounding::Up && negative);
    code = inwards ? largest : infinity;
  }
  return finish(sign | code);
}

} // namespace tilec::ptx
