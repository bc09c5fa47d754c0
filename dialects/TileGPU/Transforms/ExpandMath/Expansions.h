// The formulas of tilegpu-expand-math, each on f32 or f64; docs/math.md has their errors.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H

#include "dialects/TileGPU/Transforms/ExpandMath/Num.h"

#include "mlir/IR/PatternMatch.h"

namespace tilec::tilegpu {

/// `fast` is the operation's `afn` flag: the hardware's approximation will do.
using Expansion = Num (*)(Num x, bool fast);

Num expandExp(Num x, bool fast);
Num expandExp2(Num x, bool fast);
Num expandExpM1(Num x, bool fast);
Num expandLog(Num x, bool fast);
Num expandLog2(Num x, bool fast);
Num expandLog10(Num x, bool fast);
Num expandLog1p(Num x, bool fast);

Num expandSin(Num x, bool fast);
Num expandCos(Num x, bool fast);
Num expandTan(Num x, bool fast);

Num expandErf(Num x, bool fast);
Num expandTanh(Num x, bool fast);
Num expandRsqrt(Num x, bool fast);

/// Casts from and to 8-bit floats, and those that round towards zero, as integer arithmetic.
void populateFloatCastPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
