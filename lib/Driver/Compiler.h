// From source text to artifact: the options of a compilation, its stages and its result.
#ifndef TILEC_LIB_DRIVER_COMPILER_H
#define TILEC_LIB_DRIVER_COMPILER_H

#include "lib/Device/Artifact.h"
#include "lib/Support/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilec {

/// Where a compilation may stop, in order.
enum class Stage : uint8_t { AST, Tile, TileGPU, LLVM, PTX };

/// The stages as the command line names them, in order. Declared once, used everywhere.
struct StageInfo {
  Stage stage;
  /// What `--emit` takes: "ptx".
  llvm::StringLiteral name;
  /// Of the default output file, with the dot: ".ptx".
  llvm::StringLiteral extension;
  llvm::StringLiteral description;
};
llvm::ArrayRef<StageInfo> getStages();
std::optional<Stage> findStage(llvm::StringRef name);

struct CompileOptions {
  /// Kernels to compile; empty means every kernel of the file whose parameters have types.
  std::vector<std::string> kernels;
  /// Types of the parameters, in Triton's notation; empty if the annotations say them.
  std::string signature;
  /// NAME and VALUE of constexpr parameters and global constants.
  std::vector<std::pair<std::string, std::string>> defines;
  /// 0 lets the compiler choose.
  unsigned numWarps = 0;
  /// 0 lets the compiler choose.
  unsigned numStages = 0;
  std::string target = kDefaultTarget.str();
  /// The newest PTX version to write, as 83 for 8.3; 0 means no limit.
  unsigned maxPtxVersion = 0;
  std::vector<std::string> includeDirs;
  /// Source lines in the PTX.
  bool lineInfo = false;
  /// Check the assertions of kernels when they run.
  bool enableAsserts = false;
  /// LLVM's optimization level, 0 to 3; docs/design/ptx.md says what each costs and gains.
  unsigned optLevel = 2;
  /// Print the IR to `irStream` after every pass.
  bool printIRAfterAll = false;
  llvm::raw_ostream *irStream = nullptr;

  /// Told of each diagnostic as it is found, on the thread that compiles: a warning of a long
  /// compilation is of use before it has ended. The result has them all the same.
  std::function<void(const SourceManager &, const Diagnostic &)> onDiagnostic;

  /// The last stage to run, and whether its text is wanted in CompileResult::text.
  Stage stage = Stage::PTX;
  bool wantText = false;
  /// Which forms of the program the artifact gets. An unwanted PTX is not generated.
  bool wantPtx = true;
  bool wantTileModule = true;
  bool wantLoweredModule = true;
};

/// Milliseconds that a part of a compilation took.
struct StageTime {
  std::string name;
  double milliseconds;
};

/// What a compilation gives. Diagnostics refer to `sources`, which it keeps.
struct CompileResult {
  bool succeeded = false;
  std::unique_ptr<SourceManager> sources;
  /// Sorted by the time they were found; warnings come with success too.
  std::unique_ptr<DiagnosticEngine> diagnostics;
  /// Complete only if it succeeded and ran to Stage::PTX.
  Artifact artifact;
  /// The text of the last stage, if it was wanted.
  std::string text;
  std::vector<StageTime> times;
};

/// Compiles a source text called `name`. Thread-safe: any number of compilations may run at once;
/// MLIR contexts are kept warm between them. Never prints, exits or throws.
CompileResult compileText(llvm::StringRef name, llvm::StringRef text,
                          const CompileOptions &options);

/// Compiles a file, or standard input if `path` is "-".
CompileResult compileFile(llvm::StringRef path, const CompileOptions &options);

/// Frees the warm contexts that no compilation uses.
void releaseWarmContexts();

} // namespace tilec

#endif // TILEC_LIB_DRIVER_COMPILER_H
