// `while` loops, and loops that `break` or `return` may end.
#include "lib/Frontend/MLIRGen/Flow.h"
#include "lib/Frontend/MLIRGen/Loop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

/// Most iterations of a loop that runs at compile time.
static constexpr unsigned kMaxIterations = 100000;

Generator::LoopExits Generator::takeExits() {
  LoopExits exits;
  Value broken = getFlag(frame->scope, kBreakFlag), returned = getFlag(frame->scope, kReturnFlag);
  auto isPossible = [](const Value &flag) { return flag.isTensor() || flag.isTruthy(); };
  if (isPossible(broken))
    exits.stop = toTensor(broken, {}).getSSA();
  if (isPossible(returned)) {
    exits.returned = toTensor(returned, {}).getSSA();
    exits.result = frame->scope[kResult].value;
    exits.resultRange = frame->scope[kResult].range;
    exits.stop = exits.stop
                     ? arith::OrIOp::create(builder, loc(), exits.stop, exits.returned).getResult()
                     : exits.returned;
  }
  for (llvm::StringRef name : {kBreakFlag, kContinueFlag, kReturnFlag, kResult})
    frame->scope.erase(name);
  return exits;
}

/// Makes the test of a loop's condition depend on that the loop was not stopped: what it reads may
/// not be there any more.
static mlir::Value guardCondition(OpBuilder &builder, Location loc, Block *head, mlir::Value goesOn,
                                  mlir::Value stays) {
  if (llvm::all_of(*head, [](Operation &op) { return isPure(&op); })) {
    builder.setInsertionPointToEnd(head);
    return arith::AndIOp::create(builder, loc, goesOn, stays);
  }
  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(stays);
  state.addTypes(builder.getI1Type());
  Region *test = state.addRegion(), *stopped = state.addRegion();
  Block *body = &test->emplaceBlock();
  body->getOperations().splice(body->end(), head->getOperations());
  builder.setInsertionPointToEnd(body);
  scf::YieldOp::create(builder, loc, goesOn);
  builder.setInsertionPointToStart(&stopped->emplaceBlock());
  mlir::Value no = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  scf::YieldOp::create(builder, loc, no);
  builder.setInsertionPointToEnd(head);
  return builder.create(state)->getResult(0);
}

ValueRange Generator::buildExitingLoop(std::unique_ptr<Region> head, mlir::Value goesOn,
                                       std::unique_ptr<Region> body,
                                       llvm::SmallVectorImpl<mlir::Value> &inits,
                                       llvm::SmallVectorImpl<mlir::Value> &yields,
                                       const LoopExits &exits) {
  Block *test = &head->front(), *statements = &body->front();
  // Past the carried values: whether the function returns, and what. The flag that stops the loop
  // comes last; only the test sees it.
  size_t carried = inits.size();
  mlir::Value no = constant(Scalar::I1, Value::boolean(false)).getSSA();
  if (exits.returned) {
    inits.push_back(no);
    yields.push_back(exits.returned);
    flattenValue(makeUnused(exits.result, {}), inits);
    flattenValue(exits.result, yields);
  }
  llvm::SmallVector<Type> types(ValueRange(inits).getTypes());
  for (size_t i = carried; i < types.size(); ++i) {
    test->addArgument(types[i], loc());
    statements->addArgument(types[i], loc());
  }
  inits.push_back(no);
  yields.push_back(exits.stop);
  mlir::Value stopped = test->addArgument(builder.getI1Type(), loc());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(statements);
    scf::YieldOp::create(builder, loc(), yields);
    Block ahead;
    builder.setInsertionPointToStart(&ahead);
    mlir::Value yes = constant(Scalar::I1, Value::boolean(true)).getSSA();
    mlir::Value stays = arith::XOrIOp::create(builder, loc(), stopped, yes);
    if (goesOn)
      stays = guardCondition(builder, loc(), test, goesOn, stays);
    test->getOperations().splice(test->begin(), ahead.getOperations());
    builder.setInsertionPointToEnd(test);
    scf::ConditionOp::create(builder, loc(), stays, test->getArguments().drop_back());
  }
  OperationState state(loc(), scf::WhileOp::getOperationName());
  state.addOperands(inits);
  state.addTypes(types);
  state.addRegion(std::move(head));
  state.addRegion(std::move(body));
  return builder.create(state)->getResults();
}

