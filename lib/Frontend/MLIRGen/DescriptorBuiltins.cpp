// Tensor descriptors, by ordinary loads and stores [R20].
#include "lib/Frontend/MLIRGen/Blocks.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::frontend {

static Value emitMakeDescriptor(Generator &g, const CallArgs &args) {
  Value base = readBase(g, args, 0, "tensor descriptor");
  if (base.isPoison())
    return base;
  DType element = base.getDType().getPointee();
  auto block = g.getShape(args, 3);
  if (!block)
    return Value();
  BlockParts parts;
  element = element.isBool() ? DType(Scalar::I8) : element;
  parts.base = Value::tensor(base.getSSA(), element.getPointerTo());
  // Extents of 64 bits are cut to the 32 that a descriptor holds.
  std::vector<Value> extents;
  for (const Value &extent : listOf(args[1])) {
    bool isLong =
        extent.isTensor() && extent.getDType().isInt() && extent.getDType().getBits() > 32;
    extents.push_back(isLong ? g.castTo(extent, Scalar::I32, args.ranges[1]) : extent);
  }
  if (!readIndices(g, Value::tuple(std::move(extents)), Scalar::I32, args.ranges[1],
                   "extents of a descriptor's shape", parts.shape) ||
      !readIndices(g, args[2], Scalar::I64, args.ranges[2], "strides of a descriptor",
                   parts.strides))
    return Value();
  size_t rank = parts.shape.size();
  if (rank < 1 || rank > 5)
    return g.error(args.ranges[1]) << "a tensor descriptor has 1 to 5 dimensions, not " << rank;
  if (parts.strides.size() != rank || block->size() != rank)
    return g.error(args.range) << "'" << args.builtin->spelling()
                               << "' takes one entry per dimension, but shape, strides and "
                                  "block_shape have "
                               << rank << ", " << parts.strides.size() << " and " << block->size();
  const Value &last = listOf(args[2]).back();
  if (getKnown(parts.strides.back()) != 1)
    return g.error(args.ranges[2]) << "the last stride of a tensor descriptor must be a constexpr "
                                      "1, not "
                                   << last.describe();
  int64_t bytes = block->back() * element.getBits() / 8;
  if (bytes < 16)
    return g.error(args.ranges[3]) << "the last dimension of a descriptor's block must have at "
                                      "least 16 bytes, but "
                                   << TileType(element, *block) << " has " << bytes;
  std::optional<bool> padsWithNaN = args.builtin->params.contains("padding_option")
                                        ? readPadding(g, args, 4, element)
                                        : std::optional<bool>(false);
  if (!padsWithNaN)
    return Value();
  auto type = cast<RankedTensorType>(g.typeOf(element, *block));
  return Value::blocks(Value::Kind::Descriptor, TileType(element, type.getShape()), parts.flatten(),
                       *padsWithNaN);
}

/// The descriptor argument; poison after an error.
static Value readDescriptor(Generator &g, const CallArgs &args) {
  const Value &descriptor = args[0];
  if (descriptor.isPoison() || descriptor.is(Value::Kind::Descriptor))
    return descriptor;
  return g.error(args.ranges[0]) << "'" << args.builtin->spelling()
                                 << "' takes a tensor descriptor, not " << descriptor.describe();
}

/// The block of a descriptor at the offsets that the argument `index` gives.
static std::optional<BlockAccess> accessDescriptor(Generator &g, const CallArgs &args,
                                                   const Value &descriptor, unsigned index) {
  if (descriptor.isPoison())
    return std::nullopt;
  BlockParts parts(descriptor);
  if (!readIndices(g, args[index], Scalar::I32, args.ranges[index], "offsets of a descriptor",
                   parts.offsets))
    return std::nullopt;
  llvm::ArrayRef<int64_t> shape = descriptor.getType().shape;
  if (parts.offsets.size() != shape.size()) {
    g.error(args.ranges[index]) << descriptor.describe() << " takes " << shape.size()
                                << " offsets, not " << parts.offsets.size();
    return std::nullopt;
  }
  return accessBlock(g, parts, shape, llvm::SmallVector<bool>(shape.size(), true));
}

static Value loadFrom(Generator &g, const CallArgs &args, const Value &descriptor) {
  std::optional<BlockAccess> access = accessDescriptor(g, args, descriptor, 1);
  if (!access)
    return Value();
  return loadBlock(g, *access, descriptor.getDType(), descriptor.padsWithNaN());
}

static Value emitLoad(Generator &g, const CallArgs &args) {
  return loadFrom(g, args, readDescriptor(g, args));
}

