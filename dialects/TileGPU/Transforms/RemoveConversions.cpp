// Applies the layout assignment and recomputes cheap values instead of converting them.
#include "dialects/TileGPU/Transforms/LayoutAssignment.h"
#include "dialects/TileGPU/Transforms/Passes.h"

#include "lib/Layout/ConversionPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tilegpu-remove-conversions"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_REMOVECONVERSIONSPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Puts the assignment into the types, with a conversion wherever an operand has another layout.
static void apply(func::FuncOp function, const LayoutAssignment &assignment) {
  SmallVector<ConvertLayoutOp> stale;
  SmallVector<Operation *> operations;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto convert = dyn_cast<ConvertLayoutOp>(op))
      stale.push_back(convert);
    else
      operations.push_back(op);
  });
  // Accesses and products say the layouts they need in the types of operands: keep them before
  // types change.
  llvm::DenseMap<OpOperand *, LayoutAttr> fixed;
  for (Operation *op : operations)
    for (OpOperand &operand : op->getOpOperands())
      if (LayoutAttr layout = LayoutAssignment::fixedOperandLayout(operand))
        fixed[&operand] = layout;
  llvm::DenseMap<Value, LayoutAttr> chosen;
  auto choose = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      chosen[value] = assignment.get(value);
  };
  for (Operation *op : operations) {
    for (Value result : op->getResults())
      choose(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          choose(argument);
  }
  for (ConvertLayoutOp convert : stale)
    convert.getResult().replaceAllUsesWith(throughConversions(convert.getSource()));
  for (ConvertLayoutOp convert : llvm::reverse(stale))
    convert.erase();
  for (auto [value, layout] : chosen)
    setLayout(value, layout);

  auto lookup = [&](Value value) { return layoutOf(value.getType()); };
  for (Operation *op : operations) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto it = fixed.find(&operand);
      LayoutAttr required = it != fixed.end() ? it->second : requiredOperandLayout(operand, lookup);
      if (required)
        convertOperand(operand, required);
    }
    // Results whose layout follows from the operands' may have been promised another.
    if (isa<tile::ReduceOp, tile::ScanOp>(op) || isAccess(op)) {
      for (OpResult result : op->getResults())
        if (LayoutAttr inferred = inferredResultLayout(result, lookup))
          convertResult(result, inferred);
    }
  }
}

namespace {

/// Recomputes values in another layout where that costs less than converting them.
class Rematerializer {
public:
  explicit Rematerializer(MLIRContext *context) : builder(context) {}

  void run(func::FuncOp function) {
    SmallVector<ConvertLayoutOp> conversions;
    function.walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
    // Later conversions first: their sources may hold others.
    for (ConvertLayoutOp convert : llvm::reverse(conversions)) {
      LayoutAttr wanted = layoutOf(convert.getType());
      int64_t conversion = conversionCost(convert.getSource(), wanted);
      if (conversion == 0)
        continue;
      visited.clear();
      if (recomputeCost(convert.getSource(), wanted, conversion) >= conversion)
        continue;
      convert.getResult().replaceAllUsesWith(recompute(convert.getSource(), wanted));
      convert.erase();
    }
  }

private:
  static constexpr int64_t kNever = int64_t(1) << 40;

  /// Rough instructions a thread: a trip through shared memory is a store, a barrier and a load.
  int64_t conversionCost(Value value, LayoutAttr wanted) {
    auto type = cast<RankedTensorType>(value.getType());
    LayoutAttr from = layoutOf(type);
    if (from == wanted)
      return 0;
    unsigned bits = tile::storageBits(type.getElementType());
    ConversionPlan plan =
        planConversion(from.toLinear(type.getShape()), wanted.toLinear(type.getShape()), bits);
    int64_t registers = std::max(from.getNumRegisters(), wanted.getNumRegisters());
    switch (plan.kind) {
    case ConversionPlan::Kind::NoOp:
    case ConversionPlan::Kind::RegisterPermute:
      return 0;
    case ConversionPlan::Kind::WarpShuffle:
      return 4 * registers;
    case ConversionPlan::Kind::SharedMemory:
      return 8 * registers + 64;
    }
    return kNever;
  }

