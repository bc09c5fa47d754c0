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

static mlir::Value castFloats(Generator &g, const Value &value, DType to, bool towardZero) {
  DType from = value.getDType();
  Type type = g.typeLike(value, to);
  mlir::Value source = value.getSSA();
  if (from.getBits() > to.getBits())
    return createTruncate(g, type, source, towardZero);
  if (from.getBits() < to.getBits())
    return arith::ExtFOp::create(g.builder, g.loc(), type, source);
  // fp16 and bf16, and the two fp8, go through a type that holds both [R12].
  Type wide = g.typeLike(value, from.isFP8() ? Scalar::FP16 : Scalar::FP32);
  mlir::Value extended = arith::ExtFOp::create(g.builder, g.loc(), wide, source);
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
