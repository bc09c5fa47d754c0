// Conversions between dialects.
#ifndef TILEC_LIB_CONVERSION_PASSES_H
#define TILEC_LIB_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::LLVM {
class LLVMDialect;
}
namespace mlir::NVVM {
class NVVMDialect;
}
namespace mlir::cf {
class ControlFlowDialect;
}
namespace tilec::tilegpu {
class TileGPUDialect;
}

namespace tilec {
#define GEN_PASS_DECL
#include "lib/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/Passes.h.inc"
} // namespace tilec

#endif // TILEC_LIB_CONVERSION_PASSES_H
