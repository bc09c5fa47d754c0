// The command-line tools, without their main().
#ifndef TILEC_LIB_DRIVER_TOOLS_H
#define TILEC_LIB_DRIVER_TOOLS_H

#include "lib/Driver/CommandLine.h"
#include "lib/Driver/Compiler.h"

namespace tilec {

/// Runs `tilec`. `args` is without the program's name. Returns the exit status: 0, or 1 after any
/// error. Reads standard input if the input is "-".
int tilecMain(llvm::ArrayRef<const char *> args, const ToolStreams &streams);

/// Runs `tile-run`.
int tileRunMain(llvm::ArrayRef<const char *> args, const ToolStreams &streams);

/// "TOOL 0.1.0 (LLVM 22.1.8)".
std::string getVersionLine(llvm::StringRef tool);

/// Answers --help and --version. Returns whether one was asked for, and with that the tool is done.
bool answerQuestions(const CommandLine &line, llvm::StringRef tool, llvm::StringRef help,
                     llvm::raw_ostream &os);

/// The table of `--list-targets`.
void printTargets(llvm::raw_ostream &os);

/// How to show diagnostics, by `--color`.
llvm::Expected<RenderOptions> getRenderOptions(const CommandLine &line);

/// Options that tilec and tile-run have in common: kernels, signature, defines, warps, stages,
/// target, include directories.
llvm::Expected<CompileOptions> getCompileOptions(const CommandLine &line);

/// Makes compilations show their diagnostics as they find them; showLimits() shows the rest after
/// one.
void showDiagnostics(CompileOptions &options, const ToolStreams &streams,
                     const RenderOptions &rendering);
/// Shows which limits of diagnostics a compilation reached.
inline void showLimits(const CompileResult &result, const ToolStreams &streams) {
  result.diagnostics->renderLimits(streams.err);
}

/// Prints the times of the stages and their sum as a table.
void printTimes(llvm::raw_ostream &os, llvm::ArrayRef<StageTime> times);

/// Writes a file that appears only when complete; "-" is the tool's output.
llvm::Error writeOutput(const ToolStreams &streams, llvm::StringRef path, llvm::StringRef text);

/// The exit status of a tool that would end with `status`: 1, and a message, if its output could
/// not be written.
int finishTool(const ToolStreams &streams, llvm::StringRef tool, int status);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_TOOLS_H
