// Combiners of reductions and scans without control flow.
#ifndef TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H
#define TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilec {

/// Threads combine many elements at once, each of which could take another branch: both sides of
/// an `scf.if` in a combiner are computed, and its results selected. Promises about values
/// (tile.assume) go. An assertion on one side holds there only; those of a scan go, which also
/// combines what it does not use.
void flattenCombiners(mlir::func::FuncOp function);

} // namespace tilec

#endif // TILEC_LIB_CONVERSION_TILETOTILEGPU_FLATTENCOMBINERS_H
