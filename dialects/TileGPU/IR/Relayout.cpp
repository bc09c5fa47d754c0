// Changing the layouts of values in place, for the passes that choose them.
#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

RankedTensorType tilec::tilegpu::withLayout(Type type, LayoutAttr layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
}

void tilec::tilegpu::setLayout(Value value, LayoutAttr layout) {
  RankedTensorType type = withLayout(value.getType(), layout);
  value.setType(type);
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense)
    return;
  constant.setValueAttr(dense.isSplat()
                            ? DenseElementsAttr::get(type, dense.getSplatValue<Attribute>())
                            : dense.reshape(type));
}

void tilec::tilegpu::convertOperand(OpOperand &operand, LayoutAttr layout) {
  RankedTensorType type = withLayout(operand.get().getType(), layout);
  if (type == operand.get().getType())
    return;
  OpBuilder builder(operand.getOwner());
  operand.set(ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(), type, operand.get()));
}

void tilec::tilegpu::convertResult(OpResult result, LayoutAttr layout) {
  Type wanted = result.getType();
  if (wanted == withLayout(wanted, layout))
    return;
  setLayout(result, layout);
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  auto convert = ConvertLayoutOp::create(builder, result.getLoc(), wanted, result);
  result.replaceAllUsesExcept(convert, convert);
}
