// Statements that do not branch, and assignment.
#include "lib/Frontend/MLIRGen/Effects.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "lib/Frontend/MLIRGen/Signature.h"

using namespace mlir;

namespace tilec::frontend {

/// Most statements that one generation may emit; unrolling and inlining count.
static constexpr unsigned kMaxStatements = 100000;

void Generator::bind(llvm::StringRef name, Value value, SourceRange range) {
  frame->scope[name] = Binding{std::move(value), range, Binding::State::Bound};
}

/// What a value becomes when it is bound to a name: numbers become run-time scalars [R4].
static Value strengthen(Generator &g, const Value &value, SourceRange range) {
  return value.isNumber() && !g.frame->isConstexpr ? g.toTensor(value, range) : value;
}

void Generator::assign(const ast::Expr *target, const Value &value, bool constexprTarget) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
    Value bound = constexprTarget ? value : strengthen(*this, value, target->range);
    return bind(name->name, std::move(bound), target->range);
  }
  llvm::ArrayRef<ast::Expr *> targets;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    targets = tuple->elements;
  else if (auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    targets = list->elements;
  else {
    bool isItem = llvm::isa<ast::SubscriptExpr>(target);
    error(target->range) << "assignment to "
                         << (isItem ? "an element is not supported; use tl.where or tl.store"
                                    : "an attribute is not supported");
    return;
  }
  bool mismatch =
      !value.isPoison() && (!value.isTuple() || value.getElements().size() != targets.size());
  if (mismatch) {
    if (value.isTuple())
      error(target->range) << "cannot unpack " << value.describe() << " into " << targets.size()
                           << " names";
    else
      error(target->range) << "cannot unpack " << value.describe();
  }
  for (auto [index, element] : llvm::enumerate(targets)) {
    bool poisoned = mismatch || value.isPoison();
    assign(element, poisoned ? Value() : value.getElements()[index], constexprTarget);
  }
}

/// The statement as an error names it.
static llvm::StringRef nameOf(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::WithStmt:
    return "'with'";
  case ast::NodeKind::TryStmt:
    return "'try'";
  case ast::NodeKind::MatchStmt:
    return "'match'";
  case ast::NodeKind::FunctionDef:
    return "a function inside a function";
  case ast::NodeKind::ClassDef:
    return "a class inside a function";
  case ast::NodeKind::DeleteStmt:
    return "'del'";
  case ast::NodeKind::GlobalStmt:
    return "'global'";
  case ast::NodeKind::NonlocalStmt:
    return "'nonlocal'";
  case ast::NodeKind::TypeAliasStmt:
    return "'type'";
  default:
    return "'import'";
  }
}

static void emitAssert(Generator &g, const ast::AssertStmt *stmt) {
  Value condition = g.emit(stmt->condition);
  if (condition.isPoison())
    return;
  if (condition.isTensor()) {
    Value message = g.options.assertsEnabled && stmt->message ? g.emit(stmt->message) : Value();
    emitRuntimeAssert(g, condition, message, /*mask=*/Value::none(), stmt->range);
    return;
  }
  if (condition.isTruthy())
    return;
  Value message = stmt->message ? g.emit(stmt->message) : Value();
  if (message.isPoison())
    g.error(stmt->range) << "assertion does not hold";
  else
    g.error(stmt->range) << "assertion does not hold: " << message.toPython();
}

/// `raise` in live code is an error with the text of the exception.
static void emitRaise(Generator &g, const ast::RaiseStmt *stmt) {
  std::string text;
  if (auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(stmt->exception)) {
    if (!call->args.empty()) {
      Value message = g.tryConstant(call->args.front());
      if (!message.isPoison())
        text = ": " + message.toPython();
    }
  }
  g.error(stmt->range) << "the kernel raises an exception here" << text;
}

bool Generator::grow(SourceRange range) {
  if (statements < kMaxStatements) {
    ++statements;
    return true;
  }
  // An attempt at a compile-time value may have used them up without a word.
  if (!isTooLarge && quietDepth == 0) {
    isTooLarge = true;
    error(range) << "the kernel grows past " << kMaxStatements
                 << " statements by unrolling and inlining";
  }
  return false;
}

void Generator::emitStmt(const ast::Stmt *stmt) {
  DepthGuard guard(*this);
  if (guard.isTooDeep()) {
    error(stmt->range) << "statement nests too deep";
    return;
  }
  if (!grow(stmt->range))
    return;
  LocScope scope(*this, stmt->range);
  switch (stmt->kind) {
  case ast::NodeKind::ExprStmt: {
    auto *value = llvm::cast<ast::ExprStmt>(stmt)->value;
    // Docstrings and '...' stand for nothing.
    if (!llvm::isa<ast::StringLiteral, ast::EllipsisLiteral>(value))
      emit(value);
    return;
  }
  case ast::NodeKind::AssignStmt: {
    auto *node = llvm::cast<ast::AssignStmt>(stmt);
    Value value = emit(node->value);
    for (const ast::Expr *target : node->targets)
      assign(target, value, /*constexprTarget=*/false);
    return;
  }
  case ast::NodeKind::AugAssignStmt: {
    auto *node = llvm::cast<ast::AugAssignStmt>(stmt);
    auto *name = llvm::dyn_cast<ast::NameExpr>(node->target);
    if (!name)
      return assign(node->target, Value(), /*constexprTarget=*/false);
    Value lhs = emit(node->target);
    Value rhs = emit(node->value);
    return assign(name, binary(node->op, std::move(lhs), std::move(rhs), node->range),
                  /*constexprTarget=*/false);
  }
  case ast::NodeKind::AnnAssignStmt: {
    auto *node = llvm::cast<ast::AnnAssignStmt>(stmt);
    if (!node->value)
      return;
    // `X: tl.constexpr = ...` stays a weak compile-time value [R4].
    bool isConstexpr = readAnnotation(node->annotation).isConstexpr;
    return assign(node->target, emit(node->value), isConstexpr);
  }
  case ast::NodeKind::ForStmt:
    return emitFor(llvm::cast<ast::ForStmt>(stmt));
  case ast::NodeKind::WhileStmt:
    return emitWhile(llvm::cast<ast::WhileStmt>(stmt));
  case ast::NodeKind::ReturnStmt:
  case ast::NodeKind::BreakStmt:
  case ast::NodeKind::ContinueStmt:
    return leave(stmt);
  case ast::NodeKind::PassStmt:
    return;
  case ast::NodeKind::AssertStmt:
    return emitAssert(*this, llvm::cast<ast::AssertStmt>(stmt));
  case ast::NodeKind::RaiseStmt:
    return emitRaise(*this, llvm::cast<ast::RaiseStmt>(stmt));
  default:
    error(stmt->range) << nameOf(stmt->kind) << " is not supported in a kernel";
  }
}

} // namespace tilec::frontend
