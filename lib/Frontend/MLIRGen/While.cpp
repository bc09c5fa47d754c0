// `while` loops.
#include "lib/Frontend/MLIRGen/Loop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilec::frontend {

/// Most iterations of a loop that runs at compile time.
static constexpr unsigned kMaxIterations = 100000;

void Generator::emitWhile(const ast::WhileStmt *stmt) {
  if (!stmt->orelse.empty()) {
    error(stmt->orelse.front()->range) << "'else' of a loop is not supported";
    return;
  }
  if (frame->isConstexpr) {
    for (unsigned i = 0; i < kMaxIterations; ++i) {
      Condition condition = emitCondition(stmt->condition);
      if (condition.kind != Condition::Kind::Known || !condition.known)
        return;
      emitBlock(stmt->body);
    }
    error(stmt->condition->range) << "the loop takes more than " << kMaxIterations
                                  << " iterations at compile time";
    return;
  }

  llvm::SmallVector<Carried> carried;
  collectCarried(stmt->body, "", carried);
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
    if (condition.kind == Condition::Kind::RunTime)
      scf::ConditionOp::create(builder, loc(), condition.value, block->getArguments());
  }
  if (condition.kind != Condition::Kind::RunTime) {
    frame->scope = std::move(outer);
    if (condition.kind == Condition::Kind::Known && condition.known)
      error(stmt->condition->range) << "the condition of this loop is always true, and 'break' "
                                       "is not supported";
    if (condition.kind == Condition::Kind::Poison || condition.known)
      poisonAssigned(stmt->body);
    return;
  }
  llvm::SmallVector<mlir::Value> yields;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = &after->emplaceBlock();
    block->addArguments(types, locations);
    builder.setInsertionPointToStart(block);
    rebind(carried, block->getArguments());
    ++frame->loops;
    emitBlock(stmt->body);
    --frame->loops;
    collectYields(carried, block->getArguments(), yields);
    scf::YieldOp::create(builder, loc(), yields);
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
