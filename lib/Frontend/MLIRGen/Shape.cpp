// Splats, broadcasts and reshapes of values.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"

using namespace mlir;

namespace tilec::frontend {

Value Generator::splat(const Value &scalar, llvm::ArrayRef<int64_t> shape) {
  if (scalar.isPoison() || shape.empty())
    return scalar;
  auto type = cast<RankedTensorType>(typeOf(scalar.getDType(), shape));
  // A splat of a constant is a constant.
  if (auto source = scalar.getSSA().getDefiningOp<arith::ConstantOp>()) {
    auto attribute = DenseElementsAttr::get(type, ArrayRef<Attribute>{source.getValue()});
    return Value::tensor(arith::ConstantOp::create(builder, loc(), attribute), scalar.getDType());
  }
  return Value::tensor(tile::SplatOp::create(builder, loc(), type, scalar.getSSA()),
                       scalar.getDType());
}

Value Generator::expandDims(const Value &value, int64_t axis) {
  if (value.getType().isScalar())
    return splat(value, {1});
  llvm::SmallVector<int64_t> shape(value.getType().shape);
  shape.insert(shape.begin() + axis, 1);
  return Value::tensor(tile::ExpandDimsOp::create(builder, loc(), typeOf(value.getDType(), shape),
                                                  value.getSSA(), static_cast<uint32_t>(axis)),
                       value.getDType());
}

Value Generator::reshape(const Value &value, llvm::ArrayRef<int64_t> shape, bool allowReorder) {
  if (value.getType().shape == shape)
    return value;
  if (value.getType().isScalar())
    return splat(value, shape);
  return Value::tensor(tile::ReshapeOp::create(builder, loc(), typeOf(value.getDType(), shape),
                                               value.getSSA(), allowReorder),
                       value.getDType());
}

Value Generator::permute(const Value &value, llvm::ArrayRef<int32_t> order) {
  llvm::SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(value.getType().shape[static_cast<size_t>(dim)]);
  return Value::tensor(tile::TransOp::create(builder, loc(), typeOf(value.getDType(), shape),
                                             value.getSSA(), builder.getDenseI32ArrayAttr(order)),
                       value.getDType());
}

Value Generator::joinLast(const Value &lhs, const Value &rhs) {
  llvm::SmallVector<int64_t> shape(lhs.getType().shape);
  shape.push_back(2);
  return Value::tensor(tile::JoinOp::create(builder, loc(), typeOf(lhs.getDType(), shape),
                                            lhs.getSSA(), rhs.getSSA()),
                       lhs.getDType());
}

Value Generator::indexAlong(int64_t extent, size_t dim, size_t rank) {
  Value index = Value::tensor(tile::ArangeOp::create(builder, loc(), typeOf(Scalar::I32, {extent}),
                                                     0, static_cast<int32_t>(extent)),
                              Scalar::I32);
  for (size_t i = 0; i < rank; ++i)
    if (i != dim)
      index = expandDims(index, static_cast<int64_t>(i));
  return index;
}

Value Generator::broadcastTo(const Value &value, llvm::ArrayRef<int64_t> shape, SourceRange range,
                             llvm::StringRef what) {
  if (value.isPoison() || value.getType().shape == shape)
    return value;
  if (value.getType().isScalar())
    return splat(value, shape);
  llvm::ArrayRef<int64_t> from = value.getType().shape;
  if (from.size() != shape.size())
    return error(range) << what << " of shape " << shapeToString(from)
                        << " does not broadcast to shape " << shapeToString(shape)
                        << ": the ranks are " << from.size() << " and " << shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    if (from[i] != 1 && from[i] != shape[i])
      return error(range) << what << " of shape " << shapeToString(from)
                          << " does not broadcast to shape " << shapeToString(shape)
                          << ": dimension " << i << " is " << from[i] << " and " << shape[i];
  return Value::tensor(
      tile::BroadcastOp::create(builder, loc(), typeOf(value.getDType(), shape), value.getSSA()),
      value.getDType());
}

bool Generator::broadcastPair(Value &lhs, Value &rhs, SourceRange range) {
  if (lhs.isPoison() || rhs.isPoison())
    return false;
  llvm::ArrayRef<int64_t> lhsShape = lhs.getType().shape, rhsShape = rhs.getType().shape;
  if (lhsShape == rhsShape)
    return true;
  if (lhsShape.empty()) {
    lhs = splat(lhs, rhsShape);
    return true;
  }
  if (rhsShape.empty()) {
    rhs = splat(rhs, lhsShape);
    return true;
  }
  // Check before anything is emitted, so that the message names the shapes of the source.
  size_t rank = std::max(lhsShape.size(), rhsShape.size());
  llvm::SmallVector<int64_t> shape(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    auto extent = [&](llvm::ArrayRef<int64_t> from) {
      size_t padding = rank - from.size();
      return i < padding ? 1 : from[i - padding];
    };
    int64_t left = extent(lhsShape), right = extent(rhsShape);
    if (left != right && left != 1 && right != 1) {
      error(range) << "shapes " << shapeToString(lhsShape) << " and " << shapeToString(rhsShape)
                   << " do not broadcast: dimension " << i << " is " << left << " and " << right;
      return false;
    }
    shape[i] = std::max(left, right);
  }
  if (!checkShape(shape, range))
    return false;
  while (lhs.getType().shape.size() < rank)
    lhs = expandDims(lhs, 0);
  while (rhs.getType().shape.size() < rank)
    rhs = expandDims(rhs, 0);
  lhs = broadcastTo(lhs, shape, range, "value");
  rhs = broadcastTo(rhs, shape, range, "value");
  return !lhs.isPoison() && !rhs.isPoison();
}

} // namespace tilec::frontend
