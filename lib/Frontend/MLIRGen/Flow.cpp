// Statements in their order, up to where `break`, `continue` or `return` leaves them.
#include "lib/Frontend/MLIRGen/Flow.h"

#include "lib/Frontend/MLIRGen/Loop.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace tilec::frontend {

static constexpr llvm::StringLiteral kFlags[] = {kBreakFlag, kContinueFlag, kReturnFlag};

Value getFlag(const Scope &scope, llvm::StringRef flag) {
  auto found = scope.find(flag);
  return found == scope.end() ? Value::boolean(false) : found->second.value;
}

Leaving getLeaving(const Scope &scope) {
  Leaving result = Leaving::Never;
  for (llvm::StringRef name : kFlags) {
    Value flag = getFlag(scope, name);
    if (flag.isTensor())
      result = Leaving::Maybe;
    else if (flag.isTruthy())
      return Leaving::Always;
  }
  return result;
}

void Generator::leave(const ast::Stmt *stmt) {
  auto *ret = llvm::dyn_cast<ast::ReturnStmt>(stmt);
  if (!ret) {
    bool isBreak = llvm::isa<ast::BreakStmt>(stmt);
    if (!frame->loops)
      error(stmt->range) << (isBreak ? "'break'" : "'continue'") << " stands outside of a loop";
    else
      bind(isBreak ? kBreakFlag : kContinueFlag, Value::boolean(true), stmt->range);
    return;
  }
  Value value = ret->value ? emit(ret->value) : Value::none();
  if (frame->isKernel && !value.isPoison() && !value.isNone()) {
    error(ret->value->range) << "a kernel cannot return a value; store it to memory";
    value = Value::none();
  }
  // Numbers become run-time scalars [R38].
  if (!frame->isConstexpr)
    value = makeRunTime(*this, value, stmt->range);
  bind(kResult, value, stmt->range);
  bind(kReturnFlag, Value::boolean(true), stmt->range);
}

/// Adds the names that the statements and what follows them assign.
void Generator::collectAssignedAfter(ast::Block block, const Continuation *next,
                                     llvm::SmallVectorImpl<llvm::StringRef> &names) {
  collectAssigned(block, names);
  for (; next; next = next->next)
    collectAssigned(next->block, names);
}

void Generator::emitInBranch(Branch &branch, llvm::function_ref<void()> emitBody) {
  OpBuilder::InsertionGuard guard(builder);
  if (!branch.region) {
    branch.region = std::make_unique<Region>();
    branch.region->emplaceBlock();
  }
  builder.setInsertionPointToEnd(&branch.region->front());
  frame->scope = std::move(branch.scope);
  emitBody();
  branch.scope = std::move(frame->scope);
}

void Generator::emitGuarded(llvm::function_ref<void()> emitRest,
                            llvm::SmallVectorImpl<llvm::StringRef> &names, End end) {
  // The rest runs if no flag is set.
  mlir::Value left;
  llvm::SmallVector<llvm::StringRef, 3> possible;
  for (llvm::StringRef name : kFlags) {
    Value flag = getFlag(frame->scope, name);
    if (!flag.isTensor())
      continue;
    possible.push_back(name);
    left = left ? arith::OrIOp::create(builder, loc(), left, flag.getSSA()).getResult()
                : flag.getSSA();
  }
  mlir::Value yes = constant(Scalar::I1, Value::boolean(true)).getSSA();
  mlir::Value stays = arith::XOrIOp::create(builder, loc(), left, yes);
  Scope before = frame->scope;
  Branch branches[2];
  branches[0].scope = branches[1].scope = before;
  for (llvm::StringRef name : kFlags)
    branches[0].scope.erase(name);
  branches[0].scope.erase(kResult);
  emitInBranch(branches[0], emitRest);
  emitInBranch(branches[1], [&] {
    if (possible.size() == 1)
      frame->scope[possible.front()].value = Value::boolean(true);
  });
  frame->scope = std::move(before);
  mergeBranches(stays, branches, names, end);
}

