// From source text to tokens, Python's rules of indentation and f-strings included.
#ifndef TILEC_LIB_FRONTEND_LEXER_H
#define TILEC_LIB_FRONTEND_LEXER_H

#include "lib/Support/Diagnostics.h"

#include <vector>

namespace tilec {

enum class TokenKind : uint8_t {
#define TOKEN(NAME) NAME,
#include "lib/Frontend/TokenKinds.def"
};

/// The enumerator's name, such as "KwIf".
llvm::StringRef getTokenName(TokenKind kind);
/// The text of a keyword or punctuator; empty for the other kinds.
llvm::StringRef getTokenSpelling(TokenKind kind);

/// Offsets are bytes from the start of the file.
struct Token {
  TokenKind kind;
  uint32_t begin, end;
};

/// A file's tokens, EndOfFile last, and what was wrong with it. A parser shows a diagnostic when
/// it comes to the token, so that errors of lexer and parser come in the order of the source.
struct TokenStream {
  struct Problem {
    size_t tokenIndex;
    Diagnostic diagnostic;
  };
  std::vector<Token> tokens;
  std::vector<Problem> problems; ///< Ordered by token.
};

/// Takes a file of any size in one pass, in linear time.
class Lexer {
public:
  Lexer(const SourceManager &sources, FileID file);
  TokenStream run();

private:
  /// What the text at the current position lies in.
  struct Context {
    enum Kind : uint8_t {
      Bracket, ///< ( [ or {
      FString, ///< The text of an f-string.
      Field,   ///< An expression between braces in an f-string.
      Spec,    ///< The text after its colon.
    };
    Kind kind;
    char open; ///< The bracket or quote.
    bool triple = false;
    bool raw = false;
    uint32_t begin = 0;
    uint32_t fstring = 0; ///< Index of the context of the f-string, in Field and Spec.
  };
  struct Indentation {
    unsigned columns;    ///< With tabs to multiples of 8.
    unsigned altColumns; ///< With tabs of 1, to find mixtures that depend on the tab width.
  };

  char peek(size_t ahead = 0) const { return pos + ahead < size ? data[pos + ahead] : '\0'; }
  bool startsWith(llvm::StringRef prefix) const { return text.substr(pos).starts_with(prefix); }
  void emit(TokenKind kind, size_t begin) {
    stream.tokens.push_back({kind, uint32_t(begin), uint32_t(pos)});
  }
  SourceRange makeRange(size_t begin, size_t end) const;
  /// Records an error that is shown with the next token.
  Diagnostic &error(size_t begin, size_t end, const llvm::Twine &message);

  // Lexer.cpp
  void checkEncoding();
  void skipNewline();
  void lexIndentation();
  void setIndentation(Indentation now, size_t begin);
  bool skipContinuation();
  void lexNewline();
  bool isStatementAhead() const;
  void lexToken();
  void lexName();
  void lexPunctuator();
  void leaveBracket(char c);
  void lexInvalidCharacter();

  // LexNumber.cpp
  void lexNumber();
  bool lexDigits(bool (*isDigit)(char), llvm::StringRef what);
  bool lexRadixNumber();
  void finishNumber(TokenKind kind, size_t begin, llvm::StringRef what);
  void skipBadNumber(size_t begin);

  // LexString.cpp
  bool isInStringText() const {
    return !contexts.empty() &&
           (contexts.back().kind == Context::FString || contexts.back().kind == Context::Spec);
  }
  void lexString(size_t begin, llvm::StringRef prefix);
  void lexPlainString(size_t begin, TokenKind kind);
  void lexStringText();
  void skipEscape(bool raw, bool named);
  void abandonFString(uint32_t index, size_t begin);
  bool isAtQuote(char quote, bool triple) const;

  const SourceManager &sources;
  FileID file;
  llvm::StringRef text;
  const char *data;
  size_t size;
  size_t pos = 0;
  bool atLineStart = true;
  std::vector<Context> contexts;
  std::vector<Indentation> indents;
  TokenStream stream;
};

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_LEXER_H
