// Questions about syntax that name binding asks.
#include "lib/Frontend/MLIRGen/Scope.h"
#include "lib/Frontend/ASTWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace tilec::frontend {

static void collectTargets(const ast::Expr *target, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  if (auto *starred = llvm::dyn_cast<ast::StarredExpr>(target))
    target = starred->value;
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
    collectAssigned(llvm::cast<ast::ForStmt>(stmt)->body, names);
    return collectAssigned(llvm::cast<ast::ForStmt>(stmt)->orelse, names);
  case ast::NodeKind::WhileStmt:
    collectAssigned(llvm::cast<ast::WhileStmt>(stmt)->body, names);
    return collectAssigned(llvm::cast<ast::WhileStmt>(stmt)->orelse, names);
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

const Binding *Frame::findCaptured(llvm::StringRef name) const {
  auto find = [&](const Scope &names) -> const Binding * {
    auto found = names.find(name);
    bool isBound = found != names.end() && found->second.state == Binding::State::Bound;
    return isBound ? &found->second : nullptr;
  };
  for (auto *around = static_cast<const Closure *>(closure.get()); around;
       around = static_cast<const Closure *>(around->outer.get())) {
    const Frame *running = caller;
    while (running && running->activation != around->activation)
      running = running->caller;
    if (const Binding *binding = find(running ? running->scope : around->names))
      return binding;
  }
  return nullptr;
}

void collectMutated(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names) {
  auto add = [&](const ast::Expr *expr) {
    if (auto *entry = llvm::dyn_cast<ast::SubscriptExpr>(expr))
      collectTargets(entry->base, names);
  };
  ast::walkStmts(block, [&](const ast::Stmt *stmt) {
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
      llvm::for_each(assign->targets, add);
    else if (auto *assign = llvm::dyn_cast<ast::AugAssignStmt>(stmt))
      add(assign->target);
    auto *statement = llvm::dyn_cast<ast::ExprStmt>(stmt);
    auto *call = statement ? llvm::dyn_cast<ast::CallExpr>(statement->value) : nullptr;
    auto *method = call ? llvm::dyn_cast<ast::AttributeExpr>(call->callee) : nullptr;
    if (method && isMutation(method->attr))
      collectTargets(method->base, names);
  });
}

bool isMutation(llvm::StringRef method) {
  return method == "append" || method == "extend" || method == "update";
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
      collectReassigned(loop->orelse, names);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      collectReassigned(loop->body, names);
      collectReassigned(loop->orelse, names);
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
      return containsExit(loop->body, /*isInLoop=*/true) || containsExit(loop->orelse, isInLoop);
    if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt))
      return containsExit(loop->body, /*isInLoop=*/true) || containsExit(loop->orelse, isInLoop);
    if (auto *with = llvm::dyn_cast<ast::WithStmt>(stmt))
      return containsExit(with->body, isInLoop);
    if (llvm::isa<ast::BreakStmt, ast::ContinueStmt>(stmt))
      return !isInLoop;
    return llvm::isa<ast::ReturnStmt>(stmt);
  });
}

bool containsExit(ast::Block block) { return containsExit(block, /*isInLoop=*/false); }

bool containsBreak(ast::Block block) {
  return llvm::any_of(block, [&](const ast::Stmt *stmt) {
    if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt))
      return containsBreak(branch->body) || containsBreak(branch->orelse);
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
      return containsBreak(loop->orelse);
    if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt))
      return containsBreak(loop->orelse);
    return llvm::isa<ast::BreakStmt>(stmt);
  });
}

bool readsOutsideLoops(ast::Block block, llvm::StringRef name) {
  bool isRead = false;
  auto visit = [&](const ast::Expr *expr) {
    auto *read = llvm::dyn_cast<ast::NameExpr>(expr);
    isRead |= read && read->name == name;
  };
  std::function<void(const ast::Expr *)> walk = [&](const ast::Expr *expr) {
    visit(expr);
    ast::forEachChild(expr, walk);
  };
  for (size_t i = 0; i < block.size() && !isRead; ++i) {
    const ast::Stmt *stmt = block[i];
    if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      auto *target = llvm::dyn_cast<ast::NameExpr>(loop->target);
      walk(loop->iterable);
      isRead |= (!(target && target->name == name) && readsOutsideLoops(loop->body, name)) ||
                readsOutsideLoops(loop->orelse, name);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      walk(loop->condition);
      isRead |= readsOutsideLoops(loop->body, name) || readsOutsideLoops(loop->orelse, name);
    } else if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      walk(branch->condition);
      isRead |= readsOutsideLoops(branch->body, name) || readsOutsideLoops(branch->orelse, name);
    } else if (auto *node = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
      walk(node->value);
      for (const ast::Expr *target : node->targets)
        if (!llvm::isa<ast::NameExpr>(target))
          walk(target);
    } else {
      ast::walkExprs(block.slice(i, 1), visit);
    }
  }
  return isRead;
}

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
