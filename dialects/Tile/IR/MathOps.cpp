// The functions that the math dialect lacks.
#include "dialects/Tile/IR/MathFunctions.h"
#include "dialects/Tile/IR/OpSupport.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilec::tile;

static constexpr MathFunction kFunctions[] = {{"add_rd", 2},
                                              {"add_ru", 2},
                                              {"add_rz", 2},
                                              {"cospi", 1},
                                              {"cyl_bessel_i0", 1},
                                              {"cyl_bessel_i1", 1},
                                              {"div_rd", 2},
                                              {"div_ru", 2},
                                              {"div_rz", 2},
                                              {"erfcinv", 1},
                                              {"erfcx", 1},
                                              {"erfinv", 1},
                                              {"exp10", 1},
                                              {"fma_rd", 3},
                                              {"fma_ru", 3},
                                              {"fma_rz", 3},
                                              {"hypot", 2},
                                              {"j0", 1},
                                              {"j1", 1},
                                              {"lgamma", 1},
                                              {"mul_rd", 2},
                                              {"mul_ru", 2},
                                              {"mul_rz", 2},
                                              {"norm3d", 3},
                                              {"norm4d", 4},
                                              {"normcdf", 1},
                                              {"normcdfinv", 1},
                                              {"rcbrt", 1},
                                              {"rcp_rd", 1},
                                              {"rcp_ru", 1},
                                              {"rcp_rz", 1},
                                              {"rhypot", 2},
                                              {"rnorm3d", 3},
                                              {"rnorm4d", 4},
                                              {"sinpi", 1},
                                              {"sqrt_rd", 1},
                                              {"sqrt_ru", 1},
                                              {"sqrt_rz", 1},
                                              {"tgamma", 1},
                                              {"y0", 1},
                                              {"y1", 1}};

llvm::ArrayRef<MathFunction> tilec::tile::getMathFunctions() { return kFunctions; }

const MathFunction *tilec::tile::findMathFunction(StringRef name) {
  const auto *found = llvm::find_if(
      kFunctions, [&](const MathFunction &function) { return function.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

bool tilec::tile::isDirectedRounding(StringRef name) {
  return name.ends_with("_rz") || name.ends_with("_rd") || name.ends_with("_ru");
}

LogicalResult MathFnOp::verify() {
  const MathFunction *function = findMathFunction(getFn());
  if (!function)
    return emitOpError("has no function '") << getFn() << "'";
  if (getOperands().size() != function->operands)
    return emitOpError("'") << getFn() << "' takes " << function->operands << " operands, "
                            << getOperands().size() << " are given";
  Type element = getElementTypeOrSelf(getType());
  if (!element.isF32() && !element.isF64())
    return emitOpError("'") << getFn() << "' is on f32 and f64, not on " << element;
  for (Value operand : getOperands())
    if (operand.getType() != getType())
      return emitOpError("operand has type ")
             << operand.getType() << ", but the result has type " << getType();
  return success();
}
