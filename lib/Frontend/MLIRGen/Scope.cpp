// Questions about syntax that name binding asks.
#include "lib/Frontend/MLIRGen/Scope.h"

#include "llvm/ADT/STLExtras.h"

namespace tilec::frontend {

static void collectTargets(const ast::Expr *target, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
    if (!llvm::is_contained(names, name->name))
      names.push_back(name->name);
    return;
  }
  llvm::ArrayRef<ast::Expr *> elements;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    elements = tuple->elements;
  else if (auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    elements = list->elements;
  for (const ast::Expr *element : elements)
    collectTargets(element, names);
}

void collectAssigned(const ast::Stmt *stmt, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  switch (stmt->kind) {
  case ast::NodeKind::AssignStmt:
    for (const ast::Expr *target : llvm::cast<ast::AssignStmt>(stmt)->targets)
      collectTargets(target, names);
    return;
  case ast::NodeKind::AugAssignStmt:
    return collectTargets(llvm::cast<ast::AugAssignStmt>(stmt)->target, names);
  case ast::NodeKind::AnnAssignStmt:
    if (llvm::cast<ast::AnnAssignStmt>(stmt)->value)
      collectTargets(llvm::cast<ast::AnnAssignStmt>(stmt)->target, names);
    return;
  case ast::NodeKind::IfStmt:
    collectAssigned(llvm::cast<ast::IfStmt>(stmt)->body, names);
    return collectAssigned(llvm::cast<ast::IfStmt>(stmt)->orelse, names);
  case ast::NodeKind::ForStmt:
    // The loop's variable is restored after it, unless the loop is unrolled.
    collectTargets(llvm::cast<ast::ForStmt>(stmt)->target, names);
    return collectAssigned(llvm::cast<ast::ForStmt>(stmt)->body, names);
  case ast::NodeKind::WhileStmt:
    return collectAssigned(llvm::cast<ast::WhileStmt>(stmt)->body, names);
  case ast::NodeKind::WithStmt:
    return collectAssigned(llvm::cast<ast::WithStmt>(stmt)->body, names);
  default:
    return;
  }
}

void collectAssigned(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  for (const ast::Stmt *stmt : block)
    collectAssigned(stmt, names);
}

void collectReassigned(ast::Block block, llvm::StringSet<> &names) {
  for (const ast::Stmt *stmt : block) {
    if (auto *global = llvm::dyn_cast<ast::GlobalStmt>(stmt)) {
      for (const ast::NameExpr *name : global->names)
        names.insert(name->name);
    } else if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      collectReassigned(branch->body, names);
      collectReassigned(branch->orelse, names);
    } else if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      collectReassigned(loop->body, names);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      collectReassigned(loop->body, names);
    } else if (auto *with = llvm::dyn_cast<ast::WithStmt>(stmt)) {
      collectReassigned(with->body, names);
    } else if (auto *attempt = llvm::dyn_cast<ast::TryStmt>(stmt)) {
      collectReassigned(attempt->body, names);
      for (const ast::ExceptHandler *handler : attempt->handlers)
        collectReassigned(handler->body, names);
    } else if (auto *function = llvm::dyn_cast<ast::FunctionDef>(stmt)) {
      collectReassigned(function->body, names);
    }
  }
}

static bool containsExit(ast::Block block, bool isInLoop) {
  return llvm::any_of(block, [&](const ast::Stmt *stmt) {
    if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt))
      return containsExit(branch->body, isInLoop) || containsExit(branch->orelse, isInLoop);
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      return containsExit(loop->body, /*isInLoop=*/true);
    if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt))
      return containsExit(loop->body, /*isInLoop=*/true);
    if (llvm::isa<ast::BreakStmt, ast::ContinueStmt>(stmt))
      return !isInLoop;
    return llvm::isa<ast::ReturnStmt>(stmt);
  });
}

bool containsExit(ast::Block block) { return containsExit(block, /*isInLoop=*/false); }

FunctionKind getFunctionKind(const ast::FunctionDef *function) {
  for (const ast::Expr *decorator : function->decorators) {
    if (auto *call = llvm::dyn_cast<ast::CallExpr>(decorator))
      decorator = call->callee;
    llvm::StringRef name;
    if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(decorator))
      name = attribute->attr;
    else if (auto *plain = llvm::dyn_cast<ast::NameExpr>(decorator))
      name = plain->name;
    if (name == "jit")
      return FunctionKind::Jit;
    if (name == "constexpr_function")
      return FunctionKind::Constexpr;
  }
  return FunctionKind::Plain;
}

void forEachJitFunction(ast::Block block, JitVisitor visit, const std::string &prefix) {
  for (const ast::Stmt *stmt : block) {
    if (auto *function = llvm::dyn_cast<ast::FunctionDef>(stmt)) {
      if (getFunctionKind(function) == FunctionKind::Jit)
        visit(function, prefix);
    } else if (auto *cls = llvm::dyn_cast<ast::ClassDef>(stmt)) {
      forEachJitFunction(cls->body, visit, prefix + cls->name.str() + ".");
    } else if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      forEachJitFunction(branch->body, visit, prefix);
      forEachJitFunction(branch->orelse, visit, prefix);
    } else if (auto *attempt = llvm::dyn_cast<ast::TryStmt>(stmt)) {
      forEachJitFunction(attempt->body, visit, prefix);
      for (const ast::ExceptHandler *handler : attempt->handlers)
        forEachJitFunction(handler->body, visit, prefix);
    }
  }
}

} // namespace tilec::frontend
