// Tokens: indentation, numbers, strings, continuation.
#include "lib/Frontend/Lexer.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

/// The tokens with a spelling as it is, the others by name.
std::string lex(llvm::StringRef text) {
  SourceManager sources;
  FileID file = sources.addText("f", text);
  TokenStream stream = Lexer(sources, file).run();
  std::string result;
  for (const Token &token : stream.tokens) {
    if (token.kind == TokenKind::EndOfFile)
      break;
    if (!result.empty())
      result += ' ';
    switch (token.kind) {
    case TokenKind::Newline:
    case TokenKind::Indent:
    case TokenKind::Dedent:
    case TokenKind::FStringStart:
    case TokenKind::FStringEnd:
    case TokenKind::FStringColon:
    case TokenKind::Error:
      result += getTokenName(token.kind);
      break;
    case TokenKind::FStringMiddle:
    case TokenKind::String:
      result += "<" + text.slice(token.begin, token.end).str() + ">";
      break;
    default:
      result += text.slice(token.begin, token.end);
    }
  }
  return result;
}

std::string lexErrors(llvm::StringRef text) {
  SourceManager sources;
  FileID file = sources.addText("f", text);
  TokenStream stream = Lexer(sources, file).run();
  std::string result;
  for (const TokenStream::Problem &problem : stream.problems) {
    LineColumn place = sources.getLineColumn(problem.diagnostic.range.begin);
    result += std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
              problem.diagnostic.message + "\n";
  }
  return result;
}

TEST(Lexer, EmptyFilesHaveNoTokens) {
  EXPECT_EQ(lex(""), "");
  EXPECT_EQ(lex("\n\n  \n# comment\n   # another"), "");
  EXPECT_EQ(lex("\xEF\xBB\xBF"), "");
}

TEST(Lexer, ALineEndsWithANewlineEvenAtTheEnd) {
  EXPECT_EQ(lex("x"), "x Newline");
  EXPECT_EQ(lex("x\n"), "x Newline");
  EXPECT_EQ(lex("x # c\r\n\r\ny\rz"), "x Newline y Newline z Newline");
}

TEST(Lexer, IndentationMakesBlocks) {
  EXPECT_EQ(lex("if a:\n  b\n\n # c\n  d\ne"),
            "if a : Newline Indent b Newline d Newline Dedent e Newline");
  EXPECT_EQ(lex("a:\n b:\n  c\nd"),
            "a : Newline Indent b : Newline Indent c Newline Dedent Dedent d Newline");
  EXPECT_EQ(lex("a:\n b"), "a : Newline Indent b Newline Dedent");
}

TEST(Lexer, TabsGoToMultiplesOfEight) {
  EXPECT_EQ(lexErrors("a:\n\tb\n\tc\n"), "");
  EXPECT_EQ(lex("a:\n  \tb\n\t  c\n"),
            "a : Newline Indent b Newline Indent c Newline Dedent Dedent");
  EXPECT_EQ(lexErrors("a:\n        b\n\tc\n"),
            "3:1: inconsistent use of tabs and spaces in indentation\n");
}

TEST(Lexer, AnUnindentMustMatch) {
  EXPECT_EQ(lexErrors("a:\n    b\n  c\nd\n"),
            "3:1: unindent does not match any outer indentation level\n");
  EXPECT_EQ(lex("a:\n    b\n  c\nd\n"), "a : Newline Indent b Newline c Newline Dedent d Newline");
}

TEST(Lexer, BracketsJoinLines) {
  EXPECT_EQ(lex("f(a,\n\n  # c\n b)\nc"), "f ( a , b ) Newline c Newline");
  EXPECT_EQ(lex("[\n{\n(\n)\n}\n]"), "[ { ( ) } ] Newline");
}

TEST(Lexer, AStatementEndsAnOpenBracket) {
  EXPECT_EQ(lex("f(a\ndef g(): b"), "f ( a Newline def g ( ) : b Newline");
  EXPECT_EQ(lex("f(a\n  return b"), "f ( a Newline Indent return b Newline Dedent");
  EXPECT_EQ(lex("f(a\n  if b else c)"), "f ( a if b else c ) Newline");
}

TEST(Lexer, BackslashJoinsLines) {
  EXPECT_EQ(lex("a \\\n  + b"), "a + b Newline");
  EXPECT_EQ(lex("a \\\r\n  + b"), "a + b Newline");
  EXPECT_EQ(lexErrors("a \\ b\n"), "1:3: unexpected character after the line continuation '\\'\n");
  EXPECT_EQ(lexErrors("a \\\n"), "1:3: unexpected end of file after the line continuation '\\'\n");
}

