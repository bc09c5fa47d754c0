// What the files about matrix products share.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_DOT_H
#define TILEC_LIB_FRONTEND_MLIRGEN_DOT_H

#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// The transposed matrix, or matrices.
Value swapLastTwo(Generator &g, const Value &value);

/// `tl.dot_scaled` (DotScaled.cpp).
Value emitDotScaled(Generator &g, const CallArgs &args);

/// Whether two tensors can be multiplied; if not, an error was reported [R24].
bool checkDotShapes(Generator &g, const Value &lhs, const Value &rhs, SourceRange range,
                    int64_t minK);

/// Whether an accumulator has the type of the product; if not, an error was reported.
bool checkAccumulator(Generator &g, const Value &acc, const Value &lhs, const Value &rhs,
                      DType result, SourceRange range);

/// `lhs @ rhs + acc` of checked operands; a poison `acc` is zero.
Value createDot(Generator &g, Value lhs, Value rhs, Value acc, DType result,
                tile::InputPrecision precision, std::optional<int32_t> maxImprecise = std::nullopt);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_DOT_H
