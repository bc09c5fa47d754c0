// Bessel functions of the orders 0 and 1, in f64; f32 is computed in f64 and rounded once.
//
// J and Y up to 7 or 8.5 by intervals: around each zero z a polynomial in x - z times x - z, so
// that the relative error stays small at the zero. Beyond, by amplitude and phase. docs/math.md
// says more.
#include "dialects/TileGPU/Transforms/ExpandMath/BesselCoefficients.h"
#include "dialects/TileGPU/Transforms/ExpandMath/ExpLog.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Expansions.h"
#include "dialects/TileGPU/Transforms/ExpandMath/Trig.h"

#include <cmath>

using namespace mlir;

namespace tilec::tilegpu {

using namespace coefficients;

namespace {

/// pi / 4 in three parts.
constexpr double kQuarterPi[] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55,
                                 -0x1.f1976b7ed8fbcp-111};

Num reciprocal(Num x) { return x.lit(1.0) / x; }

/// x less a number in two parts.
Num lessSum(Num x, const double (&sum)[2]) { return (x - sum[0]) - sum[1]; }

/// A polynomial whose coefficients are those of the first condition that holds, else the last ones.
Num piecewise(Num x, ArrayRef<Bool> conditions, ArrayRef<ArrayRef<double>> pieces) {
  size_t length = 0;
  for (ArrayRef<double> piece : pieces)
    length = std::max(length, piece.size());
  auto coefficient = [&](size_t i) {
    auto of = [&](ArrayRef<double> piece) { return i < piece.size() ? piece[i] : 0.0; };
    Num chosen = x.lit(of(pieces.back()));
    for (size_t k = conditions.size(); k-- > 0;)
      chosen = select(conditions[k], of(pieces[k]), chosen);
    return chosen;
  };
  Num sum = coefficient(length - 1);
  for (size_t i = length - 1; i-- > 0;)
    sum = fma(sum, x, coefficient(i));
  return sum;
}

//===--- Large arguments ---------------------------------------------------===//

/// x - pi / 4 + shift, in quarters of a turn, for |x| < 2^32: Cody and Waite's reduction by odd
/// multiples of pi / 4.
Quadrant reduceNear(Num x, Num shift) {
  Rounded n = roundToInteger(fma(x + shift, kTwoOverPi[0], -0.5));
  Num odd = n.number + n.number + 1.0;
  Num r = x;
  for (double part : kQuarterPi)
    r = fma(odd, -part, r);
  return {r + shift, n.integer};
}

/// The same for 2^32 <= x < 2^128 by Payne and Hanek's reduction (Trig.cpp has it for f32). Beyond,
/// r and the quadrant are any: a Bessel function is too small there for that to matter.
Quadrant reduceFar(Num x, Num shift) {
  Int bits = x.bits();
  Int scale = (bits >> 52) - 1055;
  Int word = (scale >> 5) & 3, step = scale & 31;
  Int mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  Int low = mantissa << step;
  // In words of 32 bits, the lowest first.
  Int m[] = {low & 0xffffffff, low >> 32, (mantissa >> 33) >> (step.lit(31) - step)};
  Bool isSecond = word.compare(arith::CmpIPredicate::eq, 1);
  Bool isThird = word.compare(arith::CmpIPredicate::uge, 2);
  Int t[] = {bits, bits, bits, bits, bits};
  for (unsigned i = 0; i < 5; ++i)
    t[i] = select(
        isThird, bits.lit(kTwoOverPiAfter22[i + 2]),
        select(isSecond, bits.lit(kTwoOverPiAfter22[i + 1]), bits.lit(kTwoOverPiAfter22[i])));

  // In units of 2^-64 turns; whole turns overflow away, as does what is less than a unit.
  Int turns = ((m[0] * t[0] + m[1] * t[1] + m[2] * t[2]) << 32) + m[0] * t[1] + m[1] * t[2] +
              m[2] * t[3] + ((m[0] * t[2]) >> 32) + ((m[1] * t[3]) >> 32) + ((m[2] * t[4]) >> 32);
  turns = turns - 0x2000000000000000;
  Num scaled = x.fromInt(turns << 2) * 0x1p-64;
  Num r = fma(scaled, 2 * kQuarterPi[0], scaled * (2 * kQuarterPi[1]));
  return {r + shift, (turns + 0x2000000000000000) >> 62};
}

/// The amplitude, and x - pi / 4 and the phase in quarters of a turn, for x of at least 7.
struct Wave {
  Num amplitude;
  Quadrant angle;
};

Wave waveOf(Num x, unsigned order) {
  Num inverse = reciprocal(x);
  Num square = inverse * inverse;
  Num amplitude = polynomial(square, order ? ArrayRef<double>(kAmplitude1) : kAmplitude0);
  Num phase = polynomial(square, order ? ArrayRef<double>(kPhase1) : kPhase0) * inverse;
  Quadrant near = reduceNear(x, phase), far = reduceFar(x, phase);
  Bool isFar = x > 0x1p32;
  return {amplitude * (inverse * M_2_PI).sqrt(),
          {select(isFar, far.r, near.r), select(isFar, far.quadrant, near.quadrant)}};
}

Num sineWave(Wave wave) { return wave.amplitude * sineOf(wave.angle); }
Num cosineWave(Wave wave) {
  return wave.amplitude * sineOf({wave.angle.r, wave.angle.quadrant + 1});
}

//===--- Of the first and second kind --------------------------------------===//

Num j0(Num x) {
  x = x.abs();
  Bool isSmall = x < 1.5, isMiddle = x < 4.0;
  Num s = select(isMiddle, lessSum(x, kZeroJ0First), lessSum(x, kZeroJ0Second));
  s = select(isSmall, x * x, s);
  Num near = fma(s, piecewise(s, {isSmall, isMiddle}, {kJ0Small, kJ0Middle, kJ0Large}),
                 select(isSmall, 1.0, x.lit(0)));
  Num result = select(x < 7.0, near, cosineWave(waveOf(x, 0)));
  return select(x == kInf, 0, result);
}

Num j1(Num argument) {
  Num x = argument.abs();
  Bool isSmall = x < 2.0, isMiddle = x < 5.4;
  Num s = select(isMiddle, lessSum(x, kZeroJ1First), lessSum(x, kZeroJ1Second));
  Num factor = select(isSmall, x, s);
  s = select(isSmall, x * x, s);
  Num near = factor * piecewise(s, {isSmall, isMiddle}, {kJ1Small, kJ1Middle, kJ1Large});
  Num result = select(x < 8.5, near, sineWave(waveOf(x, 1)));
  result = select(x == kInf, 0, result);
  // The function is odd, and its sign for a positive argument its own.
  return result * argument.lit(1.0).copySign(argument);
}

/// ln(x / z) for the zero z, relatively precise at z.
Num logOfRatio(Num x, const double (&zero)[2], double logOfZero) {
  Bool isSmall = x < zero[0] / 2;
  Num e = lessSum(x, zero) * (1 / zero[0]);
  Num sum = e + 1.0;
  Num low = select(isSmall, 0, e - (sum - 1.0));
  return logarithmOfSum(select(isSmall, x, sum), low) - select(isSmall, logOfZero, x.lit(0));
}

/// What functions of the second kind are on zero and negative numbers.
Num atAndBelowZero(Num x, Num result) {
  result = select(x == kInf, 0, result);
  result = select(x == 0, -kInf, result);
  return select(x < 0, kNaN, result);
}

/// Up to the first bound J times a logarithm and a polynomial: both vanish at the first zero.
Num y0(Num x) {
  Num square = x * x;
  Num log = logOfRatio(x, kZeroY0First, kLogY0First[0]);
  Num rest = lessSum(x, kZeroY0First) * (x + kZeroY0First[0]);
  Num small = fma(log * kTwoOverPi[0], polynomial(square, ArrayRef<double>(kJ0OfY)),
                  rest * polynomial(square, ArrayRef<double>(kY0Small)));
  Bool isMiddle = x < 5.5;
  Num s = select(isMiddle, lessSum(x, kZeroY0Second), lessSum(x, kZeroY0Third));
  Num near = s * piecewise(s, {isMiddle}, {kY0Middle, kY0Large});
  Num result = select(x < 8.5, select(x < 2.4, small, near), sineWave(waveOf(x, 0)));
  return atAndBelowZero(x, result);
}

Num y1(Num x) {
  Num square = x * x;
  Num log = logOfRatio(x, kZeroY1First, kLogY1First[0]);
  Num rest = lessSum(x, kZeroY1First) * (x + kZeroY1First[0]);
  Num small = fma(log * kTwoOverPi[0], x * polynomial(square, ArrayRef<double>(kJ1OfY)),
                  rest * polynomial(square, ArrayRef<double>(kY1Small)) / x);
  Num s = lessSum(x, kZeroY1Second);
  Num near = s * polynomial(s, ArrayRef<double>(kY1Large));
  Num result = select(x < 7.0, select(x < 3.2, small, near), -cosineWave(waveOf(x, 1)));
  return atAndBelowZero(x, result);
}

//===--- Modified ----------------------------------------------------------===//

/// e^(x - 8) times a polynomial in 16 / x over the square root; x - 8 is exact.
Num modifiedOfLarge(Num x, ArrayRef<double> coefficients) {
  Num scale = polynomial(x.lit(16.0) / x - 1.0, coefficients) / x.sqrt();
  return select(x == kInf, kInf, expandExp(x - 8.0, false) * scale);
}

Num i0(Num x) {
  x = x.abs();
  Num square = x * x;
  Num small = fma(square, polynomial(square, ArrayRef<double>(kI0Small)), x.lit(1.0));
  return select(x < 8.0, small, modifiedOfLarge(x, kI0Large));
}

Num i1(Num argument) {
  Num x = argument.abs();
  Num small = x * polynomial(x * x, ArrayRef<double>(kI1Small));
  return select(x < 8.0, small, modifiedOfLarge(x, kI1Large)).copySign(argument);
}

Num inDouble(Num x, Num (*function)(Num)) {
  return x.isDouble() ? function(x) : function(x.toDouble()).toSingle();
}

} // namespace

Num expandJ0(Num x, bool) { return inDouble(x, j0); }
Num expandJ1(Num x, bool) { return inDouble(x, j1); }
Num expandY0(Num x, bool) { return inDouble(x, y0); }
Num expandY1(Num x, bool) { return inDouble(x, y1); }
Num expandI0(Num x, bool) { return inDouble(x, i0); }
Num expandI1(Num x, bool) { return inDouble(x, i1); }

} // namespace tilec::tilegpu
