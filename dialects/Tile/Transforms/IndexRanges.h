// Proven bounds of the integers of a function.
#ifndef TILEC_DIALECTS_TILE_TRANSFORMS_INDEXRANGES_H
#define TILEC_DIALECTS_TILE_TRANSFORMS_INDEXRANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace tilec::tile {

/// Bounds of every element of a value, from program ids, aranges, constants, loop bounds and
/// promises (tile.assume). A sum or product that can wrap has the bounds of its type. Walks once
/// over a function; valid while the function does not change.
class IndexRanges {
public:
  explicit IndexRanges(mlir::func::FuncOp function);
  /// Those of its type for what is not known, of width 0 for what is no integer.
  mlir::ConstantIntRanges get(mlir::Value value) const;
  /// No element is negative as a signed integer.
  bool isNonNegative(mlir::Value value) const;

private:
  void collectPromises(mlir::Value condition, mlir::Block &block);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visitArith(mlir::Operation &op);
  void set(mlir::Value value, const mlir::ConstantIntRanges &range);
  mlir::ConstantIntRanges unionOf(mlir::Value a, mlir::Value b) const;

  llvm::DenseMap<mlir::Value, mlir::ConstantIntRanges> ranges, promises;
};

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_TRANSFORMS_INDEXRANGES_H
