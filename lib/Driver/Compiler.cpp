// Runs the stages of a compilation.

#include "lib/Driver/Compiler.h"
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Driver/ContextPool.h"
#include "lib/Driver/Metadata.h"
#include "lib/Driver/MlirDiagnostics.h"
#include "lib/Driver/Notebook.h"
#include "lib/Frontend/ASTContext.h"
#include "lib/Frontend/ASTPrinter.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <chrono>

using namespace llvm;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace tilec {
namespace {

#ifdef NDEBUG
constexpr bool kVerifyEachPass = false;
#else
constexpr bool kVerifyEachPass = true;
#endif

/// Adds the time between its birth and death to a list.
class StageTimer {
public:
  StageTimer(std::vector<StageTime> &times, const char *name) : times(times), name(name) {}
  ~StageTimer() {
    times.push_back(
        {name, std::chrono::duration<double, std::milli>(Clock::now() - begin).count()});
  }

private:
  using Clock = std::chrono::steady_clock;
  std::vector<StageTime> &times;
  const char *name;
  Clock::time_point begin = Clock::now();
};

/// One compilation. Every step returns failure after it reported why.
class Compilation {
public:
  Compilation(CompileResult &result, const CompileOptions &options)
      : result(result), options(options), sources(*result.sources), diags(*result.diagnostics) {}

  LogicalResult run(FileID file);

private:
  using Pipeline = void (*)(mlir::OpPassManager &, const PipelineOptions &);

  LogicalResult checkOptions();
  LogicalResult generateModule(mlir::MLIRContext &context, const ast::Module &tree);
  LogicalResult runPipeline(const char *stage, Pipeline build);
  void warnOfLargeTensors();
  LogicalResult translate();

  bool stopsAt(Stage stage) const { return options.stage == stage; }
  void printModule() {
    if (!options.wantText)
      return;
    raw_string_ostream os(result.text);
    mlir::OpPrintingFlags flags;
    if (options.lineInfo)
      flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
    module->print(os, flags);
  }
  std::string writeBytecode() {
    std::string bytes;
    raw_string_ostream os(bytes);
    if (failed(mlir::writeBytecodeToFile(*module, os)))
      diags.error() << "cannot write the module as bytecode";
    return bytes;
  }

  CompileResult &result;
  const CompileOptions &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  const TargetInfo *target = nullptr;
  PipelineOptions pipelineOptions;
  OwningOpRef<ModuleOp> module;
};

LogicalResult Compilation::checkOptions() {
  target = lookupTarget(options.target);
  if (!target)
    return diags.error() << unknownTargetMessage(options.target);
  if (options.numWarps > 32 || (options.numWarps & (options.numWarps - 1)))
    return diags.error() << "the number of warps is a power of two from 1 to 32, not "
                         << options.numWarps;
  if (options.maxPtxVersion && options.maxPtxVersion < target->minPtxVersion)
    return diags.error() << "target '" << target->name << "' needs PTX "
                         << target->minPtxVersion / 10 << '.' << target->minPtxVersion % 10
                         << ", but PTX " << options.maxPtxVersion / 10 << '.'
                         << options.maxPtxVersion % 10
                         << " is the newest allowed: update the driver or choose an older target";
  pipelineOptions.numWarps = options.numWarps;
  if (options.numStages)
    pipelineOptions.numStages = options.numStages;
  pipelineOptions.target = target->name.str();
  pipelineOptions.lineInfo = options.lineInfo;
  result.artifact.target = target->name.str();
  return success();
}

LogicalResult Compilation::run(FileID file) {
  if (failed(checkOptions()))
    return failure();

  ast::ASTContext astContext;
  ast::Module *tree;
  {
    StageTimer timer(result.times, "parse");
    tree = parseModule(sources, file, diags, astContext);
  }
  if (diags.hasErrors())
    return failure();
  if (stopsAt(Stage::AST)) {
    if (options.wantText) {
      raw_string_ostream os(result.text);
      dumpModule(*tree, os);
    }
    return success();
  }

  std::optional<PooledContext> context;
  {
    StageTimer timer(result.times, "context");
    context.emplace();
  }
  MlirDiagnosticBridge bridge(**context, diags);
  LogicalResult status = generateModule(**context, *tree);
  if (succeeded(status) && !stopsAt(Stage::Tile))
    status = translate();
  // The module must die before its context goes back to the pool.
  module = {};
  return status;
}

LogicalResult Compilation::generateModule(mlir::MLIRContext &context, const ast::Module &tree) {
  {
    StageTimer timer(result.times, "generate");
    FrontendOptions frontend;
    frontend.kernels = options.kernels;
    frontend.signature = options.signature;
    frontend.defines = options.defines;
    frontend.includeDirs = options.includeDirs;
    frontend.computeCapability = target->computeCapability;
    frontend.assertsEnabled = options.enableAsserts;
    frontend.numWarps = options.numWarps;
    module = generate(context, tree, sources, diags, frontend);
    if (!module || diags.hasErrors() || failed(mlir::verify(*module)))
      return diags.hasErrors()
                 ? failure()
                 : LogicalResult(diags.error() << "the front end failed without saying why; this "
                                                  "is a defect of tilec");
  }
  result.artifact.kernels = readKernels(*module);
  if (result.artifact.kernels.empty())
    return diags.error() << "'" << result.artifact.sourceName << "' has no kernel to compile";
  // The oracle runs what the front end made, before any pass of ours touched it.
  if (options.wantTileModule)
    result.artifact.tileModule = writeBytecode();
  if (stopsAt(Stage::Tile) && !options.wantText)
    return success();

  if (failed(runPipeline("tile", buildTilePipeline)))
    return failure();
  if (stopsAt(Stage::Tile))
    printModule();
  return success();
}

LogicalResult Compilation::runPipeline(const char *stage, Pipeline build) {
  StageTimer timer(result.times, stage);
  mlir::PassManager manager(module->getContext(), ModuleOp::getOperationName());
  build(manager, pipelineOptions);
  manager.enableVerifier(kVerifyEachPass);
  if (options.printIRAfterAll && options.irStream)
    manager.enableIRPrinting(
        /*shouldPrintBeforePass=*/{}, [](mlir::Pass *, mlir::Operation *) { return true; },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, *options.irStream);
  std::string failedPass;
  manager.addInstrumentation(std::make_unique<FailedPass>(failedPass));
  if (succeeded(manager.run(*module)) && !diags.hasErrors())
    return success();
  if (!diags.hasErrors())
    return diags.error() << "pass '" << failedPass << "' of stage '" << stage
                         << "' failed without saying why; this is a defect of tilec";
  return failure();
}

/// Warns once a kernel of a tensor that no thread has registers for: code like that takes minutes
/// to compile and runs from memory.
void Compilation::warnOfLargeTensors() {
  constexpr int64_t kManyElements = 512;
  for (const KernelMetadata &kernel : result.artifact.kernels) {
    mlir::Operation *function = module->lookupSymbol(kernel.name);
    int64_t most = 0;
    mlir::Location place = module->getLoc();
    if (function)
      function->walk([&](mlir::Operation *op) {
        for (mlir::Type type : op->getResultTypes())
          if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
            if (tensor.getNumElements() > most) {
              most = tensor.getNumElements();
              place = op->getLoc();
            }
      });
    int64_t perThread = most / kernel.getNumThreads();
    if (perThread > kManyElements)
      diags.warning(findSourceRange(sources, place))
          << "a tensor of " << most << " elements on " << kernel.numWarps
          << (kernel.numWarps == 1 ? " warp" : " warps") << " is " << perThread
          << " elements a thread, which compiles slowly and spills registers: use more warps or "
             "smaller tiles";
  }
}

LogicalResult Compilation::translate() {
  if (failed(runPipeline("tilegpu", buildTileGPUPipeline)))
    return failure();
  readLaunchFacts(*module, result.artifact.kernels);
  warnOfLargeTensors();
  if (stopsAt(Stage::TileGPU)) {
    printModule();
    return success();
  }

  if (failed(runPipeline("lower", buildLoweringPipeline)))
    return failure();
  readLaunchFacts(*module, result.artifact.kernels);
  if (options.wantLoweredModule)
    result.artifact.loweredModule = writeBytecode();
  if (stopsAt(Stage::PTX) && !options.wantPtx)
    return success();

  if (failed(runPipeline("nvvm", buildNVPTXPipeline)))
    return failure();
  llvm::LLVMContext llvmContext;
  llvmContext.setDiscardValueNames(!stopsAt(Stage::LLVM));
  std::unique_ptr<llvm::Module> llvmModule;
  {
    StageTimer timer(result.times, "translate");
    llvmModule = mlir::translateModuleToLLVMIR(*module, llvmContext, result.artifact.sourceName);
  }
  if (!llvmModule)
    return diags.hasErrors()
               ? failure()
               : LogicalResult(diags.error() << "cannot translate the module to LLVM IR; this is "
                                                "a defect of tilec");
  PtxOptions ptxOptions;
  ptxOptions.target = target;
  ptxOptions.optLevel = options.optLevel;
  ptxOptions.verify = kVerifyEachPass;
  if (stopsAt(Stage::LLVM)) {
    StageTimer timer(result.times, "optimize");
    if (Error error = optimizeForNvptx(*llvmModule, ptxOptions))
      return diags.error() << toString(std::move(error));
    if (options.wantText) {
      raw_string_ostream os(result.text);
      llvmModule->print(os, nullptr);
    }
    return success();
  }

  PtxTimings timings;
  Expected<std::string> ptx = emitPtx(*llvmModule, ptxOptions, &timings);
  result.times.push_back({"optimize", timings.setup + timings.optimize});
  result.times.push_back({"codegen", timings.codegen});
  if (!ptx)
    return diags.error() << toString(ptx.takeError());
  result.artifact.ptx = std::move(*ptx);
  if (options.wantText)
    result.text = result.artifact.ptx;
  return success();
}

CompileResult makeResult(const CompileOptions &options) {
  CompileResult result;
  result.sources = std::make_unique<SourceManager>();
  result.diagnostics = std::make_unique<DiagnosticEngine>(*result.sources);
  if (options.onDiagnostic)
    result.diagnostics->setListener(
        [tell = options.onDiagnostic, &sources = *result.sources](const Diagnostic &diagnostic) {
          tell(sources, diagnostic);
        });
  return result;
}

CompileResult compile(CompileResult result, FileID file, const CompileOptions &options) {
  result.artifact.sourceName = result.sources->getName(file).str();
  result.succeeded =
      succeeded(Compilation(result, options).run(file)) && !result.diagnostics->hasErrors();
  return result;
}

} // namespace

CompileResult compileText(StringRef name, StringRef text, const CompileOptions &options) {
  CompileResult result = makeResult(options);
  if (text.size() > SourceManager::kMaxFileBytes) {
    result.diagnostics->error() << "'" << name << "' is too large: " << text.size()
                                << " bytes, and " << SourceManager::kMaxFileBytes
                                << " is the limit";
    return result;
  }
  FileID file = result.sources->addText(name, text);
  return compile(std::move(result), file, options);
}

CompileResult compileFile(StringRef path, const CompileOptions &options) {
  CompileResult result = makeResult(options);
  std::optional<FileID> file = addSourceFile(*result.sources, path, *result.diagnostics);
  if (!file)
    return result;
  return compile(std::move(result), *file, options);
}

} // namespace tilec
