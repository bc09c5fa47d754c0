// simt-to-host: operations of a whole warp.
#include "lib/Simulator/HostRewriter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilec::sim {

namespace {

Value bitcast(HostRewriter &rewriter, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(rewriter.getBuilder(), loc, type, value);
}

StringRef shuffleName(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return "tilec_sim_shuffle_bfly";
  case NVVM::ShflKind::up:
    return "tilec_sim_shuffle_up";
  case NVVM::ShflKind::down:
    return "tilec_sim_shuffle_down";
  case NVVM::ShflKind::idx:
    return "tilec_sim_shuffle_idx";
  }
  llvm_unreachable("unknown shuffle");
}

LogicalResult rewriteShuffle(NVVM::ShflOp op, HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value bits = bitcast(rewriter, loc, op.getVal(), i32);
  // The value in the low half, whether the lane was in range above it.
  Value both = rewriter.call(shuffleName(op.getKind()), i64,
                             {op.getThreadMask(), bits, op.getOffset(), op.getMaskAndClamp(),
                              rewriter.addSite(op, "shuffle")});
  Value value =
      bitcast(rewriter, loc, LLVM::TruncOp::create(builder, loc, i32, both), op.getVal().getType());
  if (op.getReturnValueAndIsValid().value_or(false)) {
    Value shift = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(32));
    Value high = LLVM::LShrOp::create(builder, loc, both, shift);
    Value valid = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), high);
    Value result = LLVM::UndefOp::create(builder, loc, op.getType());
    result = LLVM::InsertValueOp::create(builder, loc, result, value, ArrayRef<int64_t>{0});
    value = LLVM::InsertValueOp::create(builder, loc, result, valid, ArrayRef<int64_t>{1});
  }
  rewriter.replace(op, value);
  return success();
}

LogicalResult rewriteVote(NVVM::VoteSyncOp op, HostRewriter &rewriter) {
  StringRef name;
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::any:
    name = "tilec_sim_vote_any";
    break;
  case NVVM::VoteSyncKind::all:
    name = "tilec_sim_vote_all";
    break;
  case NVVM::VoteSyncKind::uni:
    name = "tilec_sim_vote_uni";
    break;
  case NVVM::VoteSyncKind::ballot:
    name = "tilec_sim_vote_ballot";
    break;
  }
  OpBuilder &builder = rewriter.getBuilder();
  Value result = rewriter.call(name, builder.getI32Type(),
                               {op.getMask(), op.getPred(), rewriter.addSite(op, "vote")});
  if (op.getType().isInteger(1))
    result = LLVM::TruncOp::create(builder, op.getLoc(), op.getType(), result);
  rewriter.replace(op, result);
  return success();
}

LogicalResult rewriteRedux(NVVM::ReduxOp op, HostRewriter &rewriter) {
  if (op.getAbs() || op.getNan())
    return op.emitError() << "the simulator does not know 'abs' and 'nan' of 'nvvm.redux.sync'";
  std::string name = ("tilec_sim_redux_" + NVVM::stringifyReduxKind(op.getKind())).str();
  Type i32 = rewriter.getBuilder().getI32Type();
  Value bits = bitcast(rewriter, op.getLoc(), op.getVal(), i32);
  Value result = rewriter.call(
      name, i32, {op.getMaskAndClamp(), bits, rewriter.addSite(op, "warp reduction")});
  rewriter.replace(op, bitcast(rewriter, op.getLoc(), result, op.getType()));
  return success();
}

LogicalResult rewriteSyncWarp(NVVM::SyncWarpOp op, HostRewriter &rewriter) {
  rewriter.call("tilec_sim_sync_warp", nullptr,
                {op.getMask(), rewriter.addSite(op, "warp barrier")});
  op.erase();
  return success();
}

LogicalResult rewriteElect(NVVM::ElectSyncOp op, HostRewriter &rewriter) {
  Value mask = op.getMembermask() ? op.getMembermask() : rewriter.constant32(~0u);
  OpBuilder &builder = rewriter.getBuilder();
  Value result = rewriter.call("tilec_sim_elect", builder.getI32Type(),
                               {mask, rewriter.addSite(op, "election")});
  rewriter.replace(op, LLVM::TruncOp::create(builder, op.getLoc(), builder.getI1Type(), result));
  return success();
}

} // namespace

void addWarpHandlers(HandlerTable &table) {
  table.on<NVVM::ShflOp>(rewriteShuffle);
  table.on<NVVM::VoteSyncOp>(rewriteVote);
  table.on<NVVM::ReduxOp>(rewriteRedux);
  table.on<NVVM::SyncWarpOp>(rewriteSyncWarp);
  table.on<NVVM::ElectSyncOp>(rewriteElect);
}

} // namespace tilec::sim
