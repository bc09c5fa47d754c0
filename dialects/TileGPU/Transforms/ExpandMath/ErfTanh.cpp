// The error function, the hyperbolic tangent, and the reciprocal square root.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// The smaller of x and `limit`; NaN stays.
Num atMost(Num x, double limit) { return select(x > limit, limit, x); }

} // namespace

Num expandErf(Num x, bool) {
  Num magnitude = x.abs();
  Num square = magnitude * magnitude;
  Num near = fma(magnitude, polynomial(square, kErfSmallF32, kErfSmallF64), magnitude);
  if (x.isDouble()) {
    // 1 - e^(-x^2) P(t), t = (x - 4) / (x + 4).
    Num limited = atMost(magnitude, 6);
    Num t = (limited - 4.0) / (limited + 4.0);
    Num tail =
        expandExp(-(limited * limited), false) * polynomial(t, ArrayRef<double>(kErfLargeF64));
    return select(magnitude < 1.0, near, -tail + 1.0).copySign(x);
  }
  // 1 - 2^P(x), and exactly 1 from 3.92 on.
  Num limited = atMost(magnitude, 3.95);
  Num power = polynomial(limited, ArrayRef<float>(kErfLargeF32)) - limited;
  Num far = -power.approx(ApproxFn::ex2) + 1.0;
  return select(magnitude < 0.921875, near, far).copySign(x);
}

Num expandTanh(Num x, bool fast) {
  if (fast && !x.isDouble())
    return x.approx(ApproxFn::tanh);
  Num magnitude = x.abs();
  Num square = magnitude * magnitude;
  Num near = fma(magnitude * square, polynomial(square, kTanhF32, kTanhF64), magnitude);
  // 1 - 2 / (e^2x + 1), which is 1 where e^2x is infinite.
  Num far = x;
  if (x.isDouble()) {
    Num power = expandExp(magnitude * 2.0, false);
    far = -(x.lit(2.0) / (power + 1.0)) + 1.0;
  } else {
    Num power = (magnitude * (2.0 * kLog2EF32[0])).approx(ApproxFn::ex2);
    far = fma((power + 1.0).approx(ApproxFn::rcp), -2.0, 1.0);
  }
  return select(magnitude < 0.6, near, far).copySign(x);
}

Num expandRsqrt(Num x, bool) {
  if (x.isDouble())
    return x.lit(1.0) / x.sqrt();
  return x.approx(ApproxFn::rsqrt);
}

} // namespace tilec::tilegpu
