// The syntax tree's base classes and expressions.
#ifndef TILEC_LIB_FRONTEND_ASTEXPR_H
#define TILEC_LIB_FRONTEND_ASTEXPR_H

#include "lib/Frontend/ASTContext.h"
#include "lib/Support/SourceManager.h"

#include "llvm/ADT/APInt.h"
#include "llvm/Support/Casting.h"

#include <initializer_list>
#include <optional>

namespace tilec::ast {

enum class NodeKind : uint8_t {
  // Expressions.
  Name,
  IntLiteral,
  FloatLiteral,
  ImaginaryLiteral,
  StringLiteral,
  BytesLiteral,
  BoolLiteral,
  NoneLiteral,
  EllipsisLiteral,
  JoinedStr,
  FormattedValue,
  Unary,
  Binary,
  BoolOp,
  Compare,
  Call,
  Attribute,
  Subscript,
  Slice,
  Lambda,
  Conditional,
  Tuple,
  List,
  Set,
  Dict,
  Comprehension,
  NamedExpr,
  Starred,
  Await,
  Yield,
  YieldFrom,
  // Statements.
  ExprStmt,
  AssignStmt,
  AugAssignStmt,
  AnnAssignStmt,
  IfStmt,
  ForStmt,
  WhileStmt,
  WithStmt,
  TryStmt,
  MatchStmt,
  FunctionDef,
  ClassDef,
  ReturnStmt,
  PassStmt,
  BreakStmt,
  ContinueStmt,
  RaiseStmt,
  AssertStmt,
  DeleteStmt,
  GlobalStmt,
  NonlocalStmt,
  ImportStmt,
  ImportFromStmt,
  TypeAliasStmt,
  // Patterns.
  ValuePattern,
  AsPattern,
  OrPattern,
  SequencePattern,
  StarPattern,
  MappingPattern,
  ClassPattern,
  // Parts of others.
  Param,
  Keyword,
  ForClause,
  ExceptHandler,
  WithItem,
  Alias,
  TypeParam,
  MatchCase,
  Module,

  FirstExpr = Name,
  LastExpr = YieldFrom,
  FirstStmt = ExprStmt,
  LastStmt = TypeAliasStmt,
  FirstPattern = ValuePattern,
  LastPattern = ClassPattern,
};

/// The name of the kind as the tree dump shows it, such as "BinaryExpr".
llvm::StringRef getKindName(NodeKind kind);

/// Base of everything in the tree. Children and strings are owned by the ASTContext. A child that
/// may be null is documented; arrays hold no null, but for those that say so.
struct Node {
  const NodeKind kind;

protected:
  /// See Expr::getHeight. Here to fill the gap after `kind`.
  uint16_t height = 1;

public:
  SourceRange range;

protected:
  Node(NodeKind kind, SourceRange range) : kind(kind), range(range) {}
};

struct Expr : Node {
  using Node::Node;
  static bool classof(const Node *n) { return n->kind <= NodeKind::LastExpr; }

