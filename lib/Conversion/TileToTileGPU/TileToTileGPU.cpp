// Gives every tensor of a kernel a layout; later passes choose better ones.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

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
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (isa<TensorType>(constant.getType()) && !isa<SplatElementsAttr>(constant.getValue()))
      return op->emitError("elements of a constant tensor must all be equal");
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    for (Operation &inner : reduce.getCombiner().front().without_terminator())
      if (!inner.hasTrait<OpTrait::Elementwise>() && !inner.hasTrait<OpTrait::ConstantLike>())
        return inner.emitError() << "'" << inner.getName()
                                 << "' in the combiner of a reduction must work element by element";
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
  LayoutGiver(func::FuncOp function, unsigned numWarps)
      : function(function), numWarps(numWarps), builder(function.getContext()) {}

  void run() {
    SmallVector<Operation *> operations;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      operations.push_back(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setType(withDefault(argument.getType()));
      for (OpResult result : op->getResults())
        result.setType(withDefault(result.getType()));
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
          constant.setValueAttr(dense.isSplat()
                                    ? DenseElementsAttr::get(cast<ShapedType>(constant.getType()),
                                                             dense.getSplatValue<Attribute>())
                                    : dense.reshape(cast<ShapedType>(constant.getType())));
    });
    for (Operation *op : operations)
      relate(op);
  }

private:
  Type withDefault(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getEncoding())
      return type;
    LayoutAttr &layout = defaults[SmallVector<int64_t>(tensor.getShape())];
    if (!layout)
      layout = LayoutAttr::get(type.getContext(),
                               LinearLayout::defaultBlocked(tensor.getShape(), numWarps));
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
  }

  /// Inserts the conversions around an operation that does not keep its operands' layout.
  void relate(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tile::ExpandDimsOp>([&](tile::ExpandDimsOp expand) {
          convertOperand(
              op, linearLayoutOf(cast<RankedTensorType>(expand.getType())).slice(expand.getAxis()));
        })
        .Case<tile::BroadcastOp>([&](tile::BroadcastOp broadcast) {
          auto source = cast<RankedTensorType>(broadcast.getSource().getType());
          convertOperand(op, linearLayoutOf(cast<RankedTensorType>(broadcast.getType()))
                                 .broadcastSource(source.getShape()));
        })
        .Case<tile::TransOp>([&](tile::TransOp trans) {
          SmallVector<unsigned> order(trans.getOrder().begin(), trans.getOrder().end());
          convertResult(trans->getResult(0), operandLayout(op).transpose(order));
        })
        .Case<tile::ReshapeOp>([&](tile::ReshapeOp reshape) {
          auto type = cast<RankedTensorType>(reshape.getType());
          convertResult(reshape->getResult(0), operandLayout(op).reshape(type.getShape()));
        })
        .Case<tile::ReduceOp>([&](tile::ReduceOp reduce) {
          for (OpResult result : reduce->getResults())
            if (isa<RankedTensorType>(result.getType()))
              convertResult(result, operandLayout(op).slice(reduce.getAxis()));
        });
  }

  LinearLayout operandLayout(Operation *op) {
    return linearLayoutOf(cast<RankedTensorType>(op->getOperand(0).getType()));
  }

  void convertOperand(Operation *op, const LinearLayout &layout) {
    Value source = op->getOperand(0);
    auto type = withLayout(cast<RankedTensorType>(source.getType()), layout);
    if (type == source.getType())
      return;
    builder.setInsertionPoint(op);
    op->setOperand(0, ConvertLayoutOp::create(builder, op->getLoc(), type, source));
  }

  void convertResult(OpResult result, const LinearLayout &layout) {
    auto wanted = cast<RankedTensorType>(result.getType());
    auto type = withLayout(wanted, layout);
    if (type == wanted)
      return;
    result.setType(type);
    builder.setInsertionPointAfter(result.getOwner());
    auto convert = ConvertLayoutOp::create(builder, result.getLoc(), wanted, result);
    result.replaceAllUsesExcept(convert, convert);
  }

  func::FuncOp function;
  unsigned numWarps;
  OpBuilder builder;
  std::map<SmallVector<int64_t>, LayoutAttr> defaults;
};

struct ConvertTileToTileGPU : tilec::impl::ConvertTileToTileGPUPassBase<ConvertTileToTileGPU> {
  using ConvertTileToTileGPUPassBase::ConvertTileToTileGPUPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(tile::kKernelAttr))
        continue;
      std::optional<int64_t> largest = checkTensors(function);
      if (!largest)
        return signalPassFailure();
      unsigned warps = numWarps ? unsigned(numWarps) : chooseNumWarps(*largest);
      if (!llvm::isPowerOf2_32(warps) || warps > 32) {
        function.emitError() << "number of warps must be 1, 2, 4, 8, 16 or 32, got " << warps;
        return signalPassFailure();
      }
      function->setAttr(kNumWarpsAttr, Builder(&getContext()).getI32IntegerAttr(warps));
      LayoutGiver(function, warps).run();
    }
  }
};

} // namespace
