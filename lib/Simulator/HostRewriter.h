// What the families of `simt-to-host` share: calls of the host library, the table of sites, and
// the table from operation to rewrite.
#ifndef TILEC_LIB_SIMULATOR_HOSTREWRITER_H
#define TILEC_LIB_SIMULATOR_HOSTREWRITER_H

#include "lib/Simulator/Sites.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>

namespace tilec::sim {

/// Builds the host code that replaces one operation after another.
class HostRewriter {
public:
  explicit HostRewriter(mlir::ModuleOp module);

  mlir::ModuleOp getModule() const { return module; }
  mlir::OpBuilder &getBuilder() { return builder; }
  const mlir::DataLayout &getDataLayout() const { return dataLayout; }

  /// Builds code before `op`, in its place of the source.
  void setPosition(mlir::Operation *op);

  /// A call of a host function at the current position, declared on first use. Null result type
  /// means that it returns nothing, and then the value is null.
  mlir::Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange args);
  /// The declaration of a host function.
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 llvm::ArrayRef<mlir::Type> args);

  mlir::Value constant32(uint32_t value);
  mlir::Value constantBool(bool value);

  /// Adds a site for `op` and gives its number as a constant. The position comes from `op`'s
  /// location; the other fields are the caller's.
  mlir::Value addSite(mlir::Operation *op, Site site);
  /// A site with a description only.
  mlir::Value addSite(mlir::Operation *op, llvm::StringRef what) {
    Site site;
    site.what = what.str();
    return addSite(op, std::move(site));
  }

  /// Replaces an operation of one result by a value, or erases one of none.
  void replace(mlir::Operation *op, mlir::Value value);

  /// Attaches the table of sites to the module.
  void finish();

private:
  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::DataLayout dataLayout;
  mlir::Location loc;
  llvm::SmallVector<mlir::Attribute> sites;
};

/// Which rewrite an operation gets. A handler replaces or erases its operation, or reports why it
/// cannot and fails.
class HandlerTable {
public:
  template <typename OpT>
  void on(mlir::LogicalResult (*handler)(OpT, HostRewriter &)) {
    handlers[mlir::TypeID::get<OpT>()] = [handler](mlir::Operation *op, HostRewriter &rewriter) {
      return handler(mlir::cast<OpT>(op), rewriter);
    };
  }

  using Handler = std::function<mlir::LogicalResult(mlir::Operation *, HostRewriter &)>;
  /// The handler of an operation, or null.
  const Handler *lookup(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, Handler> handlers;
};

// One function per family, each in a file of its own.
void addSpecialRegisterHandlers(HandlerTable &table);
void addAtomicHandlers(HandlerTable &table);
void addEffectHandlers(HandlerTable &table);
void addMemoryHandlers(HandlerTable &table);
void addBarrierHandlers(HandlerTable &table);
void addWarpHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addMatrixHandlers(HandlerTable &table);

/// Makes the loops of a function call the library while a launch wants to end.
void addLoopChecks(mlir::LLVM::LLVMFuncOp function, HostRewriter &rewriter);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_HOSTREWRITER_H
