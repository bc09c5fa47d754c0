// Blocks of tensors in memory: their pointers and masks.
#include "lib/Frontend/MLIRGen/Blocks.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::frontend {

BlockParts::BlockParts(const Value &blocks) {
  llvm::ArrayRef<Value> parts = blocks.getElements();
  size_t rank = blocks.getType().shape.size();
  base = parts.front();
  shape.assign(parts.begin() + 1, parts.begin() + 1 + rank);
  strides.assign(parts.begin() + 1 + rank, parts.begin() + 1 + 2 * rank);
  offsets.assign(parts.begin() + 1 + 2 * rank, parts.end());
}

std::vector<Value> BlockParts::flatten() const {
  std::vector<Value> parts = {base};
  for (const auto *list : {&shape, &strides, &offsets})
    llvm::append_range(parts, *list);
  return parts;
}

std::optional<int64_t> getKnown(const Value &scalar) {
  if (auto constant = scalar.getSSA().getDefiningOp<arith::ConstantOp>())
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      return value.getValue().getSExtValue();
  return std::nullopt;
}

static Value add(Generator &g, const Value &lhs, const Value &rhs) {
  return g.binary(ast::BinaryOp::Add, lhs, rhs, {});
}

/// Multiplied with a stride, if that is not 1.
static Value timesStride(Generator &g, const Value &value, const Value &stride) {
  if (getKnown(stride) == 1)
    return value;
  return g.binary(ast::BinaryOp::Mul, g.castTo(value, Scalar::I64, {}), stride, {});
}

/// The smaller of an i64 and a constant that an i32 holds, as i32.
static Value clampToInt(Generator &g, const Value &value, int64_t limit) {
  Value most = g.constant(Scalar::I64, Value::integer(limit));
  // A comparison and a selection, which axis analysis sees through.
  Value isLess = g.compare(ast::CompareOp::Lt, value, most, {});
  auto smaller =
      arith::SelectOp::create(g.builder, g.loc(), isLess.getSSA(), value.getSSA(), most.getSSA());
  return g.castTo(Value::tensor(smaller, Scalar::I64), Scalar::I32, {});
}

Value checkBounds(Generator &g, const Value &index, const Value &offset, const Value &end,
                  int64_t extent) {
  // Everything about the block's place is computed in scalars of 64 bits; its elements only compare
  // their index in it.
  std::optional<int64_t> knownOffset = getKnown(offset), knownEnd = getKnown(end);
  bool isNonNegative = knownOffset && *knownOffset >= 0;
  if (isNonNegative && knownEnd && *knownOffset + extent <= *knownEnd)
    return Value();
  Value zero = g.constant(Scalar::I64, Value::integer(0));
  Value start = g.castTo(offset, Scalar::I64, {});
  Value room = g.binary(ast::BinaryOp::Sub, g.castTo(end, Scalar::I64, {}), start, {});
  Value isEmpty = g.compare(ast::CompareOp::Lt, room, zero, {});
  room = Value::tensor(
      arith::SelectOp::create(g.builder, g.loc(), isEmpty.getSSA(), zero.getSSA(), room.getSSA()),
      Scalar::I64);
  Value mask = g.compare(ast::CompareOp::Lt, index, clampToInt(g, room, extent), {});
  if (isNonNegative)
    return mask;
  Value before = g.binary(ast::BinaryOp::Sub, zero, start, {});
  Value isInside = g.compare(ast::CompareOp::GtE, index, clampToInt(g, before, extent), {});
  return g.binary(ast::BinaryOp::BitAnd, mask, isInside, {});
}

