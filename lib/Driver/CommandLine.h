// Command lines, read by a table of options. Shared by tilec and tile-run.
#ifndef TILEC_LIB_DRIVER_COMMANDLINE_H
#define TILEC_LIB_DRIVER_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilec {

/// One option. A name of one letter is written with one dash (`-o FILE`, `-oFILE`), a longer one
/// with two (`--emit=VALUE`, `--emit VALUE`).
struct OptionSpec {
  enum Kind : uint8_t {
    Flag,  ///< Takes no value.
    Value, ///< Takes one; given twice, the last one counts.
    List,  ///< Takes one and may be given many times.
  };
  llvm::StringLiteral name;
  Kind kind;
};

/// A command line that was read. Refers to the table and the arguments.
class CommandLine {
public:
  /// `args` is without the program's name. The error says what is wrong and what is near.
  static llvm::Expected<CommandLine> parse(llvm::ArrayRef<OptionSpec> table,
                                           llvm::ArrayRef<const char *> args);

  bool has(llvm::StringRef name) const;
  /// The value given last.
  std::optional<llvm::StringRef> get(llvm::StringRef name) const;
  std::vector<std::string> getAll(llvm::StringRef name) const;
  /// A whole number from `low` to `high`; nothing if the option is absent.
  llvm::Expected<std::optional<uint64_t>> getNumber(llvm::StringRef name, uint64_t low,
                                                    uint64_t high) const;
  /// The value as a number in `choices`, or `fallback` if the option is absent. The error lists the
  /// choices.
  llvm::Expected<size_t> getChoice(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> choices,
                                   size_t fallback) const;
  /// What is no option, in order; "-" is such.
  llvm::ArrayRef<llvm::StringRef> getPositional() const { return positional; }
  /// The values of a List of NAME=VALUE, or `form`, split; fails without '=' or without a name.
  llvm::Expected<std::vector<std::pair<std::string, std::string>>>
  getPairs(llvm::StringRef name, llvm::StringRef form = "NAME=VALUE") const;

private:
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> options;
  std::vector<llvm::StringRef> positional;
};

/// As it is written: "-o", "--emit".
std::string spellOption(llvm::StringRef name);

/// "'a', 'b' or 'c'".
std::string joinNames(llvm::ArrayRef<llvm::StringRef> names);

/// Where a tool writes.
struct ToolStreams {
  llvm::raw_ostream &out;
  llvm::raw_ostream &err;
};

/// Prints "TOOL: error: MESSAGE" and returns 1, the exit status.
int failTool(const ToolStreams &streams, llvm::StringRef tool, const llvm::Twine &message);
int failTool(const ToolStreams &streams, llvm::StringRef tool, llvm::Error error);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_COMMANDLINE_H
