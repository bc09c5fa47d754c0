// Lines, indentation, names and punctuation.
#include "lib/Frontend/Lexer.h"
#include "lib/Support/SourceEncoding.h"
#include "lib/Support/Unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace tilec {
namespace {

/// As in Python.
constexpr size_t kMaxIndentation = 100;

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_'; }
bool isNewline(char c) { return c == '\n' || c == '\r'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

TokenKind classifyWord(llvm::StringRef word) {
  if (word.size() < 2 || word.size() > 8)
    return TokenKind::Name;
  return llvm::StringSwitch<TokenKind>(word)
#define KEYWORD(NAME, SPELLING) .Case(SPELLING, TokenKind::NAME)
#include "lib/Frontend/TokenKinds.def"
      .Default(TokenKind::Name);
}

bool isStringPrefix(llvm::StringRef word) {
  if (word.size() == 1)
    return llvm::StringRef("rRbBuUfF").contains(word[0]);
  if (word.size() != 2)
    return false;
  char a = llvm::toLower(word[0]), b = llvm::toLower(word[1]);
  return (a == 'r' && (b == 'b' || b == 'f')) || (b == 'r' && (a == 'b' || a == 'f'));
}

} // namespace

llvm::StringRef getTokenName(TokenKind kind) {
  switch (kind) {
#define TOKEN(NAME)                                                                                \
  case TokenKind::NAME:                                                                            \
    return #NAME;
#include "lib/Frontend/TokenKinds.def"
  }
  return "";
}

llvm::StringRef getTokenSpelling(TokenKind kind) {
  switch (kind) {
#define KEYWORD(NAME, SPELLING)                                                                    \
  case TokenKind::NAME:                                                                            \
    return SPELLING;
#define PUNCTUATOR(NAME, SPELLING) KEYWORD(NAME, SPELLING)
#include "lib/Frontend/TokenKinds.def"
  default:
    return "";
  }
}

Lexer::Lexer(const SourceManager &sources, FileID file)
    : sources(sources), file(file), text(sources.getText(file)), data(text.data()),
      size(text.size()), indents{{0, 0}} {
  stream.tokens.reserve(size / 4 + 8);
}

SourceRange Lexer::makeRange(size_t begin, size_t end) const {
  return {sources.getLoc(file, begin), sources.getLoc(file, end)};
}

Diagnostic &Lexer::error(size_t begin, size_t end, const llvm::Twine &message) {
  stream.problems.push_back(
      {stream.tokens.size(), {Severity::Error, makeRange(begin, end), message.str(), {}}});
  return stream.problems.back().diagnostic;
}

TokenStream Lexer::run() {
  checkEncoding();
  while (pos < size || isInStringText()) {
    if (isInStringText())
      lexStringText();
    else if (atLineStart)
      lexIndentation();
    else
      lexToken();
  }
  if (!stream.tokens.empty() && stream.tokens.back().kind != TokenKind::Newline &&
      stream.tokens.back().kind != TokenKind::Dedent)
    emit(TokenKind::Newline, pos);
  for (; indents.size() > 1; indents.pop_back())
    emit(TokenKind::Dedent, pos);
  emit(TokenKind::EndOfFile, pos);
  return std::move(stream);
}

/// Reports the first byte that is not text.
void Lexer::checkEncoding() {
  if (startsWith("\xEF\xBB\xBF"))
    pos = 3;
  SourceEncoding source = findEncoding(text);
  const char *beyond = llvm::find_if(text, [](char c) { return !llvm::isASCII(c); });
  bool isUnknown = source.encoding == Encoding::Unknown;
  if ((isUnknown || source.encoding == Encoding::ASCII) && beyond != text.end()) {
    size_t at = size_t(beyond - text.begin()), name = size_t(source.name.data() - text.data());
    if (isUnknown)
      error(name, name + source.name.size(),
            "source in '" + source.name + "' is not supported; save the file as UTF-8");
    else
      error(at, at + 1,
            "source is not ASCII, as '" + source.name + "' says: unexpected byte 0x" +
                llvm::Twine(llvm::utohexstr(uint8_t(*beyond))));
  } else if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    error(0, 2, "source is UTF-16; save the file as UTF-8");
    return;
  } else if (size_t bad = findInvalidUTF8(text); bad != llvm::StringRef::npos) {
    error(bad, bad + 1,
          "source is not valid UTF-8: unexpected byte 0x" +
              llvm::Twine(llvm::utohexstr(uint8_t(text[bad]))) +
              "; save the file as UTF-8, or say what it is in its first line, as in "
              "'# -*- coding: latin-1 -*-'");
  }
  size_t null = text.find('\0');
  if (null != llvm::StringRef::npos)
    error(null, null + 1, "source contains a null byte");
}

void Lexer::skipNewline() { pos += peek() == '\r' && peek(1) == '\n' ? 2 : 1; }

