// Patterns of the functions that came with libdevice.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"

#include "dialects/Tile/IR/MathFunctions.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::tilegpu {

namespace {

bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// Halves in f32.
Value widen(PatternRewriter &rewriter, Location loc, Value value) {
  if (!isHalf(value.getType()))
    return value;
  return arith::ExtFOp::create(rewriter, loc, withElement(value.getType(), rewriter.getF32Type()),
                               value);
}

void replace(PatternRewriter &rewriter, Operation *op, Value result) {
  Type type = op->getResult(0).getType();
  if (isHalf(type))
    result = arith::TruncFOp::create(rewriter, op->getLoc(), type, result);
  rewriter.replaceOp(op, result);
}

bool isExpandable(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isHalf(type) || element.isF32() || element.isF64();
}

/// An operation of the math dialect whose operands are of one type.
template <typename OpT>
struct ExpandOperation : OpRewritePattern<OpT> {
  ExpandOperation(MLIRContext *context, Expansion unary)
      : OpRewritePattern<OpT>(context), unary(unary) {}
  ExpandOperation(MLIRContext *context, ExpansionOfMany many)
      : OpRewritePattern<OpT>(context), many(many) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "neither a float nor a tensor of floats");
    Place place{rewriter, op.getLoc()};
    SmallVector<Num> operands;
    for (Value operand : op->getOperands())
      operands.push_back({{&place, widen(rewriter, op.getLoc(), operand)}});
    replace(rewriter, op, (unary ? unary(operands[0], false) : many(operands)).value);
    return success();
  }

  Expansion unary = nullptr;
  ExpansionOfMany many = nullptr;
};

struct ExpandPowerOfInteger : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Value exponent = op.getRhs();
    if (!isExpandable(op.getType()) || !getElementTypeOrSelf(exponent.getType()).isInteger(32))
      return rewriter.notifyMatchFailure(op, "not a float to the power of an i32");
    Place place{rewriter, op.getLoc()};
    Num x{{&place, widen(rewriter, op.getLoc(), op.getLhs())}};
    replace(rewriter, op, expandPowi(x, {{&place, exponent}}).value);
    return success();
  }
};

struct ExpandFunctionByName : OpRewritePattern<tile::MathFnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile::MathFnOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "neither f32 nor f64");
    auto unary = llvm::StringSwitch<Expansion>(op.getFn())
                     .Case("exp10", expandExp10)
                     .Case("sinpi", expandSinpi)
                     .Case("cospi", expandCospi)
                     .Case("rcbrt", expandRcbrt)
                     .Case("erfcx", expandErfcx)
                     .Case("erfinv", expandErfinv)
                     .Case("erfcinv", expandErfcinv)
                     .Case("normcdf", expandNormcdf)
                     .Case("normcdfinv", expandNormcdfinv)
                     .Case("lgamma", expandLgamma)
                     .Case("tgamma", expandTgamma)
                     .Case("j0", expandJ0)
                     .Case("j1", expandJ1)
                     .Case("y0", expandY0)
                     .Case("y1", expandY1)
                     .Case("cyl_bessel_i0", expandI0)
                     .Case("cyl_bessel_i1", expandI1)
                     .Default(nullptr);
    auto many = llvm::StringSwitch<ExpansionOfMany>(op.getFn())
                    .Cases({"hypot", "norm3d", "norm4d"}, expandNorm)
                    .Cases({"rhypot", "rnorm3d", "rnorm4d"}, expandRnorm)
                    .Default(nullptr);
    if (!unary && !many)
      return rewriter.notifyMatchFailure(op, "no expansion of this function");
    Place place{rewriter, op.getLoc()};
    SmallVector<Num> operands;
    for (Value operand : op.getOperands())
      operands.push_back({{&place, operand}});
    rewriter.replaceOp(op, (unary ? unary(operands[0], false) : many(operands)).value);
    return success();
  }
};

} // namespace

void populateLibraryPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandOperation<math::AsinOp>>(context, &expandAsin);
  patterns.add<ExpandOperation<math::AcosOp>>(context, &expandAcos);
  patterns.add<ExpandOperation<math::AtanOp>>(context, &expandAtan);
  patterns.add<ExpandOperation<math::Atan2Op>>(context, &expandAtan2);
  patterns.add<ExpandOperation<math::SinhOp>>(context, &expandSinh);
  patterns.add<ExpandOperation<math::CoshOp>>(context, &expandCosh);
  patterns.add<ExpandOperation<math::AsinhOp>>(context, &expandAsinh);
  patterns.add<ExpandOperation<math::AcoshOp>>(context, &expandAcosh);
  patterns.add<ExpandOperation<math::AtanhOp>>(context, &expandAtanh);
  patterns.add<ExpandOperation<math::PowFOp>>(context, &expandPow);
  patterns.add<ExpandOperation<math::CbrtOp>>(context, &expandCbrt);
  patterns.add<ExpandOperation<math::ErfcOp>>(context, &expandErfc);
  patterns.add<ExpandPowerOfInteger, ExpandFunctionByName>(context);
}

} // namespace tilec::tilegpu
