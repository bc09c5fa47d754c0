// The pass `simt-to-host`: families of operations, entry functions, and what the host must not see.
#include "lib/Simulator/HostRewriter.h"
#include "lib/Simulator/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilec {

#define GEN_PASS_DEF_SIMTTOHOSTPASS
#include "lib/Simulator/Passes.h.inc"

namespace {

bool isKernel(LLVM::LLVMFuncOp function) {
  return !function.isExternal() && function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// `void __sim_k(void **args)`: loads the arguments and calls the kernel.
void addEntry(LLVM::LLVMFuncOp kernel) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto ptr = LLVM::LLVMPointerType::get(kernel.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()), {ptr});
  auto entry =
      LLVM::LLVMFuncOp::create(builder, loc, (sim::kEntryPrefix + kernel.getName()).str(), type);
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> args;
  for (auto [index, argType] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(builder, loc, ptr, ptr, entry.getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    Value address = LLVM::LoadOp::create(builder, loc, ptr, slot);
    // A structure passed by value is a pointer to it in the IR.
    bool byValue = !!kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName());
    args.push_back(byValue ? address
                           : LLVM::LoadOp::create(builder, loc, argType, address, /*alignment=*/1));
  }
  LLVM::CallOp::create(builder, loc, kernel, args);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// Removes what only the GPU understands from a function that has been rewritten.
void clean(LLVM::LLVMFuncOp function) {
  auto llvmDialect = function->getContext()->getLoadedDialect<LLVM::LLVMDialect>();
  for (NamedAttribute attr : llvm::to_vector(function->getDiscardableAttrs()))
    if (attr.getNameDialect() != llvmDialect)
      function->removeAttr(attr.getName());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attr : function_interface_impl::getArgAttrs(function, i))
      if (!attr.getName().getValue().starts_with("llvm."))
        function.removeArgAttr(i, attr.getName());
  function.setCConv(LLVM::CConv::C);
  function.setTargetCpuAttr(nullptr);
  function.setTargetFeaturesAttr(nullptr);
  // Frames may be larger than the guard page: touch every page of them in order.
  if (!function.isExternal())
    function.setPassthroughAttr(
        ArrayAttr::get(function->getContext(),
                       {ArrayAttr::get(function->getContext(),
                                       {StringAttr::get(function->getContext(), "probe-stack"),
                                        StringAttr::get(function->getContext(), "inline-asm")})}));
}

class SimtToHost : public impl::SimtToHostPassBase<SimtToHost> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // From here on sizes are the host's.
    for (StringRef name :
         {LLVM::LLVMDialect::getDataLayoutAttrName(), LLVM::LLVMDialect::getTargetTripleAttrName(),
          StringRef(kDataLayoutSpecAttr)})
      module->removeAttr(name);

    sim::HandlerTable table;
    sim::addSpecialRegisterHandlers(table);
    sim::addAtomicHandlers(table);
    sim::addEffectHandlers(table);
    sim::addMemoryHandlers(table);
    sim::addBarrierHandlers(table);
    sim::addWarpHandlers(table);
    sim::addMathHandlers(table);
    sim::addMatrixHandlers(table);

    SmallVector<LLVM::LLVMFuncOp> functions(module.getOps<LLVM::LLVMFuncOp>());
    SmallVector<Operation *> ops;
    for (LLVM::LLVMFuncOp function : functions)
      function.walk([&](Operation *op) {
        if (op != function)
          ops.push_back(op);
      });

    sim::HostRewriter rewriter(module);
    bool failed = false;
    for (Operation *op : ops) {
      rewriter.setPosition(op);
      // Where a thread left the kernel matters when others wait for it.
      if (isa<LLVM::ReturnOp>(op) && isKernel(op->getParentOfType<LLVM::LLVMFuncOp>()))
        rewriter.call("tilec_sim_exit", nullptr, {rewriter.addSite(op, "return")});
      else if (const sim::HandlerTable::Handler *handler = table.lookup(op))
        failed |= mlir::failed((*handler)(op, rewriter));
      else if (!isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect())) {
        op->emitError() << "the simulator does not know '" << op->getName() << "'";
        failed = true;
      }
    }
    if (failed)
      return signalPassFailure();

    for (LLVM::LLVMFuncOp function : functions)
      if (!function.isExternal())
        sim::addLoopChecks(function, rewriter);

    if (auto shared = module.lookupSymbol<LLVM::GlobalOp>(tilegpu::kSharedSymbol))
      shared.erase();
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == 3) {
        global.emitError() << "the simulator knows no shared memory but '" << tilegpu::kSharedSymbol
                           << "', found '" << global.getSymName() << "'";
        return signalPassFailure();
      }
    rewriter.finish();

    for (LLVM::LLVMFuncOp function : functions) {
      if (isKernel(function))
        addEntry(function);
      clean(function);
    }
  }

  static constexpr llvm::StringLiteral kDataLayoutSpecAttr = "dlti.dl_spec";
};

} // namespace

void registerSimulatorPasses() {
  registerPass([]() -> std::unique_ptr<Pass> { return createSimtToHostPass(); });
}

} // namespace tilec
