// Names, brackets, displays and comprehensions.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

Expr *Parser::parseAtom() {
  uint32_t start = begin();
  switch (kind()) {
  case K::Name: {
    llvm::StringRef name = context.intern(spelling(token()));
    advance();
    return makeExpr<NameExpr>(start, name);
  }
  case K::Int:
    return parseInt();
  case K::Float:
    return parseFloat(/*imaginary=*/false);
  case K::Imaginary:
    return parseFloat(/*imaginary=*/true);
  case K::String:
  case K::Bytes:
  case K::FStringStart:
    return parseStrings();
  case K::KwTrue:
    advance();
    return makeExpr<BoolLiteral>(start, true);
  case K::KwFalse:
    advance();
    return makeExpr<BoolLiteral>(start, false);
  case K::KwNone:
    advance();
    return makeExpr<NoneLiteral>(start);
  case K::Ellipsis:
    advance();
    return makeExpr<EllipsisLiteral>(start);
  case K::LParen:
    return parseParenthesized();
  case K::LBracket:
    return parseListDisplay();
  case K::LBrace:
    return parseBraceDisplay();
  default:
    return expected("expected an expression");
  }
}

/// A parenthesized expression, a tuple or a generator.
Expr *Parser::parseParenthesized() {
  uint32_t start = begin();
  Token opener = token();
  advance();
  if (at(K::KwYield)) {
    Expr *value = parseYield();
    return value && expectCloser(K::RParen, opener) ? value : nullptr;
  }
  Vector<Expr *> elements;
  bool isTuple = true;
  while (!at(K::RParen)) {
    Expr *element = parseStarredOrNamed();
    if (!element)
      return nullptr;
    if (elements.empty() && atComprehension()) {
      if (llvm::isa<StarredExpr>(element)) {
        error(element->range) << "'*' cannot be used in a comprehension";
        return nullptr;
      }
      Expr *generator = parseGenerator(start, element);
      if (!generator || !expectCloser(K::RParen, opener))
        return nullptr;
      generator->range = rangeFrom(start);
      return generator;
    }
    elements.push_back(element);
    isTuple = accept(K::Comma);
    if (!isTuple)
      break;
  }
  if (!expectCloser(K::RParen, opener))
    return nullptr;
  if (elements.size() != 1 || isTuple)
    return makeExpr<TupleExpr>(start, copy(elements));
  if (llvm::isa<StarredExpr>(elements[0])) {
    error(elements[0]->range) << "a starred expression cannot stand alone in parentheses";
    return nullptr;
  }
  return elements[0];
}

Expr *Parser::parseGenerator(uint32_t start, Expr *element) {
  Vector<ForClause *> clauses;
  if (!parseClauses(clauses))
    return nullptr;
  return makeExpr<ComprehensionExpr>(start, ComprehensionKind::Generator, element, nullptr,
                                     copy(clauses));
}

Expr *Parser::parseListDisplay() {
  uint32_t start = begin();
  Token opener = token();
  advance();
  Vector<Expr *> elements;
  while (!at(K::RBracket)) {
    Expr *element = parseStarredOrNamed();
    if (!element)
      return nullptr;
    elements.push_back(element);
    if (elements.size() == 1 && atComprehension()) {
      if (llvm::isa<StarredExpr>(element)) {
        error(element->range) << "'*' cannot be used in a comprehension";
        return nullptr;
      }
      Vector<ForClause *> clauses;
      if (!parseClauses(clauses) || !expectCloser(K::RBracket, opener))
        return nullptr;
      return makeExpr<ComprehensionExpr>(start, ComprehensionKind::List, element, nullptr,
                                         copy(clauses));
    }
    if (!accept(K::Comma))
      break;
  }
  if (!expectCloser(K::RBracket, opener))
    return nullptr;
  return makeExpr<ListExpr>(start, copy(elements));
}

