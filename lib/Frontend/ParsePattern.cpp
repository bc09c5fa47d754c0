// `match` and its patterns.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

/// `match` and `case` are names elsewhere: a line that begins with `match` is a statement of that
/// name if a colon ends it and an indented line follows.
bool Parser::isMatchStatement() const {
  if (!atWord("match"))
    return false;
  switch (kindAt(1)) {
  case K::Equal:
  case K::Dot:
  case K::Comma:
  case K::Colon:
  case K::RParen:
  case K::Newline:
    return false;
  default:
    break;
  }
  size_t i = pos + 1;
  while (i < tokens.size() && tokens[i].kind != K::Newline && tokens[i].kind != K::EndOfFile)
    ++i;
  return i + 1 < tokens.size() && tokens[i].kind == K::Newline && tokens[i - 1].kind == K::Colon &&
         tokens[i + 1].kind == K::Indent;
}

Stmt *Parser::parseMatch() {
  Header header{"'match'", begin()};
  advance();
  uint32_t subjectStart = begin();
  Vector<Expr *> subjects;
  bool isTuple = false, parsed = true;
  do {
    Expr *subject = parseStarredOrNamed();
    parsed = subject != nullptr;
    if (parsed)
      subjects.push_back(subject);
    isTuple |= at(K::Comma);
  } while (parsed && accept(K::Comma) && startsExpression());
  Expr *subject = subjects.empty() ? nullptr : subjects[0];
  if (parsed && isTuple)
    parsed = (subject = makeExpr<TupleExpr>(subjectStart, copy(subjects))) != nullptr;
  else if (parsed && llvm::isa<StarredExpr>(subject))
    parsed = expected("expected ',' after a starred subject of 'match'") != nullptr;
  finishHeader(header, parsed, "the subject of 'match'");
  accept(K::Newline);
  Nesting nesting(*this);
  if (!nesting) {
    skipBlock();
    return nullptr;
  }
  accept(K::Indent);
  Vector<MatchCase *> cases;
  bool ok = header.ok;
  while (!at(K::Dedent) && !at(K::EndOfFile)) {
    if (!atWord("case")) {
      expected("expected 'case' in the block of 'match'");
      ok = false;
      recover();
      continue;
    }
    if (MatchCase *matchCase = parseCase(ok))
      cases.push_back(matchCase);
  }
  accept(K::Dedent);
  return ok ? makeNode<MatchStmt>(header.begin, subject, copy(cases)) : nullptr;
}

MatchCase *Parser::parseCase(bool &ok) {
  Header header{"'case'", begin()};
  advance();
  Pattern *pattern = parseTopPattern();
  Expr *guard = nullptr;
  bool parsed = pattern != nullptr;
  if (parsed && accept(K::KwIf))
    parsed = (guard = parseNamedExpression()) != nullptr;
  finishHeader(header, parsed, "the pattern of 'case'");
  Block body = parseSuite(header);
  ok &= header.ok;
  return header.ok ? makeNode<MatchCase>(header.begin, pattern, guard, body) : nullptr;
}

/// A pattern, or a sequence without brackets.
Pattern *Parser::parseTopPattern() {
  uint32_t start = begin();
  Vector<Pattern *> patterns;
  bool isSequence = at(K::Star);
  do {
    Pattern *pattern = parseStarOrAsPattern();
    if (!pattern)
      return nullptr;
    patterns.push_back(pattern);
    isSequence |= at(K::Comma);
  } while (accept(K::Comma) && !at(K::Colon) && !at(K::KwIf));
  if (!isSequence)
    return patterns[0];
  if (patterns.size() == 1 && llvm::isa<StarPattern>(patterns[0]) &&
      tokens[pos - 1].kind != K::Comma)
    return expected("expected ',' after a starred pattern");
  return makeNode<SequencePattern>(start, copy(patterns));
}

Pattern *Parser::parseStarOrAsPattern() {
  uint32_t start = begin();
  if (!accept(K::Star))
    return parseAsPattern();
  llvm::StringRef name;
  SourceRange range;
  if (!expectName("a name after '*'", name, range))
    return nullptr;
  return makeNode<StarPattern>(start, name == "_" ? llvm::StringRef() : name);
}

Pattern *Parser::parseAsPattern() {
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  uint32_t start = begin();
  Pattern *pattern = parseOrPattern();
  if (!pattern || !accept(K::KwAs))
    return pattern;
  llvm::StringRef name;
  SourceRange range;
  if (!expectName("a name after 'as'", name, range))
    return nullptr;
  if (name == "_") {
    error(range) << "'_' cannot be the name after 'as'";
    return nullptr;
  }
  return makeNode<AsPattern>(start, pattern, name);
}

Pattern *Parser::parseOrPattern() {
  uint32_t start = begin();
  Vector<Pattern *> patterns;
  do {
    Pattern *pattern = parseClosedPattern();
    if (!pattern)
      return nullptr;
    patterns.push_back(pattern);
  } while (accept(K::Pipe));
  return patterns.size() == 1 ? patterns[0] : makeNode<OrPattern>(start, copy(patterns));
}

Pattern *Parser::parseClosedPattern() {
  uint32_t start = begin();
  switch (kind()) {
  case K::Name:
    return parseNamePattern();
  case K::LParen:
    return parseSequencePattern(K::RParen);
  case K::LBracket:
    return parseSequencePattern(K::RBracket);
  case K::LBrace:
    return parseMappingPattern();
  default:
    break;
  }
  Expr *value = parsePatternLiteral();
  return value ? makeNode<ValuePattern>(start, value) : nullptr;
}

