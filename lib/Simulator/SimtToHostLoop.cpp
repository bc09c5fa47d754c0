// simt-to-host: loops look whether the launch is to end, for not every loop touches memory or
// waits.
#include "lib/Simulator/HostRewriter.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilec::sim {

/// The blocks that are branched to from themselves or from a block after them, and the first such
/// branch of each. Every cycle has one.
static SmallVector<std::pair<Block *, Operation *>> findHeaders(LLVM::LLVMFuncOp function) {
  llvm::DenseMap<Block *, unsigned> numbers;
  for (Block &block : function.getBody())
    numbers[&block] = numbers.size();
  llvm::MapVector<Block *, Operation *> headers;
  for (Block &block : function.getBody())
    for (Block *to : block.getSuccessors())
      if (numbers.lookup(to) <= numbers.lookup(&block))
        headers.insert({to, block.getTerminator()});
  return headers.takeVector();
}

/// The number that is not zero while a launch wants to end.
static LLVM::GlobalOp declareAlarm(HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rewriter.getModule().getBody());
  return LLVM::GlobalOp::create(builder, rewriter.getModule().getLoc(), builder.getI32Type(),
                                /*isConstant=*/false, LLVM::Linkage::External, kAlarmSymbol,
                                Attribute());
}

void addLoopChecks(LLVM::LLVMFuncOp function, HostRewriter &rewriter) {
  SmallVector<std::pair<Block *, Operation *>> headers = findHeaders(function);
  if (headers.empty())
    return;
  auto alarm = rewriter.getModule().lookupSymbol<LLVM::GlobalOp>(kAlarmSymbol);
  if (!alarm)
    alarm = declareAlarm(rewriter);
  OpBuilder &builder = rewriter.getBuilder();
  for (auto [header, branch] : headers) {
    // At the head few values are alive in registers, which a new block would cost.
    Block *rest = header->splitBlock(header->begin());
    Block *check = builder.createBlock(rest);
    rewriter.setPosition(branch);
    Location loc = branch->getLoc();
    builder.setInsertionPointToEnd(header);
    Value count = LLVM::LoadOp::create(builder, loc, builder.getI32Type(),
                                       LLVM::AddressOfOp::create(builder, loc, alarm),
                                       /*alignment=*/4, /*isVolatile=*/true);
    Value isCalm =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, count, rewriter.constant32(0));
    LLVM::CondBrOp::create(builder, loc, isCalm, rest, check);
    builder.setInsertionPointToEnd(check);
    rewriter.call("tilec_sim_loop", nullptr, {rewriter.addSite(branch, "loop")});
    LLVM::BrOp::create(builder, loc, rest);
  }
}

} // namespace tilec::sim
