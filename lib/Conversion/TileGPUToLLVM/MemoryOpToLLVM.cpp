// Pointers, tile.load and tile.store.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

/// GEP scales by the size of a type in memory, so the element's width is all that counts.
static Type scaleType(Type pointee, OpBuilder &builder) {
  return builder.getIntegerType(tile::storageBits(pointee));
}

namespace {

struct AddPtrLowering : ConvertOpToLLVMPattern<tile::AddPtrOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::AddPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value offset = adaptor.getOffset();
    if (op.getUnsignedOffset() &&
        tile::elementTypeOf(op.getOffset().getType()).getIntOrFloatBitWidth() < 64) {
      Type wide = rewriter.getI64Type();
      if (auto vector = dyn_cast<VectorType>(offset.getType()))
        wide = vector.clone(wide);
      offset = LLVM::ZExtOp::create(rewriter, op.getLoc(), wide, offset);
    }
    auto pointer = cast<tile::PtrType>(tile::elementTypeOf(op.getType()));
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, getTypeConverter()->convertType(op.getType()),
                                             scaleType(pointer.getPointeeType(), rewriter),
                                             adaptor.getPtr(), ArrayRef<LLVM::GEPArg>{offset});
    return success();
  }
};

struct PtrCastLowering : ConvertOpToLLVMPattern<tile::PtrCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::PtrCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

template <typename Op, typename LLVMOp>
struct AddressLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVMOp>(op, this->getTypeConverter()->convertType(op.getType()),
                                        adaptor.getSource());
    return success();
  }
};

/// Where the registers of an access point: a vector of pointers, or one base and a vector of
/// offsets.
struct Addresses {
  Value pointers;
  Value base, offsets;
  bool isUnsigned = false;
  Type scale;

  Value get(Emitter &emit, int64_t reg) const {
    if (!base)
      return emit.extract(pointers, reg);
    Value offset = emit.extract(offsets, reg);
    if (isUnsigned && offset.getType().getIntOrFloatBitWidth() < 64)
      offset = LLVM::ZExtOp::create(emit.builder, emit.loc, emit.builder.getI64Type(), offset);
    return emit.offset(base, scale, offset);
  }
};

/// Finds base and offsets behind a canonical tensor of pointers.
Addresses addressesOf(Value pointer, Value lowered, ConversionPatternRewriter &rewriter) {
  Addresses result;
  result.pointers = lowered;
  while (auto hint = pointer.getDefiningOp<tile::HintOp>())
    pointer = hint.getValue();
  auto add = pointer.getDefiningOp<tile::AddPtrOp>();
  auto splat = add ? add.getPtr().getDefiningOp<tile::SplatOp>() : tile::SplatOp();
  if (!splat)
    return result;
  Value base = rewriter.getRemappedValue(splat.getSource());
  Value offsets = rewriter.getRemappedValue(add.getOffset());
  if (!base || !offsets)
    return result;
  result.base = base;
  result.offsets = offsets;
  result.isUnsigned = add.getUnsignedOffset();
  result.scale = scaleType(
      cast<tile::PtrType>(tile::elementTypeOf(pointer.getType())).getPointeeType(), rewriter);
  return result;
}

struct LoadLowering : ConvertOpToLLVMPattern<tile::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    auto argument = op->getAttrOfType<IntegerAttr>(kArgumentAttr);
    auto load = [&](Type type, Value pointer, Value mask, Value other, int64_t align) -> Value {
      return tilegpu::LdOp::create(rewriter, op.getLoc(), type, pointer, mask, other, align,
                                   op.getCache(), op.getEvict(), op.getIsVolatile(), argument);
    };
    auto type = dyn_cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    if (!type) {
      Type scalar = adaptor.getOther() ? adaptor.getOther().getType()
                                       : getTypeConverter()->convertType(op.getType());
      bool isShared = op.getIsVolatile() && !op->use_empty();
      Value mask = adaptor.getMask();
      if (isShared)
        mask = emit.both(mask, emit.ownerPredicate(31, numWarpsOf(op) - 1));
      Value value = load(scalar, adaptor.getPtr(), mask, adaptor.getOther(), bytesOf(scalar));
      if (isShared)
        value = fromFirstThread(op, value, emit);
      if (!value)
        return failure();
      rewriter.replaceOp(op, value);
      return success();
    }
    auto width = op->getAttrOfType<IntegerAttr>(kVectorAttr);
    int64_t elements = width ? width.getInt() : 1;
    Addresses addresses = addressesOf(op.getPtr(), adaptor.getPtr(), rewriter);
    Type element = type.getElementType();
    Type accessType = elements == 1 ? element : VectorType::get({elements}, element);
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < type.getNumElements(); reg += elements) {
      Value mask = adaptor.getMask() ? emit.extract(adaptor.getMask(), reg) : Value();
      Value other;
      if (adaptor.getOther() && elements == 1) {
        other = emit.extract(adaptor.getOther(), reg);
      } else if (adaptor.getOther()) {
        SmallVector<int32_t> some = indexRange(reg, reg + elements);
        other = emit.permute(adaptor.getOther(), some);
      }
      parts.push_back(
          load(accessType, addresses.get(emit, reg), mask, other, elements * bytesOf(element)));
    }
    rewriter.replaceOp(op, emit.concat(parts));
    return success();
  }
};

struct StoreLowering : ConvertOpToLLVMPattern<tile::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    auto argument = op->getAttrOfType<IntegerAttr>(kArgumentAttr);
    auto store = [&](Value pointer, Value value, Value mask, int64_t align) {
      tilegpu::StOp::create(rewriter, op.getLoc(), pointer, value, mask, align, op.getCache(),
                            op.getEvict(), argument);
    };
    auto tensor = dyn_cast<RankedTensorType>(op.getPtr().getType());
    if (!tensor) {
      // One thread writes for the program.
      uint32_t warps = numWarpsOf(op) - 1;
      store(adaptor.getPtr(), adaptor.getValue(),
            emit.both(adaptor.getMask(), emit.ownerPredicate(31, warps)),
            bytesOf(adaptor.getValue().getType()));
      rewriter.eraseOp(op);
      return success();
    }
    LinearLayout layout = tilegpu::linearLayoutOf(tensor);
    InputBits free = layout.freeBits();
    Value owner = emit.ownerPredicate(free.lanes, free.warps);
    auto width = op->getAttrOfType<IntegerAttr>(kVectorAttr);
    int64_t elements = width ? width.getInt() : 1;
    Addresses addresses = addressesOf(op.getPtr(), adaptor.getPtr(), rewriter);
    int64_t bytes = bytesOf(cast<VectorType>(adaptor.getValue().getType()).getElementType());
    for (int64_t reg = 0; reg < layout.numRegisters(); reg += elements) {
      if (reg & free.registers)
        continue; // another register holds the same element
      Value mask = adaptor.getMask() ? emit.extract(adaptor.getMask(), reg) : Value();
      SmallVector<int32_t> some = indexRange(reg, reg + elements);
      Value value = elements == 1 ? emit.extract(adaptor.getValue(), reg)
                                  : emit.permute(adaptor.getValue(), some);
      store(addresses.get(emit, reg), value, emit.both(mask, owner), elements * bytes);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilec::lowering::populateMemoryPatterns(LLVMTypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<AddPtrLowering, PtrCastLowering, AddressLowering<tile::PtrToIntOp, LLVM::PtrToIntOp>,
               AddressLowering<tile::IntToPtrOp, LLVM::IntToPtrOp>, LoadLowering, StoreLowering>(
      converter);
}
