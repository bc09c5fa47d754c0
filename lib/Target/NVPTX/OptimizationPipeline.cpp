// The LLVM passes that run before code generation.
#include "lib/Target/NVPTX/OptimizationPipeline.h"
#include "lib/Target/NVPTX/DefineCasts.h"
#include "lib/Target/NVPTX/Scalarize.h"

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
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace tilec {

namespace {

/// Beyond this many instructions a second look at what loops hold costs an eighth of the time of
/// compiling and changes the number of instructions by 0.3 %.
constexpr unsigned kSmallFunction = 1500;

/// Runs `passes` on functions that have a loop, and with a limit only on those of no more
/// instructions.
class IfLoopsPass : public PassInfoMixin<IfLoopsPass> {
public:
  explicit IfLoopsPass(FunctionPassManager passes, unsigned limit = ~0u)
      : passes(std::move(passes)), limit(limit) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.getInstructionCount() > limit)
      return PreservedAnalyses::all();
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
    FindFunctionBackedges(function, backEdges);
    return backEdges.empty() ? PreservedAnalyses::all() : passes.run(function, analyses);
  }

private:
  FunctionPassManager passes;
  unsigned limit;
};

/// Runs a pass on functions of no more instructions than that.
template <typename PassT>
struct IfSmallPass : PassInfoMixin<IfSmallPass<PassT>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.getInstructionCount() > kSmallFunction ? PreservedAnalyses::all()
                                                           : PassT().run(function, analyses);
  }
};

/// What straight-line code with the loops of a kernel needs: measured against LLVM's O3 in
/// docs/design/ptx.md.
FunctionPassManager buildKernelPipeline() {
  InstCombineOptions once;
  once.setVerifyFixpoint(false);
  FunctionPassManager passes;
  passes.addPass(ScalarizePass());
  passes.addPass(DefineCastsPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass(once));
  passes.addPass(IfSmallPass<ReassociatePass>());
  passes.addPass(SimplifyCFGPass());

  FunctionPassManager loops;
  LoopPassManager rotation;
  rotation.addPass(LoopRotatePass());
  rotation.addPass(LICMPass(LICMOptions()));
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(rotation), /*UseMemorySSA=*/true));
  loops.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  passes.addPass(IfLoopsPass(std::move(loops)));
  FunctionPassManager again;
  again.addPass(InstCombinePass(once));
  passes.addPass(IfLoopsPass(std::move(again), kSmallFunction));

  // Addresses as one base and constants, which the load and store instructions take.
  passes.addPass(SeparateConstOffsetFromGEPPass());
  passes.addPass(EarlyCSEPass());
  FunctionPassManager bases;
  bases.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(IfLoopsPass(std::move(bases), kSmallFunction));
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
    passes.addPass(createModuleToFunctionPassAdaptor(ScalarizePass()));
    passes.addPass(createModuleToFunctionPassAdaptor(DefineCastsPass()));
    passes.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  }
  passes.run(module, moduleAnalyses);
}

} // namespace tilec
