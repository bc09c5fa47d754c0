// The LLVM pass that takes vectors apart.
#ifndef TILEC_LIB_TARGET_NVPTX_SCALARIZE_H
#define TILEC_LIB_TARGET_NVPTX_SCALARIZE_H

#include "llvm/IR/PassManager.h"

namespace tilec {

/// Replaces vectors by their elements, in one walk over the function. Shuffles, insertions and
/// extractions become nothing at all, computations one instruction an element. What a 32-bit
/// register holds stays whole where the hardware takes it whole: pairs of 16-bit floats in sums,
/// products and the like, pairs of 16-bit and quadruples of 8-bit values in logic, selects by a
/// scalar and PHIs. Loads and stores keep their width, those of smaller elements in words of 32
/// bits.
///
/// LLVM's Scalarizer, told to leave pairs of 16-bit numbers whole, joins them to long vectors
/// again wherever pairs and elements meet, leaves up to 32 booleans whole, which the backend packs
/// into words, and pairs sums of i16: where a half of `add.s16x2 d, a, -1` is used by itself, ptxas
/// (of CUDA 12.8, and that of the driver 580) may add 0.
struct ScalarizePass : llvm::PassInfoMixin<ScalarizePass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_SCALARIZE_H
