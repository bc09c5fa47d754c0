// What the lowerings of matrix products share.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTOLLVM_DOTLOWERING_H
#define TILEC_LIB_CONVERSION_TILEGPUTOLLVM_DOTLOWERING_H

#include "lib/Conversion/TileGPUToLLVM/Utility.h"

namespace tilec::lowering {

/// A product by multiply-add: operands through shared memory, a loop over K. The operands are a
/// thread's registers. Null after an error.
mlir::Value lowerFmaDot(tile::DotOp op, mlir::Value lhs, mlir::Value rhs, mlir::Value acc,
                        mlir::RewriterBase &rewriter);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILEGPUTOLLVM_DOTLOWERING_H
