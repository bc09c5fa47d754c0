// Functions that bring elements to other places, or count them.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

using namespace mlir;

namespace tilec::frontend {

/// Two tensors of one type and shape in a new last dimension; scalars give a tensor of two.
static Value join(Generator &g, const CallArgs &args, Value a, Value b) {
  if (!g.broadcastPair(a, b, args.range))
    return Value();
  if (a.getDType() != b.getDType())
    return g.error(args.range) << "'" << args.builtin->spelling() << "' takes tensors of one type, "
                               << "not " << a.describe() << " and " << b.describe()
                               << "; cast one of them";
  bool isScalar = a.getType().isScalar();
  if (isScalar) {
    a = g.splat(a, {1});
    b = g.splat(b, {1});
  }
  llvm::SmallVector<int64_t> shape(a.getType().shape);
  shape.push_back(2);
  if (!g.checkShape(shape, args.range))
    return Value();
  Value joined = g.joinLast(a, b);
  return isScalar ? g.reshape(joined, {2}, false) : joined;
}

static Value emitJoin(Generator &g, const CallArgs &args) {
  return join(g, args, g.getTensor(args, 0), g.getTensor(args, 1));
}

static Value emitInterleave(Generator &g, const CallArgs &args) {
  Value a = g.getTensor(args, 0), b = g.getTensor(args, 1);
  if (!g.broadcastPair(a, b, args.range))
    return Value();
  llvm::SmallVector<int64_t> shape(a.getType().shape);
  // A tensor of all dimensions there are has no room for one more; flat, the order is the same.
  if (shape.size() == 8) {
    int64_t flat[] = {a.getType().getNumElements()};
    a = g.reshape(a, flat, false);
    b = g.reshape(b, flat, false);
  }
  Value joined = join(g, args, a, b);
  if (joined.isPoison() || shape.empty())
    return joined;
  shape.back() *= 2;
  return g.reshape(joined, shape, false);
}

static Value emitSplit(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  if (input.getType().isScalar() || input.getType().shape.back() != 2)
    return g.error(args.ranges[0])
           << "'tl.split' takes a tensor whose last dimension is 2, not " << input.describe();
  bool isVector = input.getType().shape.size() == 1;
  if (isVector)
    input = g.expandDims(input, 0);
  Type half = g.typeOf(input.getDType(), input.getType().shape.drop_back());
  auto split = tile::SplitOp::create(g.builder, g.loc(), half, half, input.getSSA());
  std::vector<Value> halves;
  for (mlir::Value result : split.getResults()) {
    Value value = Value::tensor(result, input.getDType());
    halves.push_back(isVector ? unsplat(g, value, args.range) : value);
  }
  return Value::tuple(std::move(halves));
}

/// The elements stay in order, whether they need to or not.
static Value emitCat(Generator &g, const CallArgs &args) {
  Value a = g.getTensor(args, 0), b = g.getTensor(args, 1);
  std::optional<bool> reorder = g.getConstBool(args, 2, false);
  if (a.isPoison() || b.isPoison() || !reorder)
    return Value();
  if (a.getType().isScalar() || a.getType().shape != b.getType().shape)
    return g.error(args.range) << "'tl.cat' takes tensors of one shape, not " << a.describe()
                               << " and " << b.describe();
  int64_t rank = static_cast<int64_t>(a.getType().shape.size());
  std::optional<int64_t> dim = 0;
  if (args.has(3))
    dim = g.getAxis(args, 3, rank);
  if (!dim)
    return Value();
  llvm::SmallVector<int64_t> shape(a.getType().shape);
  Value joined = join(g, args, a, b);
  if (joined.isPoison())
    return joined;
  // The side comes before the coordinate along `dim`.
  llvm::SmallVector<int32_t> order;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == *dim)
      order.push_back(static_cast<int32_t>(rank));
    order.push_back(static_cast<int32_t>(i));
  }
  shape[static_cast<size_t>(*dim)] *= 2;
  return g.reshape(g.permute(joined, order), shape, false);
}

static Value gather(Generator &g, const Value &source, const Value &indices, int64_t axis) {
  return Value::tensor(
      tile::GatherOp::create(g.builder, g.loc(), g.typeLike(indices, source.getDType()),
                             source.getSSA(), indices.getSSA(), static_cast<uint32_t>(axis)),
      source.getDType());
}

