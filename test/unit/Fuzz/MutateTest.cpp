// Changes that mean the same: each kind applies, is accepted, and gives equal results.
#include "lib/Fuzz/Mutate.h"
#include "lib/Fuzz/Trial.h"

#include "gtest/gtest.h"

using namespace tilec::fuzz;

TEST(Mutate, EveryKindGivesEqualResults) {
  Case original = llvm::cantFail(parseCases("k.tile", R"(
# RUN: tile-run %s --device=sim --grid=1 --num-warps=4 --arg 'x=randint(-9, 9, 128):i32' --arg 'out=zeros(128):i32' --arg n=3

@triton.jit
def k(x: "*i32", out: "*i32", n: "i32"):
    i = tl.arange(0, 128)
    total = tl.load(x + i)
    for j in range(n):
        total += total * 3 + j
    for j in range(1, n + 2, 2):
        total = total ^ (i + j)
    tl.store(out + i, total, mask=i < 100)
)"))[0];
  std::string seen;
  unsigned accepted = 0, total = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::optional<Case> changed = mutateCase(original, random);
    if (!changed)
      continue;
    EXPECT_TRUE(*changed != original);
    Trial trial;
    trial.expected = original;
    trial.tested = *changed;
    Outcome outcome = runTrial(trial);
    ++total;
    // A change may break a rule of types, as a pointer in the place of an offset does.
    if (outcome.kind == Outcome::Rejected)
      continue;
    ++accepted;
    EXPECT_EQ(outcome.describe(), "equal") << changed->format("");
    seen += changed->format("");
  }
  EXPECT_GE(accepted * 10, total * 7) << accepted << " of " << total;
  for (const char *sign :
       {"if fuzz_n == 3:", "in range(fuzz_n - 2)", "tl.store(fuzz_scratch", "if fuzz_n == 3 else",
        "fuzz_m", "if 0 < (n):", "((j) + (i))", "--num-warps=1", "--num-stages="})
    EXPECT_NE(seen.find(sign), std::string::npos) << sign;
}

TEST(Mutate, TilesAndGridChangeTogether) {
  Case original = llvm::cantFail(parseCases("k.tile", R"(
# tile-fuzz: tiles=BLOCK
# RUN: tile-run %s --grid=5 -D BLOCK=32 --arg 'x=arange(150):i32' --arg 'out=zeros(150):i32' --arg n=150

@triton.jit
def k(x: "*i32", out: "*i32", n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
)"))[0];
  std::string seen;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Trial trial;
    trial.expected = original;
    trial.tested = mutateCase(original, random);
    if (!trial.tested || trial.tested->defines == original.defines)
      continue;
    EXPECT_EQ(runTrial(trial).describe(), "equal") << trial.tested->format("");
    seen += trial.tested->format("");
  }
  EXPECT_NE(seen.find("--grid=10 "), std::string::npos);
  EXPECT_NE(seen.find("BLOCK=16"), std::string::npos);
  EXPECT_NE(seen.find("--grid=3 "), std::string::npos);
  EXPECT_NE(seen.find("BLOCK=64"), std::string::npos);
}

TEST(Mutate, SameForASeed) {
  Case original;
  original.text = "@triton.jit\ndef k(out: \"*i32\"):\n    i = tl.arange(0, 32)\n"
                  "    tl.store(out + i, i * 2 + 1)\n";
  original.args = {"out=zeros(32):i32"};
  Random first(5), second(5);
  std::optional<Case> a = mutateCase(original, first), b = mutateCase(original, second);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(*a == *b);
}

TEST(Mutate, NothingWhereNothingApplies) {
  Case original;
  original.text = "x = 1 +\n";
  Random random(1);
  std::optional<Case> changed = mutateCase(original, random);
  EXPECT_TRUE(!changed || changed->text == original.text);
}
