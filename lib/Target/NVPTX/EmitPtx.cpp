// LLVM IR to PTX text.
#include "lib/Target/NVPTX/CodeGenPipeline.h"
#include "lib/Target/NVPTX/FatalErrors.h"
#include "lib/Target/NVPTX/NVPTX.h"
#include "lib/Target/NVPTX/OptimizationPipeline.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <chrono>
#include <mutex>
#include <vector>

using namespace llvm;

namespace tilec {

namespace {

constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";
/// What NVPTX computes for 64-bit pointers; a test compares it with the target machine's.
constexpr StringLiteral kDataLayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
/// What LLVM 22 can write.
constexpr unsigned kMaxPtxVersion = 90;

const Target *nvptxTarget() {
  static const Target *target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string error;
    return TargetRegistry::lookupTarget(Triple(kTriple), error);
  }();
  return target;
}

std::string versionName(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

Error checkOptions(const PtxOptions &options) {
  if (!options.target)
    return createStringError("no target was named");
  if (options.optLevel > 3)
    return createStringError("optimization level " + Twine(options.optLevel) +
                             " is not one of 0, 1, 2, 3");
  if (!options.ptxVersion)
    return Error::success();
  if (options.ptxVersion < options.target->minPtxVersion)
    return createStringError("target '" + options.target->name + "' needs PTX " +
                             versionName(options.target->minPtxVersion) + " or later, but PTX " +
                             versionName(options.ptxVersion) + " was asked for");
  if (options.ptxVersion > kMaxPtxVersion)
    return createStringError("PTX " + versionName(options.ptxVersion) +
                             " was asked for, but this compiler writes up to " +
                             versionName(kMaxPtxVersion));
  return Error::success();
}

/// Target machines that no one uses at the moment, by what they were made for. Making one and its
/// subtarget costs more than compiling a small kernel, and one serves a single thread at a time.
class MachinePool {
public:
  static MachinePool &get() {
    static auto *pool = new MachinePool; // never destroyed: threads may compile until the very end
    return *pool;
  }

  Expected<std::unique_ptr<TargetMachine>> acquire(const PtxOptions &options) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto &idle = machines[key(options)];
      if (!idle.empty()) {
        std::unique_ptr<TargetMachine> machine = std::move(idle.back());
        idle.pop_back();
        return std::move(machine);
      }
    }
    return createNvptxTargetMachine(options);
  }

  void release(const PtxOptions &options, std::unique_ptr<TargetMachine> machine) {
    std::lock_guard<std::mutex> lock(mutex);
    machines[key(options)].push_back(std::move(machine));
  }

private:
  static std::string key(const PtxOptions &options) {
    return (options.target->name + "/" + Twine(options.ptxVersion) + "/" + Twine(options.optLevel))
        .str();
  }

  std::mutex mutex;
  StringMap<std::vector<std::unique_ptr<TargetMachine>>> machines;
};

/// Collects errors; LLVM's own handler prints them and exits.
struct CollectErrors : DiagnosticHandler {
  explicit CollectErrors(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    if (!errors.empty())
      errors += '\n';
    raw_string_ostream os(errors);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }
  std::string &errors;
};

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Error verify(Module &module) {
  std::string text;
  raw_string_ostream os(text);
  if (!verifyModule(module, &os))
    return Error::success();
  return createStringError("the LLVM module is not valid: " + StringRef(text).rtrim());
}

} // namespace

void configureForNvptx(Module &module) {
  module.setTargetTriple(Triple(kTriple));
  module.setDataLayout(kDataLayout);
}

