// tile.atomic_rmw and tile.atomic_cas: each element once, by a thread that owns it.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

/// For every register the first one that holds the same element.
static SmallVector<int32_t> firstHolders(const LinearLayout &layout) {
  SmallVector<int32_t> first;
  llvm::SmallDenseMap<uint64_t, int32_t> holders;
  for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
    first.push_back(holders.try_emplace(layout.applyLinear(reg, 0, 0), reg).first->second);
  return first;
}

namespace {

template <typename Op>
struct AtomicLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  using Adaptor = typename Op::Adaptor;

  static Value maskOf(tile::AtomicRMWOpAdaptor adaptor) { return adaptor.getMask(); }
  static Value maskOf(tile::AtomicCASOpAdaptor) { return {}; }
  static Value cmpOf(tile::AtomicRMWOpAdaptor) { return {}; }
  static Value cmpOf(tile::AtomicCASOpAdaptor adaptor) { return adaptor.getCmp(); }

  static Value create(OpBuilder &builder, tile::AtomicRMWOp op, Value pointer, Value, Value value,
                      Value pred) {
    return tilegpu::AtomOp::create(builder, op.getLoc(), value.getType(), op.getKind(), op.getSem(),
                                   op.getScope(), pointer, value, pred,
                                   op->getAttrOfType<IntegerAttr>(kArgumentAttr));
  }
  static Value create(OpBuilder &builder, tile::AtomicCASOp op, Value pointer, Value cmp,
                      Value value, Value pred) {
    return tilegpu::CasOp::create(builder, op.getLoc(), value.getType(), op.getSem(), op.getScope(),
                                  pointer, cmp, value, pred,
                                  op->getAttrOfType<IntegerAttr>(kArgumentAttr));
  }

  LogicalResult matchAndRewrite(Op op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    return isa<RankedTensorType>(op.getType()) ? lowerTensor(op, adaptor, emit, rewriter)
                                               : lowerScalar(op, adaptor, emit, rewriter);
  }

  /// One thread changes memory for the program and tells the others.
  LogicalResult lowerScalar(Op op, Adaptor adaptor, Emitter &emit,
                            ConversionPatternRewriter &rewriter) const {
    Value owner = emit.ownerPredicate(31, numWarpsOf(op) - 1);
    Value old = create(rewriter, op, adaptor.getPtr(), cmpOf(adaptor), adaptor.getValue(),
                       emit.both(maskOf(adaptor), owner));
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Value all = fromFirstThread(op, old, emit);
    if (!all)
      return failure();
    rewriter.replaceOp(op, all);
    return success();
  }

  LogicalResult lowerTensor(Op op, Adaptor adaptor, Emitter &emit,
                            ConversionPatternRewriter &rewriter) const {
    LinearLayout layout = tilegpu::linearLayoutOf(cast<RankedTensorType>(op.getType()));
    InputBits free = layout.freeBits();
    Value owner = emit.ownerPredicate(free.lanes, free.warps);
    SmallVector<Value> olds;
    for (int32_t holder : firstHolders(layout)) {
      auto reg = static_cast<int32_t>(olds.size());
      if (holder != reg) {
        olds.push_back(olds[holder]);
        continue;
      }
      auto element = [&](Value vector) { return vector ? emit.extract(vector, reg) : Value(); };
      Value mask = element(maskOf(adaptor));
      olds.push_back(create(rewriter, op, element(adaptor.getPtr()), element(cmpOf(adaptor)),
                            element(adaptor.getValue()), emit.both(mask, owner)));
    }
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Value all = emit.fromScalars(olds);
    if (owner) {
      auto place = op->template getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
      if (!place)
        return op.emitError("the result of an atomic goes through shared memory, but the operation "
                            "has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first");
      Value base = emit.sharedAddress(place.getInt());
      Type element = cast<VectorType>(all.getType()).getElementType();
      emit.storeShared(rowMajorAccess(layout, 1, /*ownersOnly=*/true), base, all, Value());
      emit.barrier(free.warps ? numWarpsOf(op) : 1);
      Value read = emit.loadShared(rowMajorAccess(layout, 1, /*ownersOnly=*/false), base, element,
                                   layout.numRegisters());
      all = emit.permute(read, firstHolders(layout));
    }
    rewriter.replaceOp(op, all);
    return success();
  }
};

} // namespace

void tilec::lowering::populateAtomicPatterns(LLVMTypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<AtomicLowering<tile::AtomicRMWOp>, AtomicLowering<tile::AtomicCASOp>>(converter);
}