/// A dictionary or a set.
Expr *Parser::parseBraceDisplay() {
  uint32_t start = begin();
  Token opener = token();
  advance();
  if (accept(K::RBrace))
    return makeExpr<DictExpr>(start, llvm::ArrayRef<Expr *>(), llvm::ArrayRef<Expr *>());
  Expr *key = nullptr, *value = nullptr;
  if (at(K::StarStar)) {
    if (!parseDictItem(key, value))
      return nullptr;
    return parseDictRest(opener, key, value);
  }
  Expr *first = parseStarredOrNamed();
  if (!first)
    return nullptr;
  if (at(K::Colon) && !llvm::isa<StarredExpr>(first)) {
    advance();
    value = parseExpr();
    return value ? parseDictRest(opener, first, value) : nullptr;
  }
  if (atComprehension()) {
    if (llvm::isa<StarredExpr>(first)) {
      error(first->range) << "'*' cannot be used in a comprehension";
      return nullptr;
    }
    Vector<ForClause *> clauses;
    if (!parseClauses(clauses) || !expectCloser(K::RBrace, opener))
      return nullptr;
    return makeExpr<ComprehensionExpr>(start, ComprehensionKind::Set, first, nullptr,
                                       copy(clauses));
  }
  Vector<Expr *> elements{first};
  while (accept(K::Comma) && !at(K::RBrace)) {
    Expr *element = parseStarredOrNamed();
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  if (!expectCloser(K::RBrace, opener))
    return nullptr;
  return makeExpr<SetExpr>(start, copy(elements));
}

/// `KEY: VALUE`, or `**VALUE`, which leaves the key null.
bool Parser::parseDictItem(Expr *&key, Expr *&value) {
  key = nullptr;
  if (accept(K::StarStar)) {
    Nesting nesting(*this);
    return nesting && (value = parseOperators(kBitOr)) != nullptr;
  }
  key = parseExpr();
  if (!key || !expectToken(K::Colon, "after a dictionary key"))
    return false;
  return (value = parseExpr()) != nullptr;
}

/// After the first item of a dictionary.
Expr *Parser::parseDictRest(const Token &opener, Expr *key, Expr *value) {
  if (atComprehension()) {
    if (!key) {
      error(value->range) << "'**' cannot be used in a comprehension";
      return nullptr;
    }
    Vector<ForClause *> clauses;
    if (!parseClauses(clauses) || !expectCloser(K::RBrace, opener))
      return nullptr;
    return makeExpr<ComprehensionExpr>(opener.begin, ComprehensionKind::Dict, key, value,
                                       copy(clauses));
  }
  Vector<Expr *> keys{key}, values{value};
  while (accept(K::Comma) && !at(K::RBrace)) {
    if (!parseDictItem(key, value))
      return nullptr;
    keys.push_back(key);
    values.push_back(value);
  }
  if (!expectCloser(K::RBrace, opener))
    return nullptr;
  return makeExpr<DictExpr>(opener.begin, copy(keys), copy(values));
}

/// One or more `for TARGET in ITERABLE if CONDITION...`.
bool Parser::parseClauses(Vector<ForClause *> &clauses) {
  Nesting nesting(*this);
  if (!nesting)
    return false;
  while (atComprehension()) {
    uint32_t start = begin();
    bool isAsync = accept(K::KwAsync);
    advance();
    Expr *target = parseTargetList("'for' in a comprehension");
    if (!target || !expectToken(K::KwIn, "after the target of 'for'"))
      return false;
    Expr *iterable = parseOperators(kOr);
    if (!iterable)
      return false;
    Vector<Expr *> conditions;
    while (accept(K::KwIf)) {
      Expr *condition = parseOperators(kOr);
      if (!condition)
        return false;
      conditions.push_back(condition);
    }
    clauses.push_back(makeNode<ForClause>(start, target, iterable, copy(conditions), isAsync));
  }
  return true;
}

/// The targets of a `for`: everything up to `in`.
Expr *Parser::parseTargetList(llvm::StringRef where) {
  uint32_t start = begin();
  Vector<Expr *> targets;
  bool isTuple = false;
  while (startsExpression() && !at(K::KwNot) && !at(K::KwLambda)) {
    uint32_t targetStart = begin();
    bool starred = accept(K::Star);
    Expr *target = parseOperators(kBitOr);
    if (target && starred)
      target = makeExpr<StarredExpr>(targetStart, target);
    if (!target)
      return nullptr;
    targets.push_back(target);
    isTuple = accept(K::Comma);
    if (!isTuple)
      break;
  }
  if (targets.empty())
    return expected("expected a target after " + where);
  Expr *result = targets[0];
  if (targets.size() > 1 || isTuple)
    result = makeExpr<TupleExpr>(start, copy(targets));
  return result && checkTarget(result, TargetUse::Assign) ? result : nullptr;
}

} // namespace tilec
