// Gives every tensor of a kernel a layout; later passes choose better ones.
#include "dialects/Tile/IR/KernelAttrs.h"
#include "dialects/TileGPU/IR/TileGPU.h"
#include "dialects/TileGPU/Transforms/LayoutAssignment.h"
#include "lib/Conversion/Passes.h"
#include "lib/Conversion/TileToTileGPU/CheckInlineAsm.h"
#include "lib/Conversion/TileToTileGPU/FlattenCombiners.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "convert-tile-to-tilegpu"

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILETOTILEGPUPASS
#include "lib/Conversion/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Warps that leave a thread 16 elements of the largest tile up to eight warps, then 32 up to
/// sixteen. Bounded below by occupancy: a multiprocessor holds at most 32 programs and 64 warps, so
/// programs of one warp cannot fill it. Bounded above because a program of 32 warps leaves room for
/// no second one whose loads could run while the first one reduces, unless its threads get by with
/// 32 registers. bench/NOTES.md compares it with the best of all counts.
static unsigned chooseNumWarps(int64_t largestTile) {
  if (largestTile < 128)
    return 1;
  int64_t few = std::clamp<int64_t>(largestTile / (16 * 32), 2, 8);
  return std::max(few, std::min<int64_t>(largestTile / (32 * 32), largestTile > 32768 ? 32 : 16));
}

/// Tensors that get a layout: at most as many elements as the language allows.
static constexpr int64_t kMaxElements = int64_t(1) << 20;

static LogicalResult checkTensor(Operation *op, Type type) {
  if (isa<UnrankedTensorType>(type))
    return op->emitError() << "rank of " << type << " must be known";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (tensor.getEncoding())
    return op->emitError() << "tensor " << tensor << " must not have a layout yet";
  if (tensor.getRank() == 0)
    return op->emitError() << "tensor " << tensor << " must have at least one dimension";
  int64_t elements = 1;
  for (auto [dim, extent] : llvm::enumerate(tensor.getShape())) {
    if (ShapedType::isDynamic(extent))
      return op->emitError() << "extent of dim " << dim << " of " << tensor << " must be fixed";
    if (!llvm::isPowerOf2_64(extent))
      return op->emitError() << "extent " << extent << " of dim " << dim << " of " << tensor
                             << " must be a power of two";
    elements = extent > kMaxElements / elements ? kMaxElements + 1 : elements * extent;
  }
  if (elements > kMaxElements)
    return op->emitError() << "tensor " << tensor << " must have at most " << kMaxElements
                           << " elements";
  return success();
}

/// What has no lowering is an error at its place.
static LogicalResult checkOperation(Operation *op) {
  if (auto inlineAsm = dyn_cast<tile::InlineAsmOp>(op))
    return checkInlineAsm(inlineAsm);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (isa<TensorType>(constant.getType()) && !isa<SplatElementsAttr>(constant.getValue()))
      return op->emitError("elements of a constant tensor must all be equal");
  if (isa<tile::ReduceOp, tile::ScanOp>(op))
    for (Operation &inner : op->getRegion(0).front().without_terminator())
      if (!inner.hasTrait<OpTrait::Elementwise>() && !inner.hasTrait<OpTrait::ConstantLike>() &&
          !isa<tile::AssertOp>(inner))
        return inner.emitError() << "'" << inner.getName()
                                 << "' in the combiner of a reduction or scan must work element by "
                                    "element";
  return success();
}

/// The number of elements of the kernel's largest tensor; none after an error.
static std::optional<int64_t> checkTensors(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody())) {
    function.emitError() << "kernel '" << function.getName()
                         << "' must have one block; its control flow is that of 'scf'";
    return std::nullopt;
  }
  if (function.getNumResults()) {
    function.emitError() << "kernel '" << function.getName() << "' must not return values";
    return std::nullopt;
  }
  for (auto [index, type] : llvm::enumerate(function.getFunctionType().getInputs()))
    if (isa<TensorType>(type)) {
      function.emitError() << "argument " << index << " of kernel '" << function.getName()
                           << "' must not be a tensor, got " << type;
      return std::nullopt;
    }
  int64_t largest = 1;
  WalkResult walk = function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (failed(checkTensor(op, type)))
        return WalkResult::interrupt();
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        largest = std::max(largest, tensor.getNumElements());
    }
    return failed(checkOperation(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return largest;
}

namespace {

class LayoutGiver {
public:
  LayoutGiver(func::FuncOp function, unsigned numWarps) : function(function), numWarps(numWarps) {}

  void run() {
    SmallVector<Operation *> operations;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      operations.push_back(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            giveDefault(argument);
      for (OpResult result : op->getResults())
        giveDefault(result);
    });
    for (Operation *op : operations)
      relate(op);
  }

private:
  void giveDefault(Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || tensor.getEncoding())
      return;
    LayoutAttr &layout = defaults[SmallVector<int64_t>(tensor.getShape())];
    if (!layout)
      layout = LayoutAttr::get(value.getContext(),
                               LinearLayout::defaultBlocked(tensor.getShape(), numWarps));
    setLayout(value, layout);
  }

  /// Inserts the conversions around an operation that does not keep its operands' layout.
  static void relate(Operation *op) {
    auto lookup = [](Value value) { return layoutOf(value.getType()); };
    if (isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::JoinOp, tile::SplitOp>(op))
      for (OpOperand &operand : op->getOpOperands())
        convertOperand(operand, requiredOperandLayout(operand, lookup));
    if (isa<tile::TransOp, tile::ReshapeOp, tile::ReduceOp>(op))
      for (OpResult result : op->getResults())
        if (LayoutAttr layout = inferredResultLayout(result, lookup))
          convertResult(result, layout);
  }

  func::FuncOp function;
  unsigned numWarps;
  std::map<SmallVector<int64_t>, LayoutAttr> defaults;
};

struct ConvertTileToTileGPU : tilec::impl::ConvertTileToTileGPUPassBase<ConvertTileToTileGPU> {
  using ConvertTileToTileGPUPassBase::ConvertTileToTileGPUPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(tile::kKernelAttr))
        continue;
      flattenCombiners(function);
      std::optional<int64_t> largest = checkTensors(function);
      if (!largest)
        return signalPassFailure();
      // A kernel that asked for the number has built on the answer.
      auto asked = function->getAttrOfType<IntegerAttr>(tile::kNumWarpsAttr);
      unsigned warps = numWarps ? unsigned(numWarps)
                       : asked  ? unsigned(asked.getInt())
                                : chooseNumWarps(*largest);
      if (!llvm::isPowerOf2_32(warps) || warps > 32) {
        function.emitError() << "number of warps must be 1, 2, 4, 8, 16 or 32, got " << warps;
        return signalPassFailure();
      }
      function->setAttr(tilegpu::kNumWarpsAttr, Builder(&getContext()).getI32IntegerAttr(warps));
      LayoutGiver(function, warps).run();
    }
  }
};

} // namespace
