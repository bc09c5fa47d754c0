// Atomic accesses to global memory: element after element, in index order. They are atomic to the
// other programs of the launch, which run at the same time.
#include "lib/Interpreter/Access.h"

#include "lib/Support/AtomicMemory.h"

using namespace mlir;

namespace tilec::ref {
namespace {

AtomicElement elementOf(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return AtomicElement::F16;
  case Kind::BF16:
    return AtomicElement::BF16;
  case Kind::F32:
    return AtomicElement::F32;
  case Kind::F64:
    return AtomicElement::F64;
  default:
    return byteSize(kind) == 2   ? AtomicElement::Int16
           : byteSize(kind) == 4 ? AtomicElement::Int32
                                 : AtomicElement::Int64;
  }
}

LogicalResult change(Program &program, const Step &step, AtomicFn fn, const Value &pointer,
                     const Value *cmp, const Value &value, const Value *mask) {
  if (failed(checkOperands(program, pointer, mask, &value)) ||
      (cmp && failed(checkOperands(program, pointer, mask, cmp))))
    return failure();
  Access access(program, step, tile::elementTypeOf(step.op->getResult(0).getType()),
                Access::Mode::Atomic);
  AtomicElement element = elementOf(value.getKind());
  Value result(step.resultTypes[0].kind, pointer.getSize());
  unsigned size = byteSize(result.getKind());
  std::memset(result.data(), 0, static_cast<size_t>(result.getSize()) * size);
  for (int64_t i = 0; i < pointer.getSize(); ++i) {
    if (mask && !mask->data()[i * mask->asInput().step])
      continue;
    uint8_t *memory = access.resolve(pointer.getUnsigned(i));
    if (!memory)
      return access.fail();
    uint64_t old =
        changeAtomically(memory, fn, element, value.getUnsigned(i * value.asInput().step),
                         cmp ? cmp->getUnsigned(i * cmp->asInput().step) : 0);
    std::memcpy(result.data() + i * size, &old, size); // Little-endian hosts only.
  }
  program.result(step) = std::move(result);
  return success();
}

LogicalResult runRMW(Program &program, const Step &step) {
  auto op = cast<tile::AtomicRMWOp>(step.op);
  auto fn = static_cast<AtomicFn>(op.getKind());
  return change(program, step, fn, program.operand(step, 0), /*cmp=*/nullptr,
                program.operand(step, 1), op.getMask() ? &program.operand(step, 2) : nullptr);
}

LogicalResult runCAS(Program &program, const Step &step) {
  return change(program, step, AtomicFn::Cas, program.operand(step, 0), &program.operand(step, 1),
                program.operand(step, 2), /*mask=*/nullptr);
}

} // namespace

void addAtomicOps(OpTable &table) {
  table["tile.atomic_rmw"] = {runRMW};
  table["tile.atomic_cas"] = {runCAS};
}

} // namespace tilec::ref
