// simt-to-host: printing, assertions, inline PTX, and what speaks to the machine.
#include "lib/Simulator/HostRewriter.h"

#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/PtxAsm/PtxAsm.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilec::sim {

namespace {

/// An array of 64-bit words in the frame of the function that holds `op`.
Value createWords(Operation *op, HostRewriter &rewriter, size_t count) {
  OpBuilder &builder = rewriter.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
  Value size = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(),
                                        builder.getI32IntegerAttr(std::max<size_t>(count, 1)));
  return LLVM::AllocaOp::create(builder, op->getLoc(),
                                LLVM::LLVMPointerType::get(builder.getContext()),
                                builder.getI64Type(), size, /*alignment=*/8);
}

Value wordAt(Operation *op, HostRewriter &rewriter, Value words, size_t index) {
  OpBuilder &builder = rewriter.getBuilder();
  return LLVM::GEPOp::create(builder, op->getLoc(), words.getType(), builder.getI64Type(), words,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

/// Writes the bits of values to an array, each to a word of its own.
Value storeWords(Operation *op, HostRewriter &rewriter, ValueRange values) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op->getLoc();
  Value words = createWords(op, rewriter, values.size());
  for (auto [i, value] : llvm::enumerate(values)) {
    Value bits = value;
    unsigned width = value.getType().getIntOrFloatBitWidth();
    Type integer = builder.getIntegerType(width);
    if (value.getType() != integer)
      bits = LLVM::BitcastOp::create(builder, loc, integer, bits);
    if (width < 64)
      bits = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), bits);
    LLVM::StoreOp::create(builder, loc, bits, wordAt(op, rewriter, words, i));
  }
  return words;
}

LogicalResult rewritePrint(tilegpu::PrintOp op, HostRewriter &rewriter) {
  Value pred = op.getPred() ? op.getPred() : rewriter.constantBool(true);
  Value words = storeWords(op, rewriter, op.getValues());
  rewriter.call("tilec_sim_print", nullptr,
                {pred, words, rewriter.constant32(op.getValues().size()),
                 rewriter.addSite(op, op.getFormat())});
  op.erase();
  return success();
}

LogicalResult rewriteCheck(tilegpu::CheckOp op, HostRewriter &rewriter) {
  rewriter.call("tilec_sim_check", nullptr,
                {op.getCondition(), rewriter.addSite(op, op.getMessage())});
  op.erase();
  return success();
}

/// The library evaluates it; the site holds the program.
LogicalResult rewriteAsm(tilegpu::AsmOp op, HostRewriter &rewriter) {
  auto program = ptx::AsmProgram::get(op.getAsmString(), op.getConstraints());
  if (!program)
    return op.emitError() << llvm::toString(program.takeError());
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  Value inputs = storeWords(op, rewriter, op.getOperands());
  Value outputs = createWords(op, rewriter, op.getNumResults());
  Site site;
  site.what = op.getAsmString().str();
  site.elementType = op.getConstraints().str();
  site.bytes = 1;
  rewriter.call("tilec_sim_asm", nullptr, {inputs, outputs, rewriter.addSite(op, std::move(site))});
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    Value bits =
        LLVM::LoadOp::create(builder, loc, builder.getI64Type(), wordAt(op, rewriter, outputs, i));
    unsigned width = type.getIntOrFloatBitWidth();
    Type integer = builder.getIntegerType(width);
    if (width < 64)
      bits = LLVM::TruncOp::create(builder, loc, integer, bits);
    results.push_back(
        type == integer ? bits : LLVM::BitcastOp::create(builder, loc, type, bits).getResult());
  }
  op->replaceAllUsesWith(results);
  op.erase();
  return success();
}

LogicalResult rewriteTimer(NVVM::GlobalTimerOp op, HostRewriter &rewriter) {
  rewriter.replace(op, rewriter.call("tilec_sim_globaltimer", op.getType(), {}));
  return success();
}

/// The simulated GPU has one multiprocessor.
LogicalResult rewriteSmId(NVVM::SmIdOp op, HostRewriter &rewriter) {
  rewriter.replace(op, rewriter.constant32(0));
  return success();
}

/// One launch runs at a time.
LogicalResult dropGridDependency(NVVM::GriddepcontrolOp op, HostRewriter &) {
  op.erase();
  return success();
}

} // namespace

void addEffectHandlers(HandlerTable &table) {
  table.on<tilegpu::PrintOp>(rewritePrint);
  table.on<tilegpu::CheckOp>(rewriteCheck);
  table.on<tilegpu::AsmOp>(rewriteAsm);
  table.on<NVVM::GlobalTimerOp>(rewriteTimer);
  table.on<NVVM::SmIdOp>(rewriteSmId);
  table.on<NVVM::GriddepcontrolOp>(dropGridDependency);
}

} // namespace tilec::sim
