// Folds of the tile dialect: constants through shape operations, empty pointer moves.
#include "dialects/Tile/IR/Tile.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec::tile;

/// A splat attribute of `type` with the value of `source`, or null.
static Attribute resplat(Attribute source, Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!source || !shaped || !shaped.getElementType().isIntOrFloat())
    return {};
  if (auto dense = dyn_cast<SplatElementsAttr>(source))
    return DenseElementsAttr::get(shaped, dense.getSplatValue<Attribute>());
  if (isa<IntegerAttr, FloatAttr>(source))
    return DenseElementsAttr::get(shaped, source);
  return {};
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) { return resplat(adaptor.getSource(), getType()); }

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resplat(adaptor.getSource(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return resplat(adaptor.getSource(), getType());
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}
