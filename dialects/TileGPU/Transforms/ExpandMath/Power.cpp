// Powers, roots, and lengths of vectors.
#include "dialects/TileGPU/Transforms/ExpandMath/ExpLog.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// An unevaluated sum of a number and what it lacks (T. Dekker, 1971).
struct Pair {
  Num high, low;
};

/// Of a sum whose first term is not the smaller one.
Pair sumOf(Num larger, Num smaller) {
  Num sum = larger + smaller;
  return {sum, (larger - sum) + smaller};
}

Pair product(Num a, Num b) {
  Num high = a * b;
  return {high, fma(a, b, -high)};
}

Pair product(Pair a, Pair b) {
  Pair p = product(a.high, b.high);
  return {p.high, fma(a.high, b.low, fma(a.low, b.high, p.low))};
}

Pair constantPair(Num like, const float *single, const double *dbl) {
  return like.isDouble() ? Pair{like.lit(dbl[0]), like.lit(dbl[1])}
                         : Pair{like.lit(single[0]), like.lit(single[1])};
}

/// log2(x) of a positive finite number with a relative error of about 2^-44 for f32 and 2^-100 for
/// f64: with s = f / (2 + f), ln(1 + f) = 2 (s + s^3 / 3 + s^5 / 5 + ...).
Pair preciseLog2(Num x) {
  Reduced r = reduceLogarithm(x);
  Pair divisor = sumOf(x.lit(2.0), r.f);
  Num quotient = divide(r.f, divisor.high);
  Num rest = fma(-quotient, divisor.low, fma(-quotient, divisor.high, r.f));
  Pair s{quotient, divide(rest, divisor.high)};
  Pair square = product(s, s);

  // 1/3 + s^2 (1/5 + s^2 (1/7 + ...)): only the first term needs both parts.
  int terms = x.isDouble() ? 14 : 7;
  Num series = x.lit(1.0 / (2 * terms + 3));
  for (int k = terms - 1; k >= 1; --k)
    series = fma(series, square.high, x.lit(1.0 / (2 * k + 3)));
  Pair third = constantPair(x, kThirdF32, kThirdF64);
  Pair factor = sumOf(third.high, series * square.high);
  factor.low = fma(series, square.low, factor.low + third.low);
  Pair cube = product(product(s, square), factor);
  Pair sum = sumOf(s.high, cube.high);
  sum.low = sum.low + (s.low + cube.low);

  Pair log = product(sum, constantPair(x, kTwoOverLn2F32, kTwoOverLn2F64));
  Pair result = sumOf(r.k, log.high);
  return {result.high, result.low + log.low};
}

/// |x|^y; what is not positive and finite is put right here, signs are not.
Num powerOfMagnitude(Num magnitude, Num y) {
  Pair log = preciseLog2(magnitude);
  Bool isOrdinary = (magnitude.bits() - 1)
                        .compare(arith::CmpIPredicate::ult,
                                 magnitude.isDouble() ? 0x7fefffffffffffff : 0x7f7fffff);
  Num special = select(magnitude == 0, -kInf, magnitude);
  Num high = select(isOrdinary, log.high, special);
  Pair exponent = product(high, y);
  exponent.low = fma(log.low, y, exponent.low);

  double least = magnitude.isDouble() ? -1080 : -152, most = magnitude.isDouble() ? 1026 : 130;
  Bool isInside = (exponent.high > least) & (exponent.high < most) & isOrdinary;
  Num limited = limit(exponent.high, least, most);
  Rounded n = roundToInteger(limited);
  Num f = (limited - n.number) + select(isInside, exponent.low, 0.0);
  Num m = magnitude.isDouble() ? fma(f, kLn2F64[0], f * kLn2F64[1])
                               : fma(f, kLn2F32[0], f * kLn2F32[1]);
  Num result = scaleByPower(smallExpM1(m), n.integer);
  return select((magnitude == 1.0) | (y == 0), 1, result);
}

Num flipSign(Bool condition, Num x) { return select(condition, -x, x); }

