// Tensor maps behind addresses, as the first releases with descriptors had them. Theirs are opaque
// to a program; here one is a record of i64: the address of a dense row-major tensor, then its
// extents.
#include "lib/Frontend/MLIRGen/Blocks.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::frontend {

/// The address of word `index` of the record.
static Value wordOf(Generator &g, const Value &map, int64_t index) {
  Value words = g.castTo(map, DType(Scalar::I64, /*pointer=*/true), {});
  return index ? g.binary(ast::BinaryOp::Add, words, Value::integer(index), {}) : words;
}

static Value readWord(Generator &g, const Value &map, int64_t index) {
  return Value::tensor(tile::LoadOp::create(g.builder, g.loc(), wordOf(g, map, index).getSSA(),
                                            mlir::Value(), mlir::Value()),
                       Scalar::I64);
}

static void writeWord(Generator &g, const Value &map, int64_t index, const Value &value) {
  tile::StoreOp::create(g.builder, g.loc(), wordOf(g, map, index).getSSA(), value.getSSA(),
                        mlir::Value(), tile::CacheModifier::none, tile::EvictionPolicy::normal);
}

Value readTensorMap(Generator &g, const Value &map, TileType block) {
  BlockParts parts;
  size_t rank = block.shape.size();
  parts.base = g.castTo(readWord(g, map, 0), block.element.getPointerTo(), {});
  for (size_t dim = 0; dim < rank; ++dim)
    parts.shape.push_back(readWord(g, map, static_cast<int64_t>(dim) + 1));
  parts.strides.assign(rank, g.constant(Scalar::I64, Value::integer(1)));
  for (size_t dim = rank - 1; dim-- > 0;)
    parts.strides[dim] = dim + 2 == rank ? parts.shape[dim + 1]
                                         : g.binary(ast::BinaryOp::Mul, parts.strides[dim + 1],
                                                    parts.shape[dim + 1], {});
  for (Value &extent : parts.shape)
    extent = g.castTo(extent, Scalar::I32, {});
  auto type = cast<RankedTensorType>(g.typeOf(block.element, block.shape));
  return Value::blocks(Value::Kind::Descriptor, TileType(block.element, type.getShape()),
                       parts.flatten());
}

/// The tensor map argument: an address; poison after an error.
static Value readMap(Generator &g, const CallArgs &args) {
  const Value &map = args[0];
  if (map.isPoison() || (map.isTensor() && map.getType().isScalar() && map.getDType().isPointer()))
    return map;
  return g.error(args.ranges[0]) << "'" << args.builtin->spelling()
                                 << "' takes the address of a tensor map, not " << map.describe();
}

template <unsigned Rank>
static Value emitCreate(Generator &g, const CallArgs &args) {
  Value map = readMap(g, args);
  Value base = readBase(g, args, 1, "tensor map");
  auto type = g.getDType(args, 4);
  if (map.isPoison() || base.isPoison() || !type)
    return Value();
  llvm::SmallVector<Value, 2> extents;
  if (!readIndices(g, args[3], Scalar::I64, args.ranges[3], "extents of a tensor map", extents))
    return Value();
  if (extents.size() != Rank)
    return g.error(args.ranges[3]) << "'" << args.builtin->spelling() << "' takes " << Rank
                                   << " extents, not " << extents.size();
  // Whoever read the old map has done so, and all see the new one.
  tile::BarrierOp::create(g.builder, g.loc());
  writeWord(g, map, 0, g.castTo(base, Scalar::I64, args.ranges[1]));
  for (auto [dim, extent] : llvm::enumerate(extents))
    writeWord(g, map, static_cast<int64_t>(dim) + 1, extent);
  tile::BarrierOp::create(g.builder, g.loc());
  return Value::none();
}

static Value emitAcquire(Generator &g, const CallArgs &args) {
  if (readMap(g, args).isPoison())
    return Value();
  tile::BarrierOp::create(g.builder, g.loc());
  return Value::none();
}

static Value emitReinterpret(Generator &g, const CallArgs &args) {
  Value map = readMap(g, args);
  auto shape = g.getShape(args, 1);
  auto type = g.getDType(args, 2);
  if (map.isPoison() || !shape || !type)
    return Value();
  if (shape->empty() || shape->size() > 5)
    return g.error(args.ranges[1])
           << "a tensor descriptor has 1 to 5 dimensions, not " << shape->size();
  return readTensorMap(g, map, TileType(*type, *shape));
}

llvm::ArrayRef<Builtin> getTensorMapBuiltins() {
  static constexpr llvm::StringLiteral kCreate =
      "desc_ptr global_address load_size global_size element_ty";
  static constexpr Builtin table[] = {
      {"experimental_device_tensormap_create1d", "tl.extra.cuda", kCreate, emitCreate<1>},
      {"experimental_device_tensormap_create2d", "tl.extra.cuda", kCreate, emitCreate<2>},
      {"experimental_tensormap_fenceproxy_acquire", "tl.extra.cuda", "desc_ptr", emitAcquire},
      {"_experimental_reinterpret_tensor_descriptor", "tl", "desc_ptr block_shape dtype",
       emitReinterpret},
  };
  return table;
}

} // namespace tilec::frontend
