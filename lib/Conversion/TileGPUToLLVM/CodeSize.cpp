// How much code a kernel becomes, before it is made: a thread's registers are unrolled.
#include "lib/Conversion/TileGPUToLLVM/CodeSize.h"

#include "dialects/TileGPU/Transforms/DotKind.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"
#include "lib/Layout/ReductionPlan.h"
#include "lib/Layout/ScanPlan.h"

using namespace mlir;
using namespace tilec;

/// Most registers of a thread for one tensor: the time of LLVM's passes grows with their square.
static constexpr uint64_t kMostRegisters = 8192;
/// Most instructions of a kernel, by this estimate: each takes about 1 KB while it is compiled.
static constexpr uint64_t kMostInstructions = uint64_t(2) << 20;
/// From here on a kernel is warned of: it takes many seconds to compile.
static constexpr uint64_t kManyInstructions = kMostInstructions / 8;

static uint64_t registersOf(Type type) {
  return tilegpu::layoutOf(type) ? tilegpu::layoutOf(type).getNumRegisters() : 1;
}

/// Registers of the largest tensor that the operation takes or gives.
static uint64_t largestIn(Operation *op) {
  uint64_t most = 1;
  for (Type type : op->getOperandTypes())
    most = std::max(most, registersOf(type));
  for (Type type : op->getResultTypes())
    most = std::max(most, registersOf(type));
  return most;
}

static uint64_t opsIn(Region &region) {
  uint64_t count = 0;
  region.walk([&](Operation *) { ++count; });
  return count;
}

static uint64_t instructionsOf(tile::ScanOp scan) {
  LinearLayout layout =
      tilegpu::linearLayoutOf(cast<RankedTensorType>(scan.getOperand(0).getType()));
  uint64_t combined = 2 * layout.numRegisters();
  if (isScannable(layout)) {
    ScanPlan plan = planScan(layout, scan.getAxis(), scan.getReverse());
    // Each step combines totals, and puts them before what comes after.
    for (const ScanStep &step : plan.steps)
      combined += step.kind == ScanStep::Kind::Warps
                      ? plan.numGroups + step.numPositions() * step.numTotals
                      : plan.numGroups + step.numTotals;
  }
  return combined * opsIn(scan.getCombiner());
}

static uint64_t instructionsOf(tile::ReduceOp reduce) {
  LinearLayout layout =
      tilegpu::linearLayoutOf(cast<RankedTensorType>(reduce.getOperand(0).getType()));
  ReductionPlan plan = planReduction(layout, reduce.getAxis());
  uint64_t combined =
      plan.registers.size() + plan.result.numRegisters() * (plan.lanes.size() + plan.numPartials);
  return combined * opsIn(reduce.getCombiner());
}

static uint64_t instructionsOf(tile::DotOp dot) {
  uint64_t registers = largestIn(dot);
  // With what takes the operands apart. Without tensor cores there is a loop.
  if (std::optional<MmaPlan> plan = tilegpu::mmaPlanOf(dot))
    return plan->steps.size() * 40 + registers;
  return 64 + registers;
}

static uint64_t instructionsOf(Operation *op) {
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return instructionsOf(scan);
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return instructionsOf(reduce);
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return instructionsOf(dot);
  return largestIn(op);
}

LogicalResult tilec::lowering::checkCodeSize(func::FuncOp kernel) {
  uint64_t total = 0, most = 0;
  Operation *largest = kernel;
  bool isWide = false;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == kernel)
      return WalkResult::advance();
    if (uint64_t registers = largestIn(op); registers > kMostRegisters) {
      op->emitError() << "a tensor has " << registers << " elements a thread, more than the "
                      << kMostRegisters << " that are compiled; use smaller tiles or more warps";
      isWide = true;
      return WalkResult::interrupt();
    }
    uint64_t count = instructionsOf(op);
    total = llvm::SaturatingAdd(total, count);
    if (count > most) {
      most = count;
      largest = op;
    }
    bool isCombined = isa<tile::ScanOp, tile::ReduceOp>(op);
    return isCombined ? WalkResult::skip() : WalkResult::advance();
  });
  if (isWide)
    return failure();
  if (total <= kMostInstructions) {
    if (total > kManyInstructions) {
      bool isMuch = most > total / 8;
      InFlightDiagnostic report = (isMuch ? largest : kernel)->emitWarning()
                                  << "kernel '" << kernel.getName() << "' becomes about " << total
                                  << " instructions a thread, which compiles slowly";
      if (isMuch)
        report << "; " << most << " of them come from here";
    }
    return success();
  }
  InFlightDiagnostic report = largest->emitError()
                              << "kernel '" << kernel.getName() << "' becomes about " << total
                              << " instructions a thread, more than the " << kMostInstructions
                              << " that are compiled; " << most
                              << " of them come from here: use smaller tiles or more warps";
  return report;
}
