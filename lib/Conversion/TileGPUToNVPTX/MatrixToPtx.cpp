// tilegpu.mma and tilegpu.ldmatrix as intrinsics.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/TileGPUToNVPTX/Patterns.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

namespace {

Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

/// Appends the registers of 32 bits that hold `vector`, each of type `word`.
void appendWords(OpBuilder &builder, Location loc, Value vector, Type word,
                 SmallVector<Value> &words) {
  auto type = cast<VectorType>(vector.getType());
  int64_t count = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  if (isa<VectorType>(word)) {
    auto pair = cast<VectorType>(word);
    int64_t size = pair.getNumElements();
    for (int64_t i = 0; i < count; ++i)
      words.push_back(LLVM::ShuffleVectorOp::create(
          builder, loc, vector, vector,
          llvm::to_vector(llvm::seq<int32_t>(i * size, (i + 1) * size))));
    return;
  }
  auto asWords = VectorType::get({count}, word);
  if (type != asWords)
    vector = LLVM::BitcastOp::create(builder, loc, asWords, vector);
  for (int64_t i = 0; i < count; ++i)
    words.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, constant(builder, loc, i)));
}

/// The fields of a structure as one vector.
Value joinFields(OpBuilder &builder, Location loc, Value structure, VectorType type) {
  auto fields = cast<LLVM::LLVMStructType>(structure.getType()).getBody();
  SmallVector<Value> parts;
  for (unsigned i = 0; i < fields.size(); ++i)
    parts.push_back(LLVM::ExtractValueOp::create(builder, loc, structure, i));
  if (isa<VectorType>(fields[0])) // two pairs
    return LLVM::ShuffleVectorOp::create(builder, loc, parts[0], parts[1],
                                         ArrayRef<int32_t>{0, 1, 2, 3});
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, part] : llvm::enumerate(parts))
    result = LLVM::InsertElementOp::create(builder, loc, result, part, constant(builder, loc, i));
  return result;
}

StringRef ptxName(Type type) {
  if (isa<FloatTF32Type>(type))
    return "tf32";
  if (type.isBF16())
    return "bf16";
  if (type.isF16())
    return "f16";
  if (type.isF32())
    return "f32";
  return type.isInteger(8) ? "s8" : isa<Float8E5M2Type>(type) ? "e5m2" : "e4m3";
}

struct MmaLowering : OpRewritePattern<MmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type lhs = op.getLhsType(), rhs = op.getRhsType();
    auto acc = cast<VectorType>(op.getType());
    Type sum = acc.getElementType(), i32 = rewriter.getI32Type();
    Type half = VectorType::get({2}, rewriter.getF16Type());
    std::string name = "llvm.nvvm.mma.m16n8k";
    if (lhs.isF16())
      name += ("16.row.col." + ptxName(sum) + "." + ptxName(sum)).str();
    else if (lhs.isBF16() || isa<FloatTF32Type>(lhs))
      name += ((lhs.isBF16() ? "16" : "8") + (".row.col." + ptxName(lhs))).str();
    else if (lhs.isInteger(8))
      name += "32.row.col.s8";
    else
      name += ("32.row.col.f32." + ptxName(lhs) + "." + ptxName(rhs) + ".f32").str();

    SmallVector<Value> arguments;
    appendWords(rewriter, loc, op.getLhs(), lhs.isF16() ? half : i32, arguments);
    appendWords(rewriter, loc, op.getRhs(), lhs.isF16() ? half : i32, arguments);
    Type word = sum.isF16() ? half : sum;
    appendWords(rewriter, loc, op.getAcc(), word, arguments);
    Type result = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                   SmallVector<Type>(sum.isF16() ? 2 : 4, word));
    auto call = LLVM::CallIntrinsicOp::create(rewriter, loc, result, rewriter.getStringAttr(name),
                                              arguments);
    rewriter.replaceOp(op, joinFields(rewriter, loc, call.getResult(0), acc));
    return success();
  }
};

struct LdMatrixLowering : OpRewritePattern<LdMatrixOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LdMatrixOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getType());
    int64_t count = type.getNumElements();
    std::string name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                       (op.getTrans() ? ".trans" : "") + ".b16.p3";
    Type i32 = rewriter.getI32Type(), result = i32;
    if (count > 1)
      result =
          LLVM::LLVMStructType::getLiteral(rewriter.getContext(), SmallVector<Type>(count, i32));
    Value words = LLVM::CallIntrinsicOp::create(rewriter, loc, result, rewriter.getStringAttr(name),
                                                ValueRange{op.getPtr()})
                      .getResult(0);
    if (count > 1) {
      rewriter.replaceOp(op, joinFields(rewriter, loc, words, type));
      return success();
    }
    Value poison = LLVM::PoisonOp::create(rewriter, loc, type);
    rewriter.replaceOpWithNewOp<LLVM::InsertElementOp>(op, poison, words,
                                                       constant(rewriter, loc, 0));
    return success();
  }
};

} // namespace

void ptx::populateMatrixPatterns(RewritePatternSet &patterns) {
  patterns.add<MmaLowering, LdMatrixLowering>(patterns.getContext());
}
