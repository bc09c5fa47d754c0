// The patterns of convert-tilegpu-to-nvptx that lie in files of their own, one per family.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTONVPTX_PATTERNS_H
#define TILEC_LIB_CONVERSION_TILEGPUTONVPTX_PATTERNS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tilec::ptx {

/// Inline PTX that is not moved across other accesses of memory. One result at most.
mlir::Value createAsm(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type result,
                      mlir::ValueRange operands, llvm::StringRef text, llvm::StringRef constraints);

/// `architecture` is the number of the target, 90 for sm_90a.
void populateAtomicPatterns(mlir::RewritePatternSet &patterns, unsigned architecture);
void populateEffectPatterns(mlir::RewritePatternSet &patterns, unsigned architecture);
/// Printing and assertions, which need blocks of their own.
llvm::LogicalResult lowerBranchingEffects(mlir::ModuleOp module);

void populateMatrixPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilec::ptx

#endif // TILEC_LIB_CONVERSION_TILEGPUTONVPTX_PATTERNS_H
