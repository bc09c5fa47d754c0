// Warm MLIR contexts. Making one and loading the dialects costs milliseconds, a compilation of a
// small kernel not much more.
#ifndef TILEC_LIB_DRIVER_CONTEXTPOOL_H
#define TILEC_LIB_DRIVER_CONTEXTPOOL_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tilec {

/// A context for one compilation at a time. Goes back to the pool when it dies.
class PooledContext {
public:
  /// Takes a warm context or makes one. Thread-safe.
  PooledContext();
  ~PooledContext();
  PooledContext(const PooledContext &) = delete;
  PooledContext &operator=(const PooledContext &) = delete;

  mlir::MLIRContext &operator*() { return *entry.context; }

  /// A context and how often it was used: types and attributes are never freed in one, so it is
  /// given up after kMaxUses compilations.
  struct Entry {
    std::unique_ptr<mlir::MLIRContext> context;
    unsigned uses = 0;
  };
  static constexpr unsigned kMaxUses = 64;
  static constexpr unsigned kMaxIdle = 8;

private:
  Entry entry;
};

} // namespace tilec

#endif // TILEC_LIB_DRIVER_CONTEXTPOOL_H
