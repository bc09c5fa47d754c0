// The tilegpu dialect: layouts, conversions between them, and the hardware operations.
#ifndef TILEC_DIALECTS_TILEGPU_IR_TILEGPU_H
#define TILEC_DIALECTS_TILEGPU_IR_TILEGPU_H

#include "dialects/Tile/IR/Tile.h"
#include "lib/Layout/LinearLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "dialects/TileGPU/IR/TileGPUDialect.h.inc"

#include "dialects/TileGPU/IR/TileGPUEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TileGPU/IR/TileGPUAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/TileGPU/IR/TileGPUOps.h.inc"

namespace tilec::tilegpu {

inline constexpr llvm::StringLiteral kNumWarpsAttr = "tilegpu.num_warps";
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tilegpu.shared_bytes";
inline constexpr llvm::StringLiteral kSharedOffsetAttr = "tilegpu.shared_offset";
inline constexpr llvm::StringLiteral kTargetAttr = "tilegpu.target";
/// The external shared-memory array of a lowered module; a kernel's size is its kSharedBytesAttr.
inline constexpr llvm::StringLiteral kSharedSymbol = "tilegpu_shared";

/// An access of global memory element by element: operand 0 is its pointer, whose layout the other
/// operands and the result have too.
inline bool isAccess(mlir::Operation *op) {
  return mlir::isa<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp>(op);
}
/// The layout of a tensor, or null when it has none.
LayoutAttr layoutOf(mlir::Type type);
/// The layout of a tensor that has one, as a value to compute with.
LinearLayout linearLayoutOf(mlir::RankedTensorType type);
/// For passes that work on tensors with layouts: emits an error at the first tensor of `root` that
/// has none. The verifier checks the kernels that say their number of warps, this all code there
/// is.
llvm::LogicalResult requireLayouts(mlir::Operation *root);
/// The tensor type `type` with another layout.
mlir::RankedTensorType withLayout(mlir::Type type, LayoutAttr layout);
/// Gives a tensor another layout in place; the attribute of a constant follows. Its users stay as
/// they are.
void setLayout(mlir::Value value, LayoutAttr layout);
/// Converts what an operation reads to `layout`, if it has another.
void convertOperand(mlir::OpOperand &operand, LayoutAttr layout);
/// Lets an operation produce `layout`, and converts the result to the layout its users knew.
void convertResult(mlir::OpResult result, LayoutAttr layout);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_IR_TILEGPU_H
