// Chooses the layouts of matrix products.
#include "dialects/TileGPU/Transforms/DotKind.h"
#include "dialects/TileGPU/Transforms/Passes.h"
#include "lib/Layout/FmaPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "tilegpu-assign-dot-layouts"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_ASSIGNDOTLAYOUTSPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Targets whose tensor cores take f8 by mma.sync. The others since sm_90 have the instruction, but
/// carry it out in f16.
static bool hasFloat8Mma(unsigned capability) { return capability == 89 || capability >= 120; }

static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(tile::elementTypeOf(type));
}

/// Products of f8 on tensor cores are summed with fewer bits than f32 has. Where the program does
/// not allow that, or there are no such tensor cores, f16 holds every f8 exactly.
static bool needsHalf(tile::DotOp dot, unsigned capability) {
  if (!isFloat8(dot.getLhs().getType()))
    return false;
  int64_t k = dot.getLhs().getType().getShape().back();
  std::optional<uint32_t> imprecise = dot.getMaxImprecise();
  return !hasFloat8Mma(capability) || !mmaKindOf(dot) || (imprecise && *imprecise < k);
}

static void castOperandsToHalf(tile::DotOp dot) {
  OpBuilder builder(dot);
  for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    Type half = RankedTensorType::get(type.getShape(), builder.getF16Type(), type.getEncoding());
    operand->set(arith::ExtFOp::create(builder, dot.getLoc(), half, operand->get()));
  }
}

/// Whether `value`, elements of it moved or changed one by one, becomes the left operand of a
/// product. Whole rows in a warp are then what that product wants.
static bool feedsProduct(Value value) {
  SmallVector<Value> pending{value};
  llvm::SmallDenseSet<Value> visited;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (isa<tile::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          return true;
      } else if (user->hasTrait<OpTrait::Elementwise>() || isa<ConvertLayoutOp>(user)) {
        llvm::append_range(pending, user->getResults());
      }
    }
  }
  return false;
}

/// Whether a product's left operand comes from another product in the same way.
static bool isFedByProduct(Value value) {
  SmallVector<Value> pending{value};
  llvm::SmallDenseSet<Value> visited;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !visited.insert(next).second)
      continue;
    if (isa<tile::DotOp>(op))
      return true;
    if (op->hasTrait<OpTrait::Elementwise>() || isa<ConvertLayoutOp>(op))
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          pending.push_back(operand);
  }
  return false;
}

namespace {
struct AssignDotLayouts : tilec::tilegpu::impl::AssignDotLayoutsPassBase<AssignDotLayouts> {
  using AssignDotLayoutsPassBase::AssignDotLayoutsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto warps = function->getAttrOfType<IntegerAttr>(kNumWarpsAttr))
        function.walk([&](tile::DotOp dot) { assign(dot, warps.getInt()); });
  }

  void assign(tile::DotOp dot, unsigned numWarps) {
    if (needsHalf(dot, capability))
      castOperandsToHalf(dot);
    ArrayRef<int64_t> shape = dot.getType().getShape();
    std::optional<MmaKind> kind = mmaKindOf(dot);
    LinearLayout acc = fmaAccumulator(shape, numWarps);
    if (kind) {
      bool wholeRows = feedsProduct(dot.getResult()) || isFedByProduct(dot.getLhs());
      int64_t k = dot.getLhs().getType().getShape().back();
      acc = mmaAccumulator(shape, numWarps, wholeRows);
      convertOperand(dot.getLhsMutable(),
                     LayoutAttr::get(&getContext(), mmaLhs(acc, k, kind->packBits)));
      convertOperand(dot.getRhsMutable(),
                     LayoutAttr::get(&getContext(), mmaRhs(acc, k, kind->packBits)));
    }
    LayoutAttr layout = LayoutAttr::get(&getContext(), acc);
    convertOperand(dot.getAccMutable(), layout);
    convertResult(cast<OpResult>(dot.getResult()), layout);
  }
};
} // namespace
