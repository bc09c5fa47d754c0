#!/usr/bin/env python3
"""Fits the polynomials of tilegpu-expand-math and writes MathCoefficients.h to standard output.

    utils/fit-math.py > dialects/TileGPU/Transforms/ExpandMath/MathCoefficients.h

Each fit is a weighted minimax one (Remez's exchange on a fine grid), in decimal arithmetic of 60
digits. Coefficients are rounded to the format one after another, lowest order first, and the rest
fitted anew after each, so that rounding costs little. Needs nothing but Python 3.
"""
import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 60
ONE, TWO = D(1), D(2)


# --- Functions in decimal -----------------------------------------------------


def series(first, ratio):
    """Sum of terms t(0) = first, t(n) = t(n-1) * ratio(n)."""
    total, term, n = first, first, 0
    while term and abs(term) > abs(total) * D(10) ** -62:
        n += 1
        term *= ratio(n)
        total += term
    return total


def sin(x):
    return series(x, lambda n: -x * x / (2 * n * (2 * n + 1)))


def cos(x):
    return series(ONE, lambda n: -x * x / (2 * n * (2 * n - 1)))


def tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def atan(x):
    # Twice the half angle until the series is quick.
    if abs(x) > D("0.1"):
        return 2 * atan(x / (1 + (1 + x * x).sqrt()))
    return sum(((-1) ** k) * x ** (2 * k + 1) / (2 * k + 1) for k in range(40))


PI = 4 * atan(ONE)


def erf(x):
    # exp(-x^2) times a series of positive terms: no cancellation.
    return 2 / PI.sqrt() * (-x * x).exp() * series(x, lambda n: 2 * x * x / (2 * n + 1))


def erfc(x):
    getcontext().prec = 90
    value = 1 - erf(x)
    getcontext().prec = 60
    return +value


def erfcx(x):
    """e^(x^2) erfc(x): the continued fraction where it is quick."""
    if x < 3:
        getcontext().prec = 90
        value = (1 - erf(x)) * (x * x).exp()
        getcontext().prec = 60
        return +value
    tail = x
    for k in range(400, 0, -1):
        tail = x + D(k) / 2 / tail
    return 1 / (tail * PI.sqrt())


def asin(x):
    return atan(x / (1 - x * x).sqrt())


LN2 = TWO.ln()


# --- Formats ------------------------------------------------------------------


