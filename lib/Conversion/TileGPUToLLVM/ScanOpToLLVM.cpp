// tile.scan: in a thread, then every run takes over the totals of those before it.
#include "lib/Conversion/TileGPUToLLVM/Combiner.h"
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"

#include "dialects/TileGPU/Transforms/Scratch.h"
#include "lib/Layout/ScanPlan.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// One scan: what has been computed of it so far.
class ScanEmitter {
public:
  ScanEmitter(Emitter &emit, Combiner &combine, ArrayRef<ScanPlan> plans, ArrayRef<int64_t> places,
              unsigned numWarps)
      : emit(emit), combine(combine), plans(plans), plan(plans[0]), places(places),
        numWarps(numWarps) {}

  Accumulators run(const Accumulators &source) {
    for (unsigned j = 0; j < plan.runLength; ++j) {
      Accumulators next =
          permute(emit, source, ArrayRef(plan.registers).slice(j * plan.numGroups, plan.numGroups));
      prefixes.push_back(j ? combine(prefixes.back(), next) : next);
    }
    total = carry = prefixes.back();
    // A run of one element is its own prefix, into which totals go at once. A longer run collects
    // the totals of those before it, and adds them to all of its elements at the end.
    hasCarry.assign(plan.numGroups, plan.runLength == 1);
    for (size_t i = 0; i < plan.steps.size(); ++i) {
      isLast = i + 1 == plan.steps.size();
      switch (plan.steps[i].kind) {
      case ScanStep::Kind::Registers:
        joinRegisters(plan.steps[i]);
        break;
      case ScanStep::Kind::Lanes:
        joinLanes(plan.steps[i]);
        break;
      case ScanStep::Kind::Warps:
        joinWarps(i);
        break;
      }
    }
    return finish();
  }

private:
  /// Groups that have a carry in every thread, or the others.
  SmallVector<int32_t> groupsWith(bool carried, ArrayRef<int32_t> among) const {
    return llvm::to_vector(
        llvm::make_filter_range(among, [&](int32_t g) { return hasCarry[g] == carried; }));
  }

  /// Puts the total of what comes before `groups` in front of their carry, in the threads where
  /// `condition` is true, or all if it's null.
  void prepend(const Accumulators &before, ArrayRef<int32_t> groups, Value condition) {
    int64_t count = registersOf(before[0]);
    for (bool carried : {false, true}) {
      SmallVector<int32_t> some = groupsWith(carried, groups), sources;
      if (some.empty())
        continue;
      for (int32_t group : some)
        sources.push_back(group % count);
      Accumulators incoming = permute(emit, before, sources), old = permute(emit, carry, some);
      Accumulators next = incoming;
      if (carried)
        next = combine(incoming, old);
      else if (someHaveCarry)
        next = select(emit, someHaveCarry, combine(incoming, old), incoming);
      // Where there was no carry and is none now, anything will do.
      if (condition && (carried || someHaveCarry))
        next = select(emit, condition, next, old);
      replace(carry, some, next);
    }
    if (!condition)
      for (int32_t group : groups)
        hasCarry[group] = true;
    else
      someHaveCarry =
          someHaveCarry
              ? LLVM::OrOp::create(emit.builder, emit.loc, someHaveCarry, condition).getResult()
              : condition;
  }

  /// Puts `values` in the place of what `all` has for `groups`.
  void replace(Accumulators &all, ArrayRef<int32_t> groups, const Accumulators &values) {
    for (auto [old, next] : llvm::zip(all, values)) {
      if (groups.size() == plan.numGroups) {
        old = next;
        continue;
      }
      SmallVector<Value> scalars;
      for (unsigned group = 0; group < plan.numGroups; ++group)
        scalars.push_back(emit.extract(old, group));
      for (auto [index, group] : llvm::enumerate(groups))
        scalars[group] = emit.extract(next, index);
      old = emit.fromScalars(scalars);
    }
  }

  void joinRegisters(const ScanStep &step) {
    unsigned half = step.numTotals / 2;
    Accumulators first = permute(emit, total, indexRange(0, half)),
                 second = permute(emit, total, indexRange(half, 2 * half));
    SmallVector<int32_t> later;
    for (unsigned group = 0; group < plan.numGroups; ++group)
      if (group & half)
        later.push_back(group);
    prepend(first, later, Value());
    if (!isLast)
      total = combine(first, second);
  }

  void joinLanes(const ScanStep &step) {
    Value bit = LLVM::AndOp::create(emit.builder, emit.loc, emit.lane(), emit.i32(step.laneMask));
    Value isLater = LLVM::ICmpOp::create(
        emit.builder, emit.loc, plan.reverse ? LLVM::ICmpPredicate::eq : LLVM::ICmpPredicate::ne,
        bit, emit.i32(0));
    Accumulators other = shuffleXor(emit, total, step.laneMask);
    prepend(other, indexRange(0, plan.numGroups), isLater);
    // Both lanes combine the same in the same order.
    if (!isLast)
      total = combine(select(emit, isLater, other, total), select(emit, isLater, total, other));
  }

