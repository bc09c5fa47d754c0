// Reductions.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilec::frontend {

/// What the arguments of a reduction say.
struct ReduceArgs {
  Value input;
  /// None: all dimensions.
  std::optional<int64_t> axis;
  bool keepDims = false;
};

static bool readReduceArgs(Generator &g, const CallArgs &args, unsigned axisIndex,
                           unsigned keepIndex, ReduceArgs &result) {
  result.input = g.getTensor(args, 0);
  std::optional<bool> keep = g.getConstBool(args, keepIndex, false);
  if (result.input.isPoison() || !keep)
    return false;
  if (result.input.getDType().isPointer()) {
    g.error(args.ranges[0]) << "cannot reduce pointers, " << result.input.describe();
    return false;
  }
  result.keepDims = *keep;
  if (!args.has(axisIndex))
    return true;
  int64_t rank = static_cast<int64_t>(result.input.getType().shape.size());
  result.axis = g.getAxis(args, axisIndex, rank);
  return result.axis.has_value();
}

/// Runs a reduction with one or more operands along the axis, or over all elements [R11].
static Value runReduce(Generator &g, llvm::SmallVector<Value> inputs, const ReduceArgs &how,
                       const Combiner &combine, SourceRange range) {
  llvm::ArrayRef<int64_t> shape = how.input.getType().shape;
  size_t rank = shape.size();
  Value results;
  if (shape.empty()) {
    results = Value::tuple(std::vector<Value>(inputs.begin(), inputs.end()));
  } else if (how.axis) {
    results = reduce(g, inputs, *how.axis, combine, range);
  } else {
    for (Value &input : inputs)
      input = g.reshape(input, {how.input.getType().getNumElements()}, inputs.size() == 1);
    results = reduce(g, inputs, 0, combine, range);
  }
  if (!how.keepDims || results.isPoison())
    return results;
  std::vector<Value> kept;
  for (Value value : results.getElements()) {
    if (how.axis)
      value = g.expandDims(value, *how.axis);
    else
      for (size_t i = 0; i < rank; ++i)
        value = g.expandDims(value, 0);
    kept.push_back(value);
  }
  return Value::tuple(std::move(kept));
}

static Value first(const Value &results) {
  return results.isPoison() ? results : results.getElements().front();
}

Value emitSumOf(Generator &g, const Value &input, std::optional<int64_t> axis, bool keepDims,
                SourceRange range) {
  ReduceArgs how{input, axis, keepDims};
  return first(runReduce(g, {input}, how, operatorCombiner(g, ast::BinaryOp::Add, range), range));
}

/// Small integers are summed in 32 bits of the same sign; floats keep their type [R25].
static Value emitSum(Generator &g, const CallArgs &args) {
  ReduceArgs how;
  if (!readReduceArgs(g, args, 1, 2, how))
    return Value();
  DType type = how.input.getDType();
  if (args.has(3)) {
    std::optional<DType> given = g.getDType(args, 3);
    if (!given)
      return Value();
    type = *given;
  } else {
    type = sumType(type);
  }
  how.input = g.castTo(how.input, type, args.range);
  if (how.input.isPoison())
    return Value();
  return emitSumOf(g, how.input, how.axis, how.keepDims, args.range);
}

static Value emitBitReduce(Generator &g, const CallArgs &args) {
  ReduceArgs how;
  if (!readReduceArgs(g, args, 1, 2, how))
    return Value();
  if (!how.input.getDType().isInt())
    return g.error(args.ranges[0])
           << "'" << args.builtin->spelling() << "' takes integers, not " << how.input.describe();
  ast::BinaryOp op = args.builtin->name == "xor_sum" ? ast::BinaryOp::BitXor : ast::BinaryOp::BitOr;
  return first(runReduce(g, {how.input}, how, operatorCombiner(g, op, args.range), args.range));
}

static Combiner extremumCombiner(Generator &g, bool isMax, SourceRange range) {
  return [&g, isMax, range](llvm::ArrayRef<Value> left, llvm::ArrayRef<Value> right) {
    return llvm::SmallVector<Value>{
        emitExtremum(g, left[0], right[0], isMax, /*propagateNaN=*/false, range)};
  };
}

