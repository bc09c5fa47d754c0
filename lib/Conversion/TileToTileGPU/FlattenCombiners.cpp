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
  if (!isMemoryEffectFree(branch))
    return;
  OpBuilder builder(branch);
  SmallVector<ValueRange> yields;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty()) {
      yields.push_back({});
      continue;
    }
    Operation *terminator = region->front().getTerminator();
    yields.push_back(terminator->getOperands());
    for (Operation &op : llvm::make_early_inc_range(region->front().without_terminator()))
      op.moveBefore(branch);
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
    op->walk<WalkOrder::PostOrder>([](Operation *inner) {
      if (isa<tile::AssumeOp>(inner))
        inner->erase();
      else if (auto hint = dyn_cast<tile::HintOp>(inner)) {
        hint.getResult().replaceAllUsesWith(hint.getValue());
        hint.erase();
      } else if (auto branch = dyn_cast<scf::IfOp>(inner))
        flatten(branch);
    });
  });
}
