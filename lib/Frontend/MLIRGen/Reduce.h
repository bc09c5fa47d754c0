// Helpers for reductions and elementwise extrema.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_REDUCE_H
#define TILEC_LIB_FRONTEND_MLIRGEN_REDUCE_H

#include "lib/Frontend/MLIRGen/Generator.h"

#include <functional>

namespace tilec::frontend {

/// Combines the left and the right element of every operand; too few results mean an error.
using Combiner =
    std::function<llvm::SmallVector<Value>(llvm::ArrayRef<Value>, llvm::ArrayRef<Value>)>;

/// `tile.reduce` of tensors of one shape along `axis`: a tuple of results, or poison.
Value reduce(Generator &g, llvm::ArrayRef<Value> inputs, int64_t axis, const Combiner &combine,
             SourceRange range);

/// Elementwise maximum or minimum of two values [R5, R27].
Value emitExtremum(Generator &g, Value x, Value y, bool isMax, bool propagateNaN,
                   SourceRange range);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_REDUCE_H
