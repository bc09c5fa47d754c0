// Verifiers of the tensor core operations.
#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Bits of an operand's element, 0 if mma does not take it.
static unsigned operandBits(Type type) {
  if (isa<FloatTF32Type>(type))
    return 32;
  if (type.isF16() || type.isBF16())
    return 16;
  return type.isInteger(8) || isa<Float8E4M3FNType, Float8E5M2Type>(type) ? 8 : 0;
}

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

LogicalResult MmaOp::verify() {
  Type lhs = getLhsType(), rhs = getRhsType();
  auto acc = cast<VectorType>(getType());
  if (!operandBits(lhs) || (lhs != rhs && !(isFloat8(lhs) && isFloat8(rhs))))
    return emitOpError() << "multiplies tf32, f16, bf16, i8 or f8 by their like, got " << lhs
                         << " and " << rhs;
  Type sum = acc.getElementType();
  bool fits = lhs.isInteger(8) ? sum.isInteger(32) : sum.isF32() || (sum.isF16() && lhs.isF16());
  if (!fits || acc.getNumElements() != 4)
    return emitOpError() << "acc must have four elements of the type that products of " << lhs
                         << " are summed in, got " << acc;
  auto holds = [&](StringRef name, Type type, Type element, int64_t bytes) -> LogicalResult {
    auto vector = cast<VectorType>(type);
    Type stored = vector.getElementType();
    Type expected = isFloat8(element)             ? Type(IntegerType::get(getContext(), 8))
                    : isa<FloatTF32Type>(element) ? Type(Float32Type::get(getContext()))
                                                  : element;
    int64_t count = bytes * 8 / operandBits(element);
    if (stored == expected && vector.getNumElements() == count)
      return success();
    return emitOpError() << name << " must be " << VectorType::get({count}, expected) << ", got "
                         << type;
  };
  if (failed(holds("lhs", getLhs().getType(), lhs, 16)))
    return failure();
  return holds("rhs", getRhs().getType(), rhs, 8);
}

LogicalResult LdMatrixOp::verify() {
  int64_t count = cast<VectorType>(getType()).getNumElements();
  if (count != 1 && count != 2 && count != 4)
    return emitOpError() << "reads one, two or four matrices, got " << count;
  return success();
}
