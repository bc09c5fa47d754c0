// What the definitions of the tile dialect's operations share.
#ifndef TILEC_DIALECTS_TILE_IR_TILEOPBASE_TD
#define TILEC_DIALECTS_TILE_IR_TILEOPBASE_TD

include "dialects/Tile/IR/TileDialect.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILEC_DIALECTS_TILE_IR_TILEOPBASE_TD