Value emitMaxOf(Generator &g, const Value &input, std::optional<int64_t> axis, bool keepDims,
                SourceRange range) {
  ReduceArgs how{input, axis, keepDims};
  return first(runReduce(g, {input}, how, extremumCombiner(g, /*isMax=*/true, range), range));
}

/// Keeps the better value and its index; ties go to the smaller index if asked to [R28].
static Combiner indexCombiner(Generator &g, bool isMax, bool tieLeft, SourceRange range) {
  return [&g, isMax, tieLeft, range](llvm::ArrayRef<Value> left, llvm::ArrayRef<Value> right) {
    ast::CompareOp better = isMax ? ast::CompareOp::Gt : ast::CompareOp::Lt;
    Value chosen = g.compare(better, left[0], right[0], range);
    if (tieLeft) {
      Value equal = g.compare(ast::CompareOp::Eq, left[0], right[0], range);
      Value earlier = g.compare(ast::CompareOp::Lt, left[1], right[1], range);
      Value tie = g.logical(ast::BoolOpKind::And, equal, earlier, range);
      chosen = g.logical(ast::BoolOpKind::Or, chosen, tie, range);
    }
    llvm::SmallVector<Value> results;
    for (unsigned i : {0u, 1u})
      results.push_back(Value::tensor(arith::SelectOp::create(g.builder, g.loc(), chosen.getSSA(),
                                                              left[i].getSSA(), right[i].getSSA()),
                                      left[i].getDType()));
    return results;
  };
}

static Value withIndices(Generator &g, ReduceArgs how, bool isMax, bool tieLeft,
                         SourceRange range) {
  llvm::SmallVector<int64_t> shape(how.input.getType().shape);
  if (shape.empty()) {
    Value zero = g.constant(Scalar::I32, Value::integer(0));
    return Value::tuple({how.input, zero});
  }
  size_t rank = shape.size();
  if (!how.axis) {
    // Indices count the elements in row-major order.
    how.input = g.reshape(how.input, {how.input.getType().getNumElements()}, false);
    shape = llvm::SmallVector<int64_t>(how.input.getType().shape);
  }
  int64_t axis = how.axis.value_or(0);
  size_t dim = static_cast<size_t>(axis);
  Value index = g.indexAlong(shape[dim], dim, shape.size());
  index = g.broadcastTo(index, shape, range, "index");
  bool keepAll = how.keepDims && !how.axis;
  how.axis = axis;
  Value results =
      runReduce(g, {how.input, index}, how, indexCombiner(g, isMax, tieLeft, range), range);
  if (!keepAll || results.isPoison())
    return results;
  std::vector<Value> kept;
  for (Value value : results.getElements()) {
    while (value.getType().shape.size() < rank)
      value = g.expandDims(value, 0);
    kept.push_back(value);
  }
  return Value::tuple(std::move(kept));
}

template <bool IsMax>
static Value emitMax(Generator &g, const CallArgs &args) {
  ReduceArgs how;
  std::optional<bool> indices = g.getConstBool(args, 2, false);
  std::optional<bool> tieLeft = g.getConstBool(args, 3, true);
  if (!indices || !tieLeft || !readReduceArgs(g, args, 1, 4, how))
    return Value();
  DType type = how.input.getDType();
  // bf16 becomes fp32; without indices all small types become 32 bits wide [R26].
  if (type == Scalar::BF16 || (!*indices && type.isFloat() && type.getBits() < 32))
    type = Scalar::FP32;
  else if (!*indices && type.isInt() && type.getBits() < 32)
    type = Scalar::I32;
  how.input = g.castTo(how.input, type, args.range);
  if (how.input.isPoison())
    return Value();
  if (*indices)
    return withIndices(g, how, IsMax, *tieLeft, args.range);
  return first(runReduce(g, {how.input}, how, extremumCombiner(g, IsMax, args.range), args.range));
}

