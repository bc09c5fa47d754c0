// The verifier of functions that the math dialect lacks.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec::tile;

LogicalResult MathFnOp::verify() {
  if (getOperands().empty())
    return emitOpError("needs at least one operand");
  for (Value operand : getOperands())
    if (failed(verifySameShape(*this, "operand", operand.getType(), "the result", getType())))
      return failure();
  return success();
}
