// Compiling a lowered module for the host, and launching its kernels over the host's cores.
#include "lib/Simulator/Block.h"
#include "lib/Simulator/Passes.h"
#include "lib/Simulator/Simulator.h"
#include "lib/Simulator/Workers.h"
#include "lib/Support/SourceError.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/TargetSelect.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace mlir;

namespace tilec {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The stacks of idle blocks of all programs, and how many there may be. Each is two mappings of
/// the process, of which Linux gives it 65,530.
static std::atomic<unsigned> idleStacks{0};
static constexpr unsigned kMaxIdleStacks = 8192;

struct SimProgram::Impl {
  struct Kernel {
    SimKernelInfo info;
    void (*entry)(void **) = nullptr;
    /// Blocks of launches that have ended, with their stacks, for the next one.
    std::vector<std::unique_ptr<sim::Block>> idle;

    ~Kernel() { idleStacks -= static_cast<unsigned>(idle.size()) * info.numThreads; }
    /// Keeps a block for the next launch, or lets it go if many are kept.
    void keep(std::unique_ptr<sim::Block> block);
  };

  SimOptions options;
  std::vector<SimKernelInfo> infos;
  llvm::StringMap<Kernel> kernels;
  std::vector<sim::Site> sites;
  uint64_t stackBytes = 0;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::mutex mutex;

  llvm::Error collectKernels(ModuleOp module);
  void readSites(ModuleOp module);
  llvm::Error compile(ModuleOp module);
  std::unique_ptr<sim::Block> takeBlock(Kernel &kernel);
};

void SimProgram::Impl::Kernel::keep(std::unique_ptr<sim::Block> block) {
  if (idleStacks.fetch_add(info.numThreads) + info.numThreads <= kMaxIdleStacks)
    idle.push_back(std::move(block));
  else
    idleStacks -= info.numThreads;
}

SimProgram::SimProgram() : impl(std::make_unique<Impl>()) {}
SimProgram::~SimProgram() = default;

llvm::ArrayRef<SimKernelInfo> SimProgram::getKernels() const { return impl->infos; }

//===--- Compiling -----------------------------------------------------------===//

llvm::Error SimProgram::Impl::collectKernels(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() || !function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    SimKernelInfo info;
    info.name = function.getName().str();
    auto warps = function->getAttrOfType<IntegerAttr>(tilegpu::kNumWarpsAttr);
    if (!warps || warps.getInt() < 1 || warps.getInt() > sim::kMaxWarps)
      return makeError("kernel '" + info.name + "' needs an attribute '" + tilegpu::kNumWarpsAttr +
                       "' from 1 to " + llvm::Twine(sim::kMaxWarps));
    info.numThreads = warps.getInt() * sim::kWarpSize;
    if (auto shared = function->getAttrOfType<IntegerAttr>(tilegpu::kSharedBytesAttr))
      info.sharedBytes = shared.getInt();
    if (info.sharedBytes > sim::kMaxSharedBytes)
      return makeError("kernel '" + info.name + "' needs " + llvm::Twine(info.sharedBytes) +
                       " bytes of shared memory, a block has at most " +
                       llvm::Twine(sim::kMaxSharedBytes));
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      SimParameter parameter;
      auto name = function.getArgAttrOfType<StringAttr>(i, "tile.name");
      parameter.name = name ? name.getValue().str() : "arg" + std::to_string(i);
      if (auto type = function.getArgAttrOfType<StringAttr>(i, "tile.type"))
        parameter.type = type.getValue().str();
      parameter.byValue = !!function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
      parameter.isPointer =
          !parameter.byValue && isa<LLVM::LLVMPointerType>(function.getArgument(i).getType());
      info.parameters.push_back(std::move(parameter));
    }
    infos.push_back(info);
    kernels[info.name].info = std::move(info);
  }
  return llvm::Error::success();
}

