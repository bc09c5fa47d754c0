// Operations that rename elements or make them from nothing: no data moves between threads.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

using RegisterMap = std::optional<SmallVector<int32_t>>;

namespace {

template <typename Op>
struct RenameLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    auto to = cast<RankedTensorType>(op.getType());
    RegisterMap map = registers(op, tilegpu::linearLayoutOf(to), tilegpu::linearLayoutOf(from));
    if (!map)
      return op.emitError() << "layouts of " << from << " and " << to
                            << " do not keep elements in their threads";
    rewriter.replaceOp(op, Emitter(rewriter, op.getLoc()).permute(adaptor.getSource(), *map));
    return success();
  }

private:
  static RegisterMap registers(tile::ExpandDimsOp op, const LinearLayout &dst,
                               const LinearLayout &src) {
    return expandDimsRegisterMap(dst, src, op.getAxis());
  }
  static RegisterMap registers(tile::BroadcastOp, const LinearLayout &dst,
                               const LinearLayout &src) {
    return broadcastRegisterMap(dst, src);
  }
  static RegisterMap registers(tile::ReshapeOp, const LinearLayout &dst, const LinearLayout &src) {
    return reshapeRegisterMap(dst, src);
  }
  static RegisterMap registers(tile::TransOp op, const LinearLayout &dst, const LinearLayout &src) {
    SmallVector<unsigned> order(op.getOrder().begin(), op.getOrder().end());
    return transposeRegisterMap(dst, src, order);
  }
};

struct SplatLowering : ConvertOpToLLVMPattern<tile::SplatOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    rewriter.replaceOp(
        op, Emitter(rewriter, op.getLoc()).splat(adaptor.getSource(), type.getNumElements()));
    return success();
  }
};

struct ConstantLowering : ConvertOpToLLVMPattern<arith::ConstantOp> {
  ConstantLowering(LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!isa<RankedTensorType>(op.getType()) || !dense || !dense.isSplat())
      return rewriter.notifyMatchFailure(op, "not a splat tensor");
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, type, DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
    return success();
  }
};

struct ArangeLowering : ConvertOpToLLVMPattern<tile::ArangeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::ArangeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    LinearLayout layout = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getType()));
    auto narrow = [](ArrayRef<uint64_t> bases) {
      return SmallVector<uint32_t>(bases.begin(), bases.end());
    };
    SmallVector<uint32_t> lanes = narrow(layout.getBases(InDim::Lane)),
                          warps = narrow(layout.getBases(InDim::Warp));
    uint32_t threadBits = 0, registerBits = 0;
    for (uint32_t basis : lanes)
      threadBits |= basis;
    for (uint32_t basis : warps)
      threadBits |= basis;
    for (uint32_t basis : narrow(layout.getBases(InDim::Register)))
      registerBits |= basis;
    llvm::append_range(lanes, warps); // the thread's number is its warp's times 32 plus its lane
    Value thread = emit.linear(emit.threadId(), lanes);
    SmallVector<int32_t> constants;
    bool disjoint = (threadBits & registerBits) == 0;
    int32_t start = static_cast<int32_t>(op.getStart());
    for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
      constants.push_back(static_cast<int32_t>(layout.applyLinear(reg, 0, 0)) +
                          (disjoint ? start : 0));
    Value threads = emit.splat(thread, layout.numRegisters());
    Value registers = emit.constantVector(constants);
    if (disjoint) {
      rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, threads, registers);
      return success();
    }
    Value index = LLVM::XOrOp::create(rewriter, op.getLoc(), threads, registers);
    rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, index,
                                             emit.splat(emit.i32(start), layout.numRegisters()));
    return success();
  }
};

} // namespace

void tilec::lowering::populateShapePatterns(LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<RenameLowering<tile::ExpandDimsOp>, RenameLowering<tile::BroadcastOp>,
               RenameLowering<tile::ReshapeOp>, RenameLowering<tile::TransOp>, SplatLowering,
               ConstantLowering, ArangeLowering>(converter);
}
