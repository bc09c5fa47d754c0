// Hyperbolic functions and their inverses; tanh is in ErfTanh.cpp.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

#include <limits>

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// From where on the exponential alone may overflow.
double expLimit(Num x) { return x.isDouble() ? 700 : 88; }

/// e^x / 2 for large x: the root of the exponential is multiplied in twice.
Num halfOfLargeExp(Num x) {
  Num root = expandExp(x * 0.5, false);
  return root * 0.5 * root;
}

/// From where on x^2 + 1 is x^2.
double squareLimit(Num x) { return x.isDouble() ? 0x1p28 : 0x1p13; }

Num logOfTwice(Num x) {
  return expandLog(x, false) + (x.isDouble() ? kLn2F64[0] : double(kLn2F32[0]));
}

} // namespace

Num expandSinh(Num x, bool) {
  Num magnitude = x.abs();
  Num e = expandExpM1(magnitude, false);
  Num near = (e + divide(e, e + 1.0)) * 0.5;
  return select(magnitude > expLimit(x), halfOfLargeExp(magnitude), near).copySign(x);
}

Num expandCosh(Num x, bool) {
  Num magnitude = x.abs();
  Num e = expandExp(magnitude, false);
  Num near = fma(e, 0.5, divide(x.lit(0.5), e));
  return select(magnitude > expLimit(x), halfOfLargeExp(magnitude), near);
}

Num expandAsinh(Num x, bool) {
  Num m = x.abs();
  Num root = fma(m, m, m.lit(1.0)).sqrt();
  Num near = expandLog1p(m + divide(m * m, root + 1.0), false);
  return select(m > squareLimit(x), logOfTwice(m), near).copySign(x);
}

Num expandAcosh(Num x, bool) {
  Num t = x - 1.0;
  Num near = expandLog1p(t + fma(t, t, t * 2.0).sqrt(), false);
  Num result = select(x > squareLimit(x), logOfTwice(x), near);
  return select(x < 1.0, std::numeric_limits<double>::quiet_NaN(), result);
}

Num expandAtanh(Num x, bool) {
  Num m = x.abs();
  return (expandLog1p(divide(m * 2.0, -m + 1.0), false) * 0.5).copySign(x);
}

} // namespace tilec::tilegpu
