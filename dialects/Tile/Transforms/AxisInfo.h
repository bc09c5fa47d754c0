// What is known about the integers and pointers of a tensor along each dimension.
#ifndef TILEC_DIALECTS_TILE_TRANSFORMS_AXISINFO_H
#define TILEC_DIALECTS_TILE_TRANSFORMS_AXISINFO_H

#include "dialects/Tile/Transforms/IndexRanges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tilec::tile {

/// Properties along each dimension; all are powers of two of at least 1. A scalar has one
/// dimension.
///
/// Take aligned runs of `contiguity[d]` elements along d: in each, values count up by one (pointers
/// by one element). `divisibility[d]` divides the first value of every such run (an address: in
/// bytes); where contiguity is 1, it divides every value. Aligned runs of `constancy[d]` elements
/// are equal.
struct AxisInfo {
  llvm::SmallVector<int64_t, 4> contiguity, divisibility, constancy;
  /// The value of every element, when it is one known integer, sign-extended from its width.
  std::optional<int64_t> constant;

  static AxisInfo unknown(unsigned rank);
  unsigned rank() const { return contiguity.size(); }
  bool operator==(const AxisInfo &other) const;
  /// What holds for a value that is one or the other.
  static AxisInfo meet(const AxisInfo &a, const AxisInfo &b);
  /// What divides the first value of every aligned run of `run` elements along `dim`; `unit` is the
  /// step inside a contiguous run (1, or the size of a pointer's element in bytes).
  int64_t divisibilityAt(unsigned dim, int64_t run, int64_t unit = 1) const;
};

/// Runs once over a function; valid while the function does not change.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::func::FuncOp function);
  /// Unknown for values that are neither integers nor pointers.
  AxisInfo get(mlir::Value value) const;

  /// Elements of one memory access of `pointer` along `dim` that lie next to each other and may be
  /// moved as one aligned vector of at most 16 bytes: 1 if nothing is known.
  unsigned vectorElements(mlir::Value pointer, unsigned dim) const;
  /// Aligned runs along `dim` on which a mask is equal; the whole extent when there is no mask.
  int64_t maskConstancy(mlir::Value mask, unsigned dim) const;

private:
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation &op);
  bool update(mlir::Value value, const AxisInfo &info);

  /// No element is negative.
  bool isNonNegative(mlir::Value value);

  mlir::func::FuncOp function;
  /// Made for the first signed division; most functions have none.
  std::optional<IndexRanges> ranges;
  llvm::DenseMap<mlir::Value, AxisInfo> infos;
};

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_TRANSFORMS_AXISINFO_H
