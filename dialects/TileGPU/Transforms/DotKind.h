// How a product is carried out: on tensor cores, and by which instruction, or by multiply-add.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_DOTKIND_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_DOTKIND_H

#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Layout/MmaLayouts.h"

namespace tilec::tilegpu {

/// What tensor cores do for a product of these types and precision.
struct MmaKind {
  /// The instruction's operand types: tf32, f16, bf16, i8, f8.
  mlir::Type lhs, rhs;
  unsigned packBits = 1;
  /// Pieces that each f32 is cut into, of the instruction's type; their products are summed.
  unsigned pieces = 1;
};

/// Nothing if only multiply-add keeps the promised precision, or K is too small.
std::optional<MmaKind> mmaKindOf(tile::DotOp dot);

/// The instructions of a product whose tensors have the layouts for it.
std::optional<MmaPlan> mmaPlanOf(tile::DotOp dot);

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_DOTKIND_H
