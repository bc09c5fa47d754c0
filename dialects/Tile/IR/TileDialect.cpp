// The tile dialect's registration and types.
#include "dialects/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

#include "dialects/Tile/IR/TileDialect.cpp.inc"
#include "dialects/Tile/IR/TileEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/IR/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/IR/TileOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (pointee.isInteger(1))
    return emitError() << "pointee of a tile pointer must fill whole bytes, got 'i1'; booleans "
                          "are stored as 'i8'";
  bool fillsBytes = (pointee.isSignlessInteger() || isa<FloatType>(pointee)) &&
                    llvm::is_contained({8u, 16u, 32u, 64u}, pointee.getIntOrFloatBitWidth());
  if (fillsBytes || isa<PtrType>(pointee))
    return success();
  return emitError() << "pointee of a tile pointer must be an integer or a float of 8, 16, 32 or "
                        "64 bits, or a pointer, got "
                     << pointee;
}

Type tilec::tile::withElementType(Type like, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(like))
    return tensor.clone(element);
  return element;
}

Type tilec::tile::elementTypeOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getElementType();
  return type;
}

unsigned tilec::tile::storageBits(Type element) {
  if (isa<PtrType>(element))
    return 64;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits < 8 ? 8 : bits;
}
