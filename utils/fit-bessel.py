#!/usr/bin/env python3
"""Fits the polynomials of the Bessel functions and writes BesselCoefficients.h to standard output.

    utils/fit-bessel.py > dialects/TileGPU/Transforms/ExpandMath/BesselCoefficients.h

Zeros, values and fits in decimal arithmetic, with the tools of fit-math.py. The functions are summed from their
power series and, for large arguments, Hankel's expansions (Digital Library of Mathematical Functions, 10.2, 10.8,
10.17, 10.25 and 10.40). Needs nothing but Python 3.
"""
import importlib.machinery
import importlib.util
import os
from decimal import Decimal as D, getcontext, localcontext

loader = importlib.machinery.SourceFileLoader("fit_math", os.path.join(os.path.dirname(__file__), "fit-math.py"))
fit_math = importlib.util.module_from_spec(importlib.util.spec_from_loader("fit_math", loader))
loader.exec_module(fit_math)

EULER = D("0.57721566490153286060651209008240243104215933593992359880576723488486772677766467093694706329174674951463144724980708")
DIGITS = 110
#: From here on Hankel's expansions have 60 digits.
FAR = D(75)


def precise(function):
    def call(*args):
        with localcontext() as context:
            context.prec = DIGITS
            value = function(*args)
        return +value

    return call


with localcontext() as wide:
    wide.prec = DIGITS
    PI = fit_math.pi_long()


def ascending(order, x, factor=lambda k: 1):
    """Sum of (-x^2 / 4)^k factor(k) / (k! (k + order)!), times (x / 2)^order."""
    quarter = -x * x / 4
    term = (x / 2) ** order
    total, k = D(0), 0
    while abs(term) > D(10) ** (-DIGITS - 5) or k < 5:
        total += term * factor(k)
        k += 1
        term *= quarter / (k * (k + order))
    return total


HARMONIC = [D(0)]
with localcontext() as wide:
    wide.prec = DIGITS
    for n in range(1, 700):
        HARMONIC.append(HARMONIC[-1] + D(1) / n)


@precise
def bessel_j(order, x):
    return ascending(order, x)


@precise
def bessel_y(order, x):
    log = 2 / PI * ((x / 2).ln() + EULER) * ascending(order, x)
    if order == 0:
        return log - 2 / PI * ascending(0, x, lambda k: HARMONIC[k])
    return log - 2 / (PI * x) - ascending(1, x, lambda k: HARMONIC[k] + HARMONIC[k + 1]) / PI


@precise
def bessel_i(order, x):
    term, total, k = (x / 2) ** order, D(0), 0
    while term > total * D(10) ** (-DIGITS):
        total += term
        k += 1
        term *= x * x / 4 / (k * (k + order))
    return total