  /// Levels of expressions from here down, saturating. The parser keeps it at or below
  /// kMaxExprHeight, so a recursive walk over a parsed tree is safe.
  unsigned getHeight() const { return height; }

protected:
  void cover(const Expr *child) {
    if (child && child->height >= height)
      height = child->height == UINT16_MAX ? UINT16_MAX : child->height + 1;
  }
  void cover(std::initializer_list<const Expr *> children) {
    for (const Expr *child : children)
      cover(child);
  }
  void cover(llvm::ArrayRef<Expr *> children) {
    for (const Expr *child : children)
      cover(child);
  }
};

constexpr unsigned kMaxExprHeight = 1000;

struct Pattern;
struct Stmt;

/// Gives a node its kind, and isa<> its answer.
template <NodeKind K, typename Base>
struct NodeOf : Base {
  static constexpr NodeKind kKind = K;
  explicit NodeOf(SourceRange range) : Base(K, range) {}
  static bool classof(const Node *n) { return n->kind == K; }
};

// --- Parts of expressions -----------------------------------------------------

enum class ParamKind : uint8_t {
  PositionalOnly, ///< Before '/'.
  Regular,
  VarPositional, ///< `*args`
  KeywordOnly,   ///< After `*` or `*args`.
  VarKeyword,    ///< `**kwargs`
};

/// A parameter of a function or a lambda.
struct Param : NodeOf<NodeKind::Param, Node> {
  ParamKind paramKind;
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *annotation;   ///< May be null.
  Expr *defaultValue; ///< May be null.
  Param(SourceRange range, ParamKind kind, llvm::StringRef name, SourceRange nameRange,
        Expr *annotation, Expr *defaultValue)
      : NodeOf(range), paramKind(kind), name(name), nameRange(nameRange), annotation(annotation),
        defaultValue(defaultValue) {}
};

/// `NAME=VALUE` in a call; the name is empty for `**VALUE`.
struct Keyword : NodeOf<NodeKind::Keyword, Node> {
  llvm::StringRef name;
  SourceRange nameRange;
  Expr *value;
  Keyword(SourceRange range, llvm::StringRef name, SourceRange nameRange, Expr *value)
      : NodeOf(range), name(name), nameRange(nameRange), value(value) {}
};

/// `for TARGET in ITERABLE if CONDITION...` of a comprehension.
struct ForClause : NodeOf<NodeKind::ForClause, Node> {
  Expr *target;
  Expr *iterable;
  llvm::ArrayRef<Expr *> conditions;
  bool isAsync;
  ForClause(SourceRange range, Expr *target, Expr *iterable, llvm::ArrayRef<Expr *> conditions,
            bool isAsync)
      : NodeOf(range), target(target), iterable(iterable), conditions(conditions),
        isAsync(isAsync) {}
};

// --- Operators ----------------------------------------------------------------

enum class UnaryOp : uint8_t { Plus, Minus, Invert, Not };
enum class BoolOpKind : uint8_t { And, Or };
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  MatMul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  LShift,
  RShift,
  BitAnd,
  BitOr,
  BitXor,
};
enum class CompareOp : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

/// As written in the source: "-", "not", "//", "is not".
llvm::StringRef getSpelling(UnaryOp op);
llvm::StringRef getSpelling(BoolOpKind op);
llvm::StringRef getSpelling(BinaryOp op);
llvm::StringRef getSpelling(CompareOp op);

// --- Atoms --------------------------------------------------------------------

struct NameExpr : NodeOf<NodeKind::Name, Expr> {
  llvm::StringRef name; ///< Interned.
  NameExpr(SourceRange range, llvm::StringRef name) : NodeOf(range), name(name) {}
};

/// An integer of any size, never negative.
struct IntLiteral : NodeOf<NodeKind::IntLiteral, Expr> {
  llvm::ArrayRef<uint64_t> words; ///< Least significant first; at least one.
  IntLiteral(SourceRange range, llvm::ArrayRef<uint64_t> words) : NodeOf(range), words(words) {}
  /// At least 64 bits wide, and with a clear sign bit.
  llvm::APInt getValue() const;
  /// The value if it fits.
  std::optional<int64_t> getInt64() const {
    if (words.size() != 1 || words[0] > uint64_t(INT64_MAX))
      return std::nullopt;
    return int64_t(words[0]);
  }
};

struct FloatLiteral : NodeOf<NodeKind::FloatLiteral, Expr> {
  double value;
  FloatLiteral(SourceRange range, double value) : NodeOf(range), value(value) {}
};

/// `2.5j`.
struct ImaginaryLiteral : NodeOf<NodeKind::ImaginaryLiteral, Expr> {
  double value;
  ImaginaryLiteral(SourceRange range, double value) : NodeOf(range), value(value) {}
};

/// Adjacent literals are one. The value is UTF-8; a lone surrogate, which Python allows, is
/// encoded in three bytes like any other code point.
struct StringLiteral : NodeOf<NodeKind::StringLiteral, Expr> {
  llvm::StringRef value;
  StringLiteral(SourceRange range, llvm::StringRef value) : NodeOf(range), value(value) {}
};

struct BytesLiteral : NodeOf<NodeKind::BytesLiteral, Expr> {
  llvm::StringRef value;
  BytesLiteral(SourceRange range, llvm::StringRef value) : NodeOf(range), value(value) {}
};

struct BoolLiteral : NodeOf<NodeKind::BoolLiteral, Expr> {
  bool value;
  BoolLiteral(SourceRange range, bool value) : NodeOf(range), value(value) {}
};

struct NoneLiteral : NodeOf<NodeKind::NoneLiteral, Expr> {
  using NodeOf::NodeOf;
};

