// The pass that lowers kernels from tensors with layouts to one thread's LLVM dialect.
#include "dialects/Tile/Transforms/AxisInfo.h"
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/Passes.h"
#include "lib/Conversion/TileGPUToLLVM/CodeSize.h"
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "convert-tilegpu-to-llvm"

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILEGPUTOLLVMPASS
#include "lib/Conversion/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

/// The kernel argument that a pointer comes from, if the way there is plain and all ways lead to
/// one: a loop may carry two pointers and swap them.
static std::optional<unsigned> argumentOf(Value pointer) {
  std::optional<unsigned> found;
  llvm::SmallDenseSet<Value> visited;
  SmallVector<Value> pending{pointer};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    auto carried = [&](scf::ForOp loop, unsigned index) {
      pending.push_back(loop.getInitArgs()[index]);
      pending.push_back(loop.getYieldedValues()[index]);
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      unsigned number = argument.getArgNumber();
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (loop && number > 0)
        carried(loop, number - 1);
      else if (isa<func::FuncOp>(parent) && found.value_or(number) == number)
        found = number;
      else
        return std::nullopt;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      carried(loop, cast<OpResult>(value).getResultNumber());
    else if (isa<tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::HintOp,
                 tile::PtrCastOp, tile::TransOp, tile::ReshapeOp, tilegpu::ConvertLayoutOp>(op))
      pending.push_back(op->getOperand(0));
    else
      return std::nullopt;
  }
  return found;
}

/// Length of aligned runs of registers that hold equal values.
static int64_t equalRegisters(const tile::AxisInfoAnalysis &axes, Value value) {
  LinearLayout layout = tilegpu::linearLayoutOf(cast<RankedTensorType>(value.getType()));
  tile::AxisInfo info = axes.get(value);
  int64_t best = 1;
  for (unsigned dim = 0; dim < layout.getRank(); ++dim)
    best = std::max(best, std::min<int64_t>(layout.contiguousPerThread(dim), info.constancy[dim]));
  return best;
}

/// Notes what the axis analysis knows of accesses and masks, while loops are still structured.
static void planAccesses(func::FuncOp function) {
  tile::AxisInfoAnalysis axes(function);
  Builder builder(function.getContext());
  function.walk([&](Operation *op) {
    if (isa<arith::CmpIOp>(op) && tilegpu::layoutOf(op->getResult(0).getType())) {
      int64_t run = equalRegisters(axes, op->getResult(0));
      if (run > 1)
        op->setAttr(lowering::kEqualRunAttr, builder.getI32IntegerAttr(run));
    }
    if (!tilegpu::isAccess(op))
      return;
    Value pointer = op->getOperand(0);
    if (std::optional<unsigned> argument = argumentOf(pointer))
      op->setAttr(lowering::kArgumentAttr, builder.getI32IntegerAttr(*argument));
    if (!isa<tile::LoadOp, tile::StoreOp>(op))
      return;
    auto type = dyn_cast<RankedTensorType>(pointer.getType());
    if (!type)
      return;
    Value mask = isa<tile::LoadOp>(op) ? cast<tile::LoadOp>(op).getMask()
                                       : cast<tile::StoreOp>(op).getMask();
    LinearLayout layout = tilegpu::linearLayoutOf(type);
    int64_t best = 1;
    for (unsigned dim = 0; dim < layout.getRank(); ++dim)
      best = std::max<int64_t>(best, std::min<int64_t>({layout.contiguousPerThread(dim),
                                                        axes.vectorElements(pointer, dim),
                                                        axes.maskConstancy(mask, dim)}));
    op->setAttr(lowering::kVectorAttr, builder.getI32IntegerAttr(best));
  });
}

