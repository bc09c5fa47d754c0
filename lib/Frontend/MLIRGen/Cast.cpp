// Conversions between element types.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"

using namespace mlir;

namespace tilec::frontend {

/// Rounds towards zero if asked to; to nearest even needs no attribute.
static arith::TruncFOp createTruncate(Generator &g, Type type, mlir::Value value, bool towardZero) {
  auto op = arith::TruncFOp::create(g.builder, g.loc(), type, value);
  if (towardZero)
    op.setRoundingmode(arith::RoundingMode::toward_zero);
  return op;
}

/// fp8e4b15 has fp16's bias and no infinities or NaN: as fp16, its fields stand one place lower.
static Value fromE4B15(Generator &g, const Value &value) {
  SourceRange none;
  Value bits = g.castTo(Value::tensor(value.getSSA(), Scalar::U8), Scalar::U16, none);
  auto apply = [&](ast::BinaryOp op, const Value &x, Int y) {
    return g.binary(op, x, Value::integer(y), none);
  };
  Value sign = apply(ast::BinaryOp::LShift, apply(ast::BinaryOp::BitAnd, bits, 0x80), 8);
  Value rest = apply(ast::BinaryOp::LShift, apply(ast::BinaryOp::BitAnd, bits, 0x7f), 7);
  return g.bitcast(g.binary(ast::BinaryOp::BitOr, sign, rest, none), Scalar::FP16, none);
}

/// From fp16: what is larger than 1.75, NaN too, becomes that; ties round away from zero, as Triton
/// has it.
static Value toE4B15(Generator &g, const Value &half) {
  SourceRange none;
  Value bits = g.bitcast(half, Scalar::U16, none);
  auto apply = [&](ast::BinaryOp op, const Value &x, Int y) {
    return g.binary(op, x, Value::integer(y), none);
  };
  Value magnitude = apply(ast::BinaryOp::BitAnd, bits, 0x7fff);
  Value largest = g.constant(Scalar::U16, Value::integer(0x3f00), half.getType().shape);
  magnitude = Value::tensor(
      arith::MinUIOp::create(g.builder, g.loc(), magnitude.getSSA(), largest.getSSA()),
      Scalar::U16);
  Value rounded = apply(ast::BinaryOp::RShift, apply(ast::BinaryOp::Add, magnitude, 0x40), 7);
  Value sign = apply(ast::BinaryOp::BitAnd, apply(ast::BinaryOp::RShift, bits, 8), 0x80);
  return Value::tensor(
      g.castTo(g.binary(ast::BinaryOp::BitOr, rounded, sign, none), Scalar::U8, none).getSSA(),
      Scalar::FP8E4B15);
}

/// The value limited to the numbers of an fp8 format, NaN kept: what overflows saturates [R12], and
/// a constant does before it is folded.
static mlir::Value saturate(Generator &g, mlir::Value value, DType to) {
  auto element = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  auto limit = [&](bool negative) -> mlir::Value {
    llvm::APFloat number = llvm::APFloat::getLargest(
        cast<FloatType>(to.toMLIR(g.context)).getFloatSemantics(), negative);
    bool losesInfo;
    number.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    TypedAttr attribute = FloatAttr::get(element, number);
    if (auto shaped = dyn_cast<ShapedType>(value.getType()))
      attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
    return arith::ConstantOp::create(g.builder, g.loc(), attribute);
  };
  value = arith::MinimumFOp::create(g.builder, g.loc(), value, limit(false));
  return arith::MaximumFOp::create(g.builder, g.loc(), value, limit(true));
}

static mlir::Value castFloats(Generator &g, const Value &value, DType to, bool towardZero) {
  DType from = value.getDType();
  Type type = g.typeLike(value, to);
  mlir::Value source = value.getSSA();
  if (from == Scalar::FP8E4B15)
    return g.castTo(fromE4B15(g, value), to, {}).getSSA();
  if (to == Scalar::FP8E4B15)
    return toE4B15(g, from == Scalar::FP16
                          ? value
                          : g.castTo(value, Scalar::FP16, {}, from.getBits() > 16 ? "rtz" : ""))
        .getSSA();
  if (from.getBits() > to.getBits()) {
    if (to.isFP8())
      source = saturate(g, source, to);
    return createTruncate(g, type, source, towardZero);
  }
  if (from.getBits() < to.getBits())
    return arith::ExtFOp::create(g.builder, g.loc(), type, source);
  // fp16 and bf16, and the two fp8, go through a type that holds both [R12].
  Type wide = g.typeLike(value, from.isFP8() ? Scalar::FP16 : Scalar::FP32);
  mlir::Value extended = arith::ExtFOp::create(g.builder, g.loc(), wide, source);
  if (to.isFP8())
    extended = saturate(g, extended, to);
  return createTruncate(g, type, extended, towardZero);
}

static mlir::Value castInts(Generator &g, const Value &value, DType to) {
  DType from = value.getDType();
  Type type = g.typeLike(value, to);
  if (from.getBits() == to.getBits())
    return value.getSSA();
  if (from.getBits() > to.getBits())
    return arith::TruncIOp::create(g.builder, g.loc(), type, value.getSSA());
  if (from.isSigned())
    return arith::ExtSIOp::create(g.builder, g.loc(), type, value.getSSA());
  return arith::ExtUIOp::create(g.builder, g.loc(), type, value.getSSA());
}

/// `value != 0` [R13].
static Value isNonZero(Generator &g, const Value &value) {
  DType from = value.getDType();
  Value zero = g.constant(from, Value::integer(0), value.getType().shape);
  mlir::Value result;
  if (from.isFloat())
    result = arith::CmpFOp::create(g.builder, g.loc(), arith::CmpFPredicate::UNE, value.getSSA(),
                                   zero.getSSA());
  else
    result = arith::CmpIOp::create(g.builder, g.loc(), arith::CmpIPredicate::ne, value.getSSA(),
                                   zero.getSSA());
  return Value::tensor(result, Scalar::I1);
}

static mlir::Value castPointers(Generator &g, const Value &value, DType to) {
  DType from = value.getDType();
  Type type = g.typeLike(value, to);
  if (from.isPointer() && to.isPointer()) {
    if (value.getSSA().getType() == type)
      return value.getSSA();
    return tile::PtrCastOp::create(g.builder, g.loc(), type, value.getSSA());
  }
  if (from.isPointer() && to.isInt() && to.getBits() == 64)
    return tile::PtrToIntOp::create(g.builder, g.loc(), type, value.getSSA());
  if (from.isInt() && to.isPointer()) {
    Value address = Value::tensor(castInts(g, value, Scalar::I64), Scalar::I64);
    return tile::IntToPtrOp::create(g.builder, g.loc(), type, address.getSSA());
  }
  return {};
}

Value Generator::castTo(const Value &input, DType to, SourceRange range, llvm::StringRef rounding) {
  Value value = toTensor(input, range);
  if (value.isPoison())
    return value;
  DType from = value.getDType();
  if (!rounding.empty() && rounding != "rtne" && rounding != "rtz")
    return error(range) << "unknown rounding mode '" << rounding
                        << "'; the modes are 'rtne' and 'rtz'";
  if (from == to)
    return value;
  bool narrows = from.isFloat() && to.isFloat() && to.getBits() < from.getBits();
  if (!rounding.empty() && !narrows)
    return error(range) << "rounding mode '" << rounding
                        << "' applies to a cast to a narrower float only, not from " << from
                        << " to " << to;
  if (from.isForeign() || to.isForeign())
    return error(range) << "cannot cast " << value.describe() << " to " << to
                        << "; the fp8 types of NVIDIA's GPUs are fp8e4nv, fp8e5 and fp8e4b15";
  if (to == Scalar::Void)
    return error(range) << "cannot cast " << value.describe() << " to void";
  mlir::Value result;
  if (from.isPointer() || to.isPointer()) {
    if (from.isPointer() && to.isBool())
      return castTo(castTo(value, Scalar::I64, range), to, range);
    result = castPointers(*this, value, to);
  } else if (to.isBool()) {
    return from.isFP8() ? isNonZero(*this, castTo(value, Scalar::FP32, range))
                        : isNonZero(*this, value);
  } else if (from.isFloat() && to.isFloat()) {
    result = castFloats(*this, value, to, rounding == "rtz");
  } else if (from.isInt() && to.isInt()) {
    result = castInts(*this, value, to);
  } else if (from.isFP8() || to.isFP8()) {
    return error(range) << "cannot cast " << value.describe() << " to " << to
                        << " directly; cast to fp32 first";
  } else if (from.isFloat()) {
    // Halves go through fp32, as Triton's do [R12].
    if (from == Scalar::FP16 || from == Scalar::BF16)
      return castTo(castTo(value, Scalar::FP32, range), to, range);
    Type type = typeLike(value, to);
    if (to.isSigned())
      result = arith::FPToSIOp::create(builder, loc(), type, value.getSSA());
    else
      result = arith::FPToUIOp::create(builder, loc(), type, value.getSSA());
  } else if (to == Scalar::BF16) {
    // Through fp32, as Triton has it on every GPU [R12].
    return castTo(castTo(value, Scalar::FP32, range), to, range);
  } else {
    Type type = typeLike(value, to);
    if (from.isSigned())
      result = arith::SIToFPOp::create(builder, loc(), type, value.getSSA());
    else
      result = arith::UIToFPOp::create(builder, loc(), type, value.getSSA());
  }
  if (!result)
    return error(range) << "cannot cast " << value.describe() << " to " << to;
  return Value::tensor(result, to);
}

Value Generator::bitcast(const Value &input, DType to, SourceRange range) {
  Value value = toTensor(input, range);
  if (value.isPoison())
    return value;
  DType from = value.getDType();
  if (from == to)
    return value;
  if (from.isPointer() || to.isPointer())
    return castTo(value, to, range);
  if (from.getBits() != to.getBits())
    return error(range) << "cannot bitcast " << value.describe() << " to " << to << ": they have "
                        << from.getBits() << " and " << to.getBits() << " bits";
  Type type = typeLike(value, to);
  if (type == value.getSSA().getType())
    return Value::tensor(value.getSSA(), to);
  return Value::tensor(arith::BitcastOp::create(builder, loc(), type, value.getSSA()), to);
}

} // namespace tilec::frontend
