// Deep, long and large inputs: no overflow of the stack, and linear time.
#include "test/unit/Frontend/ParseHelper.h"

#include <ctime>

namespace tilec {
namespace {

std::string repeat(llvm::StringRef text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i)
    result += text;
  return result;
}

constexpr size_t kDeep = 100000;

TEST(Limits, DeepNestingIsAnError) {
  for (llvm::StringRef open :
       {"(",    "[",   "{",        "f(",           "a[",    "{1:",          "-",
        "not ", "~",   "lambda: ", "a if b else ", "a ** ", "[a for a in ", "[*",
        "(*",   "{**", "a[*",      "{a for a in ", "f(*",   "f'{"}) {
    std::string text = "x = " + repeat(open, kDeep) + "\ny = 1\n";
    Parsed parsed(text);
    ASSERT_TRUE(parsed.diags.hasErrors()) << open.str();
    EXPECT_EQ(parsed.diags.getDiagnostics()[0].message, "nesting too deep: more than 200 levels")
        << open.str();
  }
}

TEST(Limits, NestingBelowTheLimitIsNone) {
  EXPECT_EQ(expr(repeat("(", 190) + "a" + repeat(")", 190)), "a");
  EXPECT_EQ(expr(repeat("-", 3) + "a"), "(- (- (- a)))");
}

TEST(Limits, LongChainsAreAnError) {
  for (llvm::StringRef link : {"+a", ".a", "()", "[0]", "-a"}) {
    Parsed fits("x = a" + repeat(link, ast::kMaxExprHeight - 10) + "\n");
    EXPECT_FALSE(fits.diags.hasErrors()) << link.str();
    Parsed parsed("x = a" + repeat(link, kDeep) + "\n");
    ASSERT_EQ(parsed.diags.getErrorCount(), 1u) << link.str();
    EXPECT_EQ(parsed.diags.getDiagnostics()[0].message,
              "expression too long: more than 1000 operations in a chain; split it");
  }
}

TEST(Limits, FlatChainsAreUnlimited) {
  for (llvm::StringRef link : {" and a", " or a", " < a", ", a", " 'b'"}) {
    Parsed parsed((link == " 'b'" ? "x = 'a'" : "x = a") + repeat(link, kDeep) + "\n");
    EXPECT_FALSE(parsed.diags.hasErrors()) << link.str();
  }
}

TEST(Limits, DeepBlocks) {
  std::string text;
  for (unsigned i = 0; i < 99; ++i)
    text += std::string(i, ' ') + "if a:\n";
  EXPECT_EQ(errors(text + std::string(99, ' ') + "b\n"), "");
  EXPECT_EQ(errors(text + std::string(99, ' ') + "if a:\n" + std::string(100, ' ') + "b\n"),
            "101:1: too many levels of indentation\n");
}

TEST(Limits, ManyElif) {
  EXPECT_EQ(errors("if a: b\n" + repeat("elif a: b\n", 499)), "");
  EXPECT_EQ(errors("if a: b\n" + repeat("elif a: b\n", 5000)),
            "501:1: too many 'elif' branches: more than 500\n");
}

TEST(Limits, LongIntegers) {
  EXPECT_EQ(errors("x = " + std::string(4300, '9')), "");
  EXPECT_EQ(errors("x = " + std::string(4301, '9')),
            "1:5: integer literal has more than 4300 digits; write it in hexadecimal\n");
  Parsed parsed("x = 0x" + std::string(1000000, 'f'));
  EXPECT_FALSE(parsed.diags.hasErrors());
}

/// Time per byte must not grow with the size: a quadratic parser would be 16 times slower.
TEST(Limits, TimeIsLinear) {
  // The processor's time: a busy machine must not fail the test.
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  auto timeOf = [&](const std::string &text) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      double start = now();
      Parsed parsed(text);
      best = std::min(best, now() - start);
    }
    return best;
  };
  struct Case {
    llvm::StringRef head, body, tail;
  };
  for (Case c : {Case{"", "x = tl.load(p + i * 4, mask=i < n, other=0.0)\n", ""},
                 Case{"x = [", "'a', (1, 2),\n", "]\n"}, Case{"x = '''", "abc\\n\n", "'''\n"},
                 Case{"f(", "k=1, ", "**a)\n"}, Case{"x = f'''", "{a!r:>{w}} text ", "'''\n"},
                 Case{"(", "(\n]", ""}, Case{"", "match (a)\n", ""}, Case{"", "'", ""}}) {
    size_t times = 50000 / c.body.size();
    double small = timeOf((c.head + repeat(c.body, times) + c.tail).str());
    double large = timeOf((c.head + repeat(c.body, times * 16) + c.tail).str());
    EXPECT_LT(large, 16 * 5 * small + 0.02) << c.body.str();
  }
}

} // namespace
} // namespace tilec
