// Host functions: operations of a whole warp.
#include "lib/Simulator/WarpGather.h"

#include <algorithm>
#include <cstring>

namespace tilec::sim {

namespace {

template <typename FnT>
void forLanes(uint32_t mask, FnT fn) {
  for (; mask; mask &= mask - 1)
    fn(static_cast<unsigned>(__builtin_ctz(mask)));
}

//===--- Shuffles ------------------------------------------------------------===//

enum class Shuffle : uint8_t { Butterfly, Up, Down, Index };

/// The lane that `lane` reads from, and whether it is in range; as the PTX manual defines
/// shfl.sync.
template <Shuffle kKind>
unsigned sourceLane(unsigned lane, uint32_t offset, uint32_t maskAndClamp, bool &valid) {
  unsigned clamp = maskAndClamp & 31, segment = maskAndClamp >> 8 & 31;
  int maxLane = (lane & segment) | (clamp & ~segment);
  int minLane = lane & segment;
  int from = 0;
  offset &= 31;
  switch (kKind) {
  case Shuffle::Butterfly:
    from = lane ^ offset;
    valid = from <= maxLane;
    break;
  case Shuffle::Up:
    from = static_cast<int>(lane) - static_cast<int>(offset);
    valid = from >= maxLane;
    break;
  case Shuffle::Down:
    from = lane + offset;
    valid = from <= maxLane;
    break;
  case Shuffle::Index:
    from = minLane | (offset & ~segment);
    valid = from <= maxLane;
    break;
  }
  return valid ? from : lane;
}

template <Shuffle kKind>
uint64_t shuffle(uint32_t mask, uint32_t value, uint32_t offset, uint32_t maskAndClamp,
                 uint32_t site) {
  Block &block = Block::current();
  bool valid = false;
  unsigned from = sourceLane<kKind>(block.lane(), offset, maskAndClamp, valid);
  if (!(mask >> from & 1))
    failWarp((mask >> block.lane() & 1) ? FaultKind::ShuffleSource : FaultKind::NotInMask, site,
             (mask >> block.lane() & 1) ? from : mask);
  LaneSlot input = {};
  input.in[0] = value;
  input.in[1] = from;
  const LaneSlot &slot = gather(mask, site, input, [mask](Warp &warp) {
    forLanes(mask, [&](unsigned lane) {
      warp.slots[lane].out = warp.slots[warp.slots[lane].in[1]].in[0];
    });
  });
  return static_cast<uint64_t>(valid) << 32 | slot.out;
}

//===--- Votes and reductions ------------------------------------------------===//

/// Runs `fn` over the values of the lanes of `mask`, and gives each lane its result.
template <typename FnT>
uint32_t reduce(uint32_t mask, uint32_t value, uint32_t site, FnT fn) {
  LaneSlot input = {};
  input.in[0] = value;
  return gather(mask, site, input,
                [mask, fn](Warp &warp) {
                  bool first = true;
                  uint32_t result = 0;
                  forLanes(mask, [&](unsigned lane) {
                    result = first ? warp.slots[lane].in[0] : fn(result, warp.slots[lane].in[0]);
                    first = false;
                  });
                  forLanes(mask, [&](unsigned lane) { warp.slots[lane].out = result; });
                })
      .out;
}

uint32_t ballot(uint32_t mask, bool pred, uint32_t site) {
  uint32_t bit = pred ? 1u << Block::current().lane() : 0;
  return reduce(mask, bit, site, [](uint32_t a, uint32_t b) { return a | b; });
}
uint32_t voteAny(uint32_t mask, bool pred, uint32_t site) { return ballot(mask, pred, site) != 0; }
uint32_t voteAll(uint32_t mask, bool pred, uint32_t site) {
  return ballot(mask, pred, site) == mask;
}
uint32_t voteUniform(uint32_t mask, bool pred, uint32_t site) {
  uint32_t votes = ballot(mask, pred, site);
  return votes == 0 || votes == mask;
}

float asFloat(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

struct Add {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};
struct And {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a & b; }
};
struct Or {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a | b; }
};
struct Xor {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a ^ b; }
};
struct Min {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return std::min(static_cast<int32_t>(a), static_cast<int32_t>(b));
  }
};
struct Max {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return std::max(static_cast<int32_t>(a), static_cast<int32_t>(b));
  }
};
struct UMin {
  uint32_t operator()(uint32_t a, uint32_t b) const { return std::min(a, b); }
};
struct UMax {
  uint32_t operator()(uint32_t a, uint32_t b) const { return std::max(a, b); }
};
// A NaN loses against a number, as in PTX's min.f32 and max.f32.
struct FMin {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return asFloat(a) < asFloat(b) || asFloat(b) != asFloat(b) ? a : b;
  }
};
struct FMax {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return asFloat(a) > asFloat(b) || asFloat(b) != asFloat(b) ? a : b;
  }
};

template <typename OpT>
uint32_t redux(uint32_t mask, uint32_t value, uint32_t site) {
  return reduce(mask, value, site, OpT());
}

//===--- Barrier and election ------------------------------------------------===//

void syncWarp(uint32_t mask, uint32_t site) {
  Block &block = Block::current();
  gather(mask, site, LaneSlot(), [&block, mask](Warp &warp) {
    // Clocks are per warp: a barrier of some of its lanes orders nothing.
    if ((mask | warp.exited) == ~0u)
      block.synchronise(1u << block.warp());
  });
}

uint32_t elect(uint32_t mask, uint32_t site) {
  uint32_t lane = Block::current().lane();
  return redux<UMin>(mask, lane, site) == lane;
}

const HostSymbol kSymbols[] = {
    {"tilec_sim_shuffle_bfly", reinterpret_cast<void *>(shuffle<Shuffle::Butterfly>)},
    {"tilec_sim_shuffle_up", reinterpret_cast<void *>(shuffle<Shuffle::Up>)},
    {"tilec_sim_shuffle_down", reinterpret_cast<void *>(shuffle<Shuffle::Down>)},
    {"tilec_sim_shuffle_idx", reinterpret_cast<void *>(shuffle<Shuffle::Index>)},
    {"tilec_sim_vote_any", reinterpret_cast<void *>(voteAny)},
    {"tilec_sim_vote_all", reinterpret_cast<void *>(voteAll)},
    {"tilec_sim_vote_uni", reinterpret_cast<void *>(voteUniform)},
    {"tilec_sim_vote_ballot", reinterpret_cast<void *>(ballot)},
    {"tilec_sim_redux_add", reinterpret_cast<void *>(redux<Add>)},
    {"tilec_sim_redux_and", reinterpret_cast<void *>(redux<And>)},
    {"tilec_sim_redux_or", reinterpret_cast<void *>(redux<Or>)},
    {"tilec_sim_redux_xor", reinterpret_cast<void *>(redux<Xor>)},
    {"tilec_sim_redux_min", reinterpret_cast<void *>(redux<Min>)},
    {"tilec_sim_redux_max", reinterpret_cast<void *>(redux<Max>)},
    {"tilec_sim_redux_umin", reinterpret_cast<void *>(redux<UMin>)},
    {"tilec_sim_redux_umax", reinterpret_cast<void *>(redux<UMax>)},
    {"tilec_sim_redux_fmin", reinterpret_cast<void *>(redux<FMin>)},
    {"tilec_sim_redux_fmax", reinterpret_cast<void *>(redux<FMax>)},
    {"tilec_sim_sync_warp", reinterpret_cast<void *>(syncWarp)},
    {"tilec_sim_elect", reinterpret_cast<void *>(elect)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getWarpSymbols() { return kSymbols; }

} // namespace tilec::sim