BlockAccess accessBlock(Generator &g, const BlockParts &parts, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<bool> checked) {
  // The block's place is one scalar, so that in a loop only it changes.
  BlockAccess access;
  Value place;
  for (auto [offset, stride] : llvm::zip(parts.offsets, parts.strides)) {
    if (getKnown(offset) == 0)
      continue;
    Value distance = timesStride(g, offset, stride);
    place = place.isPoison() ? distance : add(g, g.castTo(place, Scalar::I64, {}), distance);
  }
  access.pointers = place.isPoison() ? parts.base : add(g, parts.base, place);
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    Value index = g.indexAlong(extent, dim, shape.size());
    if (extent != 1)
      access.pointers = add(g, access.pointers, timesStride(g, index, parts.strides[dim]));
    if (!checked[dim])
      continue;
    Value mask = checkBounds(g, index, parts.offsets[dim], parts.shape[dim], extent);
    if (access.mask.isPoison())
      access.mask = mask;
    else if (!mask.isPoison())
      access.mask = g.binary(ast::BinaryOp::BitAnd, access.mask, mask, {});
  }
  access.pointers = g.broadcastTo(access.pointers, shape, {}, "block");
  if (!access.mask.isPoison())
    access.mask = g.broadcastTo(access.mask, shape, {}, "mask");
  return access;
}

Value loadBlock(Generator &g, const BlockAccess &access, DType element, bool padsWithNaN) {
  mlir::Value padding;
  if (padsWithNaN && access.mask.isTensor())
    padding = g.constant(element, Value::floating(std::nan("")), access.pointers.getType().shape)
                  .getSSA();
  return Value::tensor(tile::LoadOp::create(g.builder, g.loc(), access.pointers.getSSA(),
                                            access.mask.getSSA(), padding),
                       element);
}

Value readBase(Generator &g, const CallArgs &args, unsigned index, llvm::StringRef what) {
  const Value &base = args[index];
  if (base.isPoison() ||
      (base.isTensor() && base.getType().isScalar() && base.getDType().isPointer()))
    return base;
  return g.error(args.ranges[index])
         << "the base of a " << what << " must be one pointer, not " << base.describe();
}

llvm::ArrayRef<Value> listOf(const Value &value) {
  return value.isTuple() ? value.getElements() : llvm::ArrayRef(value);
}

bool readIndices(Generator &g, const Value &values, DType type, SourceRange range,
                 llvm::StringRef what, llvm::SmallVectorImpl<Value> &indices) {
  for (const Value &value : listOf(values)) {
    if (value.isPoison())
      return false;
    Value known = value;
    bool isScalar = value.isTensor() && value.getType().isScalar() && value.getDType().isInt();
    if (isScalar && !value.getDType().isBool())
      if (std::optional<int64_t> number = getKnown(value))
        known = Value::integer(*number);
    if (known.isIntegral()) {
      if (!g.fits(known, type, range))
        return false;
      indices.push_back(g.constant(type, Value::integer(known.getInt())));
      continue;
    }
    if (!isScalar) {
      g.error(range) << "the " << what << " must be integers, not " << value.describe();
      return false;
    }
    if (value.getDType().getBits() > type.getBits()) {
      g.error(range) << "the " << what << " must be " << type << ", not " << value.describe()
                     << "; cast them with .to(tl.int32)";
      return false;
    }
    Value cast = g.castTo(value, type, range);
    indices.push_back(Value::tensor(cast.getSSA(), type));
  }
  return true;
}

Value getBlocksAttribute(Generator &g, const Value &blocks, const ast::AttributeExpr *expr) {
  const TileType &type = blocks.getType();
  llvm::StringRef name = expr->attr;
  BlockParts parts(blocks);
  if (blocks.is(Value::Kind::BlockPointer)) {
    // It has the type of a pointer, whose pointee it loads blocks of.
    if (name == "dtype" || name == "type")
      return Value::pointerToBlocks(type);
    if (name == "shape")
      return Value::tuple({});
    if (name == "advance" || name == "store")
      return Value::method(findBuiltin("tl", name), blocks);
  } else {
    if (name == "dtype")
      return Value::type(type.element);
    if (name == "block_type" || name == "type")
      return Value::type(type);
    if (name == "shape" || name == "strides") {
      llvm::ArrayRef<Value> list = name == "shape" ? parts.shape : parts.strides;
      return Value::tuple(list);
    }
    if (name == "block_shape") {
      std::vector<Value> extents;
      for (int64_t extent : type.shape)
        extents.push_back(Value::integer(extent));
      return Value::tuple(std::move(extents));
    }
    if (const Builtin *method = findBuiltin("tensor_descriptor", name))
      return Value::method(method, blocks);
  }
  return g.error(expr->attrRange) << blocks.describe() << " has no attribute '" << name << "'";
}

} // namespace tilec::frontend
