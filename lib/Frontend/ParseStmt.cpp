// Statements on one line, and what may be assigned to.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

Stmt *Parser::parseSimpleStatement() {
  uint32_t start = begin();
  switch (kind()) {
  case K::KwPass:
    advance();
    return makeNode<PassStmt>(start);
  case K::KwBreak:
    advance();
    return makeNode<BreakStmt>(start);
  case K::KwContinue:
    advance();
    return makeNode<ContinueStmt>(start);
  case K::KwReturn:
    return parseReturn();
  case K::KwRaise:
    return parseRaise();
  case K::KwAssert:
    return parseAssert();
  case K::KwDel:
    return parseDelete();
  case K::KwGlobal:
    return parseGlobal(/*nonlocal=*/false);
  case K::KwNonlocal:
    return parseGlobal(/*nonlocal=*/true);
  case K::KwImport:
    return parseImport();
  case K::KwFrom:
    return parseImportFrom();
  case K::KwElif:
  case K::KwElse:
    error(here()) << "'" << spelling(token()) << "' has no 'if' before it";
    return nullptr;
  case K::KwExcept:
  case K::KwFinally:
    error(here()) << "'" << spelling(token()) << "' has no 'try' before it";
    return nullptr;
  case K::Name:
    if (kindAt(1) == K::Name && (kindAt(2) == K::Equal || kindAt(2) == K::LBracket) &&
        atWord("type"))
      return parseTypeAlias();
    break;
  default:
    break;
  }
  return parseExprStatement();
}

// --- Expressions and assignments ----------------------------------------------

Stmt *Parser::parseExprStatement() {
  uint32_t start = begin();
  Expr *first = parseYieldOrStarExpressions();
  if (!first)
    return nullptr;
  switch (kind()) {
  case K::Equal:
    return parseAssignment(start, first);
  case K::Colon:
    return parseAnnotated(start, first);
  case K::ColonEqual:
    error(here()) << "':=' needs parentheses here; to assign, use '='";
    return nullptr;
  default:
    break;
  }
  BinaryOp op;
  switch (kind()) {
  case K::PlusEqual:
    op = BinaryOp::Add;
    break;
  case K::MinusEqual:
    op = BinaryOp::Sub;
    break;
  case K::StarEqual:
    op = BinaryOp::Mul;
    break;
  case K::StarStarEqual:
    op = BinaryOp::Pow;
    break;
  case K::SlashEqual:
    op = BinaryOp::Div;
    break;
  case K::SlashSlashEqual:
    op = BinaryOp::FloorDiv;
    break;
  case K::PercentEqual:
    op = BinaryOp::Mod;
    break;
  case K::AtEqual:
    op = BinaryOp::MatMul;
    break;
  case K::LessLessEqual:
    op = BinaryOp::LShift;
    break;
  case K::GreaterGreaterEqual:
    op = BinaryOp::RShift;
    break;
  case K::AmpEqual:
    op = BinaryOp::BitAnd;
    break;
  case K::PipeEqual:
    op = BinaryOp::BitOr;
    break;
  case K::CaretEqual:
    op = BinaryOp::BitXor;
    break;
  default:
    return makeNode<ExprStmt>(start, first);
  }
  if (!checkTarget(first, TargetUse::AugAssign))
    return nullptr;
  SourceRange opRange = rangeOf(token());
  advance();
  Expr *value = parseYieldOrStarExpressions();
  return value ? makeNode<AugAssignStmt>(start, first, op, opRange, value) : nullptr;
}

Stmt *Parser::parseAssignment(uint32_t start, Expr *value) {
  Vector<Expr *> targets;
  while (at(K::Equal)) {
    if (!checkTarget(value, TargetUse::Assign))
      return nullptr;
    advance();
    targets.push_back(value);
    value = parseYieldOrStarExpressions();
    if (!value)
      return nullptr;
  }
  return makeNode<AssignStmt>(start, copy(targets), value);
}

Stmt *Parser::parseAnnotated(uint32_t start, Expr *target) {
  if (!checkTarget(target, TargetUse::Annotate))
    return nullptr;
  advance();
  if (atLineEnd())
    return expected("expected a type after ':'");
  Expr *annotation = parseExpr();
  if (!annotation)
    return nullptr;
  Expr *value = nullptr;
  if (accept(K::Equal) && !(value = parseYieldOrStarExpressions()))
    return nullptr;
  return makeNode<AnnAssignStmt>(start, target, annotation, value);
}

