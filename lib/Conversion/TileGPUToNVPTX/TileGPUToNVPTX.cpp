// Hardware operations as LLVM loads, intrinsics and inline PTX.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/Passes.h"
#include "lib/Conversion/TileGPUToNVPTX/Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#define DEBUG_TYPE "convert-tilegpu-to-nvptx"

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILEGPUTONVPTXPASS
#include "lib/Conversion/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

namespace {

/// How an access is written in PTX: `words` registers of `bits` bits.
struct PtxAccess {
  int64_t words = 1, bits = 32;
  int64_t bytes = 4;

  explicit PtxAccess(Type type) {
    int64_t count = 1;
    if (auto vector = dyn_cast<VectorType>(type)) {
      count = vector.getNumElements();
      type = vector.getElementType();
    }
    int64_t element = isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth();
    bytes = count * element / 8;
    bits = element == 64 ? 64 : std::min<int64_t>(32, bytes * 8);
    words = bytes * 8 / bits;
  }

  /// Bytes have no registers of their own: they travel in 16 bits.
  int64_t registerBits() const { return std::max<int64_t>(bits, 16); }
  Type word(OpBuilder &builder) const { return builder.getIntegerType(registerBits()); }
  StringRef constraint() const {
    return registerBits() == 64 ? "l" : registerBits() == 32 ? "r" : "h";
  }
  std::string suffix() const {
    std::string text = words > 1 ? (".v" + Twine(words)).str() : "";
    return text + (".b" + Twine(bits)).str();
  }
  /// `{$first, $first+1, ...}`.
  std::string operands(int64_t first) const {
    std::string text = words > 1 ? "{" : "";
    for (int64_t i = 0; i < words; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return text + (words > 1 ? "}" : "");
  }
};

/// The integers that hold the addresses of `type`, a pointer or a vector of them; null for other
/// types.
Type addressType(OpBuilder &builder, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!isa<LLVM::LLVMPointerType>(vector ? vector.getElementType() : type))
    return {};
  return vector ? Type(vector.clone(builder.getI64Type())) : builder.getI64Type();
}

/// `value` as the words of an access.
SmallVector<Value> toWords(OpBuilder &builder, Location loc, Value value, const PtxAccess &access) {
  if (Type address = addressType(builder, value.getType()))
    value = LLVM::PtrToIntOp::create(builder, loc, address, value);
  Type integer = builder.getIntegerType(access.bits);
  if (access.words == 1) {
    if (value.getType() != integer)
      value = LLVM::BitcastOp::create(builder, loc, integer, value);
    if (access.bits < access.registerBits())
      value = LLVM::ZExtOp::create(builder, loc, access.word(builder), value);
    return {value};
  }
  auto vector = VectorType::get({access.words}, integer);
  if (value.getType() != vector)
    value = LLVM::BitcastOp::create(builder, loc, vector, value);
  SmallVector<Value> words;
  for (int64_t i = 0; i < access.words; ++i)
    words.push_back(
        LLVM::ExtractElementOp::create(builder, loc, value,
                                       LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                                                builder.getI32IntegerAttr(i))));
  return words;
}

Value fromWords(OpBuilder &builder, Location loc, ArrayRef<Value> words, Type type,
                const PtxAccess &access) {
  Type integer = builder.getIntegerType(access.bits);
  Value value;
  if (access.words == 1) {
    value = words[0];
    if (value.getType() != integer)
      value = LLVM::TruncOp::create(builder, loc, integer, value);
  } else {
    auto vector = VectorType::get({access.words}, integer);
    value = LLVM::PoisonOp::create(builder, loc, vector);
    for (auto [i, word] : llvm::enumerate(words))
      value =
          LLVM::InsertElementOp::create(builder, loc, value, word,
                                        LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                                                 builder.getI32IntegerAttr(i)));
  }
  if (addressType(builder, type))
    return LLVM::IntToPtrOp::create(builder, loc, type, value);
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, loc, type, value);
}

std::string stateSpace(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3 ? ".shared"
                                                                               : ".global";
}

