// Makes wrong programs out of right ones.
#ifndef TILEC_TEST_FUZZ_MUTATOR_H
#define TILEC_TEST_FUZZ_MUTATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <random>
#include <string>
#include <vector>

namespace tilec::fuzz {

/// The texts of all .tile and .py files in some directories, and below them, in a fixed order.
/// Files over 256 KiB are left out.
std::vector<std::string> readSeeds(llvm::ArrayRef<std::string> directories);

/// Draws from its seed alone: the same one gives the same inputs.
class Mutator {
public:
  Mutator(std::vector<std::string> seeds, uint64_t seed) : seeds(std::move(seeds)), random(seed) {}
  /// A seed after one to eight changes; at most about a megabyte.
  std::string next();

private:
  size_t below(size_t limit) { return limit ? random() % limit : 0; }
  const std::string &pickSeed() { return seeds[below(seeds.size())]; }
  llvm::StringRef pickPiece(llvm::StringRef text, size_t longest);
  void mutate(std::string &text);

  std::vector<std::string> seeds;
  std::mt19937_64 random;
};

} // namespace tilec::fuzz

#endif // TILEC_TEST_FUZZ_MUTATOR_H
