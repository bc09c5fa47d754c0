// Verifiers and builders of reductions and scans.
#include "dialects/Tile/IR/OpSupport.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilec::tile;

//===--- Reductions ----------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, int axis) {
  state.addOperands(operands);
  state.addAttribute("axis", builder.getI32IntegerAttr(axis));
  state.addRegion();
  for (Value operand : operands) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    state.addTypes(shape.empty() ? type.getElementType()
                                 : Type(RankedTensorType::get(shape, type.getElementType())));
  }
}

/// What reductions and scans have in common: operands of one shape, an axis, and the combiner.
template <typename Op>
static LogicalResult verifyCombining(Op op) {
  if (op.getOperands().empty())
    return op.emitOpError("needs at least one operand");
  if (op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "has " << op.getNumOperands() << " operands and "
                            << op.getNumResults() << " results; their numbers must agree";
  int64_t rank = cast<RankedTensorType>(op.getOperand(0).getType()).getRank();
  int64_t axis = static_cast<int32_t>(op.getAxis());
  if (axis < 0 || axis >= rank)
    return op.emitOpError() << "axis " << axis << " is out of range for operands of rank " << rank;
  SmallVector<Type> arguments;
  for (Value operand : op.getOperands()) {
    if (failed(verifySameShape(op, "operand", operand.getType(), "the first operand",
                               op.getOperand(0).getType())))
      return failure();
    arguments.push_back(elementTypeOf(operand.getType()));
  }
  SmallVector<Type> elements = arguments;
  llvm::append_range(arguments, elements);
  Block &body = op.getCombiner().front();
  if (body.getArgumentTypes() != TypeRange(arguments))
    return op.emitOpError() << "combiner must take the elements of all operands twice, "
                            << arguments.size() << " arguments, got " << body.getNumArguments();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op.emitOpError("combiner must end in 'tile.yield'");
  if (yield.getValues().getTypes() != TypeRange(elements))
    return op.emitOpError("combiner must yield one element for each operand");
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombining(*this)))
    return failure();
  SmallVector<int64_t> shape = shapeOf(getOperand(0).getType());
  shape.erase(shape.begin() + getAxis());
  for (auto [index, operand, result] : llvm::enumerate(getOperands(), getResults())) {
    Type element = elementTypeOf(operand.getType());
    if (elementTypeOf(result.getType()) != element ||
        ArrayRef<int64_t>(shapeOf(result.getType())) != ArrayRef<int64_t>(shape))
      return emitOpError() << "result " << index << " " << result.getType() << " must be operand "
                           << operand.getType() << " without dimension " << getAxis();
  }
  return success();
}

//===--- Scans --------------------------------------------------------------===//

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, int axis,
                   bool reverse) {
  state.addOperands(operands);
  state.addAttribute("axis", builder.getI32IntegerAttr(axis));
  if (reverse)
    state.addAttribute("reverse", builder.getUnitAttr());
  state.addRegion();
  state.addTypes(operands.getTypes());
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombining(*this)))
    return failure();
  for (auto [index, operand, result] : llvm::enumerate(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      return emitOpError() << "result " << index << " " << result.getType()
                           << " must have the type of operand " << operand.getType();
  return success();
}
