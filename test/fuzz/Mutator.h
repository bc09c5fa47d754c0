// Makes wrong programs out of right ones.
#ifndef TILEC_TEST_FUZZ_MUTATOR_H
#define TILEC_TEST_FUZZ_MUTATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <random>
#include <string>
#include <vector>

namespace tilec::fuzz {

/// The texts of the files with one of the extensions in some directories, and below them, in a
/// fixed order. Files over 256 KiB are left out.
std::vector<std::string> readSeeds(llvm::ArrayRef<std::string> directories,
                                   llvm::ArrayRef<llvm::StringRef> extensions);

/// What is inserted into sources of the language, and into modules of MLIR.
llvm::ArrayRef<llvm::StringLiteral> getTileWords();
llvm::ArrayRef<llvm::StringLiteral> getMlirWords();

/// Draws from its seed alone: the same one gives the same inputs.
class Mutator {
public:
  /// Inputs have at most `maxInput` bytes.
  Mutator(std::vector<std::string> seeds, llvm::ArrayRef<llvm::StringLiteral> words,
          size_t maxInput, uint64_t seed)
      : seeds(std::move(seeds)), words(words), maxInput(maxInput), random(seed) {}
  /// A seed after one to eight changes.
  std::string next();
  size_t getNumSeeds() const { return seeds.size(); }
  /// A number below `limit`, or 0 if that is 0.
  size_t below(size_t limit) { return limit ? random() % limit : 0; }

private:
  const std::string &pickSeed() { return seeds[below(seeds.size())]; }
  llvm::StringRef pickPiece(llvm::StringRef text, size_t longest);
  std::pair<size_t, size_t> pickToken(llvm::StringRef text);
  void mutate(std::string &text);

  std::vector<std::string> seeds;
  llvm::ArrayRef<llvm::StringLiteral> words;
  size_t maxInput;
  std::mt19937_64 random;
};

} // namespace tilec::fuzz

#endif // TILEC_TEST_FUZZ_MUTATOR_H
