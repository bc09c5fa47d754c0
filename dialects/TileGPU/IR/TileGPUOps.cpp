// Verifiers and folds of the tilegpu dialect's operations.
#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

#define GET_OP_CLASSES
#include "dialects/TileGPU/IR/TileGPUOps.cpp.inc"

LogicalResult ConvertLayoutOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType()), to = cast<RankedTensorType>(getType());
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
    return emitOpError() << "source " << from << " and result " << to
                         << " must have the same shape and element type";
  LayoutAttr source = layoutOf(from), result = layoutOf(to);
  if (!source || !result)
    return emitOpError() << "source " << from << " and result " << to << " must have layouts";
  if (source.getNumWarps() != result.getNumWarps())
    return emitOpError() << "source has " << source.getNumWarps() << " warps, the result has "
                         << result.getNumWarps();
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto dense = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return DenseElementsAttr::get(cast<ShapedType>(getType()), dense.getSplatValue<Attribute>());
  return {};
}

/// Size in bytes of what a thread's access moves; 0 when the type cannot be moved.
static int64_t accessBytes(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1)
      return 0;
    count = vector.getNumElements();
    type = vector.getElementType();
  }
  if (isa<LLVM::LLVMPointerType>(type))
    return count * 8;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0
             ? count * type.getIntOrFloatBitWidth() / 8
             : 0;
}

static LogicalResult verifyAccess(Operation *op, Type type, int64_t align) {
  int64_t bytes = accessBytes(type);
  if (!llvm::isPowerOf2_64(bytes) || bytes > 16)
    return op->emitOpError() << "moves 1, 2, 4, 8 or 16 bytes, got " << type;
  if (!llvm::isPowerOf2_64(align) || align < bytes)
    return op->emitOpError() << "alignment " << align << " must be a power of two of at least the "
                             << bytes << " bytes of " << type;
  return success();
}

void LdOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), &getPtrMutable());
}

LogicalResult LdOp::verify() {
  if (getOther() && !getPred())
    return emitOpError("has 'other' without 'pred'");
  if (getOther() && getOther().getType() != getType())
    return emitOpError() << "other " << getOther().getType() << " must have the type of the result "
                         << getType();
  return verifyAccess(*this, getType(), static_cast<int32_t>(getAlign()));
}

LogicalResult StOp::verify() {
  return verifyAccess(*this, getValue().getType(), static_cast<int32_t>(getAlign()));
}

//===--- Atomics -----------------------------------------------------------===//

/// What PTX has atomic instructions for.
static LogicalResult verifyAtomic(Operation *op, Type type, StringRef kind,
                                  ArrayRef<unsigned> widths) {
  if (isa<LLVM::LLVMPointerType>(type))
    return success();
  if (type.isIntOrFloat() && llvm::is_contained(widths, type.getIntOrFloatBitWidth()))
    return success();
  return op->emitOpError() << "'" << kind << "' does not work on " << type;
}

LogicalResult AtomOp::verify() {
  Type type = getValue().getType();
  StringRef name = tile::stringifyAtomicKind(getKind());
  if (getKind() == tile::AtomicKind::xchg)
    return verifyAtomic(*this, type, name, {32, 64});
  bool isFloatKind = getKind() == tile::AtomicKind::fadd;
  if (isa<FloatType>(type) != isFloatKind || isa<LLVM::LLVMPointerType>(type))
    return emitOpError() << "'" << name << "' does not work on " << type;
  return isFloatKind ? verifyAtomic(*this, type, name, {16, 32, 64})
                     : verifyAtomic(*this, type, name, {32, 64});
}

LogicalResult CasOp::verify() {
  return verifyAtomic(*this, getValue().getType(), "cas", {16, 32, 64});
}

void AsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
