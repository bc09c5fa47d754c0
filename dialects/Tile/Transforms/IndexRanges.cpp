// Proven bounds of integers: one forward walk that asks upstream's range inference for each
// arithmetic operation. What a loop carries has the bounds of its type inside the loop.
#include "dialects/Tile/Transforms/IndexRanges.h"

#include "dialects/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec::tile;

static unsigned widthOf(Value value) {
  return ConstantIntRanges::getStorageBitwidth(elementTypeOf(value.getType()));
}

static ConstantIntRanges signedRange(unsigned width, int64_t low, int64_t high) {
  return ConstantIntRanges::fromSigned(APInt(width, low, /*isSigned=*/true),
                                       APInt(width, high, /*isSigned=*/true));
}

IndexRanges::IndexRanges(func::FuncOp function) {
  function.walk(
      [&](AssumeOp assume) { collectPromises(assume.getCondition(), *assume->getBlock()); });
  for (Block &block : function.getBody()) {
    for (BlockArgument argument : block.getArguments())
      set(argument, get(argument));
    visitBlock(block);
  }
}

ConstantIntRanges IndexRanges::get(Value value) const {
  auto it = ranges.find(value);
  return it != ranges.end() ? it->second : ConstantIntRanges::maxRange(widthOf(value));
}

bool IndexRanges::isNonNegative(Value value) const {
  return widthOf(value) > 0 && get(value).smin().isNonNegative();
}

void IndexRanges::set(Value value, const ConstantIntRanges &range) {
  unsigned width = widthOf(value);
  if (width == 0)
    return;
  auto promise = promises.find(value);
  ConstantIntRanges bounds =
      promise == promises.end() ? range : range.intersection(promise->second);
  // Promises that contradict what is known: the program does not come there.
  if (bounds.smin().sgt(bounds.smax()) || bounds.umin().ugt(bounds.umax()))
    bounds = range;
  ranges.insert_or_assign(value, bounds);
}

ConstantIntRanges IndexRanges::unionOf(Value a, Value b) const { return get(a).rangeUnion(get(b)); }

/// The predicate that holds with the sides exchanged.
static arith::CmpIPredicate exchanged(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sgt;
  case P::sgt:
    return P::slt;
  case P::sle:
    return P::sge;
  case P::sge:
    return P::sle;
  case P::ult:
    return P::ugt;
  case P::ugt:
    return P::ult;
  case P::ule:
    return P::uge;
  case P::uge:
    return P::ule;
  case P::eq:
  case P::ne:
    return predicate;
  }
  return predicate;
}

/// A promise bounds a value of its own block: whoever comes by one comes by the other.
void IndexRanges::collectPromises(Value condition, Block &block) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    collectPromises(both.getLhs(), block);
    collectPromises(both.getRhs(), block);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs().getType().isIndex())
    return;
  auto bound = [&](Value value, arith::CmpIPredicate predicate, const APInt &limit) {
    if (value.getParentBlock() != &block)
      return;
    using P = arith::CmpIPredicate;
    unsigned width = limit.getBitWidth();
    APInt smin = APInt::getSignedMinValue(width), smax = APInt::getSignedMaxValue(width);
    APInt umin = APInt::getZero(width), umax = APInt::getMaxValue(width);
    ConstantIntRanges range = ConstantIntRanges::maxRange(width);
    if (predicate == P::eq)
      range = ConstantIntRanges::constant(limit);
    else if (predicate == P::sge)
      range = ConstantIntRanges::fromSigned(limit, smax);
    else if (predicate == P::sgt && limit != smax)
      range = ConstantIntRanges::fromSigned(limit + 1, smax);
    else if (predicate == P::sle)
      range = ConstantIntRanges::fromSigned(smin, limit);
    else if (predicate == P::slt && limit != smin)
      range = ConstantIntRanges::fromSigned(smin, limit - 1);
    else if (predicate == P::uge)
      range = ConstantIntRanges::fromUnsigned(limit, umax);
    else if (predicate == P::ugt && limit != umax)
      range = ConstantIntRanges::fromUnsigned(limit + 1, umax);
    else if (predicate == P::ule)
      range = ConstantIntRanges::fromUnsigned(umin, limit);
    else if (predicate == P::ult && limit != umin)
      range = ConstantIntRanges::fromUnsigned(umin, limit - 1);
    auto [it, inserted] = promises.try_emplace(value, range);
    if (!inserted)
      it->second = it->second.intersection(range);
  };
  APInt limit;
  if (matchPattern(compare.getRhs(), m_ConstantInt(&limit)))
    bound(compare.getLhs(), compare.getPredicate(), limit);
  else if (matchPattern(compare.getLhs(), m_ConstantInt(&limit)))
    bound(compare.getRhs(), exchanged(compare.getPredicate()), limit);
}