void SimProgram::Impl::readSites(ModuleOp module) {
  for (Attribute attr : module->getAttrOfType<ArrayAttr>(sim::kSitesAttr)) {
    auto fields = cast<DictionaryAttr>(attr);
    auto number = [&](StringRef name, auto &to) {
      if (auto value = fields.getAs<IntegerAttr>(name))
        to = value.getInt();
    };
    auto text = [&](StringRef name, std::string &to) {
      if (auto value = fields.getAs<StringAttr>(name))
        to = value.getValue().str();
    };
    sim::Site site;
    text("what", site.what);
    number("bytes", site.bytes);
    number("align", site.align);
    number("element_bytes", site.elementBytes);
    text("element", site.elementType);
    number("arg", site.arg);
    site.isAtomic = fields.contains("atomic");
    if (fields.contains("asm")) {
      // It was parsed when the call was made.
      auto program = ptx::AsmProgram::get(site.what, site.elementType);
      if (program)
        site.program = std::move(*program);
      else
        llvm::consumeError(program.takeError());
    }
    text("file", site.file);
    number("line", site.line);
    number("column", site.column);
    sites.push_back(std::move(site));
  }
  module->removeAttr(sim::kSitesAttr);
}

/// The sum of the frames of all functions of an object: no call chain without recursion needs more.
static uint64_t sumStackSizes(llvm::MemoryBufferRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  uint64_t sum = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (*name != ".stack_sizes")
      continue;
    // Per function its address, which is not linked yet, and its size as ULEB128.
    const auto *data = contents->bytes_begin(), *end = contents->bytes_end();
    while (end - data > 8) {
      data += 8;
      unsigned length = 0;
      sum += llvm::decodeULEB128(data, &length, end);
      data += length;
    }
  }
  return sum;
}

static void initializeHostTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// The instruction selector takes a block at a time, and more than linear time for a long one.
static void splitLongBlocks(llvm::Module &module) {
  constexpr size_t kMaxInstructions = 1000;
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::BasicBlock *> blocks;
    for (llvm::BasicBlock &block : function)
      blocks.push_back(&block);
    // Memory of the frame is what the entry block makes, and all of that must stay there: the size
    // of a frame with other memory is not known.
    if (!function.empty())
      for (llvm::Instruction &inst : llvm::make_early_inc_range(function.getEntryBlock()))
        if (llvm::isa<llvm::AllocaInst>(inst) && llvm::isa<llvm::Constant>(inst.getOperand(0)))
          inst.moveBefore(function.getEntryBlock().begin());
    for (llvm::BasicBlock *block : blocks)
      while (block->size() > kMaxInstructions + 1) {
        auto at = std::next(block->begin(), kMaxInstructions);
        while (llvm::isa<llvm::PHINode, llvm::AllocaInst>(*at))
          ++at;
        if (at->isTerminator())
          break;
        block = block->splitBasicBlock(at);
      }
  }
}

