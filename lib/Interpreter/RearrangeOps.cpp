// Operations that bring elements to other places, and counts of them.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

/// `size` elements, of which element `i` is element `sourceOf(i).second` of `*sourceOf(i).first`;
/// it is undefined too where that of `chooser` is, if there is one.
template <typename Source>
Value pick(Kind kind, int64_t size, Source sourceOf, const Value *chooser = nullptr) {
  Value result(kind, size);
  unsigned bytes = byteSize(kind);
  std::vector<uint8_t> undefined;
  const Step *origin = nullptr;
  for (int64_t i = 0; i < size; ++i) {
    auto [value, index] = sourceOf(i);
    std::memcpy(result.data() + i * bytes, value->data() + index * bytes, bytes);
    bool isChoice = chooser && chooser->isUndefined(i);
    if (isChoice || value->isUndefined(index)) {
      undefined.resize(size);
      undefined[i] = 1;
      origin = (isChoice ? chooser : value)->getUndefined()->origin;
    }
  }
  if (origin)
    result.setUndefined(origin, std::move(undefined));
  return result;
}

LogicalResult runJoin(Program &program, const Step &step) {
  Value sides[] = {program.operand(step, 0), program.operand(step, 1)};
  program.result(step) = pick(sides[0].getKind(), 2 * sides[0].getSize(), [&](int64_t i) {
    return std::pair<const Value *, int64_t>(&sides[i & 1], i / 2);
  });
  return success();
}

LogicalResult runSplit(Program &program, const Step &step) {
  Value source = program.operand(step, 0);
  for (unsigned side : {0u, 1u})
    program.result(step, side) = pick(source.getKind(), source.getSize() / 2, [&](int64_t i) {
      return std::pair<const Value *, int64_t>(&source, 2 * i + side);
    });
  return success();
}

LogicalResult runGather(Program &program, const Step &step) {
  auto op = cast<tile::GatherOp>(step.op);
  Value source = program.operand(step, 0), indices = program.operand(step, 1);
  ArrayRef<int64_t> from = cast<RankedTensorType>(op.getSource().getType()).getShape(),
                    to = cast<RankedTensorType>(op.getType()).getShape();
  int64_t inner = 1;
  for (int64_t extent : from.drop_front(op.getAxis() + 1))
    inner *= extent;
  int64_t fromExtent = from[op.getAxis()], toExtent = to[op.getAxis()];
  auto sourceOf = [&](int64_t i) {
    // Indices are modulo the extent.
    int64_t index = indices.getSigned(i) & (fromExtent - 1);
    int64_t outer = i / (inner * toExtent);
    return std::pair<const Value *, int64_t>(&source,
                                             (outer * fromExtent + index) * inner + i % inner);
  };
  program.result(step) = pick(source.getKind(), indices.getSize(), sourceOf, &indices);
  return success();
}

LogicalResult runHistogram(Program &program, const Step &step) {
  const Value &source = program.operand(step, 0);
  const Value *mask = step.operands.size() > 1 ? &program.operand(step, 1) : nullptr;
  Value result(Kind::I32, step.resultTypes[0].size);
  std::memset(result.data(), 0, result.getSize() * sizeof(int32_t));
  for (int64_t i = 0; i < source.getSize(); ++i) {
    if (mask && failed(checkDefined(program, *mask, i)))
      return failure();
    if (mask && !mask->getUnsigned(i))
      continue;
    if (failed(checkDefined(program, source, i)))
      return failure();
    int64_t bin = source.getSigned(i);
    if (bin >= 0 && bin < result.getSize())
      ++result.dataAs<int32_t>()[bin];
  }
  program.result(step) = std::move(result);
  return success();
}

} // namespace

void addRearrangeOps(OpTable &table) {
  table["tile.join"] = {runJoin};
  table["tile.split"] = {runSplit};
  table["tile.gather"] = {runGather};
  table["tile.histogram"] = {runHistogram};
}

} // namespace tilec::ref
