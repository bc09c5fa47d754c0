// Polynomials and constants of tilegpu-expand-math. Written by utils/fit-math.py; do not edit.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H

#include <cstdint>

namespace tilec::tilegpu::coefficients {

/// log2(e), as a sum.
inline constexpr float kLog2EF32[] = {0x1.715476p+0f, 0x1.4ae0cp-26f};

/// ln(2), as a sum.
inline constexpr float kLn2F32[] = {0x1.62e43p-1f, -0x1.05c61p-29f};

/// log10(2), as a sum.
inline constexpr float kLog10Of2F32[] = {0x1.344136p-2f, -0x1.ec10cp-27f};

/// log10(e), as a sum.
inline constexpr float kLog10EF32[] = {0x1.bcb7b2p-2f, -0x1.5b235ep-27f};

/// pi / 2, as a sum.
inline constexpr float kHalfPiF32[] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};

/// 2 / pi, as a sum.
inline constexpr float kTwoOverPiF32[] = {0x1.45f306p-1f};

/// log2(e), as a sum.
inline constexpr double kLog2EF64[] = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/// ln(2), as a sum.
inline constexpr double kLn2F64[] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// log10(2), as a sum.
inline constexpr double kLog10Of2F64[] = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59};

/// log10(e), as a sum.
inline constexpr double kLog10EF64[] = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/// pi / 2, as a sum.
inline constexpr double kHalfPiF64[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                        -0x1.f1976b7ed8fbcp-110};

/// 2 / pi, as a sum.
inline constexpr double kTwoOverPiF64[] = {0x1.45f306dc9c883p-1};

/// (ln(1 + x) - x) / x^2; on [-0.333333, 0.333333], error 2^-27.0 of the result.
inline constexpr float kLogF32[] = {-0x1.p-1f,       0x1.5554fap-2f,  -0x1.ffff94p-3f,
                                    0x1.99d58ap-3f,  -0x1.557e2ep-3f, 0x1.1e82bp-3f,
                                    -0x1.f6d1bep-4f, 0x1.200298p-3f,  -0x1.fe838cp-4f};

/// (log2(1 + x) - x log2(e)) / x^2; on [-0.333333, 0.333333], error 2^-27.1 of the result.
inline constexpr float kLog2F32[] = {-0x1.715476p-1f, 0x1.ec7014p-2f,  -0x1.715492p-2f,
                                     0x1.27a368p-2f,  -0x1.ec8a4cp-3f, 0x1.9d2984p-3f,
                                     -0x1.6c70e6p-3f, 0x1.a06cbp-3f,   -0x1.68e934p-3f};

/// (log10(1 + x) - x log10(e)) / x^2; on [-0.333333, 0.333333], error 2^-26.8 of the result.
inline constexpr float kLog10F32[] = {-0x1.bcb7b2p-3f, 0x1.287a2ep-3f,  -0x1.bcb672p-4f,
                                      0x1.63f6dp-4f,   -0x1.28bfc8p-4f, 0x1.f22c5ap-5f,
                                      -0x1.b10afp-5f,  0x1.f21496p-5f,  -0x1.cc3b46p-5f};

/// (sin(r) - r) / r^3 in x = r^2; on [1e-08, 0.71], error 2^-27.1 of the result.
inline constexpr float kSinF32[] = {-0x1.55553cp-3f, 0x1.1103d2p-7f, -0x1.982c76p-13f};

/// (cos(r) - 1 + r^2 / 2) / r^4 in x = r^2; on [1e-06, 0.71], error 2^-31.9 of the result.
inline constexpr float kCosF32[] = {0x1.555544p-5f, -0x1.6c08b6p-10f, 0x1.98f9f6p-16f};

/// (tanh(r) - r) / r^3 in x = r^2; on [1e-08, 0.37], error 2^-32.9 of the result.
inline constexpr float kTanhF32[] = {-0x1.555554p-2f, 0x1.111084p-3f,  -0x1.b9f4bep-5f,
                                     0x1.63d27ep-6f,  -0x1.0d6684p-7f, 0x1.1e6da8p-9f};

/// (e^x - 1 - x) / x^2; on [-0.35, 0.35], error 2^-28.1 of the result.
inline constexpr float kExpm1F32[] = {0x1.p-1f,       0x1.55552ap-3f, 0x1.5554fep-5f,
                                      0x1.11575ap-7f, 0x1.6d34fp-10f, 0x1.3b6538p-13f};

/// erf(r) / r - 1 in x = r^2; on [1e-08, 0.86], error 2^-30.1 of the result.
inline constexpr float kErfSmallF32[] = {0x1.06eba8p-3f,  -0x1.81274p-2f, 0x1.ce2d64p-4f,
                                         -0x1.b80118p-6f, 0x1.5449e6p-8f, -0x1.a606f8p-11f,
                                         0x1.4f578ap-14f};

/// log2(1 - erf(x)) + x; on [0.92, 3.95], error 2^-33.7 of the result.
inline constexpr float kErfLargeF32[] = {0x1.08433p-12f,  -0x1.4253cep-1f, -0x1.d3d3fp-1f,
                                         -0x1.3fedccp-3f, 0x1.28e04p-5f,   -0x1.8a5e4p-8f,
                                         0x1.489e94p-11f, -0x1.fe91c4p-16f};

