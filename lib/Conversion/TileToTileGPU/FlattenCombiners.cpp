// Combiners of reductions and scans without control flow.
#include "lib/Conversion/TileToTileGPU/FlattenCombiners.h"

#include "dialects/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilec;

/// Moves the operations of both sides before the branch; what has effects stays, and is an error
/// later.
static void flatten(scf::IfOp branch) {
  WalkResult effects = branch.walk([&](Operation *op) {
    bool isFree = op == branch || isa<tile::AssertOp>(op) || isMemoryEffectFree(op);
    return isFree ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (effects.wasInterrupted())
    return;
  OpBuilder builder(branch);
  Value taken = branch.getCondition(), other;
  SmallVector<ValueRange> yields;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty()) {
      yields.push_back({});
      continue;
    }
    Operation *terminator = region->front().getTerminator();
    yields.push_back(terminator->getOperands());
    for (Operation &op : llvm::make_early_inc_range(region->front().without_terminator())) {
      op.moveBefore(branch);
      auto assertion = dyn_cast<tile::AssertOp>(op);
      if (!assertion)
        continue;
      // It holds, or the other side was taken.
      builder.setInsertionPoint(assertion);
      if (!other) {
        Value yes = arith::ConstantOp::create(builder, branch.getLoc(), builder.getBoolAttr(true));
        other = arith::XOrIOp::create(builder, branch.getLoc(), taken, yes);
      }
      Value elsewhere = region == &branch.getThenRegion() ? other : taken;
      assertion.getConditionMutable().assign(
          arith::OrIOp::create(builder, branch.getLoc(), assertion.getCondition(), elsewhere));
    }
    builder.setInsertionPoint(branch);
  }
  for (auto [result, yes, no] : llvm::zip(branch.getResults(), yields[0], yields[1])) {
    Value chosen =
        arith::SelectOp::create(builder, branch.getLoc(), branch.getCondition(), yes, no);
    result.replaceAllUsesWith(chosen);
  }
  branch.erase();
}

void tilec::flattenCombiners(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<tile::ReduceOp, tile::ScanOp>(op))
      return;
    // Inner branches come first.
    op->walk<WalkOrder::PostOrder>([op](Operation *inner) {
      bool isScanned = isa<tile::AssertOp>(inner) && isa<tile::ScanOp>(op);
      if (isa<tile::AssumeOp>(inner) || isScanned)
        inner->erase();
      else if (auto hint = dyn_cast<tile::HintOp>(inner)) {
        hint.getResult().replaceAllUsesWith(hint.getValue());
        hint.erase();
      } else if (auto branch = dyn_cast<scf::IfOp>(inner))
        flatten(branch);
    });
  });
}
