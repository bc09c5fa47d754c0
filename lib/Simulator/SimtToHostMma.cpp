// simt-to-host: tensor cores. A thread leaves its fragments in memory and finds the result there.
#include "lib/Simulator/Block.h"
#include "lib/Simulator/HostRewriter.h"
#include "lib/Simulator/MatrixFormats.h"

#include "dialects/TileGPU/IR/TileGPU.h"

using namespace mlir;

namespace tilec::sim {

namespace {

constexpr unsigned kFragmentBytes = 64;

/// Memory for one operation's fragments, in the frame of the function: allocated where the
/// operation stands it would grow with each turn of a loop.
Value fragmentMemory(Operation *op, HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  mlir::Block &entry = op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
  builder.setInsertionPointToStart(&entry);
  Value size = rewriter.constant32(kFragmentBytes);
  return LLVM::AllocaOp::create(builder, op->getLoc(), LLVM::LLVMPointerType::get(op->getContext()),
                                builder.getI8Type(), size, /*alignment=*/16);
}

Value at(HostRewriter &rewriter, Location loc, Value memory, int32_t bytes) {
  OpBuilder &builder = rewriter.getBuilder();
  return LLVM::GEPOp::create(builder, loc, memory.getType(), builder.getI8Type(), memory,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

MatrixFormat formatOf(Type type) {
  if (isa<FloatTF32Type>(type))
    return MatrixFormat::TF32;
  if (type.isF16())
    return MatrixFormat::F16;
  if (type.isBF16())
    return MatrixFormat::BF16;
  if (type.isInteger(8))
    return MatrixFormat::I8;
  return isa<Float8E5M2Type>(type) ? MatrixFormat::F8E5M2 : MatrixFormat::F8E4M3;
}

LogicalResult rewriteMma(tilegpu::MmaOp op, HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  Value memory = fragmentMemory(op, rewriter);
  for (auto [value, offset] :
       {std::pair(op.getLhs(), kLhsOffset), std::pair(op.getRhs(), kRhsOffset),
        std::pair(op.getAcc(), kAccOffset)})
    LLVM::StoreOp::create(builder, loc, value, at(rewriter, loc, memory, offset),
                          /*alignment=*/1);
  bool halfSums = cast<VectorType>(op.getType()).getElementType().isF16();
  rewriter.call(halfSums ? "tilec_sim_mma_f16" : "tilec_sim_mma", nullptr,
                {memory, rewriter.constant32(unsigned(formatOf(op.getLhsType()))),
                 rewriter.constant32(unsigned(formatOf(op.getRhsType()))),
                 rewriter.addSite(op, "matrix product")});
  rewriter.replace(op, LLVM::LoadOp::create(builder, loc, op.getType(),
                                            at(rewriter, loc, memory, kAccOffset),
                                            /*alignment=*/1));
  return success();
}

LogicalResult rewriteLdMatrix(tilegpu::LdMatrixOp op, HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  Value memory = fragmentMemory(op, rewriter);
  Site site;
  site.what = "load";
  site.bytes = site.align = 16;
  site.elementType = "bytes";
  // A lane whose row is read answers for the access.
  Type i32 = builder.getI32Type();
  int64_t count = cast<VectorType>(op.getType()).getNumElements();
  Value lane = rewriter.call("tilec_sim_special", i32,
                             {rewriter.constant32(unsigned(SpecialRegister::Lane))});
  Value hasRow = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, lane,
                                      rewriter.constant32(8 * count));
  Value number = rewriter.addSite(op, std::move(site));
  Value row =
      rewriter.call("tilec_sim_shared_load", op.getPtr().getType(), {op.getPtr(), hasRow, number});
  rewriter.call(op.getTrans() ? "tilec_sim_ldmatrix_trans" : "tilec_sim_ldmatrix", nullptr,
                {row, rewriter.constant32(count), memory, number});
  rewriter.replace(op, LLVM::LoadOp::create(builder, loc, op.getType(), memory, /*alignment=*/1));
  return success();
}

} // namespace

void addMatrixHandlers(HandlerTable &table) {
  table.on<tilegpu::MmaOp>(rewriteMma);
  table.on<tilegpu::LdMatrixOp>(rewriteLdMatrix);
}

} // namespace tilec::sim
