// One block of the simulated GPU: its threads as fibers, barriers, warps, and shared memory with
// its shadow. The host functions that compiled kernels call work on the block of their OS thread.
#ifndef TILEC_LIB_SIMULATOR_BLOCK_H
#define TILEC_LIB_SIMULATOR_BLOCK_H

#include "lib/Simulator/Simulator.h"
#include "lib/Simulator/Sites.h"

#include <boost/context/detail/fcontext.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace tilec::sim {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxWarps = 32;
inline constexpr unsigned kMaxThreads = kWarpSize * kMaxWarps;
inline constexpr unsigned kNumBarriers = 16;
/// What a block of sm_80 to sm_90 can have at most.
inline constexpr unsigned kMaxSharedBytes = 232448;
/// Shared memory is aligned to this, so that the low bits of an address are the offset.
inline constexpr uint64_t kSharedAlignment = 256 * 1024;

enum class SpecialRegister : uint32_t {
  ThreadX,
  Lane,
  Warp,
  BlockDimX,
  NumWarps,
  BlockX,
  BlockY,
  BlockZ,
  GridX,
  GridY,
  GridZ,
  Count,
};

enum class FaultKind : uint8_t {
  GlobalBounds,
  GlobalMisaligned,
  GlobalUninitialised,
  SharedBounds,
  SharedMisaligned,
  SharedUninitialised,
  SharedRace,
  BarrierPlaces, ///< Two threads at different places of one barrier.
  BarrierNumber, ///< `value` is no barrier.
  BarrierCount,  ///< `value` is no number of threads for a barrier.
  Stuck,         ///< A thread waits for one that never comes.
  NotInMask,     ///< A lane executes a warp operation whose mask, `value`, leaves it out.
  ShuffleSource, ///< A lane reads from lane `value`, which does not take part.
  Assumption,
  Assertion,
  Trap,
  Timeout,
  Livelock, ///< All programs wait for memory that none of them changes.
};

/// The number of no site.
inline constexpr uint32_t kNoSite = UINT32_MAX;

/// A fault as the fiber notes it: no memory is owned, because the fiber never resumes.
struct FaultRecord {
  FaultKind kind = FaultKind::Trap;
  uint32_t site = 0;
  uint32_t thread = 0;
  /// The other thread of a race or of a barrier, and what it was doing.
  uint32_t otherSite = 0;
  uint32_t otherThread = 0;
  /// Stuck: the other thread has exited.
  bool otherExited = false;
  uint64_t address = 0;
  uint64_t value = 0;
};

/// Launches that want to end: a program is at fault, or their time is over. Loops of every launch
/// look at it, and ask the library which one it is.
extern std::atomic<uint32_t> alarm;

/// What all blocks of a launch share.
struct Launch {
  ~Launch() {
    if (isAlarmed)
      --alarm;
  }
  const SimOptions *options = nullptr;
  const SimKernelInfo *kernel = nullptr;
  const std::vector<Site> *sites = nullptr;
  void (*entry)(void **) = nullptr;
  void **arguments = nullptr;
  std::array<unsigned, 3> grid = {1, 1, 1};
  uint64_t numBlocks = 0;
  /// Sorted by address.
  std::vector<SimBuffer> buffers;
  /// Per argument, the part of a buffer from where the argument points to the buffer's end; a base
  /// of null if it points into none.
  std::vector<SimBuffer> argumentBuffers;
  /// Per argument, the whole buffer.
  std::vector<const SimBuffer *> argumentOwners;

  std::atomic<uint64_t> nextBlock{0};
  /// The first block known to fault; blocks after it need not run.
  std::atomic<uint64_t> firstFault{UINT64_MAX};
  std::chrono::steady_clock::time_point deadline;
  std::atomic<bool> isAlarmed{false};

  /// Makes loops look whether they are to end.
  void raiseAlarm() {
    if (!isAlarmed.exchange(true))
      ++alarm;
  }
  /// Whether its time is over, and `grace` more.
  bool isOver(std::chrono::seconds grace = std::chrono::seconds(0)) const {
    return options->timeoutSeconds > 0 && std::chrono::steady_clock::now() > deadline + grace;
  }
};

/// The fault of a block as it is reported.
AccessFault describeFault(const FaultRecord &fault, const Launch &launch, uint64_t block,
                          uint64_t sharedBase);

/// Who touched a byte of shared memory, and in which epoch of that thread's warp. Epochs begin at
/// 1, so that a record of zeros is ordered before everything.
struct AccessRecord {
  uint32_t epoch = 0;
  /// The thread in the low 10 bits, the site above them.
  uint32_t who = 0;

