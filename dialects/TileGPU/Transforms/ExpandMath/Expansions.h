// The formulas of tilegpu-expand-math, each on f32 or f64; docs/math.md has their errors.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H

#include "dialects/TileGPU/Transforms/ExpandMath/Num.h"

#include "mlir/IR/PatternMatch.h"

namespace tilec::tilegpu {

/// `fast` is the operation's `afn` flag: the hardware's approximation will do.
using Expansion = Num (*)(Num x, bool fast);

/// The same for functions of several numbers, of one type.
using ExpansionOfMany = Num (*)(llvm::ArrayRef<Num> operands);

Num expandExp(Num x, bool fast);
Num expandExp2(Num x, bool fast);
Num expandExp10(Num x, bool fast);
Num expandExpM1(Num x, bool fast);
Num expandLog(Num x, bool fast);
Num expandLog2(Num x, bool fast);
Num expandLog10(Num x, bool fast);
Num expandLog1p(Num x, bool fast);

Num expandSin(Num x, bool fast);
Num expandCos(Num x, bool fast);
Num expandTan(Num x, bool fast);

Num expandSinpi(Num x, bool fast);
Num expandCospi(Num x, bool fast);

Num expandAsin(Num x, bool fast);
Num expandAcos(Num x, bool fast);
Num expandAtan(Num x, bool fast);
Num expandAtan2(llvm::ArrayRef<Num> operands);

Num expandSinh(Num x, bool fast);
Num expandCosh(Num x, bool fast);
Num expandAsinh(Num x, bool fast);
Num expandAcosh(Num x, bool fast);
Num expandAtanh(Num x, bool fast);

Num expandPow(llvm::ArrayRef<Num> operands);
/// `n` has 32 bits.
Num expandPowi(Num x, Int n);
Num expandCbrt(Num x, bool fast);
Num expandRcbrt(Num x, bool fast);
/// The length of a vector, and its reciprocal.
Num expandNorm(llvm::ArrayRef<Num> operands);
Num expandRnorm(llvm::ArrayRef<Num> operands);

Num expandErfc(Num x, bool fast);
Num expandErfcx(Num x, bool fast);
Num expandErfinv(Num x, bool fast);
Num expandErfcinv(Num x, bool fast);
Num expandNormcdf(Num x, bool fast);
Num expandNormcdfinv(Num x, bool fast);
Num expandLgamma(Num x, bool fast);
Num expandTgamma(Num x, bool fast);

Num expandJ0(Num x, bool fast);
Num expandJ1(Num x, bool fast);
Num expandY0(Num x, bool fast);
Num expandY1(Num x, bool fast);
Num expandI0(Num x, bool fast);
Num expandI1(Num x, bool fast);

Num expandErf(Num x, bool fast);
Num expandTanh(Num x, bool fast);
Num expandRsqrt(Num x, bool fast);

/// Functions that came with libdevice: `tile.math`, and operations of the math dialect beside those
/// of the pass itself.
void populateLibraryPatterns(mlir::RewritePatternSet &patterns);

/// Casts from and to 8-bit floats, and those that round towards zero, as integer arithmetic.
void populateFloatCastPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANSIONS_H
