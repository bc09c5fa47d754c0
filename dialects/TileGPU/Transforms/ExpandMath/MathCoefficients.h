// Polynomials and constants of tilegpu-expand-math. Written by utils/fit-math.py; do not edit.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H

#include <cstdint>

namespace tilec::tilegpu::coefficients {

/// log2(e), as a sum.
inline constexpr float kLog2EF32[] = {0x1.715476p+0f,
    0x1.4ae0cp-26f};

/// ln(2), as a sum.
inline constexpr float kLn2F32[] = {0x1.62e43p-1f,
    -0x1.05c61p-29f};

/// log10(2), as a sum.
inline constexpr float kLog10Of2F32[] = {0x1.344136p-2f,
    -0x1.ec10cp-27f};

/// log10(e), as a sum.
inline constexpr float kLog10EF32[] = {0x1.bcb7b2p-2f,
    -0x1.5b235ep-27f};

/// pi / 2, as a sum.
inline constexpr float kHalfPiF32[] = {0x1.921fb6p+0f,
    -0x1.777a5cp-25f,
    -0x1.ee59dap-50f};

/// 2 / pi, as a sum.
inline constexpr float kTwoOverPiF32[] = {0x1.45f306p-1f};

/// log2(e), as a sum.
inline constexpr double kLog2EF64[] = {0x1.71547652b82fep+0,
    0x1.777d0ffda0d24p-56};

/// ln(2), as a sum.
inline constexpr double kLn2F64[] = {0x1.62e42fefa39efp-1,
    0x1.abc9e3b39803fp-56};

/// log10(2), as a sum.
inline constexpr double kLog10Of2F64[] = {0x1.34413509f79ffp-2,
    -0x1.9dc1da994fd21p-59};

/// log10(e), as a sum.
inline constexpr double kLog10EF64[] = {0x1.bcb7b1526e50ep-2,
    0x1.95355baaafad3p-57};

/// pi / 2, as a sum.
inline constexpr double kHalfPiF64[] = {0x1.921fb54442d18p+0,
    0x1.1a62633145c07p-54,
    -0x1.f1976b7ed8fbcp-110};

/// 2 / pi, as a sum.
inline constexpr double kTwoOverPiF64[] = {0x1.45f306dc9c883p-1};

/// (ln(1 + x) - x) / x^2; on [-0.333333, 0.333333], error 2^-27.0 of the result.
inline constexpr float kLogF32[] = {
    -0x1.p-1f,
    0x1.5554fap-2f,
    -0x1.ffff94p-3f,
    0x1.99d58ap-3f,
    -0x1.557e2ep-3f,
    0x1.1e82bp-3f,
    -0x1.f6d1bep-4f,
    0x1.200298p-3f,
    -0x1.fe838cp-4f};

/// (log2(1 + x) - x log2(e)) / x^2; on [-0.333333, 0.333333], error 2^-27.1 of the result.
inline constexpr float kLog2F32[] = {
    -0x1.715476p-1f,
    0x1.ec7014p-2f,
    -0x1.715492p-2f,
    0x1.27a368p-2f,
    -0x1.ec8a4cp-3f,
    0x1.9d2984p-3f,
    -0x1.6c70e6p-3f,
    0x1.a06cbp-3f,
    -0x1.68e934p-3f};

/// (log10(1 + x) - x log10(e)) / x^2; on [-0.333333, 0.333333], error 2^-26.8 of the result.
inline constexpr float kLog10F32[] = {
    -0x1.bcb7b2p-3f,
    0x1.287a2ep-3f,
    -0x1.bcb672p-4f,
    0x1.63f6dp-4f,
    -0x1.28bfc8p-4f,
    0x1.f22c5ap-5f,
    -0x1.b10afp-5f,
    0x1.f21496p-5f,
    -0x1.cc3b46p-5f};

/// (sin(r) - r) / r^3 in x = r^2; on [1e-08, 0.71], error 2^-27.1 of the result.
inline constexpr float kSinF32[] = {
    -0x1.55553cp-3f,
    0x1.1103d2p-7f,
    -0x1.982c76p-13f};

/// (cos(r) - 1 + r^2 / 2) / r^4 in x = r^2; on [1e-06, 0.71], error 2^-31.9 of the result.
inline constexpr float kCosF32[] = {
    0x1.555544p-5f,
    -0x1.6c08b6p-10f,
    0x1.98f9f6p-16f};

