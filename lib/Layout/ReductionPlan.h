// How to reduce a tensor along one dimension, in registers, across lanes, across warps.
#ifndef TILEC_LIB_LAYOUT_REDUCTIONPLAN_H
#define TILEC_LIB_LAYOUT_REDUCTIONPLAN_H

#include "lib/Layout/LinearLayout.h"
#include "lib/Layout/SharedMap.h"

namespace tilec {

/// One butterfly step, for all registers at once:
///     new[r] = combine(old[r], shfl.bfly(old[r ^ registerXor], laneXor))
/// registerXor is 0 unless lanes and registers are swizzled against each other.
struct ButterflyStep {
  uint32_t laneXor = 0;
  uint32_t registerXor = 0;
};

/// A reduction, in this order, each step skipped when it's empty:
/// 1. In a thread, for each register i of `result`: acc[i] = combine of registers
///    registers[i * perResult + j] of the source, j < perResult.
/// 2. Across lanes: the butterflies, in order. Every lane of a group then holds the result.
/// 3. Across warps, if numPartials > 1. Threads of the warps with warpWrites(warp), and in them the
///    lanes that `write` names, store acc at the element offset of `write` plus
///    partialIndex(warp) * result.numElements(). After a barrier every thread loads, for each k
///    below numPartials, at the element offset of `read` plus k * result.numElements(), and
///    combines in order of k.
/// Each element of the source enters exactly once, however often it's repeated.
struct ReductionPlan {
  unsigned axis = 0;
  LinearLayout result; // src.slice(axis)

  unsigned perResult = 1;
  llvm::SmallVector<int32_t> registers;

  llvm::SmallVector<ButterflyStep, 5> lanes;

  unsigned numPartials = 1;
  /// Bit k of the partial's index is the parity of warp & partialMasks[k].
  llvm::SmallVector<uint32_t, 5> partialMasks;
  /// A warp writes only if the parity of warp & mask is even for each of these (in addition to the
  /// lane mask of `write`): other warps hold the same partial.
  llvm::SmallVector<uint32_t, 5> silentWarpMasks;
  SharedAccess write, read;
  uint64_t scratchElements = 0; // 0 when no warp crosses the axis

  unsigned partialIndex(unsigned warp) const;
  bool warpWrites(unsigned warp) const;
};

/// Plans a reduction of a tensor in `src` along `axis`, with partial results of `elemBits` in
/// shared memory. The source must be surjective. The combine function must be associative and
/// commutative.
ReductionPlan planReduction(const LinearLayout &src, unsigned axis, unsigned elemBits = 32);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_REDUCTIONPLAN_H
