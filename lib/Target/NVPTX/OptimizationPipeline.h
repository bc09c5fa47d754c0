// The LLVM passes that run before code generation.
#ifndef TILEC_LIB_TARGET_NVPTX_OPTIMIZATIONPIPELINE_H
#define TILEC_LIB_TARGET_NVPTX_OPTIMIZATIONPIPELINE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilec {

/// Optimizes the module in place with `machine` attached to the pass builder. Level 0 runs nothing
/// that is not needed for correctness, 1 and 2 a pipeline cut to what kernels need, 3 LLVM's O3.
void runOptimizationPipeline(llvm::Module &module, llvm::TargetMachine &machine, unsigned level);

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_OPTIMIZATIONPIPELINE_H