  /// Cost of one more computation of `value` in `wanted`, its operands included; at least `limit`
  /// if it exceeds it.
  int64_t recomputeCost(Value value, LayoutAttr wanted, int64_t limit) {
    if (layoutOf(value.getType()) == wanted || clones.count({value, wanted}) ||
        !visited.insert({value, wanted}).second)
      return 0;
    Operation *op = value.getDefiningOp();
    int64_t here = ownCost(op, wanted);
    if (here >= kNever || here >= limit)
      return conversionCost(value, wanted);
    int64_t total = here;
    for (OpOperand &operand : op->getOpOperands()) {
      LayoutAttr required = operandLayout(operand, wanted);
      if (!required)
        continue;
      if (conversionCost(operand.get(), required) == 0)
        continue;
      total += recomputeCost(operand.get(), required, limit - total);
      if (total >= limit)
        return limit;
    }
    return total;
  }

  int64_t ownCost(Operation *op, LayoutAttr wanted) {
    if (!op || op->getNumResults() != 1)
      return kNever;
    int64_t registers = wanted.getNumRegisters();
    if (isa<arith::ConstantOp, tile::SplatOp>(op))
      return 0;
    if (isa<tile::ArangeOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::HintOp>(op))
      return 1;
    if (isa<tile::TransOp, tile::ReshapeOp>(op))
      return 1;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      // Loading again is right only if this use takes the load over. A vector that many threads
      // need comes from the cache as fast as through shared memory, if threads keep their wide
      // accesses.
      LayoutAttr now = layoutOf(load.getType());
      auto type = dyn_cast<RankedTensorType>(load.getType());
      if (load.getIsVolatile() || !type || type.getRank() != 1 || !feedsOnlyConversion(load))
        return kNever;
      bool narrower = wanted.toLinear(type.getShape()).contiguousPerThread(0) <
                      now.toLinear(type.getShape()).contiguousPerThread(0);
      return narrower || registers > 4 * now.getNumRegisters() ? kNever : 2 * registers;
    }
    if (!op->hasTrait<OpTrait::Elementwise>() && !isa<tile::AddPtrOp>(op))
      return kNever;
    if (!isMemoryEffectFree(op))
      return kNever;
    bool expensive = isa<math::MathDialect>(op->getDialect()) ||
                     isa<ApproxOp, DivFullOp, arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
                         arith::RemSIOp, arith::RemUIOp>(op);
    return (expensive ? 16 : 1) * registers;
  }

  /// Everything computed from the load goes into one conversion, so that the load moves, not
  /// doubles.
  static bool feedsOnlyConversion(Value value) {
    while (value.hasOneUse()) {
      Operation *user = *value.user_begin();
      if (isa<ConvertLayoutOp>(user))
        return true;
      if (user->getNumResults() != 1 || user->getNumRegions())
        return false;
      value = user->getResult(0);
    }
    return false;
  }

  /// What an operand needs if the operation's result has `wanted`.
  LayoutAttr operandLayout(OpOperand &operand, LayoutAttr wanted) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      return {};
    if (isa<tile::LoadOp>(operand.getOwner()))
      return wanted;
    return requiredOperandLayout(operand, [&](Value) { return wanted; });
  }

  Value recompute(Value value, LayoutAttr wanted) {
    if (layoutOf(value.getType()) == wanted)
      return value;
    auto it = clones.find({value, wanted});
    if (it != clones.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    Value result;
    if (conversionCost(value, wanted) == 0 || ownCost(op, wanted) >= kNever) {
      builder.setInsertionPointAfterValue(value);
      result = ConvertLayoutOp::create(builder, value.getLoc(), withLayout(value.getType(), wanted),
                                       value);
    } else {
      IRMapping mapping;
      for (OpOperand &operand : op->getOpOperands())
        if (LayoutAttr required = operandLayout(operand, wanted))
          mapping.map(operand.get(), recompute(operand.get(), required));
      builder.setInsertionPoint(op);
      Operation *clone = builder.clone(*op, mapping);
      result = clone->getResult(0);
      setLayout(result, wanted);
    }
    return clones[{value, wanted}] = result;
  }

  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> clones;
  llvm::DenseSet<std::pair<Value, Attribute>> visited;
};

struct RemoveConversions : tilec::tilegpu::impl::RemoveConversionsPassBase<RemoveConversions> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto warps = function->getAttrOfType<IntegerAttr>(kNumWarpsAttr);
      if (!warps)
        continue;
      LayoutAssignment assignment(function, warps.getInt());
      apply(function, assignment);
      Rematerializer(&getContext()).run(function);
    }
  }
};

} // namespace