struct EllipsisLiteral : NodeOf<NodeKind::EllipsisLiteral, Expr> {
  using NodeOf::NodeOf;
};

/// An f-string: each part is a StringLiteral or a FormattedValue.
struct JoinedStr : NodeOf<NodeKind::JoinedStr, Expr> {
  llvm::ArrayRef<Expr *> parts;
  JoinedStr(SourceRange range, llvm::ArrayRef<Expr *> parts) : NodeOf(range), parts(parts) {
    cover(parts);
  }
};

/// `{VALUE!r:FORMAT}` of an f-string.
struct FormattedValue : NodeOf<NodeKind::FormattedValue, Expr> {
  Expr *value;
  char conversion;       ///< 's', 'r', 'a', or 0 for none.
  JoinedStr *formatSpec; ///< May be null.
  FormattedValue(SourceRange range, Expr *value, char conversion, JoinedStr *formatSpec)
      : NodeOf(range), value(value), conversion(conversion), formatSpec(formatSpec) {
    cover({value, formatSpec});
  }
};

// --- Operations ---------------------------------------------------------------

struct UnaryExpr : NodeOf<NodeKind::Unary, Expr> {
  UnaryOp op;
  Expr *operand;
  UnaryExpr(SourceRange range, UnaryOp op, Expr *operand)
      : NodeOf(range), op(op), operand(operand) {
    cover(operand);
  }
};

struct BinaryExpr : NodeOf<NodeKind::Binary, Expr> {
  BinaryOp op;
  SourceRange opRange;
  Expr *lhs;
  Expr *rhs;
  BinaryExpr(SourceRange range, BinaryOp op, SourceRange opRange, Expr *lhs, Expr *rhs)
      : NodeOf(range), op(op), opRange(opRange), lhs(lhs), rhs(rhs) {
    cover({lhs, rhs});
  }
};

/// `A and B and C`: two or more operands.
struct BoolOpExpr : NodeOf<NodeKind::BoolOp, Expr> {
  BoolOpKind op;
  llvm::ArrayRef<Expr *> operands;
  BoolOpExpr(SourceRange range, BoolOpKind op, llvm::ArrayRef<Expr *> operands)
      : NodeOf(range), op(op), operands(operands) {
    cover(operands);
  }
};

/// `A < B <= C`: as many operands as operators, and one more.
struct CompareExpr : NodeOf<NodeKind::Compare, Expr> {
  llvm::ArrayRef<Expr *> operands;
  llvm::ArrayRef<CompareOp> ops;
  SourceRange opRange; ///< Of the first operator.
  CompareExpr(SourceRange range, llvm::ArrayRef<Expr *> operands, llvm::ArrayRef<CompareOp> ops,
              SourceRange opRange)
      : NodeOf(range), operands(operands), ops(ops), opRange(opRange) {
    cover(operands);
  }
};

/// Positional arguments may be StarredExpr. `*a` may come after keywords in the source.
struct CallExpr : NodeOf<NodeKind::Call, Expr> {
  Expr *callee;
  llvm::ArrayRef<Expr *> args;
  llvm::ArrayRef<Keyword *> keywords;
  CallExpr(SourceRange range, Expr *callee, llvm::ArrayRef<Expr *> args,
           llvm::ArrayRef<Keyword *> keywords)
      : NodeOf(range), callee(callee), args(args), keywords(keywords) {
    cover(callee);
    cover(args);
    for (const Keyword *keyword : keywords)
      cover(keyword->value);
  }
};

struct AttributeExpr : NodeOf<NodeKind::Attribute, Expr> {
  Expr *base;
  llvm::StringRef attr; ///< Interned.
  SourceRange attrRange;
  AttributeExpr(SourceRange range, Expr *base, llvm::StringRef attr, SourceRange attrRange)
      : NodeOf(range), base(base), attr(attr), attrRange(attrRange) {
    cover(base);
  }
};

/// `BASE[INDEX]`; for `BASE[a, b:c]` the index is a TupleExpr, which may hold SliceExpr.
struct SubscriptExpr : NodeOf<NodeKind::Subscript, Expr> {
  Expr *base;
  Expr *index;
  SubscriptExpr(SourceRange range, Expr *base, Expr *index)
      : NodeOf(range), base(base), index(index) {
    cover({base, index});
  }
};

