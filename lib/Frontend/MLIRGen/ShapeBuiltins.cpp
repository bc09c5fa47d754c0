// Functions that make tensors and change their shapes.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace tilec::frontend {

static Value emitArange(Generator &g, const CallArgs &args) {
  std::optional<Int> start = g.getConstInt(args, 0), end = g.getConstInt(args, 1);
  if (!start || !end)
    return Value();
  Int length = *end - *start;
  if (*start < INT32_MIN || *end > INT32_MAX)
    return g.error(args.range) << "the bounds of 'tl.arange' do not fit in i32";
  if (length <= 0)
    return g.error(args.range) << "'tl.arange' from " << intToString(*start) << " to "
                               << intToString(*end) << " is empty";
  // Lengths are powers of two [R10].
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(length)))
    return g.error(args.range) << "'tl.arange' must have a power of two elements, not "
                               << intToString(length) << "; use "
                               << llvm::PowerOf2Ceil(static_cast<uint64_t>(length))
                               << " and a mask";
  int64_t shape[] = {static_cast<int64_t>(length)};
  if (!g.checkShape(shape, args.range))
    return Value();
  return Value::tensor(tile::ArangeOp::create(g.builder, g.loc(), g.typeOf(Scalar::I32, shape),
                                              static_cast<int32_t>(*start),
                                              static_cast<int32_t>(*end)),
                       Scalar::I32);
}

static Value makeFull(Generator &g, llvm::ArrayRef<int64_t> shape, const Value &value, DType type,
                      SourceRange range) {
  if (type.isPointer())
    return g.error(range) << "a tensor of pointers cannot be made from a number";
  if (value.is(Value::Kind::Float) && type.isInt()) {
    double number = value.getDouble();
    if (std::isfinite(number) && number == std::trunc(number) && std::fabs(number) < 0x1p64)
      return makeFull(g, shape, Value::integer(static_cast<Int>(number)), type, range);
    return g.error(range) << value.describe() << " does not fit in " << type;
  }
  if (value.isNumber())
    return g.fits(value, type, range) ? g.constant(type, value, shape) : Value();
  Value scalar = g.toTensor(value, range);
  if (scalar.isPoison())
    return scalar;
  if (scalar.getType().getNumElements() != 1)
    return g.error(range) << "'tl.full' takes a scalar, not " << scalar.describe();
  scalar = g.castTo(scalar, type, range);
  if (scalar.isPoison() || scalar.getType().isScalar())
    return g.splat(scalar, shape);
  // One element of a higher rank.
  llvm::SmallVector<int64_t> ones(shape.size(), 1);
  return g.broadcastTo(g.reshape(scalar, ones, false), shape, range, "value");
}

static Value emitFull(Generator &g, const CallArgs &args) {
  auto shape = g.getShape(args, 0);
  std::optional<DType> type = g.getDType(args, 2);
  if (!shape || !type)
    return Value();
  return makeFull(g, *shape, args[1], *type, args.range);
}

static Value emitZeros(Generator &g, const CallArgs &args) {
  auto shape = g.getShape(args, 0);
  std::optional<DType> type = g.getDType(args, 1);
  if (!shape || !type)
    return Value();
  return makeFull(g, *shape, Value::integer(0), *type, args.range);
}

static Value emitZerosLike(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  return makeFull(g, input.getType().shape, Value::integer(0), input.getDType(), args.range);
}

static Value emitFullLike(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  return makeFull(g, input.getType().shape, args[1], input.getDType(), args.range);
}

static Value emitBroadcastTo(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  auto shape = g.getShape(args, 1);
  if (input.isPoison() || !shape)
    return Value();
  return g.broadcastTo(input, *shape, args.range, "value");
}

static Value emitBroadcast(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0), y = g.getTensor(args, 1);
  if (!g.broadcastPair(x, y, args.range))
    return Value();
  return Value::tuple({x, y});
}

