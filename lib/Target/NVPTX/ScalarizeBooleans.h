// The LLVM pass that takes vectors of booleans apart.
#ifndef TILEC_LIB_TARGET_NVPTX_SCALARIZEBOOLEANS_H
#define TILEC_LIB_TARGET_NVPTX_SCALARIZEBOOLEANS_H

#include "llvm/IR/PassManager.h"

namespace tilec {

/// Computes element by element what makes vectors of i1 or chooses by them: comparisons, logic,
/// selects, extensions. LLVM's scalarizer, when it is told to leave pairs of 16-bit numbers whole,
/// leaves up to 32 booleans whole too, which the backend would pack into words and unpack again.
/// Sums of i16 are taken apart as well: where a half of `add.s16x2 d, a, -1` is used by itself,
/// ptxas (of CUDA 12.8, and that of the driver 580) may add 0.
struct ScalarizeBooleansPass : llvm::PassInfoMixin<ScalarizeBooleansPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_SCALARIZEBOOLEANS_H