TEST(Lexer, Numbers) {
  for (llvm::StringRef good : {"0",    "00",    "0_0",   "1",  "1_000",  "0x_fF",        "0XABCDEF",
                               "0o17", "0b1_0", "1.",    ".5", "1.5e10", "1_0.0_1E-1_0", "1e5",
                               "09.5", "09e1",  "0777j", "1j", "1.5J",   "1e3j",         "0e0"})
    EXPECT_EQ(lex(good), good.str() + " Newline");
  EXPECT_EQ(lex("1..real"), "1. . real Newline");
  EXPECT_EQ(lex("1 .real"), "1 . real Newline");
  EXPECT_EQ(lex("1if x"), "1 if x Newline");
  EXPECT_EQ(lex("0xfor x"), "0xf or x Newline");
}

TEST(Lexer, BadNumbers) {
  EXPECT_EQ(lexErrors("1__0"),
            "1:2: an underscore in decimal literal must be followed by a digit\n");
  EXPECT_EQ(lexErrors("1_"), "1:2: an underscore in decimal literal must be followed by a digit\n");
  EXPECT_EQ(lexErrors("012"),
            "1:1: a decimal integer must not begin with 0; write '0o' before octal digits\n");
  EXPECT_EQ(lexErrors("0b12"), "1:4: invalid digit '2' in binary literal\n");
  EXPECT_EQ(lexErrors("0x"), "1:1: invalid hexadecimal literal '0x'\n");
  EXPECT_EQ(lexErrors("0o8"), "1:1: invalid octal literal '0o8'\n");
  EXPECT_EQ(lexErrors("12abc"), "1:1: invalid decimal literal '12abc'\n");
  EXPECT_EQ(lexErrors("1e+"), "1:1: the exponent of '1e+' has no digits\n");
}

TEST(Lexer, Strings) {
  EXPECT_EQ(lex("'a' \"b\" r'\\' + '"), "<'a'> <\"b\"> <r'\\' + '> Newline");
  EXPECT_EQ(lex("'''a\n'b''' u'c'"), "<'''a\n'b'''> <u'c'> Newline");
  EXPECT_EQ(lex("'a\\\nb'"), "<'a\\\nb'> Newline");
  EXPECT_EQ(lex("''"), "<''> Newline");
  EXPECT_EQ(lex("x'a'"), "x <'a'> Newline");
  EXPECT_EQ(lexErrors("'abc\nx"), "1:1: unterminated string literal\n");
  EXPECT_EQ(lexErrors("x = '''abc\nx"), "1:5: unterminated triple-quoted string literal\n");
}

TEST(Lexer, FStrings) {
  EXPECT_EQ(lex("f'a{b}c'"), "FStringStart <a> { b } <c> FStringEnd Newline");
  EXPECT_EQ(lex("f'{{}}'"), "FStringStart <{{}}> FStringEnd Newline");
  EXPECT_EQ(lex("f'{a:>{w}x}'"),
            "FStringStart { a FStringColon <>> { w } <x> } FStringEnd Newline");
  EXPECT_EQ(lex("f'{a!r}{b!=c}'"), "FStringStart { a ! r } { b != c } FStringEnd Newline");
  EXPECT_EQ(lex("f'{a['b']}'"), "FStringStart { a [ <'b'> ] } FStringEnd Newline");
  EXPECT_EQ(lex("f'{f'{x}'}'"),
            "FStringStart { FStringStart { x } FStringEnd } FStringEnd Newline");
  EXPECT_EQ(lex("f'{x:=5}{(y:=5)}'"),
            "FStringStart { x FStringColon <=5> } { ( y := 5 ) } FStringEnd Newline");
  EXPECT_EQ(lex("f'\\N{BULLET}'"), "FStringStart <\\N{BULLET}> FStringEnd Newline");
  EXPECT_EQ(lex("rf'\\{a}'"), "FStringStart <\\> { a } FStringEnd Newline");
}

TEST(Lexer, BadText) {
  std::string advice = "; save the file as UTF-8, or say what it is in its first line, as in "
                       "'# -*- coding: latin-1 -*-'";
  EXPECT_EQ(lexErrors("x = \xFF\n"),
            "1:5: source is not valid UTF-8: unexpected byte 0xFF" + advice + "\n");
  EXPECT_EQ(lexErrors("# \xC3(\n"),
            "1:3: source is not valid UTF-8: unexpected byte 0xC3" + advice + "\n");
  EXPECT_EQ(lexErrors(llvm::StringRef("x\0y", 3)), "1:2: source contains a null byte\n");
  EXPECT_EQ(lexErrors("a $ b"), "1:3: invalid character '$'\n");
  EXPECT_EQ(lexErrors("a\xC2\xA0+ b"), "1:2: invalid character '\xC2\xA0' (U+00A0)\n");
  EXPECT_EQ(lexErrors("a \x01"), "1:3: invalid control character 0x01\n");
}

TEST(Lexer, OperatorsTakeTheLongestMatch) {
  EXPECT_EQ(lex("a**=b//=c>>=d<<=e"), "a **= b //= c >>= d <<= e Newline");
  EXPECT_EQ(lex("a** =b->...!=:=@="), "a ** = b -> ... != := @= Newline");
  EXPECT_EQ(lex("a<=b>=c==d<e>f"), "a <= b >= c == d < e > f Newline");
}

} // namespace
} // namespace tilec
