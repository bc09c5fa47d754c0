// Number literals: their extent and their form. The parser computes their values.
#include "lib/Frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace tilec {
namespace {

bool isDecimal(char c) { return llvm::isDigit(c); }
bool isBinary(char c) { return c == '0' || c == '1'; }
bool isOctal(char c) { return c >= '0' && c <= '7'; }
bool isHex(char c) { return llvm::isHexDigit(c); }
bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || uint8_t(c) >= 0x80; }

} // namespace

/// Passes over digits with single underscores between them. False if an underscore is followed by
/// no digit.
bool Lexer::lexDigits(bool (*isDigit)(char), llvm::StringRef what) {
  while (true) {
    while (isDigit(peek()))
      ++pos;
    if (peek() != '_')
      return true;
    ++pos;
    if (!isDigit(peek())) {
      error(pos - 1, pos, "an underscore in " + what + " must be followed by a digit");
      return false;
    }
  }
}

/// Turns the rest of the word into an error token.
void Lexer::skipBadNumber(size_t begin) {
  while (isWordChar(peek()))
    ++pos;
  emit(TokenKind::Error, begin);
}

/// A number may be followed directly by a keyword that continues an expression, by no other word.
void Lexer::finishNumber(TokenKind kind, size_t begin, llvm::StringRef what) {
  if (!isWordChar(peek()))
    return emit(kind, begin);
  size_t end = pos;
  while (end < size && isWordChar(data[end]))
    ++end;
  llvm::StringRef word = text.slice(pos, end);
  for (llvm::StringRef allowed : {"and", "else", "for", "if", "in", "is", "not", "or"})
    if (word.starts_with(allowed))
      return emit(kind, begin);
  error(begin, end, "invalid " + what + " '" + text.slice(begin, end) + "'");
  skipBadNumber(begin);
}

/// At "0x", "0o" or "0b". False if there is none.
bool Lexer::lexRadixNumber() {
  size_t begin = pos;
  bool (*isDigit)(char);
  llvm::StringRef what;
  switch (peek(1)) {
  case 'x':
  case 'X':
    isDigit = isHex;
    what = "hexadecimal literal";
    break;
  case 'o':
  case 'O':
    isDigit = isOctal;
    what = "octal literal";
    break;
  case 'b':
  case 'B':
    isDigit = isBinary;
    what = "binary literal";
    break;
  default:
    return false;
  }
  pos += 2;
  if (peek() == '_')
    ++pos;
  if (!isDigit(peek())) {
    size_t end = pos;
    while (end < size && isWordChar(data[end]))
      ++end;
    error(begin, end, "invalid " + what + " '" + text.slice(begin, end) + "'");
    skipBadNumber(begin);
  } else if (!lexDigits(isDigit, what)) {
    skipBadNumber(begin);
  } else if (llvm::isDigit(peek())) {
    error(pos, pos + 1, "invalid digit '" + llvm::Twine(peek()) + "' in " + what);
    skipBadNumber(begin);
  } else {
    finishNumber(TokenKind::Int, begin, what);
  }
  return true;
}

void Lexer::lexNumber() {
  constexpr llvm::StringLiteral kWhat = "decimal literal";
  size_t begin = pos;
  if (peek() == '0' && lexRadixNumber())
    return;
  TokenKind kind = TokenKind::Int;
  if (peek() != '.' && !lexDigits(isDecimal, kWhat))
    return skipBadNumber(begin);
  size_t integerEnd = pos;
  if (peek() == '.') {
    kind = TokenKind::Float;
    ++pos;
    if (llvm::isDigit(peek()) && !lexDigits(isDecimal, kWhat))
      return skipBadNumber(begin);
  }
  if (peek() == 'e' || peek() == 'E') {
    size_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if (llvm::isDigit(peek(digits))) {
      kind = TokenKind::Float;
      pos += digits;
      if (!lexDigits(isDecimal, kWhat))
        return skipBadNumber(begin);
    } else if (digits == 2) {
      error(begin, pos + 2, "the exponent of '" + text.slice(begin, pos + 2) + "' has no digits");
      pos += 2;
      return skipBadNumber(begin);
    }
  }
  if (peek() == 'j' || peek() == 'J') {
    ++pos;
    return finishNumber(TokenKind::Imaginary, begin, "imaginary literal");
  }
  if (kind == TokenKind::Int && data[begin] == '0') {
    llvm::StringRef digits = text.slice(begin, integerEnd);
    if (digits.find_first_not_of("0_") != llvm::StringRef::npos) {
      error(begin, integerEnd,
            "a decimal integer must not begin with 0; write '0o' before octal digits");
      return skipBadNumber(begin);
    }
  }
  finishNumber(kind, begin, kWhat);
}

} // namespace tilec