namespace {

/// What an expression that cannot be assigned to is called in a message.
llvm::StringRef describe(const Expr *expr) {
  switch (expr->kind) {
  case NodeKind::Call:
    return "a function call";
  case NodeKind::IntLiteral:
  case NodeKind::FloatLiteral:
  case NodeKind::ImaginaryLiteral:
  case NodeKind::StringLiteral:
  case NodeKind::BytesLiteral:
    return "a literal";
  case NodeKind::BoolLiteral:
    return llvm::cast<BoolLiteral>(expr)->value ? "'True'" : "'False'";
  case NodeKind::NoneLiteral:
    return "'None'";
  case NodeKind::EllipsisLiteral:
    return "'...'";
  case NodeKind::JoinedStr:
  case NodeKind::FormattedValue:
    return "an f-string";
  case NodeKind::Compare:
    return "a comparison";
  case NodeKind::Lambda:
    return "a lambda";
  case NodeKind::Conditional:
    return "a conditional expression";
  case NodeKind::Dict:
    return "a dictionary";
  case NodeKind::Set:
    return "a set";
  case NodeKind::Comprehension:
    return "a comprehension";
  case NodeKind::NamedExpr:
    return "an assignment expression";
  case NodeKind::Starred:
    return "a starred expression";
  case NodeKind::Tuple:
    return "a tuple";
  case NodeKind::List:
    return "a list";
  case NodeKind::Await:
    return "an 'await' expression";
  case NodeKind::Yield:
  case NodeKind::YieldFrom:
    return "a 'yield' expression";
  default:
    return "an expression";
  }
}

} // namespace

/// Whether an expression may be assigned to, or deleted. Reports the part that may not.
bool Parser::checkTarget(const Expr *target, TargetUse use) {
  switch (target->kind) {
  case NodeKind::Name:
  case NodeKind::Attribute:
  case NodeKind::Subscript:
    return true;
  case NodeKind::Tuple:
  case NodeKind::List: {
    if (use == TargetUse::Annotate || use == TargetUse::AugAssign)
      break;
    const auto *tuple = llvm::dyn_cast<TupleExpr>(target);
    for (const Expr *element : tuple ? tuple->elements : llvm::cast<ListExpr>(target)->elements)
      if (!checkTarget(element, use))
        return false;
    return true;
  }
  case NodeKind::Starred: {
    const Expr *value = llvm::cast<StarredExpr>(target)->value;
    if (use != TargetUse::Assign || llvm::isa<StarredExpr>(value))
      break;
    return checkTarget(value, use);
  }
  default:
    break;
  }
  auto diagnostic = error(target->range);
  switch (use) {
  case TargetUse::Assign:
    diagnostic << "cannot assign to " << describe(target);
    if (at(K::Equal) && !llvm::isa<StarredExpr>(target))
      diagnostic << "; use '==' to compare";
    break;
  case TargetUse::AugAssign:
    diagnostic << "cannot assign to " << describe(target) << " with '" << spelling(token()) << "'";
    break;
  case TargetUse::Annotate:
    diagnostic << "only a name, an attribute or a subscript can be annotated, not "
               << describe(target);
    break;
  case TargetUse::Delete:
    diagnostic << "cannot delete " << describe(target);
    break;
  }
  return false;
}

// --- Statements that begin with a keyword -------------------------------------

Stmt *Parser::parseReturn() {
  uint32_t start = begin();
  advance();
  Expr *value = nullptr;
  if (!atLineEnd() && !at(K::Semicolon) && !(value = parseStarExpressions()))
    return nullptr;
  return makeNode<ReturnStmt>(start, value);
}

Stmt *Parser::parseRaise() {
  uint32_t start = begin();
  advance();
  Expr *exception = nullptr, *cause = nullptr;
  if (!atLineEnd() && !at(K::Semicolon)) {
    if (!(exception = parseExpr()))
      return nullptr;
    if (accept(K::KwFrom) && !(cause = parseExpr()))
      return nullptr;
  }
  return makeNode<RaiseStmt>(start, exception, cause);
}

Stmt *Parser::parseAssert() {
  uint32_t start = begin();
  advance();
  Expr *condition = parseExpr(), *message = nullptr;
  if (!condition || (accept(K::Comma) && !(message = parseExpr())))
    return nullptr;
  return makeNode<AssertStmt>(start, condition, message);
}

Stmt *Parser::parseDelete() {
  uint32_t start = begin();
  advance();
  Vector<Expr *> targets;
  do {
    Expr *target = parseOperators(kBitOr);
    if (!target || !checkTarget(target, TargetUse::Delete))
      return nullptr;
    targets.push_back(target);
  } while (accept(K::Comma) && startsExpression());
  return makeNode<DeleteStmt>(start, copy(targets));
}

