// The threads of a block: fibers, the order in which they run, and what happens when all wait.
#include "lib/Simulator/Block.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace boost::context::detail;

namespace tilec::sim {

namespace {

thread_local Block *currentBlock = nullptr;

uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

char *map(uint64_t bytes, int flags) {
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

} // namespace

std::atomic<uint32_t> alarm{0};

Block &Block::current() { return *currentBlock; }

Block::Block(unsigned numThreads, unsigned sharedBytes, uint64_t stackBytes)
    : sharedBytes(sharedBytes), numThreads(numThreads) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  stackSize = roundUp(stackBytes, page);
  // Below each stack a page that nothing may touch.
  stackStride = stackSize + page;
  stacks = map(stackStride * numThreads, MAP_NORESERVE | MAP_STACK);
  if (stacks)
    for (unsigned i = 0; i < numThreads; ++i)
      mprotect(stacks + i * stackStride, page, PROT_NONE);
  // Below 4 GiB, so that a 32-bit integer holds a shared address as on the GPU.
  sharedRegion = map(2 * kSharedAlignment, MAP_32BIT | MAP_NORESERVE);
  if (sharedRegion)
    shared = reinterpret_cast<char *>(
        roundUp(reinterpret_cast<uintptr_t>(sharedRegion), kSharedAlignment));
  if (sharedBytes)
    shadow =
        reinterpret_cast<SharedShadow *>(map(sharedBytes * sizeof(SharedShadow), MAP_NORESERVE));
  for (auto &row : known)
    std::fill(std::begin(row), std::end(row), firstEpoch);
}

Block::~Block() {
  if (stacks)
    munmap(stacks, stackStride * numThreads);
  if (sharedRegion)
    munmap(sharedRegion, 2 * kSharedAlignment);
  if (shadow)
    munmap(shadow, sharedBytes * sizeof(SharedShadow));
}

//===--- Fibers --------------------------------------------------------------===//

void Block::begin(Launch &newLaunch) {
  launch = &newLaunch;
  sites = newLaunch.sites->data();
  stats = {};
  lastBuffer = nullptr;
  ticks = 0;
  faulted = stopped = false;
  // Whatever a faulting launch left behind on the stacks is gone.
  fibers.clear();
  idleFibers.clear();
}

void Block::fiberMain(transfer_t transfer) {
  auto &block = *static_cast<Block *>(transfer.data);
  block.scheduler = transfer.fctx;
  block.runThreads();
}

/// The life of a fiber: runs threads that have not started, one after another, until one of them
/// waits; the scheduler then starts another fiber for the rest.
void Block::runThreads() {
  for (;;) {
    while (nextThread < numThreads) {
      unsigned thread = nextThread++;
      threads[thread].fiber = runningFiber;
      setRunning(thread);
      launch->entry(launch->arguments);
      threads[thread].exited = true;
      warps[thread / kWarpSize].exited |= 1u << (thread % kWarpSize);
      ++numExited;
    }
    fiberIdle = true;
    switchToScheduler();
  }
}

void Block::switchToScheduler() {
  transfer_t transfer = jump_fcontext(scheduler, nullptr);
  scheduler = transfer.fctx;
}

void Block::resume(uint32_t fiber) {
  runningFiber = fiber;
  fiberIdle = false;
  ++stats.switches;
  transfer_t transfer = jump_fcontext(fibers[fiber].context, this);
  fibers[fiber].context = transfer.fctx;
  if (fiberIdle)
    idleFibers.push_back(fiber);
}

void Block::setRunning(unsigned thread) {
  special[static_cast<unsigned>(SpecialRegister::ThreadX)] = thread;
  special[static_cast<unsigned>(SpecialRegister::Lane)] = thread % kWarpSize;
  special[static_cast<unsigned>(SpecialRegister::Warp)] = thread / kWarpSize;
}

void Block::wake(unsigned thread) {
  threads[thread].wait = Wait::None;
  ready[(readyBegin + readySize++) % kMaxThreads] = thread;
}

void Block::yield() {
  wake(thread());
  switchToScheduler();
}

void Block::fail(FaultRecord record) {
  record.thread = thread();
  fault = record;
  faulted = true;
  abandon();
}

void Block::abandon() {
  stopped = true;
  for (;;)
    switchToScheduler();
}

void Block::checkLimits(uint32_t site, bool isLoop) {
  if (launch->firstFault.load(std::memory_order_relaxed) < blockId)
    abandon();
  if (!launch->isOver(isLoop ? std::chrono::seconds(0) : std::chrono::seconds(1)))
    return;
  FaultRecord record;
  record.kind = FaultKind::Timeout;
  record.site = site;
  fail(record);
}

void Block::slowTick(uint32_t site) {
  checkLimits(site, /*isLoop=*/false);
  // Whatever it does, it does it for long: others may have to go on for it to end.
  if ((ticks & 0x3fffff) == 0) {
    pollSite = site;
    return pause();
  }
  yield();
}

void Block::pause() {
  checkLimits(pollSite, /*isLoop=*/false);
  polls = 0;
  pauseRequested = true;
  yield();
}

void Block::stopPolling() {
  fault = FaultRecord();
  fault.kind = FaultKind::Livelock;
  fault.site = pollSite;
  faulted = stopped = true;
}

//===--- A block -------------------------------------------------------------===//

void Block::beginBlock(uint64_t id) {
  blockId = id;
  const auto &grid = launch->grid;
  auto set = [&](SpecialRegister which, uint64_t value) {
    special[static_cast<unsigned>(which)] = static_cast<uint32_t>(value);
  };
  set(SpecialRegister::BlockDimX, numThreads);
  set(SpecialRegister::NumWarps, numThreads / kWarpSize);
  set(SpecialRegister::BlockX, id % grid[0]);
  set(SpecialRegister::BlockY, id / grid[0] % grid[1]);
  set(SpecialRegister::BlockZ, id / grid[0] / grid[1]);
  set(SpecialRegister::GridX, grid[0]);
  set(SpecialRegister::GridY, grid[1]);
  set(SpecialRegister::GridZ, grid[2]);

  std::fill_n(threads, numThreads, Thread());
  for (unsigned i = 0; i < numThreads / kWarpSize; ++i) {
    warps[i].exited = 0;
    std::fill_n(warps[i].groups, kWarpSize, WarpGroup());
  }
  std::fill_n(barriers, kNumBarriers, Barrier());
  nextThread = numExited = 0;
  readyBegin = readySize = 0;
  polls = 0;
  changed = pauseRequested = false;

  // A new epoch in all warps: what blocks before did to shared memory is past.
  for (const auto &row : known)
    firstEpoch = std::max(firstEpoch, *std::max_element(std::begin(row), std::end(row)) + 1);
  if (firstEpoch > (1u << 30)) {
    firstEpoch = 1;
    if (shadow)
      memset(static_cast<void *>(shadow), 0, sharedBytes * sizeof(SharedShadow));
  }
  for (auto &row : known)
    std::fill(std::begin(row), std::end(row), firstEpoch);
  memset(shared, 0xff, sharedBytes);
  if (launch->isOver()) {
    fault = FaultRecord();
    fault.kind = FaultKind::Timeout;
    fault.site = kNoSite;
    faulted = stopped = true;
  }
}

Progress Block::advance() {
  Block *previous = currentBlock;
  currentBlock = this;
  while (numExited < numThreads && !stopped && !pauseRequested) {
    if (readySize) {
      unsigned thread = ready[readyBegin];
      readyBegin = (readyBegin + 1) % kMaxThreads;
      --readySize;
      setRunning(thread);
      resume(threads[thread].fiber);
    } else if (nextThread < numThreads) {
      if (idleFibers.empty()) {
        Fiber fiber;
        fiber.stackTop = stacks + (fibers.size() + 1) * stackStride;
        fiber.context = make_fcontext(fiber.stackTop, stackSize, fiberMain);
        idleFibers.push_back(fibers.size());
        fibers.push_back(fiber);
      }
      uint32_t fiber = idleFibers.back();
      idleFibers.pop_back();
      resume(fiber);
    } else {
      resolveStuck();
    }
    if (launch->firstFault.load(std::memory_order_relaxed) < blockId)
      stopped = true;
  }
  currentBlock = previous;
  if (stopped)
    return Progress::Stopped;
  if (numExited < numThreads) {
    pauseRequested = false;
    return Progress::Paused;
  }
  ++stats.blocks;
  stats.threads += numThreads;
  return Progress::Ended;
}

void Block::completeBarrier(unsigned id) {
  Barrier done = barriers[id];
  barriers[id] = Barrier();
  synchronise(done.warps, done.known);
  ++stats.barriers;
  for (unsigned t = 0; done.waiting; ++t) {
    if (threads[t].wait != Wait::Barrier || threads[t].barrier != id)
      continue;
    threads[t].barrierArrived = done.arrived;
    threads[t].barrierTrue = done.trueCount;
    wake(t);
    --done.waiting;
  }
}

bool Block::releaseForExited() {
  for (unsigned id = 0; id < kNumBarriers; ++id) {
    const Barrier &barrier = barriers[id];
    if (barrier.waiting && barrier.count == 0 && barrier.arrived + numExited >= numThreads) {
      completeBarrier(id);
      return true;
    }
  }
  return false;
}

void Block::resolveStuck() {
  if (!options().checkBarriers && releaseForExited())
    return;
  // The first thread that waits, and the first of those it waits for.
  unsigned waiting = 0;
  while (threads[waiting].exited)
    ++waiting;
  const Thread &waiter = threads[waiting];
  unsigned other = 0;
  auto isAwaited = [&](unsigned t) {
    const Thread &candidate = threads[t];
    if (waiter.wait == Wait::Barrier)
      return candidate.wait != Wait::Barrier || candidate.barrier != waiter.barrier;
    // In the mask of the waiter's group, but not arrived in it.
    if (t / kWarpSize != waiting / kWarpSize)
      return false;
    for (const WarpGroup &group : warps[waiting / kWarpSize].groups)
      if (group.active() && (group.arrived >> (waiting % kWarpSize) & 1))
        return ((group.mask & ~group.arrived) >> (t % kWarpSize) & 1) != 0;
    return false;
  };
  while (other < numThreads && !isAwaited(other))
    ++other;
  fault = FaultRecord();
  fault.kind = FaultKind::Stuck;
  fault.thread = waiting;
  fault.site = waiter.site;
  fault.otherThread = other < numThreads ? other : waiting;
  fault.otherSite = threads[fault.otherThread].site;
  fault.otherExited = threads[fault.otherThread].exited;
  faulted = stopped = true;
}

//===--- Order of accesses ---------------------------------------------------===//

void Block::synchronise(uint32_t set, const uint32_t *extra) {
  uint32_t joined[kMaxWarps] = {};
  if (extra)
    std::copy_n(extra, kMaxWarps, joined);
  unsigned numWarps = numThreads / kWarpSize;
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    const uint32_t *row = known[__builtin_ctz(rest)];
    for (unsigned v = 0; v < numWarps; ++v)
      joined[v] = std::max(joined[v], row[v]);
  }
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    unsigned w = __builtin_ctz(rest);
    joined[w] = std::max(joined[w], known[w][w] + 1);
  }
  for (uint32_t rest = set; rest; rest &= rest - 1)
    std::copy_n(joined, numWarps, known[__builtin_ctz(rest)]);
}

const SimBuffer *Block::findBuffer(const char *address, uint64_t bytes) {
  auto holds = [&](const SimBuffer &buffer) {
    uint64_t offset = address - static_cast<const char *>(buffer.base);
    return offset <= buffer.size && bytes <= buffer.size - offset;
  };
  if (lastBuffer && holds(*lastBuffer))
    return lastBuffer;
  const std::vector<SimBuffer> &buffers = launch->buffers;
  auto it = std::upper_bound(buffers.begin(), buffers.end(), address,
                             [](const char *value, const SimBuffer &buffer) {
                               return value < static_cast<const char *>(buffer.base);
                             });
  if (it == buffers.begin() || !holds(*--it))
    return nullptr;
  lastBuffer = &*it;
  return lastBuffer;
}

} // namespace tilec::sim
