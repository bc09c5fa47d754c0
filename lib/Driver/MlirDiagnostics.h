// Diagnostics of MLIR, shown as ours are: at their place in the source, with a caret.
#ifndef TILEC_LIB_DRIVER_MLIRDIAGNOSTICS_H
#define TILEC_LIB_DRIVER_MLIRDIAGNOSTICS_H

#include "lib/Support/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/Pass/PassInstrumentation.h"

namespace tilec {

/// The place in the source that a location tells of; invalid if it tells of none.
SourceRange findSourceRange(const SourceManager &sources, mlir::Location location);

/// Hands the diagnostics of a context to an engine while it lives. Other threads' are left alone:
/// a context is used by one compilation at a time.
class MlirDiagnosticBridge {
public:
  MlirDiagnosticBridge(mlir::MLIRContext &context, DiagnosticEngine &engine);

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Remembers which pass failed, so that an error without a text of its own can say so.
class FailedPass : public mlir::PassInstrumentation {
public:
  explicit FailedPass(std::string &name) : name(name) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::string &name;
};

} // namespace tilec

#endif // TILEC_LIB_DRIVER_MLIRDIAGNOSTICS_H