def to_f32(x):
    """Nearest float: by double first, which is off only in ties that don't matter here."""
    return D(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_f64(x):
    return D(float(x))


def literal(x, f32):
    digits, exponent = float(x).hex().split("p")
    return digits.rstrip("0") + "p" + exponent + ("f" if f32 else "")


# --- Minimax ------------------------------------------------------------------


def solve(matrix, rhs):
    n = len(rhs)
    rows = [list(r) + [b] for r, b in zip(matrix, rhs)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= factor * rows[i][c]
    x = [D(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][c] * x[c] for c in range(i + 1, n))) / rows[i][i]
    return x


def remez(grid, target, weight, powers):
    """Coefficients c of sum c[i] x^powers[i] that minimize max weight * |target - sum|, and that."""
    n = len(powers)
    count = len(grid)
    vals = [target[i] for i in range(count)]
    pw = [[x ** p for p in powers] for x in grid]
    points = [int((1 - float(cos(PI * k / n))) / 2 * (count - 1) + 0.5) for k in range(n + 1)]
    best = None
    for _ in range(25):
        matrix = [pw[i] + [(-1) ** k / weight[i]] for k, i in enumerate(points)]
        c = solve(matrix, [vals[i] for i in points])[:n]
        err = [(sum(a * b for a, b in zip(c, pw[i])) - vals[i]) * weight[i] for i in range(count)]
        worst = max(abs(e) for e in err)
        if best is None or worst < best[1]:
            best = (c, worst)
        # One extremum per run of equal sign; keep the n + 1 neighbours with the largest.
        runs = []
        for i, e in enumerate(err):
            if runs and (e > 0) == (err[runs[-1]] > 0):
                if abs(e) > abs(err[runs[-1]]):
                    runs[-1] = i
            else:
                runs.append(i)
        while len(runs) > n + 1:
            runs.pop(0 if abs(err[runs[0]]) < abs(err[runs[-1]]) else -1)
        if len(runs) < n + 1 or runs == points:
            break
        points = runs
    return best


def fit(name, comment, low, high, target, weight, degree, f32=True, samples=300, together=False):
    """target(x) ~ sum_{k<=degree} c[k] x^k on [low, high]; prints the array, lowest order first.
    Coefficients are rounded `together` where zero lies inside the interval: there, without the
    lowest powers, the exchange does not converge."""
    low, high = D(low), D(high)
    grid = [low + (high - low) * (1 - cos(PI * (D(i) + D("0.5")) / samples)) / 2 for i in range(samples)]
    values = [target(x) for x in grid]
    weights = [weight(x) for x in grid]
    rounder = to_f32 if f32 else to_f64
    fixed = []
    if together:
        fixed = [rounder(c) for c in remez(grid, values, weights, list(range(degree + 1)))[0]]
    for k in range(len(fixed), degree + 1):
        rest = [v - sum(c * x ** i for i, c in enumerate(fixed)) for v, x in zip(values, grid)]
        c, _ = remez(grid, rest, weights, list(range(k, degree + 1)))
        fixed.append(rounder(c[0]))
    worst = max(abs(sum(c * x ** i for i, c in enumerate(fixed)) - v) * w
                for v, w, x in zip(values, weights, grid))
    bits = float(worst.ln() / LN2)
    ctype = "float" if f32 else "double"
    print(f"/// {comment}; on [{float(low):.6g}, {float(high):.6g}], error 2^{bits:.1f} of the result.")
    print(f"inline constexpr {ctype} {name}[] = {{")
    print(",\n".join("    " + literal(c, f32) for c in fixed) + "};\n")


def split(name, comment, value, parts, f32=True):
    """`value` as an unevaluated sum of `parts` numbers of the format."""
    rounder = to_f32 if f32 else to_f64
    out = []
    for _ in range(parts):
        out.append(rounder(value))
        value -= out[-1]
    ctype = "float" if f32 else "double"
    print(f"/// {comment}, as a sum.")
    print(f"inline constexpr {ctype} {name}[] = {{" + ",\n    ".join(literal(c, f32) for c in out) + "};\n")


def main():
    print("""// Polynomials and constants of tilegpu-expand-math. Written by utils/fit-math.py; do not edit.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H

#include <cstdint>

namespace tilec::tilegpu::coefficients {
""")
    for f32, suffix in ((True, "F32"), (False, "F64")):
        split(f"kLog2E{suffix}", "log2(e)", 1 / LN2, 2, f32)
        split(f"kLn2{suffix}", "ln(2)", LN2, 2, f32)
        split(f"kLog10Of2{suffix}", "log10(2)", LN2 / D(10).ln(), 2, f32)
        split(f"kLog10E{suffix}", "log10(e)", 1 / D(10).ln(), 2, f32)
        split(f"kHalfPi{suffix}", "pi / 2", PI / 2, 3, f32)
        split(f"kTwoOverPi{suffix}", "2 / pi", 2 / PI, 1, f32)
        split(f"kLog2Of10{suffix}", "log2(10)", D(10).ln() / LN2, 2, f32)
        split(f"kLn10{suffix}", "ln(10)", D(10).ln(), 2, f32)
        split(f"kTwoOverLn2{suffix}", "2 / ln(2)", 2 / LN2, 2, f32)
        split(f"kThird{suffix}", "1 / 3", ONE / 3, 2, f32)
        split(f"kSqrtHalf{suffix}", "sqrt(1 / 2)", (ONE / 2).sqrt(), 2, f32)

    third = ONE / 3

    def log_tail(x):
        return ((1 + x).ln() - x) / (x * x)

    def log_weight(x):
        return abs(x * x / (1 + x).ln())

    fit("kLogF32", "(ln(1 + x) - x) / x^2", -third, third, log_tail, log_weight, 8)
    fit("kLog2F32", "(log2(1 + x) - x log2(e)) / x^2", -third, third, lambda x: log_tail(x) / LN2,
        lambda x: log_weight(x) * LN2, 8)
    fit("kLog10F32", "(log10(1 + x) - x log10(e)) / x^2", -third, third,
        lambda x: log_tail(x) / D(10).ln(), lambda x: log_weight(x) * D(10).ln(), 8)
    fit("kSinF32", "(sin(r) - r) / r^3 in x = r^2", "1e-8", "0.71",
        lambda x: (sin(x.sqrt()) - x.sqrt()) / (x * x.sqrt()),
        lambda x: x * x.sqrt() / sin(x.sqrt()), 2)
    fit("kCosF32", "(cos(r) - 1 + r^2 / 2) / r^4 in x = r^2", "1e-6", "0.71",
        lambda x: (cos(x.sqrt()) - 1 + x / 2) / (x * x), lambda x: x * x / cos(x.sqrt()), 2)
    fit("kTanhF32", "(tanh(r) - r) / r^3 in x = r^2", "1e-8", "0.37",
        lambda x: (tanh(x.sqrt()) - x.sqrt()) / (x * x.sqrt()),
        lambda x: x * x.sqrt() / tanh(x.sqrt()), 5)
    fit("kExpm1F32", "(e^x - 1 - x) / x^2", "-0.3500001", "0.35",
        lambda x: (x.exp() - 1 - x) / (x * x), lambda x: abs(x * x / (x.exp() - 1)), 5)
    fit("kErfSmallF32", "erf(r) / r - 1 in x = r^2", "1e-8", "0.86",
        lambda x: erf(x.sqrt()) / x.sqrt() - 1, lambda x: x.sqrt() / erf(x.sqrt()), 6)
    fit("kErfLargeF32", "log2(1 - erf(x)) + x", "0.92", "3.95",
        lambda x: erfc(x).ln() / LN2 + x, lambda x: erfc(x) / erf(x), 7)

    fit("kExpF64", "(e^x - 1 - x) / x^2", "-0.34658", "0.34658",
        lambda x: (x.exp() - 1 - x) / (x * x), lambda x: x * x / x.exp(), 10, False, 120)
    fit("kLogF64", "(ln((1 + s) / (1 - s)) - 2 s) / s^3 in x = s^2", "1e-9", "0.0401",
        lambda x: (((1 + x.sqrt()) / (1 - x.sqrt())).ln() - 2 * x.sqrt()) / (x * x.sqrt()),
        lambda x: x / 2, 7, False, 120)
    fit("kSinF64", "(sin(r) - r) / r^3 in x = r^2", "1e-9", "0.62",
        lambda x: (sin(x.sqrt()) - x.sqrt()) / (x * x.sqrt()),
        lambda x: x * x.sqrt() / sin(x.sqrt()), 6, False, 120)
    fit("kCosF64", "(cos(r) - 1 + r^2 / 2) / r^4 in x = r^2", "1e-6", "0.62",
        lambda x: (cos(x.sqrt()) - 1 + x / 2) / (x * x), lambda x: x * x / cos(x.sqrt()), 6, False, 120)
    fit("kTanhF64", "(tanh(r) - r) / r^3 in x = r^2", "1e-9", "0.37",
        lambda x: (tanh(x.sqrt()) - x.sqrt()) / (x * x.sqrt()),
        lambda x: x * x.sqrt() / tanh(x.sqrt()), 12, False, 160)
    fit("kErfSmallF64", "erf(r) / r - 1 in x = r^2", "1e-9", "1",
        lambda x: erf(x.sqrt()) / x.sqrt() - 1, lambda x: x.sqrt() / erf(x.sqrt()), 14, False, 160)

    def scaled(t):
        # x = (4 + 4 t) / (1 - t) maps t = (x - 4) / (x + 4) back.
        x = (4 + 4 * t) / (1 - t)
        return (erfc(x) * (x * x).exp()), x

    fit("kErfLargeF64", "(1 - erf(r)) e^(r^2) in x = (r - 4) / (r + 4)", "-0.6000001", "0.2001",
        lambda t: scaled(t)[0], lambda t: (-scaled(t)[1] ** 2).exp(), 17, False, 160)

    inverse_functions()

    getcontext().prec = 90
    bits = int(2 / pi_long() * TWO ** 216)
    words = [(bits >> (192 - 32 * i)) & 0xFFFFFFFF for i in range(7)]
    print("/// The bits of 2 / pi after eight zero bits, most significant word first.")
    print("inline constexpr uint32_t kTwoOverPiBits[] = {" + ",\n    ".join(f"0x{w:08x}u" for w in words) + "};\n")
    print("""} // namespace tilec::tilegpu::coefficients

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H""")


def inverse_functions():
    def odd_tail(f):
        return (lambda x: (f(x.sqrt()) - x.sqrt()) / (x * x.sqrt()), lambda x: x * x.sqrt() / f(x.sqrt()))

    for name, f, high, f32_degree, f64_degree in (("Atan", atan, "1", 8, 19), ("Asin", asin, "0.25", 4, 12)):
        what = f"({name.lower()}(r) - r) / r^3 in x = r^2"
        fit(f"k{name}F32", what, "1e-8", high, *odd_tail(f), f32_degree)
        fit(f"k{name}F64", what, "1e-9", high, *odd_tail(f), f64_degree, False, 160)

    def tail(center):
        # x = c (1 + t) / (1 - t) maps t = (x - c) / (x + c) back.
        def value(t):
            x = center * (1 + t) / (1 - t)
            return (1 + 2 * x) * erfcx(x)

        return value, lambda t: 1 / value(t)

    def fit_tail(name, center, low, high, degree, f32, samples):
        c, low, high = D(center), D(low), D(high)
        fit(name, f"(1 + 2 r) e^(r^2) (1 - erf(r)) in x = (r - {center}) / (r + {center})",
            (low - c) / (low + c), (high - c) / (high + c), *tail(c), degree, f32, samples, True)

    fit_tail("kErfcxF32", "3", "0", "11", 11, True, 200)
    fit_tail("kErfcxNearF64", "1.5", "0", "2.26", 18, False, 300)
    fit_tail("kErfcxMiddleF64", "4", "2.24", "7.01", 14, False, 300)
    fit("kErfcxFarF64", "r e^(r^2) (1 - erf(r)) in x = r^-2", "1e-9", ONE / 49,
        lambda w: erfcx(1 / w.sqrt()) / w.sqrt(), lambda w: w.sqrt() / erfcx(1 / w.sqrt()), 9, False, 200)


def pi_long():
    """Pi to the precision in force (Machin's formula)."""
    def arctan_inverse(n):
        return sum(D((-1) ** k) / ((2 * k + 1) * D(n) ** (2 * k + 1)) for k in range(80))
    return 16 * arctan_inverse(5) - 4 * arctan_inverse(239)


if __name__ == "__main__":
    main()