/// (e^x - 1 - x) / x^2; on [-0.34658, 0.34658], error 2^-63.1 of the result.
inline constexpr double kExpF64[] = {0x1.p-1,
                                     0x1.555555555555dp-3,
                                     0x1.555555555556cp-5,
                                     0x1.111111110e556p-7,
                                     0x1.6c16c16c0a653p-10,
                                     0x1.a01a01b5ea718p-13,
                                     0x1.a01a01e70d9bdp-16,
                                     0x1.71ddead19a0fcp-19,
                                     0x1.27e44ff9b5515p-22,
                                     0x1.af73f46b6346ep-26,
                                     0x1.204515b589135p-29};

/// (ln((1 + s) / (1 - s)) - 2 s) / s^3 in x = s^2; on [1e-09, 0.0401], error 2^-62.6 of the result.
inline constexpr double kLogF64[] = {
    0x1.555555555554fp-1, 0x1.999999999c188p-2, 0x1.24924921e3201p-2, 0x1.c71c7490e72cbp-3,
    0x1.745c4a92fefecp-3, 0x1.3b35ca4da0f51p-3, 0x1.0dcaf36c19d19p-3, 0x1.1b85e8f5d2f12p-3};

/// (sin(r) - r) / r^3 in x = r^2; on [1e-09, 0.62], error 2^-63.2 of the result.
inline constexpr double kSinF64[] = {
    -0x1.5555555555555p-3,  0x1.1111111111069p-7,  -0x1.a01a019ffe57dp-13, 0x1.71de3a33b5f1ap-19,
    -0x1.ae642c733d429p-26, 0x1.6109da3abaf49p-33, -0x1.a00f29ab8bfafp-41};

/// (cos(r) - 1 + r^2 / 2) / r^4 in x = r^2; on [1e-06, 0.62], error 2^-69.0 of the result.
inline constexpr double kCosF64[] = {
    0x1.5555555555555p-5,  -0x1.6c16c16c16b31p-10, 0x1.a01a019ffcf6fp-16, -0x1.27e4fb5a7c84fp-22,
    0x1.1eed6fff9b552p-29, -0x1.9374fa2011c5ep-37, 0x1.9e02ba562f532p-45};

/// (tanh(r) - r) / r^3 in x = r^2; on [1e-09, 0.37], error 2^-64.6 of the result.
inline constexpr double kTanhF64[] = {
    -0x1.5555555555555p-2,  0x1.111111111109p-3,  -0x1.ba1ba1ba1317ep-5,  0x1.664f488079a24p-6,
    -0x1.226e35027aa0fp-7,  0x1.d6d3be3e109a9p-9, -0x1.7da21d4956758p-10, 0x1.354889d6cb3a3p-11,
    -0x1.f470704dcb986p-13, 0x1.90180337407cp-14, -0x1.2e4c335c33ddcp-15, 0x1.79069a5a4c907p-17,
    -0x1.1180170df6242p-19};

/// erf(r) / r - 1 in x = r^2; on [1e-09, 1], error 2^-56.3 of the result.
inline constexpr double kErfSmallF64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b037a3cp-2,  0x1.ce2f21a0480acp-4,  -0x1.b82ce3149daa1p-6,
    0x1.565bcd7be32e8p-8,  -0x1.c02dcefb597e4p-11, 0x1.f9a7772bb69d3p-14, -0x1.f54a4a7746527p-17,
    0x1.c2fc6b4613c62p-20, -0x1.dba0505ebc24bp-23, 0x1.697e83909d6fdp-24, -0x1.f593b9023dd69p-25,
    0x1.098e9638dc0b5p-25, -0x1.5096530ec35f2p-27, 0x1.7dd1733647ca2p-30};

/// (1 - erf(r)) e^(r^2) in x = (r - 4) / (r + 4); on [-0.6, 0.2001], error 2^-77.9 of the result.
inline constexpr double kErfLargeF64[] = {
    0x1.18932bf08e154p-3,   -0x1.0949227374308p-2,  0x1.bff01a5f913fp-3,    -0x1.506666f688504p-3,
    0x1.be502c3952501p-4,   -0x1.027d5722ec29bp-4,  0x1.0066e320f26d4p-5,   -0x1.a4dea289fdba6p-7,
    0x1.0a19a094aa5acp-8,   -0x1.a2cb13b8b59c8p-11, -0x1.5e58fc6c40c4dp-16, 0x1.527f86b8d24f7p-14,
    -0x1.50192f661f029p-16, 0x1.9ed4784b8f434p-21,  0x1.4562c0b926159p-18,  0x1.5a0259489365cp-22,
    -0x1.472458c75ecdbp-22, -0x1.6c3da96f46a58p-25};

/// The bits of 2 / pi after eight zero bits, most significant word first.
inline constexpr uint32_t kTwoOverPiBits[] = {0x00a2f983u, 0x6e4e4415u, 0x29fc2757u, 0xd1f534ddu,
                                              0xc0db6295u, 0x993c4390u, 0x41fe5163u};

} // namespace tilec::tilegpu::coefficients

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H