  unsigned thread() const { return who & (kMaxThreads - 1); }
  unsigned warp() const { return thread() / kWarpSize; }
  uint32_t site() const { return who >> 10; }
};

/// The shadow of a byte of shared memory. `reads[1]` is of another thread than `reads[0]`, of
/// another warp if there was one: enough to find a reader that a write races with.
struct SharedShadow {
  AccessRecord write;
  AccessRecord reads[2];
};

/// The lanes of a warp that wait for each other in one operation.
struct WarpGroup {
  uint32_t mask = 0;
  uint32_t arrived = 0;
  uint32_t site = 0;
  bool active() const { return arrived != 0; }
};

/// What a lane brings to an operation of its warp and takes from it. Operations with more data
/// (matrix fragments) keep pointers to it here: a waiting fiber's stack stays valid.
struct LaneSlot {
  uint32_t in[3];
  uint32_t valid;
  uint32_t out;
  void *data;
};

struct Warp {
  WarpGroup groups[kWarpSize];
  LaneSlot slots[kWarpSize];
  uint32_t exited = 0;
};

struct Barrier {
  /// Threads that arrived, those of them that wait, and the number that completes it (0: all).
  unsigned arrived = 0;
  unsigned waiting = 0;
  unsigned count = 0;
  uint32_t site = 0;
  uint32_t firstThread = 0;
  /// Warps with a thread that waits, and what those knew that arrived without waiting.
  uint32_t warps = 0;
  uint32_t known[kMaxWarps] = {};
  /// Threads that arrived with a true predicate.
  unsigned trueCount = 0;
};

enum class Wait : uint8_t { None, Barrier, Warp };

struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  char *stackTop = nullptr;
};

struct Thread {
  uint32_t fiber = 0;
  /// The operation that it waits in, or where it exited.
  uint32_t site = 0;
  Wait wait = Wait::None;
  uint8_t barrier = 0;
  bool exited = false;
  uint32_t barrierArrived = 0;
  uint32_t barrierTrue = 0;
};

/// How far a block has come.
enum class Progress : uint8_t {
  Ended,
  Stopped, ///< It faulted, or was abandoned because a block before it did: `hasFault` tells.
  Paused,  ///< It waits for memory; blocks that share its OS thread should go on.
};

/// Runs the blocks of a launch one after another, each on one OS thread.
class Block {
public:
  Block(unsigned numThreads, unsigned sharedBytes, uint64_t stackBytes);
  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  /// Whether the host gave the memory that it needs.
  bool isValid() const { return stacks && sharedRegion && (sharedBytes == 0 || shadow); }

  /// Begins a launch; all blocks until the next one belong to it.
  void begin(Launch &launch);
  /// Begins block `id`; `advance` runs it.
  void beginBlock(uint64_t id);
  /// Runs the block to its end, or until it has waited for memory for a while.
  Progress advance();
  uint64_t getBlockId() const { return blockId; }
  /// Whether the block has changed global memory since this was asked last.
  bool takeChange() {
    bool result = changed;
    changed = false;
    return result;
  }
  /// Ends the block with a fault at the place where it polled last.
  void stopPolling();
  bool hasFault() const { return faulted; }
  const FaultRecord &getFault() const { return fault; }

  /// The block of this OS thread while it runs.
  static Block &current();

  // --- For host functions ----------------------------------------------------
  const SimOptions &options() const { return *launch->options; }
  const Site &site(uint32_t number) const { return sites[number]; }
  unsigned thread() const { return special[0]; }
  unsigned lane() const { return special[1]; }
  unsigned warp() const { return special[2]; }

  /// Ends the block with a fault of the running thread; the fiber never resumes.
  [[noreturn]] void fail(FaultRecord record);
  /// Suspends the running thread until `wake`; `complete`, if given, runs when it counts as waiting
  /// already. The thread that completes an operation is woken with the others, so that threads go
  /// on in order and the first fault is that of the first thread.
  template <typename CompleteT>
  void suspend(Wait wait, uint32_t site, uint8_t barrier, CompleteT complete) {
    Thread &running = threads[thread()];
    running.wait = wait;
    running.site = site;
    running.barrier = barrier;
    complete();
    switchToScheduler();
  }
  void suspend(Wait wait, uint32_t site, uint8_t barrier = 0) {
    suspend(wait, site, barrier, [] {});
  }
  void wake(unsigned thread);
  void noteChange() { changed = true; }
  /// A look at memory that another program may change: after many of them the block gives way.
  void poll(uint32_t site) {
    pollSite = site;
    if (++polls >= kPollsBeforePause)
      pause();
  }
  /// Lets the other threads run; for loops that wait for memory.
  void yield();

