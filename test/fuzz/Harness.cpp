// Time limit, signal handlers and statistics of the fuzzers.
#include "test/fuzz/Harness.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace tilec;

namespace {

constexpr unsigned kHangSeconds = 20;

/// What is being tried and where it is kept, for the signal handlers.
const char *currentText;
size_t currentSize;
const char *currentFile;

/// Only calls that a signal handler may make.
void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

void keepInput() {
  int fd = open(currentFile, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0)
    return;
  for (size_t done = 0; done < currentSize;) {
    ssize_t count = write(fd, currentText + done, currentSize - done);
    if (count <= 0)
      break;
    done += size_t(count);
  }
  close(fd);
  say("the input is in ");
  say(currentFile);
  say("\n");
}

void onCrash(void *) { keepInput(); }

void onHang(int) {
  say("no end within 20 seconds\n");
  keepInput();
  _exit(1);
}

} // namespace

fuzz::Options fuzz::parseOptions(int argc, char **argv, const char *overview) {
  llvm::cl::OptionCategory category("Options");
  llvm::cl::opt<unsigned> seconds("seconds", llvm::cl::desc("How long to go on"),
                                  llvm::cl::init(10), llvm::cl::cat(category));
  llvm::cl::opt<uint64_t> seed("seed", llvm::cl::desc("Start of the random sequence"),
                               llvm::cl::init(1), llvm::cl::cat(category));
  llvm::cl::list<std::string> inputs("input", llvm::cl::desc("Try this file and no other"),
                                     llvm::cl::cat(category));
  llvm::cl::list<std::string> directories(llvm::cl::Positional, llvm::cl::desc("DIR..."),
                                          llvm::cl::OneOrMore, llvm::cl::cat(category));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  // In this order: printing the stack allocates, which may crash again.
  llvm::sys::AddSignalHandler(onCrash, nullptr);
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  return {seconds, seed, std::vector<std::string>(inputs), std::vector<std::string>(directories)};
}

int fuzz::run(const Options &options, Mutator &mutator, const char *keptFile,
              llvm::function_ref<std::string(const std::string &)> tryInput) {
  using Clock = std::chrono::steady_clock;
  currentFile = keptFile;
  std::signal(SIGALRM, onHang);
  size_t count = 0;
  double slowest = 0;
  auto tryOne = [&](const std::string &text) {
    ++count;
    currentText = text.data();
    currentSize = text.size();
    alarm(kHangSeconds);
    Clock::time_point start = Clock::now();
    std::string problem = tryInput(text);
    alarm(0);
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
    if (problem.empty())
      return true;
    llvm::errs() << "error: " << problem << '\n';
    keepInput();
    return false;
  };
  for (const std::string &path : options.inputs) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      llvm::errs() << "error: cannot read '" << path << "'\n";
      return 1;
    }
    if (!tryOne((*buffer)->getBuffer().str()))
      return 1;
  }
  Clock::time_point end = Clock::now() + std::chrono::seconds(options.seconds);
  while (options.inputs.empty() && Clock::now() < end)
    if (!tryOne(mutator.next()))
      return 1;
  llvm::outs() << count << " inputs from " << mutator.getNumSeeds() << " seeds, slowest "
               << unsigned(slowest * 1000) << " ms\n";
  return 0;
}