/// x^(1/3) of positive finite numbers.
Num cubeRoot(Num m) {
  bool isDouble = m.isDouble();
  Bool isTiny = m < (isDouble ? 0x1p-1022 : 0x1p-126);
  m = select(isTiny, m * (isDouble ? 0x1p54 : 0x1p24), m);
  // A third of the exponent, mantissa and all, is right within 5 %; each of Halley's steps cubes
  // that error.
  Int third = (m.fromInt(m.bits()) * (1.0 / 3)).toInt();
  Num y = m.fromBits(third + (isDouble ? 0x2a9f76253119d328 : 0x2a510680));
  for (int i = 0; i < 2; ++i) {
    Num ratio = divide(divide(m, y * y), y);
    y = fma(y, divide(ratio - 1.0, ratio + 2.0), y);
  }
  // The rest of the root, and of its square, exactly.
  Pair square = product(y, y);
  Num rest = fma(-square.low, y, fma(-square.high, y, m));
  y = y + divide(rest, square.high * 3.0);
  return select(isTiny, y * (isDouble ? 0x1p-18 : 0x1p-8), y);
}

} // namespace

Num expandPow(ArrayRef<Num> operands) {
  Num x = operands[0], y = operands[1];
  Num result = powerOfMagnitude(x.abs(), y);
  Bool isNegative = x.bits().compare(arith::CmpIPredicate::slt, 0);
  Num half = y * 0.5;
  Bool isInteger = y.trunc() == y, isEven = half.trunc() == half;
  result = flipSign(isNegative & isInteger & !isEven, result);
  result = select((x < 0) & (x > -kInf) & !isInteger, kNaN, result);
  // 1 to any power and anything to the power 0 is 1, NaN too; so is -1 to an infinite one.
  Bool isOne = (x == 1.0) | (y == 0) | ((x == -1.0) & (y.abs() == kInf));
  result = select((x.isNaN() | y.isNaN()), kNaN, result);
  return select(isOne, 1, result);
}

Num expandPowi(Num x, Int n) {
  Num result = powerOfMagnitude(x.abs(), x.fromInt(n));
  Bool isNegative = x.bits().compare(arith::CmpIPredicate::slt, 0);
  Bool isOdd = (n & 1).compare(arith::CmpIPredicate::ne, 0);
  result = flipSign(isNegative & isOdd, result);
  result = select(x.isNaN(), kNaN, result);
  return select(n.compare(arith::CmpIPredicate::eq, 0), 1, result);
}

Num expandCbrt(Num x, bool) {
  Num m = x.abs();
  Bool isOrdinary = (m > 0) & (m < kInf);
  return select(isOrdinary, cubeRoot(m).copySign(x), x);
}

Num expandRcbrt(Num x, bool) { return divide(x.lit(1.0), expandCbrt(x, false)); }

/// The root of the sum of squares, scaled so that no square overflows or vanishes.
static Num lengthOf(ArrayRef<Num> operands) {
  Num like = operands[0];
  Num largest = operands[0].abs();
  Bool isInfinite = largest == kInf;
  for (Num x : operands.drop_front()) {
    largest = largest.maxNumber(x.abs());
    isInfinite = isInfinite | (x.abs() == kInf);
  }
  bool isDouble = like.isDouble();
  Num scale = like.lit(1.0), back = like.lit(1.0);
  Bool isLarge = largest > (isDouble ? 0x1p500 : 0x1p60);
  Bool isTiny = largest < (isDouble ? 0x1p-500 : 0x1p-60);
  scale = select(isLarge, isDouble ? 0x1p-600 : 0x1p-80, scale);
  back = select(isLarge, isDouble ? 0x1p600 : 0x1p80, back);
  scale = select(isTiny, isDouble ? 0x1p700 : 0x1p100, scale);
  back = select(isTiny, isDouble ? 0x1p-700 : 0x1p-100, back);
  Num sum = like.lit(0);
  for (Num x : operands) {
    Num scaled = x * scale;
    sum = fma(scaled, scaled, sum);
  }
  return select(isInfinite, kInf, sum.sqrt() * back);
}

Num expandNorm(ArrayRef<Num> operands) { return lengthOf(operands); }

Num expandRnorm(ArrayRef<Num> operands) { return divide(operands[0].lit(1.0), lengthOf(operands)); }

} // namespace tilec::tilegpu
