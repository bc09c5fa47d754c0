// Shared memory that operations need while they run.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_SCRATCH_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_SCRATCH_H

#include "dialects/TileGPU/IR/TileGPU.h"

namespace tilec::tilegpu {

/// The scratch of an operation.
struct Scratch {
  /// Size in bytes, a multiple of 16; 0 when none is needed.
  int64_t bytes = 0;
  /// The operation holds a barrier of all warps between its writes and its reads.
  bool hasBarrier = false;
};

/// Scratch of a reduction, a layout conversion, a product or an atomic; empty for every other
/// operation.
Scratch scratchOf(mlir::Operation *op);

/// Bytes that the partial results of operand `index` of a reduction take, rounded up to 16.
int64_t reduceScratchBytes(tile::ReduceOp reduce, unsigned index);

/// Bytes that an operand of a product without tensor cores takes, rounded up to 16.
int64_t dotScratchBytes(tile::DotOp dot, bool isLhs);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_SCRATCH_H
