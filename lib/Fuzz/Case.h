// One kernel with everything that a run of it needs, as a file that tile-run and lit can run too.
#ifndef TILEC_LIB_FUZZ_CASE_H
#define TILEC_LIB_FUZZ_CASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilec::fuzz {

struct Case {
  /// Shown in messages.
  std::string name = "fuzz.tile";
  /// The source, without the comment lines before it that say how to run it.
  std::string text;
  /// Empty if the source has one kernel only.
  std::string kernel;
  /// NAME=VALUE as `tile-run --arg` takes it.
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> defines;
  std::array<uint64_t, 3> grid = {1, 1, 1};
  /// 0 lets the compiler choose.
  unsigned numWarps = 0, numStages = 0;
  unsigned misalign = 0;
  /// Of the random numbers among the arguments.
  uint64_t seed = 0;
  /// As tile-run's --specialize; empty is its default.
  std::string specialize;
  /// Compile-time constants of which each may be halved or doubled if the grid along the same axis
  /// is doubled or halved; a line `# tile-fuzz: tiles=NAME[,NAME[,NAME]]` of the file says so.
  std::vector<std::string> tiles;
  /// As tile-run's --rtol and --atol; negative leaves them out.
  double rtol = -1, atol = -1;

  bool operator==(const Case &other) const;
  bool operator!=(const Case &other) const { return !(*this == other); }

  /// The command that runs it, for a file named `file`.
  std::string getCommand(llvm::StringRef file) const;
  /// The file: `comment` in '#' lines, a RUN line, the source.
  std::string format(llvm::StringRef comment) const;
};

/// The cases of a file: one for each RUN line that calls tile-run on the file itself. Comment lines
/// at the beginning are left out of the source. Fails if there is no such line, or it is wrong.
llvm::Expected<std::vector<Case>> parseCases(llvm::StringRef name, llvm::StringRef text);
llvm::Expected<std::vector<Case>> readCases(llvm::StringRef path);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_CASE_H
