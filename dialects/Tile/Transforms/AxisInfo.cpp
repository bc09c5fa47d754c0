// Axis analysis: one forward walk, loops to a fixed point. After Triton's analysis of the same
// name, with divisibility stated for the starts of runs of any length.
#include "dialects/Tile/Transforms/AxisInfo.h"

#include "dialects/Tile/IR/Tile.h"
#include "dialects/Tile/Transforms/AxisTransfer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tilec::tile;

static SmallVector<int64_t, 4> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return SmallVector<int64_t, 4>(tensor.getShape());
  return {1};
}

static int64_t elementBytes(Type type) {
  if (auto ptr = dyn_cast<PtrType>(elementTypeOf(type)))
    return storageBits(ptr.getPointeeType()) / 8;
  return 1;
}

AxisInfo AxisInfo::unknown(unsigned rank) {
  AxisInfo info;
  info.contiguity.assign(rank, 1);
  info.divisibility.assign(rank, 1);
  info.constancy.assign(rank, 1);
  return info;
}

bool AxisInfo::operator==(const AxisInfo &other) const {
  return contiguity == other.contiguity && divisibility == other.divisibility &&
         constancy == other.constancy && constant == other.constant;
}

int64_t AxisInfo::divisibilityAt(unsigned dim, int64_t run, int64_t unit) const {
  if (contiguity[dim] <= run)
    return divisibility[dim];
  return std::min(divisibility[dim], powerOfTwoFactor(product(run, unit)));
}

AxisInfo AxisInfo::meet(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo info = unknown(a.rank());
  for (unsigned d = 0; d < a.rank(); ++d) {
    info.contiguity[d] = std::min(a.contiguity[d], b.contiguity[d]);
    // Conservative for pointers too, whose runs step by at least one byte.
    info.divisibility[d] =
        std::min(a.divisibilityAt(d, info.contiguity[d]), b.divisibilityAt(d, info.contiguity[d]));
    info.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }
  if (a.constant == b.constant)
    info.constant = a.constant;
  return info;
}

/// A factor of every element, whatever its position.
static int64_t divisorOfAll(const AxisInfo &info) {
  if (info.constant)
    return powerOfTwoFactor(*info.constant);
  int64_t best = 1;
  for (unsigned d = 0; d < info.rank(); ++d)
    best = std::max(best, info.divisibilityAt(d, 1));
  return best;
}

static AxisInfo constantInfo(int64_t value, ArrayRef<int64_t> shape) {
  AxisInfo info = AxisInfo::unknown(shape.size());
  for (unsigned d = 0; d < shape.size(); ++d) {
    info.divisibility[d] = powerOfTwoFactor(value);
    info.constancy[d] = shape[d];
  }
  info.constant = value;
  return info;
}

static AxisInfo shapeInfo(Operation &op, const AxisInfo &source) {
  SmallVector<int64_t, 4> shape = shapeOf(op.getResult(0).getType());
  AxisInfo info = AxisInfo::unknown(shape.size());
  int64_t everywhere = divisorOfAll(source);
  if (isa<SplatOp>(op)) {
    info.divisibility.assign(shape.size(), source.divisibility[0]);
    info.constancy = shape;
  } else if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    info = source;
    unsigned axis = expand.getAxis();
    info.contiguity.insert(info.contiguity.begin() + axis, 1);
    info.divisibility.insert(info.divisibility.begin() + axis, everywhere);
    info.constancy.insert(info.constancy.begin() + axis, 1);
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    info = source;
    SmallVector<int64_t, 4> from = shapeOf(broadcast.getSource().getType());
    for (unsigned d = 0; d < shape.size(); ++d)
      if (from[d] != shape[d])
        info.constancy[d] = shape[d];
  } else if (auto trans = dyn_cast<TransOp>(op)) {
    for (auto [d, from] : llvm::enumerate(trans.getOrder())) {
      info.contiguity[d] = source.contiguity[from];
      info.divisibility[d] = source.divisibility[from];
      info.constancy[d] = source.constancy[from];
    }
  } else { // reshape: runs along the innermost dimension stay as long as the new one lets them
    auto innermost = [](ArrayRef<int64_t> extents) {
      unsigned dim = extents.size() - 1;
      while (dim > 0 && extents[dim] == 1)
        --dim;
      return dim;
    };
    unsigned from = innermost(shapeOf(op.getOperand(0).getType())), to = innermost(shape);
    info.divisibility.assign(shape.size(), everywhere);
    info.contiguity[to] = std::min(source.contiguity[from], shape[to]);
    info.constancy[to] = std::min(source.constancy[from], shape[to]);
    int64_t unit = elementBytes(op.getResult(0).getType());
    info.divisibility[to] =
        std::max(everywhere, source.divisibilityAt(from, info.contiguity[to], unit));
  }
  info.constant = source.constant;
  return info;
}

