// mlir-opt with the dialects, passes and pipelines of tilec.
#include "lib/Pipeline/Pipeline.h"
#include "lib/Simulator/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilec::registerAllDialects(registry);
  tilec::registerAllPasses();
  tilec::registerSimulatorPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tile-opt: passes of the tile compiler\n", registry));
}
