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

/// Warps that leave about 32 elements of the largest tile to a thread: on an H200, 16 to 64
/// elements a thread reached the memory's bandwidth, 4 lost a quarter of it, and blocks of fewer than
/// four warps cannot fill a multiprocessor that takes at most 32 of them.
static unsigned chooseNumWarps(int64_t largestTile) {
  if (largestTile <= 128)
    return std::max<int64_t>(1, largestTile / 32);
  return std::clamp<int64_t>(largestTile / (32 * 32), 4, 32);
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
          convertOperand(op, linearLayoutOf(cast<RankedTensorType>(expand.getType()))
                                 .slice(expand.getAxis()));
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
      int64_t largest = 1;
      WalkResult walk = function.walk([&](Operation *op) {
        for (Type type : op->getResultTypes()) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          if (!tensor)
            continue;
          for (auto [dim, extent] : llvm::enumerate(tensor.getShape())) {
            if (extent > 0 && llvm::isPowerOf2_64(extent))
              continue;
            op->emitError() << "extent " << extent << " of dim " << dim << " of " << tensor
                            << " must be a power of two";
            return WalkResult::interrupt();
          }
          largest = std::max(largest, tensor.getNumElements());
        }
        return WalkResult::advance();
      });
      if (walk.wasInterrupted())
        return signalPassFailure();
      unsigned warps = numWarps ? unsigned(numWarps) : chooseNumWarps(largest);
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
