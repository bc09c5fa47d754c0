// Chooses the layouts of memory accesses.
#include "dialects/Tile/Transforms/AxisInfo.h"
#include "dialects/TileGPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tilegpu-coalesce"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_COALESCEPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Dimensions from the one whose neighbours are closest in memory to the farthest.
static SmallVector<unsigned> memoryOrder(const tile::AxisInfo &info) {
  SmallVector<unsigned> order;
  for (unsigned d = info.rank(); d-- > 0;)
    order.push_back(d);
  // Later dimensions first among equals, as in row-major arrays.
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return info.contiguity[a] > info.contiguity[b]; });
  return order;
}

static Value maskOf(Operation *access) {
  if (auto load = dyn_cast<tile::LoadOp>(access))
    return load.getMask();
  return cast<tile::StoreOp>(access).getMask();
}

namespace {

/// Accesses of one shape that walk memory in one order share a layout.
struct Group {
  unsigned elements = 1;
  SmallVector<Operation *> accesses;
};

struct Coalesce : tilec::tilegpu::impl::CoalescePassBase<Coalesce> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto warps = function->getAttrOfType<IntegerAttr>(kNumWarpsAttr))
        runOnKernel(function, warps.getInt());
  }

  void runOnKernel(func::FuncOp function, unsigned numWarps) {
    tile::AxisInfoAnalysis axes(function);
    using Key = std::pair<SmallVector<int64_t>, SmallVector<unsigned>>;
    std::map<Key, Group> groups;
    function.walk([&](Operation *op) {
      if (!isAccess(op))
        return;
      Value pointer = op->getOperand(0);
      auto type = dyn_cast<RankedTensorType>(pointer.getType());
      if (!type)
        return;
      SmallVector<unsigned> order = memoryOrder(axes.get(pointer));
      Group &group = groups[{SmallVector<int64_t>(type.getShape()), order}];
      group.accesses.push_back(op);
      // Atomics change one element at a time.
      if (!isa<tile::LoadOp, tile::StoreOp>(op))
        return;
      // A mask that may change inside a vector splits it into scalars: neighbours then belong to
      // neighbouring lanes.
      int64_t elements = std::min<int64_t>(axes.vectorElements(pointer, order[0]),
                                           axes.maskConstancy(maskOf(op), order[0]));
      group.elements = std::max<unsigned>(group.elements, elements);
    });
    for (auto &[key, group] : groups) {
      int64_t perThread = std::max<int64_t>(
          1,
          cast<RankedTensorType>(group.accesses.front()->getOperand(0).getType()).getNumElements() /
              (32 * numWarps));
      unsigned elements = std::min<int64_t>(group.elements, perThread);
      auto layout = LayoutAttr::get(
          &getContext(), LinearLayout::coalesced(key.first, key.second, elements, numWarps));
      for (Operation *op : group.accesses) {
        for (OpOperand &operand : op->getOpOperands())
          convertOperand(operand, layout);
        for (OpResult result : op->getResults())
          convertResult(result, layout);
      }
    }
  }
};

} // namespace