static Value emitGather(Generator &g, const CallArgs &args) {
  Value source = g.getTensor(args, 0), indices = g.getTensor(args, 1);
  if (source.isPoison() || indices.isPoison())
    return Value();
  llvm::ArrayRef<int64_t> from = source.getType().shape, to = indices.getType().shape;
  if (from.empty())
    return g.error(args.ranges[0]) << "'tl.gather' takes a tensor, not " << source.describe();
  if (!indices.getDType().isInt())
    return g.error(args.ranges[1])
           << "'index' of 'tl.gather' must be integers, not " << indices.describe();
  auto axis = g.getAxis(args, 2, static_cast<int64_t>(from.size()));
  if (!axis)
    return Value();
  bool fits = from.size() == to.size();
  for (size_t i = 0; fits && i < from.size(); ++i)
    fits &= static_cast<int64_t>(i) == *axis || from[i] == to[i];
  if (!fits)
    return g.error(args.range)
           << "'index' of 'tl.gather' must have the shape of the source but for "
           << "axis " << *axis << "; they are " << indices.describe() << " and "
           << source.describe();
  return gather(g, source, g.castTo(indices, Scalar::I32, args.range), *axis);
}

/// Element i becomes element extent - 1 - i.
static Value emitFlip(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  llvm::SmallVector<int64_t> shape(input.getType().shape);
  if (shape.empty())
    return g.error(args.ranges[0]) << "'tl.flip' takes a tensor, not " << input.describe();
  std::optional<int64_t> dim = static_cast<int64_t>(shape.size()) - 1;
  if (args.has(1))
    dim = g.getAxis(args, 1, static_cast<int64_t>(shape.size()));
  if (!dim)
    return Value();
  size_t axis = static_cast<size_t>(*dim);
  Value index = g.indexAlong(shape[axis], axis, shape.size());
  index = g.binary(ast::BinaryOp::Sub, Value::integer(shape[axis] - 1), index, args.range);
  return gather(g, input, g.broadcastTo(index, shape, args.range, "index"), *dim);
}

static Value emitHistogram(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  std::optional<Int> bins = g.getConstInt(args, 1);
  if (input.isPoison() || !bins)
    return Value();
  if (input.getType().shape.size() != 1 || !input.getDType().isInt())
    return g.error(args.ranges[0])
           << "'tl.histogram' takes integers of one dimension, not " << input.describe();
  int64_t shape[] = {static_cast<int64_t>(*bins)};
  if (*bins != shape[0])
    return g.error(args.ranges[1])
           << "'tl.histogram' cannot have " << intToString(*bins) << " bins";
  if (!g.checkShape(shape, args.ranges[1]))
    return Value();
  mlir::Value mask;
  if (args.has(2)) {
    Value given = g.getTensor(args, 2);
    if (given.isPoison())
      return given;
    if (given.getDType() != Scalar::I1)
      return g.error(args.ranges[2])
             << "'mask' of 'tl.histogram' must be i1, not " << given.describe();
    given = g.broadcastTo(given, input.getType().shape, args.ranges[2], "mask");
    if (given.isPoison())
      return given;
    mask = given.getSSA();
  }
  // Bins are counted as signed numbers.
  input = g.castTo(input, sumType(input.getDType()), args.range);
  return Value::tensor(tile::HistogramOp::create(g.builder, g.loc(), g.typeOf(Scalar::I32, shape),
                                                 input.getSSA(), mask),
                       Scalar::I32);
}

static Value emitItem(Generator &g, const CallArgs &args) {
  return unsplat(g, g.getTensor(args, 0), args.ranges[0]);
}

/// `squeeze` takes a dimension of one element away, `unsqueeze` puts one there.
template <bool IsSqueeze>
static Value emitSqueeze(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  if (input.isPoison())
    return input;
  llvm::SmallVector<int64_t> shape(input.getType().shape);
  int64_t rank = static_cast<int64_t>(shape.size());
  auto dim = g.getAxis(args, 1, IsSqueeze ? rank : rank + 1);
  if (!dim)
    return Value();
  if (!IsSqueeze) {
    Value result = g.expandDims(input, *dim);
    return g.checkShape(result.getType().shape, args.range) ? result : Value();
  }
  if (shape[static_cast<size_t>(*dim)] != 1)
    return g.error(args.range) << "dimension " << *dim << " of " << input.describe()
                               << " has more than one element and cannot be left out";
  shape.erase(shape.begin() + *dim);
  return shape.empty() ? unsplat(g, input, args.range) : g.reshape(input, shape, false);
}

llvm::ArrayRef<Builtin> getRearrangeBuiltins() {
  static constexpr Builtin table[] = {
      {"join", "tl", "a b", emitJoin},
      {"split", "tl", "a", emitSplit},
      {"interleave", "tl", "a b", emitInterleave},
      {"cat", "tl", "input other can_reorder? dim?", emitCat},
      {"gather", "tl", "src index axis", emitGather},
      {"flip", "tl", "x dim?", emitFlip},
      {"histogram", "tl", "input num_bins mask?", emitHistogram},
      {"item", "tl", "input", emitItem},
      {"squeeze", "tl", "x dim", emitSqueeze<true>},
      {"unsqueeze", "tl", "x dim", emitSqueeze<false>},
  };
  return table;
}

} // namespace tilec::frontend
