// The syntax tree of a .tile or .py file: the base classes, statements and the module.
#ifndef TILEC_LIB_FRONTEND_AST_H
#define TILEC_LIB_FRONTEND_AST_H

#include "lib/Frontend/ASTExpr.h"

namespace tilec::ast {

using Block = llvm::ArrayRef<Stmt *>;

/// `except TYPE as NAME:`; `type` is null for a bare `except:`.
struct ExceptHandler : NodeOf<NodeKind::ExceptHandler, Node> {
  Expr *type;
  llvm::StringRef name;
  Block body;
  ExceptHandler(SourceRange range, Expr *type, llvm::StringRef name, Block body)
      : NodeOf(range), type(type), name(name), body(body) {}
};

/// `CONTEXT as TARGET`; `target` may be null.
struct WithItem : NodeOf<NodeKind::WithItem, Node> {
  Expr *context;
  Expr *target;
  WithItem(SourceRange range, Expr *context, Expr *target)
      : NodeOf(range), context(context), target(target) {}
};

/// `NAME as AS_NAME` of an import; the name is dotted in `import a.b`, "*" in `from a import *`;
/// `asName` is empty if there is none.
struct Alias : NodeOf<NodeKind::Alias, Node> {
  llvm::StringRef name;
  llvm::StringRef asName;
  Alias(SourceRange range, llvm::StringRef name, llvm::StringRef asName)
      : NodeOf(range), name(name), asName(asName) {}
  /// The name that the import binds, apart from "*".
  llvm::StringRef getBoundName() const { return asName.empty() ? name.split('.').first : asName; }
};

enum class TypeParamKind : uint8_t { TypeVar, TypeVarTuple, ParamSpec };

/// `T: BOUND = DEFAULT`, `*Ts` or `**P` in the brackets after a function's or a class's name.
struct TypeParam : NodeOf<NodeKind::TypeParam, Node> {
  TypeParamKind paramKind;
  llvm::StringRef name;
  Expr *bound;        ///< May be null.
  Expr *defaultValue; ///< May be null.
  TypeParam(SourceRange range, TypeParamKind kind, llvm::StringRef name, Expr *bound,
            Expr *defaultValue)
      : NodeOf(range), paramKind(kind), name(name), bound(bound), defaultValue(defaultValue) {}
};

/// `case PATTERN if GUARD:`; `guard` may be null.
struct MatchCase : NodeOf<NodeKind::MatchCase, Node> {
  Pattern *pattern;
  Expr *guard;
  Block body;
  MatchCase(SourceRange range, Pattern *pattern, Expr *guard, Block body)
      : NodeOf(range), pattern(pattern), guard(guard), body(body) {}
};

// --- Patterns of `case` -------------------------------------------------------

struct Pattern : Node {
  using Node::Node;
  static bool classof(const Node *n) {
    return n->kind >= NodeKind::FirstPattern && n->kind <= NodeKind::LastPattern;
  }
};

/// A literal or a dotted name.
struct ValuePattern : NodeOf<NodeKind::ValuePattern, Pattern> {
  Expr *value;
  ValuePattern(SourceRange range, Expr *value) : NodeOf(range), value(value) {}
};

/// `PATTERN as NAME`; a plain name has a null pattern, `_` also an empty name.
struct AsPattern : NodeOf<NodeKind::AsPattern, Pattern> {
  Pattern *pattern;
  llvm::StringRef name;
  AsPattern(SourceRange range, Pattern *pattern, llvm::StringRef name)
      : NodeOf(range), pattern(pattern), name(name) {}
};

struct OrPattern : NodeOf<NodeKind::OrPattern, Pattern> {
  llvm::ArrayRef<Pattern *> patterns;
  OrPattern(SourceRange range, llvm::ArrayRef<Pattern *> patterns)
      : NodeOf(range), patterns(patterns) {}
};

struct SequencePattern : NodeOf<NodeKind::SequencePattern, Pattern> {
  llvm::ArrayRef<Pattern *> patterns;
  SequencePattern(SourceRange range, llvm::ArrayRef<Pattern *> patterns)
      : NodeOf(range), patterns(patterns) {}
};

/// `*NAME` in a sequence pattern; the name is empty for `*_`.
struct StarPattern : NodeOf<NodeKind::StarPattern, Pattern> {
  llvm::StringRef name;
  StarPattern(SourceRange range, llvm::StringRef name) : NodeOf(range), name(name) {}
};

/// `{KEY: PATTERN, ..., **REST}`; as many keys as patterns.
struct MappingPattern : NodeOf<NodeKind::MappingPattern, Pattern> {
  llvm::ArrayRef<Expr *> keys;
  llvm::ArrayRef<Pattern *> patterns;
  llvm::StringRef rest;
  MappingPattern(SourceRange range, llvm::ArrayRef<Expr *> keys, llvm::ArrayRef<Pattern *> patterns,
                 llvm::StringRef rest)
      : NodeOf(range), keys(keys), patterns(patterns), rest(rest) {}
};

/// `CLASS(PATTERN, ..., NAME=PATTERN, ...)`; as many names as keyword patterns.
struct ClassPattern : NodeOf<NodeKind::ClassPattern, Pattern> {
  Expr *cls;
  llvm::ArrayRef<Pattern *> patterns;
  llvm::ArrayRef<llvm::StringRef> keywordNames;
  llvm::ArrayRef<Pattern *> keywordPatterns;
  ClassPattern(SourceRange range, Expr *cls, llvm::ArrayRef<Pattern *> patterns,
               llvm::ArrayRef<llvm::StringRef> keywordNames,
               llvm::ArrayRef<Pattern *> keywordPatterns)
      : NodeOf(range), cls(cls), patterns(patterns), keywordNames(keywordNames),
        keywordPatterns(keywordPatterns) {}
};

// --- Statements ---------------------------------------------------------------

struct Stmt : Node {
  using Node::Node;
  static bool classof(const Node *n) {
    return n->kind >= NodeKind::FirstStmt && n->kind <= NodeKind::LastStmt;
  }
};

struct ExprStmt : NodeOf<NodeKind::ExprStmt, Stmt> {
  Expr *value;
  ExprStmt(SourceRange range, Expr *value) : NodeOf(range), value(value) {}
};

/// `TARGET = TARGET = ... = VALUE`, targets from left to right. To unpack, a target is a TupleExpr
/// or a ListExpr.
struct AssignStmt : NodeOf<NodeKind::AssignStmt, Stmt> {
  llvm::ArrayRef<Expr *> targets;
  Expr *value;
  AssignStmt(SourceRange range, llvm::ArrayRef<Expr *> targets, Expr *value)
      : NodeOf(range), targets(targets), value(value) {}
};

/// `TARGET OP= VALUE`.
struct AugAssignStmt : NodeOf<NodeKind::AugAssignStmt, Stmt> {
  Expr *target;
  BinaryOp op;
  SourceRange opRange;
  Expr *value;
  AugAssignStmt(SourceRange range, Expr *target, BinaryOp op, SourceRange opRange, Expr *value)
      : NodeOf(range), target(target), op(op), opRange(opRange), value(value) {}
};

/// `TARGET: ANNOTATION = VALUE`; `value` may be null.
struct AnnAssignStmt : NodeOf<NodeKind::AnnAssignStmt, Stmt> {
  Expr *target;
  Expr *annotation;
  Expr *value;
  AnnAssignStmt(SourceRange range, Expr *target, Expr *annotation, Expr *value)
      : NodeOf(range), target(target), annotation(annotation), value(value) {}
};

/// `elif` is an IfStmt with `isElif` set, alone in the `orelse` of the one before it.
struct IfStmt : NodeOf<NodeKind::IfStmt, Stmt> {
  Expr *condition;
  Block body;
  Block orelse;
  bool isElif;
  IfStmt(SourceRange range, Expr *condition, Block body, Block orelse, bool isElif)
      : NodeOf(range), condition(condition), body(body), orelse(orelse), isElif(isElif) {}
};

struct ForStmt : NodeOf<NodeKind::ForStmt, Stmt> {
  Expr *target;
  Expr *iterable;
  Block body;
  Block orelse;
  bool isAsync;
  ForStmt(SourceRange range, Expr *target, Expr *iterable, Block body, Block orelse, bool isAsync)
      : NodeOf(range), target(target), iterable(iterable), body(body), orelse(orelse),
        isAsync(isAsync) {}
};

struct WhileStmt : NodeOf<NodeKind::WhileStmt, Stmt> {
  Expr *condition;
  Block body;
  Block orelse;
  WhileStmt(SourceRange range, Expr *condition, Block body, Block orelse)
      : NodeOf(range), condition(condition), body(body), orelse(orelse) {}
};

struct WithStmt : NodeOf<NodeKind::WithStmt, Stmt> {
  llvm::ArrayRef<WithItem *> items;
  Block body;
  bool isAsync;
  WithStmt(SourceRange range, llvm::ArrayRef<WithItem *> items, Block body, bool isAsync)
      : NodeOf(range), items(items), body(body), isAsync(isAsync) {}
};

struct TryStmt : NodeOf<NodeKind::TryStmt, Stmt> {
  Block body;
  llvm::ArrayRef<ExceptHandler *> handlers;
  Block orelse;
  Block finally;
  bool isStar; ///< `except*`
  TryStmt(SourceRange range, Block body, llvm::ArrayRef<ExceptHandler *> handlers, Block orelse,
          Block finally, bool isStar)
      : NodeOf(range), body(body), handlers(handlers), orelse(orelse), finally(finally),
        isStar(isStar) {}
};

struct MatchStmt : NodeOf<NodeKind::MatchStmt, Stmt> {
  Expr *subject;
  llvm::ArrayRef<MatchCase *> cases;
  MatchStmt(SourceRange range, Expr *subject, llvm::ArrayRef<MatchCase *> cases)
      : NodeOf(range), subject(subject), cases(cases) {}
};

/// The range begins at `def` (or `async`), not at the decorators. A decorator's range leaves out
/// the '@'.
struct FunctionDef : NodeOf<NodeKind::FunctionDef, Stmt> {
  llvm::StringRef name;
  SourceRange nameRange;
  llvm::ArrayRef<Expr *> decorators;
  llvm::ArrayRef<TypeParam *> typeParams;
  llvm::ArrayRef<Param *> params;
  Expr *returns; ///< The annotation after `->`; may be null.
  Block body;
  bool isAsync;
  FunctionDef(SourceRange range, llvm::StringRef name, SourceRange nameRange,
              llvm::ArrayRef<Expr *> decorators, llvm::ArrayRef<TypeParam *> typeParams,
              llvm::ArrayRef<Param *> params, Expr *returns, Block body, bool isAsync)
      : NodeOf(range), name(name), nameRange(nameRange), decorators(decorators),
        typeParams(typeParams), params(params), returns(returns), body(body), isAsync(isAsync) {}
};

struct ClassDef : NodeOf<NodeKind::ClassDef, Stmt> {
  llvm::StringRef name;
  SourceRange nameRange;
  llvm::ArrayRef<Expr *> decorators;
  llvm::ArrayRef<TypeParam *> typeParams;
  llvm::ArrayRef<Expr *> bases;
  llvm::ArrayRef<Keyword *> keywords;
  Block body;
  ClassDef(SourceRange range, llvm::StringRef name, SourceRange nameRange,
           llvm::ArrayRef<Expr *> decorators, llvm::ArrayRef<TypeParam *> typeParams,
           llvm::ArrayRef<Expr *> bases, llvm::ArrayRef<Keyword *> keywords, Block body)
      : NodeOf(range), name(name), nameRange(nameRange), decorators(decorators),
        typeParams(typeParams), bases(bases), keywords(keywords), body(body) {}
};

/// `value` may be null.
struct ReturnStmt : NodeOf<NodeKind::ReturnStmt, Stmt> {
  Expr *value;
  ReturnStmt(SourceRange range, Expr *value) : NodeOf(range), value(value) {}
};

struct PassStmt : NodeOf<NodeKind::PassStmt, Stmt> {
  using NodeOf::NodeOf;
};

struct BreakStmt : NodeOf<NodeKind::BreakStmt, Stmt> {
  using NodeOf::NodeOf;
};

struct ContinueStmt : NodeOf<NodeKind::ContinueStmt, Stmt> {
  using NodeOf::NodeOf;
};

/// `raise EXCEPTION from CAUSE`; both may be null.
struct RaiseStmt : NodeOf<NodeKind::RaiseStmt, Stmt> {
  Expr *exception;
  Expr *cause;
  RaiseStmt(SourceRange range, Expr *exception, Expr *cause)
      : NodeOf(range), exception(exception), cause(cause) {}
};

/// `assert CONDITION, MESSAGE`; `message` may be null.
struct AssertStmt : NodeOf<NodeKind::AssertStmt, Stmt> {
  Expr *condition;
  Expr *message;
  AssertStmt(SourceRange range, Expr *condition, Expr *message)
      : NodeOf(range), condition(condition), message(message) {}
};

struct DeleteStmt : NodeOf<NodeKind::DeleteStmt, Stmt> {
  llvm::ArrayRef<Expr *> targets;
  DeleteStmt(SourceRange range, llvm::ArrayRef<Expr *> targets) : NodeOf(range), targets(targets) {}
};

struct GlobalStmt : NodeOf<NodeKind::GlobalStmt, Stmt> {
  llvm::ArrayRef<NameExpr *> names;
  GlobalStmt(SourceRange range, llvm::ArrayRef<NameExpr *> names) : NodeOf(range), names(names) {}
};

struct NonlocalStmt : NodeOf<NodeKind::NonlocalStmt, Stmt> {
  llvm::ArrayRef<NameExpr *> names;
  NonlocalStmt(SourceRange range, llvm::ArrayRef<NameExpr *> names) : NodeOf(range), names(names) {}
};

struct ImportStmt : NodeOf<NodeKind::ImportStmt, Stmt> {
  llvm::ArrayRef<Alias *> names;
  ImportStmt(SourceRange range, llvm::ArrayRef<Alias *> names) : NodeOf(range), names(names) {}
};

/// `from ..MODULE import NAMES`; `level` counts the dots, `module` may be empty if there are some.
struct ImportFromStmt : NodeOf<NodeKind::ImportFromStmt, Stmt> {
  llvm::StringRef module;
  SourceRange moduleRange;
  unsigned level;
  llvm::ArrayRef<Alias *> names;
  ImportFromStmt(SourceRange range, llvm::StringRef module, SourceRange moduleRange, unsigned level,
                 llvm::ArrayRef<Alias *> names)
      : NodeOf(range), module(module), moduleRange(moduleRange), level(level), names(names) {}
  bool isStar() const { return names.size() == 1 && names[0]->name == "*"; }
};

/// `type NAME[PARAMS] = VALUE`.
struct TypeAliasStmt : NodeOf<NodeKind::TypeAliasStmt, Stmt> {
  NameExpr *name;
  llvm::ArrayRef<TypeParam *> typeParams;
  Expr *value;
  TypeAliasStmt(SourceRange range, NameExpr *name, llvm::ArrayRef<TypeParam *> typeParams,
                Expr *value)
      : NodeOf(range), name(name), typeParams(typeParams), value(value) {}
};

/// One source file. The nodes live in the ASTContext that it was parsed into.
struct Module : NodeOf<NodeKind::Module, Node> {
  FileID file;
  Block body;
  Module(SourceRange range, FileID file, Block body) : NodeOf(range), file(file), body(body) {}
};

} // namespace tilec::ast

#endif // TILEC_LIB_FRONTEND_AST_H
