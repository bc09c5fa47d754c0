// The tile dialect: what a block-level kernel means, without threads or layouts.
#ifndef TILEC_DIALECTS_TILE_IR_TILE_H
#define TILEC_DIALECTS_TILE_IR_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tile/IR/TileDialect.h.inc"

#include "dialects/Tile/IR/TileEnums.h.inc"

namespace tilec::tile {
/// The only result is the only operand, held or known in another way.
template <typename ConcreteOp>
class SameValue : public mlir::OpTrait::TraitBase<ConcreteOp, SameValue> {};
} // namespace tilec::tile

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/IR/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Tile/IR/TileOps.h.inc"

namespace tilec::tile {

/// Unit attribute of a `func.func` that can be launched.
inline constexpr llvm::StringLiteral kKernelAttr = "tile.kernel";
/// Argument attribute: the parameter's name in the source.
inline constexpr llvm::StringLiteral kNameAttr = "tile.name";
/// Argument attribute: the value (or address, in bytes) is a multiple of it.
inline constexpr llvm::StringLiteral kDivisibilityAttr = "tile.divisibility";

/// `tensor<SHAPExELEMENT>` with the shape and layout of `like`, or ELEMENT when `like` is a scalar.
mlir::Type withElementType(mlir::Type like, mlir::Type element);

/// The element type of a tensor, or the type itself.
mlir::Type elementTypeOf(mlir::Type type);

/// Width of an element in memory in bits; pointers have 64, booleans 8.
unsigned storageBits(mlir::Type element);

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_IR_TILE_H
