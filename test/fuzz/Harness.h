// The loop of a fuzzer: draws inputs, tries them, and keeps the one that breaks a rule.
#ifndef TILEC_TEST_FUZZ_HARNESS_H
#define TILEC_TEST_FUZZ_HARNESS_H

#include "test/fuzz/Mutator.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilec::fuzz {

/// What a fuzzer is told on the command line.
struct Options {
  unsigned seconds = 10;
  uint64_t seed = 1;
  /// Try these files alone, once: what earlier runs kept.
  std::vector<std::string> inputs;
  std::vector<std::string> directories;
};

/// Reads the command line; ends the process if it is wrong.
Options parseOptions(int argc, char **argv, const char *overview);

/// Tries inputs until the time is up. `tryInput` gives "" if all is well, else what is wrong. A
/// crash, an input that takes more than 20 seconds, or a rule that is broken ends the loop with
/// the input in the file `keptFile`. Returns the exit status; prints how many inputs there were.
int run(const Options &options, Mutator &mutator, const char *keptFile,
        llvm::function_ref<std::string(const std::string &)> tryInput);

} // namespace tilec::fuzz

#endif // TILEC_TEST_FUZZ_HARNESS_H