/// The patterns rely on every type having a lowering.
static LogicalResult requireLowerings(ModuleOp module, const LLVMTypeConverter &converter) {
  WalkResult result = module.walk([&](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    for (Type type : types)
      if (!converter.convertType(type)) {
        op->emitError() << "type " << type << " cannot be lowered to LLVM";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether a matrix product is likely to need more registers than a thread can have: its sums, its
/// factors, and the factors of the next turn as they are loaded.
static bool crowdsRegisters(func::FuncOp function, int64_t numWarps) {
  // The rest is for addresses, masks and what else a kernel keeps.
  constexpr int64_t kMostWords = 160;
  WalkResult result = function.walk([&](tile::DotOp dot) {
    int64_t words = 0;
    for (Value value : {Value(dot.getResult()), Value(dot.getLhs()), Value(dot.getRhs())}) {
      auto type = cast<RankedTensorType>(value.getType());
      int64_t bits = tile::storageBits(type.getElementType());
      words += tilegpu::layoutOf(type).getNumRegisters() * bits / 32;
      if (value != dot.getResult())
        words += type.getNumElements() * bits / 32 / (32 * numWarps);
    }
    return words > kMostWords ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
struct ConvertTileGPUToLLVM : tilec::impl::ConvertTileGPUToLLVMPassBase<ConvertTileGPUToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    if (failed(tilegpu::requireLayouts(module)))
      return signalPassFailure();
    bool usesShared = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      auto numWarps = function->getAttrOfType<IntegerAttr>(tilegpu::kNumWarpsAttr);
      if (!numWarps)
        continue;
      if (failed(lowering::checkCodeSize(function)))
        return signalPassFailure();
      planAccesses(function);
      lowering::markWrappingLoops(function);
      // Where values must spill, ptxas otherwise leaves a thread as few as 32 registers, so that as
      // many programs fit as the hardware could hold.
      if (crowdsRegisters(function, numWarps.getInt()))
        function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                          Builder(context).getI32IntegerAttr(1));
      auto bytes = function->getAttrOfType<IntegerAttr>(tilegpu::kSharedBytesAttr);
      usesShared |= bytes && bytes.getInt() > 0;
    }
    if (usesShared)
      declareShared(module);
    if (failed(lowerControlFlow(module)) || failed(lowerToLLVM(module)))
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      finishKernel(function, context);
  }

  static void declareShared(ModuleOp module) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                           LLVM::Linkage::External, tilegpu::kSharedSymbol, Attribute(),
                           /*alignment=*/16, /*addrSpace=*/3);
  }

  LogicalResult lowerControlFlow(ModuleOp module) {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    lowering::populateLoopPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalOp<scf::ForOp, scf::IfOp, scf::WhileOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(module, target, std::move(patterns));
  }

  LogicalResult lowerToLLVM(ModuleOp module) {
    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(&getContext(), options);
    converter.addConversion([&](tile::PtrType) -> Type {
      return LLVM::LLVMPointerType::get(&getContext(), /*addressSpace=*/1);
    });
    converter.addConversion([&](RankedTensorType type) -> std::optional<Type> {
      tilegpu::LayoutAttr layout = tilegpu::layoutOf(type);
      if (!layout)
        return std::nullopt;
      Type element = converter.convertType(type.getElementType());
      if (!element || !VectorType::isValidElementType(element))
        return Type();
      return VectorType::get({layout.getNumRegisters()}, element);
    });
    if (failed(requireLowerings(module, converter)))
      return failure();
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    lowering::populateAtomicPatterns(converter, patterns);
    lowering::populateConvertLayoutPatterns(converter, patterns);
    lowering::populateDotPatterns(converter, patterns);
    lowering::populateEffectPatterns(converter, patterns);
    lowering::populateElementwisePatterns(converter, patterns);
    lowering::populateMemoryPatterns(converter, patterns);
    lowering::populateRearrangePatterns(converter, patterns);
    lowering::populateReducePatterns(converter, patterns);
    lowering::populateScanPatterns(converter, patterns);
    lowering::populateShapePatterns(converter, patterns);

    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp, tilegpu::LdMatrixOp, tilegpu::MmaOp, tilegpu::LdOp, tilegpu::StOp,
                      tilegpu::AtomOp, tilegpu::PrintOp, tilegpu::CheckOp, tilegpu::AsmOp,
                      tilegpu::CasOp>();
    target.addDynamicallyLegalOp<tilegpu::ApproxOp, tilegpu::DivFullOp>(
        [](Operation *op) { return !isa<RankedTensorType>(op->getResult(0).getType()); });
    return applyFullConversion(module, target, std::move(patterns));
  }

  static void finishKernel(LLVM::LLVMFuncOp function, MLIRContext *context) {
    auto warps = function->getAttrOfType<IntegerAttr>(tilegpu::kNumWarpsAttr);
    if (!warps)
      return;
    Builder builder(context);
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                      builder.getDenseI32ArrayAttr({static_cast<int32_t>(warps.getInt() * 32)}));
  }
};
} // namespace
