// A planted fault is found, and little is left of the kernel around it.
#include "lib/Fuzz/Minimize.h"
#include "lib/Fuzz/Syntax.h"

#include "gtest/gtest.h"

using namespace tilec::fuzz;

namespace {

Trial makeTrial() {
  Trial trial;
  trial.expected = llvm::cantFail(parseCases("k.tile", R"(
# RUN: tile-run %s --kernel=k --device=sim --grid=2 --num-warps=8 --arg 'x=randint(-9, 9, 512):i32' --arg 'out=zeros(512):i32' --arg n=3

@triton.jit
def twice(a):
    return a + a

@triton.jit
def k(x: "*i32", out: "*i32", n: "i32"):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    a = tl.load(x + i)
    b = twice(a) * 3
    for j in range(n):
        b += j
        c = tl.maximum(b, a ^ 77)
        b = c & 1023
    if n > 2:
        b = b - tl.max(a, 0)
    tl.store(out + i, b, mask=i < 500)
)"))[0];
  trial.plantOld = "tl.maximum(";
  trial.plantNew = "tl.minimum(";
  return trial;
}

} // namespace

TEST(Minimize, PlantedFault) {
  Trial trial = makeTrial();
  Outcome outcome = runTrial(trial);
  ASSERT_EQ(outcome.kind, Outcome::Mismatch) << outcome.describe();
  std::string text;
  llvm::raw_string_ostream progress(text);
  Trial small = minimize(trial, outcome, /*seconds=*/60, /*secondsPerTrial=*/20, progress);
  EXPECT_EQ(runTrial(small).kind, Outcome::Mismatch);
  EXPECT_EQ(outcome.kind, Outcome::Mismatch);
  const std::string &source = small.expected.text;
  EXPECT_NE(source.find("tl.maximum("), std::string::npos) << source;
  EXPECT_EQ(source.find("twice"), std::string::npos) << source;
  EXPECT_EQ(source.find("for "), std::string::npos) << source;
  EXPECT_EQ(source.find("if "), std::string::npos) << source;
  EXPECT_LT(source.size(), 200u) << source;
  EXPECT_EQ(small.expected.numWarps, 1u);
  EXPECT_EQ(small.expected.grid[0], 1u);
}

TEST(Syntax, PlacesAndEdits) {
  Syntax syntax("A = 1\n\n@triton.jit\ndef k(n):\n    if n:\n        a = (n +\n             1)\n"
                "    else:\n        a = 2; b = 3\n    for i in range(n):\n        a += i  # i32\n");
  ASSERT_TRUE(syntax.isValid());
  // Two statements of one line are none by themselves.
  ASSERT_EQ(syntax.getStatements().size(), 6u);
  const Syntax::Place &assign = syntax.getStatements()[3];
  EXPECT_EQ(syntax.getLines(assign.stmt), "a = (n +\n     1)\n");
  EXPECT_EQ(syntax.getIndent(assign.stmt), 8u);
  const Syntax::Place &last = syntax.getStatements().back();
  EXPECT_EQ(last.loops, 1u);
  EXPECT_EQ(applyEdits("abcdef", {{4, 5, "X"}, {1, 2, ""}}), "acdXf");
  Edit edit = syntax.replaceLines(syntax.getStatements()[1].stmt, "");
  EXPECT_EQ(applyEdits(syntax.getText(), {edit}), "A = 1\n\n");
}
