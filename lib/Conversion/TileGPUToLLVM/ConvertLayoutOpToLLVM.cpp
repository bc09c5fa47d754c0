// tilegpu.convert_layout: nothing, a register permutation, shuffles, or shared memory.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "lib/Layout/ConversionPlan.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

static void applyXors(Emitter &emit, ArrayRef<ConditionalXor> xors,
                      SmallVectorImpl<Value> &values) {
  for (const ConditionalXor &step : xors) {
    if (step.registerXor == 0)
      continue;
    Value odd = emit.isOdd(emit.threadId(), step.laneMask | (step.warpMask << 5));
    SmallVector<Value> old(values.begin(), values.end());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] =
          LLVM::SelectOp::create(emit.builder, emit.loc, odd, old[i ^ step.registerXor], old[i]);
  }
}

/// Packs registers of less than 32 bits into one word, shuffles it, and unpacks.
static void shuffleStep(Emitter &emit, const ShuffleStep &step, Value sourceLane,
                        ArrayRef<Value> from, MutableArrayRef<Value> to) {
  Value lane = step.laneXor
                   ? LLVM::XOrOp::create(emit.builder, emit.loc, sourceLane, emit.i32(step.laneXor))
                   : sourceLane;
  if (step.from.size() == 1) {
    to[step.to[0]] = emit.shuffleIndex(from[step.from[0]], lane);
    return;
  }
  SmallVector<Value> parts;
  for (int32_t index : step.from)
    parts.push_back(from[index]);
  Value packed = emit.toMemory(emit.fromScalars(parts));
  Type element = parts[0].getType();
  auto vector = cast<VectorType>(packed.getType());
  Type word = emit.builder.getIntegerType(vector.getNumElements() *
                                          vector.getElementType().getIntOrFloatBitWidth());
  Value bits = LLVM::BitcastOp::create(emit.builder, emit.loc, word, packed);
  Value moved = emit.shuffleIndex(bits, lane);
  Value unpacked =
      emit.fromMemory(LLVM::BitcastOp::create(emit.builder, emit.loc, vector, moved), element);
  for (auto [index, target] : llvm::enumerate(step.to))
    to[target] = emit.extract(unpacked, index);
}

static Value convertByShuffles(Emitter &emit, const ConversionPlan &plan, Value source) {
  const ShufflePlan &shuffle = plan.shuffle;
  SmallVector<Value> values;
  for (int32_t reg : plan.srcRegisters)
    values.push_back(emit.extract(source, reg));
  applyXors(emit, shuffle.before, values);
  Value lane = emit.linear(emit.lane(), shuffle.laneBases);
  if (llvm::any_of(shuffle.warpBases, [](uint32_t basis) { return basis != 0; }))
    lane = LLVM::XOrOp::create(emit.builder, emit.loc, lane,
                               emit.linear(emit.warp(), shuffle.warpBases));
  size_t count = 0;
  for (const ShuffleStep &step : shuffle.steps)
    for (int32_t target : step.to)
      count = std::max<size_t>(count, target + 1);
  SmallVector<Value> moved(count);
  for (const ShuffleStep &step : shuffle.steps) {
    if (!shuffle.isFree(step)) {
      shuffleStep(emit, step, lane, values, moved);
      continue;
    }
    for (auto [from, to] : llvm::zip(step.from, step.to))
      moved[to] = values[from];
  }
  applyXors(emit, shuffle.after, moved);
  SmallVector<Value> results;
  for (int32_t reg : plan.dstRegisters)
    results.push_back(moved[reg]);
  return emit.fromScalars(results);
}

/// What `plan.dst` reads with ldmatrix, in the order of its registers.
static Value readMatrices(Emitter &emit, const SharedPlan &plan, Value base, Type stored) {
  auto words = VectorType::get({plan.matrices}, emit.builder.getI32Type());
  const int64_t perAccess = plan.matrices * 4 / bytesOf(stored);
  SmallVector<Value> parts;
  Value thread = emit.threadOffset(plan.dst);
  for (uint32_t constant : plan.dst.offsets) {
    Value where =
        constant ? LLVM::XOrOp::create(emit.builder, emit.loc, thread, emit.i32(constant)) : thread;
    Value read = tilegpu::LdMatrixOp::create(emit.builder, emit.loc, words,
                                             emit.offset(base, stored, where), plan.transposed);
    parts.push_back(LLVM::BitcastOp::create(emit.builder, emit.loc,
                                            VectorType::get({perAccess}, stored), read));
  }
  return emit.concat(parts);
}

static Value convertByShared(Emitter &emit, const ConversionPlan &plan, Value base, Value source,
                             unsigned numWarps) {
  const SharedPlan &shared = plan.shared;
  Type element = cast<VectorType>(source.getType()).getElementType();
  SharedAccess read = shared.dst;
  const int32_t perPiece = read.registers.size();
  llvm::copy(indexRange(0, perPiece), read.registers.begin());
  SmallVector<Value> parts;
  llvm::DenseMap<int32_t, int32_t> places; // where in the parts a register lies
  for (auto [index, piece] : llvm::enumerate(shared.pieces)) {
    SharedAccess write = shared.src;
    for (int32_t &reg : write.registers)
      reg ^= static_cast<int32_t>(piece.src);
    if (index > 0) // others may still be reading the piece before
      emit.barrier(numWarps);
    emit.storeShared(write, base, source, Value());
    emit.barrier(numWarps);
    parts.push_back(
        shared.matrices
            ? emit.fromMemory(readMatrices(emit, shared, base, emit.memoryType(element)), element)
            : emit.loadShared(read, base, element, perPiece));
    for (int32_t i = 0; i < perPiece; ++i)
      places[shared.dst.registers[i] ^ static_cast<int32_t>(piece.dst)] = index * perPiece + i;
  }
  SmallVector<int32_t> order;
  for (int32_t reg : plan.dstRegisters)
    order.push_back(places.lookup(reg));
  return emit.permute(emit.concat(parts), order);
}

namespace {
struct ConvertLayoutLowering : ConvertOpToLLVMPattern<tilegpu::ConvertLayoutOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tilegpu::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    auto to = cast<RankedTensorType>(op.getType());
    LinearLayout src = tilegpu::linearLayoutOf(from), dst = tilegpu::linearLayoutOf(to);
    ConversionPlan plan = planConversion(src, dst, tile::storageBits(from.getElementType()));
    Emitter emit(rewriter, op.getLoc());
    Value source = adaptor.getSource();
    switch (plan.kind) {
    case ConversionPlan::Kind::NoOp:
    case ConversionPlan::Kind::RegisterPermute:
      rewriter.replaceOp(op, emit.permute(source, plan.permutation));
      return success();
    case ConversionPlan::Kind::WarpShuffle:
      rewriter.replaceOp(op, convertByShuffles(emit, plan, source));
      return success();
    case ConversionPlan::Kind::SharedMemory:
      break;
    }
    auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
    if (!place)
      return op.emitError("conversion through shared memory has no 'tilegpu.shared_offset'; run "
                          "tilegpu-allocate-shared first");
    rewriter.replaceOp(op, convertByShared(emit, plan, emit.sharedAddress(place.getInt()), source,
                                           plan.shared.crossesWarps ? numWarpsOf(op) : 1));
    return success();
  }
};
} // namespace

void tilec::lowering::populateConvertLayoutPatterns(LLVMTypeConverter &converter,
                                                    RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutLowering>(converter);
}
