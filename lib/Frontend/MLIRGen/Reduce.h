// Helpers for reductions, scans and elementwise extrema.
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

/// `tile.scan` of tensors of one shape along `axis`: a tuple of results, or poison.
Value scan(Generator &g, llvm::ArrayRef<Value> inputs, int64_t axis, bool reverse,
           const Combiner &combine);

/// Fills the region of a reduction or scan. False after an error.
bool emitCombiner(Generator &g, mlir::Region &region, llvm::ArrayRef<Value> inputs,
                  const Combiner &combine);

/// The combiner that the program gives as argument `index`, a jit function; null after an error.
Combiner combinerOf(Generator &g, const CallArgs &args, unsigned index);

/// The combiner `left OP right`.
Combiner operatorCombiner(Generator &g, ast::BinaryOp op, SourceRange range);

/// The tensors of one shape that argument 0 is, one or a tuple; nothing after an error.
std::optional<llvm::SmallVector<Value>> getCombined(Generator &g, const CallArgs &args);

/// The type that small integers are summed in [R25].
DType sumType(DType type);

/// A tensor of one element as a scalar.
Value unsplat(Generator &g, const Value &value, SourceRange range);

/// Elementwise maximum or minimum of two values [R5, R27].
Value emitExtremum(Generator &g, Value x, Value y, bool isMax, bool propagateNaN,
                   SourceRange range);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_REDUCE_H
