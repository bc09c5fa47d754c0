// Parts of the language that the generator can be told to use or to leave out.
#ifndef TILEC_LIB_FUZZ_FEATURES_H
#define TILEC_LIB_FUZZ_FEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <bitset>
#include <cstdint>

namespace tilec::fuzz {

enum class Feature : uint8_t {
  Casts,
  Int64,
  Fp64,
  Fp8,
  Math,
  Special,
  Reduce,
  Scan,
  Dot,
  Atomics,
  Join,
  Gather,
  Histogram,
  Sort,
  Loops,
  Jumps,
  While,
  If,
  Helpers,
  Pointers,
  Blocks,
  Random,
  Hints,
  Rank8,
  Count,
};

struct FeatureInfo {
  Feature feature;
  /// As `--features` takes it.
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// Whether every part of the compiler has it, so that it is used unless told otherwise.
  bool isDefault;
};
/// All features, in the order of the enum.
llvm::ArrayRef<FeatureInfo> getFeatures();

using FeatureSet = std::bitset<size_t(Feature::Count)>;

/// Reads `--features`: names, comma-separated. "all" and "default" are sets; a name with '-' in
/// front is taken out of what stands before it, and a list that begins so begins with the default.
llvm::Expected<FeatureSet> parseFeatures(llvm::StringRef text);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_FEATURES_H
