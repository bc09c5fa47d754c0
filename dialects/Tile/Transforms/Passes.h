// Passes on the tile dialect.
#ifndef TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_H
#define TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_H

#include "dialects/Tile/IR/Tile.h"
#include "mlir/Pass/Pass.h"

namespace tilec::tile {
#define GEN_PASS_DECL
#include "dialects/Tile/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "dialects/Tile/Transforms/Passes.h.inc"
} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_H
