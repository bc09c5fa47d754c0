// What the tools share: options of the compiler, versions, tables, output files.

#include "lib/Driver/Tools.h"
#include "lib/Support/OutputFile.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cstdlib>

using namespace llvm;

namespace tilec {

std::string getVersionLine(StringRef tool) {
  return (tool + " " TILEC_VERSION " (LLVM " LLVM_VERSION_STRING ")\n").str();
}

bool answerQuestions(const CommandLine &line, StringRef tool, StringRef help, raw_ostream &os) {
  if (line.has("help") || line.has("h"))
    os << help;
  else if (line.has("version"))
    os << getVersionLine(tool);
  else
    return false;
  return true;
}

void printTargets(raw_ostream &os) {
  for (const TargetInfo &target : allTargets()) {
    os << left_justify(target.name, 9) << target.description;
    if (target.name == kDefaultTarget)
      os << " (default)";
    os << '\n';
  }
}

Expected<RenderOptions> getRenderOptions(const CommandLine &line) {
  Expected<size_t> choice = line.getChoice("color", {"auto", "always", "never"}, 0);
  if (!choice)
    return choice.takeError();
  RenderOptions options;
  const ColorMode modes[] = {ColorMode::Auto, ColorMode::Always, ColorMode::Never};
  options.color = modes[*choice];
  const char *noColor = std::getenv("NO_COLOR");
  if (options.color == ColorMode::Auto && noColor && *noColor)
    options.color = ColorMode::Never;
  return options;
}

Expected<CompileOptions> getCompileOptions(const CommandLine &line) {
  CompileOptions options;
  options.kernels = line.getAll("kernel");
  options.signature = line.get("signature").value_or("").str();
  options.includeDirs = line.getAll("I");
  if (std::optional<StringRef> target = line.get("target"))
    options.target = target->str();
  auto defines = line.getPairs("D");
  if (!defines)
    return defines.takeError();
  options.defines = std::move(*defines);
  auto warps = line.getNumber("num-warps", 1, 32);
  if (!warps)
    return warps.takeError();
  options.numWarps = warps->value_or(0);
  auto stages = line.getNumber("num-stages", 1, 16);
  if (!stages)
    return stages.takeError();
  options.numStages = stages->value_or(0);
  options.lineInfo = line.has("g");
  options.enableAsserts = line.has("enable-asserts");
  return options;
}

void showDiagnostics(CompileOptions &options, const ToolStreams &streams,
                     const RenderOptions &rendering) {
  options.onDiagnostic = [&err = streams.err, rendering](const SourceManager &sources,
                                                         const Diagnostic &diagnostic) {
    renderDiagnostic(err, sources, diagnostic, rendering);
    err.flush();
  };
}

void printTimes(raw_ostream &os, ArrayRef<StageTime> times) {
  double sum = 0;
  for (const StageTime &time : times)
    sum += time.milliseconds;
  auto row = [&](StringRef name, double milliseconds) {
    os << left_justify(name, 12)
       << format("%9.2f ms %5.1f %%\n", milliseconds, sum > 0 ? 100 * milliseconds / sum : 0.0);
  };
  for (const StageTime &time : times)
    row(time.name, time.milliseconds);
  row("total", sum);
}

Error writeOutput(const ToolStreams &streams, StringRef path, StringRef text) {
  Error error = Error::success();
  if (path == "-") {
    streams.out << text;
    error = joinErrors(std::move(error), takeStreamError(streams.out));
  } else {
    error = joinErrors(std::move(error), writeFile(path, text));
  }
  if (!error)
    return Error::success();
  std::string name = path == "-" ? "the standard output" : ("'" + path + "'").str();
  return createStringError(inconvertibleErrorCode(),
                           "cannot write " + name + ": " + toString(std::move(error)));
}

int finishTool(const ToolStreams &streams, StringRef tool, int status) {
  Error error = takeStreamError(streams.out);
  if (!error)
    return status;
  streams.err << tool << ": error: cannot write the standard output: " << toString(std::move(error))
              << '\n';
  consumeError(takeStreamError(streams.err));
  return 1;
}

} // namespace tilec
