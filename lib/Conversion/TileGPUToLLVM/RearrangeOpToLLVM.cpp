// Operations that bring elements to other places: join and split keep them in their threads, gather
// takes them from the warp or from shared memory, and histogram counts them there.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "dialects/TileGPU/Transforms/Scratch.h"
#include "lib/Layout/GatherPlan.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// Which of the two tensors an element comes from is the last bit of its index: known for a
/// register, or different in the halves of the threads.
struct JoinLowering : ConvertOpToLLVMPattern<tile::JoinOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::JoinOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getLhs().getType());
    auto to = cast<RankedTensorType>(op.getType());
    LinearLayout src = tilegpu::linearLayoutOf(from), dst = tilegpu::linearLayoutOf(to);
    auto map = registerMap(dst.slice(dst.getRank() - 1, /*dropRegisters=*/false), src);
    if (!map)
      return op.emitError() << "layouts of " << from << " and " << to
                            << " do not keep elements in their threads";
    Emitter emit(rewriter, op.getLoc());
    SmallVector<int32_t> order, swapped;
    int32_t size = registersOf(adaptor.getLhs());
    for (auto [reg, source] : llvm::enumerate(*map)) {
      int32_t side = dst.applyLinear(reg, 0, 0) & 1 ? size : 0;
      order.push_back(source + side);
      swapped.push_back(source + (size - side));
    }
    auto join = [&](ArrayRef<int32_t> indices) -> Value {
      return LLVM::ShuffleVectorOp::create(rewriter, op.getLoc(), adaptor.getLhs(),
                                           adaptor.getRhs(), indices);
    };
    uint32_t mask = 0;
    for (auto [dim, shift] : {std::pair(InDim::Lane, 0u), {InDim::Warp, LinearLayout::kLaneBits}})
      for (auto [bit, basis] : llvm::enumerate(dst.getBases(dim)))
        mask |= (basis & 1) << (bit + shift);
    Value result = join(order);
    if (mask)
      result = LLVM::SelectOp::create(rewriter, op.getLoc(), emit.isOdd(emit.threadId(), mask),
                                      join(swapped), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct SplitLowering : ConvertOpToLLVMPattern<tile::SplitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::SplitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    auto to = cast<RankedTensorType>(op.getLhs().getType());
    LinearLayout half = tilegpu::linearLayoutOf(to);
    auto map = registerMap(half.joined(), tilegpu::linearLayoutOf(from));
    if (!map)
      return op.emitError() << "layouts of " << from << " and " << to
                            << " do not keep elements in their threads";
    Emitter emit(rewriter, op.getLoc());
    SmallVector<Value> results;
    for (unsigned side : {0u, 1u}) {
      SmallVector<int32_t> order;
      for (unsigned reg = 0; reg < half.numRegisters(); ++reg)
        order.push_back((*map)[2 * reg + side]);
      results.push_back(emit.permute(adaptor.getSource(), order));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The address of an operation's scratch; nothing after an error.
std::optional<int64_t> scratchOf(Operation *op) {
  if (auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr))
    return place.getInt();
  op->emitError() << "'" << op->getName()
                  << "' has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first";
  return std::nullopt;
}

/// Integers of one thread as i32; wider ones lose their high bits.
Value toI32(Emitter &emit, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type wanted = type.clone(emit.builder.getI32Type());
  if (width < 32)
    return LLVM::SExtOp::create(emit.builder, emit.loc, wanted, vector);
  return width == 32 ? vector
                     : LLVM::TruncOp::create(emit.builder, emit.loc, wanted, vector).getResult();
}

/// Accesses as wide as they can be.
SharedAccess rowMajor(const LinearLayout &layout, Type stored, bool ownersOnly) {
  return rowMajorAccess(layout, static_cast<unsigned>(16 / bytesOf(stored)), ownersOnly);
}

struct GatherLowering : ConvertOpToLLVMPattern<tile::GatherOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    auto to = cast<RankedTensorType>(op.getType());
    LinearLayout src = tilegpu::linearLayoutOf(from), dst = tilegpu::linearLayoutOf(to);
    Emitter emit(rewriter, op.getLoc());
    Location loc = op.getLoc();
    if (std::optional<GatherPlan> plan = planGather(src, dst, op.getAxis())) {
      rewriter.replaceOp(
          op, gatherInWarp(emit, *plan, adaptor.getSource(), toI32(emit, adaptor.getIndices())));
      return success();
    }
    std::optional<int64_t> place = scratchOf(op);
    if (!place)
      return failure();
    Value base = emit.sharedAddress(*place);
    Type element = cast<VectorType>(adaptor.getSource().getType()).getElementType();
    Type stored = emit.memoryType(element);

    emit.storeShared(rowMajor(src, stored, /*ownersOnly=*/true), base, adaptor.getSource(),
                     Value());
    emit.barrier(numWarpsOf(op));

    // Where an element stands, but for the coordinate along the axis, depends on the thread and the
    // register as its index in the result does.
    unsigned axis = op.getAxis();
    unsigned inner = 0;
    for (int64_t extent : from.getShape().drop_front(axis + 1))
      inner += llvm::Log2_64(extent);
    uint64_t low = (uint64_t(1) << inner) - 1;
    unsigned dstBits = llvm::Log2_64(to.getDimSize(axis)),
             srcBits = llvm::Log2_64(from.getDimSize(axis));
    auto rest = [&](uint64_t flat) -> uint32_t {
      return (flat & low) | (flat >> (inner + dstBits) << (inner + srcBits));
    };
    auto restAll = [&](ArrayRef<uint64_t> bases) {
      return llvm::to_vector(llvm::map_range(bases, rest));
    };
    SmallVector<uint32_t> bases = restAll(dst.getBases(InDim::Lane));
    llvm::append_range(bases, restAll(dst.getBases(InDim::Warp)));
    Value thread = emit.linear(emit.threadId(), bases);
    Value indices = toI32(emit, adaptor.getIndices());
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < dst.numRegisters(); ++reg) {
      Value where = LLVM::AndOp::create(rewriter, loc, emit.extract(indices, reg),
                                        emit.i32(from.getDimSize(axis) - 1));
      if (inner)
        where = LLVM::ShlOp::create(rewriter, loc, where, emit.i32(inner));
      where = LLVM::OrOp::create(rewriter, loc, where, thread);
      if (uint32_t constant = rest(dst.applyLinear(reg, 0, 0)))
        where = LLVM::XOrOp::create(rewriter, loc, where, emit.i32(constant));
      results.push_back(tilegpu::LdOp::create(
          rewriter, loc, stored, emit.offset(base, stored, where), Value(), Value(),
          bytesOf(stored), tile::CacheModifier::none, tile::EvictionPolicy::normal,
          /*is_volatile=*/false, IntegerAttr()));
    }
    rewriter.replaceOp(op, emit.fromMemory(emit.fromScalars(results), element));
    return success();
  }

