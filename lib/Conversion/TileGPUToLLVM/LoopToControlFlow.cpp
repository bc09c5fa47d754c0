// Loops whose counter could pass the largest number of its type: the last turn is found without
// computing the counter after it.
#include "dialects/Tile/Transforms/IndexRanges.h"
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilec::lowering {

/// On a loop: the counter may wrap beyond the upper bound; true if it is never negative.
static constexpr llvm::StringLiteral kMayWrapAttr = "tilegpu.may_wrap";

void markWrappingLoops(func::FuncOp function) {
  std::optional<tile::IndexRanges> ranges;
  function.walk([&](scf::ForOp loop) {
    APInt step;
    if (matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isOne())
      return;
    if (!ranges)
      ranges.emplace(function);
    ConstantIntRanges upper = ranges->get(loop.getUpperBound());
    ConstantIntRanges by = ranges->get(loop.getStep());
    bool wraps = false;
    // The largest counter is the bound less one; a step that is not positive ends no loop anyway.
    if (loop.getUnsignedCmp())
      (void)upper.umax().uadd_ov(by.umax() - 1, wraps);
    else if (by.smax().isStrictlyPositive())
      (void)upper.smax().sadd_ov(by.smax() - 1, wraps);
    bool isNatural = !loop.getUnsignedCmp() && ranges->isNonNegative(loop.getLowerBound());
    if (wraps)
      loop->setAttr(kMayWrapAttr, BoolAttr::get(function.getContext(), isNatural));
  });
}

namespace {
/// A counter that is never negative and a step of its type add up to an unsigned number, which is
/// compared as such: what ptxas takes for a loop to unroll. Of others another turn follows if
/// `counter < bound - step`, where what is below the least number counts as it.
struct WrappingLoopLowering : OpConversionPattern<scf::ForOp> {
  explicit WrappingLoopLowering(MLIRContext *context)
      : OpConversionPattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(scf::ForOp loop, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto isNatural = loop->getAttrOfType<BoolAttr>(kMayWrapAttr);
    if (!isNatural)
      return rewriter.notifyMatchFailure(loop, "the counter cannot wrap");
    Location loc = loop.getLoc();
    bool isUnsigned = loop.getUnsignedCmp();
    auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();

    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    SmallVector<Value> results;
    for (Value result : loop.getResults())
      results.push_back(after->addArgument(result.getType(), loc));
    Block *first = loop.getBody(), *last = &loop.getRegion().back();
    rewriter.inlineRegionBefore(loop.getRegion(), after);

    rewriter.setInsertionPointToEnd(before);
    Value limit;
    if (!isNatural.getValue()) {
      Value least = step;
      if (!isUnsigned) {
        APInt smallest = APInt::getSignedMinValue(lower.getType().getIntOrFloatBitWidth());
        least = arith::AddIOp::create(
            rewriter, loc, step,
            arith::ConstantOp::create(rewriter, loc,
                                      rewriter.getIntegerAttr(lower.getType(), smallest)));
      }
      Value bound = isUnsigned ? arith::MaxUIOp::create(rewriter, loc, upper, least).getResult()
                               : arith::MaxSIOp::create(rewriter, loc, upper, least).getResult();
      limit = arith::SubIOp::create(rewriter, loc, bound, step);
    }
    Value any = arith::CmpIOp::create(rewriter, loc, less, lower, upper);
    SmallVector<Value> going{lower};
    llvm::append_range(going, loop.getInitArgs());
    cf::CondBranchOp::create(rewriter, loc, any, first, going, after, loop.getInitArgs());

    Operation *yield = last->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value counter = first->getArgument(0);
    Value next = arith::AddIOp::create(rewriter, loc, counter, step);
    Value more = limit
                     ? arith::CmpIOp::create(rewriter, loc, less, counter, limit)
                     : arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, next, upper);
    going = {next};
    llvm::append_range(going, yield->getOperands());
    cf::CondBranchOp::create(rewriter, loc, more, first, going, after, yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.replaceOp(loop, results);
    return success();
  }
};
} // namespace

void populateLoopPatterns(RewritePatternSet &patterns) {
  patterns.add<WrappingLoopLowering>(patterns.getContext());
}

} // namespace tilec::lowering
