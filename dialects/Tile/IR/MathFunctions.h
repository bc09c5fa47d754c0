// The functions of `tile.math`.
#ifndef TILEC_DIALECTS_TILE_IR_MATHFUNCTIONS_H
#define TILEC_DIALECTS_TILE_IR_MATHFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilec::tile {

/// One function, on f32 or f64: all operands and the result have one type.
struct MathFunction {
  llvm::StringLiteral name;
  unsigned operands;
};

/// All of them, in alphabetical order.
llvm::ArrayRef<MathFunction> getMathFunctions();

/// Null if there is none of that name.
const MathFunction *findMathFunction(llvm::StringRef name);

/// Whether a function is arithmetic that rounds towards zero (`_rz`), down (`_rd`) or up (`_ru`),
/// for which there are instructions.
bool isDirectedRounding(llvm::StringRef name);

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_IR_MATHFUNCTIONS_H
