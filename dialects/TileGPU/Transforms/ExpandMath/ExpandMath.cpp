// Rewrites math operations into arithmetic and hardware approximations.
#include "dialects/TileGPU/Transforms/ExpandMath/ExpandMath.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"

#include "dialects/Tile/IR/MathFunctions.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#define DEBUG_TYPE "tilegpu-expand-math"

using namespace mlir;

namespace tilec::tilegpu {

#define GEN_PASS_DEF_EXPANDMATHPASS
#include "dialects/TileGPU/Transforms/ExpandMath/Passes.h.inc"

namespace {

bool has(arith::FastMathFlags flags, arith::FastMathFlags flag) {
  return arith::bitEnumContainsAll(flags, flag);
}

/// Whether the formulas can be written on this type.
bool isExpandable(Type type) {
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    element = tensor.getElementType();
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

/// The 8-bit float that an operation computes with, if it does: they can be moved and cast only.
Type formatWithoutArithmetic(Operation *op) {
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op))
    return Type();
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
      return element;
  }
  return Type();
}

template <typename OpT>
struct ExpandFunction : OpRewritePattern<OpT> {
  ExpandFunction(MLIRContext *context, Expansion expansion)
      : OpRewritePattern<OpT>(context), expansion(expansion) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isExpandable(type))
      return rewriter.notifyMatchFailure(op, "neither a float nor a tensor of floats");
    Place place{rewriter, op.getLoc()};
    Value operand = op.getOperand();
    bool isNarrow = getElementTypeOrSelf(type).getIntOrFloatBitWidth() == 16;
    if (isNarrow)
      operand = arith::ExtFOp::create(rewriter, op.getLoc(),
                                      withElement(type, rewriter.getF32Type()), operand);
    bool fast = has(op.getFastmath(), arith::FastMathFlags::afn);
    Value result = expansion({{&place, operand}}, fast).value;
    if (isNarrow)
      result = arith::TruncFOp::create(rewriter, op.getLoc(), type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  Expansion expansion;
};

/// The backend rounds square roots correctly, which takes a dozen instructions; `afn` asks for
/// less.
struct ApproximateSqrt : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op, PatternRewriter &rewriter) const override {
    if (!has(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "has to be rounded correctly");
    if (!isExpandable(op.getType()) || !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    rewriter.replaceOpWithNewOp<ApproxOp>(op, ApproxFn::sqrt, op.getOperand());
    return success();
  }
};

struct ApproximateDivision : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    if (!has(op.getFastmath(), arith::FastMathFlags::arcp))
      return rewriter.notifyMatchFailure(op, "has to be rounded correctly");
    if (!isExpandable(op.getType()) || !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    rewriter.replaceOpWithNewOp<DivFullOp>(op, op.getLhs(), op.getRhs());
    return success();
  }
};

struct ExpandMathPass : impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<ExpandFunction<math::ExpOp>>(context, &expandExp);
    set.add<ExpandFunction<math::Exp2Op>>(context, &expandExp2);
    set.add<ExpandFunction<math::ExpM1Op>>(context, &expandExpM1);
    set.add<ExpandFunction<math::LogOp>>(context, &expandLog);
    set.add<ExpandFunction<math::Log2Op>>(context, &expandLog2);
    set.add<ExpandFunction<math::Log10Op>>(context, &expandLog10);
    set.add<ExpandFunction<math::Log1pOp>>(context, &expandLog1p);
    set.add<ExpandFunction<math::SinOp>>(context, &expandSin);
    set.add<ExpandFunction<math::CosOp>>(context, &expandCos);
    set.add<ExpandFunction<math::TanOp>>(context, &expandTan);
    set.add<ExpandFunction<math::ErfOp>>(context, &expandErf);
    set.add<ExpandFunction<math::TanhOp>>(context, &expandTanh);
    set.add<ExpandFunction<math::RsqrtOp>>(context, &expandRsqrt);
    set.add<ApproximateSqrt, ApproximateDivision>(context);
    populateLibraryPatterns(set);
    populateFloatCastPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
    // The backend ends the process on what it can't select: say so here, with a location.
    WalkResult result = getOperation()->walk([](Operation *op) -> WalkResult {
      if (Type type = formatWithoutArithmetic(op))
        return op->emitError() << "arithmetic and comparisons of "
                               << (isa<Float8E5M2Type>(type) ? "fp8e5" : "fp8e4nv")
                               << " are not supported; cast to fp16 or fp32 first";
      auto function = dyn_cast<tile::MathFnOp>(op);
      if (function &&
          (tile::isDirectedRounding(function.getFn()) || !isExpandable(op->getResult(0).getType())))
        return WalkResult::advance();
      if (!function && !isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp,
                            math::Atan2Op, math::AtanhOp, math::CbrtOp, math::CoshOp, math::SinhOp,
                            math::ErfcOp, math::FPowIOp, math::PowFOp>(op))
        return WalkResult::advance();
      return op->emitError() << "'" << op->getName() << "' on " << op->getResult(0).getType()
                             << " has no expansion for GPUs yet";
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace

} // namespace tilec::tilegpu
