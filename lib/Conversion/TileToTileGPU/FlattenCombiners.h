// Combiners of reductions and scans without control flow.
#ifndef TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H
#define TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilec {

/// Threads combine many elements at once, each of which could take another branch: both sides of
/// an `scf.if` in a combiner are computed, and its results selected. Promises about values
/// (tile.assume) go with the branches that they stand under.
void flattenCombiners(mlir::func::FuncOp function);

} // namespace tilec

#endif // TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H
