// Worker processes: requests and answers over a socket, both with their length in front.

#include "lib/Fuzz/Worker.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace tilec::fuzz {

/// A process is replaced after so many trials: what a compilation leaks is little, but adds up.
static constexpr unsigned kMaxUses = 400;
/// Memory of a worker, where no sanitizer needs more address space than that.
static constexpr rlim_t kMaxBytes = rlim_t(12) << 30;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEC_FUZZ_NO_LIMIT
#endif
#endif

static bool writeAll(int fd, const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = send(fd, static_cast<const char *>(data) + done, size - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += size_t(count);
  }
  return true;
}

static bool readAll(int fd, void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(fd, static_cast<char *>(data) + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += size_t(count);
  }
  return true;
}

static bool sendMessage(int fd, StringRef text) {
  uint64_t size = text.size();
  return writeAll(fd, &size, sizeof size) && writeAll(fd, text.data(), text.size());
}

static bool receiveMessage(int fd, std::string &text) {
  uint64_t size;
  if (!readAll(fd, &size, sizeof size))
    return false;
  text.resize(size);
  return readAll(fd, text.data(), size);
}

[[noreturn]] static void serve(int fd, Worker::Runner runner) {
  std::string request;
  while (receiveMessage(fd, request))
    if (!sendMessage(fd, runner(Trial::deserialize(request)).serialize()))
      break;
  _exit(0);
}

void Worker::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  log = memfd_create("worker", MFD_CLOEXEC);
  pid_t parent = getpid();
  pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGINT})
      std::signal(signal, SIG_DFL);
    rlimit noCore = {0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
#ifndef TILEC_FUZZ_NO_LIMIT
    rlimit memory = {kMaxBytes, kMaxBytes};
    setrlimit(RLIMIT_DATA, &memory);
#endif
    close(ends[0]);
    serve(ends[1], runner);
  }
  close(ends[1]);
  fd = ends[0];
  uses = 0;
}

void Worker::stop() {
  if (pid > 0) {
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  for (int *file : {&fd, &log}) {
    if (*file >= 0)
      close(*file);
    *file = -1;
  }
  pid = -1;
  busy = false;
}

void Worker::begin(const Trial &trial) {
  if (pid > 0 && uses >= kMaxUses)
    stop();
  if (pid <= 0)
    start();
  ++uses;
  busy = true;
  deadline = Clock::now() + std::chrono::microseconds(int64_t(limit * 1e6));
  // A process that is gone shows when the answer is read.
  (void)sendMessage(fd, trial.serialize());
}

Outcome Worker::finish() {
  using namespace std::chrono;
  pollfd entry = {fd, POLLIN, 0};
  for (;;) {
    int64_t left = duration_cast<milliseconds>(deadline - Clock::now()).count();
    int count = poll(&entry, 1, int(std::max<int64_t>(left, 0)));
    if (count < 0 && errno == EINTR)
      continue;
    if (count > 0)
      break;
    stop();
    return {Outcome::Timeout, ""};
  }
  std::string answer;
  if (!receiveMessage(fd, answer))
    return bury();
  busy = false;
  Outcome outcome = Outcome::deserialize(answer);
  // After a fault a GPU refuses whatever else the process asks of it.
  if (outcome.kind == Outcome::DeviceFault)
    stop();
  return outcome;
}

Outcome Worker::bury() {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  pid = -1;
  std::string message = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) + " (" +
                                                  strsignal(WTERMSIG(status)) + ")"
                                            : "exit status " + std::to_string(WEXITSTATUS(status));
  // What an assertion or a fatal error said.
  std::string printed(4096, '\0');
  ssize_t count = pread(log, printed.data(), printed.size(), 0);
  printed.resize(count > 0 ? size_t(count) : 0);
  SmallVector<StringRef> lines;
  StringRef(printed).split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains("ssertion") || line.contains("LLVM ERROR") || line.contains("ERROR: ")) {
      message += ": " + line.str();
      break;
    }
  stop();
  return {Outcome::Crash, message};
}

Worker *waitForAny(const std::vector<std::unique_ptr<Worker>> &workers,
                   Worker::Clock::time_point until) {
  using namespace std::chrono;
  for (;;) {
    std::vector<pollfd> entries;
    std::vector<Worker *> busy;
    Worker::Clock::time_point next = until;
    for (const std::unique_ptr<Worker> &worker : workers) {
      if (!worker->isBusy())
        continue;
      entries.push_back({worker->getFd(), POLLIN, 0});
      busy.push_back(worker.get());
      next = std::min(next, worker->getDeadline());
    }
    if (busy.empty())
      return nullptr;
    int64_t left = duration_cast<milliseconds>(next - Worker::Clock::now()).count() + 1;
    int count = poll(entries.data(), entries.size(), int(std::clamp<int64_t>(left, 0, 1000000)));
    if (count < 0 && errno == EINTR)
      continue;
    Worker::Clock::time_point now = Worker::Clock::now();
    for (size_t i = 0; i != busy.size(); ++i)
      if ((count > 0 && entries[i].revents) || now >= busy[i]->getDeadline())
        return busy[i];
    if (now >= until)
      return nullptr;
  }
}

} // namespace tilec::fuzz