/// A value for a block: of its shape, cast to its type; poison after an error.
static Value readBlockValue(Generator &g, const CallArgs &args, unsigned index, TileType block) {
  Value value = g.getTensor(args, index);
  if (value.isPoison())
    return value;
  if (value.getType().shape != block.shape)
    return g.error(args.ranges[index])
           << "the value is " << value.describe() << ", but the descriptor takes blocks of shape "
           << shapeToString(block.shape);
  return g.castTo(value, block.element, args.ranges[index]);
}

static Value storeBlock(Generator &g, const std::optional<BlockAccess> &access,
                        const Value &value) {
  if (!access || value.isPoison())
    return Value();
  tile::StoreOp::create(g.builder, g.loc(), access->pointers.getSSA(), value.getSSA(),
                        access->mask.getSSA(), tile::CacheModifier::none,
                        tile::EvictionPolicy::normal);
  return Value::none();
}

static Value emitStore(Generator &g, const CallArgs &args) {
  Value descriptor = readDescriptor(g, args);
  std::optional<BlockAccess> access = accessDescriptor(g, args, descriptor, 1);
  if (!access)
    return Value();
  return storeBlock(g, access, readBlockValue(g, args, 2, descriptor.getType()));
}

/// Atomics of descriptors are those of pointers, without an order and without a result.
static Value emitAtomic(Generator &g, const CallArgs &args) {
  Value descriptor = readDescriptor(g, args);
  std::optional<BlockAccess> access = accessDescriptor(g, args, descriptor, 1);
  if (!access)
    return Value();
  Value value = readBlockValue(g, args, 2, descriptor.getType());
  if (value.isPoison())
    return value;
  CallArgs atomic;
  atomic.builtin = findBuiltin("tl", args.builtin->name);
  atomic.range = args.range;
  atomic.values = {access->pointers, value, access->mask, Value::string("relaxed"), Value::none()};
  if (access->mask.isPoison())
    atomic.values[2] = Value::none();
  atomic.ranges.assign(atomic.values.size(), args.range);
  atomic.given.assign(atomic.values.size(), true);
  return atomic.builtin->emit(g, atomic).isPoison() ? Value() : Value::none();
}

/// Rows of a tensor, one for each element of `rows`, from column `column` on.
static std::optional<BlockAccess> accessRows(Generator &g, const CallArgs &args, unsigned rowsIndex,
                                             TileType &result) {
  Value descriptor = readDescriptor(g, args), rows = g.getTensor(args, rowsIndex);
  if (descriptor.isPoison() || rows.isPoison())
    return std::nullopt;
  std::string what = "'" + args.builtin->spelling() + "'";
  TileType block = descriptor.getType();
  if (block.shape.size() != 2 || block.shape[0] != 1) {
    g.error(args.ranges[0]) << what << " takes a descriptor of blocks of one row, not "
                            << descriptor.describe();
    return std::nullopt;
  }
  if (rows.getType().shape.size() != 1 || rows.getDType() != Scalar::I32 ||
      rows.getType().shape[0] < 8) {
    g.error(args.ranges[rowsIndex])
        << what << " takes an i32 tensor of at least 8 row numbers, not " << rows.describe();
    return std::nullopt;
  }
  if (block.shape[1] * block.element.getBits() < 256) {
    g.error(args.ranges[0]) << what << " takes rows of at least 32 bytes, not those of "
                            << descriptor.describe();
    return std::nullopt;
  }
  BlockParts parts(descriptor);
  llvm::SmallVector<Value, 1> column;
  if (!readIndices(g, args[rowsIndex + 1], Scalar::I32, args.ranges[rowsIndex + 1],
                   "column offset of a descriptor", column))
    return std::nullopt;
  if (column.size() != 1) {
    g.error(args.ranges[rowsIndex + 1])
        << what << " takes one column offset, not " << column.size();
    return std::nullopt;
  }
  int64_t shape[] = {rows.getType().shape[0], block.shape[1]};
  if (!g.checkShape(shape, args.range))
    return std::nullopt;
  result =
      TileType(block.element, cast<RankedTensorType>(g.typeOf(block.element, shape)).getShape());
  using ast::BinaryOp;
  rows = g.expandDims(rows, 1);
  Value columns = g.indexAlong(shape[1], 1, 2);
  Value place = g.binary(BinaryOp::Add, parts.base, g.castTo(column[0], Scalar::I64, {}), {});
  Value starts =
      g.binary(BinaryOp::Mul, g.castTo(rows, Scalar::I64, {}), parts.strides[0], args.range);
  BlockAccess access;
  access.pointers =
      g.binary(BinaryOp::Add, g.binary(BinaryOp::Add, place, starts, {}), columns, {});
  // Negative row numbers are large unsigned ones.
  auto asUnsigned = [](const Value &value) { return Value::tensor(value.getSSA(), Scalar::U32); };
  access.mask =
      g.compare(ast::CompareOp::Lt, asUnsigned(rows), asUnsigned(parts.shape[0]), args.range);
  if (Value inRow = checkBounds(g, columns, column[0], parts.shape[1], shape[1]); inRow.isTensor())
    access.mask = g.binary(BinaryOp::BitAnd, access.mask, inRow, {});
  access.mask = g.broadcastTo(access.mask, shape, {}, "mask");
  return access;
}

