// Host functions: barriers of a block.
#include "lib/Simulator/Block.h"

#include <algorithm>

namespace tilec::sim {

namespace {

[[noreturn]] void failBarrier(FaultKind kind, uint32_t site, uint64_t value) {
  FaultRecord record;
  record.kind = kind;
  record.site = site;
  record.value = value;
  Block::current().fail(record);
}

/// Counts the running thread as arrived. `count` is the number of threads that complete the
/// barrier, 0 for the whole block.
Barrier &arrive(uint32_t id, uint32_t count, bool predicate, uint32_t site) {
  Block &block = Block::current();
  if (id >= kNumBarriers)
    failBarrier(FaultKind::BarrierNumber, site, id);
  if (count % kWarpSize != 0 || count > block.getNumThreads())
    failBarrier(FaultKind::BarrierCount, site, count);
  Barrier &barrier = block.barriers[id];
  if (barrier.arrived == 0) {
    barrier.site = site;
    barrier.firstThread = block.thread();
    barrier.count = count;
  } else if (barrier.count != count ||
             // A barrier of the whole block is one place in the program; producers and consumers,
             // who give a number of threads, meet at different ones.
             (count == 0 && barrier.site != site && block.options().checkBarriers)) {
    FaultRecord record;
    record.kind = FaultKind::BarrierPlaces;
    record.site = site;
    record.otherSite = barrier.site;
    record.otherThread = barrier.firstThread;
    block.fail(record);
  }
  ++barrier.arrived;
  barrier.trueCount += predicate;
  return barrier;
}

bool isComplete(const Barrier &barrier) {
  return barrier.arrived == (barrier.count ? barrier.count : Block::current().getNumThreads());
}

void wait(uint32_t id, uint32_t count, bool predicate, uint32_t site) {
  Block &block = Block::current();
  Barrier &barrier = arrive(id, count, predicate, site);
  barrier.warps |= 1u << block.warp();
  ++barrier.waiting;
  block.suspend(Wait::Barrier, site, id, [&] {
    if (isComplete(barrier))
      block.completeBarrier(id);
  });
}

void barrier(uint32_t id, uint32_t count, uint32_t site) { wait(id, count, false, site); }

uint32_t barrierPopc(uint32_t id, uint32_t count, uint32_t predicate, uint32_t site) {
  wait(id, count, predicate != 0, site);
  return Block::current().barrierTrue();
}

uint32_t barrierAnd(uint32_t id, uint32_t count, uint32_t predicate, uint32_t site) {
  wait(id, count, predicate != 0, site);
  return Block::current().barrierTrue() == Block::current().barrierArrived();
}

uint32_t barrierOr(uint32_t id, uint32_t count, uint32_t predicate, uint32_t site) {
  wait(id, count, predicate != 0, site);
  return Block::current().barrierTrue() != 0;
}

void barrierArrive(uint32_t id, uint32_t count, uint32_t site) {
  Block &block = Block::current();
  Barrier &barrier = arrive(id, count, false, site);
  // Others may know from now on what this warp did; what it does later is in another epoch.
  uint32_t *known = block.knowledge();
  ++known[block.warp()];
  for (unsigned w = 0; w < kMaxWarps; ++w)
    barrier.known[w] = std::max(barrier.known[w], known[w]);
  if (isComplete(barrier))
    block.completeBarrier(id);
}

const HostSymbol kSymbols[] = {
    {"tilec_sim_barrier", reinterpret_cast<void *>(barrier)},
    {"tilec_sim_barrier_popc", reinterpret_cast<void *>(barrierPopc)},
    {"tilec_sim_barrier_and", reinterpret_cast<void *>(barrierAnd)},
    {"tilec_sim_barrier_or", reinterpret_cast<void *>(barrierOr)},
    {"tilec_sim_barrier_arrive", reinterpret_cast<void *>(barrierArrive)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getBarrierSymbols() { return kSymbols; }

} // namespace tilec::sim
