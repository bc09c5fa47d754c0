// What is said about wrong programs, and how the parser goes on.
#include "test/unit/Frontend/ParseHelper.h"

namespace tilec {
namespace {

TEST(Error, HeadersNeedAColon) {
  EXPECT_EQ(report("if a > b\n    c = 1\n"),
            "k.tile:1:9: error: expected ':' after 'if' condition\n"
            "if a > b\n"
            "        ^\n");
  EXPECT_EQ(report("if x = 3:\n    y = 1\n"),
            "k.tile:1:6: error: expected ':' after 'if' condition, found '='; use '==' to compare\n"
            "if x = 3:\n"
            "     ^\n");
  EXPECT_EQ(errors("for i in range(3)\n  pass\nwhile a\n  pass\nelse\n  pass\n"),
            "1:18: expected ':' after the iterable of 'for'\n"
            "3:8: expected ':' after 'while' condition\n"
            "5:5: expected ':' after 'else'\n");
  EXPECT_EQ(errors("def f()\n  pass\nclass A\n  pass\n"),
            "1:8: expected ':' after the header of a function\n"
            "3:8: expected ':' after the header of a class\n");
}

TEST(Error, BracketsNameTheirOpener) {
  EXPECT_EQ(report("x = f(a, b\ny = 1\n"), "k.tile:1:11: error: expected ')' to close '('\n"
                                           "x = f(a, b\n"
                                           "          ^\n"
                                           "k.tile:1:6: note: '(' is here\n"
                                           "x = f(a, b\n"
                                           "     ^\n");
  EXPECT_EQ(report("x = (a]\n"), "k.tile:1:7: error: expected ')' to close '(', found ']'\n"
                                 "x = (a]\n"
                                 "      ^\n"
                                 "k.tile:1:5: note: '(' is here\n"
                                 "x = (a]\n"
                                 "    ^\n");
  EXPECT_EQ(errors("x = a)\n"), "1:6: unmatched ')'\n");
  EXPECT_EQ(errors("def f(a\n  return a\ndef g(:\n  pass\n"),
            "1:8: expected ')' to close '('\n"
            "3:7: expected a parameter name or ')', found ':'\n");
}

TEST(Error, BlocksMustBeIndented) {
  EXPECT_EQ(report("if a:\nb\n"), "k.tile:2:1: error: expected an indented block after 'if'\n"
                                  "b\n"
                                  "^\n"
                                  "k.tile:1:1: note: the block belongs to this\n"
                                  "if a:\n"
                                  "^\n");
  EXPECT_EQ(report("a = 1\n  b = 2\n"), "k.tile:2:3: error: unexpected indent\n"
                                        "  b = 2\n"
                                        "  ^\n");
  EXPECT_EQ(errors("if a:\n    b\n  c\n"),
            "3:1: unindent does not match any outer indentation level\n");
  EXPECT_EQ(errors("def f():"), "1:9: expected an indented block after 'def'\n");
}

TEST(Error, OneMistakeOneError) {
  // The block of a line that was not understood is not reported again.
  EXPECT_EQ(errors("fro i in x:\n    y = 1\n    z = 2\n"),
            "1:5: expected the end of the statement, found 'i'\n");
  EXPECT_EQ(errors("if (:\n    y = 1\nelse:\n    z = 1\nw = 1\n"),
            "1:5: expected an expression, found ':'\n");
  EXPECT_EQ(errors("x = 'abc\ny = 1\n"), "1:5: unterminated string literal\n");
}

TEST(Error, GoesOnAtTheNextStatement) {
  EXPECT_EQ(errors("a b\nc = \nd = 1\n) = 2\nfor in x: pass\ne = 3 +\n"),
            "1:3: expected the end of the statement, found 'b'\n"
            "2:4: expected an expression\n"
            "4:1: expected an expression, found ')'\n"
            "5:5: expected a target after 'for', found keyword 'in'\n"
            "6:8: expected an expression\n");
  EXPECT_EQ(Parsed("a b\nc = 1\nif x\n  y\nd = 2\n").dump(), "(module\n  (expr a)\n  (= c 1)\n"
                                                             "  (= d 2))\n");
}

TEST(Error, ErrorsInsideABlockLeaveTheBlock) {
  EXPECT_EQ(errors("def f():\n  a = = 1\n  b = 2\n  c d\ne f\n"),
            "2:7: expected an expression, found '='\n"
            "4:5: expected the end of the statement, found 'd'\n"
            "5:3: expected the end of the statement, found 'f'\n");
}

TEST(Error, StopsAfterTwenty) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += "a b\n";
  Parsed parsed(text);
  EXPECT_EQ(parsed.diags.getErrorCount(), 20u);
  EXPECT_TRUE(llvm::StringRef(parsed.diags.renderToString())
                  .ends_with("too many errors emitted, stopping now\n"));
}

TEST(Error, Targets) {
  EXPECT_EQ(errors("1 = x"), "1:1: cannot assign to a literal; use '==' to compare\n");
  EXPECT_EQ(errors("f() = x"), "1:1: cannot assign to a function call; use '==' to compare\n");
  EXPECT_EQ(errors("a, b + c = x"), "1:4: cannot assign to an expression; use '==' to compare\n");
  EXPECT_EQ(errors("(a, b) += x"), "1:1: cannot assign to a tuple with '+='\n");
  EXPECT_EQ(errors("a, b: int"),
            "1:1: only a name, an attribute or a subscript can be annotated, not a tuple\n");
  EXPECT_EQ(errors("del f()"), "1:5: cannot delete a function call\n");
  EXPECT_EQ(errors("for f() in x: pass"), "1:5: cannot assign to a function call\n");
  EXPECT_EQ(errors("None = 1"), "1:1: cannot assign to 'None'; use '==' to compare\n");
  EXPECT_EQ(errors("x := 1"), "1:3: ':=' needs parentheses here; to assign, use '='\n");
}

TEST(Error, Parameters) {
  EXPECT_EQ(errors("def f(a=1, b): pass"),
            "1:12: parameter 'b' without a default follows one with a default\n");
  EXPECT_EQ(errors("def f(*): pass"), "1:7: at least one named parameter must follow a bare '*'\n");
  EXPECT_EQ(errors("def f(*a, *b): pass"), "1:11: '*' may appear only once\n");
  EXPECT_EQ(errors("def f(**a, b): pass"), "1:12: a parameter cannot follow '**a'\n");
  EXPECT_EQ(errors("def f(/, a): pass"), "1:7: at least one parameter must precede '/'\n");
  EXPECT_EQ(errors("def f(*a, /): pass"), "1:11: '/' must be ahead of '*'\n");
  EXPECT_EQ(errors("def f(*a=1): pass"), "1:9: '*a' cannot have a default value\n");
  EXPECT_EQ(errors("lambda a, 1: a"), "1:11: expected a parameter name or ':', found '1'\n");
}

TEST(Error, Arguments) {
  EXPECT_EQ(errors("f(a=1, b)"), "1:8: positional argument follows keyword argument\n");
  EXPECT_EQ(errors("f(**a, b)"), "1:8: positional argument follows '**' argument\n");
  EXPECT_EQ(errors("f(**a, *b)"), "1:8: '*' argument follows '**' argument\n");
  EXPECT_EQ(errors("f(a.b=1)"),
            "1:3: the left side of '=' in an argument must be a name; use '==' to compare\n");
  EXPECT_EQ(errors("f(x for x in y, 1)"),
            "1:2: a generator expression beside other arguments needs parentheses\n");
}

TEST(Error, Strings) {
  EXPECT_EQ(errors("'a' b'b'"), "1:5: cannot join a bytes literal and a string literal\n");
  EXPECT_EQ(errors("b'\xC3\xA9'"),
            "1:3: a bytes literal can hold only ASCII characters; use '\\x' escapes\n");
  EXPECT_EQ(errors("'\\x1'"), "1:2: '\\x' must be followed by 2 hexadecimal digits\n");
  EXPECT_EQ(errors("'\\U00110000'"),
            "1:2: '\\U00110000' is beyond the last Unicode character, \\U0010FFFF\n");
  EXPECT_EQ(errors("'\\N{NO SUCH}'"), "1:2: no Unicode character is named 'NO SUCH'\n");
  EXPECT_EQ(report("x = 'a\\d'\n"),
            "k.tile:1:7: warning: invalid escape sequence '\\d'; write '\\\\' for a backslash\n"
            "x = 'a\\d'\n"
            "      ^~\n");
}

TEST(Error, Statements) {
  EXPECT_EQ(errors("else:\n  a\n"), "1:1: 'else' has no 'if' before it\n");
  EXPECT_EQ(errors("except: a"), "1:1: 'except' has no 'try' before it\n");
  EXPECT_EQ(errors("try:\n  a\nb\n"), "3:1: expected 'except' or 'finally' after the block of "
                                      "'try'\n");
  EXPECT_EQ(errors("print 'a'"), "1:7: missing parentheses in call to 'print'\n");
  EXPECT_EQ(errors("if a: for b in c: d"), "1:7: 'for' must begin on a line of its own\n");
  EXPECT_EQ(errors("@a\nb = 1"), "2:1: expected 'def' or 'class' after a decorator, found 'b'\n");
  EXPECT_EQ(errors("async x"), "1:7: expected 'def', 'for' or 'with' after 'async', found 'x'\n");
  EXPECT_EQ(errors("try: a\nexcept A, B: c"), "2:9: several exception types need parentheses\n");
  EXPECT_EQ(errors("from a import"), "1:14: expected a name to import\n");
  EXPECT_EQ(errors("import a.1"), "1:9: expected the end of the statement, found '.1'\n");
  EXPECT_EQ(errors("a + not b"),
            "1:5: expected an expression ('not' needs parentheses here), found keyword 'not'\n");
  EXPECT_EQ(errors("x = a if b"), "1:11: expected 'else' after 'if' in an expression\n");
}

TEST(Error, LexerAndParserErrorsComeInOrder) {
  EXPECT_EQ(errors("a b\nc = $\nd e\nf = '\n"), "1:3: expected the end of the statement, found "
                                                "'b'\n"
                                                "2:5: invalid character '$'\n"
                                                "3:3: expected the end of the statement, found "
                                                "'e'\n"
                                                "4:5: unterminated string literal\n");
}

} // namespace
} // namespace tilec
