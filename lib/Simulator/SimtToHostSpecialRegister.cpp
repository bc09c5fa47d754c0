// simt-to-host: special registers.
#include "lib/Simulator/Block.h"
#include "lib/Simulator/HostRewriter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilec::sim {

namespace {

template <typename OpT, SpecialRegister kRegister>
LogicalResult rewriteRegister(OpT op, HostRewriter &rewriter) {
  Value number = rewriter.constant32(static_cast<uint32_t>(kRegister));
  rewriter.replace(op, rewriter.call("tilec_sim_special", op.getType(), {number}));
  return success();
}

template <typename OpT, uint32_t kValue>
LogicalResult rewriteConstant(OpT op, HostRewriter &rewriter) {
  rewriter.replace(op, rewriter.constant32(kValue));
  return success();
}

} // namespace

void addSpecialRegisterHandlers(HandlerTable &table) {
  using R = SpecialRegister;
  table.on<NVVM::ThreadIdXOp>(rewriteRegister<NVVM::ThreadIdXOp, R::ThreadX>);
  table.on<NVVM::BlockDimXOp>(rewriteRegister<NVVM::BlockDimXOp, R::BlockDimX>);
  table.on<NVVM::BlockIdXOp>(rewriteRegister<NVVM::BlockIdXOp, R::BlockX>);
  table.on<NVVM::BlockIdYOp>(rewriteRegister<NVVM::BlockIdYOp, R::BlockY>);
  table.on<NVVM::BlockIdZOp>(rewriteRegister<NVVM::BlockIdZOp, R::BlockZ>);
  table.on<NVVM::GridDimXOp>(rewriteRegister<NVVM::GridDimXOp, R::GridX>);
  table.on<NVVM::GridDimYOp>(rewriteRegister<NVVM::GridDimYOp, R::GridY>);
  table.on<NVVM::GridDimZOp>(rewriteRegister<NVVM::GridDimZOp, R::GridZ>);
  table.on<NVVM::LaneIdOp>(rewriteRegister<NVVM::LaneIdOp, R::Lane>);
  table.on<NVVM::WarpIdOp>(rewriteRegister<NVVM::WarpIdOp, R::Warp>);
  table.on<NVVM::WarpDimOp>(rewriteRegister<NVVM::WarpDimOp, R::NumWarps>);
  // Blocks have one dimension.
  table.on<NVVM::ThreadIdYOp>(rewriteConstant<NVVM::ThreadIdYOp, 0>);
  table.on<NVVM::ThreadIdZOp>(rewriteConstant<NVVM::ThreadIdZOp, 0>);
  table.on<NVVM::BlockDimYOp>(rewriteConstant<NVVM::BlockDimYOp, 1>);
  table.on<NVVM::BlockDimZOp>(rewriteConstant<NVVM::BlockDimZOp, 1>);
  table.on<NVVM::WarpSizeOp>(rewriteConstant<NVVM::WarpSizeOp, 32>);
}

} // namespace tilec::sim
