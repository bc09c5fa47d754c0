// Shared memory that operations need while they run.
#include "dialects/TileGPU/Transforms/Scratch.h"

#include "dialects/TileGPU/Transforms/DotKind.h"
#include "lib/Layout/ConversionPlan.h"
#include "lib/Layout/GatherPlan.h"
#include "lib/Layout/ReductionPlan.h"
#include "lib/Layout/ScanPlan.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// A scalar that one thread gets and tells the others.
static Scratch scalarScratch(Operation *op) {
  if (op->use_empty())
    return {};
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto warps = function ? function->getAttrOfType<IntegerAttr>(kNumWarpsAttr) : IntegerAttr();
  // One warp shuffles.
  return !warps || warps.getInt() == 1 ? Scratch() : Scratch{16, true};
}

/// An atomic of a scalar is one thread's, one of a tensor its owners'; the others get the result
/// from them.
static Scratch atomicScratch(Operation *atomic) {
  Value result = atomic->getResult(0);
  int64_t bytes = tile::storageBits(tile::elementTypeOf(result.getType())) / 8;
  auto tensor = dyn_cast<RankedTensorType>(result.getType());
  if (!tensor)
    return scalarScratch(atomic);
  if (result.use_empty() || !layoutOf(tensor))
    return {};
  InputBits free = linearLayoutOf(tensor).freeBits();
  if (!free.lanes && !free.warps)
    return {};
  return {static_cast<int64_t>(llvm::alignTo(tensor.getNumElements() * bytes, 16)),
          free.warps != 0};
}

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
  if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op))
    return atomicScratch(op);
  // What changes by itself could be different for each thread, which then branch differently.
  if (isa<tile::ClockOp>(op))
    return scalarScratch(op);
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return load.getIsVolatile() && !isa<RankedTensorType>(load.getType()) ? scalarScratch(op)
                                                                          : Scratch();
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    if (!layoutOf(reduce.getOperand(0).getType()))
      return {};
    int64_t bytes = 0;
    for (unsigned i = 0; i < reduce.getNumOperands(); ++i)
      bytes += reduceScratchBytes(reduce, i);
    return {bytes, true};
  }
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    auto type = cast<RankedTensorType>(scan.getOperand(0).getType());
    if (!layoutOf(type) || !isScannable(linearLayoutOf(type)))
      return {};
    int64_t bytes = 0;
    for (Value operand : scan.getOperands())
      bytes += planScan(linearLayoutOf(type), scan.getAxis(), scan.getReverse(),
                        tile::storageBits(tile::elementTypeOf(operand.getType())))
                   .scratchBytes;
    return {bytes, true};
  }
  if (auto histogram = dyn_cast<tile::HistogramOp>(op)) {
    int64_t bins = cast<RankedTensorType>(histogram.getType()).getNumElements();
    return {static_cast<int64_t>(llvm::alignTo(bins * 4, 16)), true};
  }
  if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    auto type = cast<RankedTensorType>(gather.getSource().getType());
    LayoutAttr from = layoutOf(type), to = layoutOf(gather.getType());
    if (!from || !to ||
        planGather(linearLayoutOf(type), linearLayoutOf(cast<RankedTensorType>(gather.getType())),
                   gather.getAxis()))
      return {};
    int64_t bits = tile::storageBits(type.getElementType());
    return {static_cast<int64_t>(llvm::alignTo(type.getNumElements() * bits / 8, 16)), true};
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
