// Verifiers of operations that bring elements to other places of a tensor.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec::tile;

/// `joined` is `half` with a last dimension of two.
static LogicalResult verifyJoined(Operation *op, Type half, StringRef name, Type joined) {
  SmallVector<int64_t> expected = shapeOf(half);
  expected.push_back(2);
  if (expected != shapeOf(joined))
    return op->emitOpError() << name << " " << joined << " must be " << half
                             << " with a last dimension of 2";
  return verifySameElement(op, half, joined);
}

LogicalResult JoinOp::verify() {
  return verifyJoined(*this, getLhs().getType(), "result", getType());
}

LogicalResult SplitOp::verify() {
  return verifyJoined(*this, getLhs().getType(), "source", getSource().getType());
}

LogicalResult GatherOp::verify() {
  SmallVector<int64_t> source = shapeOf(getSource().getType()),
                       indices = shapeOf(getIndices().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= static_cast<int64_t>(source.size()))
    return emitOpError() << "axis " << axis << " is out of range for a source of rank "
                         << source.size();
  if (source.size() != indices.size())
    return emitOpError() << "source " << getSource().getType() << " and indices "
                         << getIndices().getType() << " must have the same rank";
  for (size_t dim = 0; dim < source.size(); ++dim)
    if (static_cast<int64_t>(dim) != axis && source[dim] != indices[dim])
      return emitOpError() << "dim " << dim << " of the indices (" << indices[dim]
                           << ") must be that of the source (" << source[dim] << ")";
  if (!isa<IntegerType>(elementTypeOf(getIndices().getType())))
    return emitOpError() << "indices must be integers, got " << getIndices().getType();
  if (failed(verifySameShape(*this, "result", getType(), "indices", getIndices().getType())))
    return failure();
  return verifySameElement(*this, getSource().getType(), getType());
}

LogicalResult HistogramOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getType());
  if (source.getRank() != 1 || !isa<IntegerType>(source.getElementType()))
    return emitOpError() << "source must be integers of one dimension, got " << source;
  if (result.getRank() != 1 || !result.getElementType().isInteger(32))
    return emitOpError() << "result must be i32 of one dimension, got " << result;
  if (getMask() && getMask().getType() != maskOf(source))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of source "
                         << source;
  return success();
}
