// Elementwise operations that upstream's patterns do not cover, and scalars of the program.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// Hardware functions work on scalars: one operation per register.
template <typename Op>
struct UnrollLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "already a scalar");
    Emitter emit(rewriter, op.getLoc());
    SmallVector<Value> results;
    for (int64_t i = 0; i < registersOf(adaptor.getOperands()[0]); ++i) {
      SmallVector<Value> scalars;
      for (Value operand : adaptor.getOperands())
        scalars.push_back(emit.extract(operand, i));
      OperationState state(op.getLoc(), op->getName(), scalars, scalars[0].getType(),
                           op->getAttrs());
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOp(op, emit.fromScalars(results));
    return success();
  }
};

struct ProgramIdLowering : ConvertOpToLLVMPattern<tile::ProgramIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::ProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    switch (op.getAxis()) {
    case 0:
      rewriter.replaceOpWithNewOp<NVVM::BlockIdXOp>(op, op.getType());
      break;
    case 1:
      rewriter.replaceOpWithNewOp<NVVM::BlockIdYOp>(op, op.getType());
      break;
    default:
      rewriter.replaceOpWithNewOp<NVVM::BlockIdZOp>(op, op.getType());
    }
    return success();
  }
};

struct NumProgramsLowering : ConvertOpToLLVMPattern<tile::NumProgramsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::NumProgramsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    switch (op.getAxis()) {
    case 0:
      rewriter.replaceOpWithNewOp<NVVM::GridDimXOp>(op, op.getType());
      break;
    case 1:
      rewriter.replaceOpWithNewOp<NVVM::GridDimYOp>(op, op.getType());
      break;
    default:
      rewriter.replaceOpWithNewOp<NVVM::GridDimZOp>(op, op.getType());
    }
    return success();
  }
};

struct HintLowering : ConvertOpToLLVMPattern<tile::HintOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::HintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

struct AssumeLowering : ConvertOpToLLVMPattern<tile::AssumeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AssumeOp>(op, adaptor.getCondition());
    return success();
  }
};

template <typename Op>
struct BarrierLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter(rewriter, op.getLoc()).barrier(numWarpsOf(op));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilec::lowering::populateElementwisePatterns(LLVMTypeConverter &converter,
                                                  RewritePatternSet &patterns) {
  patterns.add<UnrollLowering<tilegpu::ApproxOp>, UnrollLowering<tilegpu::DivFullOp>,
               ProgramIdLowering, NumProgramsLowering, HintLowering, AssumeLowering,
               BarrierLowering<tile::BarrierOp>, BarrierLowering<tilegpu::BarrierOp>>(converter);
}
