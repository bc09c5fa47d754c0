// Attributes of kernels that few files need.
#ifndef TILEC_DIALECTS_TILE_IR_KERNELATTRS_H
#define TILEC_DIALECTS_TILE_IR_KERNELATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tilec::tile {

/// The number of warps that a kernel reckons with, because it asked (i32).
inline constexpr llvm::StringLiteral kNumWarpsAttr = "tile.num_warps";

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_IR_KERNELATTRS_H
