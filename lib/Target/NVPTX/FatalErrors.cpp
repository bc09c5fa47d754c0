// Runs LLVM code so that a fatal error of LLVM's becomes an error value.
#include "lib/Target/NVPTX/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

using namespace llvm;

namespace tilec {

namespace {

/// Shared by the caller and the thread, which may outlive the call.
struct Guard {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  bool failed = false;
  std::string message;

  void finish(bool fatal, StringRef text) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
      failed = fatal;
      message = text.str();
    }
    changed.notify_all();
  }
};

thread_local Guard *currentGuard = nullptr;

void onFatalError(void *, const char *reason, bool) {
  if (!currentGuard) {
    // Not a thread of ours: say what LLVM would have said, and let it end the process.
    errs() << "LLVM ERROR: " << reason << '\n';
    return;
  }
  // Own the text before the caller wakes up and may drop what `reason` points into.
  std::string message = reason;
  currentGuard->finish(/*fatal=*/true, message);
  std::mutex never;
  std::unique_lock<std::mutex> lock(never);
  std::condition_variable nothing;
  while (true)
    nothing.wait(lock);
}

} // namespace

Error runCatchingFatalErrors(function_ref<void()> body) {
  static std::once_flag installed;
  std::call_once(installed, [] { install_fatal_error_handler(onFatalError); });

  auto guard = std::make_shared<Guard>();
  llvm::thread worker([guard, body] {
    currentGuard = guard.get();
    body();
    guard->finish(/*fatal=*/false, "");
  });
  std::unique_lock<std::mutex> lock(guard->mutex);
  guard->changed.wait(lock, [&] { return guard->done; });
  if (!guard->failed) {
    lock.unlock();
    worker.join();
    return Error::success();
  }
  worker.detach();
  return createStringError(guard->message);
}

} // namespace tilec
