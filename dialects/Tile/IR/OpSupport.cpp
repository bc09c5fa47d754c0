// Shared checks and custom syntax of the tile dialect's operations.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec;

SmallVector<int64_t> tile::shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return llvm::to_vector(tensor.getShape());
  return {};
}

LogicalResult tile::verifySameShape(Operation *op, StringRef name, Type type, StringRef likeName,
                                    Type like) {
  auto tensor = dyn_cast<RankedTensorType>(type), likeTensor = dyn_cast<RankedTensorType>(like);
  if (static_cast<bool>(tensor) != static_cast<bool>(likeTensor) ||
      (tensor && (tensor.getShape() != likeTensor.getShape() ||
                  tensor.getEncoding() != likeTensor.getEncoding())))
    return op->emitOpError() << name << " " << type << " must have the shape of " << likeName << " "
                             << like;
  return success();
}

LogicalResult tile::verifySameElement(Operation *op, Type source, Type result) {
  if (elementTypeOf(source) != elementTypeOf(result))
    return op->emitOpError() << "source element " << elementTypeOf(source) << " and result element "
                             << elementTypeOf(result) << " must be the same type";
  return success();
}

Type tile::pointeesOf(Type ptr) {
  return withElementType(ptr, cast<PtrType>(elementTypeOf(ptr)).getPointeeType());
}

Type tile::maskOf(Type ptr) {
  return withElementType(ptr, IntegerType::get(ptr.getContext(), 1));
}

//===--- Regions -----------------------------------------------------------===//

/// Not left to MLIR: the parsers that its version 22 generates destroy a region that is wrong while
/// operations before this one still use values of it, which they may do ahead of definition.
ParseResult tile::parseCombiner(OpAsmParser &parser, Region &combiner) {
  if (succeeded(parser.parseRegion(combiner)))
    return success();
  for (Block &block : combiner)
    block.dropAllDefinedValueUses();
  return failure();
}

void tile::printCombiner(OpAsmPrinter &printer, Operation *, Region &combiner) {
  printer.printRegion(combiner);
}

//===--- Types -------------------------------------------------------------===//

ParseResult tile::parseSameTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operands,
                                 SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void tile::printSameTypes(OpAsmPrinter &printer, Operation *, TypeRange operands, TypeRange) {
  llvm::interleaveComma(operands, printer);
}

static ParseResult parsePointerType(OpAsmParser &parser, Type &ptr) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(ptr))
    return failure();
  if (!isa<tile::PtrType>(tile::elementTypeOf(ptr)))
    return parser.emitError(loc, "expected a pointer or a tensor of pointers, got ") << ptr;
  return success();
}

ParseResult tile::parseLoadTypes(OpAsmParser &parser, OptionalOperand maskOperand,
                                 OptionalOperand otherOperand, Type &ptr, Type &mask, Type &other,
                                 Type &result) {
  if (parsePointerType(parser, ptr))
    return failure();
  result = pointeesOf(ptr);
  if (maskOperand)
    mask = maskOf(ptr);
  if (otherOperand)
    other = result;
  return success();
}

void tile::printLoadTypes(OpAsmPrinter &printer, Operation *, Value, Value, Type ptr, Type, Type,
                          Type) {
  printer << ptr;
}

ParseResult tile::parseStoreTypes(OpAsmParser &parser, OptionalOperand maskOperand, Type &ptr,
                                  Type &value, Type &mask) {
  if (parsePointerType(parser, ptr))
    return failure();
  value = pointeesOf(ptr);
  if (maskOperand)
    mask = maskOf(ptr);
  return success();
}

void tile::printStoreTypes(OpAsmPrinter &printer, Operation *, Value, Type ptr, Type, Type) {
  printer << ptr;
}

ParseResult tile::parseAtomicTypes(OpAsmParser &parser, OptionalOperand maskOperand, Type &ptr,
                                   Type &value, Type &mask, Type &result) {
  if (parseStoreTypes(parser, maskOperand, ptr, value, mask))
    return failure();
  result = value;
  return success();
}

void tile::printAtomicTypes(OpAsmPrinter &printer, Operation *, Value, Type ptr, Type, Type,
                            Type) {
  printer << ptr;
}

ParseResult tile::parseCASTypes(OpAsmParser &parser, Type &ptr, Type &cmp, Type &value,
                                Type &result) {
  if (parsePointerType(parser, ptr))
    return failure();
  cmp = value = result = pointeesOf(ptr);
  return success();
}

void tile::printCASTypes(OpAsmPrinter &printer, Operation *, Type ptr, Type, Type, Type) {
  printer << ptr;
}
