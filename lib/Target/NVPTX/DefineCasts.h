// The LLVM pass that makes casts of floats to integers mean something out of range.
#ifndef TILEC_LIB_TARGET_NVPTX_DEFINECASTS_H
#define TILEC_LIB_TARGET_NVPTX_DEFINECASTS_H

#include "llvm/IR/PassManager.h"

namespace tilec {

/// fptosi and fptoui of scalars that LLVM would change where the result is out of range, which
/// means nothing to it, become the instruction that R13 of docs/language.md describes: to 8 bits,
/// whose extension LLVM leaves out, and from f64, which LLVM narrows to f32 if it was f32 before.
struct DefineCastsPass : llvm::PassInfoMixin<DefineCastsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_DEFINECASTS_H
