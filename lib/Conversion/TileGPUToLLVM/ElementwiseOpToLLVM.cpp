// Elementwise operations that upstream's patterns do not cover, and scalars of the program.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "dialects/Tile/IR/MathFunctions.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

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

/// Arithmetic that rounds towards zero, down or up: an intrinsic per register.
struct DirectedRoundingLowering : ConvertOpToLLVMPattern<tile::MathFnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::MathFnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!tile::isDirectedRounding(op.getFn()))
      return rewriter.notifyMatchFailure(op, "no arithmetic that rounds in a direction");
    auto [function, suffix] = op.getFn().rsplit('_');
    StringRef mode = suffix == "rz" ? "rz" : suffix == "rd" ? "rm" : "rp";
    Type element = getElementTypeOrSelf(op.getType());
    auto name = rewriter.getStringAttr("llvm.nvvm." + function + "." + mode +
                                       (element.isF32() ? ".f" : ".d"));
    auto emitOne = [&](ValueRange operands) {
      return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), element, name, operands)
          .getResults();
    };
    if (!isa<RankedTensorType>(op.getType())) {
      rewriter.replaceOp(op, emitOne(adaptor.getOperands()));
      return success();
    }
    Emitter emit(rewriter, op.getLoc());
    SmallVector<Value> results;
    for (int64_t i = 0; i < registersOf(adaptor.getOperands()[0]); ++i) {
      SmallVector<Value> scalars;
      for (Value operand : adaptor.getOperands())
        scalars.push_back(emit.extract(operand, i));
      results.push_back(emitOne(scalars));
    }
    rewriter.replaceOp(op, emit.fromScalars(results));
    return success();
  }
};

/// Integer division by zero, and of the least integer by -1, are undefined in LLVM, which would let
/// it drop the very test that guards an element; masked-off elements often divide by zero. They are
/// given values here: x // 0 is x and x % 0 is 0, and the quotient by -1 wraps.
template <typename Op, typename LLVMOp>
struct DivisionLowering : ConvertOpToLLVMPattern<Op> {
  explicit DivisionLowering(LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  static constexpr bool isSigned = llvm::is_one_of<Op, arith::DivSIOp, arith::RemSIOp>::value;
  static constexpr bool isQuotient = llvm::is_one_of<Op, arith::DivSIOp, arith::DivUIOp>::value;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    APInt divisor;
    if (matchPattern(op.getRhs(), m_ConstantInt(&divisor)) && !divisor.isZero() &&
        !(isSigned && divisor.isAllOnes()))
      return rewriter.notifyMatchFailure(op, "the divisor is a harmless constant");
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Type type = rhs.getType();
    auto constant = [&](int64_t value) -> Value {
      Type element = tile::elementTypeOf(type);
      TypedAttr attr = IntegerAttr::get(element, value);
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, Attribute(attr));
      return LLVM::ConstantOp::create(rewriter, loc, type, attr);
    };
    auto equals = [&](int64_t value) -> Value {
      return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, rhs, constant(value));
    };
    Value harmful = equals(0), minusOne;
    if (isSigned) {
      minusOne = equals(-1);
      harmful = LLVM::OrOp::create(rewriter, loc, harmful, minusOne);
    }
    Value safe = LLVM::SelectOp::create(rewriter, loc, harmful, constant(1), rhs);
    Value result = LLVMOp::create(rewriter, loc, lhs, safe);
    if (isSigned && isQuotient) {
      Value negated = LLVM::SubOp::create(rewriter, loc, constant(0), lhs);
      result = LLVM::SelectOp::create(rewriter, loc, minusOne, negated, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A shift by the width or more is undefined in LLVM; here it leaves zeros, or the sign, as PTX's
/// shifts do.
template <typename Op, typename LLVMOp>
struct ShiftLowering : ConvertOpToLLVMPattern<Op> {
  explicit ShiftLowering(LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    APInt amount;
    if (matchPattern(op.getRhs(), m_ConstantInt(&amount)) && amount.ult(width))
      return rewriter.notifyMatchFailure(op, "the amount is a harmless constant");
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Type type = rhs.getType();
    auto constant = [&](uint64_t value) -> Value {
      TypedAttr attr = IntegerAttr::get(tile::elementTypeOf(type), APInt(width, value));
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, Attribute(attr));
      return LLVM::ConstantOp::create(rewriter, loc, type, attr);
    };
    Value last = constant(width - 1);
    if (std::is_same_v<Op, arith::ShRSIOp>) {
      Value limited = LLVM::UMinOp::create(rewriter, loc, rhs, last);
      rewriter.replaceOpWithNewOp<LLVMOp>(op, lhs, limited);
      return success();
    }
    Value isInside = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ule, rhs, last);
    // LLVM makes PTX's clamping shift of this, for which it cuts amounts of 64 bits to 32: those
    // are limited first.
    Value limited = width == 64 ? LLVM::UMinOp::create(rewriter, loc, rhs, last) : rhs;
    Value shifted = LLVMOp::create(rewriter, loc, lhs, limited);
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, isInside, shifted, constant(0));
    return success();
  }
};

/// One comparison for each run of registers that share a result, as a mask `i < n` does where n is
/// a multiple of the run: threads have only seven predicate registers.
struct EqualRunLowering : ConvertOpToLLVMPattern<arith::CmpIOp> {
  explicit EqualRunLowering(LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::CmpIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto run = op->getAttrOfType<IntegerAttr>(kEqualRunAttr);
    if (!run)
      return rewriter.notifyMatchFailure(op, "every register may differ");
    Emitter emit(rewriter, op.getLoc());
    SmallVector<int32_t> first, spread;
    for (int32_t reg = 0; reg < registersOf(adaptor.getLhs()); ++reg) {
      if (reg % run.getInt() == 0)
        first.push_back(reg);
      spread.push_back(reg / run.getInt());
    }
    Value equal = LLVM::ICmpOp::create(
        rewriter, op.getLoc(), static_cast<LLVM::ICmpPredicate>(op.getPredicate()),
        emit.permute(adaptor.getLhs(), first), emit.permute(adaptor.getRhs(), first));
    rewriter.replaceOp(op, emit.permute(equal, spread));
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
  patterns
      .add<DivisionLowering<arith::DivSIOp, LLVM::SDivOp>,
           DivisionLowering<arith::DivUIOp, LLVM::UDivOp>,
           DivisionLowering<arith::RemSIOp, LLVM::SRemOp>,
           DivisionLowering<arith::RemUIOp, LLVM::URemOp>,
           ShiftLowering<arith::ShLIOp, LLVM::ShlOp>, ShiftLowering<arith::ShRUIOp, LLVM::LShrOp>,
           ShiftLowering<arith::ShRSIOp, LLVM::AShrOp>, EqualRunLowering, DirectedRoundingLowering,
           UnrollLowering<tilegpu::ApproxOp>, UnrollLowering<tilegpu::DivFullOp>, ProgramIdLowering,
           NumProgramsLowering, HintLowering, AssumeLowering, BarrierLowering<tile::BarrierOp>,
           BarrierLowering<tilegpu::BarrierOp>>(converter);
}