/// `LOWER:UPPER:STEP` in a subscript; each may be null.
struct SliceExpr : NodeOf<NodeKind::Slice, Expr> {
  Expr *lower;
  Expr *upper;
  Expr *step;
  SliceExpr(SourceRange range, Expr *lower, Expr *upper, Expr *step)
      : NodeOf(range), lower(lower), upper(upper), step(step) {
    cover({lower, upper, step});
  }
};

struct LambdaExpr : NodeOf<NodeKind::Lambda, Expr> {
  llvm::ArrayRef<Param *> params;
  Expr *body;
  LambdaExpr(SourceRange range, llvm::ArrayRef<Param *> params, Expr *body)
      : NodeOf(range), params(params), body(body) {
    cover(body);
    for (const Param *param : params)
      cover(param->defaultValue);
  }
};

/// `THEN_VALUE if CONDITION else ELSE_VALUE`.
struct ConditionalExpr : NodeOf<NodeKind::Conditional, Expr> {
  Expr *thenValue;
  Expr *condition;
  Expr *elseValue;
  ConditionalExpr(SourceRange range, Expr *thenValue, Expr *condition, Expr *elseValue)
      : NodeOf(range), thenValue(thenValue), condition(condition), elseValue(elseValue) {
    cover({thenValue, condition, elseValue});
  }
};

// --- Displays -----------------------------------------------------------------

/// TupleExpr, ListExpr and SetExpr: elements may be StarredExpr.
template <NodeKind K>
struct SequenceOf : NodeOf<K, Expr> {
  llvm::ArrayRef<Expr *> elements;
  SequenceOf(SourceRange range, llvm::ArrayRef<Expr *> elements)
      : NodeOf<K, Expr>(range), elements(elements) {
    this->cover(elements);
  }
};

using TupleExpr = SequenceOf<NodeKind::Tuple>;
using ListExpr = SequenceOf<NodeKind::List>;
using SetExpr = SequenceOf<NodeKind::Set>;

/// As many keys as values; a null key stands for `**VALUE`.
struct DictExpr : NodeOf<NodeKind::Dict, Expr> {
  llvm::ArrayRef<Expr *> keys;
  llvm::ArrayRef<Expr *> values;
  DictExpr(SourceRange range, llvm::ArrayRef<Expr *> keys, llvm::ArrayRef<Expr *> values)
      : NodeOf(range), keys(keys), values(values) {
    cover(keys);
    cover(values);
  }
};

enum class ComprehensionKind : uint8_t { List, Set, Dict, Generator };

/// `[ELEMENT for ...]`; for a dict, `element` is the key, and `value` is not null.
struct ComprehensionExpr : NodeOf<NodeKind::Comprehension, Expr> {
  ComprehensionKind form;
  Expr *element;
  Expr *value;
  llvm::ArrayRef<ForClause *> clauses;
  ComprehensionExpr(SourceRange range, ComprehensionKind form, Expr *element, Expr *value,
                    llvm::ArrayRef<ForClause *> clauses)
      : NodeOf(range), form(form), element(element), value(value), clauses(clauses) {
    cover({element, value});
    for (const ForClause *clause : clauses) {
      cover({clause->target, clause->iterable});
      cover(clause->conditions);
    }
  }
};

// --- The rest -----------------------------------------------------------------

/// `TARGET := VALUE`.
struct NamedExpr : NodeOf<NodeKind::NamedExpr, Expr> {
  NameExpr *target;
  Expr *value;
  NamedExpr(SourceRange range, NameExpr *target, Expr *value)
      : NodeOf(range), target(target), value(value) {
    cover({target, value});
  }
};

/// StarredExpr, AwaitExpr, YieldExpr, YieldFromExpr.
template <NodeKind K>
struct OneOperand : NodeOf<K, Expr> {
  Expr *value; ///< Null only for a bare `yield`.
  OneOperand(SourceRange range, Expr *value) : NodeOf<K, Expr>(range), value(value) {
    this->cover(value);
  }
};

using StarredExpr = OneOperand<NodeKind::Starred>;
using AwaitExpr = OneOperand<NodeKind::Await>;
using YieldExpr = OneOperand<NodeKind::Yield>;
using YieldFromExpr = OneOperand<NodeKind::YieldFrom>;

} // namespace tilec::ast

#endif // TILEC_LIB_FRONTEND_ASTEXPR_H
