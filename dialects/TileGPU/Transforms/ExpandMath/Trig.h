// The part of sine and cosine that other formulas use.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_TRIG_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_TRIG_H

#include "dialects/TileGPU/Transforms/ExpandMath/Num.h"

namespace tilec::tilegpu {

/// quadrant * pi / 2 + r with |r| a little over pi / 4 at most; the low two bits of `quadrant`
/// count.
struct Quadrant {
  Num r;
  Int quadrant;
};

/// sin(quadrant * pi / 2 + r).
Num sineOf(Quadrant q);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_TRIG_H