static AxisInfo hintInfo(HintOp hint, AxisInfo info) {
  auto raise = [](SmallVectorImpl<int64_t> &values, ArrayRef<int64_t> promised) {
    for (auto [value, promise] : llvm::zip(values, promised))
      value = std::max(value, powerOfTwoFactor(promise));
  };
  raise(info.contiguity, hint.getContiguity());
  raise(info.divisibility, hint.getDivisibility());
  raise(info.constancy, hint.getConstancy());
  // A promise about more elements than there are says nothing of those that a broadcast adds.
  for (auto [d, extent] : llvm::enumerate(shapeOf(hint.getType()))) {
    info.contiguity[d] = std::min(info.contiguity[d], extent);
    info.constancy[d] = std::min(info.constancy[d], extent);
  }
  return info;
}

bool AxisInfoAnalysis::isNonNegative(Value value) {
  if (!ranges)
    ranges.emplace(function);
  return ranges->isNonNegative(value);
}

AxisInfoAnalysis::AxisInfoAnalysis(func::FuncOp function) : function(function) {
  for (BlockArgument argument : function.getArguments()) {
    AxisInfo info = AxisInfo::unknown(shapeOf(argument.getType()).size());
    if (auto attr =
            function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kDivisibilityAttr))
      info.divisibility[0] = powerOfTwoFactor(attr.getInt());
    infos[argument] = info;
  }
  for (Block &block : function.getBody())
    visitBlock(block);
}

AxisInfo AxisInfoAnalysis::get(Value value) const {
  auto it = infos.find(value);
  return it != infos.end() ? it->second : AxisInfo::unknown(shapeOf(value.getType()).size());
}

bool AxisInfoAnalysis::update(Value value, const AxisInfo &info) {
  auto [it, inserted] = infos.try_emplace(value, info);
  if (inserted || it->second == info)
    return inserted;
  it->second = info;
  return true;
}

void AxisInfoAnalysis::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(op);
}