llvm::Error SimProgram::Impl::compile(ModuleOp module) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, *llvmContext);
  if (!llvmModule)
    return makeError("the module has no LLVM IR");

  initializeHostTarget();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  // Kernels run once or a few times: compiling fast matters more than running fast.
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  target->getOptions().EmitStackSizeSection = true;
  // These instructions convert to bf16 as if denormal numbers were zeros; a GPU's keep them.
  if (target->getTargetTriple().isX86())
    target->addFeatures({"-avx512bf16", "-avxneconvert", "-avx10.2"});
  target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  splitLongBlocks(*llvmModule);

  auto newJit = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(*target))
                    .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                    .create();
  if (!newJit)
    return newJit.takeError();
  jit = std::move(*newJit);
  uint64_t frames = 0;
  jit->getObjTransformLayer().setTransform([&frames](std::unique_ptr<llvm::MemoryBuffer> object) {
    frames += sumStackSizes(object->getMemBufferRef());
    return llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>(std::move(object));
  });

  llvm::orc::SymbolMap symbols;
  for (auto family : {sim::getMemorySymbols(), sim::getBarrierSymbols(), sim::getWarpSymbols(),
                      sim::getMathSymbols(), sim::getEffectSymbols(), sim::getMatrixSymbols()})
    for (const sim::HostSymbol &symbol : family)
      symbols[jit->mangleAndIntern(symbol.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
  if (llvm::Error error =
          jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (llvm::Error error = jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(llvmModule), std::move(llvmContext))))
    return error;
  for (auto &kernel : kernels) {
    auto address = jit->lookup((sim::kEntryPrefix + kernel.first()).str());
    if (!address)
      return address.takeError();
    kernel.second.entry = address->toPtr<void (*)(void **)>();
  }
  jit->getObjTransformLayer().setTransform({});
  // Room for the library below the kernel's own frames, and for libm below that.
  constexpr uint64_t kLibraryBytes = 32 * 1024;
  stackBytes = options.stackBytes ? options.stackBytes : frames + kLibraryBytes;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<SimProgram>> SimProgram::create(ModuleOp lowered,
                                                               SimOptions options) {
  std::unique_ptr<SimProgram> program(new SimProgram());
  Impl &impl = *program->impl;
  impl.options = options;
  if (llvm::Error error = impl.collectKernels(lowered))
    return std::move(error);

  OwningOpRef<ModuleOp> module = lowered.clone();
  std::vector<SourceError::Mistake> mistakes;
  ScopedDiagnosticHandler handler(lowered.getContext(), [&](Diagnostic &diag) {
    if (diag.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    SourceError::Mistake mistake;
    if (auto file = diag.getLocation()->findInstanceOf<FileLineColLoc>()) {
      mistake.file = file.getFilename().getValue().str();
      mistake.line = file.getLine();
      mistake.column = file.getColumn();
    }
    mistake.text = diag.str();
    // What became several operations is one mistake.
    if (!llvm::is_contained(mistakes, mistake))
      mistakes.push_back(std::move(mistake));
    return success();
  });
  PassManager passes(lowered.getContext());
  passes.addPass(createSimtToHostPass());
  if (failed(passes.run(*module)))
    return mistakes.empty() ? makeError("the module cannot run on the host")
                            : llvm::make_error<SourceError>(std::move(mistakes));
  impl.readSites(*module);
  if (llvm::Error error = impl.compile(*module)) {
    if (mistakes.empty())
      return std::move(error);
    llvm::consumeError(std::move(error));
    return llvm::make_error<SourceError>(std::move(mistakes));
  }
  return program;
}

//===--- Launching -----------------------------------------------------------===//

std::unique_ptr<sim::Block> SimProgram::Impl::takeBlock(Kernel &kernel) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!kernel.idle.empty()) {
      std::unique_ptr<sim::Block> block = std::move(kernel.idle.back());
      kernel.idle.pop_back();
      idleStacks -= kernel.info.numThreads;
      return block;
    }
  }
  auto block =
      std::make_unique<sim::Block>(kernel.info.numThreads, kernel.info.sharedBytes, stackBytes);
  return block->isValid() ? std::move(block) : nullptr;
}

/// The buffer that an address lies in or ends, or null.
static const SimBuffer *findOwner(const std::vector<SimBuffer> &buffers, const void *address) {
  auto key = reinterpret_cast<uintptr_t>(address);
  auto begin = [](const SimBuffer &buffer) { return reinterpret_cast<uintptr_t>(buffer.base); };
  auto it = std::upper_bound(buffers.begin(), buffers.end(), key,
                             [&](uintptr_t value, const SimBuffer &b) { return value < begin(b); });
  if (it == buffers.begin())
    return nullptr;
  --it;
  return key - begin(*it) <= it->size ? &*it : nullptr;
}

namespace {
/// Raises the alarm of a launch when its time is over.
class Watch {
public:
  explicit Watch(sim::Launch &launch) : launch(launch) {
    if (launch.options->timeoutSeconds > 0)
      thread = std::thread([this] { wait(); });
  }
  ~Watch() {
    if (!thread.joinable())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      hasEnded = true;
    }
    changed.notify_one();
    thread.join();
  }

private:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    if (!changed.wait_until(lock, launch.deadline, [this] { return hasEnded; }))
      launch.raiseAlarm();
  }

  sim::Launch &launch;
  std::mutex mutex;
  std::condition_variable changed;
  bool hasEnded = false;
  std::thread thread;
};
} // namespace

