// Inverse sine, cosine and tangent.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// `quarters` * pi / 2 - x, the constant in two parts.
Num quartersMinus(int quarters, Num x) {
  bool isDouble = x.isDouble();
  double high = isDouble ? kHalfPiF64[0] : kHalfPiF32[0];
  double low = isDouble ? kHalfPiF64[1] : kHalfPiF32[1];
  return -((x - quarters * low) - quarters * high);
}

/// The arc tangent of a number in [0, 1].
Num smallAtan(Num t) {
  Num square = t * t;
  return fma(t * square, polynomial(square, kAtanF32, kAtanF64), t);
}

/// The arc sine of `root`, whose square, at most 1/4, is given.
Num smallAsin(Num root, Num square) {
  return fma(root * square, polynomial(square, kAsinF32, kAsinF64), root);
}

/// asin(|x|) up to 1/2, else asin(sqrt((1 - |x|) / 2)), which is half the arc cosine. NaN beyond 1.
struct AsinParts {
  Bool isSmall;
  Num angle;

  explicit AsinParts(Num magnitude) : isSmall(!(magnitude > 0.5)), angle(magnitude) {
    Num square = select(isSmall, magnitude * magnitude, (-magnitude + 1.0) * 0.5);
    angle = smallAsin(select(isSmall, magnitude, square.sqrt()), square);
  }
};

} // namespace

Num expandAsin(Num x, bool) {
  AsinParts parts(x.abs());
  return select(parts.isSmall, parts.angle, quartersMinus(1, parts.angle * 2.0)).copySign(x);
}

Num expandAcos(Num x, bool) {
  AsinParts parts(x.abs());
  Num twice = parts.angle * 2.0;
  Num large = select(x < 0, quartersMinus(2, twice), twice);
  return select(parts.isSmall, quartersMinus(1, parts.angle.copySign(x)), large);
}

Num expandAtan(Num x, bool) {
  Num magnitude = x.abs();
  Bool isLarge = magnitude > 1.0;
  Num angle = smallAtan(select(isLarge, divide(x.lit(1.0), magnitude), magnitude));
  return select(isLarge, quartersMinus(1, angle), angle).copySign(x);
}

Num expandAtan2(ArrayRef<Num> operands) {
  Num y = operands[0], x = operands[1];
  Num ay = y.abs(), ax = x.abs();
  Bool isSteep = ay > ax;
  Num larger = select(isSteep, ay, ax), smaller = select(isSteep, ax, ay);
  // Two zeros or infinities have no quotient, and NaN beside one of them stays.
  Num ofEqual = select(larger == 0, 0, larger.lit(1));
  Num slope = select(larger == smaller, ofEqual, divide(smaller, larger));
  Num angle = smallAtan(slope);
  angle = select(isSteep, quartersMinus(1, angle), angle);
  Bool isLeft = x.bits().compare(arith::CmpIPredicate::slt, 0);
  return select(isLeft, quartersMinus(2, angle), angle).copySign(y);
}

} // namespace tilec::tilegpu
