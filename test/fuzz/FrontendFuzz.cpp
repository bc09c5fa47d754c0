// Feeds mutated sources to the front end. It must neither crash nor hang, must point only into the
// source, and must say what is wrong. An input that breaks this is kept in a file.
#include "lib/Frontend/ASTPrinter.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"
#include "test/fuzz/Harness.h"

using namespace tilec;

namespace {

/// Empty if all is well, else what is wrong.
std::string checkRanges(const SourceManager &sources, FileID file, const Diagnostic &diagnostic) {
  SourceRange range = diagnostic.range;
  if (diagnostic.message.empty())
    return "a diagnostic without a message";
  if (!range.isValid() || range.end < range.begin || sources.getFile(range.begin) != file ||
      sources.getFile(range.end) != file)
    return "a range outside the source: " + diagnostic.message;
  for (const Diagnostic &note : diagnostic.notes)
    if (std::string problem = checkRanges(sources, file, note); !problem.empty())
      return problem;
  return "";
}

std::string checkStatements(const SourceManager &sources, FileID file, ast::Block block) {
  SourceLoc previous = sources.getLoc(file, 0);
  for (const ast::Stmt *stmt : block) {
    if (stmt->range.begin < previous || stmt->range.end <= stmt->range.begin)
      return "the ranges of two statements overlap";
    previous = stmt->range.begin;
  }
  return "";
}

/// What was generated must be valid, and what was not must have a reason.
std::string tryGenerate(mlir::MLIRContext &context, const ast::Module &module,
                        SourceManager &sources, DiagnosticEngine &diags, size_t &generated) {
  mlir::OwningOpRef<mlir::ModuleOp> result = generate(context, module, sources, diags, {});
  generated += bool(result);
  if (!result && !diags.hasErrors())
    return "no module and no error";
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    if (llvm::StringRef(diagnostic.message).contains("internal error"))
      return diagnostic.message;
  diags.renderToString();
  return "";
}

std::string tryInput(mlir::MLIRContext &mlirContext, const std::string &text, size_t &accepted,
                     size_t &generated) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  FileID file = sources.addText("fuzz.tile", text);
  ast::Module *module = parseModule(sources, file, diags, context);
  if (!module)
    return "no module";
  for (const Diagnostic &diagnostic : diags.getDiagnostics())
    if (std::string problem = checkRanges(sources, file, diagnostic); !problem.empty())
      return problem;
  std::string dumped;
  llvm::raw_string_ostream os(dumped);
  dumpModule(*module, os);
  diags.renderToString();
  accepted += !diags.hasErrors();
  if (std::string problem = checkStatements(sources, file, module->body); !problem.empty())
    return problem;
  return diags.hasErrors() ? "" : tryGenerate(mlirContext, *module, sources, diags, generated);
}

} // namespace

int main(int argc, char **argv) {
  fuzz::Options options = fuzz::parseOptions(argc, argv, "feed mutated sources to the front end\n");
  std::vector<std::string> seeds = fuzz::readSeeds(options.directories, {".tile", ".py"});
  if (seeds.empty()) {
    llvm::errs() << "error: no .tile or .py file in the directories\n";
    return 1;
  }
  fuzz::Mutator mutator(seeds, fuzz::getTileWords(), size_t(1) << 20, options.seed);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  size_t accepted = 0, generated = 0;
  int status =
      fuzz::run(options, mutator, "tilec-frontend-fuzz-input.tile", [&](const std::string &text) {
        return tryInput(context, text, accepted, generated);
      });
  llvm::outs() << accepted << " parsed, " << generated << " generated\n";
  return status;
}