/// PTX takes one of the two: a cache operator says more than a hint at eviction.
std::string cacheSuffix(tile::CacheModifier cache, tile::EvictionPolicy evict) {
  if (cache != tile::CacheModifier::none)
    return ("." + tile::stringifyCacheModifier(cache)).str();
  if (evict == tile::EvictionPolicy::evict_first)
    return ".L1::evict_first";
  if (evict == tile::EvictionPolicy::evict_last)
    return ".L1::evict_last";
  return "";
}

/// Nothing that LLVM's own load or store could not say.
template <typename Op>
bool isPlain(Op op) {
  return !op.getPred() && op.getCache() == tile::CacheModifier::none &&
         op.getEvict() == tile::EvictionPolicy::normal;
}

struct LdLowering : OpRewritePattern<LdOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LdOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    if (isPlain(op)) {
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, op.getPtr(), op.getAlign(),
                                                op.getIsVolatile());
      return success();
    }
    PtxAccess access(type);
    Type word = access.word(rewriter);
    // Results are tied to what they keep if the predicate is false.
    SmallVector<Value> operands{op.getPtr()};
    std::string constraints;
    for (int64_t i = 0; i < access.words; ++i)
      constraints += ("=" + access.constraint() + ",").str();
    constraints += "l";
    std::string text;
    if (op.getPred()) {
      text = "@$" + std::to_string(access.words + 1) + " ";
      operands.push_back(op.getPred());
      constraints += ",b";
      SmallVector<Value> kept;
      if (op.getOther()) {
        kept = toWords(rewriter, loc, op.getOther(), access);
      } else {
        Value zero =
            LLVM::ConstantOp::create(rewriter, loc, word, rewriter.getIntegerAttr(word, 0));
        kept.assign(access.words, zero);
      }
      for (auto [i, value] : llvm::enumerate(kept)) {
        operands.push_back(value);
        constraints += "," + std::to_string(i);
      }
    }
    // PTX combines `.volatile` with no hint: such a load goes past the caches anyway.
    text += op.getIsVolatile()
                ? "ld.volatile" + stateSpace(op.getPtr())
                : "ld" + stateSpace(op.getPtr()) + cacheSuffix(op.getCache(), op.getEvict());
    text +=
        access.suffix() + " " + access.operands(0) + ", [$" + std::to_string(access.words) + "];";
    Type result = word;
    if (access.words > 1)
      result = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                SmallVector<Type>(access.words, word));
    Value value =
        LLVM::InlineAsmOp::create(rewriter, loc, result, operands, text, constraints,
                                  /*has_side_effects=*/true, /*is_align_stack=*/false,
                                  LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    SmallVector<Value> words{value};
    if (access.words > 1) {
      words.clear();
      for (int64_t i = 0; i < access.words; ++i)
        words.push_back(LLVM::ExtractValueOp::create(rewriter, loc, value, i));
    }
    rewriter.replaceOp(op, fromWords(rewriter, loc, words, type, access));
    return success();
  }
};

