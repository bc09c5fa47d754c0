// The complementary error function, the normal distribution, and their inverses; erf is in
// ErfTanh.cpp.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

constexpr double kTwoOverSqrtPi = 1.1283791670955125739;

/// e^(x^2) erfc(x) for x >= 0, by polynomials in (x - c) / (x + c) (M. Shepherd and J. Laframboise,
/// Mathematics of Computation 36, 1981).
Num scaledTail(Num x) {
  Num divisor = fma(x, 2.0, 1.0);
  if (!x.isDouble()) {
    Num t = divide(x - 3.0, x + 3.0);
    return divide(polynomial(t, ArrayRef<float>(kErfcxF32)), divisor);
  }
  // Far out, in 1 / x^2.
  Num t = (x - 1.5) / (x + 1.5), u = (x - 4.0) / (x + 4.0), w = x.lit(1.0) / (x * x);
  Num near = polynomial(t, ArrayRef<double>(kErfcxNearF64));
  Num middle = polynomial(u, ArrayRef<double>(kErfcxMiddleF64));
  Num far = polynomial(w, ArrayRef<double>(kErfcxFarF64));
  Bool isFar = x > 7.0;
  return select(isFar, far, select(x < 2.25, near, middle)) / select(isFar, x, divisor);
}

/// e^(-x^2): what rounding the square lost counts.
Num expOfMinusSquare(Num x) {
  Num square = x * x;
  Num power = expandExp(-square, false);
  return fma(power, -fma(x, x, -square), power);
}

/// erfc(x + low) for x >= 0, low small.
Num tailOf(Num x, Num low) {
  Num limited = select(x > (x.isDouble() ? 28 : 11), x.isDouble() ? 28 : 11, x);
  Num tail = fma(low, low.lit(-kTwoOverSqrtPi), scaledTail(limited));
  return expOfMinusSquare(limited) * tail;
}

/// erfc(x + low).
Num complement(Num x, Num low) {
  Num magnitude = x.abs();
  Num tail =
      tailOf(magnitude, low.fromBits(low.bits() ^ (x.bits() & (uint64_t(1) << (x.width() - 1)))));
  Num near = -expandErf(x, false) + 1.0;
  return select(magnitude < 0.5, near, select(x < 0, -tail + 2.0, tail));
}

/// y with erf(y) = x, where `rest` is 1 - x, both exact enough: S. Winitzki's approximation (2008),
/// then steps of Halley's on erf or, close to 1, on erfc.
Num inverseErf(Num x, Num rest) {
  double a = 0.147;
  Num w = expandLog(rest * (-rest + 2.0), false);
  Num b = fma(w, 0.5, 2 / (M_PI * a));
  Num y = (fma(b, b, w * (-1 / a)).sqrt() - b).sqrt();
  for (int i = 0; i < (x.isDouble() ? 3 : 2); ++i) {
    Num error = select(x < 0.5, expandErf(y, false) - x, rest - complement(y, y.lit(0)));
    Num slope = expOfMinusSquare(y) * kTwoOverSqrtPi;
    Num step = divide(error, slope);
    y = y - divide(step, fma(y, step, y.lit(1.0)));
  }
  // Close to zero the logarithm has lost everything.
  Num line = x * (1 / kTwoOverSqrtPi);
  y = select(x < (x.isDouble() ? 0x1p-28 : 0x1p-13), line, y);
  return select(rest == 0, kInf, y);
}

} // namespace

Num expandErfc(Num x, bool) { return complement(x, x.lit(0)); }

Num expandErfcx(Num x, bool) {
  Num magnitude = x.abs();
  Num tail = scaledTail(magnitude);
  if (!x.isDouble()) {
    // 1 / (x sqrt(pi)) (1 - 1/(2 x^2) + 1 3/(2 x^2)^2 - ...).
    Num inverse = divide(x.lit(1.0), magnitude);
    Num t = inverse * inverse * -0.5;
    Num sum = x.lit(1.0);
    for (int k = 4; k >= 1; --k)
      sum = fma(sum, t * (2.0 * k - 1), x.lit(1.0));
    tail = select(magnitude > 10.2, sum * inverse * (kTwoOverSqrtPi / 2), tail);
  }
  // Of negative numbers 2 e^(x^2) less that.
  Num square = magnitude * magnitude;
  Num power = expandExp(square, false);
  power = fma(power, fma(magnitude, magnitude, -square), power);
  power = select(square > (x.isDouble() ? 709.5 : 88.5), kInf, power);
  return select(x < 0, power * 2.0 - tail, tail);
}

Num expandNormcdf(Num x, bool) {
  bool isDouble = x.isDouble();
  double c = isDouble ? kSqrtHalfF64[0] : kSqrtHalfF32[0];
  double rest = isDouble ? kSqrtHalfF64[1] : kSqrtHalfF32[1];
  // -x / sqrt(2) and what its rounding lost; far out the product may overflow.
  x = limit(x, -40, 40);
  Num high = x * -c;
  Num low = fma(x, -rest, fma(x, -c, -high));
  return complement(high, low) * 0.5;
}

Num expandErfinv(Num x, bool) {
  Num magnitude = x.abs();
  Num y = inverseErf(magnitude, -magnitude + 1.0).copySign(x);
  return select(magnitude > 1.0, kNaN, y);
}

Num expandErfcinv(Num x, bool) {
  // erfc(-y) = 2 - erfc(y).
  Bool isUpper = x > 1.0;
  Num z = select(isUpper, -x + 2.0, x);
  Num y = inverseErf(-z + 1.0, z);
  y = select(isUpper, -y, y);
  return select((x < 0) | (x > 2.0), kNaN, y);
}

Num expandNormcdfinv(Num x, bool) {
  double root = 1.41421356237309504880;
  Num y = expandErfcinv(x * 2.0, false) * -root;
  return y;
}

} // namespace tilec::tilegpu
