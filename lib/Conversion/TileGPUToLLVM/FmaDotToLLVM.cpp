// tile.dot without tensor cores.
#include "lib/Conversion/TileGPUToLLVM/DotLowering.h"

#include "dialects/TileGPU/Transforms/Scratch.h"
#include "lib/Layout/FmaPlan.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// Multiply-adds of a thread in one turn of the loop, at most: enough to hide the loop itself.
constexpr int64_t kMultiplyAddsPerTurn = 64;
constexpr int64_t kMostSteps = 8;

class FmaDot {
public:
  FmaDot(tile::DotOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), emit(rewriter, op.getLoc()) {
    Type element = tile::elementTypeOf(op.getType());
    sum = element.isF16() ? Type(rewriter.getF32Type()) : element;
  }

  Value run(Value lhs, Value rhs, Value acc, int64_t place) {
    Operand left = write(lhs, /*isLhs=*/true, place);
    Operand right =
        write(rhs, /*isLhs=*/false, place + tilegpu::dotScratchBytes(op, /*isLhs=*/true));
    emit.barrier(numWarpsOf(op));

    auto type = cast<VectorType>(acc.getType());
    auto sums = type.clone(sum);
    if (sums != type)
      acc = LLVM::FPExtOp::create(rewriter, emit.loc, sums, acc);
    acc = loop(left, right, acc);
    return sums == type ? acc : LLVM::FPTruncOp::create(rewriter, emit.loc, type, acc);
  }

private:
  struct Operand {
    FmaOperand plan;
    Value base;
    Type element;
  };

  Operand write(Value registers, bool isLhs, int64_t place) {
    auto tensor = cast<RankedTensorType>((isLhs ? op.getLhs() : op.getRhs()).getType());
    Operand operand;
    operand.plan = planFmaOperand(tilegpu::linearLayoutOf(tensor),
                                  tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getType())),
                                  isLhs, tile::storageBits(tensor.getElementType()));
    operand.base = emit.sharedAddress(place);
    operand.element = cast<VectorType>(registers.getType()).getElementType();
    emit.storeShared(operand.plan.write, operand.base, registers, Value());
    return operand;
  }

  /// Several steps along K a turn when a thread has few elements of the result.
  Value loop(const Operand &lhs, const Operand &rhs, Value acc) {
    const int64_t k = cast<RankedTensorType>(op.getLhs().getType()).getShape().back();
    int64_t steps = std::min(k, kMostSteps);
    while (steps > 1 && steps * registersOf(acc) > kMultiplyAddsPerTurn)
      steps /= 2;
    if (steps == k)
      return turn(lhs, rhs, acc, Value(), steps);

    Type i32 = rewriter.getI32Type();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *body = rewriter.createBlock(after, {i32, acc.getType()}, {emit.loc, emit.loc});
    rewriter.setInsertionPointToEnd(before);
    LLVM::BrOp::create(rewriter, emit.loc, ValueRange{emit.i32(0), acc}, body);
    rewriter.setInsertionPointToStart(body);
    Value first = body->getArgument(0);
    Value next = turn(lhs, rhs, body->getArgument(1), first, steps);
    Value nextK = LLVM::AddOp::create(rewriter, emit.loc, first, emit.i32(steps));
    Value more =
        LLVM::ICmpOp::create(rewriter, emit.loc, LLVM::ICmpPredicate::ult, nextK, emit.i32(k));
    LLVM::CondBrOp::create(rewriter, emit.loc, more, body, ValueRange{nextK, next}, after,
                           ValueRange());
    rewriter.setInsertionPointToStart(after);
    return next;
  }

  /// The steps from k = `first` on, 0 if that is null.
  Value turn(const Operand &lhs, const Operand &rhs, Value acc, Value first, int64_t steps) {
    for (int64_t step = 0; step < steps; ++step) {
      Value a = read(lhs, first, step), b = read(rhs, first, step);
      acc = multiplyAdd(a, b, acc);
    }
    return acc;
  }

  Value read(const Operand &operand, Value first, int64_t step) {
    const FmaOperand &plan = operand.plan;
    Value offset = emit.i32(plan.kOffset(step));
    if (first)
      offset = LLVM::XOrOp::create(rewriter, emit.loc, emit.linear(first, plan.kBases), offset);
    Value read = emit.loadShared(plan.read, operand.base, operand.element, plan.numRead, offset);
    return emit.permute(widen(read), plan.registers);
  }

  Value widen(Value value) {
    auto type = cast<VectorType>(value.getType());
    if (type.getElementType() == sum)
      return value;
    if (sum.isInteger())
      return LLVM::SExtOp::create(rewriter, emit.loc, type.clone(sum), value);
    return LLVM::FPExtOp::create(rewriter, emit.loc, type.clone(sum), value);
  }

  Value multiplyAdd(Value a, Value b, Value acc) {
    if (!sum.isInteger())
      return LLVM::FMAOp::create(rewriter, emit.loc, a, b, acc);
    return LLVM::AddOp::create(rewriter, emit.loc, LLVM::MulOp::create(rewriter, emit.loc, a, b),
                               acc);
  }

  tile::DotOp op;
  RewriterBase &rewriter;
  Emitter emit;
  Type sum; // what products are summed in: f16 is rounded once, at the end
};

} // namespace

Value tilec::lowering::lowerFmaDot(tile::DotOp op, Value lhs, Value rhs, Value acc,
                                   RewriterBase &rewriter) {
  Type element = tile::elementTypeOf(op.getLhs().getType());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8) {
    op.emitError() << "products of " << element
                   << " need their layouts; run tilegpu-assign-dot-layouts first";
    return {};
  }
  auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
  if (!place) {
    op.emitError("product without tensor cores has no 'tilegpu.shared_offset'; run "
                 "tilegpu-allocate-shared first");
    return {};
  }
  return FmaDot(op, rewriter).run(lhs, rhs, acc, place.getInt());
}