struct StLowering : OpRewritePattern<StOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (isPlain(op)) {
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, op.getValue(), op.getPtr(), op.getAlign());
      return success();
    }
    PtxAccess access(op.getValue().getType());
    SmallVector<Value> operands = toWords(rewriter, loc, op.getValue(), access);
    std::string constraints;
    for (int64_t i = 0; i < access.words; ++i)
      constraints += (access.constraint() + ",").str();
    operands.push_back(op.getPtr());
    constraints += "l";
    std::string text;
    if (op.getPred()) {
      text = "@$" + std::to_string(access.words + 1) + " ";
      operands.push_back(op.getPred());
      constraints += ",b";
    }
    text += "st" + stateSpace(op.getPtr()) + cacheSuffix(op.getCache(), op.getEvict()) +
            access.suffix() + " [$" + std::to_string(access.words) + "], " + access.operands(0) +
            ";";
    LLVM::InlineAsmOp::create(rewriter, loc, TypeRange(), operands, text, constraints,
                              /*has_side_effects=*/true, /*is_align_stack=*/false,
                              LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Intrinsics, which LLVM knows to touch no memory: around inline PTX, pure or not, it neither
/// merges nor moves loads.
struct ApproxLowering : OpRewritePattern<ApproxOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Null where there is none.
  static const char *intrinsic(ApproxFn fn) {
    switch (fn) {
    case ApproxFn::ex2:
      return "llvm.nvvm.ex2.approx.f32";
    case ApproxFn::lg2:
      return "llvm.nvvm.lg2.approx.f";
    case ApproxFn::rsqrt:
      return "llvm.nvvm.rsqrt.approx.f";
    case ApproxFn::sqrt:
      return "llvm.nvvm.sqrt.approx.f";
    case ApproxFn::sin:
      return "llvm.nvvm.sin.approx.f";
    case ApproxFn::cos:
      return "llvm.nvvm.cos.approx.f";
    case ApproxFn::rcp:
    case ApproxFn::tanh:
      return nullptr;
    }
    llvm_unreachable("covered");
  }

  LogicalResult matchAndRewrite(ApproxOp op, PatternRewriter &rewriter) const override {
    if (const char *name = intrinsic(op.getFn())) {
      rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
          op, op.getType(), rewriter.getStringAttr(name), ValueRange{op.getX()});
      return success();
    }
    // The instructions that code generation takes for these when approximations are allowed.
    auto approximate =
        LLVM::FastmathFlagsAttr::get(rewriter.getContext(), LLVM::FastmathFlags::afn);
    if (op.getFn() == ApproxFn::tanh) {
      rewriter.replaceOpWithNewOp<LLVM::TanhOp>(op, op.getType(), op.getX(), approximate);
      return success();
    }
    Value one = LLVM::ConstantOp::create(rewriter, op.getLoc(), op.getType(),
                                         rewriter.getF32FloatAttr(1.0f));
    rewriter.replaceOpWithNewOp<LLVM::FDivOp>(op, op.getType(), one, op.getX(), approximate);
    return success();
  }
};

struct DivFullLowering : OpRewritePattern<DivFullOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DivFullOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(),
                                                       rewriter.getStringAttr("llvm.nvvm.div.full"),
                                                       ValueRange{op.getLhs(), op.getRhs()});
    return success();
  }
};

struct ConvertTileGPUToNVPTX : tilec::impl::ConvertTileGPUToNVPTXPassBase<ConvertTileGPUToNVPTX> {
  using ConvertTileGPUToNVPTXPassBase::ConvertTileGPUToNVPTXPassBase;

  void runOnOperation() override {
    unsigned architecture = 0;
    StringRef digits = StringRef(target).drop_until(llvm::isDigit).take_while(llvm::isDigit);
    if (digits.getAsInteger(10, architecture)) {
      getOperation().emitError() << "target '" << target << "' has no number, as in 'sm_90'";
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    ptx::populateAtomicPatterns(patterns, architecture);
    ptx::populateEffectPatterns(patterns, architecture);
    ptx::populateMatrixPatterns(patterns);
    patterns.add<LdLowering, StLowering, ApproxLowering, DivFullLowering>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failed(ptx::lowerBranchingEffects(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      dropOwnAttributes(function);
  }

  /// What the translation to LLVM IR would warn about: nothing after this pass asks for it.
  static void dropOwnAttributes(LLVM::LLVMFuncOp function) {
    auto isOwn = [](NamedAttribute attr) {
      return attr.getName().strref().starts_with("tile.") ||
             attr.getName().strref().starts_with("tilegpu.");
    };
    SmallVector<NamedAttribute> attributes;
    llvm::append_range(attributes, function->getDiscardableAttrs());
    for (NamedAttribute attr : attributes)
      if (isOwn(attr))
        function->removeDiscardableAttr(attr.getName());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (DictionaryAttr dictionary = function.getArgAttrDict(i))
        for (NamedAttribute attr : dictionary)
          if (isOwn(attr))
            function.removeArgAttr(i, attr.getName());
  }
};

} // namespace
