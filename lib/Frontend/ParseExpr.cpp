// Operators, calls, subscripts.
#include "lib/Frontend/ParserImpl.h"

namespace tilec {

using namespace ast;

bool Parser::startsExpression() const {
  switch (kind()) {
  case K::Name:
  case K::Int:
  case K::Float:
  case K::Imaginary:
  case K::String:
  case K::Bytes:
  case K::FStringStart:
  case K::KwFalse:
  case K::KwNone:
  case K::KwTrue:
  case K::KwAwait:
  case K::KwLambda:
  case K::KwNot:
  case K::LParen:
  case K::LBracket:
  case K::LBrace:
  case K::Ellipsis:
  case K::Plus:
  case K::Minus:
  case K::Tilde:
  case K::Star:
    return true;
  default:
    return false;
  }
}

/// `a` or `a, *b, c`.
Expr *Parser::parseStarExpressions() {
  uint32_t start = begin();
  Expr *first = parseStarredOrExpression();
  if (!first || !at(K::Comma))
    return first;
  Vector<Expr *> elements{first};
  while (accept(K::Comma) && startsExpression()) {
    Expr *element = parseStarredOrExpression();
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  return makeExpr<TupleExpr>(start, copy(elements));
}

Expr *Parser::parseStarredOrExpression() {
  if (!at(K::Star))
    return parseExpr();
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  uint32_t start = begin();
  advance();
  Expr *value = parseOperators(kBitOr);
  return value ? makeExpr<StarredExpr>(start, value) : nullptr;
}

Expr *Parser::parseStarredOrNamed() {
  return at(K::Star) ? parseStarredOrExpression() : parseNamedExpression();
}

Expr *Parser::parseNamedExpression() {
  if (!at(K::Name) || kindAt(1) != K::ColonEqual)
    return parseExpr();
  uint32_t start = begin();
  auto *target = context.make<NameExpr>(rangeOf(token()), context.intern(spelling(token())));
  advance();
  advance();
  Expr *value = parseExpr();
  return value ? makeExpr<NamedExpr>(start, target, value) : nullptr;
}

/// A lambda, a conditional expression, or anything that binds more tightly.
Expr *Parser::parseExpr() {
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  if (at(K::KwLambda))
    return parseLambda();
  uint32_t start = begin();
  Expr *value = parseOperators(kOr);
  if (!value || !accept(K::KwIf))
    return value;
  Expr *condition = parseOperators(kOr);
  if (!condition || !expectToken(K::KwElse, "after 'if' in an expression"))
    return nullptr;
  Expr *other = parseExpr();
  return other ? makeExpr<ConditionalExpr>(start, value, condition, other) : nullptr;
}

Expr *Parser::parseYieldOrStarExpressions() {
  return at(K::KwYield) ? parseYield() : parseStarExpressions();
}

Expr *Parser::parseYield() {
  uint32_t start = begin();
  advance();
  if (accept(K::KwFrom)) {
    Expr *value = parseExpr();
    return value ? makeExpr<YieldFromExpr>(start, value) : nullptr;
  }
  Expr *value = nullptr;
  if (startsExpression() && !(value = parseStarExpressions()))
    return nullptr;
  return makeExpr<YieldExpr>(start, value);
}

// --- Operators ----------------------------------------------------------------

namespace {

struct BinaryInfo {
  int precedence; ///< 0: no binary operator.
  BinaryOp op;
};

BinaryInfo getBinaryInfo(TokenKind kind, int bitOr) {
  switch (kind) {
  case TokenKind::Pipe:
    return {bitOr, BinaryOp::BitOr};
  case TokenKind::Caret:
    return {bitOr + 1, BinaryOp::BitXor};
  case TokenKind::Amp:
    return {bitOr + 2, BinaryOp::BitAnd};
  case TokenKind::LessLess:
    return {bitOr + 3, BinaryOp::LShift};
  case TokenKind::GreaterGreater:
    return {bitOr + 3, BinaryOp::RShift};
  case TokenKind::Plus:
    return {bitOr + 4, BinaryOp::Add};
  case TokenKind::Minus:
    return {bitOr + 4, BinaryOp::Sub};
  case TokenKind::Star:
    return {bitOr + 5, BinaryOp::Mul};
  case TokenKind::Slash:
    return {bitOr + 5, BinaryOp::Div};
  case TokenKind::SlashSlash:
    return {bitOr + 5, BinaryOp::FloorDiv};
  case TokenKind::Percent:
    return {bitOr + 5, BinaryOp::Mod};
  case TokenKind::At:
    return {bitOr + 5, BinaryOp::MatMul};
  default:
    return {0, BinaryOp::Add};
  }
}

} // namespace

/// Precedence climbing: an expression of operators that bind at least as tightly as
/// `minPrecedence`.
Expr *Parser::parseOperators(int minPrecedence) {
  uint32_t start = begin();
  Expr *lhs;
  if (at(K::KwNot)) {
    if (minPrecedence > kNot)
      return expected("expected an expression ('not' needs parentheses here)");
    Nesting nesting(*this);
    if (!nesting)
      return nullptr;
    advance();
    Expr *operand = parseOperators(kNot);
    lhs = operand ? makeExpr<UnaryExpr>(start, UnaryOp::Not, operand) : nullptr;
  } else {
    lhs = parseUnary();
  }
  while (lhs) {
    if (BinaryInfo info = getBinaryInfo(kind(), kBitOr); info.precedence != 0) {
      if (info.precedence < minPrecedence)
        return lhs;
      SourceRange opRange = rangeOf(token());
      advance();
      Expr *rhs = parseOperators(info.precedence + 1);
      lhs = rhs ? makeExpr<BinaryExpr>(start, info.op, opRange, lhs, rhs) : nullptr;
      continue;
    }
    switch (kind()) {
    case K::KwAnd:
      if (minPrecedence > kAnd)
        return lhs;
      lhs = parseBoolOp(start, lhs, BoolOpKind::And, K::KwAnd, kAnd);
      continue;
    case K::KwOr:
      if (minPrecedence > kOr)
        return lhs;
      lhs = parseBoolOp(start, lhs, BoolOpKind::Or, K::KwOr, kOr);
      continue;
    case K::KwNot:
      if (kindAt(1) != K::KwIn)
        return lhs;
      [[fallthrough]];
    case K::Less:
    case K::Greater:
    case K::LessEqual:
    case K::GreaterEqual:
    case K::EqualEqual:
    case K::NotEqual:
    case K::KwIn:
    case K::KwIs:
      if (minPrecedence > kComparison)
        return lhs;
      lhs = parseComparison(start, lhs);
      continue;
    default:
      return lhs;
    }
  }
  return nullptr;
}

Expr *Parser::parseBoolOp(uint32_t start, Expr *first, BoolOpKind op, K opToken, int level) {
  Vector<Expr *> operands{first};
  while (accept(opToken)) {
    Expr *operand = parseOperators(level + 1);
    if (!operand)
      return nullptr;
    operands.push_back(operand);
  }
  return makeExpr<BoolOpExpr>(start, op, copy(operands));
}

bool Parser::acceptComparison(CompareOp &op) {
  switch (kind()) {
  case K::Less:
    op = CompareOp::Lt;
    break;
  case K::Greater:
    op = CompareOp::Gt;
    break;
  case K::LessEqual:
    op = CompareOp::LtE;
    break;
  case K::GreaterEqual:
    op = CompareOp::GtE;
    break;
  case K::EqualEqual:
    op = CompareOp::Eq;
    break;
  case K::NotEqual:
    op = CompareOp::NotEq;
    break;
  case K::KwIn:
    op = CompareOp::In;
    break;
  case K::KwNot:
    if (kindAt(1) != K::KwIn)
      return false;
    advance();
    op = CompareOp::NotIn;
    break;
  case K::KwIs:
    op = CompareOp::Is;
    if (kindAt(1) == K::KwNot) {
      advance();
      op = CompareOp::IsNot;
    }
    break;
  default:
    return false;
  }
  advance();
  return true;
}

Expr *Parser::parseComparison(uint32_t start, Expr *first) {
  Vector<Expr *> operands{first};
  llvm::SmallVector<CompareOp, 4> ops;
  SourceRange opRange;
  CompareOp op;
  while (true) {
    uint32_t opBegin = begin();
    if (!acceptComparison(op))
      break;
    if (ops.empty())
      opRange = rangeFrom(opBegin);
    Expr *operand = parseOperators(kBitOr);
    if (!operand)
      return nullptr;
    ops.push_back(op);
    operands.push_back(operand);
  }
  return makeExpr<CompareExpr>(start, copy(operands), copy(ops), opRange);
}

Expr *Parser::parseUnary() {
  UnaryOp op;
  switch (kind()) {
  case K::Plus:
    op = UnaryOp::Plus;
    break;
  case K::Minus:
    op = UnaryOp::Minus;
    break;
  case K::Tilde:
    op = UnaryOp::Invert;
    break;
  default:
    return parsePower();
  }
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  uint32_t start = begin();
  advance();
  Expr *operand = parseUnary();
  return operand ? makeExpr<UnaryExpr>(start, op, operand) : nullptr;
}

/// `await a.b(c) ** -d`: the exponent may have a sign, and takes further powers.
Expr *Parser::parsePower() {
  uint32_t start = begin();
  bool isAwait = accept(K::KwAwait);
  uint32_t baseStart = begin();
  Expr *base = parseAtom();
  if (base)
    base = parsePostfix(baseStart, base);
  if (base && isAwait)
    base = makeExpr<AwaitExpr>(start, base);
  if (!base || !at(K::StarStar))
    return base;
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  SourceRange opRange = rangeOf(token());
  advance();
  Expr *exponent = parseUnary();
  return exponent ? makeExpr<BinaryExpr>(start, BinaryOp::Pow, opRange, base, exponent) : nullptr;
}

// --- Calls and subscripts -----------------------------------------------------

Expr *Parser::parsePostfix(uint32_t start, Expr *base) {
  while (base) {
    if (at(K::LParen)) {
      base = parseCall(start, base);
    } else if (at(K::LBracket)) {
      base = parseSubscript(start, base);
    } else if (accept(K::Dot)) {
      llvm::StringRef attr;
      SourceRange attrRange;
      if (!expectName("a name after '.'", attr, attrRange))
        return nullptr;
      base = makeExpr<AttributeExpr>(start, base, attr, attrRange);
    } else {
      break;
    }
  }
  return base;
}

Expr *Parser::parseCall(uint32_t start, Expr *callee) {
  Token opener = token();
  advance();
  Vector<Expr *> args;
  Vector<Keyword *> keywords;
  if (!parseArguments(opener, args, keywords))
    return nullptr;
  return makeExpr<CallExpr>(start, callee, copy(args), copy(keywords));
}

/// The arguments of a call or the bases of a class, and the closing parenthesis.
bool Parser::parseArguments(const Token &opener, Vector<Expr *> &args,
                            Vector<Keyword *> &keywords) {
  bool sawUnpacking = false;
  while (!at(K::RParen)) {
    if (!parseArgument(args, keywords, sawUnpacking))
      return false;
    bool isGenerator = atComprehension();
    if (isGenerator) {
      // `f(x for x in y)`: the call's parentheses are the generator's.
      Expr *element = args.empty() ? nullptr : args.back();
      if (!element || !keywords.empty() || args.size() > 1 || llvm::isa<StarredExpr>(element)) {
        error(here()) << "a generator expression beside other arguments needs parentheses";
        return false;
      }
      Expr *generator = parseGenerator(opener.begin, element);
      if (!generator)
        return false;
      args.back() = generator;
      if (at(K::Comma)) {
        error(generator->range)
            << "a generator expression beside other arguments needs parentheses";
        return false;
      }
    }
    if (!accept(K::Comma))
      break;
  }
  return expectCloser(K::RParen, opener);
}

/// `sawUnpacking` is set at the first `**`.
bool Parser::parseArgument(Vector<Expr *> &args, Vector<Keyword *> &keywords, bool &sawUnpacking) {
  uint32_t start = begin();
  if (accept(K::StarStar)) {
    Expr *value = parseExpr();
    if (!value)
      return false;
    sawUnpacking = true;
    keywords.push_back(makeNode<Keyword>(start, llvm::StringRef(), SourceRange(), value));
    return true;
  }
  if (at(K::Name) && kindAt(1) == K::Equal) {
    SourceRange nameRange = rangeOf(token());
    llvm::StringRef name = context.intern(spelling(token()));
    advance();
    advance();
    Expr *value = parseExpr();
    if (!value)
      return false;
    keywords.push_back(makeNode<Keyword>(start, name, nameRange, value));
    return true;
  }
  bool starred = accept(K::Star);
  Expr *value = starred ? parseExpr() : parseNamedExpression();
  if (!value)
    return false;
  if (at(K::Equal)) {
    error(rangeFrom(start)) << "the left side of '=' in an argument must be a name; use '==' to "
                               "compare";
    return false;
  }
  if (starred) {
    if (sawUnpacking) {
      error(rangeFrom(start)) << "'*' argument follows '**' argument";
      return false;
    }
    value = makeExpr<StarredExpr>(start, value);
    if (!value)
      return false;
  } else if (!keywords.empty()) {
    error(value->range) << "positional argument follows "
                        << (sawUnpacking ? "'**' argument" : "keyword argument");
    return false;
  }
  args.push_back(value);
  return true;
}

Expr *Parser::parseSubscript(uint32_t start, Expr *base) {
  Token opener = token();
  advance();
  if (at(K::RBracket))
    return expected("expected an index between '[' and ']'");
  uint32_t indexStart = begin();
  Vector<Expr *> elements;
  bool isTuple = false;
  while (!at(K::RBracket)) {
    Expr *element = parseSliceOrIndex();
    if (!element)
      return nullptr;
    elements.push_back(element);
    isTuple |= llvm::isa<StarredExpr>(element);
    if (!accept(K::Comma))
      break;
    isTuple = true;
  }
  Expr *index = elements.front();
  if (isTuple)
    index = makeExpr<TupleExpr>(indexStart, copy(elements));
  if (!index || !expectCloser(K::RBracket, opener))
    return nullptr;
  return makeExpr<SubscriptExpr>(start, base, index);
}

Expr *Parser::parseSliceOrIndex() {
  if (at(K::Star))
    return parseStarredOrExpression();
  uint32_t start = begin();
  Expr *parts[3] = {nullptr, nullptr, nullptr};
  if (!at(K::Colon)) {
    parts[0] = parseNamedExpression();
    if (!parts[0] || !at(K::Colon))
      return parts[0];
  }
  for (int i = 1; i < 3 && accept(K::Colon); ++i) {
    if (at(K::Colon) || at(K::Comma) || at(K::RBracket))
      continue;
    parts[i] = parseExpr();
    if (!parts[i])
      return nullptr;
  }
  return makeExpr<SliceExpr>(start, parts[0], parts[1], parts[2]);
}

} // namespace tilec
