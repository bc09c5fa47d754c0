// A trial that crashes or hangs ends its process, and the next one runs.
#include "lib/Fuzz/Worker.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <unistd.h>

using namespace tilec::fuzz;

namespace {

/// Does what the trial's device says.
Outcome pretend(const Trial &trial) {
  if (trial.device == "abort") {
    fprintf(stderr, "noise\nAssertion `x' failed.\n");
    abort();
  }
  if (trial.device == "exit")
    _exit(3);
  while (trial.device == "hang")
    pause();
  return {Outcome::Mismatch, trial.device};
}

Trial makeTrial(std::string device) {
  Trial trial;
  trial.device = std::move(device);
  return trial;
}

} // namespace

TEST(Worker, OutlivesItsProcess) {
  Worker worker(20, pretend);
  EXPECT_EQ(worker.run(makeTrial("a")).message, "a");
  Outcome crash = worker.run(makeTrial("abort"));
  EXPECT_EQ(crash.kind, Outcome::Crash);
  EXPECT_EQ(crash.message, "signal 6 (Aborted): Assertion `x' failed.");
  EXPECT_EQ(worker.run(makeTrial("b")).message, "b");
  EXPECT_EQ(worker.run(makeTrial("exit")).message, "exit status 3");
  EXPECT_EQ(worker.run(makeTrial("c")).message, "c");
}

TEST(Worker, GivesUp) {
  Worker worker(0.05, pretend);
  EXPECT_EQ(worker.run(makeTrial("hang")).kind, Outcome::Timeout);
  Worker patient(20, pretend);
  EXPECT_EQ(patient.run(makeTrial("a")).kind, Outcome::Mismatch);
}

TEST(Worker, WaitsForAny) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (double limit : {0.2, 20.0})
    workers.push_back(std::make_unique<Worker>(limit, pretend));
  auto soon = [] { return Worker::Clock::now() + std::chrono::seconds(20); };
  EXPECT_EQ(waitForAny(workers, soon()), nullptr);
  workers[0]->begin(makeTrial("hang"));
  workers[1]->begin(makeTrial("a"));
  ASSERT_EQ(waitForAny(workers, soon()), workers[1].get());
  EXPECT_EQ(workers[1]->finish().message, "a");
  ASSERT_EQ(waitForAny(workers, soon()), workers[0].get());
  EXPECT_EQ(workers[0]->finish().kind, Outcome::Timeout);
}
