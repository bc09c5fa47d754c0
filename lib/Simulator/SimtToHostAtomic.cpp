// simt-to-host: atomics of global memory.
#include "lib/Simulator/AccessSite.h"

#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Support/AtomicMemory.h"

using namespace mlir;

namespace tilec::sim {

namespace {

AtomicElement elementOf(Type type) {
  if (type.isF16())
    return AtomicElement::F16;
  if (type.isBF16())
    return AtomicElement::BF16;
  if (type.isF32())
    return AtomicElement::F32;
  if (type.isF64())
    return AtomicElement::F64;
  if (type.isInteger(16))
    return AtomicElement::Int16;
  return type.isInteger(32) ? AtomicElement::Int32 : AtomicElement::Int64;
}

/// The bits of an element as an i64.
Value toBits(HostRewriter &rewriter, Location loc, Value value) {
  OpBuilder &builder = rewriter.getBuilder();
  Type word = builder.getI64Type(), type = value.getType();
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, word, value);
  Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, loc, integer, value);
  return integer == word ? value : LLVM::ZExtOp::create(builder, loc, word, value).getResult();
}

Value fromBits(HostRewriter &rewriter, Location loc, Value bits, Type type) {
  OpBuilder &builder = rewriter.getBuilder();
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, bits);
  Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (integer != bits.getType())
    bits = LLVM::TruncOp::create(builder, loc, integer, bits);
  return integer == type ? bits : LLVM::BitcastOp::create(builder, loc, type, bits).getResult();
}

template <typename OpT>
LogicalResult rewrite(OpT op, HostRewriter &rewriter, AtomicFn fn, Value cmp) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  Type type = op.getType();
  Value pointer = op.getPtr();
  if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() != 1)
    return op.emitError("atomics change global memory only");
  uint64_t bytes = rewriter.getDataLayout().getTypeSize(type).getFixedValue();
  Site site = describeAccess(op, rewriter, "atomic", type, bytes, op.getArg());
  site.isAtomic = true;
  Value pred = op.getPred() ? op.getPred() : rewriter.constantBool(true);
  Value old = rewriter.call("tilec_sim_global_change", builder.getI64Type(),
                            {pointer, pred, rewriter.addSite(op, std::move(site)),
                             rewriter.constant32(static_cast<uint32_t>(fn)),
                             rewriter.constant32(static_cast<uint32_t>(elementOf(type))),
                             toBits(rewriter, loc, op.getValue()),
                             toBits(rewriter, loc, cmp ? cmp : op.getValue())});
  rewriter.replace(op, fromBits(rewriter, loc, old, type));
  return success();
}

LogicalResult rewriteAtom(tilegpu::AtomOp op, HostRewriter &rewriter) {
  return rewrite(op, rewriter, static_cast<AtomicFn>(op.getKind()), Value());
}

LogicalResult rewriteCas(tilegpu::CasOp op, HostRewriter &rewriter) {
  return rewrite(op, rewriter, AtomicFn::Cas, op.getCmp());
}

} // namespace

void addAtomicHandlers(HandlerTable &table) {
  table.on<tilegpu::AtomOp>(rewriteAtom);
  table.on<tilegpu::CasOp>(rewriteCas);
}

} // namespace tilec::sim