def hankel(order, x):
    """P and Q with J = sqrt(2 / (pi x)) (P cos(c) - Q sin(c)), c = x - pi / 4 - order pi / 2."""
    if x < FAR:
        with localcontext() as context:
            context.prec = DIGITS
            c = x - PI / 4 - order * PI / 2
            j, y = bessel_j(order, x), bessel_y(order, x)
            sin, cos = fit_math.sin(c), fit_math.cos(c)
            root = (PI * x / 2).sqrt()
            return root * (j * cos + y * sin), root * (y * cos - j * sin)
    parts = [D(0), D(0)]
    term, k = D(1), 0
    while abs(term) > D(10) ** -58:
        parts[k % 2] += term if k % 4 < 2 else -term
        k += 1
        term *= D(4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
    return parts


def amplitude(order):
    def value(w):
        p, q = hankel(order, 1 / w.sqrt())
        return (p * p + q * q).sqrt()

    return value


def phase(order):
    """What c lacks, times x: J = sqrt(2 / (pi x)) amplitude cos(c + phase / x)."""

    def value(w):
        x = 1 / w.sqrt()
        p, q = hankel(order, x)
        return fit_math.atan(q / p) * x

    return value


@precise
def zero(function, order, low, high):
    low, high = D(low), D(high)
    sign = function(order, low) > 0
    for _ in range(400):
        middle = (low + high) / 2
        if (function(order, middle) > 0) == sign:
            low = middle
        else:
            high = middle
        if high - low < D(10) ** -80:
            break
    return low


def window(name, what, function, order, root, low, high, degree):
    """f(x) / (x - root) on [low, high], in s = x - root."""
    low, high = D(low), D(high)

    def value(s):
        with localcontext() as context:
            context.prec = DIGITS
            return function(order, root + s) / s

    fit_math.fit(name, f"{what}(z + x) / x, z = {float(root):.6g}", low - root, high - root, value,
                 lambda s: abs(1 / value(s)), degree, False, 150, True)


def even(name, comment, high, value, weight, degree):
    fit_math.fit(name, comment, "1e-9", high, lambda t: value(t.sqrt()), lambda t: weight(t.sqrt()), degree, False, 150)


def first_kind():
    z = [zero(bessel_j, 0, 2, 3), zero(bessel_j, 0, 5, 6), zero(bessel_j, 1, 3, 4), zero(bessel_j, 1, 6, 8)]
    for name, root in zip(("J0First", "J0Second", "J1First", "J1Second"), z):
        fit_math.split(f"kZero{name}", f"A zero of {name[:2]}", root, 2, False)
    even("kJ0Small", "(J0(r) - 1) / r^2 in x = r^2", "2.25", lambda x: (bessel_j(0, x) - 1) / (x * x),
         lambda x: x * x / bessel_j(0, x), 10)
    window("kJ0Middle", "J0", bessel_j, 0, z[0], "1.5", "4", 16)
    window("kJ0Large", "J0", bessel_j, 0, z[1], "4", "7", 16)
    even("kJ1Small", "J1(r) / r in x = r^2", "4", lambda x: bessel_j(1, x) / x, lambda x: x / bessel_j(1, x), 10)
    window("kJ1Middle", "J1", bessel_j, 1, z[2], "2", "5.4", 18)
    window("kJ1Large", "J1", bessel_j, 1, z[3], "5.4", "8.5", 17)


def second_kind():
    """Near zero J times a logarithm comes off, which vanishes with Y at its first zero z; the rest is even, or odd,
    and has a factor x^2 - z^2."""
    z = [zero(bessel_y, 0, "0.5", 2), zero(bessel_y, 0, 3, 5), zero(bessel_y, 0, 6, 8), zero(bessel_y, 1, 2, 3),
         zero(bessel_y, 1, 5, 6)]
    for name, root in zip(("Y0First", "Y0Second", "Y0Third", "Y1First", "Y1Second"), z):
        fit_math.split(f"kZero{name}", f"A zero of {name[:2]}", root, 2, False)
        fit_math.split(f"kLog{name}", "Its logarithm", root.ln(), 1, False) if name.endswith("First") else None
    fit_math.split("kTwoOverPi", "2 / pi", 2 / PI, 1, False)

    def rest(order, root):
        def value(x):
            with localcontext() as context:
                context.prec = DIGITS
                y = bessel_y(order, x) - 2 / PI * (x / root).ln() * bessel_j(order, x)
                return (y * x if order else y) / (x * x - root * root)

        return value

    for order, root, high, degrees in ((0, z[0], "2.4", (11, 11)), (1, z[3], "3.2", (12, 12))):
        t = D(high) ** 2
        f = rest(order, root)
        even(f"kJ{order}OfY", f"J{order}(r){' / r' if order else ''} in x = r^2, to an absolute error", t,
             lambda x: bessel_j(order, x) / x ** order, lambda x: D(1), degrees[0])
        even(f"kY{order}Small", f"(Y{order}(r) - 2 / pi ln(r / z) J{order}(r)){' r' if order else ''} / (r^2 - z^2) in x = r^2",
             t, f, lambda x: abs(1 / f(x)), degrees[1])
    window("kY0Middle", "Y0", bessel_y, 0, z[1], "2.4", "5.5", 21)
    window("kY0Large", "Y0", bessel_y, 0, z[2], "5.5", "8.5", 17)
    window("kY1Large", "Y1", bessel_y, 1, z[4], "3.2", "7", 21)


def large():
    for order in (0, 1):
        fit_math.fit(f"kAmplitude{order}", f"sqrt(pi r / 2) |J{order}(r) + i Y{order}(r)| in x = r^-2", "1e-9", D(1) / 49,
                     amplitude(order), lambda w: D(1), 13, False, 150)
        fit_math.fit(f"kPhase{order}", f"(arg(J{order}(r) + i Y{order}(r)) - r + {2 * order + 1} pi / 4) r in x = r^-2",
                     "1e-9", D(1) / 49, phase(order), lambda w: D(1), 11, False, 150)


def modified():
    even("kI0Small", "(I0(r) - 1) / r^2 in x = r^2", "64", lambda x: (bessel_i(0, x) - 1) / (x * x),
         lambda x: x * x / (bessel_i(0, x) - 1), 14)
    even("kI1Small", "I1(r) / r in x = r^2", "64", lambda x: bessel_i(1, x) / x, lambda x: x / bessel_i(1, x), 15)
    for order in (0, 1):
        def value(v):
            # v = 16 / x - 1.
            if v < D("-0.84"):
                x = 16 / (1 + v)
                total, term, k = D(0), D(1), 0
                while abs(term) > D(10) ** -58:
                    total += term
                    k += 1
                    term *= -D(4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
                return total / (2 * fit_math.PI).sqrt() * D(8).exp()
            x = 16 / (1 + v)
            return bessel_i(order, x) * x.sqrt() * (8 - x).exp()

        fit_math.fit(f"kI{order}Large", f"I{order}(r) sqrt(r) e^(8 - r) in x = 16 / r - 1", "-0.999999", "1", value,
                     lambda v: 1 / value(v), 23, False, 150, True)


def main():
    print("""// Polynomials and zeros of the Bessel functions, in f64. Written by utils/fit-bessel.py; do not edit.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H

#include <cstdint>

namespace tilec::tilegpu::coefficients {
""")
    first_kind()
    second_kind()
    large()
    modified()
    with localcontext() as context:
        context.prec = DIGITS
        bits = int(2 / PI * D(2) ** 202)
    words = [(bits >> (192 - 32 * i)) & 0xFFFFFFFF for i in range(7)]
    print("/// The bits of 2 / pi after 22 zero bits, most significant word first.")
    print("inline constexpr uint32_t kTwoOverPiAfter22[] = {" + ",\n    ".join(f"0x{w:08x}u" for w in words) + "};\n")
    print("""} // namespace tilec::tilegpu::coefficients

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H""")


if __name__ == "__main__":
    main()
