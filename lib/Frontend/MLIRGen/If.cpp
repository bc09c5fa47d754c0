// `if` on run-time conditions, and how the values of two branches become one.
#include "lib/Frontend/MLIRGen/Flow.h"
#include "lib/Frontend/MLIRGen/Loop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilec::frontend {

bool Generator::unify(Value &lhs, Value &rhs, Block *lhsBlock, Block *rhsBlock) {
  if (lhs.isAggregate() && rhs.isAggregate()) {
    if (lhs.getKind() != rhs.getKind() || lhs.getType() != rhs.getType() ||
        lhs.padsWithNaN() != rhs.padsWithNaN() || lhs.getScope() != rhs.getScope() ||
        lhs.getText() != rhs.getText() || lhs.getElements().size() != rhs.getElements().size())
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

/// A value of the same type for a path on which it is not used.
Value Generator::makeUnused(const Value &like, SourceRange range) {
  if (like.isTensor()) {
    DType type = like.getDType();
    llvm::ArrayRef<int64_t> shape = like.getType().shape;
    if (type.isPointer())
      return castTo(constant(Scalar::I64, Value::integer(0), shape), type, range);
    return constant(type, Value::integer(0), shape);
  }
  if (!like.isAggregate())
    return like;
  std::vector<Value> elements;
  for (const Value &element : like.getElements())
    elements.push_back(makeUnused(element, range));
  return like.withElements(std::move(elements));
}

bool Generator::isUsedAfter(const Branch &branch, llvm::StringRef name) {
  if (branch.leaving() != Leaving::Always)
    return true;
  // No name is looked at after `return`; after `break` and `continue` those are that the loop
  // carries, or that an unrolled loop leaves.
  if (Value returned = getFlag(branch.scope, kReturnFlag); !returned.isTensor())
    if (returned.isTruthy())
      return false;
  const Scope &outer = frame->beforeLoop ? *frame->beforeLoop : frame->scope;
  auto found = outer.find(name);
  return found != outer.end() && found->second.state == Binding::State::Bound;
}

bool Generator::mergeResult(Branch (&branches)[2], End end, Value (&values)[2]) {
  bool has[2];
  SourceRange ranges[2];
  for (int i = 0; i < 2; ++i) {
    auto found = branches[i].scope.find(kResult);
    has[i] = found != branches[i].scope.end();
    values[i] = has[i] ? found->second.value : Value::none();
    ranges[i] = has[i] ? found->second.range : SourceRange();
  }
  frame->scope.erase(kResult);
  if (!has[0] && !has[1])
    return false;
  bind(kResult, Value(), has[0] ? ranges[0] : ranges[1]);
  if (values[0].isPoison() || values[1].isPoison())
    return false;
  Block *blocks[2] = {&branches[0].region->front(), &branches[1].region->front()};
  for (int i = 0; i < 2; ++i)
    if (!has[i] && !values[1 - i].isNone()) {
      if (end == End::Function)
        warnOfNoResult(values[1 - i], ranges[1 - i]);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(blocks[i]);
      values[i] = makeUnused(values[1 - i], ranges[1 - i]);
    }
  Value before[2] = {values[0], values[1]};
  if (unify(values[0], values[1], blocks[0], blocks[1]))
    return true;
  (error(ranges[1]) << "'" << frame->function->name << "' returns " << before[1].describe()
                    << " here, but " << before[0].describe()
                    << " elsewhere; all returns must have the same type")
          .note(ranges[0])
      << "the other return is here";
  return false;
}

void Generator::mergeBranches(mlir::Value condition, Branch (&branches)[2],
                              llvm::ArrayRef<llvm::StringRef> names, End end) {
  Block *blocks[2] = {&branches[0].region->front(), &branches[1].region->front()};
  llvm::SmallVector<llvm::StringRef> merged;
  llvm::SmallVector<Value> values[2];
  auto merge = [&](llvm::StringRef name, const Value &a, const Value &b) {
    bool unchanged = a.isTensor() || a.isAggregate() ? a.isSame(b) : true;
    frame->scope[name].value = a;
    if (unchanged)
      return;
    merged.push_back(name);
    values[0].push_back(a);
    values[1].push_back(b);
  };

  // The flags, as far as what comes next looks at them.
  for (llvm::StringRef flag : {kBreakFlag, kContinueFlag, kReturnFlag}) {
    Value a = getFlag(branches[0].scope, flag), b = getFlag(branches[1].scope, flag);
    bool isSet = a.isTensor() || b.isTensor() || a.isTruthy() || b.isTruthy();
    bool isOver = end == End::Function || (end == End::Loop && flag == kContinueFlag);
    frame->scope.erase(flag);
    if (isSet && !isOver && unify(a, b, blocks[0], blocks[1]))
      merge(flag, a, b);
    else if (isSet && end == End::Function)
      bind(flag, Value::boolean(true), {});
  }
  if (Value results[2]; mergeResult(branches, end, results))
    merge(kResult, results[0], results[1]);

  // What both branches leave bound is a result; what only one sets is undefined after it [R35].
  for (llvm::StringRef name : end == End::Function ? llvm::ArrayRef<llvm::StringRef>() : names) {
    Binding bindings[2];
    bool has[2], isUsed[2];
    for (int i = 0; i < 2; ++i) {
      auto found = branches[i].scope.find(name);
      has[i] = found != branches[i].scope.end() && found->second.state == Binding::State::Bound;
      if (found != branches[i].scope.end())
        bindings[i] = found->second;
      isUsed[i] = isUsedAfter(branches[i], name);
    }
    if ((!has[0] && !has[1]) || (!isUsed[0] && !isUsed[1]))
      continue;
    if (end == End::Loop) {
      auto outer = frame->beforeLoop->find(name);
      if (outer == frame->beforeLoop->end() || outer->second.state != Binding::State::Bound) {
        frame->scope[name] =
            Binding{Value(), bindings[has[0] ? 0 : 1].range, Binding::State::LoopOnly};
        continue;
      }
    }
    for (int i = 0; i < 2; ++i) {
      const Value &other = bindings[1 - i].value;
      if (isUsed[i] || !has[1 - i] || other.isPoison())
        continue;
      // A path on which the value is not used has any value of the type.
      if (has[i] && bindings[i].value.isTensor() && other.isTensor() &&
          bindings[i].value.getType() == other.getType())
        continue;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(blocks[i]);
      bindings[i] = bindings[1 - i];
      bindings[i].value = makeUnused(other, bindings[i].range);
      has[i] = true;
    }
    if (has[0] != has[1]) {
      Binding binding = has[0] ? bindings[0] : bindings[1];
      binding.state = Binding::State::OneBranch;
      binding.value = Value();
      frame->scope[name] = binding;
      continue;
    }
    Value a = bindings[0].value, b = bindings[1].value;
    if (a.isPoison() || b.isPoison()) {
      bind(name, Value(), bindings[0].range);
      continue;
    }
    if (!unify(a, b, blocks[0], blocks[1])) {
      // Point at the assignment inside the branch, or at the second of the two.
      bool rightIsOuter = frame->scope.count(name) && frame->scope[name].range == bindings[1].range;
      const Binding &here = bindings[rightIsOuter ? 0 : 1];
      const Binding &there = bindings[rightIsOuter ? 1 : 0];
      (error(here.range) << "'" << name << "' is " << here.value.describe()
                         << " here, but the other branch leaves it as " << there.value.describe())
              .note(there.range)
          << "the other value is set here";
      bind(name, Value(), here.range);
      continue;
    }
    frame->scope[name] = bindings[0];
    merge(name, a, b);
  }
  llvm::SmallVector<Value> results;
  finishIf(condition, std::move(branches[0].region), std::move(branches[1].region), values[0],
           values[1], results);
  for (auto [name, value] : llvm::zip(merged, results))
    frame->scope[name].value = value;
}

} // namespace tilec::frontend
