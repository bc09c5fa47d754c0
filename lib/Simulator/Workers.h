// The OS threads of a launch. Blocks are taken in order; one that waits for memory gives way to
// others on its thread, so that programs may wait for programs after them.
#ifndef TILEC_LIB_SIMULATOR_WORKERS_H
#define TILEC_LIB_SIMULATOR_WORKERS_H

#include "lib/Simulator/Block.h"

#include <functional>
#include <memory>
#include <mutex>

namespace tilec::sim {

class Workers {
public:
  /// `takeBlock` makes a block, or gives null if the host has no memory for one. Thread-safe.
  Workers(Launch &launch, std::function<std::unique_ptr<Block>()> takeBlock)
      : launch(launch), takeBlock(std::move(takeBlock)) {}

  /// Runs all blocks on up to `count` threads. False if there is no memory for a single block.
  bool run(unsigned count);

  /// The fault of the block that comes first; null if there was none.
  const AccessFault *getFault() const { return faultBlock == kNone ? nullptr : &fault; }
  /// All that were made.
  std::vector<std::unique_ptr<Block>> blocks;

private:
  static constexpr uint64_t kNone = UINT64_MAX;
  /// Blocks that share the host's threads: about as many as a GPU has room for.
  static constexpr unsigned kMaxRunning = 256;

  struct Worker {
    std::vector<Block *> running, idle;
    /// Since when all its blocks only wait, in ticks of the steady clock; 0 while one does not.
    std::atomic<int64_t> waitingSince{0};
  };

  void work(Worker &worker);
  bool open(Worker &worker);
  /// Whether a block of the worker went on; those that ended are put aside.
  bool advanceAll(Worker &worker);
  void report(Block &block);
  bool allWait(int64_t now) const;

  Launch &launch;
  std::function<std::unique_ptr<Block>()> takeBlock;
  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex mutex;
  uint64_t faultBlock = kNone;
  AccessFault fault;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_WORKERS_H
