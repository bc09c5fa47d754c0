// Statements with blocks.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

namespace {

/// Each `elif` is a level of the tree.
constexpr size_t kMaxElif = 500;

} // namespace

bool Parser::isCompound(K kind) const {
  switch (kind) {
  case K::KwIf:
  case K::KwFor:
  case K::KwWhile:
  case K::KwWith:
  case K::KwTry:
  case K::KwDef:
  case K::KwClass:
  case K::KwAsync:
  case K::At:
    return true;
  default:
    return false;
  }
}

Stmt *Parser::parseCompound() {
  switch (kind()) {
  case K::KwIf:
    return parseIf();
  case K::KwFor:
    return parseFor(begin(), /*isAsync=*/false);
  case K::KwWhile:
    return parseWhile();
  case K::KwWith:
    return parseWith(begin(), /*isAsync=*/false);
  case K::KwTry:
    return parseTry();
  case K::KwDef:
    return parseFunction(begin(), {}, /*isAsync=*/false);
  case K::KwClass:
    return parseClass({});
  case K::KwAsync:
    return parseAsync();
  case K::At:
    return parseDecorated();
  default:
    return parseMatch();
  }
}

// --- Headers and blocks -------------------------------------------------------

/// Ends the line of a header with its colon. If it could not be parsed, its rest is passed over.
void Parser::finishHeader(Header &header, bool parsed, const llvm::Twine &afterWhat) {
  if (!parsed) {
    header.ok = false;
  } else if (!accept(K::Colon)) {
    header.ok = false;
    if (at(K::Equal))
      error(here()) << "expected ':' after " << afterWhat << ", found '='; use '==' to compare";
    else
      expected("expected ':' after " + afterWhat);
  }
  if (!header.ok)
    skipLine();
}

/// The block after a header: indented lines, or the rest of the header's line.
Block Parser::parseSuite(Header &header) {
  llvm::SmallVector<Stmt *, 8> body;
  if (!accept(K::Newline)) {
    if (!at(K::EndOfFile))
      parseSimpleLine(body);
    return copy(body);
  }
  if (!at(K::Indent)) {
    if (header.ok && !at(K::Error))
      (error(here()) << "expected an indented block after " << header.what)
              .note(makeRange(header.begin, header.begin + 1))
          << "the block belongs to this";
    header.ok = false;
    return {};
  }
  Nesting nesting(*this);
  if (!nesting) {
    header.ok = false;
    skipBlock();
    return {};
  }
  advance();
  parseStatements(body);
  accept(K::Dedent);
  return copy(body);
}

Block Parser::parseElse(bool &ok) {
  if (!at(K::KwElse))
    return {};
  Header header{"'else'", begin()};
  advance();
  finishHeader(header, true, "'else'");
  Block body = parseSuite(header);
  ok &= header.ok;
  return body;
}

// --- Branches and loops -------------------------------------------------------

Stmt *Parser::parseIf() {
  struct Branch {
    uint32_t begin;
    Expr *condition;
    Block body;
  };
  llvm::SmallVector<Branch, 4> branches;
  bool ok = true;
  do {
    bool isElif = !branches.empty();
    Header header{isElif ? "'elif'" : "'if'", begin()};
    if (branches.size() == kMaxElif) {
      error(here()) << "too many 'elif' branches: more than " << kMaxElif;
      ok = false;
    }
    advance();
    Expr *condition = parseNamedExpression();
    finishHeader(header, condition, isElif ? "'elif' condition" : "'if' condition");
    Block body = parseSuite(header);
    branches.push_back({header.begin, condition, body});
    ok &= header.ok;
  } while (at(K::KwElif));
  Block orelse = parseElse(ok);
  if (!ok)
    return nullptr;
  Stmt *stmt = nullptr;
  for (size_t i = branches.size(); i-- > 0;) {
    const Branch &branch = branches[i];
    stmt = makeNode<IfStmt>(branch.begin, branch.condition, branch.body, orelse, i != 0);
    orelse = context.copyArray<Stmt *>(stmt);
  }
  return stmt;
}

Stmt *Parser::parseFor(uint32_t start, bool isAsync) {
  Header header{"'for'", begin()};
  advance();
  Expr *target = parseTargetList("'for'"), *iterable = nullptr;
  if (target && expectToken(K::KwIn, "after the target of 'for'"))
    iterable = parseStarExpressions();
  finishHeader(header, iterable, "the iterable of 'for'");
  Block body = parseSuite(header);
  bool ok = header.ok;
  Block orelse = parseElse(ok);
  return ok ? makeNode<ForStmt>(start, target, iterable, body, orelse, isAsync) : nullptr;
}

