// simt-to-host: barriers of a block.
#include "lib/Simulator/HostRewriter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilec::sim {

namespace {

LogicalResult rewriteBarrier0(NVVM::Barrier0Op op, HostRewriter &rewriter) {
  rewriter.call("tilec_sim_barrier", nullptr,
                {rewriter.constant32(0), rewriter.constant32(0), rewriter.addSite(op, "barrier")});
  op.erase();
  return success();
}

LogicalResult rewriteBarrier(NVVM::BarrierOp op, HostRewriter &rewriter) {
  Value id = op.getBarrierId() ? op.getBarrierId() : rewriter.constant32(0);
  Value count = op.getNumberOfThreads() ? op.getNumberOfThreads() : rewriter.constant32(0);
  Value site = rewriter.addSite(op, "barrier");
  if (!op.getReductionOp()) {
    rewriter.call("tilec_sim_barrier", nullptr, {id, count, site});
    op.erase();
    return success();
  }
  StringRef name;
  switch (*op.getReductionOp()) {
  case NVVM::BarrierReduction::POPC:
    name = "tilec_sim_barrier_popc";
    break;
  case NVVM::BarrierReduction::AND:
    name = "tilec_sim_barrier_and";
    break;
  case NVVM::BarrierReduction::OR:
    name = "tilec_sim_barrier_or";
    break;
  }
  Type i32 = rewriter.getBuilder().getI32Type();
  Value result = rewriter.call(name, i32, {id, count, op.getReductionPredicate(), site});
  if (op->getNumResults() == 0) {
    op.erase();
    return success();
  }
  rewriter.replace(op, result);
  return success();
}

LogicalResult rewriteArrive(NVVM::BarrierArriveOp op, HostRewriter &rewriter) {
  Value id = op.getBarrierId() ? op.getBarrierId() : rewriter.constant32(0);
  rewriter.call("tilec_sim_barrier_arrive", nullptr,
                {id, op.getNumberOfThreads(), rewriter.addSite(op, "barrier arrival")});
  op.erase();
  return success();
}

/// The host keeps the order of a thread's accesses, and atomics order those of others.
LogicalResult dropFence(NVVM::MembarOp op, HostRewriter &rewriter) {
  op.erase();
  return success();
}

} // namespace

void addBarrierHandlers(HandlerTable &table) {
  table.on<NVVM::Barrier0Op>(rewriteBarrier0);
  table.on<NVVM::BarrierOp>(rewriteBarrier);
  table.on<NVVM::BarrierArriveOp>(rewriteArrive);
  table.on<NVVM::MembarOp>(dropFence);
}

} // namespace tilec::sim
