// Visits the statements and expressions of a block.
#include "lib/Frontend/ASTWalk.h"

namespace tilec::ast {

using Visit = llvm::function_ref<void(const Expr *)>;

static void forEach(llvm::ArrayRef<Expr *> exprs, Visit visit) {
  for (const Expr *expr : exprs)
    if (expr)
      visit(expr);
}

void forEachChild(const Expr *expr, Visit visit) {
  auto maybe = [&](const Expr *child) {
    if (child)
      visit(child);
  };
  switch (expr->kind) {
  case NodeKind::JoinedStr:
    return forEach(llvm::cast<JoinedStr>(expr)->parts, visit);
  case NodeKind::FormattedValue:
    visit(llvm::cast<FormattedValue>(expr)->value);
    return maybe(llvm::cast<FormattedValue>(expr)->formatSpec);
  case NodeKind::Unary:
    return visit(llvm::cast<UnaryExpr>(expr)->operand);
  case NodeKind::Binary:
    visit(llvm::cast<BinaryExpr>(expr)->lhs);
    return visit(llvm::cast<BinaryExpr>(expr)->rhs);
  case NodeKind::BoolOp:
    return forEach(llvm::cast<BoolOpExpr>(expr)->operands, visit);
  case NodeKind::Compare:
    return forEach(llvm::cast<CompareExpr>(expr)->operands, visit);
  case NodeKind::Call: {
    auto *call = llvm::cast<CallExpr>(expr);
    visit(call->callee);
    forEach(call->args, visit);
    for (const Keyword *keyword : call->keywords)
      visit(keyword->value);
    return;
  }
  case NodeKind::Attribute:
    return visit(llvm::cast<AttributeExpr>(expr)->base);
  case NodeKind::Subscript:
    visit(llvm::cast<SubscriptExpr>(expr)->base);
    return visit(llvm::cast<SubscriptExpr>(expr)->index);
  case NodeKind::Slice:
    maybe(llvm::cast<SliceExpr>(expr)->lower);
    maybe(llvm::cast<SliceExpr>(expr)->upper);
    return maybe(llvm::cast<SliceExpr>(expr)->step);
  case NodeKind::Lambda:
    return visit(llvm::cast<LambdaExpr>(expr)->body);
  case NodeKind::Conditional:
    visit(llvm::cast<ConditionalExpr>(expr)->condition);
    visit(llvm::cast<ConditionalExpr>(expr)->thenValue);
    return visit(llvm::cast<ConditionalExpr>(expr)->elseValue);
  case NodeKind::Tuple:
    return forEach(llvm::cast<TupleExpr>(expr)->elements, visit);
  case NodeKind::List:
    return forEach(llvm::cast<ListExpr>(expr)->elements, visit);
  case NodeKind::Set:
    return forEach(llvm::cast<SetExpr>(expr)->elements, visit);
  case NodeKind::Dict:
    forEach(llvm::cast<DictExpr>(expr)->keys, visit);
    return forEach(llvm::cast<DictExpr>(expr)->values, visit);
  case NodeKind::Comprehension: {
    auto *node = llvm::cast<ComprehensionExpr>(expr);
    for (const ForClause *clause : node->clauses) {
      visit(clause->target);
      visit(clause->iterable);
      forEach(clause->conditions, visit);
    }
    visit(node->element);
    return maybe(node->value);
  }
  case NodeKind::NamedExpr:
    visit(llvm::cast<NamedExpr>(expr)->target);
    return visit(llvm::cast<NamedExpr>(expr)->value);
  case NodeKind::Starred:
    return visit(llvm::cast<StarredExpr>(expr)->value);
  case NodeKind::Await:
    return visit(llvm::cast<AwaitExpr>(expr)->value);
  case NodeKind::Yield:
    return maybe(llvm::cast<YieldExpr>(expr)->value);
  case NodeKind::YieldFrom:
    return visit(llvm::cast<YieldFromExpr>(expr)->value);
  default:
    return;
  }
}

void walkStmts(Block block, llvm::function_ref<void(const Stmt *)> visit) {
  for (const Stmt *stmt : block) {
    visit(stmt);
    switch (stmt->kind) {
    case NodeKind::IfStmt:
      walkStmts(llvm::cast<IfStmt>(stmt)->body, visit);
      walkStmts(llvm::cast<IfStmt>(stmt)->orelse, visit);
      break;
    case NodeKind::ForStmt:
      walkStmts(llvm::cast<ForStmt>(stmt)->body, visit);
      walkStmts(llvm::cast<ForStmt>(stmt)->orelse, visit);
      break;
    case NodeKind::WhileStmt:
      walkStmts(llvm::cast<WhileStmt>(stmt)->body, visit);
      walkStmts(llvm::cast<WhileStmt>(stmt)->orelse, visit);
      break;
    case NodeKind::WithStmt:
      walkStmts(llvm::cast<WithStmt>(stmt)->body, visit);
      break;
    case NodeKind::TryStmt: {
      auto *attempt = llvm::cast<TryStmt>(stmt);
      walkStmts(attempt->body, visit);
      for (const ExceptHandler *handler : attempt->handlers)
        walkStmts(handler->body, visit);
      walkStmts(attempt->orelse, visit);
      walkStmts(attempt->finally, visit);
      break;
    }
    case NodeKind::MatchStmt:
      for (const MatchCase *one : llvm::cast<MatchStmt>(stmt)->cases)
        walkStmts(one->body, visit);
      break;
    default:
      break;
    }
  }
}

/// The expressions that stand in a statement itself, not in its blocks.
static void forEachExpr(const Stmt *stmt, Visit visit) {
  auto maybe = [&](const Expr *child) {
    if (child)
      visit(child);
  };
  switch (stmt->kind) {
  case NodeKind::ExprStmt:
    return visit(llvm::cast<ExprStmt>(stmt)->value);
  case NodeKind::AssignStmt:
    forEach(llvm::cast<AssignStmt>(stmt)->targets, visit);
    return visit(llvm::cast<AssignStmt>(stmt)->value);
  case NodeKind::AugAssignStmt:
    visit(llvm::cast<AugAssignStmt>(stmt)->target);
    return visit(llvm::cast<AugAssignStmt>(stmt)->value);
  case NodeKind::AnnAssignStmt:
    visit(llvm::cast<AnnAssignStmt>(stmt)->target);
    return maybe(llvm::cast<AnnAssignStmt>(stmt)->value);
  case NodeKind::IfStmt:
    return visit(llvm::cast<IfStmt>(stmt)->condition);
  case NodeKind::ForStmt:
    visit(llvm::cast<ForStmt>(stmt)->target);
    return visit(llvm::cast<ForStmt>(stmt)->iterable);
  case NodeKind::WhileStmt:
    return visit(llvm::cast<WhileStmt>(stmt)->condition);
  case NodeKind::WithStmt:
    for (const WithItem *item : llvm::cast<WithStmt>(stmt)->items) {
      visit(item->context);
      maybe(item->target);
    }
    return;
  case NodeKind::MatchStmt:
    return visit(llvm::cast<MatchStmt>(stmt)->subject);
  case NodeKind::ReturnStmt:
    return maybe(llvm::cast<ReturnStmt>(stmt)->value);
  case NodeKind::RaiseStmt:
    maybe(llvm::cast<RaiseStmt>(stmt)->exception);
    return maybe(llvm::cast<RaiseStmt>(stmt)->cause);
  case NodeKind::AssertStmt:
    visit(llvm::cast<AssertStmt>(stmt)->condition);
    return maybe(llvm::cast<AssertStmt>(stmt)->message);
  case NodeKind::DeleteStmt:
    return forEach(llvm::cast<DeleteStmt>(stmt)->targets, visit);
  default:
    return;
  }
}

static void walkExpr(const Expr *expr, Visit visit) {
  visit(expr);
  forEachChild(expr, [&](const Expr *child) { walkExpr(child, visit); });
}

void walkExprs(Block block, Visit visit) {
  walkStmts(block, [&](const Stmt *stmt) {
    forEachExpr(stmt, [&](const Expr *expr) { walkExpr(expr, visit); });
  });
}

} // namespace tilec::ast
