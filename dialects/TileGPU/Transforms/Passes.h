// Passes on the tilegpu dialect.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_H

#include "dialects/TileGPU/IR/TileGPU.h"
#include "mlir/Pass/Pass.h"

namespace tilec::tilegpu {
#define GEN_PASS_DECL
#include "dialects/TileGPU/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_H
