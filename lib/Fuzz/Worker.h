// Processes that run trials, so that one that crashes or hangs ends its process and no more.
#ifndef TILEC_LIB_FUZZ_WORKER_H
#define TILEC_LIB_FUZZ_WORKER_H

#include "lib/Fuzz/Trial.h"

#include <chrono>
#include <memory>
#include <sys/types.h>
#include <vector>

namespace tilec::fuzz {

/// One process, started when first needed and again after its end. The process that has workers
/// must have no other threads.
class Worker {
public:
  using Clock = std::chrono::steady_clock;

  using Runner = Outcome (*)(const Trial &);

  explicit Worker(double secondsPerTrial, Runner runner = runTrial)
      : limit(secondsPerTrial), runner(runner) {}
  ~Worker() { stop(); }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  bool isBusy() const { return busy; }
  /// Readable when the outcome is there or the process has ended.
  int getFd() const { return fd; }
  Clock::time_point getDeadline() const { return deadline; }

  /// Begins a trial; only when not busy.
  void begin(const Trial &trial);
  /// Waits for the outcome, until the deadline at most.
  Outcome finish();
  /// Begins and finishes.
  Outcome run(const Trial &trial) {
    begin(trial);
    return finish();
  }

private:
  void start();
  void stop();
  /// The outcome of a process that has ended by itself.
  Outcome bury();

  double limit;
  Runner runner;
  pid_t pid = -1;
  int fd = -1;
  /// What the process printed, for messages of crashes.
  int log = -1;
  unsigned uses = 0;
  bool busy = false;
  Clock::time_point deadline;
};

/// Waits until one of the busy workers can finish at once, or has to be given up, or `until` has
/// come. Null if that came first or none is busy.
Worker *waitForAny(const std::vector<std::unique_ptr<Worker>> &workers,
                   Worker::Clock::time_point until);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_WORKER_H
