// Parts of exponentials and logarithms that other formulas are made of.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPLOG_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPLOG_H

#include "dialects/TileGPU/Transforms/ExpandMath/Num.h"

namespace tilec::tilegpu {

/// e^f - 1 for |f| <= ln(2) / 2.
Num smallExpM1(Num f);

/// (1 + m) 2^n for n as roundToInteger gives it, correct down to the denormals: 2^n goes in by
/// halves, since one alone may overflow or vanish.
Num scaleByPower(Num m, Int n);

/// The reduction of a logarithm: the argument is 2^k (1 + f), f in [-1/3, 1/3] for f32 and
/// [sqrt(1/2) - 1, sqrt(2) - 1] for f64.
struct Reduced {
  Num k;
  Num f;
};

/// Of x + low, where low is what a rounding of x lost, if anything was lost. Zeros, negative
/// numbers, infinities and NaN give garbage.
Reduced reduceLogarithm(Num x, const Num *low = nullptr);

/// ln(x + low), where low is what a rounding of x lost.
Num logarithmOfSum(Num x, Num low);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPLOG_H