/// A number with its sign, a complex number, strings, or a constant.
Expr *Parser::parsePatternLiteral() {
  uint32_t start = begin();
  switch (kind()) {
  case K::String:
  case K::Bytes:
  case K::FStringStart: {
    Expr *value = parseStrings();
    if (value && llvm::isa<JoinedStr>(value)) {
      error(value->range) << "an f-string cannot be a pattern";
      return nullptr;
    }
    return value;
  }
  case K::KwTrue:
  case K::KwFalse:
  case K::KwNone:
    return parseAtom();
  case K::Int:
  case K::Float:
  case K::Imaginary:
  case K::Minus:
    break;
  default:
    return expected("expected a pattern");
  }
  bool negative = accept(K::Minus);
  if (!at(K::Int) && !at(K::Float) && !at(K::Imaginary))
    return expected("expected a number after '-' in a pattern");
  bool isImaginary = at(K::Imaginary);
  Expr *value = parseAtom();
  if (value && negative)
    value = makeExpr<UnaryExpr>(start, UnaryOp::Minus, value);
  if (!value || !(at(K::Plus) || at(K::Minus)))
    return value;
  if (isImaginary) {
    error(value->range) << "the real part of a complex number must come first";
    return nullptr;
  }
  SourceRange opRange = rangeOf(token());
  BinaryOp op = at(K::Plus) ? BinaryOp::Add : BinaryOp::Sub;
  advance();
  if (!at(K::Imaginary))
    return expected("expected an imaginary number in a pattern");
  Expr *imaginary = parseAtom();
  return imaginary ? makeExpr<BinaryExpr>(start, op, opRange, value, imaginary) : nullptr;
}

/// A name to bind, a dotted name to compare with, or a class.
Pattern *Parser::parseNamePattern() {
  uint32_t start = begin();
  Expr *value = parseAtom();
  llvm::StringRef name = llvm::cast<NameExpr>(value)->name;
  bool dotted = at(K::Dot);
  while (accept(K::Dot)) {
    llvm::StringRef attr;
    SourceRange attrRange;
    if (!expectName("a name after '.'", attr, attrRange))
      return nullptr;
    value = makeExpr<AttributeExpr>(start, value, attr, attrRange);
    if (!value)
      return nullptr;
  }
  if (at(K::LParen))
    return parseClassPattern(start, value);
  if (dotted)
    return makeNode<ValuePattern>(start, value);
  return makeNode<AsPattern>(start, nullptr, name == "_" ? llvm::StringRef() : name);
}

Pattern *Parser::parseClassPattern(uint32_t start, Expr *cls) {
  Token opener = token();
  advance();
  Vector<Pattern *> patterns, keywordPatterns;
  Vector<llvm::StringRef> keywordNames;
  while (!at(K::RParen)) {
    bool isKeyword = at(K::Name) && kindAt(1) == K::Equal;
    if (isKeyword) {
      keywordNames.push_back(context.intern(spelling(token())));
      advance();
      advance();
    } else if (!keywordNames.empty()) {
      error(here()) << "positional pattern follows keyword pattern";
      return nullptr;
    }
    Pattern *pattern = parseAsPattern();
    if (!pattern)
      return nullptr;
    (isKeyword ? keywordPatterns : patterns).push_back(pattern);
    if (!accept(K::Comma))
      break;
  }
  if (!expectCloser(K::RParen, opener))
    return nullptr;
  return makeNode<ClassPattern>(start, cls, copy(patterns), copy(keywordNames),
                                copy(keywordPatterns));
}

/// `[a, *b]`, `(a, b)`, or a pattern in parentheses.
Pattern *Parser::parseSequencePattern(K closer) {
  uint32_t start = begin();
  Token opener = token();
  advance();
  Vector<Pattern *> patterns;
  bool sawComma = false;
  while (!at(closer)) {
    Pattern *pattern = parseStarOrAsPattern();
    if (!pattern)
      return nullptr;
    patterns.push_back(pattern);
    if (!accept(K::Comma))
      break;
    sawComma = true;
  }
  if (!expectCloser(closer, opener))
    return nullptr;
  if (closer == K::RParen && patterns.size() == 1 && !sawComma) {
    if (!llvm::isa<StarPattern>(patterns[0]))
      return patterns[0];
    error(patterns[0]->range) << "a starred pattern cannot stand alone in parentheses";
    return nullptr;
  }
  return makeNode<SequencePattern>(start, copy(patterns));
}

Pattern *Parser::parseMappingPattern() {
  uint32_t start = begin();
  Token opener = token();
  advance();
  Vector<Expr *> keys;
  Vector<Pattern *> patterns;
  llvm::StringRef rest;
  while (!at(K::RBrace)) {
    if (accept(K::StarStar)) {
      SourceRange range;
      if (!expectName("a name after '**'", rest, range))
        return nullptr;
      if (rest == "_") {
        error(range) << "'_' cannot be the name after '**'";
        return nullptr;
      }
      accept(K::Comma);
      break;
    }
    Expr *key;
    if (at(K::Name)) {
      Pattern *name = parseNamePattern();
      auto *value = llvm::dyn_cast_or_null<ValuePattern>(name);
      if (name && !value)
        error(name->range) << "a key of a mapping pattern must be a literal or a dotted name";
      key = value ? value->value : nullptr;
    } else {
      key = parsePatternLiteral();
    }
    if (!key || !expectToken(K::Colon, "after a key of a mapping pattern"))
      return nullptr;
    Pattern *pattern = parseAsPattern();
    if (!pattern)
      return nullptr;
    keys.push_back(key);
    patterns.push_back(pattern);
    if (!accept(K::Comma))
      break;
  }
  if (!expectCloser(K::RBrace, opener))
    return nullptr;
  return makeNode<MappingPattern>(start, copy(keys), copy(patterns), rest);
}

} // namespace tilec
