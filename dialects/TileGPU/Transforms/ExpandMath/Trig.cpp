// Sine, cosine and tangent.
#include "dialects/TileGPU/Transforms/ExpandMath/Trig.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// The bits of 2^17: up to there three parts of pi / 2 do for f32.
constexpr uint32_t kFastLimitBits = 0x48000000;

/// Cody and Waite's reduction with fused multiply-adds: the products are exact, the first
/// difference too, so only the last two roundings count.
Quadrant reduceFast(Num magnitude) {
  bool isDouble = magnitude.isDouble();
  Rounded n = roundToInteger(magnitude * (isDouble ? kTwoOverPiF64[0] : kTwoOverPiF32[0]));
  Num r = magnitude;
  for (int i = 0; i < 3; ++i)
    r = fma(n.number, isDouble ? -kHalfPiF64[i] : -kHalfPiF32[i], r);
  return {r, n.integer};
}

/// Payne and Hanek's reduction of a finite f32 of at least 2^17, without branches. The argument
/// is m 2^s / 4 quarters of a turn's quarter, m of 24 bits: multiplied with the bits of 2 / (4 pi)
/// from the s-th on, all that counts whole turns falls off the top of the 64-bit product.
Quadrant reduceLarge(Num magnitude) {
  Int bits = magnitude.bits();
  Int shift = (bits >> 23) - 144;
  Int word = shift >> 5;
  Int mantissa = ((bits & 0x7fffff) | 0x800000).zext(64) << (shift & 31).zext(64);
  Int high = mantissa >> 32, low = mantissa & 0xffffffff;

  Bool atLeast[] = {word.compare(arith::CmpIPredicate::uge, 1),
                    word.compare(arith::CmpIPredicate::uge, 2),
                    word.compare(arith::CmpIPredicate::uge, 3)};
  auto piWord = [&](unsigned i) {
    Int chosen = bits.lit(kTwoOverPiBits[i]);
    for (unsigned k = 0; k < 3; ++k)
      chosen = select(atLeast[k], bits.lit(kTwoOverPiBits[i + k + 1]), chosen);
    return chosen.zext(64);
  };
  Int w0 = piWord(0), w1 = piWord(1), w2 = piWord(2), w3 = piWord(3);

  // In units of 2^-64 turns; what would be whole turns overflows away.
  Int turns = ((low * w0 + high * w1) << 32) + (low * w1 + high * w2) + ((low * w2) >> 32) +
              ((high * w3) >> 32);
  Int fraction = turns << 2;
  Int quadrant = (turns + 0x2000000000000000) >> 62;
  Num scaled = magnitude.fromInt(fraction) * 0x1p-64;
  return {fma(scaled, kHalfPiF32[0], scaled * kHalfPiF32[1]), quadrant.trunc(32)};
}

Quadrant reduce(Num magnitude, bool fast) {
  Quadrant near = reduceFast(magnitude);
  if (fast || magnitude.isDouble())
    return near;
  Quadrant far = reduceLarge(magnitude);
  // Infinities and NaN stay with the first, which makes them NaN.
  Bool large = (magnitude.bits() - kFastLimitBits)
                   .compare(arith::CmpIPredicate::ult, 0x7f800000 - kFastLimitBits);
  return {select(large, far.r, near.r), select(large, far.quadrant, near.quadrant)};
}

Num smallSin(Num r) {
  Num square = r * r;
  return fma(r * square, polynomial(square, kSinF32, kSinF64), r);
}

Num smallCos(Num r) {
  Num square = r * r;
  Num tail = fma(square, polynomial(square, kCosF32, kCosF64), square.lit(-0.5));
  return fma(square, tail, square.lit(1.0));
}

/// sin(r + quadrant * pi / 2).
Num sineOf(Quadrant q, Num sin, Num cos) {
  unsigned signBit = q.r.width() - 1;
  Num magnitude = select((q.quadrant & 1).compare(arith::CmpIPredicate::ne, 0), cos, sin);
  return q.r.fromBits(magnitude.bits() ^ ((q.quadrant & 2) << (signBit - 1)));
}

/// x with the sign bit of `from` flipped in.
Num flipSign(Num x, Num from) {
  uint64_t signBit = uint64_t(1) << (x.width() - 1);
  return x.fromBits(x.bits() ^ (from.bits() & signBit));
}

} // namespace

Num sineOf(Quadrant q) { return sineOf(q, smallSin(q.r), smallCos(q.r)); }

Num expandSin(Num x, bool fast) {
  Quadrant q = reduce(x.abs(), fast);
  return flipSign(sineOf(q, smallSin(q.r), smallCos(q.r)), x);
}

Num expandCos(Num x, bool fast) {
  Quadrant q = reduce(x.abs(), fast);
  Num sin = smallSin(q.r), cos = smallCos(q.r);
  return sineOf({q.r, q.quadrant + 1}, sin, cos);
}

Num expandTan(Num x, bool fast) {
  Quadrant q = reduce(x.abs(), fast);
  Num sin = smallSin(q.r), cos = smallCos(q.r);
  Num quotient = divide(sineOf(q, sin, cos), sineOf({q.r, q.quadrant + 1}, sin, cos));
  return flipSign(quotient, x);
}

/// |x| in half turns: quarters of a turn, and what is left of them times pi.
static Quadrant reduceHalfTurns(Num magnitude) {
  // Less whole turns, exactly; half of a denormal number would not be.
  Num turns = magnitude * 0.5;
  Num limited = select(magnitude < 0.25, magnitude, (turns - turns.floor()) * 2.0);
  Rounded n = roundToInteger(limited * 2.0);
  Num fraction = fma(n.number, -0.5, limited);
  bool isDouble = magnitude.isDouble();
  double high = 2 * (isDouble ? kHalfPiF64[0] : kHalfPiF32[0]);
  double low = 2 * (isDouble ? kHalfPiF64[1] : kHalfPiF32[1]);
  return {fma(fraction, high, fraction * low), n.integer};
}

Num expandSinpi(Num x, bool) {
  Quadrant q = reduceHalfTurns(x.abs());
  Num sine = flipSign(sineOf(q, smallSin(q.r), smallCos(q.r)), x);
  // Zeros have the sign of the argument.
  return select(sine == 0, sine.lit(0).copySign(x), sine);
}

Num expandCospi(Num x, bool) {
  Quadrant q = reduceHalfTurns(x.abs());
  Num sin = smallSin(q.r), cos = smallCos(q.r);
  Num cosine = sineOf({q.r, q.quadrant + 1}, sin, cos);
  return select(cosine == 0, 0, cosine);
}

} // namespace tilec::tilegpu
