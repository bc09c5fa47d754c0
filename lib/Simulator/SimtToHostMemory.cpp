// simt-to-host: accesses of global and shared memory.
#include "lib/Simulator/AccessSite.h"

#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilec::sim {

namespace {

constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3;

unsigned addressSpaceOf(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
}

/// The language's name of a machine type: "fp32", "bf16", "i8".
std::string languageName(Type type) {
  if (type.isBF16())
    return "bf16";
  if (auto floatType = dyn_cast<FloatType>(type))
    return "fp" + std::to_string(floatType.getWidth());
  if (auto intType = dyn_cast<IntegerType>(type))
    return "i" + std::to_string(intType.getWidth());
  return "bytes";
}

/// Bytes of a type of the language: the first number in "fp32", "bf16", "i1" or "fp8e4m3" are bits.
uint32_t languageBytes(StringRef name) {
  StringRef digits = name.drop_until(llvm::isDigit).take_while(llvm::isDigit);
  unsigned bits = 0;
  if (digits.getAsInteger(10, bits) || bits == 0)
    return 1;
  return llvm::divideCeil(bits, 8);
}

} // namespace

Site describeAccess(Operation *op, HostRewriter &rewriter, StringRef what, Type type,
                    uint64_t align, std::optional<uint32_t> arg) {
  Site site;
  site.what = what.str();
  site.bytes = rewriter.getDataLayout().getTypeSize(type).getFixedValue();
  site.align = std::max<uint64_t>(align, 1);
  site.elementType = languageName(getElementTypeOrSelf(type));
  site.arg = arg ? static_cast<int32_t>(*arg) : -1;
  if (arg) {
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (*arg < function.getNumArguments())
      if (auto name = function.getArgAttrOfType<StringAttr>(*arg, "tile.type"))
        site.elementType = name.getValue().ltrim('*').str();
  }
  site.elementBytes = languageBytes(site.elementType);
  return site;
}

