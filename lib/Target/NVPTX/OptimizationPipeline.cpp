// The LLVM passes that run before code generation.
#include "lib/Target/NVPTX/OptimizationPipeline.h"
#include "lib/Target/NVPTX/ScalarizeBooleans.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace tilec {

namespace {

/// Runs `passes` on functions that have a loop.
class IfLoopsPass : public PassInfoMixin<IfLoopsPass> {
public:
  explicit IfLoopsPass(FunctionPassManager passes) : passes(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
    FindFunctionBackedges(function, backEdges);
    return backEdges.empty() ? PreservedAnalyses::all() : passes.run(function, analyses);
  }

private:
  FunctionPassManager passes;
};

/// Registers are scalars in the end. Left as vectors, comparisons in particular cost: a vector of
/// booleans gets packed into a word and unpacked again. Loads and stores stay whole, and so do
/// pairs of 16-bit numbers, which the hardware adds and multiplies two at a time.
void addScalarization(FunctionPassManager &passes) {
  passes.addPass(ScalarizeBooleansPass());
  ScalarizerPassOptions options;
  options.ScalarizeMinBits = 32;
  passes.addPass(ScalarizerPass(options));
}

/// What straight-line code with the loops of a kernel needs: measured against LLVM's O3 in
/// docs/design/ptx.md.
FunctionPassManager buildKernelPipeline() {
  InstCombineOptions once;
  once.setVerifyFixpoint(false);
  FunctionPassManager passes;
  addScalarization(passes);
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass(once));
  passes.addPass(ReassociatePass());
  passes.addPass(SimplifyCFGPass());

  FunctionPassManager loops;
  LoopPassManager rotation;
  rotation.addPass(LoopRotatePass());
  rotation.addPass(LICMPass(LICMOptions()));
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(rotation), /*UseMemorySSA=*/true));
  loops.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  loops.addPass(InstCombinePass(once));
  passes.addPass(IfLoopsPass(std::move(loops)));

  // Addresses as one base and constants, which the load and store instructions take.
  passes.addPass(SeparateConstOffsetFromGEPPass());
  passes.addPass(EarlyCSEPass());
  FunctionPassManager bases;
  bases.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(IfLoopsPass(std::move(bases)));
  return passes;
}

} // namespace

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

  ModulePassManager passes;
  if (level == 0) {
    passes = builder.buildO0DefaultPipeline(OptimizationLevel::O0);
  } else if (level < 3) {
    // The target's own: ranges of thread indices, for one.
    builder.invokePipelineStartEPCallbacks(passes, OptimizationLevel::O2);
    passes.addPass(createModuleToFunctionPassAdaptor(buildKernelPipeline()));
  } else {
    FunctionPassManager scalarization;
    addScalarization(scalarization);
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(scalarization)));
    passes.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  }
  passes.run(module, moduleAnalyses);
}

} // namespace tilec