  void joinWarps(size_t index) {
    const ScanStep &step = plan.steps[index];
    unsigned count = step.numPositions();
    SmallVector<uint32_t> bases(llvm::Log2_32(numWarps), 0);
    for (auto [k, bit] : llvm::enumerate(step.warpBits))
      bases[bit] = 1u << k;
    Value position = emit.linear(emit.warp(), bases);
    if (plan.reverse)
      position = LLVM::XOrOp::create(emit.builder, emit.loc, position, emit.i32(count - 1));

    auto startOf = [&](size_t operand, Value element) {
      Type stored = emit.memoryType(cast<VectorType>(total[operand].getType()).getElementType());
      Value base = emit.sharedAddress(places[operand] + plans[operand].steps[index].scratchOffset);
      return emit.offset(base, stored, element);
    };
    Value own =
        LLVM::MulOp::create(emit.builder, emit.loc, position, emit.i32(step.partialElements));
    for (auto [operand, value] : llvm::enumerate(total))
      emit.storeShared(plans[operand].steps[index].write, startOf(operand, own), value, Value());
    emit.barrier(numWarps);

    auto read = [&](unsigned from) {
      Accumulators values;
      for (auto [operand, value] : llvm::enumerate(total))
        values.push_back(emit.loadShared(plans[operand].steps[index].read,
                                         startOf(operand, emit.i32(from * step.partialElements)),
                                         cast<VectorType>(value.getType()).getElementType(),
                                         step.numTotals));
      return values;
    };
    auto isAfter = [&](unsigned other) -> Value {
      return LLVM::ICmpOp::create(emit.builder, emit.loc, LLVM::ICmpPredicate::ugt, position,
                                  emit.i32(other));
    };
    // The total of all before a warp is that of the first, unless it has more before it.
    Accumulators sum = read(0), before = sum;
    for (unsigned k = 1; k + 1 < count; ++k) {
      sum = combine(sum, read(k));
      before = select(emit, isAfter(k), sum, before);
    }
    prepend(before, indexRange(0, plan.numGroups), isAfter(0));
    if (!isLast)
      total = combine(sum, read(count - 1));
  }

  /// Puts the carries in front of the elements of the runs.
  Accumulators finish() {
    SmallVector<int32_t> all = indexRange(0, plan.numGroups);
    SmallVector<int32_t> certain = groupsWith(true, all), others = groupsWith(false, all);
    auto add = [&](Accumulators &prefix, ArrayRef<int32_t> groups, Value condition) {
      Accumulators old = permute(emit, prefix, groups);
      Accumulators sum = combine(permute(emit, carry, groups), old);
      replace(prefix, groups, condition ? select(emit, condition, sum, old) : sum);
    };
    if (plan.runLength == 1)
      prefixes[0] = carry;
    else
      for (Accumulators &prefix : prefixes) {
        if (!certain.empty())
          add(prefix, certain, Value());
        if (!others.empty() && someHaveCarry)
          add(prefix, others, someHaveCarry);
      }
    Accumulators results;
    for (size_t operand = 0; operand < total.size(); ++operand) {
      SmallVector<Value> parts;
      for (const Accumulators &prefix : prefixes)
        parts.push_back(prefix[operand]);
      results.push_back(emit.permute(emit.concat(parts), plan.resultRegisters));
    }
    return results;
  }

  Emitter &emit;
  Combiner &combine;
  ArrayRef<ScanPlan> plans; // of the operands; they differ in their accesses
  const ScanPlan &plan;
  ArrayRef<int64_t> places;
  unsigned numWarps;

  /// Per element of the runs, a vector of groups.
  SmallVector<Accumulators> prefixes;
  Accumulators total, carry;
  /// Groups that have a carry in every thread.
  SmallVector<bool> hasCarry;
  /// Whether the other groups have one in this thread; null if in none.
  Value someHaveCarry;
  bool isLast = false;
};

struct ScanLowering : ConvertOpToLLVMPattern<tile::ScanOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto first = cast<RankedTensorType>(op.getOperand(0).getType());
    LinearLayout layout = tilegpu::linearLayoutOf(first);
    if (!isScannable(layout))
      return op.emitError() << "layout of " << first << " mixes coordinates; convert the operand "
                            << "of the scan to a blocked layout";
    SmallVector<ScanPlan, 2> plans;
    SmallVector<int64_t> places;
    auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
    int64_t next = place ? place.getInt() : 0;
    for (Value operand : op.getOperands()) {
      unsigned bits = tile::storageBits(tile::elementTypeOf(operand.getType()));
      plans.push_back(planScan(layout, op.getAxis(), op.getReverse(), bits));
      places.push_back(next);
      next += plans.back().scratchBytes;
    }
    if (plans[0].scratchBytes && !place)
      return op.emitError("scan across warps has no 'tilegpu.shared_offset'; run "
                          "tilegpu-allocate-shared first");
    Emitter emit(rewriter, op.getLoc());
    Combiner combine(emit, op.getCombiner(), *getTypeConverter());
    rewriter.replaceOp(op, ScanEmitter(emit, combine, plans, places, numWarpsOf(op))
                               .run(Accumulators(adaptor.getOperands())));
    return success();
  }
};

} // namespace

void tilec::lowering::populateScanPatterns(LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<ScanLowering>(converter);
}
