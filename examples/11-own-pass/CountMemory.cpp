// A pass of one's own, loaded into tile-opt at run time: counts the memory operations of a kernel.
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {
struct CountMemoryPass : PassWrapper<CountMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountMemoryPass)
  StringRef getArgument() const override { return "count-memory"; }
  StringRef getDescription() const override { return "Report the loads and stores of each kernel"; }

  void runOnOperation() override {
    getOperation().walk([](FunctionOpInterface kernel) {
      unsigned loads = 0, stores = 0;
      kernel.walk([&](Operation *op) {
        loads += op->getName().getStringRef() == "tile.load";
        stores += op->getName().getStringRef() == "tile.store";
      });
      emitRemark(kernel.getLoc()) << "'" << kernel.getName() << "' has " << loads << " loads and "
                                  << stores << " stores";
    });
  }
};
} // namespace

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CountMemory", "0.1",
          [] { PassRegistration<CountMemoryPass>(); }};
}