static Value emitGather(Generator &g, const CallArgs &args) {
  TileType block;
  std::optional<BlockAccess> access = accessRows(g, args, 1, block);
  return access ? loadBlock(g, *access, block.element, args[0].padsWithNaN()) : Value();
}

static Value emitScatter(Generator &g, const CallArgs &args) {
  TileType block;
  std::optional<BlockAccess> access = accessRows(g, args, 2, block);
  if (!access)
    return Value();
  return storeBlock(g, access, readBlockValue(g, args, 1, block));
}

/// The argument of the old loads and stores, which say what the blocks are: a descriptor of such
/// blocks, or the address of a tensor map.
static Value readOldDescriptor(Generator &g, const CallArgs &args, TileType block) {
  const Value &argument = args[0];
  if (argument.isTensor() && argument.getType().isScalar() && argument.getDType().isPointer())
    return readTensorMap(g, argument, block);
  Value descriptor = readDescriptor(g, args);
  if (descriptor.isPoison() || descriptor.getType() == block)
    return descriptor;
  return g.error(args.range) << "the access is one of " << block << ", but goes through "
                             << descriptor.describe();
}

static Value emitOldLoad(Generator &g, const CallArgs &args) {
  auto shape = g.getShape(args, 2);
  auto type = g.getDType(args, 3);
  if (!shape || !type)
    return Value();
  if (shape->empty())
    return g.error(args.ranges[2]) << "a block has at least one dimension";
  return loadFrom(g, args, readOldDescriptor(g, args, TileType(*type, *shape)));
}

static Value emitOldStore(Generator &g, const CallArgs &args) {
  Value value = g.getTensor(args, 1);
  if (value.isPoison())
    return value;
  if (value.getType().isScalar())
    return g.error(args.ranges[1]) << "a block has at least one dimension";
  Value descriptor = readOldDescriptor(g, args, value.getType());
  return storeBlock(g, accessDescriptor(g, args, descriptor, 2), value);
}

llvm::ArrayRef<Builtin> getDescriptorBuiltins() {
  static constexpr llvm::StringLiteral kAtomic = "desc offsets value";
  static constexpr Builtin table[] = {
      {"make_tensor_descriptor", "tl", "base shape strides block_shape padding_option?",
       emitMakeDescriptor},
      {"load_tensor_descriptor", "tl", "desc offsets", emitLoad},
      {"store_tensor_descriptor", "tl", "desc offsets value", emitStore},
      {"_experimental_make_tensor_descriptor", "tl", "base shape strides block_shape",
       emitMakeDescriptor},
      {"_experimental_descriptor_load", "tl", "desc_pointer offsets shape dtype", emitOldLoad},
      {"_experimental_descriptor_store", "tl", "desc_pointer value offsets", emitOldStore},
      {"load", "tensor_descriptor", "desc offsets", emitLoad},
      {"store", "tensor_descriptor", "desc offsets value", emitStore},
      {"gather", "tensor_descriptor", "desc x_offsets y_offset", emitGather},
      {"scatter", "tensor_descriptor", "desc value x_offsets y_offset", emitScatter},
      {"atomic_add", "tensor_descriptor", kAtomic, emitAtomic},
      {"atomic_min", "tensor_descriptor", kAtomic, emitAtomic},
      {"atomic_max", "tensor_descriptor", kAtomic, emitAtomic},
      {"atomic_and", "tensor_descriptor", kAtomic, emitAtomic},
      {"atomic_or", "tensor_descriptor", kAtomic, emitAtomic},
      {"atomic_xor", "tensor_descriptor", kAtomic, emitAtomic},
  };
  return table;
}

} // namespace tilec::frontend
