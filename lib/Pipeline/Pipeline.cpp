// The stages of the compiler as pass pipelines.
#include "lib/Pipeline/Pipeline.h"

#include "dialects/Tile/Transforms/Passes.h"
#include "dialects/TileGPU/Transforms/ExpandMath/ExpandMath.h"
#include "dialects/TileGPU/Transforms/Passes.h"
#include "lib/Conversion/Passes.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilec;

void tilec::buildTilePipeline(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(tile::createCanonicalizePointersPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createCSEPass());
}

void tilec::buildTileGPUPipeline(OpPassManager &pm, const PipelineOptions &options) {
  ConvertTileToTileGPUPassOptions convert;
  convert.numWarps = options.numWarps;
  pm.addPass(createConvertTileToTileGPUPass(convert));
  const TargetInfo *target = lookupTarget(options.target);
  pm.addPass(tilegpu::createCoalescePass());
  tilegpu::AssignDotLayoutsPassOptions dots;
  if (target)
    dots.capability = target->computeCapability;
  pm.addPass(tilegpu::createAssignDotLayoutsPass(dots));
  pm.addPass(tilegpu::createRemoveConversionsPass());
  // After layouts are chosen: a function is one operation to what chooses, not twenty.
  pm.addPass(tilegpu::createExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  tilegpu::AllocateSharedPassOptions shared;
  if (target)
    shared.limit = target->maxSharedPerBlock;
  pm.addPass(tilegpu::createAllocateSharedPass(shared));
  pm.addPass(tilegpu::createInsertBarriersPass());
}

void tilec::buildLoweringPipeline(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(createConvertTileGPUToLLVMPass());
  pm.addPass(createCSEPass());
}

void tilec::buildNVPTXPipeline(OpPassManager &pm, const PipelineOptions &options) {
  ConvertTileGPUToNVPTXPassOptions convert;
  convert.target = options.target;
  pm.addPass(createConvertTileGPUToNVPTXPass(convert));
  if (options.lineInfo) {
    // Not the default, LineTablesOnly: it marks the PTX as a debug target, and ptxas then drops its
    // optimizations.
    LLVM::DIScopeForLLVMFuncOpPassOptions scope;
    scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  }
}