void Generator::bindExits(const LoopExits &exits, ValueRange results) {
  if (!exits.returned)
    return;
  llvm::SmallVector<mlir::Value> parts;
  flattenValue(exits.result, parts);
  results = results.take_back(parts.size() + 1);
  bind(kReturnFlag,
       exits.onlyReturns ? Value::boolean(true) : Value::tensor(results.front(), Scalar::I1), {});
  results = results.drop_front();
  bind(kResult, rebuildValue(exits.result, results), exits.resultRange);
}

void Generator::runWhile(const ast::WhileStmt *stmt) {
  llvm::SaveAndRestore<unsigned> loops(frame->loops, frame->loops + 1);
  for (unsigned i = 0; i < kMaxIterations; ++i) {
    if (!grow(stmt->range))
      return;
    Condition condition = emitCondition(stmt->condition);
    if (condition.kind == Condition::Kind::RunTime)
      error(stmt->condition->range) << "the condition of a loop that runs at compile time must "
                                       "be known then";
    if (condition.kind != Condition::Kind::Known || !condition.known)
      return;
    emitSequence(stmt->body, nullptr, End::Block);
    frame->scope.erase(kContinueFlag);
    if (getLeaving(frame->scope) != Leaving::Never) {
      if (!stmt->orelse.empty())
        bind(nameOfBreak(stmt), getFlag(frame->scope, kBreakFlag), stmt->range);
      frame->scope.erase(kBreakFlag);
      return;
    }
  }
  error(stmt->condition->range) << "the loop takes more than " << kMaxIterations
                                << " iterations at compile time";
}

void Generator::emitWhile(const ast::WhileStmt *stmt) {
  if (!stmt->orelse.empty())
    bind(nameOfBreak(stmt), Value::boolean(false), stmt->range);
  if (frame->isConstexpr)
    return runWhile(stmt);

  llvm::SmallVector<Carried> carried;
  collectCarried(stmt->body, "", carried);
  if (!stmt->orelse.empty() && containsBreak(stmt->body))
    carryBreak(stmt, carried);
  llvm::SmallVector<mlir::Value> inits;
  for (const Carried &variable : carried)
    flattenValue(variable.init, inits);
  llvm::SmallVector<Type> types(ValueRange(inits).getTypes());
  llvm::SmallVector<Location> locations(types.size(), loc());

  Scope outer = frame->scope;
  auto before = std::make_unique<Region>(), after = std::make_unique<Region>();
  Condition condition;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = &before->emplaceBlock();
    block->addArguments(types, locations);
    builder.setInsertionPointToStart(block);
    rebind(carried, block->getArguments());
    condition = emitCondition(stmt->condition);
  }
  bool isEndless = condition.kind == Condition::Kind::Known && condition.known;
  if (condition.kind != Condition::Kind::RunTime && !isEndless) {
    frame->scope = std::move(outer);
    if (condition.kind == Condition::Kind::Poison)
      poisonAssigned(stmt->body, stmt->range);
    return;
  }
  llvm::SmallVector<mlir::Value> yields;
  LoopExits exits;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = &after->emplaceBlock();
    block->addArguments(types, locations);
    builder.setInsertionPointToStart(block);
    rebind(carried, block->getArguments());
    llvm::SaveAndRestore<unsigned> loops(frame->loops, frame->loops + 1);
    llvm::SaveAndRestore<const Scope *> beforeLoop(frame->beforeLoop, &outer);
    emitSequence(stmt->body, nullptr, End::Loop);
    Value broken = getFlag(frame->scope, kBreakFlag);
    noteBreak(stmt, carried);
    exits = takeExits();
    exits.onlyReturns = isEndless && !broken.isTensor() && !broken.isTruthy();
    collectYields(carried, block->getArguments(), yields);
    if (!exits.stop)
      scf::YieldOp::create(builder, loc(), yields);
  }
  if (exits.stop) {
    ValueRange results = buildExitingLoop(std::move(before), isEndless ? nullptr : condition.value,
                                          std::move(after), inits, yields, exits);
    leaveLoop(std::move(outer), carried, "", results);
    return bindExits(exits, results);
  }
  if (isEndless) {
    frame->scope = std::move(outer);
    error(stmt->condition->range)
        << "the condition of this loop is always true, and no 'break' or 'return' ends it";
    return poisonAssigned(stmt->body, stmt->range);
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&before->front());
    scf::ConditionOp::create(builder, loc(), condition.value, before->getArguments());
  }
  OperationState state(loc(), scf::WhileOp::getOperationName());
  state.addOperands(inits);
  state.addTypes(types);
  state.addRegion(std::move(before));
  state.addRegion(std::move(after));
  Operation *op = builder.create(state);
  leaveLoop(std::move(outer), carried, "", op->getResults());
}

} // namespace tilec::frontend
