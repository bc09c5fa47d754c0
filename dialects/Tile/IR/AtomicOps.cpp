// Verifiers of atomic accesses.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec::tile;

/// The value and the result are what the pointer points to.
static LogicalResult verifyPointee(Operation *op, StringRef name, Type type, Type ptr) {
  if (type != pointeesOf(ptr))
    return op->emitOpError() << name << " " << type << " must be " << pointeesOf(ptr)
                             << ", what the pointer " << ptr << " points to";
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointee(*this, "value", getValue().getType(), ptr)) ||
      failed(verifyPointee(*this, "result", getType(), ptr)))
    return failure();
  if (getMask() && getMask().getType() != maskOf(ptr))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of pointer "
                         << ptr;
  Type element = elementTypeOf(getType());
  bool isFloat = isa<FloatType>(element);
  if (getKind() == AtomicKind::xchg)
    return success();
  if (isFloat != (getKind() == AtomicKind::fadd) || isa<PtrType>(element))
    return emitOpError() << "'" << stringifyAtomicKind(getKind()) << "' does not work on "
                         << element;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointee(*this, "cmp", getCmp().getType(), ptr)) ||
      failed(verifyPointee(*this, "value", getValue().getType(), ptr)) ||
      failed(verifyPointee(*this, "result", getType(), ptr)))
    return failure();
  return success();
}