static Value emitExpandDims(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  auto axes = g.getInts(args[1], args.ranges[1], args, 1);
  if (input.isPoison() || !axes)
    return Value();
  // Negative axes count from the end of the result [R11].
  int64_t rank = static_cast<int64_t>(input.getType().shape.size() + axes->size());
  for (int64_t &axis : *axes) {
    if (axis < -rank || axis >= rank)
      return g.error(args.ranges[1])
             << "axis " << axis << " is out of range for a result of rank " << rank;
    axis = axis < 0 ? axis + rank : axis;
  }
  llvm::sort(*axes);
  if (std::adjacent_find(axes->begin(), axes->end()) != axes->end())
    return g.error(args.ranges[1]) << "an axis is named twice";
  for (int64_t axis : *axes)
    input = g.expandDims(input, axis);
  return g.checkShape(input.getType().shape, args.range) ? input : Value();
}

static Value reshapeTo(Generator &g, const CallArgs &args, const Value &input,
                       llvm::ArrayRef<int64_t> shape, bool allowReorder) {
  int64_t elements = TileType(input.getDType(), shape).getNumElements();
  if (elements != input.getType().getNumElements())
    return g.error(args.range) << "cannot reshape " << input.describe() << " to "
                               << shapeToString(shape) << ": they have "
                               << input.getType().getNumElements() << " and " << elements
                               << " elements";
  if (shape.empty()) // a scalar
    return unsplat(g, input, args.range);
  return g.reshape(input, shape, allowReorder);
}

static Value emitReshape(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  auto shape = g.getShape(args, 1);
  auto reorder = g.getConstBool(args, 2, args.builtin->name == "view");
  if (input.isPoison() || !shape || !reorder)
    return Value();
  return reshapeTo(g, args, input, *shape, *reorder);
}

static Value emitRavel(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  auto reorder = g.getConstBool(args, 1, false);
  if (input.isPoison() || !reorder)
    return Value();
  return reshapeTo(g, args, input, {input.getType().getNumElements()}, *reorder);
}

static Value emitPermute(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  int64_t rank = static_cast<int64_t>(input.getType().shape.size());
  llvm::SmallVector<int64_t> order;
  if (args[1].isNone() || (args[1].isTuple() && args[1].getElements().empty())) {
    if (rank < 2)
      return g.error(args.range) << "'tl.trans' takes a tensor of rank 2 or more, not "
                                 << input.describe();
    // Without an order the last two dimensions are swapped.
    for (int64_t i = 0; i < rank; ++i)
      order.push_back(i);
    std::swap(order[static_cast<size_t>(rank) - 1], order[static_cast<size_t>(rank) - 2]);
  } else {
    auto given = g.getInts(args[1], args.ranges[1], args, 1);
    if (!given)
      return Value();
    order = *given;
  }
  llvm::SmallVector<bool> seen(static_cast<size_t>(rank), false);
  bool isPermutation = static_cast<int64_t>(order.size()) == rank;
  for (int64_t &dim : order) {
    dim = dim < 0 ? dim + rank : dim;
    if (dim < 0 || dim >= rank || seen[static_cast<size_t>(dim)]) {
      isPermutation = false;
      break;
    }
    seen[static_cast<size_t>(dim)] = true;
  }
  if (!isPermutation)
    return g.error(args.ranges[1])
           << "the order " << args[1].toPython() << " is no permutation of the " << rank
           << " dimensions of " << input.describe();
  return g.permute(input, llvm::SmallVector<int32_t>(order.begin(), order.end()));
}

llvm::ArrayRef<Builtin> getShapeBuiltins() {
  static constexpr Builtin table[] = {
      {"arange", "tl", "start end", emitArange},
      {"full", "tl", "shape value dtype", emitFull},
      {"full_like", "tl", "input value", emitFullLike},
      {"zeros", "tl", "shape dtype", emitZeros},
      {"zeros_like", "tl", "input", emitZerosLike},
      {"broadcast_to", "tl", "input *shape", emitBroadcastTo},
      {"broadcast", "tl", "input other", emitBroadcast},
      {"expand_dims", "tl", "input axis", emitExpandDims},
      {"reshape", "tl", "input *shape can_reorder?", emitReshape},
      {"view", "tl", "input *shape can_reorder?", emitReshape},
      {"ravel", "tl", "x can_reorder?", emitRavel},
      {"permute", "tl", "input *dims", emitPermute},
      {"trans", "tl", "input *dims", emitPermute},
  };
  return table;
}

} // namespace tilec::frontend
