// How to gather along one dimension without leaving the warp.
#ifndef TILEC_LIB_LAYOUT_GATHERPLAN_H
#define TILEC_LIB_LAYOUT_GATHERPLAN_H

#include "lib/Layout/LinearLayout.h"

namespace tilec {

/// A gather in which the line along the axis that a thread picks from lies in its warp. For index
/// k, register r of the result comes from register registers[r] ^ (the xor of registerBases of k's
/// bits) of the lane that has the own lane's bits but for laneMask, where it has the xor of
/// laneBases of k's bits.
struct GatherPlan {
  llvm::SmallVector<int32_t> registers;
  llvm::SmallVector<uint32_t, 8> registerBases, laneBases; // one for each bit of the index
  uint32_t laneMask = 0;

  /// The registers in which an element may lie: registers[r] ^ each of these.
  llvm::SmallVector<uint32_t> candidates() const;
};

/// Plans a gather from `src` along `axis` into `dst`, the layout of indices and result. Nothing if
/// warps share the axis, if the two hold other lines, or if there are so many candidates that
/// shared memory is cheaper.
std::optional<GatherPlan> planGather(const LinearLayout &src, const LinearLayout &dst,
                                     unsigned axis);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_GATHERPLAN_H
