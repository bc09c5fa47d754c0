// tile.dot: instructions of the tensor cores, or multiply-adds.
#include "lib/Conversion/TileGPUToLLVM/DotLowering.h"
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"

#include "dialects/TileGPU/Transforms/DotKind.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

/// A product of a warp as a list of instructions.
class MmaDot {
public:
  MmaDot(tilegpu::MmaKind kind, MmaPlan plan, OpBuilder &builder, Location loc)
      : kind(kind), plan(std::move(plan)), emit(builder, loc) {}

  Value run(Value lhs, Value rhs, Value acc) {
    SmallVector<SmallVector<Value>> lhsPieces = tiles(lhs, mmaLhsRegisters(plan.packBits)),
                                    rhsPieces = tiles(rhs, mmaRhsRegisters(plan.packBits));
    SmallVector<Value> sums = split(acc, kMmaAccRegisters);
    if (kind.pieces == 1) {
      addProducts(lhsPieces[0], rhsPieces[0], sums);
      return emit.concat(sums);
    }
    // The small products first, and apart: if one of them isn't a number because a factor was
    // infinite, the large one alone says what the result is.
    auto type = cast<VectorType>(sums[0].getType());
    Value zero =
        LLVM::ConstantOp::create(emit.builder, emit.loc, type, emit.builder.getZeroAttr(type));
    SmallVector<Value> products(sums.size(), zero);
    // Of three pieces the products of the smallest ones with any but the largest are left out.
    for (unsigned rank = kind.pieces - 1; rank > 0; --rank)
      for (unsigned i = 0; i <= rank; ++i)
        addProducts(lhsPieces[i], rhsPieces[rank - i], products);
    for (Value &product : products) {
      Value isNumber =
          LLVM::FCmpOp::create(emit.builder, emit.loc, LLVM::FCmpPredicate::ord, product, product);
      product = LLVM::SelectOp::create(emit.builder, emit.loc, isNumber, product, zero);
    }
    addProducts(lhsPieces[0], rhsPieces[0], products);
    for (auto [sum, product] : llvm::zip_equal(sums, products))
      sum = LLVM::FAddOp::create(emit.builder, emit.loc, sum, product);
    return emit.concat(sums);
  }

private:
  SmallVector<Value> split(Value registers, unsigned perTile) {
    SmallVector<Value> result;
    for (int64_t i = 0; i < registersOf(registers); i += perTile)
      result.push_back(emit.permute(registers, indexRange(i, i + perTile)));
    return result;
  }

  /// The tiles of an operand; of f32 in several pieces, from the largest to the smallest, that add
  /// up to it.
  SmallVector<SmallVector<Value>> tiles(Value registers, unsigned perTile) {
    SmallVector<SmallVector<Value>> result;
    auto type = cast<VectorType>(registers.getType());
    if (!isCut()) {
      result.push_back(split(registers, perTile));
      return result;
    }
    for (unsigned piece = 0; piece < kind.pieces; ++piece) {
      Value part = registers, back;
      if (isa<FloatTF32Type>(kind.lhs)) {
        part = back = roundToTF32(registers);
      } else {
        part = LLVM::FPTruncOp::create(emit.builder, emit.loc,
                                       type.clone(emit.builder.getBF16Type()), registers);
        back = LLVM::FPExtOp::create(emit.builder, emit.loc, type, part);
      }
      result.push_back(split(part, perTile));
      if (piece + 1 < kind.pieces)
        registers = LLVM::FSubOp::create(emit.builder, emit.loc, registers, back);
    }
    return result;
  }

  bool isCut() const { return kind.pieces > 1; }

  /// To the nearest tf32, halves away from zero; what isn't finite stays, the tensor cores ignore
  /// its low bits.
  Value roundToTF32(Value value) {
    OpBuilder &builder = emit.builder;
    auto type = cast<VectorType>(value.getType());
    auto words = type.clone(builder.getI32Type());
    auto constant = [&](uint32_t word) -> Value {
      return LLVM::ConstantOp::create(
          builder, emit.loc, words,
          DenseElementsAttr::get(words, builder.getI32IntegerAttr(static_cast<int32_t>(word))));
    };
    Value bits = LLVM::BitcastOp::create(builder, emit.loc, words, value);
    Value rounded = LLVM::AddOp::create(builder, emit.loc, bits, constant(0x1000));
    rounded = LLVM::AndOp::create(builder, emit.loc, rounded, constant(~0x1fffu));
    Value exponent = LLVM::AndOp::create(builder, emit.loc, bits, constant(0x7f800000));
    Value isFinite = LLVM::ICmpOp::create(builder, emit.loc, LLVM::ICmpPredicate::ne, exponent,
                                          constant(0x7f800000));
    bits = LLVM::SelectOp::create(builder, emit.loc, isFinite, rounded, bits);
    return LLVM::BitcastOp::create(builder, emit.loc, type, bits);
  }

  void addProducts(ArrayRef<Value> lhs, ArrayRef<Value> rhs, SmallVector<Value> &sums) {
    for (const MmaStep &step : plan.steps)
      sums[step.acc] =
          tilegpu::MmaOp::create(emit.builder, emit.loc, sums[step.acc].getType(), lhs[step.lhs],
                                 rhs[step.rhs], sums[step.acc], kind.lhs, kind.rhs);
  }

  tilegpu::MmaKind kind;
  MmaPlan plan;
  Emitter emit;
};

struct DotLowering : ConvertOpToLLVMPattern<tile::DotOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::DotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value result;
    if (std::optional<MmaPlan> plan = tilegpu::mmaPlanOf(op))
      result = MmaDot(*tilegpu::mmaKindOf(op), std::move(*plan), rewriter, op.getLoc())
                   .run(adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc());
    else
      result = lowerFmaDot(op, adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(), rewriter);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void tilec::lowering::populateDotPatterns(LLVMTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<DotLowering>(converter);
}
