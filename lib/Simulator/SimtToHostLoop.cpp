// simt-to-host: loops look now and then whether the launch is to end, for not every loop touches
// memory or waits.
#include "lib/Simulator/HostRewriter.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tilec::sim {

/// Branches back to a block at or before their own, in the order of the blocks. Every cycle has
/// one.
static SmallVector<Operation *> findBackBranches(LLVM::LLVMFuncOp function) {
  llvm::DenseMap<Block *, unsigned> numbers;
  for (Block &block : function.getBody())
    numbers[&block] = numbers.size();
  SmallVector<Operation *> branches;
  for (Block &block : function.getBody())
    if (llvm::any_of(block.getSuccessors(),
                     [&](Block *to) { return numbers.lookup(to) <= numbers.lookup(&block); }))
      branches.push_back(block.getTerminator());
  return branches;
}

void addLoopChecks(LLVM::LLVMFuncOp function, HostRewriter &rewriter) {
  SmallVector<Operation *> branches = findBackBranches(function);
  if (branches.empty())
    return;
  // So many iterations, of all loops of a thread, lie between two looks.
  constexpr uint32_t kIterations = 256;
  OpBuilder &builder = rewriter.getBuilder();
  Type i32 = builder.getI32Type();
  rewriter.setPosition(&function.getBody().front().front());
  Value counter = LLVM::AllocaOp::create(builder, function.getLoc(),
                                         LLVM::LLVMPointerType::get(builder.getContext()), i32,
                                         rewriter.constant32(1), /*alignment=*/4);
  LLVM::StoreOp::create(builder, function.getLoc(), rewriter.constant32(kIterations), counter);
  for (Operation *branch : branches) {
    rewriter.setPosition(branch);
    Location loc = branch->getLoc();
    Value count = LLVM::SubOp::create(
        builder, loc, LLVM::LoadOp::create(builder, loc, i32, counter), rewriter.constant32(1));
    LLVM::StoreOp::create(builder, loc, count, counter);
    Value isDue =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, count, rewriter.constant32(0));
    Block *last = branch->getBlock();
    Block *rest = last->splitBlock(branch);
    Block *check = builder.createBlock(rest);
    builder.setInsertionPointToEnd(last);
    LLVM::CondBrOp::create(builder, loc, isDue, check, rest);
    builder.setInsertionPointToEnd(check);
    LLVM::StoreOp::create(builder, loc, rewriter.constant32(kIterations), counter);
    rewriter.call("tilec_sim_loop", nullptr, {rewriter.addSite(branch, "loop")});
    LLVM::BrOp::create(builder, loc, rest);
  }
}

} // namespace tilec::sim