Expected<std::unique_ptr<TargetMachine>> createNvptxTargetMachine(const PtxOptions &options) {
  if (Error error = checkOptions(options))
    return std::move(error);
  const Target *target = nvptxTarget();
  if (!target)
    return createStringError("this LLVM was built without the NVPTX target");
  // Which products and sums fuse is said by the `contract` flag of each instruction; the global
  // option would fuse those that must not (R32 of docs/language.md).
  TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = FPOpFusion::Standard;
  std::string features;
  if (options.ptxVersion)
    features = "+ptx" + std::to_string(options.ptxVersion);
  auto level = options.optLevel == 0 ? CodeGenOptLevel::None : CodeGenOptLevel::Aggressive;
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(Triple(kTriple), options.target->name, features, targetOptions,
                                  Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError("LLVM has no target machine for '" + options.target->name + "'");
  return std::move(machine);
}

Error optimizeForNvptx(Module &module, const PtxOptions &options) {
  if (Error error = checkOptions(options))
    return error;
  configureForNvptx(module);
  MachinePool &pool = MachinePool::get();
  Expected<std::unique_ptr<TargetMachine>> machine = pool.acquire(options);
  if (!machine)
    return machine.takeError();
  if (Error error = runCatchingFatalErrors(
          [&] { runOptimizationPipeline(module, **machine, options.optLevel); })) {
    machine->release(); // the abandoned stack still refers to it
    return error;
  }
  pool.release(options, std::move(*machine));
  return Error::success();
}

/// Tensor core products of 8-bit floats on sm_89 came with a later PTX than the target.
static constexpr unsigned kFloat8MmaPtxVersion = 84;

static bool multipliesFloat8(const Module &module) {
  return llvm::any_of(module, [](const Function &function) {
    StringRef name = function.getName();
    return name.starts_with("llvm.nvvm.mma.") && (name.contains(".e4m3") || name.contains(".e5m2"));
  });
}

/// Eviction priorities of accesses came after sm_80 and sm_86.
static constexpr unsigned kEvictionPtxVersion = 74;

static bool hintsAtEviction(const Module &module) {
  for (const Function &function : module)
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        if (auto *call = dyn_cast<CallInst>(&instruction))
          if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
            if (StringRef(text->getAsmString()).contains("::evict_"))
              return true;
  return false;
}

/// Kernels take more than 4,096 bytes of parameters since this version.
static constexpr unsigned kLargeParamsPtxVersion = 81;

static bool takesLargeParams(const Module &module) {
  DataLayout layout(kDataLayout);
  return llvm::any_of(module, [&](const Function &function) {
    uint64_t bytes = 0;
    for (const Argument &argument : function.args())
      bytes = alignTo(bytes, layout.getABITypeAlign(argument.getType())) +
              layout.getTypeAllocSize(argument.getType());
    return !function.isDeclaration() && bytes > 4096;
  });
}

/// Raises the version for code that needs `version`; an error if another was asked for.
static Error requireVersion(PtxOptions &options, unsigned version, StringRef what) {
  if (!options.ptxVersion)
    options.ptxVersion = std::max(options.target->minPtxVersion, version);
  else if (options.ptxVersion < version)
    return createStringError(what + " need PTX " + versionName(version) + " or later, but PTX " +
                             versionName(options.ptxVersion) + " was asked for");
  return Error::success();
}

Expected<std::string> emitPtx(Module &module, const PtxOptions &requested, PtxTimings *timings) {
  PtxOptions options = requested;
  if (Error error = checkOptions(options))
    return std::move(error);
  unsigned lowest = options.ptxVersion ? options.ptxVersion : options.target->minPtxVersion;
  if (lowest < kEvictionPtxVersion && hintsAtEviction(module))
    if (Error error = requireVersion(options, kEvictionPtxVersion, "eviction priorities"))
      return std::move(error);
  if (lowest < kLargeParamsPtxVersion && takesLargeParams(module))
    if (Error error = requireVersion(options, kLargeParamsPtxVersion,
                                     "kernels with more than 4,096 bytes of parameters"))
      return std::move(error);
  if (multipliesFloat8(module))
    if (Error error =
            requireVersion(options, kFloat8MmaPtxVersion, "products of fp8 on tensor cores"))
      return std::move(error);
  auto start = std::chrono::steady_clock::now();
  configureForNvptx(module);
  if (options.verify)
    if (Error error = verify(module))
      return std::move(error);
  MachinePool &pool = MachinePool::get();
  Expected<std::unique_ptr<TargetMachine>> machine = pool.acquire(options);
  if (!machine)
    return machine.takeError();

  // On the heap, since it must outlive an abandoned stack that refers to it.
  struct State {
    SmallString<0> text;
    std::string errors;
    PtxTimings timings;
    bool unsupported = false;
  };
  auto *state = new State;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(state->errors));
  state->timings.setup = millisecondsSince(start);

  TargetMachine *tm = machine->get();
  unsigned level = options.optLevel;
  Error fatal = runCatchingFatalErrors([&module, state, tm, level] {
    auto begin = std::chrono::steady_clock::now();
    runOptimizationPipeline(module, *tm, level);
    state->timings.optimize = millisecondsSince(begin);

    begin = std::chrono::steady_clock::now();
    raw_svector_ostream os(state->text);
    legacy::PassManager passes;
    if (addCodeGenPasses(*tm, passes, os, /*lean=*/level == 1 || level == 2))
      state->unsupported = true;
    else
      passes.run(module);
    state->timings.codegen = millisecondsSince(begin);
  });
  if (fatal) {
    machine->release(); // like the state, it stays for the abandoned stack
    context.setDiagnosticHandler(std::move(previous));
    return createStringError("code generation for '" + options.target->name +
                             "' failed: " + toString(std::move(fatal)));
  }
  context.setDiagnosticHandler(std::move(previous));
  std::unique_ptr<State> owned(state);
  pool.release(options, std::move(*machine));
  if (timings)
    *timings = owned->timings;
  if (owned->unsupported)
    return createStringError("LLVM cannot write PTX for '" + options.target->name + "'");
  if (!owned->errors.empty())
    return createStringError("code generation for '" + options.target->name +
                             "' failed: " + owned->errors);
  return std::string(owned->text.str());
}

} // namespace tilec
