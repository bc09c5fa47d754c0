// The grid, shapes and promises of the tile dialect.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

LogicalResult runProgramId(Program &program, const Step &step) {
  program.result(step) = Value::scalar(
      Kind::I32, static_cast<uint32_t>(program.id[cast<tile::ProgramIdOp>(step.op).getAxis()]));
  return success();
}

LogicalResult runNumPrograms(Program &program, const Step &step) {
  auto axis = cast<tile::NumProgramsOp>(step.op).getAxis();
  program.result(step) = Value::scalar(Kind::I32, static_cast<uint32_t>(program.launch.grid[axis]));
  return success();
}

/// A program has no lanes here, so its accesses are in order anyway.
LogicalResult runBarrier(Program &, const Step &) { return success(); }

LogicalResult runAssume(Program &program, const Step &step) {
  if (failed(checkDefined(program, program.operand(step, 0))))
    return failure();
  if (!program.operand(step, 0).isTrue())
    return program.fail(step, AccessFault::Kind::FalseAssume);
  return success();
}

LogicalResult runArange(Program &program, const Step &step) {
  auto op = cast<tile::ArangeOp>(step.op);
  Value value(Kind::I32, step.resultTypes[0].size);
  auto *out = value.dataAs<int32_t>();
  int32_t start = static_cast<int32_t>(op.getStart());
  for (int64_t i = 0; i < value.getSize(); ++i)
    out[i] = start + static_cast<int32_t>(i);
  program.result(step) = std::move(value);
  return success();
}

/// The operand's elements under another shape, or as another kind of the same width.
LogicalResult runSame(Program &program, const Step &step) {
  program.result(step) = program.operand(step, 0).as(step.resultTypes[0].kind);
  return success();
}

ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

template <unsigned Bytes>
void gather(uint8_t *out, const uint8_t *in, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  if (shape.empty()) {
    std::memcpy(out, in, Bytes);
    return;
  }
  int64_t rest = 1;
  for (int64_t extent : shape.drop_front())
    rest *= extent;
  for (int64_t i = 0; i < shape[0]; ++i)
    gather<Bytes>(out + i * rest * Bytes, in + i * strides[0] * int64_t(Bytes), shape.drop_front(),
                  strides.drop_front());
}

/// The elements of `source` at `strides`, which are given in elements, for each index in `shape`.
Value gather(const Value &source, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  Value result(source.getKind(), size);
  switch (byteSize(source.getKind())) {
  case 1:
    gather<1>(result.data(), source.data(), shape, strides);
    break;
  case 2:
    gather<2>(result.data(), source.data(), shape, strides);
    break;
  case 4:
    gather<4>(result.data(), source.data(), shape, strides);
    break;
  default:
    gather<8>(result.data(), source.data(), shape, strides);
    break;
  }
  if (const UndefinedElements *undefined = source.getUndefined()) {
    std::vector<uint8_t> elements(size);
    gather<1>(elements.data(), undefined->elements.data(), shape, strides);
    result.setUndefined(undefined->origin, std::move(elements));
  }
  return result;
}

llvm::SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

LogicalResult runSplat(Program &program, const Step &step) {
  ArrayRef<int64_t> shape = shapeOf(step.op->getResult(0));
  llvm::SmallVector<int64_t> strides(shape.size(), 0);
  program.result(step) = gather(program.operand(step, 0), shape, strides);
  return success();
}

LogicalResult runBroadcast(Program &program, const Step &step) {
  ArrayRef<int64_t> from = shapeOf(step.op->getOperand(0)), to = shapeOf(step.op->getResult(0));
  llvm::SmallVector<int64_t> strides = stridesOf(from);
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] == 1)
      strides[i] = 0;
  program.result(step) = gather(program.operand(step, 0), to, strides);
  return success();
}

LogicalResult runTranspose(Program &program, const Step &step) {
  auto op = cast<tile::TransOp>(step.op);
  llvm::SmallVector<int64_t> from = stridesOf(shapeOf(op.getSource())), strides;
  for (int32_t dim : op.getOrder())
    strides.push_back(from[dim]);
  program.result(step) = gather(program.operand(step, 0), shapeOf(op.getResult()), strides);
  return success();
}

} // namespace

void addShapeOps(OpTable &table) {
  table["tile.program_id"] = {runProgramId};
  table["tile.num_programs"] = {runNumPrograms};
  table["tile.barrier"] = {runBarrier};
  table["tile.assume"] = {runAssume};
  table["tile.hint"] = {runSame};
  table["tile.arange"] = {runArange};
  table["tile.splat"] = {runSplat};
  table["tile.expand_dims"] = {runSame};
  table["tile.broadcast"] = {runBroadcast};
  table["tile.reshape"] = {runSame};
  table["tile.trans"] = {runTranspose};
  table["tile.ptr_cast"] = {runSame};
  table["tile.ptr_to_int"] = {runSame};
  table["tile.int_to_ptr"] = {runSame};
}

} // namespace tilec::ref
