// Verifiers and effects of operations that speak to the host, to the machine, or in PTX.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec::tile;

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getValues().size())
    return emitOpError() << "has " << getValues().size() << " values and " << getIsSigned().size()
                         << " entries of 'is_signed'";
  return success();
}

void InlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult InlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("needs at least one result");
  if (getPack() == 0 || getPack() > 1024)
    return emitOpError() << "pack must be 1 to 1024, got " << getPack();
  Type like = getResult(0).getType();
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(getOperandTypes()),
                                            SmallVector<Type>(getResultTypes())))
    if (failed(verifySameShape(*this, "type", type, "the first result", like)))
      return failure();
  return success();
}
