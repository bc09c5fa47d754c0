// Which instruction a product takes.
#include "dialects/TileGPU/Transforms/DotKind.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

std::optional<MmaKind> tilec::tilegpu::mmaKindOf(tile::DotOp dot) {
  MLIRContext *context = dot.getContext();
  Type lhs = tile::elementTypeOf(dot.getLhs().getType()),
       rhs = tile::elementTypeOf(dot.getRhs().getType());
  MmaKind kind{lhs, rhs, 1, 1};
  auto is = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  if (lhs.isF32()) {
    switch (dot.getPrecision()) {
    case tile::InputPrecision::ieee:
      return std::nullopt;
    case tile::InputPrecision::tf32:
    case tile::InputPrecision::tf32x3:
      kind.lhs = kind.rhs = FloatTF32Type::get(context);
      kind.packBits = 0;
      kind.pieces = dot.getPrecision() == tile::InputPrecision::tf32 ? 1 : 2;
      break;
    case tile::InputPrecision::bf16x3:
    case tile::InputPrecision::bf16x6:
      kind.lhs = kind.rhs = BFloat16Type::get(context);
      kind.pieces = dot.getPrecision() == tile::InputPrecision::bf16x3 ? 2 : 3;
      break;
    }
  } else if (lhs.isInteger(8)) {
    kind.packBits = 2;
  } else if (is(lhs) && is(rhs) && tile::elementTypeOf(dot.getType()).isF32()) {
    kind.packBits = 2;
  } else if (!lhs.isF16() && !lhs.isBF16()) {
    return std::nullopt;
  }
  if (dot.getLhs().getType().getShape().back() < mmaK(kind.packBits))
    return std::nullopt;
  return kind;
}

std::optional<MmaPlan> tilec::tilegpu::mmaPlanOf(tile::DotOp dot) {
  std::optional<MmaKind> kind = mmaKindOf(dot);
  auto lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType(), acc = dot.getType();
  if (!kind || !layoutOf(lhs) || !layoutOf(rhs) || !layoutOf(acc))
    return std::nullopt;
  return planMma(linearLayoutOf(lhs), linearLayoutOf(rhs), linearLayoutOf(acc), kind->packBits);
}
