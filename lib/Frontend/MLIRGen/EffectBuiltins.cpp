// Functions that speak to the host, to the machine, or in PTX [R40].
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"

using namespace mlir;

namespace tilec::frontend {

llvm::ArrayRef<Builtin> getEffectBuiltins() { return {}; }

} // namespace tilec::frontend
