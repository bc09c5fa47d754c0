// Reductions and scans in index order, for every line along the axis: reductions combine
// neighbours, then what came of neighbours, and so on; scans fold from the left.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

/// The operands' elements as `outer` x `extent` x `inner`; the middle one is the axis.
struct Extents {
  int64_t outer = 1, extent = 1, inner = 1;

  template <typename Op>
  explicit Extents(Op op) {
    auto shape = cast<RankedTensorType>(op.getOperands().front().getType()).getShape();
    int64_t axis = op.getAxis();
    for (auto [i, size] : llvm::enumerate(shape))
      (int64_t(i) < axis ? outer : int64_t(i) > axis ? inner : extent) *= size;
  }
  int64_t kept() const { return outer * inner; }
};

/// Element `k` along the axis, for every element of the result.
Value sliceOf(const Value &source, const Extents &extents, int64_t k) {
  Value slice(source.getKind(), extents.kept());
  size_t size = byteSize(source.getKind()), bytes = extents.inner * size;
  for (int64_t o = 0; o < extents.outer; ++o)
    std::memcpy(slice.data() + o * bytes, source.data() + (o * extents.extent + k) * bytes, bytes);
  return slice;
}

/// Puts `slice` where sliceOf takes it from.
void putSlice(const Value &slice, const Extents &extents, int64_t k, Value &result) {
  size_t size = byteSize(slice.getKind()), bytes = extents.inner * size;
  for (int64_t o = 0; o < extents.outer; ++o)
    std::memcpy(result.data() + (o * extents.extent + k) * bytes, slice.data() + o * bytes, bytes);
}

/// A combiner of one operation on (left, right) is that operation's loop.
Kernel singleKernel(const BlockPlan &combiner) {
  if (combiner.steps.size() != 1 || combiner.arguments.size() != 2)
    return nullptr;
  const Step &step = combiner.steps.front();
  bool inOrder = step.handler == runElementwise && step.operands.size() == 2 &&
                 step.operands[0] == combiner.arguments[0] &&
                 step.operands[1] == combiner.arguments[1];
  return inOrder && step.results.size() == 1 && combiner.yields[0] == step.results[0] ? step.kernel
                                                                                      : nullptr;
}

/// Whether the combiner can be run on whole slices instead of on scalars.
bool isElementwise(const BlockPlan &combiner) {
  return llvm::all_of(combiner.steps, [](const Step &step) {
    return step.kernel || step.op->getName().getStringRef() == "arith.bitcast";
  });
}

/// Combines `left` with `right` by running the region; both have one value per operand.
LogicalResult combine(Program &program, const Step &step, llvm::SmallVectorImpl<Value> &left,
                      llvm::SmallVectorImpl<Value> &right) {
  const BlockPlan &combiner = step.regions[0];
  int64_t size = left.front().getSize();
  for (unsigned i = 0, n = left.size(); i < n; ++i) {
    program[combiner.arguments[i]] = left[i];
    program[combiner.arguments[n + i]] = right[i];
  }
  if (failed(runBlock(program, combiner)))
    return failure();
  for (unsigned i = 0, n = left.size(); i < n; ++i) {
    Value &value = program[combiner.yields[i]];
    if (value.getSize() == size) {
      left[i] = value;
      continue;
    }
    // A constant stands for every element.
    Value spread(value.getKind(), size);
    unsigned bytes = byteSize(value.getKind());
    for (int64_t k = 0; k < size; ++k)
      std::memcpy(spread.data() + k * bytes, value.data(), bytes);
    left[i] = spread;
  }
  return success();
}

Value elementOf(const Value &value, int64_t i) {
  return Value::scalar(value.getKind(), value.getUnsigned(i));
}

/// Combines slices: as a whole, or one element at a time if there is control flow in the combiner.
LogicalResult combineSlices(Program &program, const Step &step, bool whole,
                            llvm::SmallVectorImpl<Value> &left,
                            llvm::SmallVectorImpl<Value> &right) {
  if (whole)
    return combine(program, step, left, right);
  llvm::SmallVector<Value> folded;
  for (const Value &value : left)
    folded.emplace_back(value.getKind(), value.getSize());
  for (int64_t e = 0; e < left.front().getSize(); ++e) {
    llvm::SmallVector<Value> first, second;
    for (auto [a, b] : llvm::zip(left, right)) {
      first.push_back(elementOf(a, e));
      second.push_back(elementOf(b, e));
    }
    if (failed(combine(program, step, first, second)))
      return failure();
    for (auto [result, value] : llvm::zip(folded, first)) {
      unsigned bytes = byteSize(value.getKind());
      std::memcpy(result.data() + e * bytes, value.data(), bytes);
    }
  }
  left = std::move(folded);
  return success();
}

/// An undefined element makes all results that it is combined into undefined.
void markUndefined(const Value &source, const Extents &extents,
                   llvm::MutableArrayRef<Value> results) {
  std::vector<uint8_t> elements(extents.kept());
  for (int64_t o = 0; o < extents.outer; ++o)
    for (int64_t k = 0; k < extents.extent; ++k)
      for (int64_t i = 0; i < extents.inner; ++i)
        elements[o * extents.inner + i] |=
            source.isUndefined((o * extents.extent + k) * extents.inner + i);
  for (Value &result : results) {
    std::vector<uint8_t> all = elements;
    for (int64_t i = 0; i < extents.kept(); ++i)
      all[i] |= result.isUndefined(i);
    result.setUndefined(source.getUndefined()->origin, std::move(all));
  }
}