void AxisInfoAnalysis::visit(Operation &op) {
  // Loops: start from the initial values and lower until the body agrees. An inner loop that is
  // visited again goes on from where it was, or a nest would take time exponential in its depth.
  auto enter = [&](Value argument, Value init) {
    auto [it, inserted] = infos.try_emplace(argument, get(init));
    if (!inserted)
      it->second = AxisInfo::meet(it->second, get(init));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    AxisInfo lower = get(loop.getLowerBound()), step = get(loop.getStep());
    AxisInfo induction = AxisInfo::unknown(1);
    induction.divisibility[0] = std::min(divisorOfAll(lower), divisorOfAll(step));
    infos[loop.getInductionVar()] = induction;
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      enter(argument, init);
    for (bool changed = true; changed;) {
      changed = false;
      visitBlock(*loop.getBody());
      for (auto [argument, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
        changed |= update(argument, AxisInfo::meet(get(argument), get(yielded)));
    }
    for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
      infos[result] = get(argument);
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      enter(argument, init);
    for (bool changed = true; changed;) {
      changed = false;
      visitBlock(*loop.getBeforeBody());
      for (auto [argument, passed] :
           llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
        infos[argument] = get(passed);
      visitBlock(*loop.getAfterBody());
      for (auto [argument, yielded] :
           llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getResults()))
        changed |= update(argument, AxisInfo::meet(get(argument), get(yielded)));
    }
    for (auto [result, passed] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs()))
      infos[result] = get(passed);
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    visitBlock(*branch.thenBlock());
    if (!branch.elseBlock())
      return;
    visitBlock(*branch.elseBlock());
    for (auto [result, a, b] : llvm::zip(branch.getResults(), branch.thenYield().getResults(),
                                         branch.elseYield().getResults()))
      infos[result] = AxisInfo::meet(get(a), get(b));
    return;
  }
  if (op.getNumResults() != 1)
    return;
  Type type = op.getResult(0).getType(), element = elementTypeOf(type);
  if (!element.isIntOrIndex() && !isa<PtrType>(element))
    return;

  Transfer transfer{shapeOf(type), elementBytes(type)};
  auto operand = [&](unsigned i) { return get(op.getOperand(i)); };
  AxisInfo info =
      llvm::TypeSwitch<Operation *, AxisInfo>(&op)
          .Case<arith::ConstantOp>([&](arith::ConstantOp constant) {
            Attribute value = constant.getValue();
            if (auto splat = dyn_cast<SplatElementsAttr>(value))
              value = splat.getSplatValue<Attribute>();
            if (auto integer = dyn_cast<IntegerAttr>(value))
              return constantInfo(integer.getValue().getSExtValue(), transfer.shape);
            return transfer.start();
          })
          .Case<ArangeOp>([&](ArangeOp range) {
            AxisInfo result = transfer.start();
            result.contiguity[0] = transfer.shape[0];
            result.divisibility[0] = powerOfTwoFactor(static_cast<int32_t>(range.getStart()));
            return result;
          })
          .Case<SplatOp, ExpandDimsOp, BroadcastOp, TransOp, ReshapeOp>(
              [&](Operation *shape) { return shapeInfo(*shape, operand(0)); })
          .Case<HintOp>([&](HintOp hint) { return hintInfo(hint, operand(0)); })
          .Case<AddPtrOp>([&](Operation *) {
            return transfer.add(operand(0), operand(1), transfer.unit, false);
          })
          .Case<arith::AddIOp>(
              [&](Operation *) { return transfer.add(operand(0), operand(1), 1, false); })
          .Case<arith::SubIOp>(
              [&](Operation *) { return transfer.add(operand(0), operand(1), 1, true); })
          .Case<arith::MulIOp>([&](Operation *) { return transfer.mul(operand(0), operand(1)); })
          .Case<arith::DivSIOp, arith::DivUIOp>([&](Operation *div) {
            return transfer.div(operand(0), operand(1),
                                isa<arith::DivUIOp>(div) || isNonNegative(div->getOperand(0)));
          })
          .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *rem) {
            return transfer.rem(operand(0), operand(1),
                                isa<arith::RemUIOp>(rem) || isNonNegative(rem->getOperand(0)));
          })
          .Case<arith::ShRSIOp, arith::ShRUIOp>([&](Operation *) {
            AxisInfo by = operand(1);
            if (!by.constant || *by.constant < 0 || *by.constant > 40)
              return transfer.opaque({operand(0), by});
            return transfer.div(operand(0),
                                constantInfo(int64_t(1) << *by.constant, transfer.shape), true);
          })
          .Case<arith::AndIOp>([&](Operation *) {
            // A mask of low bits takes the remainder of a power of two.
            AxisInfo value = operand(0), bits = operand(1);
            if (!bits.constant || *bits.constant < 0 || !llvm::isPowerOf2_64(*bits.constant + 1))
              return transfer.opaque({value, bits});
            return transfer.rem(value, constantInfo(*bits.constant + 1, transfer.shape), true);
          })
          .Case<arith::ShLIOp>([&](Operation *) {
            AxisInfo by = operand(1);
            if (!by.constant || *by.constant < 0 || *by.constant > 40)
              return transfer.opaque({operand(0), by});
            return transfer.mul(operand(0),
                                constantInfo(int64_t(1) << *by.constant, transfer.shape));
          })
          .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
            using P = arith::CmpIPredicate;
            P p = compare.getPredicate();
            return transfer.compare(operand(0), operand(1),
                                    p == P::slt || p == P::ult || p == P::sge || p == P::uge,
                                    p == P::sgt || p == P::ugt || p == P::sle || p == P::ule);
          })
          .Case<arith::SelectOp>([&](arith::SelectOp select) {
            AxisInfo condition = operand(0);
            bool isTensor = isa<RankedTensorType>(select.getCondition().getType());
            return transfer.select(isTensor ? &condition : nullptr, operand(1), operand(2));
          })
          .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(
              [&](Operation *cast) {
                AxisInfo result = operand(0);
                if (isa<arith::TruncIOp, arith::ExtUIOp>(cast))
                  result.constant.reset();
                // Half of what fits counts up without wrapping in either signedness.
                if (isa<arith::TruncIOp>(cast))
                  for (unsigned d = 0; d < result.rank(); ++d) {
                    int64_t run = std::min(result.contiguity[d],
                                           int64_t(1) << (element.getIntOrFloatBitWidth() - 1));
                    result.divisibility[d] = result.divisibilityAt(d, run);
                    result.contiguity[d] = run;
                  }
                return result;
              })
          .Default([&](Operation *) {
            if (op.hasTrait<SameValue>())
              return operand(0);
            // Inline PTX may tell the elements of a group apart, or the threads.
            bool isFunction = op.hasTrait<OpTrait::Elementwise>() && !isa<InlineAsmOp>(op);
            if (!isFunction && !isa<LoadOp>(op))
              return transfer.start();
            SmallVector<AxisInfo> operands;
            for (Value value : op.getOperands())
              operands.push_back(get(value));
            return transfer.opaque(operands);
          });
  if (info.constant && element.isInteger() && element.getIntOrFloatBitWidth() < 64)
    info.constant = llvm::SignExtend64(*info.constant, element.getIntOrFloatBitWidth());
  infos[op.getResult(0)] = info;
}

unsigned AxisInfoAnalysis::vectorElements(Value pointer, unsigned dim) const {
  AxisInfo info = get(pointer);
  int64_t bytes = elementBytes(pointer.getType());
  int64_t elements = std::min(info.contiguity[dim], info.divisibility[dim] / bytes);
  return std::max<int64_t>(1, std::min<int64_t>(elements, 16 / bytes));
}

int64_t AxisInfoAnalysis::maskConstancy(Value mask, unsigned dim) const {
  if (!mask)
    return kMaxDivisibility;
  return get(mask).constancy[dim];
}