void IndexRanges::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(op);
}

void IndexRanges::visitArith(Operation &op) {
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op.getOperands())
    operands.push_back(get(operand));
  ConstantIntRanges range = get(op.getResult(0));
  if (auto inferrable = dyn_cast<InferIntRangeInterface>(op))
    inferrable.inferResultRanges(
        operands, [&](Value, const ConstantIntRanges &inferred) { range = inferred; });
  // What holds whatever the divisor is, 0 included (x // 0 is x, x % 0 is 0).
  unsigned width = widthOf(op.getResult(0));
  auto upTo = [&](const APInt &limit) {
    range = range.intersection(ConstantIntRanges::fromUnsigned(APInt::getZero(width), limit));
  };
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    upTo(operands[0].umax());
  else if ((isa<arith::RemSIOp>(op) && operands[0].smin().isNonNegative()) ||
           (isa<arith::DivSIOp>(op) && operands[0].smin().isNonNegative() &&
            operands[1].smin().isNonNegative()))
    upTo(operands[0].smax());
  set(op.getResult(0), range);
}

void IndexRanges::visit(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    ConstantIntRanges lower = get(loop.getLowerBound()), upper = get(loop.getUpperBound());
    if (!loop.getUnsignedCmp() && lower.smin().slt(upper.smax()))
      set(loop.getInductionVar(), ConstantIntRanges::fromSigned(lower.smin(), upper.smax() - 1));
    else if (loop.getUnsignedCmp() && lower.umin().ult(upper.umax()))
      set(loop.getInductionVar(), ConstantIntRanges::fromUnsigned(lower.umin(), upper.umax() - 1));
    for (Value argument : loop.getRegionIterArgs())
      set(argument, get(argument));
    visitBlock(*loop.getBody());
    for (auto [result, init, yielded] :
         llvm::zip(loop.getResults(), loop.getInitArgs(), loop.getYieldedValues()))
      set(result, unionOf(init, yielded));
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (Value argument : loop.getBeforeArguments())
      set(argument, get(argument));
    visitBlock(*loop.getBeforeBody());
    for (auto [argument, result, passed] :
         llvm::zip(loop.getAfterArguments(), loop.getResults(), loop.getConditionOp().getArgs())) {
      set(argument, get(passed));
      set(result, get(passed));
    }
    visitBlock(*loop.getAfterBody());
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    visitBlock(*branch.thenBlock());
    if (!branch.elseBlock())
      return;
    visitBlock(*branch.elseBlock());
    for (auto [result, a, b] : llvm::zip(branch.getResults(), branch.thenYield().getResults(),
                                         branch.elseYield().getResults()))
      set(result, unionOf(a, b));
    return;
  }
  if (op.getNumResults() != 1 || widthOf(op.getResult(0)) == 0)
    return;
  Value result = op.getResult(0);
  // The most that a launch takes: 2^31 - 1 programs along x, 65535 along y and z.
  auto most = [](uint32_t axis) { return axis == 0 ? INT32_MAX : 65535; };
  if (auto id = dyn_cast<ProgramIdOp>(op))
    set(result, signedRange(32, 0, most(id.getAxis()) - 1));
  else if (auto number = dyn_cast<NumProgramsOp>(op))
    set(result, signedRange(32, 1, most(number.getAxis())));
  else if (auto range = dyn_cast<ArangeOp>(op))
    set(result, signedRange(32, static_cast<int32_t>(range.getStart()),
                            static_cast<int32_t>(range.getEnd()) - int64_t(1)));
  else if (isa<SplatOp, ExpandDimsOp, BroadcastOp, TransOp, ReshapeOp>(op) ||
           op.hasTrait<SameValue>())
    set(result, get(op.getOperand(0)));
  else if (isa<arith::ArithDialect>(op.getDialect()))
    visitArith(op);
  else
    set(result, get(result));
}
