// One layout for every tensor of a kernel, spread from the memory accesses.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_LAYOUTASSIGNMENT_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_LAYOUTASSIGNMENT_H

#include "dialects/TileGPU/IR/TileGPU.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <deque>

namespace tilec::tilegpu {

/// The layout that operand `index` of `op` must have for the layouts that results (or, for accesses
/// and reductions, operands) of it have; null if any will do. `layoutOf` tells the layouts of
/// values.
LayoutAttr requiredOperandLayout(mlir::OpOperand &operand,
                                 llvm::function_ref<LayoutAttr(mlir::Value)> layoutOf);

/// The layout of a result that follows from the operands' layouts, null if it does not follow.
LayoutAttr inferredResultLayout(mlir::OpResult result,
                                llvm::function_ref<LayoutAttr(mlir::Value)> layoutOf);

/// Looks through every convert_layout: it assigns layouts to what they convert. Accesses keep the
/// layout of their pointer; everything else takes theirs, first from loads forward, then from what
/// uses it, and last a default. Values that a loop or branch ties together get one layout.
class LayoutAssignment {
public:
  LayoutAssignment(mlir::func::FuncOp function, unsigned numWarps);
  /// The layout chosen for a tensor.
  LayoutAttr get(mlir::Value value) const;
  /// The layout that an access or a product on tensor cores needs its operand in, said by the
  /// operand's type; null for others.
  static LayoutAttr fixedOperandLayout(mlir::OpOperand &operand);
  /// The layout of the access whose operands or result these are.
  static LayoutAttr accessLayout(mlir::Operation *access);

private:
  void tie(mlir::Value a, mlir::Value b) { classes.unionSets(key(a), key(b)); }
  void collect(mlir::Operation *op);
  bool assign(mlir::Value value, LayoutAttr layout);
  void spread();
  static void *key(mlir::Value value) { return value.getAsOpaquePointer(); }

  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseMap<void *, LayoutAttr> layouts; // by leader
  llvm::DenseMap<void *, llvm::SmallVector<mlir::Value, 2>> members;
  std::deque<void *> worklist;
  llvm::SmallVector<mlir::Value> values;
};

/// The tensor behind conversions.
mlir::Value throughConversions(mlir::Value value);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_LAYOUTASSIGNMENT_H
