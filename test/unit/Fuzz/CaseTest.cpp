// Cases as files, trials and outcomes as bytes.
#include "lib/Fuzz/Features.h"
#include "lib/Fuzz/Trial.h"

#include "gtest/gtest.h"

using namespace tilec::fuzz;

namespace {

Case makeCase() {
  Case c;
  c.name = "k.tile";
  c.text = "@triton.jit\ndef k(x: \"*i32\"):\n    pass\n";
  c.kernel = "k";
  c.args = {"x=randint(0, 9, 64):i32", "n=3"};
  c.defines = {{"BLOCK", "64"}, {"NAME", "'a'"}};
  c.grid = {2, 3, 1};
  c.numWarps = 8;
  c.numStages = 2;
  c.misalign = 1;
  c.seed = 7;
  c.specialize = "full";
  c.tiles = {"BLOCK"};
  c.atol = 0.5;
  return c;
}

std::string getError(llvm::StringRef text) {
  auto cases = parseCases("k.tile", text);
  return cases ? "" : llvm::toString(cases.takeError());
}

} // namespace

TEST(Case, FileHoldsEverything) {
  Case c = makeCase();
  auto read = parseCases("k.tile", c.format("One\nTwo"));
  ASSERT_TRUE(bool(read));
  ASSERT_EQ(read->size(), 1u);
  EXPECT_TRUE(read->front() == c) << read->front().format("");
  EXPECT_EQ(
      c.format("One\nTwo").find("# One\n# Two\n# tile-fuzz: tiles=BLOCK\n# RUN: tile-run %s "), 0u);
}

TEST(Case, EveryRunLineIsACase) {
  auto read =
      parseCases("k.tile", "# RUN: tile-run %s --device=sim --grid=4 -D N=1 | FileCheck %s\n"
                           "# RUN: not tile-run %s --grid=5\n"
                           "# RUN: tilec %s\n"
                           "# RUN: tile-run %s --device=ref \\\n"
                           "# RUN:   --grid=2,2 2>&1\n"
                           "X = 1\n");
  ASSERT_TRUE(bool(read));
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].grid[0], 4u);
  EXPECT_EQ((*read)[0].defines.front().second, "1");
  EXPECT_EQ((*read)[1].grid[1], 2u);
  EXPECT_EQ((*read)[1].text, "X = 1\n");
}

TEST(Case, Errors) {
  EXPECT_EQ(getError("x = 1\n"), "k.tile: no comment '# RUN: tile-run %s ...' says how to run it");
  EXPECT_EQ(getError("# RUN: tile-run %s --grid=a\n"), "k.tile: 'a' is no value of '--grid'");
  EXPECT_NE(getError("# RUN: tile-run %s --gird=1\n").find("did you mean '--grid'?"),
            std::string::npos);
  EXPECT_NE(getError("# RUN: tile-run %s --atol=x\n").find("'x' is no value of '--atol'"),
            std::string::npos);
}

TEST(Trial, BytesHoldEverything) {
  Trial trial;
  trial.expected = makeCase();
  trial.tested = trial.expected;
  trial.tested->numWarps = 1;
  trial.device = "cuda:0";
  trial.plantOld = "a:b\n";
  trial.plantNew = "";
  Trial copy = Trial::deserialize(trial.serialize());
  EXPECT_TRUE(copy.expected == trial.expected);
  ASSERT_TRUE(copy.tested.has_value());
  EXPECT_TRUE(*copy.tested == *trial.tested);
  EXPECT_EQ(copy.device, trial.device);
  EXPECT_EQ(copy.plantOld, trial.plantOld);
  EXPECT_EQ(copy.plantNew, trial.plantNew);
}

TEST(Outcome, ClassesLeaveOutNamesAndNumbers) {
  auto classOf = [](Outcome::Kind kind, std::string text) {
    return Outcome{kind, text}.getClass();
  };
  EXPECT_EQ(classOf(Outcome::Mismatch, "out[1] is 2"), classOf(Outcome::Mismatch, "b[7] is 3"));
  EXPECT_EQ(classOf(Outcome::CompileError, "'a' has 3 (line 1)"),
            classOf(Outcome::CompileError, "'b' has 45 (line 20)"));
  EXPECT_NE(classOf(Outcome::CompileError, "'a' has"), classOf(Outcome::CompileError, "'a' had"));
  EXPECT_NE(classOf(Outcome::Rejected, "it is fp16[2]"),
            classOf(Outcome::Rejected, "it is fp32[2]"));
  EXPECT_NE(classOf(Outcome::Crash, "signal"), classOf(Outcome::RefFault, "signal"));
  Outcome outcome{Outcome::Crash, "a:b"};
  EXPECT_EQ(Outcome::deserialize(outcome.serialize()).message, "a:b");
  EXPECT_EQ(Outcome::deserialize(outcome.serialize()).kind, Outcome::Crash);
}

TEST(Features, Lists) {
  auto count = [](llvm::StringRef text) { return cantFail(parseFeatures(text)).count(); };
  EXPECT_EQ(count("scan"), 1u);
  EXPECT_EQ(count("scan, dot"), 2u);
  EXPECT_EQ(count("all"), size_t(Feature::Count));
  EXPECT_EQ(count("all,-scan"), size_t(Feature::Count) - 1);
  EXPECT_EQ(count("-reduce"), count("") - 1);
  EXPECT_EQ(count("default,-reduce"), count("") - 1);
  std::string error = llvm::toString(parseFeatures("scam").takeError());
  EXPECT_EQ(error.find("no feature 'scam'; there are casts, "), 0u);
}
