// Reductions: a left fold in index order, for every element of the result.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

/// The operands' elements as `outer` x `extent` x `inner`; the middle one goes.
struct Extents {
  int64_t outer = 1, extent = 1, inner = 1;

  explicit Extents(tile::ReduceOp op) {
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

void fold(Kernel kernel, const Value &source, const Extents &extents, Value &result) {
  size_t size = byteSize(source.getKind()), bytes = extents.inner * size;
  for (int64_t o = 0; o < extents.outer; ++o) {
    uint8_t *out = result.data() + o * bytes;
    for (int64_t k = 1; k < extents.extent; ++k) {
      Input inputs[] = {{out, 1}, {source.data() + (o * extents.extent + k) * bytes, 1}};
      kernel(&out, inputs, extents.inner);
    }
  }
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

LogicalResult runReduce(Program &program, const Step &step) {
  const BlockPlan &combiner = step.regions[0];
  Extents extents(cast<tile::ReduceOp>(step.op));
  llvm::SmallVector<Value> results, slices;
  for (unsigned i = 0, n = step.operands.size(); i < n; ++i)
    results.push_back(sliceOf(program.operand(step, i), extents, 0));

  if (Kernel kernel = singleKernel(combiner)) {
    fold(kernel, program.operand(step, 0), extents, results[0]);
  } else {
    bool wholeSlices = isElementwise(combiner);
    for (int64_t k = 1; k < extents.extent; ++k) {
      slices.clear();
      for (unsigned i = 0, n = step.operands.size(); i < n; ++i)
        slices.push_back(sliceOf(program.operand(step, i), extents, k));
      if (wholeSlices) {
        if (failed(combine(program, step, results, slices)))
          return failure();
        continue;
      }
      // Control flow in the combiner: one element at a time.
      llvm::SmallVector<Value> folded;
      for (const Value &result : results)
        folded.emplace_back(result.getKind(), result.getSize());
      for (int64_t e = 0; e < extents.kept(); ++e) {
        llvm::SmallVector<Value> left, right;
        for (auto [result, slice] : llvm::zip(results, slices)) {
          left.push_back(elementOf(result, e));
          right.push_back(elementOf(slice, e));
        }
        if (failed(combine(program, step, left, right)))
          return failure();
        for (auto [result, value] : llvm::zip(folded, left)) {
          unsigned bytes = byteSize(value.getKind());
          std::memcpy(result.data() + e * bytes, value.data(), bytes);
        }
      }
      results = std::move(folded);
    }
  }
  for (unsigned i = 0, n = step.operands.size(); i < n; ++i)
    if (program.operand(step, i).getUndefined())
      markUndefined(program.operand(step, i), extents, results);
  for (unsigned i = 0, n = step.results.size(); i < n; ++i)
    program.result(step, i) = std::move(results[i]);
  return success();
}

/// The terminator of a combiner; its block's plan passes the values on.
LogicalResult runYield(Program &, const Step &) { return success(); }

} // namespace

void addReduceOps(OpTable &table) {
  table["tile.reduce"] = {runReduce};
  table["tile.yield"] = {runYield};
}

} // namespace tilec::ref
