// tile.reduce: in a thread, across lanes, across warps.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "dialects/TileGPU/Transforms/Scratch.h"
#include "lib/Layout/ReductionPlan.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// One accumulator per operand of the reduction.
using Accumulators = SmallVector<Value, 2>;

struct ReduceLowering : ConvertOpToLLVMPattern<tile::ReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    LinearLayout src = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getOperand(0).getType()));
    ReductionPlan plan = planReduction(src, op.getAxis());
    Accumulators values(adaptor.getOperands());
    values = reduceRegisters(emit, op, plan, values);
    values = reduceLanes(emit, op, plan, values);
    if (plan.numPartials > 1) {
      auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
      if (!place)
        return op.emitError("reduction across warps has no 'tilegpu.shared_offset'; run "
                            "tilegpu-allocate-shared first");
      values = reduceWarps(emit, op, values, place.getInt());
    }
    SmallVector<Value> results;
    for (auto [value, result] : llvm::zip(values, op.getResults()))
      results.push_back(isa<RankedTensorType>(result.getType()) ? value : emit.extract(value, 0));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// The combiner on vectors: every operation of the region is elementwise.
  Accumulators combine(Emitter &emit, tile::ReduceOp op, const Accumulators &lhs,
                       const Accumulators &rhs) const {
    Block &body = op.getCombiner().front();
    int64_t count = registersOf(lhs[0]);
    IRMapping mapping;
    for (auto [argument, value] :
         llvm::zip(body.getArguments(), llvm::concat<const Value>(lhs, rhs)))
      mapping.map(argument, value);
    auto vectorOf = [&](Type type) {
      return VectorType::get({count}, getTypeConverter()->convertType(type));
    };
    for (Operation &inner : body.without_terminator()) {
      if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
        auto type = vectorOf(constant.getType());
        mapping.map(constant.getResult(),
                    LLVM::ConstantOp::create(emit.builder, emit.loc, type,
                                             DenseElementsAttr::get(type, constant.getValue())));
        continue;
      }
      for (Value operand : inner.getOperands())
        if (!mapping.contains(operand)) // a scalar from outside
          mapping.map(operand, emit.splat(operand, count));
      Operation *clone = emit.builder.clone(inner, mapping);
      for (Value result : clone->getResults())
        result.setType(vectorOf(result.getType()));
    }
    Accumulators results;
    for (Value value : cast<tile::YieldOp>(body.getTerminator()).getValues())
      results.push_back(mapping.contains(value) ? mapping.lookup(value)
                                                : emit.splat(value, count)); // from outside
    return results;
  }

  static Accumulators select(Emitter &emit, const Accumulators &values, ArrayRef<int32_t> indices) {
    Accumulators results;
    for (Value value : values)
      results.push_back(emit.permute(value, indices));
    return results;
  }

  /// Halves the registers until one is left per result, in a tree for parallelism.
  Accumulators reduceRegisters(Emitter &emit, tile::ReduceOp op, const ReductionPlan &plan,
                               Accumulators values) const {
    // Order by position in the group first, so that halves combine elementwise.
    size_t groups = plan.registers.size() / plan.perResult;
    SmallVector<int32_t> order;
    for (unsigned j = 0; j < plan.perResult; ++j)
      for (size_t i = 0; i < groups; ++i)
        order.push_back(plan.registers[i * plan.perResult + j]);
    values = select(emit, values, order);
    for (size_t count = plan.perResult; count > 1; count /= 2) {
      size_t half = count / 2 * groups;
      SmallVector<int32_t> low = indexRange(0, half), high = indexRange(half, 2 * half);
      values = combine(emit, op, select(emit, values, low), select(emit, values, high));
    }
    return values;
  }

  Accumulators reduceLanes(Emitter &emit, tile::ReduceOp op, const ReductionPlan &plan,
                           Accumulators values) const {
    for (const ButterflyStep &step : plan.lanes)
      values = butterfly(emit, op, values, step);
    return values;
  }

  /// Whether the combiner gives one result for both orders of its operands, as far as is known.
  static bool isSymmetric(tile::ReduceOp op) {
    Block &body = op.getCombiner().front();
    Operation &first = body.front();
    return op.getNumOperands() == 1 && first.getNextNode() == body.getTerminator() &&
           first.hasTrait<OpTrait::IsCommutative>() &&
           body.getTerminator()->getOperand(0).getDefiningOp() == &first;
  }

  /// Combines with what the lane at the other end of a butterfly holds. Both get the same result,
  /// so that no two threads hold different elements for one, and branch differently: operands stand
  /// in the order of the lanes where it may matter, as it does to argmax among equals or NaN.
  Accumulators butterfly(Emitter &emit, tile::ReduceOp op, const Accumulators &values,
                         ButterflyStep step) const {
    Accumulators others;
    for (Value value : values) {
      SmallVector<Value> moved;
      for (int64_t i = 0; i < registersOf(value); ++i)
        moved.push_back(emit.shuffleXor(emit.extract(value, i ^ step.registerXor), step.laneXor));
      others.push_back(emit.fromScalars(moved));
    }
    if (isSymmetric(op))
      return combine(emit, op, values, others);
    Value bit = LLVM::AndOp::create(emit.builder, emit.loc, emit.threadId(),
                                    emit.i32(llvm::bit_floor(step.laneXor)));
    Value isUpper =
        LLVM::ICmpOp::create(emit.builder, emit.loc, LLVM::ICmpPredicate::ne, bit, emit.i32(0));
    Accumulators lower, upper;
    for (auto [own, other] : llvm::zip(values, others)) {
      lower.push_back(LLVM::SelectOp::create(emit.builder, emit.loc, isUpper, other, own));
      upper.push_back(LLVM::SelectOp::create(emit.builder, emit.loc, isUpper, own, other));
    }
    return combine(emit, op, lower, upper);
  }

  /// One thread of each warp leaves its partial results in shared memory; all threads read all.
  Accumulators reduceWarps(Emitter &emit, tile::ReduceOp op, const Accumulators &values,
                           int64_t place) const {
    SmallVector<ReductionPlan, 0> plans;
    SmallVector<Value> bases;
    LinearLayout src = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getOperand(0).getType()));
    for (auto [index, value] : llvm::enumerate(values)) {
      Type element = cast<VectorType>(value.getType()).getElementType();
      Type operand = tile::elementTypeOf(op.getOperand(index).getType());
      plans.push_back(planReduction(src, op.getAxis(), tile::storageBits(operand)));
      const ReductionPlan &plan = plans.back();
      Value base = emit.sharedAddress(place);
      place += tilegpu::reduceScratchBytes(op, index);
      bases.push_back(base);

      SmallVector<uint32_t> partialBases;
      for (unsigned bit = 0; bit < src.getBases(InDim::Warp).size(); ++bit) {
        uint32_t basis = 0;
        for (auto [k, mask] : llvm::enumerate(plan.partialMasks))
          basis |= ((mask >> bit) & 1) << k;
        partialBases.push_back(basis);
      }
      Value partial = emit.linear(emit.warp(), partialBases);
      Value start =
          LLVM::MulOp::create(emit.builder, emit.loc, partial, emit.i32(plan.result.numElements()));
      emit.storeShared(plan.write, emit.offset(base, emit.memoryType(element), start), value,
                       silentWarps(emit, plan));
    }
    emit.barrier(numWarpsOf(op));
    return plans[0].result.numElements() == 1 ? readSingle(emit, op, plans, bases, values)
                                              : readMany(emit, op, plans, bases, values);
  }

  /// Up to here a thread reads all partials of a result itself: four are one wide read and three
  /// combinations, while each doubling across lanes costs a shuffle and a combination.
  static constexpr int64_t kMostOwnPartials = 8;

  /// Partials of one result lie next to each other: wide reads, then a tree; or, when they are
  /// many, one read a lane and butterflies. With 32 warps the tree alone would issue 31
  /// combinations in each.
  Accumulators readSingle(Emitter &emit, tile::ReduceOp op, ArrayRef<ReductionPlan> plans,
                          ArrayRef<Value> bases, const Accumulators &values) const {
    Accumulators all;
    int64_t count = plans[0].numPartials;
    if (count > kMostOwnPartials) {
      Value lane = LLVM::AndOp::create(emit.builder, emit.loc, emit.lane(), emit.i32(count - 1));
      for (auto [base, value] : llvm::zip(bases, values)) {
        Type element = cast<VectorType>(value.getType()).getElementType();
        Type stored = emit.memoryType(element);
        Value partial =
            tilegpu::LdOp::create(emit.builder, emit.loc, stored, emit.offset(base, stored, lane),
                                  Value(), Value(), bytesOf(stored), tile::CacheModifier::none,
                                  tile::EvictionPolicy::normal, false, IntegerAttr());
        all.push_back(emit.fromMemory(emit.fromScalars({partial}), element));
      }
      for (uint32_t laneXor = 1; laneXor < count; laneXor *= 2)
        all = butterfly(emit, op, all, {laneXor, 0});
      return all;
    }
    for (auto [base, value] : llvm::zip(bases, values)) {
      Type element = cast<VectorType>(value.getType()).getElementType();
      Type stored = emit.memoryType(element);
      int64_t bytes = bytesOf(stored);
      int64_t width = std::min<int64_t>(count, 16 / bytes);
      SmallVector<Value> parts;
      for (int64_t k = 0; k < count; k += width)
        parts.push_back(tilegpu::LdOp::create(
            emit.builder, emit.loc, VectorType::get({width}, stored),
            emit.offset(base, stored, emit.i32(k)), Value(), Value(), width * bytes,
            tile::CacheModifier::none, tile::EvictionPolicy::normal, false, IntegerAttr()));
      all.push_back(emit.fromMemory(emit.concat(parts), element));
    }
    for (; count > 1; count /= 2) {
      SmallVector<int32_t> low = indexRange(0, count / 2), high = indexRange(count / 2, count);
      all = combine(emit, op, select(emit, all, low), select(emit, all, high));
    }
    return all;
  }

  Accumulators readMany(Emitter &emit, tile::ReduceOp op, ArrayRef<ReductionPlan> plans,
                        ArrayRef<Value> bases, const Accumulators &values) const {
    Accumulators total;
    for (unsigned k = 0; k < plans[0].numPartials; ++k) {
      Accumulators next;
      for (auto [plan, base, value] : llvm::zip(plans, bases, values)) {
        Type element = cast<VectorType>(value.getType()).getElementType();
        Value where =
            emit.offset(base, emit.memoryType(element), emit.i32(k * plan.result.numElements()));
        next.push_back(emit.loadShared(plan.read, where, element, registersOf(value)));
      }
      total = total.empty() ? next : combine(emit, op, total, next);
    }
    return total;
  }

  /// True for warps whose partials no other warp writes; null when there are no others.
  static Value silentWarps(Emitter &emit, const ReductionPlan &plan) {
    Value predicate;
    for (uint32_t mask : plan.silentWarpMasks) {
      Value masked = LLVM::AndOp::create(emit.builder, emit.loc, emit.warp(), emit.i32(mask));
      Value count = LLVM::CtPopOp::create(emit.builder, emit.loc, masked.getType(), masked);
      Value odd = LLVM::AndOp::create(emit.builder, emit.loc, count, emit.i32(1));
      predicate =
          emit.both(predicate, LLVM::ICmpOp::create(emit.builder, emit.loc, LLVM::ICmpPredicate::eq,
                                                    odd, emit.i32(0)));
    }
    return predicate;
  }
};

} // namespace

void tilec::lowering::populateReducePatterns(LLVMTypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ReduceLowering>(converter);
}
