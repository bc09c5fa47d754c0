// f-strings as in Python 3.12.
#include "test/unit/Frontend/ParseHelper.h"

namespace tilec {
namespace {

TEST(FString, TextAndFields) {
  EXPECT_EQ(expr("f''"), "(fstring)");
  EXPECT_EQ(expr("f'a{b}c'"), "(fstring \"a\" (field b) \"c\")");
  EXPECT_EQ(expr("f'{a}{b!r}'"), "(fstring (field a) (field b !r))");
  EXPECT_EQ(expr("f'{{{a}}}'"), "(fstring \"{\" (field a) \"}\")");
  EXPECT_EQ(expr("f'\\n{a}\\x41'"), "(fstring \"\\n\" (field a) \"A\")");
  EXPECT_EQ(expr("rf'\\n{a}'"), "(fstring \"\\\\n\" (field a))");
  EXPECT_EQ(expr("f'{ {1: 2}[1] }'"), "(fstring (field (index (dict (1 2)) 1)))");
}

TEST(FString, Formats) {
  EXPECT_EQ(expr("f'{a:>10}'"), "(fstring (field a (fstring \">10\")))");
  EXPECT_EQ(expr("f'{a!s:{w}.{p}f}'"),
            "(fstring (field a !s (fstring (field w) \".\" (field p) \"f\")))");
  EXPECT_EQ(expr("f'{a:}'"), "(fstring (field a (fstring)))");
  EXPECT_EQ(expr("f'{x:=+5}'"), "(fstring (field x (fstring \"=+5\")))");
}

TEST(FString, DebugShowsItsText) {
  EXPECT_EQ(expr("f'{a=}'"), "(fstring \"a=\" (field a !r))");
  EXPECT_EQ(expr("f'x{ a + b = !s}'"), "(fstring \"x a + b = \" (field (+ a b) !s))");
  EXPECT_EQ(expr("f'{a=:>5}'"), "(fstring \"a=\" (field a (fstring \">5\")))");
}

TEST(FString, NestingAndQuotes) {
  EXPECT_EQ(expr("f'{d['k']}'"), "(fstring (field (index d \"k\")))");
  EXPECT_EQ(expr("f'{f'{f'{x}'}'}'"), "(fstring (field (fstring (field (fstring (field x))))))");
  EXPECT_EQ(expr("f'''a\n{\nb # c\n}'''"), "(fstring \"a\\n\" (field b))");
  EXPECT_EQ(expr("f'{a, *b}'"), "(fstring (field (tuple a *b)))");
  EXPECT_EQ(expr("f'{(lambda x: x)(1)}'"), "(fstring (field (call (lambda (param x) x) 1)))");
}

TEST(FString, JoinsItsNeighbours) {
  EXPECT_EQ(expr("'a' f'b{c}d' 'e' f'f'"), "(fstring \"ab\" (field c) \"def\")");
}

TEST(FString, Errors) {
  EXPECT_EQ(errors("f'{'"), "1:4: expected '}' to close '{' in an f-string\n");
  EXPECT_EQ(errors("f'{a'"), "1:5: expected '}' to close '{' in an f-string\n");
  EXPECT_EQ(errors("f'{a:x'"), "1:7: expected '}' to close '{' in an f-string\n");
  EXPECT_EQ(errors("f'}'"), "1:3: a single '}' is not allowed in an f-string; write '}}'\n");
  EXPECT_EQ(errors("f'{}'"),
            "1:4: expected an expression in the field of an f-string, found '}'\n");
  EXPECT_EQ(errors("f'{a!x}'"),
            "1:6: expected 's', 'r' or 'a' after '!' in an f-string, found 'x'\n");
  EXPECT_EQ(errors("f'{a! r}'"), "1:7: the conversion must come right after '!'\n");
  EXPECT_EQ(errors("f'{a b}'"), "1:6: expected '}' to close '{', found 'b'\n");
  EXPECT_EQ(errors("f'abc\nx = 1"), "1:1: unterminated f-string literal\n");
  EXPECT_EQ(errors("f'''abc"), "1:1: unterminated triple-quoted f-string literal\n");
  EXPECT_EQ(errors("f'{lambda x: 1}'"), "1:12: expected ':' after the parameters of 'lambda', "
                                        "found ':'\n");
}

} // namespace
} // namespace tilec
