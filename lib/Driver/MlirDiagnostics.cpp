// Turns MLIR's diagnostics into ours.

#include "lib/Driver/MlirDiagnostics.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilec;

SourceRange tilec::findSourceRange(const SourceManager &sources, mlir::Location location) {
  SourceRange range;
  location->walk([&](mlir::Location part) {
    auto place = mlir::dyn_cast<mlir::FileLineColLoc>(part);
    if (!place)
      return mlir::WalkResult::advance();
    SourceLoc loc =
        sources.findLoc(place.getFilename().getValue(), {place.getLine(), place.getColumn()});
    if (!loc.isValid())
      return mlir::WalkResult::advance();
    range = SourceRange(loc);
    return mlir::WalkResult::interrupt();
  });
  return range;
}

/// The calls that the place was inlined through, innermost first.
static void collectCalls(mlir::Location location, llvm::SmallVectorImpl<mlir::Location> &calls) {
  while (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    calls.push_back(call.getCaller());
    location = call.getCaller();
  }
}

static Diagnostic convert(const SourceManager &sources, mlir::Diagnostic &from) {
  Diagnostic to;
  switch (from.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    to.severity = Severity::Error;
    break;
  case mlir::DiagnosticSeverity::Warning:
    to.severity = Severity::Warning;
    break;
  case mlir::DiagnosticSeverity::Note:
    to.severity = Severity::Note;
    break;
  case mlir::DiagnosticSeverity::Remark:
    to.severity = Severity::Remark;
    break;
  }
  to.range = findSourceRange(sources, from.getLocation());
  to.message = from.str();
  llvm::SmallVector<mlir::Location> calls;
  collectCalls(from.getLocation(), calls);
  for (mlir::Location call : calls)
    to.notes.push_back({Severity::Note, findSourceRange(sources, call), "called from here", {}});
  for (mlir::Diagnostic &note : from.getNotes()) {
    // The note "see current operation" prints IR that the author of a kernel never saw.
    if (!llvm::StringRef(note.str()).starts_with("see current operation"))
      to.notes.push_back(convert(sources, note));
  }
  return to;
}

MlirDiagnosticBridge::MlirDiagnosticBridge(mlir::MLIRContext &context, DiagnosticEngine &engine)
    : handler(&context, [&engine](mlir::Diagnostic &diagnostic) {
        engine.report(convert(engine.getSources(), diagnostic));
      }) {}

void FailedPass::runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) {
  // The first one; the passes around it fail because of it.
  if (name.empty())
    name = pass->getArgument().empty() ? pass->getName().str() : pass->getArgument().str();
}