  /// Joins what the warps of `set` know, with `extra` if given, and begins a new epoch in each.
  void synchronise(uint32_t set, const uint32_t *extra = nullptr);
  /// What the running thread's warp knows, per warp.
  uint32_t *knowledge() { return known[warp()]; }
  /// Lets go whoever waits at a barrier, and makes the barrier ready for its next use.
  void completeBarrier(unsigned id);
  unsigned getNumThreads() const { return numThreads; }
  /// Of the barrier that the running thread left last: threads that arrived, and those of them
  /// whose predicate was true.
  uint32_t barrierArrived() const { return threads[thread()].barrierArrived; }
  uint32_t barrierTrue() const { return threads[thread()].barrierTrue; }
  void noteExit(uint32_t site) { threads[thread()].site = site; }
  /// Whether an access is ordered before the running thread's next one.
  bool isOrdered(AccessRecord record) const {
    return record.thread() == thread() || record.epoch < known[warp()][record.warp()];
  }
  uint32_t epoch() const { return known[warp()][warp()]; }

  /// Counts an access; now and then gives way and looks whether the launch is to end.
  void tick(uint32_t site) {
    if ((++ticks & 0xffff) == 0)
      slowTick(site);
  }
  /// Abandons the block if one before it is at fault, and fails if the time of the launch is over.
  /// A loop is the better place to name: anything else has it wait for a while.
  void checkLimits(uint32_t site, bool isLoop);

  const SimBuffer *findBuffer(const char *address, uint64_t bytes);

  Launch *launch = nullptr;
  const Site *sites = nullptr;
  uint32_t special[static_cast<unsigned>(SpecialRegister::Count)] = {};
  char *shared = nullptr;
  unsigned sharedBytes;
  SharedShadow *shadow = nullptr;
  /// Epochs below this one belong to blocks that ran before.
  uint32_t firstEpoch = 1;
  Warp warps[kMaxWarps];
  Barrier barriers[kNumBarriers];
  SimLaunchStats stats;
  /// Where accesses go whose predicate is false: loads read zeros.
  alignas(64) char loadScratch[256] = {};
  alignas(64) char storeScratch[256];

private:
  static void fiberMain(boost::context::detail::transfer_t transfer);
  void runThreads();
  void resume(uint32_t fiber);
  void switchToScheduler();
  void setRunning(unsigned thread);
  void slowTick(uint32_t site);
  void pause();
  [[noreturn]] void abandon();
  /// All threads wait: finds out why, or lets those go whom exited threads kept.
  void resolveStuck();
  bool releaseForExited();

  unsigned numThreads;
  static constexpr unsigned kPollsBeforePause = 16;

  uint64_t blockId = 0;
  uint64_t ticks = 0;
  unsigned polls = 0;
  uint32_t pollSite = 0;
  bool changed = false, pauseRequested = false;
  const SimBuffer *lastBuffer = nullptr;
  /// known[w][v]: accesses of warp v in epochs before this one are ordered before warp w's next.
  uint32_t known[kMaxWarps][kMaxWarps];

  Thread threads[kMaxThreads];
  std::vector<Fiber> fibers;
  std::vector<uint32_t> idleFibers;
  uint32_t runningFiber = 0;
  bool fiberIdle = false;
  boost::context::detail::fcontext_t scheduler = nullptr;
  uint16_t ready[kMaxThreads];
  unsigned readyBegin = 0, readySize = 0;
  unsigned nextThread = 0, numExited = 0;

  bool faulted = false, stopped = false;
  FaultRecord fault;

  char *stacks = nullptr;
  uint64_t stackStride, stackSize;
  char *sharedRegion = nullptr;
};

/// The names that compiled kernels call, and the functions behind them.
struct HostSymbol {
  const char *name;
  void *address;
};
llvm::ArrayRef<HostSymbol> getMemorySymbols();
llvm::ArrayRef<HostSymbol> getBarrierSymbols();
llvm::ArrayRef<HostSymbol> getWarpSymbols();
llvm::ArrayRef<HostSymbol> getMathSymbols();
llvm::ArrayRef<HostSymbol> getEffectSymbols();
llvm::ArrayRef<HostSymbol> getMatrixSymbols();

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_BLOCK_H