Stmt *Parser::parseGlobal(bool nonlocal) {
  uint32_t start = begin();
  advance();
  Vector<NameExpr *> names;
  do {
    llvm::StringRef name;
    SourceRange range;
    if (!expectName(nonlocal ? "a name after 'nonlocal'" : "a name after 'global'", name, range))
      return nullptr;
    names.push_back(context.make<NameExpr>(range, name));
  } while (accept(K::Comma));
  if (nonlocal)
    return makeNode<NonlocalStmt>(start, copy(names));
  return makeNode<GlobalStmt>(start, copy(names));
}

// --- Imports ------------------------------------------------------------------

bool Parser::parseDottedName(llvm::StringRef &name) {
  llvm::SmallString<64> dotted;
  do {
    llvm::StringRef part;
    SourceRange range;
    if (!expectName(dotted.empty() ? "a module name" : "a name after '.'", part, range))
      return false;
    if (!dotted.empty())
      dotted += '.';
    dotted += part;
  } while (accept(K::Dot));
  name = context.intern(dotted);
  return true;
}

/// `NAME as NAME`, where the first may be dotted.
Alias *Parser::parseAlias(bool dotted) {
  uint32_t start = begin();
  llvm::StringRef name, asName;
  SourceRange range;
  if (dotted ? !parseDottedName(name) : !expectName("a name to import", name, range))
    return nullptr;
  if (accept(K::KwAs) && !expectName("a name after 'as'", asName, range))
    return nullptr;
  return makeNode<Alias>(start, name, asName);
}

Stmt *Parser::parseImport() {
  uint32_t start = begin();
  advance();
  Vector<Alias *> names;
  do {
    Alias *alias = parseAlias(/*dotted=*/true);
    if (!alias)
      return nullptr;
    names.push_back(alias);
  } while (accept(K::Comma));
  return makeNode<ImportStmt>(start, copy(names));
}

Stmt *Parser::parseImportFrom() {
  uint32_t start = begin();
  advance();
  unsigned level = 0;
  for (; at(K::Dot) || at(K::Ellipsis); advance())
    level += at(K::Dot) ? 1 : 3;
  llvm::StringRef module;
  uint32_t moduleBegin = begin();
  if ((level == 0 || !at(K::KwImport)) && !parseDottedName(module))
    return nullptr;
  SourceRange moduleRange = rangeFrom(moduleBegin);
  if (!expectToken(K::KwImport, "after the module of 'from'"))
    return nullptr;
  Vector<Alias *> names;
  uint32_t starBegin = begin();
  if (accept(K::Star)) {
    names.push_back(makeNode<Alias>(starBegin, llvm::StringRef("*"), llvm::StringRef()));
    return makeNode<ImportFromStmt>(start, module, moduleRange, level, copy(names));
  }
  Token opener = token();
  bool parenthesized = accept(K::LParen);
  do {
    Alias *alias = parseAlias(/*dotted=*/false);
    if (!alias)
      return nullptr;
    names.push_back(alias);
  } while (accept(K::Comma) && !(parenthesized && at(K::RParen)));
  if (parenthesized && !expectCloser(K::RParen, opener))
    return nullptr;
  return makeNode<ImportFromStmt>(start, module, moduleRange, level, copy(names));
}

// --- Type aliases -------------------------------------------------------------

Stmt *Parser::parseTypeAlias() {
  uint32_t start = begin();
  advance();
  llvm::StringRef name;
  SourceRange range;
  expectName("a name", name, range);
  Vector<TypeParam *> params;
  if (!parseTypeParams(params) || !expectToken(K::Equal, "after the name of a type alias"))
    return nullptr;
  Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return makeNode<TypeAliasStmt>(start, context.make<NameExpr>(range, name), copy(params), value);
}

/// `[T: BOUND = DEFAULT, *Ts, **P]`, or nothing.
bool Parser::parseTypeParams(Vector<TypeParam *> &params) {
  Token opener = token();
  if (!accept(K::LBracket))
    return true;
  do {
    if (at(K::RBracket) && !params.empty())
      break;
    uint32_t start = begin();
    TypeParamKind kind = accept(K::Star)       ? TypeParamKind::TypeVarTuple
                         : accept(K::StarStar) ? TypeParamKind::ParamSpec
                                               : TypeParamKind::TypeVar;
    llvm::StringRef name;
    SourceRange range;
    if (!expectName("the name of a type parameter", name, range))
      return false;
    Expr *bound = nullptr, *defaultValue = nullptr;
    if (kind == TypeParamKind::TypeVar && accept(K::Colon) && !(bound = parseExpr()))
      return false;
    if (accept(K::Equal)) {
      defaultValue = kind == TypeParamKind::TypeVarTuple ? parseStarredOrExpression() : parseExpr();
      if (!defaultValue)
        return false;
    }
    params.push_back(makeNode<TypeParam>(start, kind, name, bound, defaultValue));
  } while (accept(K::Comma));
  return expectCloser(K::RBracket, opener);
}

} // namespace tilec
