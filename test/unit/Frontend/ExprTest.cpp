// Expressions: precedence, calls, displays, literals.
#include "test/unit/Frontend/ParseHelper.h"

namespace tilec {
namespace {

TEST(Expr, Precedence) {
  EXPECT_EQ(expr("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(expr("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(expr("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(expr("a ** b ** c"), "(** a (** b c))");
  EXPECT_EQ(expr("-a ** -b"), "(- (** a (- b)))");
  EXPECT_EQ(expr("~-+a"), "(~ (- (+ a)))");
  EXPECT_EQ(expr("a | b ^ c & d << e + f @ g"), "(| a (^ b (& c (<< d (+ e (@ f g))))))");
  EXPECT_EQ(expr("a >> b // c % d / e"), "(>> a (/ (% (// b c) d) e))");
  EXPECT_EQ(expr("not a == b"), "(not (== a b))");
  EXPECT_EQ(expr("not a and not b or c"), "(or (and (not a) (not b)) c)");
  EXPECT_EQ(expr("a or b or c and d"), "(or a b (and c d))");
  EXPECT_EQ(expr("a | b < c"), "(< (| a b) c)");
  EXPECT_EQ(expr("await a.b ** c"), "(** (await a.b) c)");
}

TEST(Expr, Comparisons) {
  EXPECT_EQ(expr("a is not b"), "(is not a b)");
  EXPECT_EQ(expr("a not in b"), "(not in a b)");
  EXPECT_EQ(expr("a < b <= c != d"), "(chain a < b <= c != d)");
  EXPECT_EQ(expr("a in b is c"), "(chain a in b is c)");
}

TEST(Expr, ConditionalAndLambda) {
  EXPECT_EQ(expr("a if b else c if d else e"), "(if b a (if d c e))");
  EXPECT_EQ(expr("lambda: x if y else z"), "(lambda (if y x z))");
  EXPECT_EQ(expr("lambda a, /, b=1, *c, d, e=2, **f: a"),
            "(lambda (positional-only a) (param b = 1) (param *c) (keyword-only d) "
            "(keyword-only e = 2) (param **f) a)");
  EXPECT_EQ(expr("lambda *, a: lambda b: a"), "(lambda (keyword-only a) (lambda (param b) a))");
}

TEST(Expr, Calls) {
  EXPECT_EQ(expr("f()"), "(call f)");
  EXPECT_EQ(expr("tl.load(p + o, mask=m, other=0.0,)"), "(call tl.load (+ p o) mask=m other=0.0)");
  EXPECT_EQ(expr("f(a, *b, c, d=e, *g, **h, i=j)"), "(call f a *b c *g d=e **h i=j)");
  EXPECT_EQ(expr("f(x for x in y)"), "(call f (generator x (for x y)))");
  EXPECT_EQ(expr("f(a := 1, b)"), "(call f (:= a 1) b)");
  EXPECT_EQ(expr("f(a)(b)[c].d"), "(index (call (call f a) b) c).d");
}

TEST(Expr, Subscripts) {
  EXPECT_EQ(expr("a[1]"), "(index a 1)");
  EXPECT_EQ(expr("a[:, None]"), "(index a (tuple (slice _ _ _) None))");
  EXPECT_EQ(expr("a[1:2:3, ::, :b:]"),
            "(index a (tuple (slice 1 2 3) (slice _ _ _) (slice _ b _)))");
  EXPECT_EQ(expr("a[b,]"), "(index a (tuple b))");
  EXPECT_EQ(expr("a[*b]"), "(index a (tuple *b))");
  EXPECT_EQ(expr("a[(b, c)]"), "(index a (tuple b c))");
  EXPECT_EQ(expr("a[...]"), "(index a ...)");
  EXPECT_EQ(expr("a[x := 1]"), "(index a (:= x 1))");
}

TEST(Expr, Displays) {
  EXPECT_EQ(expr("()"), "(tuple)");
  EXPECT_EQ(expr("(a,)"), "(tuple a)");
  EXPECT_EQ(expr("a, b"), "(tuple a b)");
  EXPECT_EQ(expr("(a)"), "a");
  EXPECT_EQ(expr("[a, *b,]"), "(list a *b)");
  EXPECT_EQ(expr("{a, b}"), "(set a b)");
  EXPECT_EQ(expr("{}"), "(dict)");
  EXPECT_EQ(expr("{a: b, **c, 1: 2,}"), "(dict (a b) (** c) (1 2))");
  EXPECT_EQ(expr("(yield)"), "(yield)");
  EXPECT_EQ(expr("(yield from a)"), "(yield-from a)");
}

TEST(Expr, Comprehensions) {
  EXPECT_EQ(expr("[a for a in b if c if d for e in f]"),
            "(list-of a (for a b (if c) (if d)) (for e f))");
  EXPECT_EQ(expr("{a for a, b in c}"), "(set-of a (for (tuple a b) c))");
  EXPECT_EQ(expr("{a: b for a in c}"), "(dict-of a b (for a c))");
  EXPECT_EQ(expr("(a async for a in b)"), "(generator a (async-for a b))");
  EXPECT_EQ(expr("[x if y else z for x in a or b]"), "(list-of (if y x z) (for x (or a b)))");
  EXPECT_EQ(expr("[a for a, in b]"), "(list-of a (for (tuple a) b))");
}

TEST(Expr, Integers) {
  EXPECT_EQ(expr("1_000"), "1000");
  EXPECT_EQ(expr("0xFF"), "255");
  EXPECT_EQ(expr("0o17"), "15");
  EXPECT_EQ(expr("0b1_01"), "5");
  EXPECT_EQ(expr("0x0000000000000000000000001"), "1");
  EXPECT_EQ(expr("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(expr("18446744073709551616"), "18446744073709551616");
  EXPECT_EQ(expr("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(expr("0o7777777777777777777777"), "73786976294838206463");
  std::string digits = "123456789ABCDEF0" + std::string(64, '0') + "F";
  EXPECT_EQ(expr("0x" + digits), "0x" + digits);
}

TEST(Expr, IntegerValues) {
  Parsed parsed("9223372036854775807; 9223372036854775808; 0");
  ASSERT_EQ(parsed.module->body.size(), 3u);
  auto get = [&](size_t i) {
    return llvm::cast<ast::IntLiteral>(llvm::cast<ast::ExprStmt>(parsed.module->body[i])->value);
  };
  EXPECT_EQ(get(0)->getInt64(), INT64_MAX);
  EXPECT_EQ(get(0)->getValue().getBitWidth(), 64u);
  EXPECT_EQ(get(1)->getInt64(), std::nullopt);
  EXPECT_TRUE(get(1)->getValue().isNonNegative());
  EXPECT_EQ(get(1)->getValue().getZExtValue(), uint64_t(1) << 63);
  EXPECT_EQ(get(2)->getInt64(), 0);
}

TEST(Expr, Floats) {
  EXPECT_EQ(expr("1."), "1.0");
  EXPECT_EQ(expr(".5"), "0.5");
  EXPECT_EQ(expr("1e10"), "1e+10");
  EXPECT_EQ(expr("0.1"), "0.1");
  EXPECT_EQ(expr("1_0.2_5e-1"), "1.025");
  EXPECT_EQ(expr("1e400"), "1e999");
  EXPECT_EQ(expr("0.00001e310"), "1e+305");
  EXPECT_EQ(expr("0.00001e400"), "1e999");
  EXPECT_EQ(expr("1e-400"), "0.0");
  EXPECT_EQ(expr("123e99999999999999999999"), "1e999");
  EXPECT_EQ(expr("1e-99999999999999999999"), "0.0");
  EXPECT_EQ(expr("4.9e-324"), "5e-324");
  EXPECT_EQ(expr("2.5j"), "2.5j");
}

TEST(Expr, Strings) {
  EXPECT_EQ(expr("'a' \"b\""), "\"ab\"");
  EXPECT_EQ(expr("'\\n\\x41\\u00e9\\U0001F600\\101\\\\\\''"), "\"\\nA\xC3\xA9\xF0\x9F\x98\x80"
                                                              "A\\\\'\"");
  EXPECT_EQ(expr("r'\\n'"), "\"\\\\n\"");
  EXPECT_EQ(expr("'a\\\nb'"), "\"ab\"");
  EXPECT_EQ(expr("'''a\r\nb\rc'''"), "\"a\\nb\\nc\"");
  EXPECT_EQ(expr("'\\N{GREEK SMALL LETTER ALPHA}\\N{bullet}'"), "\"\xCE\xB1\xE2\x80\xA2\"");
  EXPECT_EQ(expr("b'\\xff\\0' b'a'"), "b\"\\xff\\x00a\"");
  EXPECT_EQ(expr("rb'\\x' BR'y'"), "b\"\\\\xy\"");
}

} // namespace
} // namespace tilec
