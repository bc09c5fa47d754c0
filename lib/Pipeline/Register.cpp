// Registration of dialects and passes.
#include "lib/Pipeline/Pipeline.h"

#include "dialects/Tile/Transforms/Passes.h"
#include "dialects/TileGPU/Transforms/ExpandMath/ExpandMath.h"
#include "dialects/TileGPU/Transforms/Passes.h"
#include "lib/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilec;

void tilec::registerAllDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect, tilegpu::TileGPUDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  NVVM::NVVMDialect, scf::SCFDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

namespace {
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<unsigned> numWarps{*this, "num-warps", llvm::cl::desc("warps of a program; 0 chooses"),
                            llvm::cl::init(0)};
  Option<std::string> target{*this, "target", llvm::cl::desc("a target of tilec --list-targets"),
                             llvm::cl::init("sm_90a")};

  PipelineOptions get() const {
    PipelineOptions options;
    options.numWarps = numWarps;
    options.target = target;
    return options;
  }
};
} // namespace

void tilec::registerAllPasses() {
  tile::registerTilePasses();
  tilegpu::registerTileGPUPasses();
  registerExpandMathPasses();
  registerTilecConversionPasses();
  mlir::registerPass([]() -> std::unique_ptr<Pass> { return createCanonicalizerPass(); });
  mlir::registerPass([]() -> std::unique_ptr<Pass> { return createCSEPass(); });
  mlir::registerPass([]() -> std::unique_ptr<Pass> { return createLoopInvariantCodeMotionPass(); });

  using Build = void (*)(OpPassManager &, const PipelineOptions &);
  auto add = [](StringRef name, StringRef summary, Build build) {
    PassPipelineRegistration<PipelineFlags> registration(
        name, summary,
        [build](OpPassManager &pm, const PipelineFlags &flags) { build(pm, flags.get()); });
  };
  add("tile-pipeline", "stage tile: simplify what the front end made", buildTilePipeline);
  add("tilegpu-pipeline", "stage tilegpu: layouts, shared memory, barriers", buildTileGPUPipeline);
  add("lowering-pipeline", "stage lowered: what a thread does", buildLoweringPipeline);
  add("nvptx-pipeline", "from lowered to what translates to LLVM IR", buildNVPTXPipeline);
}
