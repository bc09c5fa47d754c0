// Bodies of functions up to their ends: early returns nest what follows them.
#include "lib/Frontend/MLIRGen/Loop.h"

using namespace mlir;

namespace tilec::frontend {

bool Generator::mayReturn(ast::Block block) {
  for (const ast::Stmt *stmt : block) {
    if (llvm::isa<ast::ReturnStmt>(stmt))
      return true;
    auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt);
    if (!branch || (!containsReturn(branch->body) && !containsReturn(branch->orelse)))
      continue;
    // A branch that is known to be dead does not count.
    Value condition = tryConstant(branch->condition);
    bool isKnown = !condition.isPoison();
    if ((!isKnown || condition.isTruthy()) && mayReturn(branch->body))
      return true;
    if ((!isKnown || !condition.isTruthy()) && mayReturn(branch->orelse))
      return true;
  }
  return false;
}

Value Generator::emitToEnd(ast::Block block, const Continuation *next) {
  DepthGuard guard(*this);
  for (size_t i = 0; i < block.size(); ++i) {
    const ast::Stmt *stmt = block[i];
    if (diags.isErrorLimitReached())
      return Value();
    if (guard.isTooDeep())
      return error(stmt->range) << "statement nests too deep";
    if (auto *ret = llvm::dyn_cast<ast::ReturnStmt>(stmt)) {
      LocScope scope(*this, stmt->range);
      if (!ret->value)
        return Value::none();
      Value value = emit(ret->value);
      if (frame->isKernel && !value.isPoison() && !value.isNone())
        return error(ret->value->range) << "a kernel cannot return a value; store it to memory";
      // Numbers become run-time scalars [R38].
      return frame->isConstexpr ? value : makeRunTime(*this, value, ret->value->range);
    }
    auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt);
    if (!branch || (!containsReturn(branch->body) && !containsReturn(branch->orelse))) {
      emitStmt(stmt);
      continue;
    }
    LocScope scope(*this, stmt->range);
    Continuation rest{block.drop_front(i + 1), next};
    Condition condition = emitCondition(branch->condition);
    if (condition.kind == Condition::Kind::Known)
      return emitToEnd(condition.known ? branch->body : branch->orelse, &rest);
    if (condition.kind == Condition::Kind::Poison)
      return emitToEnd(rest.block, next);
    if (!mayReturn(branch->body) && !mayReturn(branch->orelse)) {
      emitStmt(stmt);
      continue;
    }
    return emitReturningIf(branch, condition, &rest);
  }
  return next ? emitToEnd(next->block, next->next) : Value::none();
}

Value Generator::emitReturningIf(const ast::IfStmt *stmt, Condition condition,
                                 const Continuation *next) {
  // What follows the `if` goes into the branches that do not return.
  Scope before = frame->scope;
  Value values[2];
  std::unique_ptr<Region> regions[2];
  ast::Block blocks[2] = {stmt->body, stmt->orelse};
  {
    OpBuilder::InsertionGuard guard(builder);
    for (int i = 0; i < 2; ++i) {
      regions[i] = std::make_unique<Region>();
      builder.setInsertionPointToStart(&regions[i]->emplaceBlock());
      frame->scope = before;
      values[i] = emitToEnd(blocks[i], next);
    }
  }
  frame->scope = std::move(before);
  bool poisoned = values[0].isPoison() || values[1].isPoison();
  if (!poisoned && !unify(values[0], values[1], &regions[0]->front(), &regions[1]->front())) {
    error(stmt->range) << "'" << frame->function->name << "' returns " << values[0].describe()
                       << " if this condition holds and " << values[1].describe()
                       << " if not; all returns must have the same type";
    poisoned = true;
  }
  llvm::SmallVector<Value> results;
  if (poisoned || values[0].isNone()) {
    finishIf(condition.value, std::move(regions[0]), std::move(regions[1]), {}, {}, results);
    return poisoned ? Value() : Value::none();
  }
  return finishIf(condition.value, std::move(regions[0]), std::move(regions[1]), {values[0]},
                  {values[1]}, results);
}

} // namespace tilec::frontend
