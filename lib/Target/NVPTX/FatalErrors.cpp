// Runs LLVM code so that a fatal error of LLVM's becomes an error value.
//
// report_fatal_error must not return to its caller, and a jump out of it would leave value handles
// registered that lie in frames which are gone. So the code runs on a second stack, which is left
// alone when that happens. A thread would do the same, but on a busy machine waiting for one to be
// scheduled took 3 ms, against 2 us for the switch of stacks.
#include "lib/Target/NVPTX/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define TILEC_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEC_ASAN
#endif
#endif
#ifdef TILEC_ASAN
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

using namespace llvm;

namespace tilec {

namespace {

constexpr size_t kStackBytes = size_t(16) << 20;

/// Stacks that no one uses at the moment.
class StackPool {
public:
  static StackPool &get() {
    static auto *pool = new StackPool; // never destroyed: threads may compile until the very end
    return *pool;
  }

  /// Null when there is no memory.
  char *acquire() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        char *stack = idle.back();
        idle.pop_back();
        return stack;
      }
    }
    void *memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
      return nullptr;
    // Running over the end faults instead of writing over a neighbour.
    mprotect(memory, size_t(sysconf(_SC_PAGESIZE)), PROT_NONE);
    return static_cast<char *>(memory);
  }

  void release(char *stack) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(stack);
  }

private:
  std::mutex mutex;
  std::vector<char *> idle;
};

//===--- What AddressSanitizer has to know ---------------------------------===//

#ifdef TILEC_ASAN
/// The bounds of the caller's stack, which the switch back has to name.
struct StackBounds {
  void *fake = nullptr;
  const void *bottom = nullptr;
  size_t size = 0;
};
void leave(StackBounds &from, const void *bottom, size_t size) {
  __sanitizer_start_switch_fiber(&from.fake, bottom, size);
}
void arrive(StackBounds &from) {
  __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.size);
}
void leaveForGood(StackBounds &to) { __sanitizer_start_switch_fiber(nullptr, to.bottom, to.size); }
void comeBack(StackBounds &from) { __sanitizer_finish_switch_fiber(from.fake, nullptr, nullptr); }
void abandon(const char *stack) { __lsan_register_root_region(stack, kStackBytes); }
#else
struct StackBounds {};
void leave(StackBounds &, const void *, size_t) {}
void arrive(StackBounds &) {}
void leaveForGood(StackBounds &) {}
void comeBack(StackBounds &) {}
void abandon(const char *) {}
#endif

//===--- Calls -------------------------------------------------------------===//

/// One call under way; lies in the caller's frame.
struct Call {
  function_ref<void()> body;
  ucontext_t caller;
  ucontext_t callee;
  StackBounds bounds;
  bool failed = false;
  std::string message;
};

thread_local Call *currentCall = nullptr;

void onFatalError(void *, const char *reason, bool) {
  Call *call = currentCall;
  if (!call) {
    // No one is there to take it: say what LLVM would have said, and let it end the process.
    errs() << "LLVM ERROR: " << reason << '\n';
    return;
  }
  call->failed = true;
  call->message = reason;
  leaveForGood(call->bounds);
  setcontext(&call->caller);
}

void runCurrentCall() {
  arrive(currentCall->bounds);
  currentCall->body();
  leaveForGood(currentCall->bounds);
}

} // namespace

Error runCatchingFatalErrors(function_ref<void()> body) {
  static std::once_flag installed;
  std::call_once(installed, [] { install_fatal_error_handler(onFatalError); });

  char *stack = StackPool::get().acquire();
  if (!stack)
    return createStringError("no memory for a stack to generate code on");
  Call call{body, {}, {}, {}, false, {}};
  getcontext(&call.callee);
  call.callee.uc_stack.ss_sp = stack;
  call.callee.uc_stack.ss_size = kStackBytes;
  call.callee.uc_link = &call.caller;
  makecontext(&call.callee, runCurrentCall, 0);

  Call *outer = currentCall;
  currentCall = &call;
  leave(call.bounds, stack, kStackBytes);
  swapcontext(&call.caller, &call.callee);
  comeBack(call.bounds);
  currentCall = outer;

  if (call.failed) {
    abandon(stack);
    return createStringError(call.message);
  }
  StackPool::get().release(stack);
  return Error::success();
}

} // namespace tilec