private:
  /// Shuffles all registers in which the element may lie, and selects.
  static Value gatherInWarp(Emitter &emit, const GatherPlan &plan, Value source, Value indices) {
    Value lane = emit.lane();
    if (plan.laneMask)
      lane = LLVM::AndOp::create(emit.builder, emit.loc, lane, emit.i32(31 & ~plan.laneMask));
    SmallVector<Value> results;
    for (auto [reg, first] : llvm::enumerate(plan.registers)) {
      Value index = emit.extract(indices, reg), there;
      if (plan.laneMask)
        there =
            LLVM::OrOp::create(emit.builder, emit.loc, lane, emit.linear(index, plan.laneBases));
      SmallVector<Value> values;
      for (uint32_t candidate : plan.candidates()) {
        Value value = emit.extract(source, first ^ static_cast<int32_t>(candidate));
        values.push_back(there ? emit.shuffleIndex(value, there) : value);
      }
      // Candidate 2i + 1 differs from 2i by the lowest bit of the index that leads to registers.
      for (auto [bit, basis] : llvm::enumerate(plan.registerBases)) {
        if (!basis)
          continue;
        Value isSet = emit.isOdd(index, 1u << bit);
        SmallVector<Value> left;
        for (size_t i = 0; i < values.size(); i += 2)
          left.push_back(
              LLVM::SelectOp::create(emit.builder, emit.loc, isSet, values[i + 1], values[i]));
        values = left;
      }
      results.push_back(values[0]);
    }
    return emit.fromScalars(results);
  }
};

/// Every element adds one to its bin in shared memory.
struct HistogramLowering : ConvertOpToLLVMPattern<tile::HistogramOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::HistogramOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LinearLayout src = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getSource().getType())),
                 dst = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getType()));
    std::optional<int64_t> place = scratchOf(op);
    if (!place)
      return failure();
    Emitter emit(rewriter, op.getLoc());
    Location loc = op.getLoc();
    Value base = emit.sharedAddress(*place);
    Type i32 = rewriter.getI32Type();
    emit.storeShared(rowMajor(dst, i32, /*ownersOnly=*/true), base,
                     emit.constantVector(SmallVector<int32_t>(dst.numRegisters(), 0)), Value());
    emit.barrier(numWarpsOf(op));

    Value source = adaptor.getSource();
    if (cast<VectorType>(source.getType()).getElementTypeBitWidth() < 32)
      source = toI32(emit, source);
    auto wide = cast<VectorType>(source.getType());
    TypedAttr bins = IntegerAttr::get(wide.getElementType(), dst.numElements());
    Value limit = LLVM::ConstantOp::create(rewriter, loc, wide,
                                           DenseElementsAttr::get(wide, Attribute(bins)));
    Value counts = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ult, source, limit);
    if (adaptor.getMask())
      counts = emit.both(counts, adaptor.getMask());
    Value owner = emit.ownerPredicate(src.freeMask(InDim::Lane), src.freeMask(InDim::Warp));
    // What does not count adds zero to some bin of its own.
    Value numbers = toI32(emit, source);
    Value idle =
        LLVM::AndOp::create(rewriter, loc, emit.threadId(), emit.i32(dst.numElements() - 1));
    for (unsigned reg = 0; reg < src.numRegisters(); ++reg) {
      if (reg & src.freeMask(InDim::Register))
        continue;
      Value valid = emit.both(emit.extract(counts, reg), owner);
      Value bin = LLVM::SelectOp::create(rewriter, loc, valid, emit.extract(numbers, reg), idle);
      Value one = LLVM::ZExtOp::create(rewriter, loc, i32, valid);
      LLVM::AtomicRMWOp::create(rewriter, loc, LLVM::AtomicBinOp::add, emit.offset(base, i32, bin),
                                one, LLVM::AtomicOrdering::monotonic, "block");
    }
    emit.barrier(numWarpsOf(op));
    rewriter.replaceOp(op, emit.loadShared(rowMajor(dst, i32, /*ownersOnly=*/false), base, i32,
                                           dst.numRegisters()));
    return success();
  }
};

} // namespace

void tilec::lowering::populateRearrangePatterns(LLVMTypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<JoinLowering, SplitLowering, GatherLowering, HistogramLowering>(converter);
}
