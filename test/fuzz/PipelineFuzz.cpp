// Feeds mutated modules to the parser, the pipelines and single passes in any order, as tile-opt
// would. None may crash or hang, and what fails must say why. An input that breaks this is kept.
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Simulator/Passes.h"
#include "test/fuzz/Harness.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/Support/xxhash.h"

using namespace tilec;

namespace {

/// The compiler's own order, and by itself what may meet a module of any stage.
constexpr llvm::StringLiteral kPipelines[] = {"tile-pipeline", "tilegpu-pipeline",
                                              "lowering-pipeline", "nvptx-pipeline"};
constexpr llvm::StringLiteral kPasses[] = {"canonicalize",
                                           "cse",
                                           "loop-invariant-code-motion",
                                           "tile-canonicalize-pointers",
                                           "tile-print-axis-info",
                                           "convert-tile-to-tilegpu",
                                           "convert-tile-to-tilegpu{num-warps=1}",
                                           "convert-tile-to-tilegpu{num-warps=3}",
                                           "tilegpu-coalesce",
                                           "tilegpu-remove-conversions",
                                           "tilegpu-expand-math",
                                           "tilegpu-allocate-shared",
                                           "tilegpu-insert-barriers",
                                           "convert-tilegpu-to-llvm",
                                           "convert-tilegpu-to-nvptx",
                                           "simt-to-host"};

/// A seed that prints longer than this is left out: small ones are tried more often.
constexpr size_t kMaxModule = size_t(24) << 10;
/// MLIR reads integers in quadratic time; at this length in a second.
constexpr size_t kMaxInput = size_t(48) << 10;

/// Whether the parser of MLIR 22 itself crashes: on arrays of indices and, its stack being what it
/// is, on brackets that nest thousands deep.
bool isKnownCrash(llvm::StringRef text) {
  return text.contains("array<index") ||
         llvm::count_if(text, [](char c) { return llvm::StringRef("([{<").contains(c); }) -
                 llvm::count_if(text, [](char c) { return llvm::StringRef(")]}>").contains(c); }) >
             1000;
}

class PipelineFuzzer {
public:
  PipelineFuzzer() { registerAllDialects(registry); }

  /// The parts of a split test file; of a source, the module at each stage.
  std::vector<std::string> makeSeeds(llvm::ArrayRef<std::string> directories);
  /// Empty if all is well, else what is wrong.
  std::string tryInput(const std::string &text);
  void printStatistics() {
    llvm::outs() << parsed << " parsed, " << passed << " passed everything\n";
  }

private:
  void makeContext();
  void addStages(const std::string &source, std::vector<std::string> &seeds);
  /// Whether the passes succeeded.
  bool runPasses(mlir::ModuleOp module, llvm::StringRef pipeline);

  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> context;
  size_t inputs = 0, parsed = 0, passed = 0, errors = 0;
};

void PipelineFuzzer::makeContext() {
  context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::success();
  });
}

bool PipelineFuzzer::runPasses(mlir::ModuleOp module, llvm::StringRef pipeline) {
  mlir::PassManager manager(context.get(), "builtin.module");
  return mlir::succeeded(mlir::parsePassPipeline(pipeline, manager)) &&
         mlir::succeeded(manager.run(module));
}

void PipelineFuzzer::addStages(const std::string &source, std::vector<std::string> &seeds) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext tree;
  ast::Module *parsedSource =
      parseModule(sources, sources.addText("seed.tile", source), diags, tree);
  if (diags.hasErrors())
    return;
  auto module = generate(*context, *parsedSource, sources, diags, {});
  if (!module)
    return;
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    if (text.size() <= kMaxModule)
      seeds.push_back(std::move(text));
  };
  print();
  for (llvm::StringRef pipeline : kPipelines) {
    if (!runPasses(*module, pipeline))
      return;
    print();
  }
}

std::vector<std::string> PipelineFuzzer::makeSeeds(llvm::ArrayRef<std::string> directories) {
  makeContext();
  std::vector<std::string> seeds;
  for (const std::string &file : fuzz::readSeeds(directories, {".mlir"})) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(file).split(parts, "// -----");
    for (llvm::StringRef part : parts)
      if (part.size() <= kMaxModule)
        seeds.push_back(part.str());
  }
  for (const std::string &file : fuzz::readSeeds(directories, {".tile"}))
    addStages(file, seeds);
  return seeds;
}

std::string PipelineFuzzer::tryInput(const std::string &text) {
  if (isKnownCrash(text))
    return "";
  // Types and attributes live as long as their context.
  if (inputs++ % 256 == 0)
    makeContext();
  errors = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    return errors ? "" : "the parser failed without an error";
  ++parsed;
  // What runs depends on the text alone, so that a kept input shows the same again.
  uint64_t hash = llvm::xxh3_64bits(text);
  llvm::SmallVector<llvm::StringRef> steps(std::begin(kPipelines), std::end(kPipelines));
  if (hash % 2) {
    steps.clear();
    for (hash /= 2; steps.size() < 3; hash /= std::size(kPasses))
      steps.push_back(kPasses[hash % std::size(kPasses)]);
  }
  for (llvm::StringRef step : steps) {
    if (!runPasses(*module, step))
      return errors ? "" : ("'" + step + "' failed without an error").str();
    errors = 0;
  }
  ++passed;
  return "";
}

} // namespace

int main(int argc, char **argv) {
  fuzz::Options options =
      fuzz::parseOptions(argc, argv, "feed mutated modules to the passes of tile-opt\n");
  registerAllPasses();
  registerSimulatorPasses();
  PipelineFuzzer fuzzer;
  std::vector<std::string> seeds = fuzzer.makeSeeds(options.directories);
  if (seeds.empty()) {
    llvm::errs() << "error: no .mlir or .tile file in the directories\n";
    return 1;
  }
  fuzz::Mutator mutator(seeds, fuzz::getMlirWords(), kMaxInput, options.seed);
  int status = fuzz::run(options, mutator, "tilec-pipeline-fuzz-input.mlir",
                         [&](const std::string &text) { return fuzzer.tryInput(text); });
  fuzzer.printStatistics();
  return status;
}