template <bool IsMax>
static Value emitArgMax(Generator &g, const CallArgs &args) {
  ReduceArgs how;
  std::optional<bool> tieLeft = g.getConstBool(args, 2, true);
  if (!tieLeft || !readReduceArgs(g, args, 1, 3, how))
    return Value();
  if (how.input.getDType() == Scalar::BF16)
    how.input = g.castTo(how.input, Scalar::FP32, args.range);
  Value results = withIndices(g, how, IsMax, *tieLeft, args.range);
  return results.isPoison() ? results : results.getElements()[1];
}

/// `tl.reduce` with a jit function that combines scalars.
static Value emitReduce(Generator &g, const CallArgs &args) {
  std::optional<llvm::SmallVector<Value>> inputs = getCombined(g, args);
  std::optional<bool> keep = g.getConstBool(args, 3, false);
  Combiner combine = combinerOf(g, args, 2);
  if (!inputs || !keep || !combine)
    return Value();
  ReduceArgs how{inputs->front(), std::nullopt, *keep};
  if (args.has(1)) {
    how.axis = g.getAxis(args, 1, static_cast<int64_t>(how.input.getType().shape.size()));
    if (!how.axis)
      return Value();
  }
  Value results = runReduce(g, *inputs, how, combine, args.range);
  return args[0].isTuple() ? results : first(results);
}

static Value emitSoftmax(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  std::optional<bool> keep = g.getConstBool(args, 2, false);
  std::optional<bool> ieee = g.getConstBool(args, 3, false);
  if (x.isPoison() || !keep || !ieee)
    return Value();
  int64_t axis = 0;
  if (x.getType().isScalar())
    return g.error(args.ranges[0]) << "'tl.softmax' takes a tensor, not " << x.describe();
  if (args.has(1)) {
    auto given = g.getAxis(args, 1, static_cast<int64_t>(x.getType().shape.size()));
    if (!given)
      return Value();
    axis = *given;
  }
  // The first dimension by default; the quotient is approximate [R29, R31].
  DType type = x.getDType();
  if (!type.isFloat())
    return g.error(args.ranges[0])
           << "'tl.softmax' takes floats, not " << x.describe() << "; cast it with .to(tl.float32)";
  // The maximum of a narrow float is fp32 [R26], and so is everything after it.
  if (type.getBits() < 32) {
    type = Scalar::FP32;
    x = g.castTo(x, type, args.ranges[0]);
  }
  Value largest = emitMaxOf(g, x, axis, *keep, args.range);
  Value shifted = g.binary(ast::BinaryOp::Sub, x, largest, args.range);
  if (shifted.isPoison())
    return shifted;
  Value power = Value::tensor(math::ExpOp::create(g.builder, g.loc(), shifted.getSSA()), type);
  Value total = emitSumOf(g, power, axis, *keep, args.range);
  if (!*ieee)
    return g.binary(ast::BinaryOp::Div, power, total, args.range);
  if (!g.broadcastPair(power, total, args.range))
    return Value();
  return Value::tensor(arith::DivFOp::create(g.builder, g.loc(), power.getSSA(), total.getSSA()),
                       type);
}

llvm::ArrayRef<Builtin> getReduceBuiltins() {
  static constexpr Builtin table[] = {
      {"sum", "tl", "input axis? keep_dims? dtype? reduction_ordering?", emitSum},
      {"max", "tl", "input axis? return_indices? return_indices_tie_break_left? keep_dims?",
       emitMax<true>},
      {"min", "tl", "input axis? return_indices? return_indices_tie_break_left? keep_dims?",
       emitMax<false>},
      {"argmax", "tl", "input axis tie_break_left? keep_dims?", emitArgMax<true>},
      {"argmin", "tl", "input axis tie_break_left? keep_dims?", emitArgMax<false>},
      {"xor_sum", "tl", "input axis? keep_dims?", emitBitReduce},
      {"reduce_or", "tl", "input axis? keep_dims?", emitBitReduce},
      {"reduce", "tl", "input axis combine_fn keep_dims? reduction_ordering?", emitReduce},
      {"softmax", "tl", "x dim? keep_dims? ieee_rounding?", emitSoftmax},
  };
  return table;
}

} // namespace tilec::frontend
