// The gamma function and its logarithm, by Stirling's series; f32 is computed in f64.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"

#include <cmath>

using namespace mlir;

namespace tilec::tilegpu {

namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;
constexpr double kSqrtTwoPi = 2.50662827463100050242;

/// An argument moved up to at least 10: gamma(x) = gamma(z) / factor.
struct Raised {
  Num z, factor;
};

Raised raise(Num x) {
  Num z = x, factor = x.lit(1.0);
  for (int i = 0; i < 10; ++i) {
    Bool isSmall = z < 10.0;
    factor = select(isSmall, factor * z, factor);
    z = select(isSmall, z + 1.0, z);
  }
  return {z, factor};
}

/// ln(gamma(z)) - (z - 1/2) ln(z) + z - ln(2 pi) / 2: B(2k) / (2k (2k - 1) z^(2k - 1)).
Num stirling(Num z) {
  static const double terms[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                 1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  Num inverse = z.lit(1.0) / z;
  return polynomial(inverse * inverse, ArrayRef<double>(terms)) * inverse;
}

Num logGamma(Num x) {
  Raised r = raise(x);
  Num log = expandLog(r.z, false);
  Num sum = fma(r.z - 0.5, log, stirling(r.z) + (-r.z + kHalfLogTwoPi));
  return sum - expandLog(r.factor, false);
}

Num gammaOfPositive(Num x) {
  Raised r = raise(select(x > 180.0, 180, x));
  // z^(z - 1/2) alone may overflow: its root is multiplied in twice.
  Num half = fma(r.z, 0.5, -0.25);
  Num root = expandPow({r.z, half});
  Num scaled = root * expandExp(-r.z, false) * root;
  Num correction = expandExp(stirling(r.z), false) * kSqrtTwoPi;
  return scaled * correction / r.factor;
}

Num lgammaOf(Num x) {
  Num magnitude = x.abs();
  // gamma(-x) = -pi / (x sin(pi x) gamma(x)).
  Num positive = logGamma(magnitude);
  Num sine = expandSinpi(magnitude, false).abs();
  Num logs = expandLog(sine * (1 / M_PI), false) + expandLog(magnitude, false);
  Num reflected = -logs - positive;
  Num result = select(x < 0, reflected, positive);
  result = select((x == 1.0) | (x == 2.0), 0, result);
  Bool isPole = (x < 0.5) & (x.trunc() == x);
  return select(isPole | (magnitude == kInf), kInf, result);
}

Num tgammaOf(Num x) {
  Num magnitude = x.abs();
  Num positive = gammaOfPositive(magnitude);
  Num reflected = x.lit(-M_PI) / (expandSinpi(magnitude, false) * (magnitude * positive));
  Num result = select(x < 0, reflected, positive);
  result = select(magnitude < 0x1p-54, x.lit(1.0) / x, result);
  result = select((x < 0) & (x.trunc() == x), kNaN, result);
  return select(x == kInf, kInf, result);
}

} // namespace

Num expandLgamma(Num x, bool) {
  return x.isDouble() ? lgammaOf(x) : lgammaOf(x.toDouble()).toSingle();
}

Num expandTgamma(Num x, bool) {
  return x.isDouble() ? tgammaOf(x) : tgammaOf(x.toDouble()).toSingle();
}

} // namespace tilec::tilegpu
