// The LLVM passes of code generation.
#include "lib/Target/NVPTX/CodeGenPipeline.h"

#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace tilec {

namespace {

/// The one step of TargetPassConfig::addISelPasses that is protected.
struct CoreISel : TargetPassConfig {
  static bool add(TargetPassConfig &config) { return (config.*&CoreISel::addCoreISelPasses)(); }
};

} // namespace

bool addCodeGenPasses(TargetMachine &machine, legacy::PassManagerBase &passes,
                      raw_pwrite_stream &os, bool lean) {
  if (!lean)
    return machine.addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::AssemblyFile,
                                       /*DisableVerify=*/true);
  // What addPassesToEmitFile does, except that the target's IR passes are asked for at level 0,
  // where it leaves out all but the necessary ones. The others, straight-line strength reduction
  // first of all, took up to two thirds of code generation and made no better code.
  auto *info = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(info);
  CodeGenOptLevel level = machine.getOptLevel();
  machine.setOptLevel(CodeGenOptLevel::None);
  config->addIRPasses();
  machine.setOptLevel(level);
  config->addCodeGenPrepare();
  config->addPassesToHandleExceptions();
  config->addISelPrepare();
  if (CoreISel::add(*config))
    return true;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, os, nullptr, CodeGenFileType::AssemblyFile,
                            info->getMMI().getContext()))
    return true;
  passes.add(createFreeMachineFunctionPass());
  return false;
}

} // namespace tilec
