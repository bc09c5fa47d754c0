// `if` on run-time conditions, and how the values of two branches become one.
#include "lib/Frontend/MLIRGen/Loop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilec::frontend {

bool Generator::unify(Value &lhs, Value &rhs, Block *lhsBlock, Block *rhsBlock) {
  if (lhs.isAggregate() && rhs.isAggregate()) {
    if (lhs.getKind() != rhs.getKind() || lhs.getType() != rhs.getType() ||
        lhs.padsWithNaN() != rhs.padsWithNaN() ||
        lhs.getElements().size() != rhs.getElements().size())
      return false;
    std::vector<Value> left(lhs.getElements()), right(rhs.getElements());
    for (auto [a, b] : llvm::zip(left, right))
      if (!unify(a, b, lhsBlock, rhsBlock))
        return false;
    lhs = lhs.withElements(std::move(left));
    rhs = rhs.withElements(std::move(right));
    return true;
  }
  if (!lhs.isTensor() && !rhs.isTensor() && lhs.getKind() == rhs.getKind() && lhs.isSame(rhs))
    return true;
  // Numbers become run-time scalars in their branch.
  OpBuilder::InsertionGuard guard(builder);
  auto materialize = [&](Value &value, Block *block) {
    if (!value.isNumber())
      return;
    builder.setInsertionPointToEnd(block);
    value = toTensor(value, {});
  };
  if ((lhs.isTensor() || lhs.isNumber()) && (rhs.isTensor() || rhs.isNumber())) {
    materialize(lhs, lhsBlock);
    materialize(rhs, rhsBlock);
    return lhs.isTensor() && rhs.isTensor() && lhs.getType() == rhs.getType();
  }
  return false;
}

Value Generator::finishIf(mlir::Value condition, std::unique_ptr<Region> thenRegion,
                          std::unique_ptr<Region> elseRegion, llvm::ArrayRef<Value> thenValues,
                          llvm::ArrayRef<Value> elseValues, llvm::SmallVectorImpl<Value> &results) {
  OperationState state(loc(), scf::IfOp::getOperationName());
  state.addOperands(condition);
  auto close = [&](Region &region, llvm::ArrayRef<Value> values) {
    llvm::SmallVector<mlir::Value> yields;
    for (const Value &value : values)
      flattenValue(value, yields);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region.front());
    scf::YieldOp::create(builder, loc(), yields);
    return llvm::to_vector(ValueRange(yields).getTypes());
  };
  llvm::SmallVector<Type> types = close(*thenRegion, thenValues);
  close(*elseRegion, elseValues);
  state.addTypes(types);
  bool dropElse = types.empty() && elseRegion->front().without_terminator().empty();
  state.addRegion(std::move(thenRegion));
  state.addRegion(dropElse ? std::make_unique<Region>() : std::move(elseRegion));
  Operation *op = builder.create(state);
  ValueRange rest = op->getResults();
  for (const Value &value : thenValues)
    results.push_back(rebuildValue(value, rest));
  return results.empty() ? Value() : results.front();
}

void Generator::emitIf(const ast::IfStmt *stmt) {
  Condition condition = emitCondition(stmt->condition);
  if (condition.kind == Condition::Kind::Known)
    // Only the branch that is taken is looked at [R35].
    return emitBlock(condition.known ? stmt->body : stmt->orelse);
  llvm::SmallVector<llvm::StringRef> names;
  collectAssigned(stmt->body, names);
  collectAssigned(stmt->orelse, names);
  if (condition.kind == Condition::Kind::Poison) {
    for (llvm::StringRef name : names)
      bind(name, Value(), stmt->range);
    return;
  }

  Scope before = frame->scope, after[2];
  std::unique_ptr<Region> regions[2];
  ast::Block blocks[2] = {stmt->body, stmt->orelse};
  {
    OpBuilder::InsertionGuard guard(builder);
    for (int i = 0; i < 2; ++i) {
      regions[i] = std::make_unique<Region>();
      builder.setInsertionPointToStart(&regions[i]->emplaceBlock());
      frame->scope = before;
      emitBlock(blocks[i]);
      after[i] = std::move(frame->scope);
    }
  }
  frame->scope = std::move(before);

  // What both branches leave bound is a result; what only one sets is undefined after it [R35].
  llvm::SmallVector<llvm::StringRef> merged;
  llvm::SmallVector<Value> values[2];
  for (llvm::StringRef name : names) {
    auto left = after[0].find(name), right = after[1].find(name);
    bool hasLeft = left != after[0].end() && left->second.state == Binding::State::Bound;
    bool hasRight = right != after[1].end() && right->second.state == Binding::State::Bound;
    if (!hasLeft && !hasRight)
      continue;
    if (hasLeft != hasRight) {
      Binding binding = hasLeft ? left->second : right->second;
      binding.state = Binding::State::OneBranch;
      binding.value = Value();
      frame->scope[name] = binding;
      continue;
    }
    Value a = left->second.value, b = right->second.value;
    if (a.isPoison() || b.isPoison()) {
      bind(name, Value(), left->second.range);
      continue;
    }
    Value originalA = a, originalB = b;
    if (!unify(a, b, &regions[0]->front(), &regions[1]->front())) {
      // Point at the assignment inside the branch, or at the second of the two.
      bool rightIsOuter =
          frame->scope.count(name) && frame->scope[name].range == right->second.range;
      SourceRange here = rightIsOuter ? left->second.range : right->second.range;
      SourceRange there = rightIsOuter ? right->second.range : left->second.range;
      const Value &hereValue = rightIsOuter ? originalA : originalB;
      const Value &thereValue = rightIsOuter ? originalB : originalA;
      (error(here) << "'" << name << "' is " << hereValue.describe()
                   << " here, but the other branch leaves it as " << thereValue.describe())
              .note(there)
          << "the other value is set here";
      bind(name, Value(), here);
      continue;
    }
    bool unchanged = a.isTensor() || a.isAggregate() ? a.isSame(b) : true;
    frame->scope[name] = left->second;
    if (unchanged)
      continue;
    merged.push_back(name);
    values[0].push_back(a);
    values[1].push_back(b);
  }
  llvm::SmallVector<Value> results;
  finishIf(condition.value, std::move(regions[0]), std::move(regions[1]), values[0], values[1],
           results);
  for (auto [name, value] : llvm::zip(merged, results))
    frame->scope[name].value = value;
}

} // namespace tilec::frontend