/// Measures the blanks before the first token of a logical line and passes over lines without one.
void Lexer::lexIndentation() {
  Indentation now{0, 0}, continued{0, 0};
  size_t begin = pos;
  while (true) {
    char c = peek();
    if (c == ' ') {
      ++now.columns;
      ++now.altColumns;
    } else if (c == '\t') {
      now.columns = (now.columns / 8 + 1) * 8;
      ++now.altColumns;
    } else if (c == '\f') {
      now = {0, 0};
    } else if (c == '\\' && isNewline(peek(1))) {
      // The blanks before the first backslash are those that count.
      if (continued.columns == 0)
        continued = now;
      if (!skipContinuation())
        return;
      continue;
    } else {
      break;
    }
    ++pos;
  }
  if (peek() == '#')
    pos = std::min(size, text.find_first_of("\r\n", pos));
  if (pos >= size)
    return;
  if (isNewline(peek())) {
    skipNewline();
    return;
  }
  atLineStart = false;
  setIndentation(continued.columns ? continued : now, begin);
}

void Lexer::setIndentation(Indentation now, size_t begin) {
  constexpr llvm::StringLiteral kMixed = "inconsistent use of tabs and spaces in indentation";
  Indentation top = indents.back();
  if (now.columns == top.columns) {
    if (now.altColumns != top.altColumns)
      error(begin, pos, kMixed);
    return;
  }
  if (now.columns > top.columns) {
    if (now.altColumns <= top.altColumns)
      error(begin, pos, kMixed);
    if (indents.size() >= kMaxIndentation) {
      error(begin, pos, "too many levels of indentation");
      emit(TokenKind::Error, pos);
      pos = size;
      return;
    }
    indents.push_back(now);
    emit(TokenKind::Indent, pos);
    return;
  }
  while (now.columns < indents.back().columns) {
    // A line between two levels is taken as one of the inner level.
    if (now.columns > indents[indents.size() - 2].columns) {
      error(begin, pos, "unindent does not match any outer indentation level");
      indents.back() = now;
      return;
    }
    indents.pop_back();
    emit(TokenKind::Dedent, pos);
  }
  if (now.altColumns != indents.back().altColumns)
    error(begin, pos, kMixed);
}

/// At a backslash outside strings. False after an error.
bool Lexer::skipContinuation() {
  size_t begin = pos++;
  if (isNewline(peek())) {
    skipNewline();
    if (pos < size)
      return true;
    error(begin, begin + 1, "unexpected end of file after the line continuation '\\'");
  } else {
    error(begin, begin + 1, "unexpected character after the line continuation '\\'");
    pos = std::min(size, text.find_first_of("\r\n", pos));
  }
  emit(TokenKind::Error, begin);
  return false;
}

void Lexer::lexNewline() {
  size_t begin = pos;
  skipNewline();
  if (!contexts.empty()) {
    if (!isStatementAhead())
      return;
    contexts.clear();
  }
  emit(TokenKind::Newline, begin);
  atLineStart = true;
}

/// Whether the line that begins here begins with a word that stands in no expression: then a
/// bracket or field before it was never closed.
bool Lexer::isStatementAhead() const {
  size_t begin = pos;
  while (begin < size && isBlank(data[begin]))
    ++begin;
  size_t end = begin;
  while (end < size && isNameChar(data[end]))
    ++end;
  switch (classifyWord(text.slice(begin, end))) {
  case TokenKind::KwAssert:
  case TokenKind::KwBreak:
  case TokenKind::KwClass:
  case TokenKind::KwContinue:
  case TokenKind::KwDef:
  case TokenKind::KwDel:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
  case TokenKind::KwGlobal:
  case TokenKind::KwImport:
  case TokenKind::KwNonlocal:
  case TokenKind::KwPass:
  case TokenKind::KwRaise:
  case TokenKind::KwReturn:
  case TokenKind::KwTry:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

void Lexer::lexToken() {
  char c = peek();
  if (isBlank(c)) {
    do
      ++pos;
    while (isBlank(peek()));
    return;
  }
  if (isNewline(c))
    return lexNewline();
  if (c == '#') {
    pos = std::min(size, text.find_first_of("\r\n", pos));
    return;
  }
  if (c == '\\') {
    skipContinuation();
    return;
  }
  if (isNameStart(c) || uint8_t(c) >= 0x80)
    return lexName();
  if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(peek(1))))
    return lexNumber();
  if (c == '"' || c == '\'')
    return lexString(pos, "");
  lexPunctuator();
}

void Lexer::lexName() {
  size_t begin = pos;
  while (pos < size) {
    if (isNameChar(data[pos])) {
      ++pos;
      continue;
    }
    if (uint8_t(data[pos]) < 0x80)
      break;
    DecodedChar c = decodeUTF8(text, pos);
    bool belongs = pos == begin ? isIdentifierStart(c.codePoint) : isIdentifierChar(c.codePoint);
    if (!c.valid || !belongs)
      break;
    pos += c.length;
  }
  if (pos == begin)
    return lexInvalidCharacter();
  llvm::StringRef word = text.slice(begin, pos);
  if ((peek() == '"' || peek() == '\'') && isStringPrefix(word))
    return lexString(begin, word);
  emit(classifyWord(word), begin);
}

