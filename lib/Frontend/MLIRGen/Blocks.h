// Blocks of tensors in memory: what block pointers and tensor descriptors share. Both are values of
// the front end alone; an access becomes pointers and a mask at once [R18, R20].
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_BLOCKS_H
#define TILEC_LIB_FRONTEND_MLIRGEN_BLOCKS_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// The parts of a block pointer or descriptor, all scalar run-time values. They stand as the
/// elements of its Value in this order; a descriptor has no offsets.
struct BlockParts {
  Value base;
  llvm::SmallVector<Value, 5> shape, strides, offsets;

  BlockParts() = default;
  explicit BlockParts(const Value &blocks);
  std::vector<Value> flatten() const;
};

/// The pointers of one block, and the mask of those that lie inside the tensor; poison if all do.
struct BlockAccess {
  Value pointers;
  Value mask;
};

/// The block at `parts.offsets`; in the dimensions that are `checked` the tensor ends.
BlockAccess accessBlock(Generator &g, const BlockParts &parts, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<bool> checked);
/// The mask of 0 <= offset + index < end, where index is less than `extent`; poison if all are.
Value checkBounds(Generator &g, const Value &index, const Value &offset, const Value &end,
                  int64_t extent);

/// Loads what `access` points to; what is masked off is 0, or NaN.
Value loadBlock(Generator &g, const BlockAccess &access, DType element, bool padsWithNaN);

/// The one pointer that is the base of `what`, which is made from it; poison after an error.
Value readBase(Generator &g, const CallArgs &args, unsigned index, llvm::StringRef what);
/// The integer that a scalar is known to be.
std::optional<int64_t> getKnown(const Value &scalar);
/// The elements of a tuple or list, or the value as the only one.
llvm::ArrayRef<Value> listOf(const Value &value);
/// Integers as i32 or i64 scalars. False after an error, in which `what` names them.
bool readIndices(Generator &g, const Value &values, DType type, SourceRange range,
                 llvm::StringRef what, llvm::SmallVectorImpl<Value> &indices);

/// The descriptor that the tensor map at an address stands for (TensorMapBuiltins.cpp).
Value readTensorMap(Generator &g, const Value &map, TileType block);

/// What `tl.load` and `tl.store` of a block pointer access, `boundary_check` being the argument
/// `checkIndex`. Nothing after an error.
std::optional<BlockAccess> accessBlockPointer(Generator &g, const CallArgs &args,
                                              unsigned checkIndex);
/// Whether padding is NaN, not 0; nothing after an error.
std::optional<bool> readPadding(Generator &g, const CallArgs &args, unsigned index, DType element);

/// `.dtype`, `.shape`, `.load` and their like of a block pointer or descriptor.
Value getBlocksAttribute(Generator &g, const Value &blocks, const ast::AttributeExpr *expr);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_BLOCKS_H
