// Block pointers: tl.make_block_ptr, tl.advance, and what loads and stores make of them [R18].
#include "lib/Frontend/MLIRGen/Blocks.h"

using namespace mlir;

namespace tilec::frontend {

static Value emitMakeBlockPointer(Generator &g, const CallArgs &args) {
  Value base = readBase(g, args, 0, "block pointer");
  if (base.isPoison())
    return base;
  DType element = base.getDType().getPointee();
  if (element == Scalar::Void)
    return g.error(args.ranges[0])
           << "the base of a block pointer must point to a type, not to " << element;
  BlockParts parts;
  // Booleans are accessed as the bytes that they are in memory.
  element = element.isBool() ? DType(Scalar::I8) : element;
  parts.base = Value::tensor(base.getSSA(), element.getPointerTo());
  auto block = g.getShape(args, 4);
  auto order = g.getInts(args[5], args.ranges[5], args, 5);
  if (!readIndices(g, args[1], Scalar::I64, args.ranges[1], "extents of a block pointer's shape",
                   parts.shape) ||
      !readIndices(g, args[2], Scalar::I64, args.ranges[2], "strides of a block pointer",
                   parts.strides) ||
      !readIndices(g, args[3], Scalar::I32, args.ranges[3], "offsets of a block pointer",
                   parts.offsets) ||
      !block || !order)
    return Value();
  size_t rank = block->size();
  if (rank == 0)
    return g.error(args.ranges[4]) << "a block has at least one dimension";
  if (parts.shape.size() != rank || parts.strides.size() != rank || parts.offsets.size() != rank ||
      order->size() != rank)
    return g.error(args.range) << "'tl.make_block_ptr' takes one entry per dimension, but shape, "
                                  "strides, offsets, block_shape and order have "
                               << parts.shape.size() << ", " << parts.strides.size() << ", "
                               << parts.offsets.size() << ", " << rank << " and " << order->size();
  llvm::SmallVector<int64_t> sorted(*order);
  llvm::sort(sorted);
  for (auto [index, dim] : llvm::enumerate(sorted))
    if (dim != static_cast<int64_t>(index))
      return g.error(args.ranges[5]) << "the order " << args[5].toPython()
                                     << " is no permutation of the " << rank << " dimensions";
  // The strides say which dimension is contiguous; `order` is a hint that is not needed.
  auto type = cast<RankedTensorType>(g.typeOf(element, *block));
  return Value::blocks(Value::Kind::BlockPointer, TileType(element, type.getShape()),
                       parts.flatten());
}

static Value emitAdvance(Generator &g, const CallArgs &args) {
  const Value &pointer = args[0];
  if (pointer.isPoison())
    return pointer;
  if (!pointer.is(Value::Kind::BlockPointer))
    return g.error(args.ranges[0])
           << "'tl.advance' takes a block pointer, not " << pointer.describe();
  BlockParts parts(pointer);
  llvm::SmallVector<Value, 5> steps;
  if (!readIndices(g, args[1], Scalar::I32, args.ranges[1], "offsets of a block pointer", steps))
    return Value();
  if (steps.size() != parts.offsets.size())
    return g.error(args.ranges[1]) << pointer.describe() << " takes " << parts.offsets.size()
                                   << " offsets, not " << steps.size();
  for (auto [offset, step] : llvm::zip(parts.offsets, steps))
    if (getKnown(step) != 0)
      offset = g.binary(ast::BinaryOp::Add, offset, step, args.range);
  return pointer.withElements(parts.flatten());
}

std::optional<BlockAccess> accessBlockPointer(Generator &g, const CallArgs &args,
                                              unsigned checkIndex) {
  const Value &pointer = args[0];
  llvm::ArrayRef<int64_t> shape = pointer.getType().shape;
  llvm::SmallVector<bool> checked(shape.size(), false);
  // False is as good as nothing, but 0 is a dimension.
  const Value &given = args[checkIndex];
  if (given.is(Value::Kind::Int) || given.isTruthy()) {
    auto dims = g.getInts(args[checkIndex], args.ranges[checkIndex], args, checkIndex);
    if (!dims)
      return std::nullopt;
    for (int64_t dim : *dims) {
      if (dim < 0 || dim >= static_cast<int64_t>(shape.size())) {
        g.error(args.ranges[checkIndex])
            << "'boundary_check' names dimension " << dim << ", but " << pointer.describe()
            << " has dimensions 0 to " << shape.size() - 1;
        return std::nullopt;
      }
      if (checked[static_cast<size_t>(dim)]) {
        g.error(args.ranges[checkIndex]) << "'boundary_check' names dimension " << dim << " twice";
        return std::nullopt;
      }
      checked[static_cast<size_t>(dim)] = true;
    }
  }
  return accessBlock(g, BlockParts(pointer), shape, checked);
}

std::optional<bool> readPadding(Generator &g, const CallArgs &args, unsigned index, DType element) {
  std::optional<std::string> name = g.getOption(args, index);
  if (!name)
    return std::nullopt;
  if (name->empty() || *name == "zero")
    return false;
  if (*name != "nan") {
    g.error(args.ranges[index]) << "unknown padding option '" << *name
                                << "'; known are 'zero' and 'nan'";
    return std::nullopt;
  }
  if (element.isFloat())
    return true;
  g.error(args.ranges[index]) << "a block of " << element << " cannot be padded with NaN";
  return std::nullopt;
}

llvm::ArrayRef<Builtin> getBlockPointerBuiltins() {
  static constexpr Builtin table[] = {
      {"make_block_ptr", "tl", "base shape strides offsets block_shape order",
       emitMakeBlockPointer},
      {"advance", "tl", "base offsets", emitAdvance},
  };
  return table;
}

} // namespace tilec::frontend