namespace {

/// The alignment of a plain access: the attribute, or the size of the value rounded up.
uint64_t alignmentOf(HostRewriter &rewriter, std::optional<uint64_t> attribute, Type type) {
  if (attribute)
    return *attribute;
  if (isa<VectorType>(type))
    return llvm::PowerOf2Ceil(rewriter.getDataLayout().getTypeSize(type).getFixedValue());
  return rewriter.getDataLayout().getTypeABIAlignment(type);
}

/// Passes an address through the library and gives the address to use instead: the same, or scratch
/// memory where the predicate is false.
Value checkAddress(Operation *op, HostRewriter &rewriter, Value pointer, Value pred, Site site) {
  OpBuilder &builder = rewriter.getBuilder();
  bool isShared = addressSpaceOf(pointer) == kSharedSpace;
  auto type =
      LLVM::LLVMPointerType::get(builder.getContext(), isShared ? kSharedSpace : kGlobalSpace);
  if (pointer.getType() != type)
    pointer = LLVM::AddrSpaceCastOp::create(builder, op->getLoc(), type, pointer);
  if (!pred)
    pred = rewriter.constantBool(true);
  std::string name = isShared ? "tilec_sim_shared_" : "tilec_sim_global_";
  name += site.isAtomic ? "atomic" : site.what;
  return rewriter.call(name, type, {pointer, pred, rewriter.addSite(op, std::move(site))});
}

LogicalResult rewriteLd(tilegpu::LdOp op, HostRewriter &rewriter) {
  Type type = op.getResult().getType();
  Site site = describeAccess(op, rewriter, "load", type, op.getAlign(), op.getArg());
  Value address = checkAddress(op, rewriter, op.getPtr(), op.getPred(), std::move(site));
  OpBuilder &builder = rewriter.getBuilder();
  if (op.getIsVolatile())
    rewriter.call("tilec_sim_global_poll", nullptr, {rewriter.addSite(op, "load")});
  Value value = LLVM::LoadOp::create(builder, op.getLoc(), type, address, /*alignment=*/1);
  // The scratch memory of loads is zero, which is the result without `other`.
  if (op.getPred() && op.getOther())
    value = LLVM::SelectOp::create(builder, op.getLoc(), op.getPred(), value, op.getOther());
  rewriter.replace(op, value);
  return success();
}

LogicalResult rewriteSt(tilegpu::StOp op, HostRewriter &rewriter) {
  Type type = op.getValue().getType();
  Site site = describeAccess(op, rewriter, "store", type, op.getAlign(), op.getArg());
  Value address = checkAddress(op, rewriter, op.getPtr(), op.getPred(), std::move(site));
  LLVM::StoreOp::create(rewriter.getBuilder(), op.getLoc(), op.getValue(), address,
                        /*alignment=*/1);
  op.erase();
  return success();
}

bool isInstrumented(Value pointer) {
  unsigned space = addressSpaceOf(pointer);
  return space == kGlobalSpace || space == kSharedSpace;
}

LogicalResult rewriteLoad(LLVM::LoadOp op, HostRewriter &rewriter) {
  if (!isInstrumented(op.getAddr()))
    return success();
  Type type = op.getType();
  uint64_t align = alignmentOf(rewriter, op.getAlignment(), type);
  Site site = describeAccess(op, rewriter, "load", type, align, std::nullopt);
  site.isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  bool isAtomic = site.isAtomic;
  op.getAddrMutable().assign(checkAddress(op, rewriter, op.getAddr(), {}, std::move(site)));
  if (!isAtomic)
    op.setAlignment(1);
  return success();
}

LogicalResult rewriteStore(LLVM::StoreOp op, HostRewriter &rewriter) {
  if (!isInstrumented(op.getAddr()))
    return success();
  Type type = op.getValue().getType();
  uint64_t align = alignmentOf(rewriter, op.getAlignment(), type);
  Site site = describeAccess(op, rewriter, "store", type, align, std::nullopt);
  site.isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  bool isAtomic = site.isAtomic;
  op.getAddrMutable().assign(checkAddress(op, rewriter, op.getAddr(), {}, std::move(site)));
  if (!isAtomic)
    op.setAlignment(1);
  return success();
}

/// Atomics are the host's own; only the address goes through the library.
template <typename OpT>
LogicalResult rewriteAtomic(OpT op, HostRewriter &rewriter) {
  if (!isInstrumented(op.getPtr()))
    return success();
  Type type = op.getVal().getType();
  uint64_t align = alignmentOf(rewriter, op.getAlignment(), type);
  Site site = describeAccess(op, rewriter, "atomic", type, align, std::nullopt);
  site.isAtomic = true;
  op.getPtrMutable().assign(checkAddress(op, rewriter, op.getPtr(), {}, std::move(site)));
  return success();
}

LogicalResult rewriteAddressOf(LLVM::AddressOfOp op, HostRewriter &rewriter) {
  if (op.getGlobalName() == tilegpu::kSharedSymbol)
    rewriter.replace(op, rewriter.call("tilec_sim_shared_base", op.getType(), {}));
  return success();
}

/// Accesses that LLVM can express but the lowering does not use: unchecked they would be worthless.
template <typename OpT>
LogicalResult refuse(OpT op, HostRewriter &rewriter) {
  for (Value operand : op->getOperands())
    if (isa<LLVM::LLVMPointerType>(operand.getType()) && isInstrumented(operand))
      return op.emitError() << "the simulator cannot check '" << op->getName() << "' on GPU memory";
  return success();
}

LogicalResult dropPrefetch(LLVM::Prefetch op, HostRewriter &rewriter) {
  op.erase();
  return success();
}

} // namespace

void addMemoryHandlers(HandlerTable &table) {
  table.on<tilegpu::LdOp>(rewriteLd);
  table.on<tilegpu::StOp>(rewriteSt);
  table.on<LLVM::LoadOp>(rewriteLoad);
  table.on<LLVM::StoreOp>(rewriteStore);
  table.on<LLVM::AtomicRMWOp>(rewriteAtomic<LLVM::AtomicRMWOp>);
  table.on<LLVM::AtomicCmpXchgOp>(rewriteAtomic<LLVM::AtomicCmpXchgOp>);
  table.on<LLVM::AddressOfOp>(rewriteAddressOf);
  table.on<LLVM::Prefetch>(dropPrefetch);
  table.on<LLVM::MemcpyOp>(refuse<LLVM::MemcpyOp>);
  table.on<LLVM::MemmoveOp>(refuse<LLVM::MemmoveOp>);
  table.on<LLVM::MemsetOp>(refuse<LLVM::MemsetOp>);
  table.on<LLVM::MaskedLoadOp>(refuse<LLVM::MaskedLoadOp>);
  table.on<LLVM::MaskedStoreOp>(refuse<LLVM::MaskedStoreOp>);
  table.on<LLVM::masked_gather>(refuse<LLVM::masked_gather>);
  table.on<LLVM::masked_scatter>(refuse<LLVM::masked_scatter>);
}

} // namespace tilec::sim
