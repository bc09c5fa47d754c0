// Exponentials and logarithms.
#include "dialects/TileGPU/Transforms/ExpandMath/ExpLog.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h"

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// f64: e^x from x = n ln(2) + f.
Num expDouble(Num x) {
  x = limit(x, -746, 710);
  Rounded n = roundToInteger(x * kLog2EF64[0]);
  Num f = fma(n.number, -kLn2F64[0], x);
  f = fma(n.number, -kLn2F64[1], f);
  return scaleByPower(smallExpM1(f), n.integer);
}

enum class Base { E, Two, Ten };

/// f32: k and ln(1 + f) = f + f^2 P(f), each times what the base asks for.
Num combineF32(Reduced r, Base base) {
  Num f = r.f, square = r.f * r.f;
  switch (base) {
  case Base::E:
    return fma(r.k, kLn2F32[0], fma(square, polynomial(f, ArrayRef<float>(kLogF32)), f));
  case Base::Two: {
    Num tail = fma(square, polynomial(f, ArrayRef<float>(kLog2F32)), f * kLog2EF32[1]);
    return fma(f, kLog2EF32[0], tail) + r.k;
  }
  case Base::Ten: {
    Num tail = fma(square, polynomial(f, ArrayRef<float>(kLog10F32)), f * kLog10EF32[1]);
    tail = fma(r.k, kLog10Of2F32[1], tail);
    return fma(r.k, kLog10Of2F32[0], fma(f, kLog10EF32[0], tail));
  }
  }
  llvm_unreachable("unknown base");
}

/// f64: with s = f / (2 + f), ln(1 + f) = 2 atanh(s) = 2 s + s^3 P(s^2), where 2 s = f - s f.
/// Written as f - (f^2/2 - s (f^2/2 + s^2 P)) it loses nothing to cancellation.
Num combineF64(Reduced r, Base base) {
  Num f = r.f;
  Num s = f / (f + 2.0);
  Num square = s * s;
  Num half = f * f * 0.5;
  Num series = s * fma(square, polynomial(square, ArrayRef<double>(kLogF64)), half);
  if (base == Base::E)
    return fma(r.k, kLn2F64[0], f - (half - fma(r.k, kLn2F64[1], series)));
  // The product with the constant in two parts, high * c exactly and the rest once.
  Num high = f - half;
  Num low = ((f - high) - half) + series;
  const double *c = base == Base::Two ? kLog2EF64 : kLog10EF64;
  Num tail = fma(high, c[1], low * c[0]);
  if (base == Base::Ten)
    tail = fma(r.k, kLog10Of2F64[1], tail);
  Num product = fma(high, c[0], tail);
  return fma(r.k, base == Base::Two ? 1.0 : kLog10Of2F64[0], product);
}

Num logarithm(Num x, Base base, const Num *low = nullptr) {
  Reduced reduced = reduceLogarithm(x, low);
  if (x.isDouble()) {
    Num result = combineF64(reduced, base);
    result = select(x == kInf, kInf, result);
    result = select(x == 0, -kInf, result);
    Value bad = x.make<arith::CmpFOp>(arith::CmpFPredicate::ULT, x.value, x.lit(0).value);
    return select(Bool{{x.place, bad}}, kNaN, result);
  }
  // What is not a positive finite number gets what the hardware makes of it, which is right there.
  Bool ordinary = (x.bits() - 1).compare(arith::CmpIPredicate::ult, 0x7f7fffff);
  return select(ordinary, combineF32(reduced, base), x.approx(ApproxFn::lg2));
}

/// The logarithm as a multiple of the hardware's lg2, whose error is absolute near 1.
Num fastLogarithm(Num x, double factor) { return x.approx(ApproxFn::lg2) * factor; }

} // namespace

Num smallExpM1(Num f) {
  Num tail = polynomial(f, kExpm1F32, kExpF64);
  return fma(f * f, tail, f);
}

Num scaleByPower(Num m, Int n) {
  unsigned unused = m.isDouble() ? 12 : 10;
  Int half = (n << unused).shiftArithmetic(unused + 1);
  return (m + 1.0) * powerOfTwo(m, half) * powerOfTwo(m, n - half);
}

