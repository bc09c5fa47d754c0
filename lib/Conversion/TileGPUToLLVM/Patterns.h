// The lowering's patterns, one populate function per family of operations.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTOLLVM_PATTERNS_H
#define TILEC_LIB_CONVERSION_TILEGPUTOLLVM_PATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilec::lowering {

/// Attribute on a tile.load or tile.store: elements per memory access (i32).
inline constexpr llvm::StringLiteral kVectorAttr = "tilegpu.vector";
/// Attribute on the same and on atomics: number of the kernel argument that the address comes from
/// (i32).
inline constexpr llvm::StringLiteral kArgumentAttr = "tilegpu.arg";

/// Attribute on a comparison: aligned runs of so many registers hold one result (i32).
inline constexpr llvm::StringLiteral kEqualRunAttr = "tilegpu.equal_run";

void populateAtomicPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateConvertLayoutPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateDotPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateEffectPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateElementwisePatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
/// Loops of scf whose counter could wrap, as `markWrappingLoops` finds before layouts are lowered.
void populateLoopPatterns(mlir::RewritePatternSet &);
void markWrappingLoops(mlir::func::FuncOp);
void populateMemoryPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateRearrangePatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateReducePatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateScanPatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);
void populateShapePatterns(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILEGPUTOLLVM_PATTERNS_H
