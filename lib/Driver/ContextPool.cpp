// Keeps warm MLIR contexts between compilations.

#include "lib/Driver/ContextPool.h"
#include "lib/Driver/Compiler.h"
#include "lib/Pipeline/Pipeline.h"

#include <mutex>

using namespace tilec;

namespace {

struct Pool {
  std::mutex mutex;
  std::vector<PooledContext::Entry> idle;
};

/// Never destroyed: compilations of other threads may outlive static objects.
Pool &getPool() {
  static Pool *pool = new Pool;
  return *pool;
}

const mlir::DialectRegistry &getRegistry() {
  static const mlir::DialectRegistry *registry = [] {
    auto *made = new mlir::DialectRegistry;
    registerAllDialects(*made);
    return made;
  }();
  return *registry;
}

} // namespace

PooledContext::PooledContext() {
  Pool &pool = getPool();
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
    if (!pool.idle.empty()) {
      entry = std::move(pool.idle.back());
      pool.idle.pop_back();
    }
  }
  if (!entry.context)
    entry.context =
        std::make_unique<mlir::MLIRContext>(getRegistry(), mlir::MLIRContext::Threading::DISABLED);
  ++entry.uses;
}

PooledContext::~PooledContext() {
  if (entry.uses >= kMaxUses)
    return;
  Pool &pool = getPool();
  std::lock_guard<std::mutex> lock(pool.mutex);
  if (pool.idle.size() < kMaxIdle)
    pool.idle.push_back(std::move(entry));
}

void tilec::releaseWarmContexts() {
  Pool &pool = getPool();
  std::vector<PooledContext::Entry> idle;
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
    idle.swap(pool.idle);
  }
}