static llvm::Error checkGrid(llvm::StringRef kernel, std::array<unsigned, 3> grid) {
  constexpr unsigned kLimits[] = {2147483647u, 65535u, 65535u};
  for (unsigned i = 0; i < 3; ++i)
    if (grid[i] > kLimits[i])
      return makeError("launch of '" + kernel + "': grid dimension " + llvm::Twine("xyz"[i]) +
                       " is " + llvm::Twine(grid[i]) + ", the limit is " + llvm::Twine(kLimits[i]));
  return llvm::Error::success();
}

llvm::Error SimProgram::launch(StringRef kernelName, std::array<unsigned, 3> grid,
                               ArrayRef<void *> argPointers, ArrayRef<SimBuffer> buffers,
                               SimLaunchStats *stats) {
  auto start = std::chrono::steady_clock::now();
  auto it = impl->kernels.find(kernelName);
  if (it == impl->kernels.end())
    return makeError("the module has no kernel '" + kernelName + "'");
  Impl::Kernel &kernel = it->second;
  if (argPointers.size() != kernel.info.parameters.size())
    return makeError("launch of '" + kernelName + "' with " + llvm::Twine(argPointers.size()) +
                     " arguments, it has " + llvm::Twine(kernel.info.parameters.size()));
  if (llvm::Error error = checkGrid(kernelName, grid))
    return error;
  if (stats)
    *stats = {};

  sim::Launch launch;
  launch.options = &impl->options;
  launch.kernel = &kernel.info;
  launch.sites = &impl->sites;
  launch.entry = kernel.entry;
  std::vector<void *> arguments(argPointers);
  launch.arguments = arguments.data();
  launch.grid = grid;
  launch.numBlocks = uint64_t(grid[0]) * grid[1] * grid[2];
  if (launch.numBlocks == 0)
    return llvm::Error::success();
  launch.buffers.assign(buffers.begin(), buffers.end());
  llvm::sort(launch.buffers,
             [](const SimBuffer &a, const SimBuffer &b) { return a.base < b.base; });
  for (auto [parameter, pointer] : llvm::zip(kernel.info.parameters, arguments)) {
    SimBuffer view;
    const SimBuffer *owner = nullptr;
    if (parameter.isPointer) {
      view.base = *static_cast<void **>(pointer);
      owner = findOwner(launch.buffers, view.base);
      if (owner)
        view.size = static_cast<char *>(owner->base) + owner->size - static_cast<char *>(view.base);
    }
    launch.argumentBuffers.push_back(view);
    launch.argumentOwners.push_back(owner);
  }
  launch.deadline =
      start + std::chrono::microseconds(static_cast<int64_t>(impl->options.timeoutSeconds * 1e6));

  unsigned numWorkers = impl->options.numThreads
                            ? impl->options.numThreads
                            : std::max(1u, std::thread::hardware_concurrency());
  numWorkers = static_cast<unsigned>(std::min<uint64_t>(numWorkers, launch.numBlocks));
  Watch watch(launch);
  sim::Workers workers(launch, [&] { return impl->takeBlock(kernel); });
  if (!workers.run(numWorkers))
    return makeError("the host has no memory for the stacks of a block of '" + kernelName + "'");

  SimLaunchStats total;
  for (auto &block : workers.blocks) {
    const SimLaunchStats &part = block->stats;
    total.blocks += part.blocks;
    total.threads += part.threads;
    total.globalAccesses += part.globalAccesses;
    total.sharedAccesses += part.sharedAccesses;
    total.barriers += part.barriers;
    total.warpOperations += part.warpOperations;
    total.switches += part.switches;
  }
  total.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (stats)
    *stats = total;
  {
    std::lock_guard<std::mutex> lock(impl->mutex);
    for (auto &block : workers.blocks)
      kernel.keep(std::move(block));
  }
  if (const AccessFault *fault = workers.getFault())
    return llvm::make_error<AccessFaultError>(*fault);
  return llvm::Error::success();
}

} // namespace tilec
