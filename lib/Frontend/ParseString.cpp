// Runs of adjacent string literals, f-strings among them.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

Expr *Parser::parseStrings() {
  uint32_t start = begin();
  bool isBytes = at(K::Bytes), isFormatted = false;
  StringParts parts;
  while (at(K::String) || at(K::Bytes) || at(K::FStringStart)) {
    if (at(K::Bytes) != isBytes) {
      error(rangeOf(token())) << "cannot join a bytes literal and a string literal";
      return nullptr;
    }
    if (at(K::FStringStart)) {
      isFormatted = true;
      if (!parseFString(parts))
        return nullptr;
      continue;
    }
    uint32_t tokenBegin = begin(), tokenEnd = token().end;
    llvm::SmallString<64> piece;
    if (!decodeToken(token(), piece))
      return nullptr;
    advance();
    addText(parts, piece, tokenBegin, tokenEnd);
  }
  if (isBytes)
    return makeExpr<BytesLiteral>(start, context.copyString(parts.text));
  if (!isFormatted)
    return makeExpr<StringLiteral>(start, context.copyString(parts.text));
  flushText(parts);
  return makeExpr<JoinedStr>(start, copy(parts.parts));
}

void Parser::addText(StringParts &parts, llvm::StringRef piece, uint32_t begin, uint32_t end) {
  if (!parts.hasText)
    parts.textBegin = begin;
  parts.hasText = true;
  parts.textEnd = end;
  parts.text += piece;
}

void Parser::flushText(StringParts &parts) {
  if (!parts.text.empty())
    parts.parts.push_back(context.make<StringLiteral>(makeRange(parts.textBegin, parts.textEnd),
                                                      context.copyString(parts.text)));
  parts.text.clear();
  parts.hasText = false;
}

/// From the start token to the end token.
bool Parser::parseFString(StringParts &parts) {
  llvm::StringRef opening = spelling(token());
  bool raw = opening.contains_insensitive('r');
  advance();
  if (!parseFStringParts(parts, raw, /*inSpec=*/false))
    return false;
  if (accept(K::FStringEnd))
    return true;
  expected("expected the end of the f-string");
  return false;
}

/// Text and fields, of an f-string or of a field's format.
bool Parser::parseFStringParts(StringParts &parts, bool raw, bool inSpec) {
  while (true) {
    if (at(K::FStringMiddle)) {
      StringForm form;
      form.raw = raw;
      form.doubledBraces = !inSpec;
      llvm::SmallString<64> piece;
      if (!decode(begin(), token().end, form, piece))
        return false;
      addText(parts, piece, begin(), token().end);
      advance();
    } else if (at(K::LBrace)) {
      if (!parseField(parts, raw))
        return false;
    } else {
      return true;
    }
  }
}

/// `{VALUE = !r :FORMAT}`.
bool Parser::parseField(StringParts &parts, bool raw) {
  Nesting nesting(*this);
  if (!nesting)
    return false;
  uint32_t start = begin();
  Token opener = token();
  advance();
  if (at(K::RBrace) || at(K::FStringColon) || at(K::Exclaim) || at(K::Equal)) {
    expected("expected an expression in the field of an f-string");
    return false;
  }
  Expr *value = parseYieldOrStarExpressions();
  if (!value)
    return false;
  bool isDebug = false;
  if (at(K::Equal)) {
    // `{x = }` shows its own text, blanks included.
    isDebug = true;
    advance();
    addText(parts, text.slice(opener.end, begin()), opener.end, begin());
  }
  flushText(parts);
  char conversion = 0;
  if (accept(K::Exclaim)) {
    llvm::StringRef name = at(K::Name) ? spelling(token()) : "";
    if (name != "s" && name != "r" && name != "a") {
      expected("expected 's', 'r' or 'a' after '!' in an f-string");
      return false;
    }
    if (token().begin != previousEnd) {
      error(here()) << "the conversion must come right after '!'";
      return false;
    }
    conversion = name[0];
    advance();
  }
  JoinedStr *formatSpec = nullptr;
  if (at(K::FStringColon)) {
    advance();
    uint32_t specStart = begin();
    StringParts spec;
    if (!parseFStringParts(spec, raw, /*inSpec=*/true))
      return false;
    flushText(spec);
    formatSpec = makeExpr<JoinedStr>(specStart, copy(spec.parts));
    if (!formatSpec)
      return false;
  }
  if (isDebug && conversion == 0 && !formatSpec)
    conversion = 'r';
  if (!expectCloser(K::RBrace, opener))
    return false;
  auto *field = makeExpr<FormattedValue>(start, value, conversion, formatSpec);
  if (field)
    parts.parts.push_back(field);
  return field != nullptr;
}

} // namespace tilec
