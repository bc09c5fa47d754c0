// Calls of the host library and the table of sites.
#include "lib/Simulator/HostRewriter.h"

#include "dialects/TileGPU/IR/TileGPU.h"

using namespace mlir;

namespace tilec::sim {

HostRewriter::HostRewriter(ModuleOp module)
    : module(module), builder(module.getContext()), dataLayout(module), loc(module.getLoc()) {}

void HostRewriter::setPosition(Operation *op) {
  builder.setInsertionPoint(op);
  loc = op->getLoc();
}

LLVM::LLVMFuncOp HostRewriter::declare(StringRef name, Type result, ArrayRef<Type> args) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  Type resultType = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                           LLVM::LLVMFunctionType::get(resultType, args));
  // x86 leaves the upper bits of narrow arguments and results open unless it is told.
  for (auto [index, type] : llvm::enumerate(args))
    if (type.isInteger(1))
      function.setArgAttr(index, LLVM::LLVMDialect::getZExtAttrName(), builder.getUnitAttr());
  if (result && result.isInteger(1))
    function.setResultAttr(0, LLVM::LLVMDialect::getZExtAttrName(), builder.getUnitAttr());
  return function;
}

Value HostRewriter::call(StringRef name, Type result, ValueRange args) {
  LLVM::LLVMFuncOp function = declare(name, result, llvm::to_vector(args.getTypes()));
  auto op = LLVM::CallOp::create(builder, loc, function, args);
  return result ? op.getResult() : Value();
}

Value HostRewriter::constant32(uint32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value HostRewriter::constantBool(bool value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI1Type(), builder.getBoolAttr(value));
}

/// The place in a source file that a location stands for: of an inlined call, the callee's.
static FileLineColLoc findFileLocation(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFileLocation(name.getChildLoc());
  if (auto callSite = dyn_cast<CallSiteLoc>(loc)) {
    if (FileLineColLoc callee = findFileLocation(callSite.getCallee()))
      return callee;
    return findFileLocation(callSite.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (FileLineColLoc file = findFileLocation(part))
        return file;
  }
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFileLocation(opaque.getFallbackLocation());
  return {};
}

Value HostRewriter::addSite(Operation *op, Site site) {
  NamedAttrList fields;
  fields.append("what", builder.getStringAttr(site.what));
  if (site.bytes) {
    fields.append("bytes", builder.getI32IntegerAttr(site.bytes));
    fields.append("align", builder.getI32IntegerAttr(site.align));
    fields.append("element_bytes", builder.getI32IntegerAttr(site.elementBytes));
    fields.append("element", builder.getStringAttr(site.elementType));
  }
  if (isa<tilegpu::AsmOp>(op))
    fields.append("asm", builder.getUnitAttr());
  if (site.arg >= 0)
    fields.append("arg", builder.getI32IntegerAttr(site.arg));
  if (site.isAtomic)
    fields.append("atomic", builder.getUnitAttr());
  if (FileLineColLoc file = findFileLocation(op->getLoc())) {
    fields.append("file", file.getFilename());
    fields.append("line", builder.getI32IntegerAttr(file.getLine()));
    fields.append("column", builder.getI32IntegerAttr(file.getColumn()));
  }
  sites.push_back(fields.getDictionary(builder.getContext()));
  return constant32(static_cast<uint32_t>(sites.size() - 1));
}

void HostRewriter::replace(Operation *op, Value value) {
  if (value)
    op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void HostRewriter::finish() { module->setAttr(kSitesAttr, builder.getArrayAttr(sites)); }

const HandlerTable::Handler *HandlerTable::lookup(Operation *op) const {
  auto it = handlers.find(op->getName().getTypeID());
  return it == handlers.end() ? nullptr : &it->second;
}

} // namespace tilec::sim
