// Verifiers and builders of the tile dialect's operations on shapes, pointers and memory.
#include "dialects/Tile/IR/OpSupport.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::tile;

#define GET_OP_CLASSES
#include "dialects/Tile/IR/TileOps.cpp.inc"

//===--- Hints --------------------------------------------------------------===//

LogicalResult HintOp::verify() {
  int64_t rank = std::max<int64_t>(shapeOf(getType()).size(), 1);
  auto check = [&](StringRef name, ArrayRef<int64_t> values) -> LogicalResult {
    if (!values.empty() && static_cast<int64_t>(values.size()) != rank)
      return emitOpError() << name << " has " << values.size() << " entries, the value has rank "
                           << rank;
    for (int64_t value : values)
      if (value <= 0)
        return emitOpError() << name << " must be positive, got " << value;
    return success();
  };
  if (failed(check("divisibility", getDivisibility())) ||
      failed(check("contiguity", getContiguity())) || failed(check("constancy", getConstancy())))
    return failure();
  return success();
}

//===--- Shapes --------------------------------------------------------------===//

LogicalResult ArangeOp::verify() {
  int64_t length =
      static_cast<int64_t>(static_cast<int32_t>(getEnd())) - static_cast<int32_t>(getStart());
  if (length <= 0 || !llvm::isPowerOf2_64(length))
    return emitOpError() << "length must be a positive power of two, got " << length;
  if (getType().getDimSize(0) != length)
    return emitOpError() << "result has " << getType().getDimSize(0) << " elements, the range has "
                         << length;
  return success();
}

LogicalResult SplatOp::verify() {
  Type element = cast<RankedTensorType>(getType()).getElementType();
  if (getSource().getType() != element)
    return emitOpError() << "source " << getSource().getType() << " and result element " << element
                         << " must be the same type";
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> expected = shapeOf(getSource().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > static_cast<int64_t>(expected.size()))
    return emitOpError() << "axis " << axis << " is out of range for a source of rank "
                         << expected.size();
  expected.insert(expected.begin() + axis, 1);
  if (ArrayRef<int64_t>(expected) != ArrayRef<int64_t>(shapeOf(getType())))
    return emitOpError() << "result " << getType() << " must be source " << getSource().getType()
                         << " with a 1 inserted at " << axis;
  return verifySameElement(*this, getSource().getType(), getType());
}

LogicalResult BroadcastOp::verify() {
  SmallVector<int64_t> from = shapeOf(getSource().getType()), to = shapeOf(getType());
  if (from.size() != to.size())
    return emitOpError() << "source " << getSource().getType() << " and result " << getType()
                         << " must have the same rank";
  for (auto [dim, extents] : llvm::enumerate(llvm::zip(from, to))) {
    auto [source, result] = extents;
    if (source != result && source != 1)
      return emitOpError() << "dim " << dim << " of the source (" << source
                           << ") must be 1 or that of the result (" << result << ")";
  }
  return verifySameElement(*this, getSource().getType(), getType());
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType()), to = cast<RankedTensorType>(getType());
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "source has " << from.getNumElements() << " elements, the result has "
                         << to.getNumElements();
  return verifySameElement(*this, from, to);
}

LogicalResult TransOp::verify() {
  SmallVector<int64_t> from = shapeOf(getSource().getType()), to = shapeOf(getType());
  ArrayRef<int32_t> order = getOrder();
  if (order.size() != from.size() || order.size() != to.size())
    return emitOpError() << "order has " << order.size() << " entries, the source has rank "
                         << from.size() << " and the result rank " << to.size();
  SmallVector<bool> seen(order.size(), false);
  for (auto [dim, source] : llvm::enumerate(order)) {
    if (source < 0 || source >= static_cast<int32_t>(order.size()) || seen[source])
      return emitOpError() << "order must be a permutation of 0 to " << order.size() - 1;
    seen[source] = true;
    if (to[dim] != from[source])
      return emitOpError() << "dim " << dim << " of the result (" << to[dim] << ") must be dim "
                           << source << " of the source (" << from[source] << ")";
  }
  return verifySameElement(*this, getSource().getType(), getType());
}

//===--- Pointers ------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  return verifySameShape(*this, "offset", getOffset().getType(), "pointer", getPtr().getType());
}

LogicalResult PtrCastOp::verify() {
  return verifySameShape(*this, "source", getSource().getType(), "result", getType());
}

static LogicalResult verifyAddress(Operation *op, Type address, Type ptr) {
  if (!elementTypeOf(address).isInteger(64))
    return op->emitOpError() << "address must be i64, got " << elementTypeOf(address);
  return verifySameShape(op, "address", address, "pointer", ptr);
}

LogicalResult PtrToIntOp::verify() {
  return verifyAddress(*this, getType(), getSource().getType());
}

LogicalResult IntToPtrOp::verify() {
  return verifyAddress(*this, getSource().getType(), getType());
}

//===--- Memory ---------------------------------------------------------------===//

Type LoadOp::getPointeeType() {
  return cast<PtrType>(elementTypeOf(getPtr().getType())).getPointeeType();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  if (getIsVolatile()) // neither dropped nor merged with another
    effects.emplace_back(MemoryEffects::Write::get(), &getPtrMutable());
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other) {
  build(builder, state, pointeesOf(ptr.getType()), ptr, mask, other, CacheModifier::none,
        EvictionPolicy::normal, /*is_volatile=*/false);
}

/// The cache operators of `op` are those that PTX has for it.
static LogicalResult verifyCache(Operation *op, CacheModifier cache,
                                 ArrayRef<CacheModifier> allowed) {
  if (cache == CacheModifier::none || llvm::is_contained(allowed, cache))
    return success();
  auto diagnostic = op->emitOpError() << "cache modifier '" << stringifyCacheModifier(cache)
                                      << "' must be one of 'none'";
  for (CacheModifier one : allowed)
    diagnostic << ", '" << stringifyCacheModifier(one) << "'";
  return diagnostic;
}

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (getType() != pointeesOf(ptr))
    return emitOpError() << "result " << getType() << " must be " << pointeesOf(ptr)
                         << ", what the pointer " << ptr << " points to";
  if (getOther() && !getMask())
    return emitOpError("has 'other' without 'mask'");
  if (getMask() && getMask().getType() != maskOf(ptr))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of pointer "
                         << ptr;
  if (getOther() && getOther().getType() != getType())
    return emitOpError() << "other " << getOther().getType() << " must have the type of the result "
                         << getType();
  return verifyCache(*this, getCache(),
                     {CacheModifier::ca, CacheModifier::cg, CacheModifier::cs, CacheModifier::cv});
}

LogicalResult StoreOp::verify() {
  Type ptr = getPtr().getType();
  if (getValue().getType() != pointeesOf(ptr))
    return emitOpError() << "value " << getValue().getType() << " must be " << pointeesOf(ptr)
                         << ", what the pointer " << ptr << " points to";
  if (getMask() && getMask().getType() != maskOf(ptr))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of pointer "
                         << ptr;
  return verifyCache(*this, getCache(),
                     {CacheModifier::wb, CacheModifier::cg, CacheModifier::cs, CacheModifier::wt});
}
