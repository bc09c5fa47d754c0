// Feeds mutated sources to the front end. It must neither crash nor hang, must point only into the
// source, and must say what is wrong. An input that breaks this is kept in a file.
#include "lib/Frontend/ASTPrinter.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"
#include "test/fuzz/Mutator.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace tilec;

namespace {

constexpr unsigned kHangSeconds = 20;
constexpr char kCrashFile[] = "tilec-frontend-fuzz-input.tile";

/// What is being tried, for the signal handlers.
const char *currentText;
size_t currentSize;

/// Only calls that a signal handler may make.
void keepInput() {
  int fd = open(kCrashFile, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0)
    return;
  for (size_t done = 0; done < currentSize;) {
    ssize_t count = write(fd, currentText + done, currentSize - done);
    if (count <= 0)
      break;
    done += size_t(count);
  }
  close(fd);
  constexpr char message[] = "the input is in tilec-frontend-fuzz-input.tile\n";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
}

void onCrash(void *) { keepInput(); }

void onHang(int) {
  constexpr char message[] = "no end within 20 seconds\n";
  (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
  keepInput();
  _exit(1);
}

/// Empty if all is well, else what is wrong.
std::string checkRanges(const SourceManager &sources, FileID file, const Diagnostic &diagnostic) {
  SourceRange range = diagnostic.range;
  if (diagnostic.message.empty())
    return "a diagnostic without a message";
  if (!range.isValid() || range.end < range.begin || sources.getFile(range.begin) != file ||
      sources.getFile(range.end) != file)
    return "a range outside the source: " + diagnostic.message;
  for (const Diagnostic &note : diagnostic.notes)
    if (std::string problem = checkRanges(sources, file, note); !problem.empty())
      return problem;
  return "";
}

std::string checkStatements(const SourceManager &sources, FileID file, ast::Block block) {
  SourceLoc previous = sources.getLoc(file, 0);
  for (const ast::Stmt *stmt : block) {
    if (stmt->range.begin < previous || stmt->range.end <= stmt->range.begin)
      return "the ranges of two statements overlap";
    previous = stmt->range.begin;
  }
  return "";
}

/// What was generated must be valid, and what was not must have a reason.
std::string tryGenerate(mlir::MLIRContext &context, const ast::Module &module,
                        SourceManager &sources, DiagnosticEngine &diags, size_t &generated) {
  mlir::OwningOpRef<mlir::ModuleOp> result = generate(context, module, sources, diags, {});
  generated += bool(result);
  if (!result && !diags.hasErrors())
    return "no module and no error";
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    if (llvm::StringRef(diagnostic.message).contains("internal error"))
      return diagnostic.message;
  diags.renderToString();
  return "";
}

std::string tryInput(mlir::MLIRContext &mlirContext, const std::string &text, size_t &accepted,
                     size_t &generated) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  FileID file = sources.addText("fuzz.tile", text);
  ast::Module *module = parseModule(sources, file, diags, context);
  if (!module)
    return "no module";
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    if (std::string problem = checkRanges(sources, file, diagnostic); !problem.empty())
      return problem;
  std::string dumped;
  llvm::raw_string_ostream os(dumped);
  dumpModule(*module, os);
  diags.renderToString();
  accepted += !diags.hasErrors();
  if (std::string problem = checkStatements(sources, file, module->body); !problem.empty())
    return problem;
  return diags.hasErrors() ? "" : tryGenerate(mlirContext, *module, sources, diags, generated);
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::OptionCategory category("Options");
  llvm::cl::opt<unsigned> seconds("seconds", llvm::cl::desc("How long to go on"),
                                  llvm::cl::init(10), llvm::cl::cat(category));
  llvm::cl::opt<uint64_t> seed("seed", llvm::cl::desc("Start of the random sequence"),
                               llvm::cl::init(1), llvm::cl::cat(category));
  llvm::cl::list<std::string> directories(llvm::cl::Positional, llvm::cl::desc("DIR..."),
                                          llvm::cl::OneOrMore, llvm::cl::cat(category));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "feed mutated sources to the front end\n");

  std::vector<std::string> seeds = fuzz::readSeeds(std::vector<std::string>(directories));
  if (seeds.empty()) {
    llvm::errs() << "error: no .tile or .py file in the directories\n";
    return 1;
  }
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::sys::AddSignalHandler(onCrash, nullptr);
  std::signal(SIGALRM, onHang);

  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  fuzz::Mutator mutator(seeds, seed);
  mlir::MLIRContext mlirContext(mlir::MLIRContext::Threading::DISABLED);
  size_t count = 0, accepted = 0, generated = 0;
  double slowest = 0;
  for (Clock::time_point now = Clock::now(); now < end; ++count) {
    std::string text = mutator.next();
    currentText = text.data();
    currentSize = text.size();
    alarm(kHangSeconds);
    Clock::time_point start = Clock::now();
    std::string problem = tryInput(mlirContext, text, accepted, generated);
    now = Clock::now();
    alarm(0);
    slowest = std::max(slowest, std::chrono::duration<double>(now - start).count());
    if (!problem.empty()) {
      llvm::errs() << "error: " << problem << '\n';
      keepInput();
      return 1;
    }
  }
  llvm::outs() << count << " inputs from " << seeds.size() << " files, " << accepted
               << " parsed, " << generated << " generated, slowest " << unsigned(slowest * 1000) << " ms\n";
  return 0;
}
