// Casts of floats that the backend has no instruction for, or would round to nearest regardless,
// and magnitudes that ptxas gets wrong.
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"

#include "lib/Support/FloatToInt.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilec::tilegpu {

namespace {

/// What a format of 8 bits is made of.
struct Format8 {
  unsigned mantissaBits;
  int bias;
  double largest;

  explicit Format8(Type element)
      : mantissaBits(isa<Float8E5M2Type>(element) ? 2 : 3),
        bias(isa<Float8E5M2Type>(element) ? 15 : 7),
        largest(isa<Float8E5M2Type>(element) ? 57344 : 448) {}
};

bool isFormat8(Type element) { return isa<Float8E4M3FNType, Float8E5M2Type>(element); }

Num cast(Num x, Type element) {
  Type to = withElement(x.type(), element);
  if (to == x.type())
    return x;
  if (element.getIntOrFloatBitWidth() > x.width())
    return {{x.place, x.make<arith::ExtFOp>(to, x.value)}};
  return {{x.place, x.make<arith::TruncFOp>(to, x.value)}};
}

Bool differ(Num a, Num b, arith::CmpFPredicate predicate) {
  return {{a.place, a.make<arith::CmpFOp>(predicate, a.value, b.value)}};
}

/// The number next to the nearest one if that has the larger magnitude.
Num truncateTowardZero(Num x, Type element) {
  Num nearest = cast(x, element);
  Num back = cast(nearest, getElementTypeOrSelf(x.type()));
  Int bits = nearest.bits();
  return nearest.fromBits(
      select(differ(back.abs(), x.abs(), arith::CmpFPredicate::OGT), bits - 1, bits));
}

/// f64 to f32 such that another rounding to fewer bits gives what one rounding would: the last bit
/// is set where the result is not exact.
Num truncateToOdd(Num x) {
  Type f32 = x.place->builder.getF32Type();
  Num down = truncateTowardZero(x, f32);
  Int bits = down.bits();
  Num back = cast(down, x.place->builder.getF64Type());
  return down.fromBits(select(differ(back, x, arith::CmpFPredicate::ONE), bits | 1, bits));
}

/// The bits of 8-bit floats: what overflows, infinities too, becomes the largest number, as
/// `cvt.satfinite` has it.
Int truncateTo8(Num x, Format8 format, bool towardZero) {
  unsigned m = format.mantissaBits;
  unsigned dropped = 23 - m;
  auto floatBits = [](double v) { return llvm::APFloat(float(v)).bitcastToAPInt().getZExtValue(); };
  Int bits = x.bits();
  Int sign = (bits >> 24) & 0x80;
  Int magnitude = bits & 0x7fffffff;
  Int clamped = {{x.place, x.make<arith::MinUIOp>(magnitude.value,
                                                  magnitude.lit(floatBits(format.largest)).value)}};

  Int rounded = clamped;
  if (!towardZero)
    rounded = clamped + ((1u << (dropped - 1)) - 1) + ((clamped >> dropped) & 1);
  Int normal = (rounded >> dropped) - uint64_t((127 - format.bias) << m);

  // Below the least normal number the steps are equal. Added to 2^23 of them, a number is rounded
  // to whole steps, and the sum's last bits count them.
  double step = std::ldexp(1.0, 1 - format.bias - int(m));
  Num small = x.fromBits(clamped);
  Int steps = clamped;
  if (towardZero)
    steps = {{x.place, x.make<arith::FPToUIOp>(bits.type(), (small * (1 / step)).value)}};
  else
    steps = (small + std::ldexp(step, 23)).bits() - floatBits(std::ldexp(step, 23));

  Bool isSmall =
      clamped.compare(arith::CmpIPredicate::ult, floatBits(std::ldexp(1.0, 1 - format.bias)));
  Bool isNaN = magnitude.compare(arith::CmpIPredicate::ugt, 0x7f800000);
  Int result = select(isNaN, bits.lit(0x7f), select(isSmall, steps, normal));
  return (result | sign).trunc(8);
}

/// f16 holds every 8-bit float.
Num extendFrom8(Operand x, Format8 format) {
  OpBuilder &builder = x.place->builder;
  Type i8 = withElement(x.type(), builder.getI8Type());
  Int bits = Int{{x.place, x.make<arith::BitcastOp>(i8, x.value)}}.zext(16);
  auto fromBits = [&](Int bits) -> Num {
    return {{x.place,
             x.make<arith::BitcastOp>(withElement(x.type(), builder.getF16Type()), bits.value)}};
  };
  if (format.mantissaBits == 2)
    return fromBits(bits << 8);
  // The same fields, but exponents that count from elsewhere.
  Int magnitude = bits & 0x7f;
  Num scaled = fromBits(((bits & 0x80) << 8) | (magnitude << 7)) * 256.0;
  Bool isNaN = magnitude.compare(arith::CmpIPredicate::eq, 0x7f);
  Int result = select(isNaN, bits.lit(0x7e00), scaled.bits());
  return fromBits(result);
}

/// What a cast to 8 bits limits anyway: `value` without limits at least as wide as the format's.
Value withoutLimits(Value value, Format8 format) {
  auto isLimit = [&](Value limit, double expected) {
    FloatAttr number;
    SplatElementsAttr splat;
    if (matchPattern(limit, m_Constant(&splat)))
      number = dyn_cast<FloatAttr>(splat.getSplatValue<Attribute>());
    else
      matchPattern(limit, m_Constant(&number));
    return number && number.getValueAsDouble() == expected;
  };
  if (auto op = value.getDefiningOp<arith::MaximumFOp>();
      op && isLimit(op.getRhs(), -format.largest))
    if (auto inner = op.getLhs().getDefiningOp<arith::MinimumFOp>();
        inner && isLimit(inner.getRhs(), format.largest))
      return inner.getLhs();
  return value;
}

struct ExpandTruncate : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    auto mode = op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
    bool towardZero = mode == arith::RoundingMode::toward_zero;
    if (!towardZero && mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "no expansion for this rounding mode");
    if (!towardZero && !isFormat8(element))
      return rewriter.notifyMatchFailure(op, "the backend rounds it");
    Place place{rewriter, op.getLoc()};
    Value input = isFormat8(element) ? withoutLimits(op.getIn(), Format8(element)) : op.getIn();
    Num x{{&place, input}};
    if (!isFormat8(element)) {
      rewriter.replaceOp(op, truncateTowardZero(x, element).value);
      return success();
    }
    if (x.isDouble())
      x = towardZero ? truncateTowardZero(x, rewriter.getF32Type()) : truncateToOdd(x);
    Int bits = truncateTo8(cast(x, rewriter.getF32Type()), Format8(element), towardZero);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits.value);
    return success();
  }
};

