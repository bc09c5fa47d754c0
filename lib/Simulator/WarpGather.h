// How host functions bring the lanes of a warp together.
#ifndef TILEC_LIB_SIMULATOR_WARPGATHER_H
#define TILEC_LIB_SIMULATOR_WARPGATHER_H

#include "lib/Simulator/Block.h"

namespace tilec::sim {

[[noreturn]] inline void failWarp(FaultKind kind, uint32_t site, uint64_t value) {
  FaultRecord record;
  record.kind = kind;
  record.site = site;
  record.value = value;
  Block::current().fail(record);
}

/// Waits for all lanes of `mask` at one operation; the last to come runs `combine` over the slots
/// of all of them. Returns the running lane's slot.
template <typename CombineT>
LaneSlot &gather(uint32_t mask, uint32_t site, const LaneSlot &input, CombineT combine) {
  Block &block = Block::current();
  Warp &warp = block.warps[block.warp()];
  uint32_t bit = 1u << block.lane();
  if (!(mask & bit))
    failWarp(FaultKind::NotInMask, site, mask);
  LaneSlot &slot = warp.slots[block.lane()];
  slot = input;
  WarpGroup *group = nullptr;
  for (WarpGroup &candidate : warp.groups) {
    if (candidate.active() && candidate.mask == mask && candidate.site == site) {
      group = &candidate;
      break;
    }
    if (!candidate.active() && !group)
      group = &candidate;
  }
  group->mask = mask;
  group->site = site;
  group->arrived |= bit;
  block.suspend(Wait::Warp, site, 0, [&] {
    if (group->arrived != mask)
      return;
    combine(warp);
    *group = WarpGroup();
    ++block.stats.warpOperations;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      block.wake(block.warp() * kWarpSize + __builtin_ctz(rest));
  });
  return slot;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_WARPGATHER_H
