// Random kernels: the same for a seed, valid, and equal on the reference and the simulated GPU.
#include "lib/Fuzz/Generate.h"
#include "lib/Fuzz/Trial.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec::fuzz;

static FeatureSet getAll() { return cantFail(parseFeatures("all")); }

TEST(Generate, SameForASeed) {
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Case first = generateCase(seed, getAll());
    EXPECT_TRUE(first == generateCase(seed, getAll()));
    texts.insert(first.text);
  }
  EXPECT_EQ(texts.size(), 50u);
}

TEST(Generate, ValidAndEqual) {
  for (uint64_t seed = 100; seed < 130; ++seed) {
    Trial trial;
    trial.expected = generateCase(seed, getAll());
    EXPECT_EQ(runTrial(trial).describe(), "equal") << trial.expected.format("");
  }
}

TEST(Generate, FeaturesAreUsedAndLeftOut) {
  struct Sign {
    const char *feature, *text;
  };
  for (Sign sign :
       {Sign{"scan", "tl.cumsum("}, Sign{"dot", "tl.dot("}, Sign{"atomics", "tl.atomic_"},
        Sign{"join", "tl.join("}, Sign{"gather", "tl.gather("}, Sign{"histogram", "tl.histogram("},
        Sign{"sort", "tl.sort("}, Sign{"loops", "for i"}, Sign{"jumps", "continue"},
        Sign{"blocks", "make_block_ptr"}, Sign{"random", "tl.rand"}, Sign{"while", "while "},
        Sign{"if", "if "}, Sign{"helpers", "def swap"}, Sign{"fp8", "fp8"}, Sign{"math", "tl.sin("},
        Sign{"special", "float(\"nan\")"}, Sign{"fp64", "fp64"}}) {
    FeatureSet without = cantFail(parseFeatures(std::string("all,-") + sign.feature));
    if (llvm::StringRef(sign.feature) == "if")
      without = cantFail(parseFeatures("all,-if,-helpers,-jumps"));
    if (llvm::StringRef(sign.feature) == "loops")
      without = cantFail(parseFeatures("all,-loops,-pointers,-helpers"));
    bool isUsed = false;
    for (uint64_t seed = 0; seed < 400; ++seed) {
      isUsed |= generateCase(seed, getAll()).text.find(sign.text) != std::string::npos;
      EXPECT_EQ(generateCase(seed, without).text.find(sign.text), std::string::npos)
          << sign.feature << ", seed " << seed;
    }
    EXPECT_TRUE(isUsed) << sign.feature;
  }
}