void Lexer::lexInvalidCharacter() {
  size_t begin = pos;
  DecodedChar c = decodeUTF8(text, pos);
  pos += c.length;
  // Ill-formed UTF-8 and null bytes have been reported.
  if (c.valid && c.codePoint >= 0x80)
    error(begin, pos,
          "invalid character '" + text.slice(begin, pos) + "' (U+" +
              llvm::Twine(llvm::utohexstr(c.codePoint, /*LowerCase=*/false, /*Width=*/4)) + ")");
  else if (c.valid && c.codePoint >= 0x20 && c.codePoint != 0x7F)
    error(begin, pos, "invalid character '" + text.slice(begin, pos) + "'");
  else if (c.valid && c.codePoint != 0)
    error(begin, pos,
          "invalid control character 0x" + llvm::Twine(llvm::utohexstr(c.codePoint, false, 2)));
  emit(TokenKind::Error, begin);
}

/// Leaves the bracket that `c` closes, with those inside it that were not closed; if it closes
/// none, nothing happens. Either way it is a token, and the parser sees whether it fits.
void Lexer::leaveBracket(char c) {
  constexpr size_t kReach = 64; // Keeps the cost of wrong closers linear.
  char open = c == ')' ? '(' : c == ']' ? '[' : '{';
  size_t stop = contexts.size() > kReach ? contexts.size() - kReach : 0;
  for (size_t i = contexts.size(); i-- > stop;) {
    if (contexts[i].open == open)
      return contexts.resize(i);
    if (contexts[i].kind != Context::Bracket)
      return;
  }
}

void Lexer::lexPunctuator() {
  size_t begin = pos;
  char c = data[pos++];
  auto choose = [&](TokenKind plain, TokenKind withEqual) {
    if (peek() != '=')
      return emit(plain, begin);
    ++pos;
    emit(withEqual, begin);
  };
  auto chooseTwice = [&](TokenKind plain, TokenKind withEqual, TokenKind twice,
                         TokenKind twiceEqual) {
    if (peek() != c)
      return choose(plain, withEqual);
    ++pos;
    choose(twice, twiceEqual);
  };
  using K = TokenKind;
  switch (c) {
  case '(':
  case '[':
  case '{':
    contexts.push_back({Context::Bracket, c, false, false, uint32_t(begin), 0});
    return emit(c == '(' ? K::LParen : c == '[' ? K::LBracket : K::LBrace, begin);
  case ')':
  case ']':
  case '}':
    leaveBracket(c);
    return emit(c == ')' ? K::RParen : c == ']' ? K::RBracket : K::RBrace, begin);
  case ',':
    return emit(K::Comma, begin);
  case ';':
    return emit(K::Semicolon, begin);
  case '~':
    return emit(K::Tilde, begin);
  case ':':
    if (!contexts.empty() && contexts.back().kind == Context::Field) {
      Context spec = contexts.back();
      spec.kind = Context::Spec;
      contexts.push_back(spec);
      return emit(K::FStringColon, begin);
    }
    return choose(K::Colon, K::ColonEqual);
  case '.':
    if (peek() == '.' && peek(1) == '.') {
      pos += 2;
      return emit(K::Ellipsis, begin);
    }
    return emit(K::Dot, begin);
  case '-':
    if (peek() == '>') {
      ++pos;
      return emit(K::Arrow, begin);
    }
    return choose(K::Minus, K::MinusEqual);
  case '!':
    return choose(K::Exclaim, K::NotEqual);
  case '+':
    return choose(K::Plus, K::PlusEqual);
  case '%':
    return choose(K::Percent, K::PercentEqual);
  case '@':
    return choose(K::At, K::AtEqual);
  case '&':
    return choose(K::Amp, K::AmpEqual);
  case '|':
    return choose(K::Pipe, K::PipeEqual);
  case '^':
    return choose(K::Caret, K::CaretEqual);
  case '=':
    return choose(K::Equal, K::EqualEqual);
  case '*':
    return chooseTwice(K::Star, K::StarEqual, K::StarStar, K::StarStarEqual);
  case '/':
    return chooseTwice(K::Slash, K::SlashEqual, K::SlashSlash, K::SlashSlashEqual);
  case '<':
    return chooseTwice(K::Less, K::LessEqual, K::LessLess, K::LessLessEqual);
  case '>':
    return chooseTwice(K::Greater, K::GreaterEqual, K::GreaterGreater, K::GreaterGreaterEqual);
  default:
    --pos;
    lexInvalidCharacter();
  }
}

} // namespace tilec
