// How two operands come to one type: the promotion of Triton, with weak literals.
#include "lib/Frontend/MLIRGen/Generator.h"

#include <cmath>

using namespace mlir;

namespace tilec::frontend {

/// The type of a number by itself [R3, R9]; none if no type holds it.
static std::optional<DType> typeOfNumber(const Value &number) {
  if (number.is(Value::Kind::Bool))
    return DType(Scalar::I1);
  if (number.is(Value::Kind::Float)) {
    double magnitude = std::fabs(number.getDouble());
    bool fitsSingle = magnitude == 0 || !std::isfinite(magnitude) ||
                      (magnitude >= 0x1p-126 && magnitude <= 0x1.fffffep127);
    return DType(fitsSingle ? Scalar::FP32 : Scalar::FP64);
  }
  Int value = number.getInt();
  if (value >= -(Int(1) << 31) && value < (Int(1) << 31))
    return DType(Scalar::I32);
  if (value >= 0 && value < (Int(1) << 32))
    return DType(Scalar::U32);
  if (value >= -(Int(1) << 63) && value < (Int(1) << 63))
    return DType(Scalar::I64);
  if (value >= 0 && value < (Int(1) << 64))
    return DType(Scalar::U64);
  return std::nullopt;
}

/// The smallest and the largest integer of a type.
static std::pair<Int, Int> limitsOf(DType type) {
  unsigned bits = type.getBits();
  if (type.isUnsigned())
    return {0, (Int(1) << bits) - 1};
  return {-(Int(1) << (bits - 1)), (Int(1) << (bits - 1)) - 1};
}

Value Generator::toTensor(const Value &value, SourceRange range) {
  if (value.isTensor() || value.isPoison())
    return value;
  if (!value.isNumber())
    return error(range) << "expected a number or a tensor, not " << value.describe();
  std::optional<DType> type = typeOfNumber(value);
  if (!type)
    return error(range) << "integer " << intToString(value.getInt()) << " does not fit in 64 bits";
  return constant(*type, value);
}

bool Generator::fits(const Value &number, DType type, SourceRange range) {
  if (!number.isIntegral() || !type.isInt())
    return true;
  auto [smallest, largest] = limitsOf(type);
  if (number.getInt() >= smallest && number.getInt() <= largest)
    return true;
  error(range) << number.describe() << " does not fit in " << type;
  return false;
}

/// The type of a mixed-sign or same-sign pair of integers, as in C [R1].
static DType promoteIntegers(DType lhs, DType rhs) {
  unsigned lhsBits = lhs.getBits(), rhsBits = rhs.getBits();
  if (lhs.isUnsigned() == rhs.isUnsigned())
    return lhsBits > rhsBits ? lhs : rhs;
  if (lhs.isUnsigned())
    return lhsBits >= rhsBits ? lhs : rhs;
  return rhsBits >= lhsBits ? rhs : lhs;
}

/// Whether one side is a literal whose kind is not above the other's: it takes the other's type
/// [R2].
static bool isAbsorbed(DType lhs, bool lhsWeak, DType rhs, bool rhsWeak) {
  return lhsWeak != rhsWeak &&
         (lhsWeak ? lhs.getKind() <= rhs.getKind() : rhs.getKind() <= lhs.getKind());
}

/// The type that an operation on `lhs` and `rhs` is done in [R1, R2, R6]; none if there is none.
static std::optional<DType> computationType(DType lhs, bool lhsWeak, DType rhs, bool rhsWeak,
                                            bool divOrMod) {
  auto isHalf = [](DType type) { return type == Scalar::FP16 || type == Scalar::BF16; };
  if (isAbsorbed(lhs, lhsWeak, rhs, rhsWeak)) {
    DType strong = lhsWeak ? rhs : lhs;
    return divOrMod && isHalf(strong) ? DType(Scalar::FP32) : strong;
  }
  auto either = [&](Scalar scalar) { return lhs == scalar || rhs == scalar; };
  if (either(Scalar::FP64))
    return DType(Scalar::FP64);
  if (either(Scalar::FP32))
    return DType(Scalar::FP32);
  if (either(Scalar::FP16))
    return DType(divOrMod ? Scalar::FP32 : Scalar::FP16);
  if (lhs == Scalar::BF16 && rhs == Scalar::BF16)
    return DType(divOrMod ? Scalar::FP32 : Scalar::BF16);
  if (either(Scalar::BF16))
    return DType(Scalar::FP32);
  if (lhs.isFP8() && rhs.isFP8())
    return lhs == rhs ? lhs : DType(Scalar::FP16);
  if (!lhs.isInt() || !rhs.isInt())
    return std::nullopt;
  return promoteIntegers(lhs, rhs);
}

bool Generator::promote(Value &lhs, Value &rhs, SourceRange range, llvm::StringRef what,
                        PromoteOptions options) {
  if (lhs.isPoison() || rhs.isPoison())
    return false;
  auto mismatch = [&]() {
    error(range) << "cannot apply " << what << " to " << lhs.describe() << " and "
                 << rhs.describe();
    return false;
  };
  auto isOperand = [](const Value &value) { return value.isTensor() || value.isNumber(); };
  if (!isOperand(lhs) || !isOperand(rhs))
    return mismatch();
  bool lhsWeak = lhs.isNumber(), rhsWeak = rhs.isNumber();
  auto naturalType = [&](const Value &value) {
    return value.isNumber() ? typeOfNumber(value) : std::optional<DType>(value.getDType());
  };
  std::optional<DType> lhsType = naturalType(lhs), rhsType = naturalType(rhs);
  if (!lhsType || !rhsType) {
    error(range) << "integer " << intToString((lhsType ? rhs : lhs).getInt())
                 << " does not fit in 64 bits";
    return false;
  }

  if (lhsType->isPointer() || rhsType->isPointer()) {
    if (!options.allowPointers || lhsType->isFloat() || rhsType->isFloat())
      return mismatch();
    if (lhsType->isPointer() && rhsType->isPointer() && *lhsType != *rhsType)
      return mismatch();
    lhs = toTensor(lhs, range);
    rhs = toTensor(rhs, range);
    return broadcastPair(lhs, rhs, range);
  }

  if (options.divOrMod && !isAbsorbed(*lhsType, lhsWeak, *rhsType, rhsWeak) && lhsType->isInt() &&
      rhsType->isInt() && lhsType->isUnsigned() != rhsType->isUnsigned()) {
    error(range) << "cannot apply " << what << " to " << lhs.describe() << " and " << rhs.describe()
                 << ", one is signed and the other is not; cast one of them";
    return false;
  }
  std::optional<DType> type =
      computationType(*lhsType, lhsWeak, *rhsType, rhsWeak, options.divOrMod);
  if (!type)
    return mismatch();
  if (type->isFP8()) {
    error(range) << "cannot apply " << what << " to " << lhs.describe() << " and " << rhs.describe()
                 << "; cast to fp16 or fp32 first";
    return false;
  }
  // A literal must fit in the type that it takes [R2].
  for (const Value *number : {&lhs, &rhs}) {
    if (!number->isIntegral() || !type->isInt())
      continue;
    auto [smallest, largest] = limitsOf(*type);
    if (number->getInt() < smallest || number->getInt() > largest) {
      const Value &other = number == &lhs ? rhs : lhs;
      error(range) << "constant " << intToString(number->getInt()) << " does not fit in "
                   << type->str() << ", the type of the other operand " << other.describe()
                   << "; cast that one first";
      return false;
    }
  }
  auto convert = [&](Value &value, llvm::ArrayRef<int64_t> shape) {
    value = value.isNumber() ? constant(*type, value, shape) : castTo(value, *type, range);
    return !value.isPoison();
  };
  // A literal takes the other operand's shape too.
  llvm::ArrayRef<int64_t> lhsShape = lhs.getType().shape, rhsShape = rhs.getType().shape;
  return convert(lhs, rhsShape) && convert(rhs, lhsShape) && broadcastPair(lhs, rhs, range);
}

Value Generator::constant(DType type, const Value &number, llvm::ArrayRef<int64_t> shape) {
  if (type == Scalar::FP8E4B15)
    return castTo(constant(Scalar::FP32, number, shape), type, {});
  Type element = type.toMLIR(context);
  TypedAttr attribute;
  if (auto floatType = dyn_cast<FloatType>(element)) {
    llvm::APFloat value(number.getDouble());
    bool losesInfo;
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    bool isNegative = value.isNegative(), isNaN = value.isNaN();
    // Narrow ones are made of the fp32 that the number is by itself [R9, R12].
    if (type.getBits() < 32)
      value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    // As a cast at run time [R12].
    if (type.isFP8() && !isNaN && !value.isFinite())
      value = llvm::APFloat::getLargest(semantics, isNegative);
    attribute = FloatAttr::get(floatType, value);
  } else {
    Int value =
        number.is(Value::Kind::Float) ? static_cast<Int>(number.getDouble()) : number.getInt();
    if (type.isBool())
      value = number.isTruthy();
    attribute = IntegerAttr::get(element, llvm::APInt(type.getBits(), static_cast<uint64_t>(value),
                                                      /*isSigned=*/false,
                                                      /*implicitTrunc=*/true));
  }
  if (!shape.empty())
    attribute = DenseElementsAttr::get(RankedTensorType::get(shape, element),
                                       ArrayRef<Attribute>{attribute});
  return Value::tensor(arith::ConstantOp::create(builder, loc(), attribute), type);
}

} // namespace tilec::frontend
