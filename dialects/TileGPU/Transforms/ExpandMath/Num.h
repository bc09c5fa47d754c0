// Values of one floating-point or integer type, scalar or tensor, to write formulas with.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_NUM_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_NUM_H

#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

namespace tilec::tilegpu {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Where operations go.
struct Place {
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// `type` with the element type `element`; shape and layout stay.
inline mlir::Type withElement(mlir::Type type, mlir::Type element) {
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// What Num, Int and Bool share: a value and the place where what is computed from it goes.
struct Operand {
  Place *place;
  mlir::Value value;

  mlir::Type type() const { return value.getType(); }
  unsigned width() const { return mlir::getElementTypeOrSelf(type()).getIntOrFloatBitWidth(); }
  template <typename Op, typename... Args>
  mlir::Value make(Args &&...args) const {
    return Op::create(place->builder, place->loc, std::forward<Args>(args)...);
  }
  mlir::Value constant(mlir::TypedAttr element) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(withElement(type(), element.getType()));
    if (!shaped)
      return make<mlir::arith::ConstantOp>(element);
    return make<mlir::arith::ConstantOp>(
        mlir::DenseElementsAttr::get(shaped, mlir::Attribute(element)));
  }
};

/// i1.
struct Bool : Operand {
  Bool operator&(Bool o) const { return {{place, make<mlir::arith::AndIOp>(value, o.value)}}; }
  Bool operator|(Bool o) const { return {{place, make<mlir::arith::OrIOp>(value, o.value)}}; }
  Bool operator!() const {
    mlir::TypedAttr one = place->builder.getBoolAttr(true);
    return {{place, make<mlir::arith::XOrIOp>(value, constant(one))}};
  }
};

/// An integer of any width.
struct Int : Operand {
  Int lit(uint64_t v) const {
    mlir::Type element = mlir::getElementTypeOrSelf(type());
    return {
        {place, constant(mlir::IntegerAttr::get(element, llvm::APInt(width(), v, false, true)))}};
  }
  Int operator+(Int o) const { return {{place, make<mlir::arith::AddIOp>(value, o.value)}}; }
  Int operator-(Int o) const { return {{place, make<mlir::arith::SubIOp>(value, o.value)}}; }
  Int operator*(Int o) const { return {{place, make<mlir::arith::MulIOp>(value, o.value)}}; }
  Int operator&(Int o) const { return {{place, make<mlir::arith::AndIOp>(value, o.value)}}; }
  Int operator|(Int o) const { return {{place, make<mlir::arith::OrIOp>(value, o.value)}}; }
  Int operator^(Int o) const { return {{place, make<mlir::arith::XOrIOp>(value, o.value)}}; }
  Int operator+(uint64_t v) const { return *this + lit(v); }
  Int operator-(uint64_t v) const { return *this - lit(v); }
  Int operator&(uint64_t v) const { return *this & lit(v); }
  Int operator|(uint64_t v) const { return *this | lit(v); }
  Int operator<<(unsigned n) const { return *this << lit(n); }
  Int operator<<(Int n) const { return {{place, make<mlir::arith::ShLIOp>(value, n.value)}}; }
  /// Logical.
  Int operator>>(unsigned n) const {
    return {{place, make<mlir::arith::ShRUIOp>(value, lit(n).value)}};
  }
  Int operator>>(Int n) const { return {{place, make<mlir::arith::ShRUIOp>(value, n.value)}}; }
  Int shiftArithmetic(unsigned n) const {
    return {{place, make<mlir::arith::ShRSIOp>(value, lit(n).value)}};
  }
  Int atLeastZero() const { return {{place, make<mlir::arith::MaxSIOp>(value, lit(0).value)}}; }
  Bool compare(mlir::arith::CmpIPredicate predicate, uint64_t v) const {
    return {{place, make<mlir::arith::CmpIOp>(predicate, value, lit(v).value)}};
  }
  Int zext(unsigned bits) const {
    mlir::Type to = withElement(type(), place->builder.getIntegerType(bits));
    return {{place, make<mlir::arith::ExtUIOp>(to, value)}};
  }
  Int trunc(unsigned bits) const {
    mlir::Type to = withElement(type(), place->builder.getIntegerType(bits));
    return {{place, make<mlir::arith::TruncIOp>(to, value)}};
  }
};

/// f32 or f64. No operation carries a fast-math flag: the formulas mean what they say.
struct Num : Operand {
  bool isDouble() const { return width() == 64; }
  Num lit(double v) const {
    mlir::Type element = mlir::getElementTypeOrSelf(type());
    return {{place, constant(mlir::FloatAttr::get(element, v))}};
  }
  Num operator+(Num o) const { return {{place, make<mlir::arith::AddFOp>(value, o.value)}}; }
  Num operator-(Num o) const { return {{place, make<mlir::arith::SubFOp>(value, o.value)}}; }
  Num operator*(Num o) const { return {{place, make<mlir::arith::MulFOp>(value, o.value)}}; }
  Num operator/(Num o) const { return {{place, make<mlir::arith::DivFOp>(value, o.value)}}; }
  Num operator+(double v) const { return *this + lit(v); }
  Num operator-(double v) const { return *this - lit(v); }
  Num operator*(double v) const { return *this * lit(v); }
  Num operator-() const { return {{place, make<mlir::arith::NegFOp>(value)}}; }
  /// False where either side is NaN.
  Bool operator<(double v) const {
    return {
        {place, make<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::OLT, value, lit(v).value)}};
  }
  Bool operator>(double v) const {
    return {
        {place, make<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::OGT, value, lit(v).value)}};
  }
  Bool operator==(double v) const {
    return {
        {place, make<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::OEQ, value, lit(v).value)}};
  }
  Bool operator<(Num o) const { return compare(mlir::arith::CmpFPredicate::OLT, o); }
  Bool operator>(Num o) const { return compare(mlir::arith::CmpFPredicate::OGT, o); }
  Bool operator==(Num o) const { return compare(mlir::arith::CmpFPredicate::OEQ, o); }
  Bool isNaN() const { return compare(mlir::arith::CmpFPredicate::UNO, *this); }
  Bool compare(mlir::arith::CmpFPredicate predicate, Num o) const {
    return {{place, make<mlir::arith::CmpFOp>(predicate, value, o.value)}};
  }
  /// The bits, as an integer of the same width.
  Int bits() const {
    mlir::Type to = withElement(type(), place->builder.getIntegerType(width()));
    return {{place, make<mlir::arith::BitcastOp>(to, value)}};
  }
  /// The number with these bits, in the type of this one.
  Num fromBits(Int bits) const {
    return {{place, make<mlir::arith::BitcastOp>(type(), bits.value)}};
  }
  /// The number nearest to a signed integer, in the type of this one.
  Num fromInt(Int i) const { return {{place, make<mlir::arith::SIToFPOp>(type(), i.value)}}; }
  Num abs() const { return {{place, make<mlir::math::AbsFOp>(value)}}; }
  Num roundEven() const { return {{place, make<mlir::math::RoundEvenOp>(value)}}; }
  Num trunc() const { return {{place, make<mlir::math::TruncOp>(value)}}; }
  Num floor() const { return {{place, make<mlir::math::FloorOp>(value)}}; }
  /// Towards zero, saturated.
  Int toInt() const {
    mlir::Type to = withElement(type(), place->builder.getIntegerType(width()));
    return {{place, make<mlir::arith::FPToSIOp>(to, value)}};
  }
  Num toDouble() const {
    return {{place,
             make<mlir::arith::ExtFOp>(withElement(type(), place->builder.getF64Type()), value)}};
  }
  Num toSingle() const {
    return {{place,
             make<mlir::arith::TruncFOp>(withElement(type(), place->builder.getF32Type()), value)}};
  }
  Num sqrt() const { return {{place, make<mlir::math::SqrtOp>(value)}}; }
  Num copySign(Num from) const {
    return {{place, make<mlir::math::CopySignOp>(value, from.value)}};
  }
  /// The larger; where one side is NaN, the other.
  Num maxNumber(Num o) const { return {{place, make<mlir::arith::MaxNumFOp>(value, o.value)}}; }
  Num approx(ApproxFn fn) const { return {{place, make<ApproxOp>(fn, value)}}; }
};

