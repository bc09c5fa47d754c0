// Pointers and checked accesses to global memory.
#include "lib/Interpreter/Access.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

LogicalResult runAddPtr(Program &program, const Step &step) {
  auto op = cast<tile::AddPtrOp>(step.op);
  const Value &pointer = program.operand(step, 0), &offset = program.operand(step, 1);
  auto pointee = cast<tile::PtrType>(tile::elementTypeOf(op.getPtr().getType())).getPointeeType();
  uint64_t scale = tile::storageBits(pointee) / 8;
  bool isUnsigned = op.getUnsignedOffset();
  int64_t size = std::max(pointer.getSize(), offset.getSize());
  Value result(Kind::Ptr, size);
  auto *out = result.dataAs<uint64_t>();
  Input base = pointer.asInput(), by = offset.asInput();
  for (int64_t i = 0; i < size; ++i) {
    uint64_t index = isUnsigned ? offset.getUnsigned(i * by.step)
                                : static_cast<uint64_t>(offset.getSigned(i * by.step));
    out[i] = reinterpret_cast<const uint64_t *>(base.data)[i * base.step] + index * scale;
  }
  if (pointer.getUndefined() || offset.getUndefined())
    propagateUndefined(step, {&pointer, &offset}, result);
  program.result(step) = std::move(result);
  return success();
}

template <unsigned Bytes>
LogicalResult load(Access &access, const Value &pointer, const uint8_t *mask, size_t maskStep,
                   Value &result) {
  const auto *addresses = pointer.dataAs<uint64_t>();
  uint8_t *out = result.data();
  for (int64_t i = 0; i < pointer.getSize(); ++i) {
    if (mask && !mask[i * maskStep])
      continue;
    const uint8_t *from = access.resolve(addresses[i]);
    if (!from)
      return access.fail();
    std::memcpy(out + i * Bytes, from, Bytes);
  }
  return success();
}

template <unsigned Bytes>
LogicalResult store(Access &access, const Value &pointer, const uint8_t *mask, size_t maskStep,
                    const Value &value) {
  const auto *addresses = pointer.dataAs<uint64_t>();
  Input in = value.asInput();
  for (int64_t i = 0; i < pointer.getSize(); ++i) {
    if (mask && !mask[i * maskStep])
      continue;
    uint8_t *to = access.resolve(addresses[i]);
    if (!to)
      return access.fail();
    std::memcpy(to, in.data + i * in.step * Bytes, Bytes);
  }
  return success();
}

LogicalResult runLoad(Program &program, const Step &step) {
  auto op = cast<tile::LoadOp>(step.op);
  const Value &pointer = program.operand(step, 0);
  Value result(step.resultTypes[0].kind, pointer.getSize());
  unsigned next = 1;
  const Value *mask = op.getMask() ? &program.operand(step, next++) : nullptr;
  const Value *other = op.getOther() ? &program.operand(step, next++) : nullptr;
  unsigned size = byteSize(result.getKind());
  size_t bytes = static_cast<size_t>(result.getSize()) * size;
  if (other && other->getSize() == result.getSize())
    std::memcpy(result.data(), other->data(), bytes);
  else
    std::memset(result.data(), 0, bytes);
  if (failed(checkOperands(program, pointer, mask, /*value=*/nullptr)))
    return failure();
  if (other && other->getUndefined()) {
    std::vector<uint8_t> elements = other->getUndefined()->elements;
    for (int64_t i = 0; i < result.getSize(); ++i)
      elements[i] = elements[i] && !mask->data()[i * mask->asInput().step];
    result.setUndefined(other->getUndefined()->origin, std::move(elements));
  }
  Access access(program, step, op.getPointeeType(), Access::Mode::Load);
  const uint8_t *maskData = mask ? mask->data() : nullptr;
  size_t maskStep = mask ? mask->asInput().step : 0;
  LogicalResult status = size == 1   ? load<1>(access, pointer, maskData, maskStep, result)
                         : size == 2 ? load<2>(access, pointer, maskData, maskStep, result)
                         : size == 4 ? load<4>(access, pointer, maskData, maskStep, result)
                                     : load<8>(access, pointer, maskData, maskStep, result);
  if (succeeded(status))
    program.result(step) = std::move(result);
  return status;
}

LogicalResult runStore(Program &program, const Step &step) {
  auto op = cast<tile::StoreOp>(step.op);
  const Value &pointer = program.operand(step, 0), &value = program.operand(step, 1);
  const Value *mask = op.getMask() ? &program.operand(step, 2) : nullptr;
  if (failed(checkOperands(program, pointer, mask, &value)))
    return failure();
  Access access(program, step, tile::elementTypeOf(op.getValue().getType()), Access::Mode::Store);
  const uint8_t *maskData = mask ? mask->data() : nullptr;
  size_t maskStep = mask ? mask->asInput().step : 0;
  switch (byteSize(value.getKind())) {
  case 1:
    return store<1>(access, pointer, maskData, maskStep, value);
  case 2:
    return store<2>(access, pointer, maskData, maskStep, value);
  case 4:
    return store<4>(access, pointer, maskData, maskStep, value);
  default:
    return store<8>(access, pointer, maskData, maskStep, value);
  }
}

} // namespace

void addMemoryOps(OpTable &table) {
  table["tile.addptr"] = {runAddPtr};
  table["tile.load"] = {runLoad};
  table["tile.store"] = {runStore};
}

} // namespace tilec::ref
