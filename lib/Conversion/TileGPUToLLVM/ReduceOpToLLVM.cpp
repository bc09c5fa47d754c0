// tile.reduce: in a thread, across lanes, across warps.
#include "lib/Conversion/TileGPUToLLVM/Combiner.h"
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"

#include "dialects/TileGPU/Transforms/Scratch.h"
#include "lib/Layout/ReductionPlan.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

struct ReduceLowering : ConvertOpToLLVMPattern<tile::ReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    LinearLayout src = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getOperand(0).getType()));
    ReductionPlan plan = planReduction(src, op.getAxis());
    Combiner combine(emit, op.getCombiner(), *getTypeConverter());
    Accumulators values(adaptor.getOperands());
    values = reduceRegisters(emit, combine, plan, values);
    for (const ButterflyStep &step : plan.lanes)
      values = butterfly(emit, combine, values, step);
    if (plan.numPartials > 1) {
      auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
      if (!place)
        return op.emitError("reduction across warps has no 'tilegpu.shared_offset'; run "
                            "tilegpu-allocate-shared first");
      values = reduceWarps(emit, op, combine, values, place.getInt());
    }
    SmallVector<Value> results;
    for (auto [value, result] : llvm::zip(values, op.getResults()))
      results.push_back(isa<RankedTensorType>(result.getType()) ? value : emit.extract(value, 0));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Halves the registers until one is left per result, in a tree for parallelism.
  static Accumulators reduceRegisters(Emitter &emit, Combiner &combine, const ReductionPlan &plan,
                                      Accumulators values) {
    // Order by position in the group first, so that halves combine elementwise.
    size_t groups = plan.registers.size() / plan.perResult;
    SmallVector<int32_t> order;
    for (unsigned j = 0; j < plan.perResult; ++j)
      for (size_t i = 0; i < groups; ++i)
        order.push_back(plan.registers[i * plan.perResult + j]);
    values = permute(emit, values, order);
    for (size_t count = plan.perResult; count > 1; count /= 2) {
      size_t half = count / 2 * groups;
      SmallVector<int32_t> low = indexRange(0, half), high = indexRange(half, 2 * half);
      values = combine(permute(emit, values, low), permute(emit, values, high));
    }
    return values;
  }

  /// Combines with what the lane at the other end of a butterfly holds. Both get the same result,
  /// so that no two threads hold different elements for one, and branch differently: operands stand
  /// in the order of the lanes where it may matter, as it does to argmax among equals or NaN.
  static Accumulators butterfly(Emitter &emit, Combiner &combine, const Accumulators &values,
                                ButterflyStep step) {
    Accumulators sent = values;
    if (step.registerXor) {
      SmallVector<int32_t> order;
      for (int32_t i = 0; i < registersOf(values[0]); ++i)
        order.push_back(i ^ static_cast<int32_t>(step.registerXor));
      sent = permute(emit, values, order);
    }
    Accumulators others = shuffleXor(emit, sent, step.laneXor);
    if (combine.isSymmetric())
      return combine(values, others);
    Value bit = LLVM::AndOp::create(emit.builder, emit.loc, emit.threadId(),
                                    emit.i32(llvm::bit_floor(step.laneXor)));
    Value isUpper =
        LLVM::ICmpOp::create(emit.builder, emit.loc, LLVM::ICmpPredicate::ne, bit, emit.i32(0));
    return combine(select(emit, isUpper, others, values), select(emit, isUpper, values, others));
  }

  /// One thread of each warp leaves its partial results in shared memory; all threads read all.
  static Accumulators reduceWarps(Emitter &emit, tile::ReduceOp op, Combiner &combine,
                                  const Accumulators &values, int64_t place) {
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
    return plans[0].result.numElements() == 1 ? readSingle(emit, combine, plans, bases, values)
                                              : readMany(emit, combine, plans, bases, values);
  }

  /// Up to here a thread reads all partials of a result itself: four are one wide read and three
  /// combinations, while each doubling across lanes costs a shuffle and a combination.
  static constexpr int64_t kMostOwnPartials = 8;

  /// Partials of one result lie next to each other: wide reads, then a tree; or, when they are
  /// many, one read a lane and butterflies. With 32 warps the tree alone would issue 31
  /// combinations in each.
  static Accumulators readSingle(Emitter &emit, Combiner &combine, ArrayRef<ReductionPlan> plans,
                                 ArrayRef<Value> bases, const Accumulators &values) {
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
        all = butterfly(emit, combine, all, {laneXor, 0});
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
      all = combine(permute(emit, all, low), permute(emit, all, high));
    }
    return all;
  }

  static Accumulators readMany(Emitter &emit, Combiner &combine, ArrayRef<ReductionPlan> plans,
                               ArrayRef<Value> bases, const Accumulators &values) {
    Accumulators total;
    for (unsigned k = 0; k < plans[0].numPartials; ++k) {
      Accumulators next;
      for (auto [plan, base, value] : llvm::zip(plans, bases, values)) {
        Type element = cast<VectorType>(value.getType()).getElementType();
        Value where =
            emit.offset(base, emit.memoryType(element), emit.i32(k * plan.result.numElements()));
        next.push_back(emit.loadShared(plan.read, where, element, registersOf(value)));
      }
      total = total.empty() ? next : combine(total, next);
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
