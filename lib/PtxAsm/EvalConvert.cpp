// PTX's cvt.
#include "lib/PtxAsm/Evaluate.h"

#include <cmath>

namespace tilec::ptx {

namespace {

double roundToInteger(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// NaN is 0, but the highest bit from f64 or to 64 bits.
uint64_t toInteger(double value, const PtxType &from, const PtxType &type, Rounding rounding) {
  if (std::isnan(value))
    return from.bits == 64 || type.bits == 64 ? uint64_t(1) << (type.bits - 1) : 0;
  double rounded = roundToInteger(value, rounding);
  double top = std::ldexp(1.0, type.isSigned() ? type.bits - 1 : type.bits);
  double low = type.isSigned() ? -top : 0;
  if (rounded >= top)
    return maskTo(~uint64_t(0), type.isSigned() ? type.bits - 1 : type.bits);
  if (rounded <= low)
    return type.isSigned() ? ~uint64_t(0) << (type.bits - 1) : 0;
  return type.isSigned() ? static_cast<uint64_t>(static_cast<int64_t>(rounded))
                         : static_cast<uint64_t>(rounded);
}

uint64_t convertElement(const Instruction &in, const PtxType &to, const PtxType &from,
                        const AsmOperand &operand, Slots slots, unsigned i) {
  Rounding rounding = roundingOf(in);
  bool finite = in.has("satfinite") || (to.bits < 16 && to.isFloat());
  if (from.isFloat()) {
    double value = readFloat(operand, from, slots, i);
    if (in.has("relu"))
      value = std::isnan(value) ? value : std::fmax(value, 0);
    if (!to.isFloat())
      return toInteger(value, from, to, rounding);
    if (in.has("sat"))
      value = std::isnan(value) ? 0 : std::fmin(std::fmax(value, 0), 1);
    bool toIntegral = in.has("rni") || in.has("rzi") || in.has("rmi") || in.has("rpi");
    if (toIntegral)
      return encode(to, roundToInteger(value, rounding));
    return encode(to, value, rounding, finite);
  }
  int64_t integer = readInt(operand, from, slots);
  if (to.isFloat()) {
    bool isWide = !from.isSigned() && from.bits == 64;
    // 64-bit integers do not fit in a double: what is cut off stays as a sticky bit.
    auto wide = isWide ? static_cast<long double>(static_cast<uint64_t>(integer))
                       : static_cast<long double>(integer);
    if (to.bits == 64)
      return encode(to, static_cast<double>(wide));
    auto rough = static_cast<double>(wide);
    if (static_cast<long double>(rough) != wide) {
      double towards = static_cast<long double>(rough) < wide ? HUGE_VAL : -HUGE_VAL;
      double other = std::nextafter(rough, towards);
      // The neighbour with an odd last bit rounds the way that the exact value does.
      uint64_t bits;
      static_assert(sizeof bits == sizeof rough, "");
      __builtin_memcpy(&bits, &rough, sizeof bits);
      if (!(bits & 1))
        rough = other;
    }
    return encode(to, rough, rounding);
  }
  if (in.has("sat")) {
    __int128 value = from.isSigned() || from.bits < 64 ? static_cast<__int128>(integer)
                                                       : static_cast<uint64_t>(integer);
    __int128 top = (__int128(1) << (to.isSigned() ? to.bits - 1 : to.bits)) - 1;
    __int128 low = to.isSigned() ? -top - 1 : 0;
    value = value > top ? top : value < low ? low : value;
    return static_cast<uint64_t>(value);
  }
  return to.isSigned() ? static_cast<uint64_t>(signExtend(integer, to.bits))
                       : maskTo(static_cast<uint64_t>(integer), to.bits);
}

void convert(const Instruction &in, Slots slots) {
  const PtxType &to = in.types[0], &from = in.types[1];
  uint64_t result = 0;
  if (to.count == 1) {
    result = convertElement(in, to, from, in.operands[1], slots, 0);
  } else if (from.count == to.count) {
    for (unsigned i = 0; i < to.count; ++i)
      result |= convertElement(in, to, from, in.operands[1], slots, i) << (i * to.bits);
  } else {
    // The first operand is the upper element.
    result = convertElement(in, to, from, in.operands[1], slots, 0) << to.bits |
             convertElement(in, to, from, in.operands[2], slots, 0);
  }
  writeBits(in.operands[0], result, slots);
}

constexpr EvaluationRow kRows[] = {
    {"cvt", 2, 3, "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", convert},
};

} // namespace

Evaluation findConversion(const Instruction &instruction) {
  Evaluation run = findRow(kRows, instruction);
  if (!run || instruction.types.size() != 2)
    return nullptr;
  const PtxType &to = instruction.types[0], &from = instruction.types[1];
  if (to.kind == PtxType::Kind::Predicate || from.kind == PtxType::Kind::Predicate)
    return nullptr;
  size_t sources = instruction.operands.size() - 1;
  bool isPair = to.count == 2 && from.count == 1 && sources == 2;
  bool isSame = to.count == from.count && to.count <= 2 && sources == 1;
  return isPair || isSame ? run : nullptr;
}

} // namespace tilec::ptx
