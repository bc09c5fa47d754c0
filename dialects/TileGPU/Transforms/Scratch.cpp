// Shared memory that operations need while they run.
#include "dialects/TileGPU/Transforms/Scratch.h"

#include "dialects/TileGPU/Transforms/DotKind.h"
#include "lib/Layout/ConversionPlan.h"
#include "lib/Layout/ReductionPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

int64_t tilec::tilegpu::reduceScratchBytes(tile::ReduceOp reduce, unsigned index) {
  auto type = cast<RankedTensorType>(reduce.getOperand(index).getType());
  unsigned bits = tile::storageBits(type.getElementType());
  ReductionPlan plan = planReduction(linearLayoutOf(type), reduce.getAxis(), bits);
  return llvm::alignTo(plan.scratchElements * bits / 8, 16);
}

int64_t tilec::tilegpu::dotScratchBytes(tile::DotOp dot, bool isLhs) {
  auto type = cast<RankedTensorType>((isLhs ? dot.getLhs() : dot.getRhs()).getType());
  return llvm::alignTo(type.getNumElements() * tile::storageBits(type.getElementType()) / 8, 16);
}

Scratch tilec::tilegpu::scratchOf(Operation *op) {
  if (auto dot = dyn_cast<tile::DotOp>(op)) {
    if (!layoutOf(dot.getType()) || mmaPlanOf(dot))
      return {};
    return {dotScratchBytes(dot, /*isLhs=*/true) + dotScratchBytes(dot, /*isLhs=*/false), true};
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    if (!layoutOf(reduce.getOperand(0).getType()))
      return {};
    int64_t bytes = 0;
    for (unsigned i = 0; i < reduce.getNumOperands(); ++i)
      bytes += reduceScratchBytes(reduce, i);
    return {bytes, true};
  }
  if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    auto from = cast<RankedTensorType>(convert.getSource().getType());
    auto to = cast<RankedTensorType>(convert.getType());
    if (!layoutOf(from) || !layoutOf(to))
      return {};
    ConversionPlan plan = planConversion(linearLayoutOf(from), linearLayoutOf(to),
                                         tile::storageBits(from.getElementType()));
    if (!plan.usesShared())
      return {};
    return {static_cast<int64_t>(llvm::alignTo(plan.shared.bytes, 16)), plan.shared.crossesWarps};
  }
  return {};
}
