// The LLVM passes that run before code generation.
#include "lib/Target/NVPTX/OptimizationPipeline.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;

namespace tilec {

void runOptimizationPipeline(Module &module, TargetMachine &machine, unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager sccAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(sccAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, sccAnalyses, moduleAnalyses);

  // Registers are scalars in the end. Left as vectors, comparisons in particular cost: a vector of
  // booleans gets packed into a word and unpacked again. Loads and stores stay whole.
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, OptimizationLevel) {
    FunctionPassManager functionPasses;
    functionPasses.addPass(ScalarizerPass());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  });

  static const OptimizationLevel *const levels[] = {&OptimizationLevel::O0, &OptimizationLevel::O1,
                                                    &OptimizationLevel::O2, &OptimizationLevel::O3};
  ModulePassManager passes = level == 0 ? builder.buildO0DefaultPipeline(*levels[0])
                                        : builder.buildPerModuleDefaultPipeline(*levels[level]);
  passes.run(module, moduleAnalyses);
}

} // namespace tilec