Stmt *Parser::parseWhile() {
  Header header{"'while'", begin()};
  advance();
  Expr *condition = parseNamedExpression();
  finishHeader(header, condition, "'while' condition");
  Block body = parseSuite(header);
  bool ok = header.ok;
  Block orelse = parseElse(ok);
  return ok ? makeNode<WhileStmt>(header.begin, condition, body, orelse) : nullptr;
}

// --- with ---------------------------------------------------------------------

/// At the '(' after `with`: whether the parentheses enclose the list of items, and not an
/// expression.
bool Parser::isParenthesizedWith() const {
  size_t level = 0, i = pos;
  bool sawItem = false, atItemStart = true;
  for (; i < tokens.size(); ++i) {
    K kind = tokens[i].kind;
    if (kind == K::LParen || kind == K::LBracket || kind == K::LBrace) {
      sawItem |= level == 1;
      atItemStart = level == 0;
      ++level;
      continue;
    }
    if (kind == K::RParen || kind == K::RBracket || kind == K::RBrace) {
      if (--level == 0)
        break;
      continue;
    }
    if (kind == K::Newline || kind == K::EndOfFile || kind == K::Error)
      return false;
    if (level != 1)
      continue;
    if (kind == K::KwAs)
      return true;
    if (kind == K::KwFor || kind == K::ColonEqual || kind == K::KwYield ||
        (kind == K::Star && atItemStart))
      return false;
    sawItem |= kind != K::Comma;
    atItemStart = kind == K::Comma;
  }
  return sawItem && i + 1 < tokens.size() && tokens[i + 1].kind == K::Colon;
}

/// `CONTEXT as TARGET`.
bool Parser::parseWithItem(Vector<WithItem *> &items) {
  uint32_t start = begin();
  Expr *value = parseExpr(), *target = nullptr;
  if (!value)
    return false;
  if (accept(K::KwAs)) {
    uint32_t targetStart = begin();
    bool starred = accept(K::Star);
    target = parseOperators(kBitOr);
    if (target && starred)
      target = makeExpr<StarredExpr>(targetStart, target);
    if (!target || !checkTarget(target, TargetUse::Assign))
      return false;
  }
  items.push_back(makeNode<WithItem>(start, value, target));
  return true;
}

Stmt *Parser::parseWith(uint32_t start, bool isAsync) {
  Header header{"'with'", begin()};
  advance();
  Vector<WithItem *> items;
  Token opener = token();
  bool parenthesized = at(K::LParen) && isParenthesizedWith();
  if (parenthesized)
    advance();
  bool parsed;
  do
    parsed = parseWithItem(items);
  while (parsed && accept(K::Comma) && !(parenthesized && at(K::RParen)));
  if (parsed && parenthesized)
    parsed = expectCloser(K::RParen, opener);
  finishHeader(header, parsed, "the items of 'with'");
  Block body = parseSuite(header);
  return header.ok ? makeNode<WithStmt>(start, copy(items), body, isAsync) : nullptr;
}

// --- try ----------------------------------------------------------------------

ExceptHandler *Parser::parseHandler(bool &isStar, bool isFirst) {
  Header header{"'except'", begin()};
  advance();
  SourceRange starRange = rangeOf(token());
  bool star = accept(K::Star);
  Expr *type = nullptr;
  llvm::StringRef name;
  bool parsed = true;
  if (!isFirst && star != isStar) {
    error(starRange) << "cannot have both 'except' and 'except*' on one 'try'";
    parsed = false;
  } else if (!at(K::Colon) && !atLineEnd()) {
    parsed = (type = parseExpr()) != nullptr;
    SourceRange range;
    if (parsed && accept(K::KwAs))
      parsed = expectName("a name after 'as'", name, range);
    if (parsed && at(K::Comma)) {
      error(here()) << "several exception types need parentheses";
      parsed = false;
    }
  } else if (star) {
    expected("expected an exception type after 'except*'");
    parsed = false;
  }
  isStar = star;
  finishHeader(header, parsed, "'except'");
  Block body = parseSuite(header);
  return header.ok ? makeNode<ExceptHandler>(header.begin, type, name, body) : nullptr;
}

Block Parser::parseFinally(bool &ok) {
  if (!at(K::KwFinally))
    return {};
  Header header{"'finally'", begin()};
  advance();
  finishHeader(header, true, "'finally'");
  Block body = parseSuite(header);
  ok &= header.ok;
  return body;
}

