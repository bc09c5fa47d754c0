// The stages of the compiler, declared once for tilec, tile-opt, the JIT and the tests.
#ifndef TILEC_LIB_PIPELINE_PIPELINE_H
#define TILEC_LIB_PIPELINE_PIPELINE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace tilec {

/// What the pipelines depend on besides the module.
struct PipelineOptions {
  /// Warps of a program: 1, 2, 4, 8, 16 or 32; 0 chooses by the largest tile.
  unsigned numWarps = 0;
  /// Buffers of a pipelined loop, counted as Triton counts them.
  unsigned numStages = 3;
  /// A target of --list-targets.
  std::string target = "sm_90a";
  /// Keep source lines in the PTX.
  bool lineInfo = false;
};

/// Every dialect that a module of ours may hold, with the interfaces and translations that lowering
/// needs. Thread-safe.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of ours and the upstream ones that we use, for tile-opt. Once a process.
void registerAllPasses();

/// Stage `tile`: what the front end made, simplified: pointers in canonical form.
void buildTilePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Stage `tilegpu`: every tensor has a layout, shared memory is placed, barriers are in.
void buildTileGPUPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Stage `lowered`: LLVM and NVVM dialects and the hardware operations of tilegpu. This module runs
/// on the simulator and goes on to PTX.
void buildLoweringPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// From `lowered` to what translates to LLVM IR for NVPTX.
void buildNVPTXPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

} // namespace tilec

#endif // TILEC_LIB_PIPELINE_PIPELINE_H