/// a * b + c, rounded once.
inline Num fma(Num a, Num b, Num c) {
  return {{a.place, a.make<mlir::math::FmaOp>(a.value, b.value, c.value)}};
}
inline Num fma(Num a, double b, Num c) { return fma(a, a.lit(b), c); }
inline Num fma(Num a, double b, double c) { return fma(a, a.lit(b), a.lit(c)); }

inline Num select(Bool condition, Num yes, Num no) {
  return {{yes.place, yes.make<mlir::arith::SelectOp>(condition.value, yes.value, no.value)}};
}
inline Num select(Bool condition, double yes, Num no) { return select(condition, no.lit(yes), no); }
inline Int select(Bool condition, Int yes, Int no) {
  return {{yes.place, yes.make<mlir::arith::SelectOp>(condition.value, yes.value, no.value)}};
}

inline Num select(Bool condition, Num yes, double no) {
  return select(condition, yes, yes.lit(no));
}

/// 2^n for the low bits of `n`, which must lie in the range of normal exponents.
inline Num powerOfTwo(Num like, Int n) {
  return like.isDouble() ? like.fromBits((n + 1023) << 52) : like.fromBits((n + 127) << 23);
}

/// x limited from both sides; NaN stays.
inline Num limit(Num x, double low, double high) {
  x = select(x > high, high, x);
  return select(x < low, low, x);
}

/// Within two ulp for f32, correctly rounded for f64.
inline Num divide(Num a, Num b) {
  if (a.isDouble())
    return a / b;
  return {{a.place, a.make<DivFullOp>(a.value, b.value)}};
}

/// The sum of coefficients[i] x^i.
template <typename T>
Num polynomial(Num x, llvm::ArrayRef<T> coefficients) {
  Num sum = x.lit(coefficients.back());
  for (T c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, x.lit(c));
  return sum;
}
/// The same with the coefficients of x's own format.
inline Num polynomial(Num x, llvm::ArrayRef<float> ofFloat, llvm::ArrayRef<double> ofDouble) {
  return x.isDouble() ? polynomial(x, ofDouble) : polynomial(x, ofFloat);
}

/// The integer nearest to a number, |x| < 2^22 for f32 and 2^51 for f64, as a number and as an
/// integer whose low bits are right. The trick is older than the IEEE standard: adding 1.5 * 2^23
/// leaves no bits for a fraction.
struct Rounded {
  Num number;
  Int integer;
};
inline Rounded roundToInteger(Num x) {
  double magic = x.isDouble() ? 0x1.8p52 : 0x1.8p23;
  Num shifted = x + magic;
  return {shifted - magic, shifted.bits()};
}

} // namespace tilec::tilegpu

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_NUM_H
