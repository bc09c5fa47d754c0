// The passes of the simulator.
#ifndef TILEC_LIB_SIMULATOR_PASSES_H
#define TILEC_LIB_SIMULATOR_PASSES_H

#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilec {

#define GEN_PASS_DECL
#include "lib/Simulator/Passes.h.inc"

/// Makes `simt-to-host` known to the parser of pass pipelines.
void registerSimulatorPasses();

} // namespace tilec

#endif // TILEC_LIB_SIMULATOR_PASSES_H
