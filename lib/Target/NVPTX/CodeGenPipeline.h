// The LLVM passes of code generation.
#ifndef TILEC_LIB_TARGET_NVPTX_CODEGENPIPELINE_H
#define TILEC_LIB_TARGET_NVPTX_CODEGENPIPELINE_H

namespace llvm {
class TargetMachine;
class raw_pwrite_stream;
namespace legacy {
class PassManagerBase;
} // namespace legacy
} // namespace llvm

namespace tilec {

/// Adds the passes that select instructions and write PTX to `os`. With `lean`, without those that
/// optimize IR once more: kernels come from runOptimizationPipeline. Returns whether the target
/// can't.
[[nodiscard]] bool addCodeGenPasses(llvm::TargetMachine &machine,
                                    llvm::legacy::PassManagerBase &passes,
                                    llvm::raw_pwrite_stream &os, bool lean);

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_CODEGENPIPELINE_H
