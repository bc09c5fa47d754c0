// String literals and f-strings. An f-string is a start token, text, fields between braces whose
// tokens are lexed like any others, and an end token; a field's format is text with fields again.
#include "lib/Frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"

namespace tilec {

bool Lexer::isAtQuote(char quote, bool triple) const {
  return peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote));
}

/// At the opening quote, or at the string's prefix in which case `pos` is past the prefix.
void Lexer::lexString(size_t begin, llvm::StringRef prefix) {
  std::string flags = prefix.lower();
  llvm::StringRef flagSet = flags;
  if (!flagSet.contains('f'))
    return lexPlainString(begin, flagSet.contains('b') ? TokenKind::Bytes : TokenKind::String);
  Context context{Context::FString, peek(), false, flagSet.contains('r'), uint32_t(begin), 0};
  context.triple = isAtQuote(context.open, /*triple=*/true);
  pos += context.triple ? 3 : 1;
  contexts.push_back(context);
  emit(TokenKind::FStringStart, begin);
}

/// Passes over a backslash and what it escapes; `named` also over the braces of \N{...}.
void Lexer::skipEscape(bool raw, bool named) {
  ++pos;
  if (named && !raw && peek() == 'N' && peek(1) == '{') {
    pos += 2;
    while (pos < size && (llvm::isAlnum(peek()) || peek() == ' ' || peek() == '-'))
      ++pos;
    if (peek() == '}')
      ++pos;
    return;
  }
  if (named && (peek() == '{' || peek() == '}'))
    return;
  if (pos < size)
    skipNewline(); // Any other character is passed over alike.
}

void Lexer::lexPlainString(size_t begin, TokenKind kind) {
  char quote = peek();
  bool triple = isAtQuote(quote, /*triple=*/true);
  size_t quoteBegin = pos;
  pos += triple ? 3 : 1;
  while (pos < size) {
    char c = data[pos];
    if (c == quote && isAtQuote(quote, triple)) {
      pos += triple ? 3 : 1;
      return emit(kind, begin);
    }
    if (c == '\\') {
      skipEscape(/*raw=*/false, /*named=*/false);
      continue;
    }
    if (!triple && (c == '\n' || c == '\r'))
      break;
    ++pos;
  }
  // In a field, the quote that encloses the f-string means that the field was not closed.
  if (!triple && !contexts.empty()) {
    for (size_t i = contexts.size(); i-- > 0;) {
      const Context &context = contexts[i];
      if (context.kind == Context::Bracket)
        continue;
      const Context &fstring = contexts[context.fstring];
      if (context.kind == Context::Field && fstring.open == quote && !fstring.triple) {
        Diagnostic &diagnostic =
            error(quoteBegin, quoteBegin + 1, "expected '}' to close '{' in an f-string");
        diagnostic.notes.push_back(
            {Severity::Note, makeRange(context.begin, context.begin + 1), "the '{' is here", {}});
        pos = quoteBegin + 1;
        return abandonFString(context.fstring, quoteBegin);
      }
      break;
    }
  }
  size_t openEnd = quoteBegin + (triple ? 3 : 1);
  error(begin, triple ? openEnd : pos,
        triple ? "unterminated triple-quoted string literal" : "unterminated string literal");
  emit(TokenKind::Error, begin);
}

/// Leaves an f-string after an error, which was recorded.
void Lexer::abandonFString(uint32_t index, size_t begin) {
  contexts.resize(index);
  emit(TokenKind::Error, begin);
}

/// In the text of an f-string or of a format: up to the next brace or the end.
void Lexer::lexStringText() {
  bool inSpec = contexts.back().kind == Context::Spec;
  uint32_t index = inSpec ? contexts.back().fstring : uint32_t(contexts.size() - 1);
  Context fstring = contexts[index];
  size_t begin = pos;
  auto emitText = [&] {
    if (pos > begin)
      emit(TokenKind::FStringMiddle, begin);
  };
  while (true) {
    char c = peek();
    if (inSpec && !fstring.triple && (c == '\n' || c == '\r')) {
      // As in Python, the line's end ends the format, and the field's end may follow.
      emitText();
      contexts.pop_back();
      return;
    }
    if (pos >= size || (!fstring.triple && (c == '\n' || c == '\r'))) {
      error(fstring.begin, fstring.triple ? fstring.begin + 1 : pos,
            fstring.triple ? "unterminated triple-quoted f-string literal"
                           : "unterminated f-string literal");
      return abandonFString(index, begin);
    }
    if (isAtQuote(fstring.open, fstring.triple)) {
      emitText();
      size_t quote = pos;
      pos += fstring.triple ? 3 : 1;
      if (inSpec) {
        Diagnostic &diagnostic =
            error(quote, quote + 1, "expected '}' to close '{' in an f-string");
        uint32_t open = contexts.back().begin;
        diagnostic.notes.push_back(
            {Severity::Note, makeRange(open, open + 1), "the '{' is here", {}});
        return abandonFString(index, quote);
      }
      contexts.pop_back();
      return emit(TokenKind::FStringEnd, quote);
    }
    if (c == '\\') {
      skipEscape(fstring.raw, /*named=*/true);
    } else if (c == '{') {
      if (peek(1) == '{' && !inSpec) {
        pos += 2;
        continue;
      }
      emitText();
      contexts.push_back({Context::Field, '{', false, false, uint32_t(pos), index});
      ++pos;
      return emit(TokenKind::LBrace, pos - 1);
    } else if (c == '}') {
      if (peek(1) == '}' && !inSpec) {
        pos += 2;
        continue;
      }
      emitText();
      if (inSpec) {
        contexts.pop_back();
        return;
      }
      error(pos, pos + 1, "a single '}' is not allowed in an f-string; write '}}'");
      ++pos;
      return emit(TokenKind::Error, pos - 1);
    } else {
      ++pos;
    }
  }
}

} // namespace tilec