/// All slices along the axis as one. In pairs, as the threads of a GPU do it, because one after the
/// other a sum of bf16 stops at 256 ones.
LogicalResult combinePairwise(Program &program, const Step &step, const Extents &extents,
                              llvm::SmallVectorImpl<Value> &results) {
  const BlockPlan &combiner = step.regions[0];
  Kernel kernel = singleKernel(combiner);
  bool wholeSlices = isElementwise(combiner);
  auto join = [&](llvm::SmallVectorImpl<Value> &left,
                  llvm::SmallVectorImpl<Value> &right) -> LogicalResult {
    if (!kernel)
      return combineSlices(program, step, wholeSlices, left, right);
    uint8_t *out = left[0].data();
    Input inputs[] = {{out, 1}, {right[0].data(), 1}};
    kernel(&out, inputs, extents.kept());
    return success();
  };

  struct Part {
    unsigned level;
    llvm::SmallVector<Value> values;
  };
  // Of falling levels; a part of level L is 2^L slices.
  llvm::SmallVector<Part> parts;
  for (int64_t k = 0; k < extents.extent; ++k) {
    Part part{0, {}};
    for (unsigned i = 0, n = step.operands.size(); i < n; ++i)
      part.values.push_back(sliceOf(program.operand(step, i), extents, k));
    while (!parts.empty() && parts.back().level == part.level) {
      Part left = parts.pop_back_val();
      if (failed(join(left.values, part.values)))
        return failure();
      part = {left.level + 1, std::move(left.values)};
    }
    parts.push_back(std::move(part));
  }
  while (parts.size() > 1) {
    Part right = parts.pop_back_val();
    if (failed(join(parts.back().values, right.values)))
      return failure();
  }
  results = std::move(parts.front().values);
  return success();
}

LogicalResult runReduce(Program &program, const Step &step) {
  Extents extents(cast<tile::ReduceOp>(step.op));
  llvm::SmallVector<Value> results;
  if (failed(combinePairwise(program, step, extents, results)))
    return failure();
  for (unsigned i = 0, n = step.operands.size(); i < n; ++i)
    if (program.operand(step, i).getUndefined())
      markUndefined(program.operand(step, i), extents, results);
  for (unsigned i = 0, n = step.results.size(); i < n; ++i)
    program.result(step, i) = std::move(results[i]);
  return success();
}

/// Results that an undefined element entered are undefined, so that it's also those after it.
void markUndefinedAfter(const Value &source, const Extents &extents, bool reverse,
                        llvm::MutableArrayRef<Value> results) {
  std::vector<uint8_t> elements(source.getSize());
  for (int64_t o = 0; o < extents.outer; ++o)
    for (int64_t i = 0; i < extents.inner; ++i) {
      uint8_t undefined = 0;
      for (int64_t n = 0; n < extents.extent; ++n) {
        int64_t k = reverse ? extents.extent - 1 - n : n;
        int64_t element = (o * extents.extent + k) * extents.inner + i;
        undefined |= source.isUndefined(element);
        elements[element] = undefined;
      }
    }
  for (Value &result : results) {
    std::vector<uint8_t> all = elements;
    for (int64_t i = 0; i < result.getSize(); ++i)
      all[i] |= result.isUndefined(i);
    result.setUndefined(source.getUndefined()->origin, std::move(all));
  }
}

LogicalResult runScan(Program &program, const Step &step) {
  auto op = cast<tile::ScanOp>(step.op);
  Extents extents(op);
  bool wholeSlices = isElementwise(step.regions[0]);
  llvm::SmallVector<Value> sources, results, prefix;
  for (unsigned i = 0, n = step.operands.size(); i < n; ++i) {
    sources.push_back(program.operand(step, i));
    results.emplace_back(sources[i].getKind(), sources[i].getSize());
  }
  for (int64_t n = 0; n < extents.extent; ++n) {
    int64_t k = op.getReverse() ? extents.extent - 1 - n : n;
    llvm::SmallVector<Value> next;
    for (const Value &source : sources)
      next.push_back(sliceOf(source, extents, k));
    if (n == 0)
      prefix = std::move(next);
    else if (failed(combineSlices(program, step, wholeSlices, prefix, next)))
      return failure();
    for (auto [value, result] : llvm::zip(prefix, results))
      putSlice(value, extents, k, result);
  }
  for (const Value &source : sources)
    if (source.getUndefined())
      markUndefinedAfter(source, extents, op.getReverse(), results);
  for (unsigned i = 0, n = step.results.size(); i < n; ++i)
    program.result(step, i) = std::move(results[i]);
  return success();
}

/// The terminator of a combiner; its block's plan passes the values on.
LogicalResult runYield(Program &, const Step &) { return success(); }

} // namespace

void addReduceOps(OpTable &table) {
  table["tile.reduce"] = {runReduce};
  table["tile.scan"] = {runScan};
  table["tile.yield"] = {runYield};
}

} // namespace tilec::ref