Stmt *Parser::parseTry() {
  Header header{"'try'", begin()};
  advance();
  finishHeader(header, true, "'try'");
  Block body = parseSuite(header);
  bool ok = header.ok, isStar = false, isFirst = true;
  Vector<ExceptHandler *> handlers;
  for (; at(K::KwExcept); isFirst = false) {
    ExceptHandler *handler = parseHandler(isStar, isFirst);
    if (handler)
      handlers.push_back(handler);
    ok &= handler != nullptr;
  }
  Block orelse, finally;
  if (!isFirst)
    orelse = parseElse(ok);
  bool hasFinally = at(K::KwFinally);
  finally = parseFinally(ok);
  if (isFirst && !hasFinally) {
    if (ok)
      (error(here()) << "expected 'except' or 'finally' after the block of 'try'")
              .note(makeRange(header.begin, header.begin + 3))
          << "'try' is here";
    return nullptr;
  }
  return ok ? makeNode<TryStmt>(header.begin, body, copy(handlers), orelse, finally, isStar)
            : nullptr;
}

// --- Functions and classes ----------------------------------------------------

Stmt *Parser::parseAsync() {
  uint32_t start = begin();
  advance();
  switch (kind()) {
  case K::KwDef:
    return parseFunction(start, {}, /*isAsync=*/true);
  case K::KwFor:
    return parseFor(start, /*isAsync=*/true);
  case K::KwWith:
    return parseWith(start, /*isAsync=*/true);
  default:
    return expected("expected 'def', 'for' or 'with' after 'async'");
  }
}

Stmt *Parser::parseDecorated() {
  Vector<Expr *> decorators;
  bool ok = true;
  while (accept(K::At)) {
    Expr *decorator = parseNamedExpression();
    if (decorator)
      decorators.push_back(decorator);
    if (decorator && !at(K::Newline))
      decorator = expected("expected the end of the line after a decorator");
    ok &= decorator != nullptr;
    skipLine();
    accept(K::Newline);
  }
  uint32_t start = begin();
  Stmt *stmt = nullptr;
  if (at(K::KwDef))
    stmt = parseFunction(start, decorators, /*isAsync=*/false);
  else if (at(K::KwClass))
    stmt = parseClass(decorators);
  else if (at(K::KwAsync) && kindAt(1) == K::KwDef) {
    advance();
    stmt = parseFunction(start, decorators, /*isAsync=*/true);
  } else if (ok) {
    error(here()) << "expected 'def' or 'class' after a decorator" << describeFound();
  }
  return ok ? stmt : nullptr;
}

Stmt *Parser::parseFunction(uint32_t start, llvm::ArrayRef<Expr *> decorators, bool isAsync) {
  Header header{"'def'", begin()};
  advance();
  llvm::StringRef name;
  SourceRange nameRange;
  Vector<TypeParam *> typeParams;
  Vector<Param *> params;
  Expr *returns = nullptr;
  bool parsed =
      expectName("a function name after 'def'", name, nameRange) && parseTypeParams(typeParams);
  Token opener = token();
  parsed = parsed && expectToken(K::LParen, "after the name of a function") &&
           parseParams(K::RParen, /*isLambda=*/false, params) && expectCloser(K::RParen, opener);
  if (parsed && accept(K::Arrow))
    parsed = (returns = parseExpr()) != nullptr;
  finishHeader(header, parsed, "the header of a function");
  Block body = parseSuite(header);
  if (!header.ok)
    return nullptr;
  return makeNode<FunctionDef>(start, name, nameRange, context.copyArray(decorators),
                               copy(typeParams), copy(params), returns, body, isAsync);
}

Stmt *Parser::parseClass(llvm::ArrayRef<Expr *> decorators) {
  Header header{"'class'", begin()};
  advance();
  llvm::StringRef name;
  SourceRange nameRange;
  Vector<TypeParam *> typeParams;
  Vector<Expr *> bases;
  Vector<Keyword *> keywords;
  bool parsed =
      expectName("a class name after 'class'", name, nameRange) && parseTypeParams(typeParams);
  Token opener = token();
  if (parsed && accept(K::LParen))
    parsed = parseArguments(opener, bases, keywords);
  if (parsed && bases.size() == 1 && llvm::isa<ComprehensionExpr>(bases[0]) &&
      bases[0]->range.begin == sources.getLoc(file, opener.begin)) {
    error(bases[0]->range) << "expected base classes, found a generator expression";
    parsed = false;
  }
  finishHeader(header, parsed, "the header of a class");
  Block body = parseSuite(header);
  if (!header.ok)
    return nullptr;
  return makeNode<ClassDef>(header.begin, name, nameRange, context.copyArray(decorators),
                            copy(typeParams), copy(bases), copy(keywords), body);
}

} // namespace tilec
