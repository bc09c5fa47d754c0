// The OS threads of a launch.
#include "lib/Simulator/Workers.h"

#include <algorithm>
#include <thread>

namespace tilec::sim {

bool Workers::run(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    std::unique_ptr<Block> block = takeBlock();
    if (!block)
      break;
    block->begin(launch);
    workers.push_back(std::make_unique<Worker>());
    workers.back()->idle.push_back(block.get());
    blocks.push_back(std::move(block));
  }
  if (workers.empty())
    return false;
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers.size(); ++i)
    threads.emplace_back([&, i] { work(*workers[i]); });
  work(*workers[0]);
  for (std::thread &thread : threads)
    thread.join();
  return true;
}

void Workers::work(Worker &worker) {
  for (;;) {
    // All that run wait for memory: perhaps for the next ones.
    bool opened = open(worker);
    for (size_t more = worker.running.size(); opened && more > 1; --more)
      open(worker);
    if (worker.running.empty())
      break;
    if (advanceAll(worker) || opened) {
      worker.waitingSince = 0;
      continue;
    }
    int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    if (worker.waitingSince == 0)
      worker.waitingSince = now;
    if (!worker.running.empty() && allWait(now)) {
      Block &first =
          **std::min_element(worker.running.begin(), worker.running.end(),
                             [](Block *a, Block *b) { return a->getBlockId() < b->getBlockId(); });
      first.stopPolling();
      report(first);
    }
  }
  worker.waitingSince = 1; // it changes nothing any more
}

bool Workers::open(Worker &worker) {
  bool isFull = worker.running.size() * workers.size() >= kMaxRunning;
  if (isFull && !worker.running.empty())
    return false;
  auto isOver = [&](uint64_t id) {
    return id >= launch.numBlocks || id > launch.firstFault.load(std::memory_order_relaxed);
  };
  if (isOver(launch.nextBlock.load(std::memory_order_relaxed)))
    return false;
  if (worker.idle.empty()) {
    std::unique_ptr<Block> block = takeBlock();
    if (!block)
      return false;
    block->begin(launch);
    worker.idle.push_back(block.get());
    std::lock_guard<std::mutex> lock(mutex);
    blocks.push_back(std::move(block));
  }
  // Blocks are taken in order, so that all before the first fault run to their end.
  uint64_t id = launch.nextBlock.fetch_add(1, std::memory_order_relaxed);
  if (isOver(id))
    return false;
  Block *block = worker.idle.back();
  worker.idle.pop_back();
  block->beginBlock(id);
  worker.running.push_back(block);
  return true;
}

bool Workers::advanceAll(Worker &worker) {
  bool wentOn = false;
  auto ends = [&](Block *block) {
    Progress progress = block->advance();
    wentOn |= block->takeChange() || progress != Progress::Paused;
    if (progress == Progress::Paused)
      return false;
    if (progress == Progress::Ended)
      worker.idle.push_back(block);
    else if (block->hasFault())
      report(*block);
    return true;
  };
  auto &running = worker.running;
  running.erase(std::remove_if(running.begin(), running.end(), ends), running.end());
  return wentOn;
}

bool Workers::allWait(int64_t now) const {
  double seconds = launch.options->livelockSeconds;
  if (seconds <= 0)
    return false;
  auto patience = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                      std::chrono::duration<double>(seconds))
                      .count();
  return std::all_of(workers.begin(), workers.end(), [&](const std::unique_ptr<Worker> &worker) {
    int64_t since = worker->waitingSince;
    return since != 0 && now - since >= patience;
  });
}

void Workers::report(Block &block) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t id = block.getBlockId();
  if (id >= faultBlock)
    return;
  faultBlock = id;
  fault = describeFault(block.getFault(), launch, id, reinterpret_cast<uintptr_t>(block.shared));
  launch.firstFault.store(id, std::memory_order_relaxed);
  launch.raiseAlarm();
}

} // namespace tilec::sim
