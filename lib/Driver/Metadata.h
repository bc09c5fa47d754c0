// What a launch needs to know of kernels, read from modules.
#ifndef TILEC_LIB_DRIVER_METADATA_H
#define TILEC_LIB_DRIVER_METADATA_H

#include "lib/Device/Artifact.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilec {

/// The kernels of a module of the tile dialect, in order, with names and parameters.
std::vector<KernelMetadata> readKernels(mlir::ModuleOp module);

/// Fills in the numbers of warps and the shared memory, which a module has from the tilegpu stage
/// on.
void readLaunchFacts(mlir::ModuleOp module, std::vector<KernelMetadata> &kernels);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_METADATA_H
