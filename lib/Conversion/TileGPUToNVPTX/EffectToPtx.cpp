// Printing, assertions, inline PTX and dependent launches as calls and instructions.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/TileGPUToNVPTX/Patterns.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

namespace {

/// Puts `op` and what follows in blocks of their own: a block that only runs if `condition` is true
/// is where the builder is left.
Block *branchTo(OpBuilder &builder, Operation *op, Value condition, bool negate) {
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *taken = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  Location loc = op->getLoc();
  if (negate)
    LLVM::CondBrOp::create(builder, loc, condition, after, taken);
  else
    LLVM::CondBrOp::create(builder, loc, condition, taken, after);
  builder.setInsertionPointToEnd(taken);
  return after;
}

class EffectEmitter {
public:
  explicit EffectEmitter(ModuleOp module) : module(module), builder(module.getContext()) {}

  void print(PrintOp op) {
    Location loc = op.getLoc();
    Block *after = nullptr;
    builder.setInsertionPoint(op);
    if (op.getPred())
      after = branchTo(builder, op, op.getPred(), /*negate=*/false);
    Type i32 = builder.getI32Type(), pointer = LLVM::LLVMPointerType::get(builder.getContext());
    LLVM::LLVMFuncOp vprintf = declare("vprintf", i32, {pointer, pointer});
    Value args = op.getValues().empty() ? LLVM::ZeroOp::create(builder, loc, pointer).getResult()
                                        : storeArguments(op);
    LLVM::CallOp::create(builder, loc, vprintf, ValueRange{text(loc, op.getFormat()), args});
    if (after)
      LLVM::BrOp::create(builder, loc, after);
    op.erase();
  }

  void check(CheckOp op) {
    Location loc = op.getLoc();
    Block *after = branchTo(builder, op, op.getCondition(), /*negate=*/true);
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type(),
         pointer = LLVM::LLVMPointerType::get(builder.getContext());
    LLVM::LLVMFuncOp fail = declare("__assertfail", Type(), {pointer, pointer, i32, pointer, i64});
    StringRef message = op.getMessage(), file = "unknown";
    int64_t line = 0;
    if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
      file = place.getFilename();
      line = place.getLine();
    }
    StringRef kernel = op->getParentOfType<LLVM::LLVMFuncOp>().getName();
    auto constant = [&](Type type, int64_t value) {
      return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
    };
    LLVM::CallOp::create(builder, loc, fail,
                         ValueRange{text(loc, message.empty() ? "assertion" : message),
                                    text(loc, file), constant(i32, line), text(loc, kernel),
                                    constant(i64, 1)});
    // It does not return, but the code generator need not know: the other threads go on.
    LLVM::BrOp::create(builder, loc, after);
    op.erase();
  }

private:
  LLVM::LLVMFuncOp declare(StringRef name, Type result, ArrayRef<Type> args) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type type = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                    LLVM::LLVMFunctionType::get(type, args));
  }

  /// The address of a text that ends in a zero, one for equal texts.
  Value text(Location loc, StringRef value) {
    LLVM::GlobalOp &global = texts[value];
    if (!global) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      std::string bytes = value.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
      global = LLVM::GlobalOp::create(
          builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
          "$text_" + std::to_string(texts.size()), builder.getStringAttr(bytes), /*alignment=*/0,
          /*addrSpace=*/1);
    }
    Value address = LLVM::AddressOfOp::create(builder, loc, global);
    return LLVM::AddrSpaceCastOp::create(builder, loc,
                                         LLVM::LLVMPointerType::get(builder.getContext()), address);
  }

  /// A structure of the arguments in the thread's local memory. vprintf is done with it when it
  /// returns, so that all lines of one form share it.
  Value storeArguments(PrintOp op) {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    SmallVector<Type> types(op.getValues().getTypes());
    auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    Value &buffer = buffers[{function, type}];
    if (!buffer) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.getBody().front());
      Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                           builder.getI32IntegerAttr(1));
      buffer = LLVM::AllocaOp::create(builder, loc, pointer, type, one, /*alignment=*/8);
    }
    for (auto [i, value] : llvm::enumerate(op.getValues())) {
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, type, buffer,
                                       ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      LLVM::StoreOp::create(builder, loc, value, slot);
    }
    return buffer;
  }

  ModuleOp module;
  OpBuilder builder;
  llvm::StringMap<LLVM::GlobalOp> texts;
  llvm::DenseMap<std::pair<Operation *, Type>, Value> buffers;
};

struct AsmToPtx : OpRewritePattern<AsmOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AsmOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types(op.getResultTypes());
    Type result = types.size() == 1
                      ? types[0]
                      : LLVM::LLVMStructType::getLiteral(rewriter.getContext(), types);
    auto call = LLVM::InlineAsmOp::create(
        rewriter, loc, result, op.getOperands(), op.getAsmString(), op.getConstraints(),
        /*has_side_effects=*/!op.getPure(), /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr(), ArrayAttr());
    SmallVector<Value> values{call->getResult(0)};
    if (types.size() > 1) {
      values.clear();
      for (int64_t i = 0; i < static_cast<int64_t>(types.size()); ++i)
        values.push_back(LLVM::ExtractValueOp::create(rewriter, loc, call->getResult(0), i));
    }
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// LLVM's intrinsic says that it touches no memory, and loads would move across it.
struct GridDependencyToPtx : OpRewritePattern<NVVM::GriddepcontrolOp> {
  GridDependencyToPtx(MLIRContext *context, unsigned architecture)
      : OpRewritePattern(context), architecture(architecture) {}

  LogicalResult matchAndRewrite(NVVM::GriddepcontrolOp op,
                                PatternRewriter &rewriter) const override {
    if (architecture >= 90)
      ptx::createAsm(rewriter, op.getLoc(), Type(), {},
                     op.getKind() == NVVM::GridDepActionKind::wait
                         ? "griddepcontrol.wait;"
                         : "griddepcontrol.launch_dependents;",
                     "");
    rewriter.eraseOp(op);
    return success();
  }

  unsigned architecture;
};

} // namespace

void tilec::ptx::populateEffectPatterns(RewritePatternSet &patterns, unsigned architecture) {
  patterns.add<AsmToPtx>(patterns.getContext());
  patterns.add<GridDependencyToPtx>(patterns.getContext(), architecture);
}

LogicalResult tilec::ptx::lowerBranchingEffects(ModuleOp module) {
  SmallVector<Operation *> effects;
  module.walk([&](Operation *op) {
    if (isa<PrintOp, CheckOp>(op))
      effects.push_back(op);
  });
  EffectEmitter emitter(module);
  for (Operation *op : effects) {
    if (!op->getParentOfType<LLVM::LLVMFuncOp>())
      return op->emitOpError("must stand in an 'llvm.func'");
    if (auto print = dyn_cast<PrintOp>(op))
      emitter.print(print);
    else
      emitter.check(cast<CheckOp>(op));
  }
  return success();
}
