// The table of features.

#include "lib/Fuzz/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace tilec::fuzz {

static constexpr FeatureInfo kFeatures[] = {
    {Feature::Casts, "casts", "conversions between all element types", true},
    {Feature::Int64, "int64", "64-bit integers", true},
    {Feature::Fp64, "fp64", "double precision", true},
    {Feature::Fp8, "fp8", "8-bit floats", true},
    {Feature::Math, "math", "functions whose results are compared with a tolerance", true},
    {Feature::Special, "special", "NaN and infinities", true},
    {Feature::Reduce, "reduce", "reductions", true},
    {Feature::Scan, "scan", "cumsum, cumprod, associative_scan", true},
    {Feature::Dot, "dot", "matrix products", true},
    {Feature::Atomics, "atomics", "atomic operations", true},
    {Feature::Join, "join", "join, split, interleave, cat", true},
    {Feature::Gather, "gather", "gather", true},
    {Feature::Histogram, "histogram", "histogram", true},
    {Feature::Sort, "sort", "sort, topk, flip", true},
    {Feature::Loops, "loops", "for", true},
    {Feature::Jumps, "jumps", "break and continue", true},
    {Feature::While, "while", "while", true},
    {Feature::If, "if", "if, and conditional expressions", true},
    {Feature::Helpers, "helpers", "functions that the kernel calls", true},
    {Feature::Pointers, "pointers", "pointers that loops advance", true},
    {Feature::Blocks, "blocks", "block pointers", true},
    {Feature::Random, "random", "rand and randint", true},
    {Feature::Hints, "hints", "multiple_of, cache modifiers and the like", true},
    {Feature::Rank8, "rank8", "more than four dimensions", true},
};
static_assert(std::size(kFeatures) == size_t(Feature::Count));

ArrayRef<FeatureInfo> getFeatures() { return kFeatures; }

static FeatureSet getDefault() {
  FeatureSet set;
  for (const FeatureInfo &info : kFeatures)
    set[size_t(info.feature)] = info.isDefault;
  return set;
}

Expected<FeatureSet> parseFeatures(StringRef text) {
  FeatureSet set = text.empty() || text.starts_with("-") ? getDefault() : FeatureSet();
  SmallVector<StringRef> names;
  text.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : names) {
    StringRef name = word.trim();
    bool isOut = name.consume_front("-");
    if (name == "all" && !isOut) {
      set.set();
      continue;
    }
    if (name == "default" && !isOut) {
      set |= getDefault();
      continue;
    }
    const FeatureInfo *info =
        find_if(kFeatures, [&](const FeatureInfo &entry) { return entry.name == name; });
    if (info == std::end(kFeatures)) {
      std::string known;
      for (const FeatureInfo &entry : kFeatures)
        known += (known.empty() ? "" : ", ") + entry.name.str();
      return createStringError(inconvertibleErrorCode(),
                               "no feature '" + name + "'; there are " + known);
    }
    set[size_t(info->feature)] = !isOut;
  }
  return set;
}

} // namespace tilec::fuzz