Reduced reduceLogarithm(Num x, const Num *low) {
  // Denormals are scaled up first. Zeros, negative numbers and NaN give garbage here, which
  // the caller replaces.
  bool isDouble = x.isDouble();
  unsigned fraction = isDouble ? 52 : 23;
  Bool tiny = x < (isDouble ? 0x1p-1022 : 0x1p-126);
  Num scaled = select(tiny, x * (isDouble ? 0x1p54 : 0x1p24), x);
  Num extra = select(tiny, x.lit(isDouble ? -54 : -24), x.lit(0));
  Int bits = scaled.bits();
  Int exponent = bits - (isDouble ? 0x3fe6a09e667f3bcd : 0x3f2aaaab);
  exponent = exponent & (~uint64_t(0) << fraction);
  Num k = fma(x.fromInt(exponent), isDouble ? 0x1p-52 : 0x1p-23, extra);
  Num f = x.fromBits(bits - exponent) - 1.0;
  if (low) {
    // low 2^-k; for the largest k that would be less than the normal numbers, and counts for
    // nothing.
    Int one = exponent.lit(isDouble ? 0x3ff0000000000000 : 0x3f800000);
    f = fma(*low, x.fromBits((one - exponent).atLeastZero()), f);
  }
  return {k, f};
}

/// A base to the power of an fp32, from the two parts of the base's logarithm.
static Num expOfBase(Num x, const float (&log2OfBase)[2], bool fast) {
  Num product = x * log2OfBase[0];
  Num power = product.approx(ApproxFn::ex2);
  if (fast)
    return power;
  // 2^product lacks 2^rest, where rest is what rounding the product lost: |rest| < 2^-16, so that
  // 1 + rest ln(2) will do. Where power is 0 or infinite, rest is anything, NaN included: the
  // maximum with a smaller number than the result, which is 0 or infinite too, drops the NaN of
  // that sum.
  Num rest = fma(x, log2OfBase[0], -product);
  rest = fma(x, log2OfBase[1], rest);
  Num slope = power * kLn2F32[0];
  return fma(slope, rest, power).maxNumber(slope);
}

Num expandExp(Num x, bool fast) {
  return x.isDouble() ? expDouble(x) : expOfBase(x, kLog2EF32, fast);
}

Num expandExp2(Num x, bool) {
  if (!x.isDouble())
    return x.approx(ApproxFn::ex2);
  x = limit(x, -1076, 1025);
  Rounded n = roundToInteger(x);
  Num f = x - n.number;
  return scaleByPower(smallExpM1(fma(f, kLn2F64[0], f * kLn2F64[1])), n.integer);
}

Num expandExpM1(Num x, bool) {
  bool isDouble = x.isDouble();
  Num limited = limit(x, -60, isDouble ? 710 : 89);
  Rounded n = roundToInteger(limited * (isDouble ? kLog2EF64[0] : kLog2EF32[0]));
  Num f = fma(n.number, isDouble ? -kLn2F64[0] : -kLn2F32[0], limited);
  f = fma(n.number, isDouble ? -kLn2F64[1] : -kLn2F32[1], f);
  // 2^n (1 + p) - 1 = 2 (2^(n-1) p + (2^(n-1) - 1/2)): 2^n itself may be too large.
  Num scale = powerOfTwo(x, n.integer - 1);
  Num result = fma(smallExpM1(f), scale, scale - 0.5) * 2.0;
  return select(x == 0, x, result);
}

Num expandLog(Num x, bool fast) {
  if (fast && !x.isDouble())
    return fastLogarithm(x, kLn2F32[0]);
  return logarithm(x, Base::E);
}

Num expandLog2(Num x, bool fast) {
  if (fast && !x.isDouble())
    return x.approx(ApproxFn::lg2);
  return logarithm(x, Base::Two);
}

Num expandLog10(Num x, bool fast) {
  if (fast && !x.isDouble())
    return fastLogarithm(x, kLog10Of2F32[0]);
  return logarithm(x, Base::Ten);
}

Num logarithmOfSum(Num x, Num low) { return logarithm(x, Base::E, &low); }

Num expandLog1p(Num x, bool) {
  // 1 + x and what rounding it lost (Knuth's TwoSum).
  Num sum = x + 1.0;
  Num part = sum - 1.0;
  Num low = (x - part) + (part - sum + 1.0);
  return select(x == 0, x, logarithmOfSum(sum, low));
}

Num expandExp10(Num x, bool fast) {
  if (x.isDouble()) {
    Num limited = limit(x, -330, 310);
    Rounded n = roundToInteger(limited * kLog2Of10F64[0]);
    Num f = fma(n.number, -kLog10Of2F64[0], limited);
    f = fma(n.number, -kLog10Of2F64[1], f);
    return scaleByPower(smallExpM1(fma(f, kLn10F64[0], f * kLn10F64[1])), n.integer);
  }
  return expOfBase(x, kLog2Of10F32, fast);
}

} // namespace tilec::tilegpu