struct ExpandExtend : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    Type to = getElementTypeOrSelf(op.getType());
    if (!isFormat8(from))
      return rewriter.notifyMatchFailure(op, "the backend extends it");
    Place place{rewriter, op.getLoc()};
    Num half = extendFrom8({&place, op.getIn()}, Format8(from));
    if (to.isBF16())
      half = cast(half, rewriter.getF32Type());
    rewriter.replaceOp(op, cast(half, to).value);
    return success();
  }
};

/// A constant as an integer, also where it is out of range: what the instruction makes of it, where
/// LLVM has a value that may be any.
template <typename OpT>
struct FoldToInteger : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Attribute in;
    if (!matchPattern(op.getIn(), m_Constant(&in)))
      return rewriter.notifyMatchFailure(op, "not a constant");
    Type element = getElementTypeOrSelf(op.getType());
    bool isFromFP64 = getElementTypeOrSelf(op.getIn().getType()).isF64();
    auto convert = [&](llvm::APFloat value) {
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      unsigned bits = element.getIntOrFloatBitWidth();
      return llvm::APInt(bits, floatToInt(value.convertToDouble(), bits,
                                          std::is_same_v<OpT, arith::FPToSIOp>, isFromFP64));
    };
    TypedAttr result;
    if (auto number = dyn_cast<FloatAttr>(in))
      result = IntegerAttr::get(element, convert(number.getValue()));
    else if (auto numbers = dyn_cast<DenseFPElementsAttr>(in))
      result =
          numbers.mapValues(element, [&](const llvm::APFloat &value) { return convert(value); });
    if (!result)
      return rewriter.notifyMatchFailure(op, "not a number or several");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, result);
    return success();
  }
};

/// ptxas takes abs.s16 for a number that is not negative: -2^15 becomes 2^15 where it is extended.
struct WidenAbs16 : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::AbsIOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isInteger(16))
      return rewriter.notifyMatchFailure(op, "the instruction does what it should");
    Type wide = withElement(op.getType(), rewriter.getI32Type());
    Value extended = arith::ExtSIOp::create(rewriter, op.getLoc(), wide, op.getOperand());
    Value magnitude = math::AbsIOp::create(rewriter, op.getLoc(), extended);
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), magnitude);
    return success();
  }
};

} // namespace

void populateFloatCastPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTruncate, ExpandExtend, FoldToInteger<arith::FPToSIOp>,
               FoldToInteger<arith::FPToUIOp>, WidenAbs16>(patterns.getContext());
}

} // namespace tilec::tilegpu