bool Generator::emitRunTimeIf(const ast::IfStmt *stmt, Condition condition,
                              const Continuation &rest, End end) {
  bool hasRest = !rest.block.empty() || rest.next;
  Scope before = frame->scope;
  Branch branches[2];
  ast::Block blocks[2] = {stmt->body, stmt->orelse};
  llvm::SmallVector<llvm::StringRef> names;
  for (int i = 0; i < 2; ++i) {
    branches[i].scope = before;
    emitInBranch(branches[i],
                 [&] { emitSequence(blocks[i], nullptr, hasRest ? End::Block : end); });
    collectAssigned(blocks[i], names);
  }
  frame->scope = std::move(before);
  Leaving leaving[2] = {branches[0].leaving(), branches[1].leaving()};
  auto emitRest = [&] { emitSequence(rest.block, rest.next, end); };

  // What follows stands in the one branch that goes on.
  if (hasRest && (leaving[0] == Leaving::Always) != (leaving[1] == Leaving::Always)) {
    int other = leaving[0] == Leaving::Always;
    llvm::SmallVector<llvm::StringRef> later;
    collectAssignedAfter(rest.block, rest.next, later);
    Scope saved = std::move(frame->scope);
    emitInBranch(branches[other], [&] {
      if (leaving[other] == Leaving::Maybe)
        emitGuarded(emitRest, later, end);
      else
        emitRest();
    });
    frame->scope = std::move(saved);
    for (llvm::StringRef name : later)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
    mergeBranches(condition.value, branches, names, end);
    return true;
  }
  bool isLast = !hasRest || leaving[0] == Leaving::Always;
  mergeBranches(condition.value, branches, names, isLast ? end : End::Block);
  if (isLast || (leaving[0] == Leaving::Never && leaving[1] == Leaving::Never))
    return isLast;
  llvm::SmallVector<llvm::StringRef> later;
  collectAssignedAfter(rest.block, rest.next, later);
  emitGuarded(emitRest, later, end);
  return true;
}

ast::Stmt *Generator::makeElse(const ast::Stmt *loop) {
  auto *forLoop = llvm::dyn_cast<ast::ForStmt>(loop);
  auto *whileLoop = llvm::dyn_cast<ast::WhileStmt>(loop);
  ast::Block orelse = forLoop ? forLoop->orelse : whileLoop ? whileLoop->orelse : ast::Block();
  if (orelse.empty())
    return nullptr;
  auto *flag = astContext.make<ast::NameExpr>(loop->range, nameOfBreak(loop));
  return astContext.make<ast::IfStmt>(orelse.front()->range, flag, ast::Block(), orelse,
                                      /*isElif=*/false);
}

void Generator::emitSequence(ast::Block block, const Continuation *next, End end) {
  DepthGuard guard(*this);
  for (size_t i = 0; i < block.size(); ++i) {
    const ast::Stmt *stmt = block[i];
    if (diags.isErrorLimitReached())
      return;
    Continuation rest{block.drop_front(i + 1), next};
    auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt);
    if (!branch) {
      emitStmt(stmt);
      Leaving leaving = getLeaving(frame->scope);
      if (leaving == Leaving::Always)
        return;
      // The `else` of a loop comes first in what follows it.
      ast::Stmt *otherwise = makeElse(stmt);
      Continuation after = rest;
      if (otherwise)
        after = {otherwise, &rest};
      if (leaving == Leaving::Never) {
        if (otherwise)
          return emitSequence(after.block, after.next, end);
        continue;
      }
      if (after.block.empty() && !after.next)
        return;
      LocScope scope(*this, stmt->range);
      llvm::SmallVector<llvm::StringRef> later;
      collectAssignedAfter(after.block, after.next, later);
      return emitGuarded([&] { emitSequence(after.block, after.next, end); }, later, end);
    }
    if (guard.isTooDeep()) {
      error(stmt->range) << "statement nests too deep";
      return;
    }
    if (!grow(stmt->range))
      return;
    LocScope scope(*this, stmt->range);
    Condition condition = emitCondition(branch->condition);
    switch (condition.kind) {
    case Condition::Kind::Poison:
      poisonAssigned(branch->body, stmt->range);
      poisonAssigned(branch->orelse, stmt->range);
      break;
    case Condition::Kind::Known: {
      // Only the branch that is taken is looked at [R35].
      ast::Block taken = condition.known ? branch->body : branch->orelse;
      if (containsExit(taken))
        return emitSequence(taken, &rest, end);
      emitSequence(taken, nullptr, End::Block);
      break;
    }
    case Condition::Kind::RunTime: {
      bool isPlain = !containsExit(branch->body) && !containsExit(branch->orelse);
      if (emitRunTimeIf(branch, condition, isPlain ? Continuation{} : rest,
                        isPlain ? End::Block : end) &&
          !isPlain)
        return;
      break;
    }
    }
  }
  if (next)
    emitSequence(next->block, next->next, end);
}

void Generator::warnOfNoResult(const Value &result, SourceRange range) {
  std::string message = ("'" + frame->function->name + "' returns " + result.describe() +
                         " here, but nothing if it comes to its end; its value is undefined then")
                            .str();
  warnOnce(range, message);
}

void Generator::warnOnce(SourceRange range, const std::string &message) {
  auto key = std::make_pair(range.begin.getRaw(), static_cast<size_t>(llvm::hash_value(message)));
  if (!isQuiet() && reported.insert(key).second)
    diags.warning(range) << message;
}

Value Generator::emitBody(const ast::FunctionDef *function) {
  emitSequence(function->body, nullptr, End::Function);
  auto found = frame->scope.find(kResult);
  if (found == frame->scope.end())
    return Value::none();
  const Value &result = found->second.value;
  if (getLeaving(frame->scope) == Leaving::Maybe && !result.isNone() && !result.isPoison())
    warnOfNoResult(result, found->second.range);
  return result;
}

} // namespace tilec::frontend
