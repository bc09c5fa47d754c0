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

/// log2(10), as a sum.
inline constexpr float kLog2Of10F32[] = {0x1.a934fp+1f, 0x1.2f346ep-24f};

/// ln(10), as a sum.
inline constexpr float kLn10F32[] = {0x1.26bb1cp+1f, -0x1.12aabap-25f};

/// 2 / ln(2), as a sum.
inline constexpr float kTwoOverLn2F32[] = {0x1.715476p+1f, 0x1.4ae0cp-25f};

/// 1 / 3, as a sum.
inline constexpr float kThirdF32[] = {0x1.555556p-2f, -0x1.555556p-27f};

/// sqrt(1 / 2), as a sum.
inline constexpr float kSqrtHalfF32[] = {0x1.6a09e6p-1f, 0x1.9fcef4p-27f};

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

/// log2(10), as a sum.
inline constexpr double kLog2Of10F64[] = {0x1.a934f0979a371p+1, 0x1.7f2495fb7fa6dp-53};

/// ln(10), as a sum.
inline constexpr double kLn10F64[] = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};

/// 2 / ln(2), as a sum.
inline constexpr double kTwoOverLn2F64[] = {0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};

/// 1 / 3, as a sum.
inline constexpr double kThirdF64[] = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

/// sqrt(1 / 2), as a sum.
inline constexpr double kSqrtHalfF64[] = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

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

/// (atan(r) - r) / r^3 in x = r^2; on [1e-08, 1], error 2^-28.5 of the result.
inline constexpr float kAtanF32[] = {-0x1.55553ep-2f, 0x1.9991e4p-3f,  -0x1.242086p-3f,
                                     0x1.c08c48p-4f,  -0x1.5808e4p-4f, 0x1.da2886p-5f,
                                     -0x1.fd79p-6f,   0x1.641cbap-7f,  -0x1.d3461cp-10f};

/// (atan(r) - r) / r^3 in x = r^2; on [1e-09, 1], error 2^-57.6 of the result.
inline constexpr double kAtanF64[] = {
    -0x1.5555555555526p-2, 0x1.99999999955bep-3,  -0x1.249249237f82cp-3,  0x1.c71c717fd927ap-4,
    -0x1.745d11af16e49p-4, 0x1.3b1366a12067ep-4,  -0x1.110e515ccf56fp-4,  0x1.e1bba8cde782ap-5,
    -0x1.ae5e7cea7c951p-5, 0x1.82daf8dd2fbep-5,   -0x1.59a45392259bbp-5,  0x1.2c2f040ba0a5ep-5,
    -0x1.e9fc136129effp-6, 0x1.683f38c4e2704p-6,  -0x1.c7944f701b4dap-7,  0x1.d7bf72eb4cb81p-8,
    -0x1.7a40025989e41p-9, 0x1.b403c22b57728p-11, -0x1.3f3e028a0ebbfp-13, 0x1.bbf9e7a348005p-17};

/// (asin(r) - r) / r^3 in x = r^2; on [1e-08, 0.25], error 2^-27.6 of the result.
inline constexpr float kAsinF32[] = {0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bb8p-5f, 0x1.8c3e52p-6f,
                                     0x1.595c5cp-5f};

/// (asin(r) - r) / r^3 in x = r^2; on [1e-09, 0.25], error 2^-59.9 of the result.
inline constexpr double kAsinF64[] = {
    0x1.5555555555577p-3, 0x1.333333332e131p-4, 0x1.6db6db7212791p-5, 0x1.f1c71a94e9bccp-6,
    0x1.6e8bdee14ced3p-6, 0x1.1c49f04b8eb28p-6, 0x1.ca1f8ed2b4e4dp-7, 0x1.7585807e15b2p-7,
    0x1.613cb393fdf8dp-7, 0x1.e5f3eaadd32b6p-9, 0x1.639cbd341af3fp-6, -0x1.57fda3d08056fp-6,
    0x1.0b46b6da9ac43p-5};

/// (1 + 2 r) e^(r^2) (1 - erf(r)) in x = (r - 3) / (r + 3); on [-1, 0.571429], error 2^-24.4 of the
/// result.
inline constexpr float kErfcxF32[] = {0x1.40c522p+0f,   -0x1.15c086p-3f, -0x1.85a198p-5f,
                                      0x1.09837ap-3f,   -0x1.e88906p-4f, 0x1.17c984p-4f,
                                      -0x1.85c06p-6f,   0x1.4aa93p-9f,   0x1.fe3f92p-10f,
                                      -0x1.7fa514p-11f, -0x1.64211p-13f, 0x1.4e20d8p-15f};

/// (1 + 2 r) e^(r^2) (1 - erf(r)) in x = (r - 1.5) / (r + 1.5); on [-1, 0.202128], error 2^-53.8 of
/// the result.
inline constexpr double kErfcxNearF64[] = {
    0x1.494daffa2ad68p+0,   -0x1.16388de658affp-5, -0x1.e6e2f8531b1aap-3,  0x1.d3607ece7a202p-4,
    0x1.5860d76c1f191p-6,   -0x1.2760717db9518p-6, -0x1.e42e2b104e6b5p-8,  0x1.ddb3e83d2bea8p-10,
    0x1.3559aa5abec4bp-9,   0x1.14afd6e5daf36p-11, -0x1.878171584dce6p-12, -0x1.6461b30d17758p-12,
    -0x1.5b3ef5b02d9ffp-14, 0x1.c8e4627ab09bep-15, 0x1.1487519f03616p-14,  0x1.26fa60d365446p-15,
    0x1.801b1018814fdp-17,  0x1.28296e787c6f6p-19, 0x1.a25b2a0958b28p-23};

/// (1 + 2 r) e^(r^2) (1 - erf(r)) in x = (r - 4) / (r + 4); on [-0.282051, 0.273388], error 2^-54.4
/// of the result.
inline constexpr double kErfcxMiddleF64[] = {
    0x1.3ba5916e9fd7fp+0,  -0x1.1df1ad154a28bp-3,  0x1.f7f5df66fd6d5p-7,   0x1.16ecefcfa48c6p-4,
    -0x1.9ddb23c3e7609p-4, 0x1.7fee004e713d4p-4,   -0x1.0fb06dfedbbc8p-4,  0x1.3079edc887951p-5,
    -0x1.09623827bd7f9p-6, 0x1.49c6a057c1c81p-8,   -0x1.8d4b88b1fb8e3p-11, -0x1.a24133d1e2db4p-13,
    0x1.3c04b612e6058p-13, -0x1.7e7ed434d5a6dp-16, -0x1.80288e8a4236ep-17};

/// r e^(r^2) (1 - erf(r)) in x = r^-2; on [1e-09, 0.0204082], error 2^-56.0 of the result.
inline constexpr double kErfcxFarF64[] = {
    0x1.20dd750429b6dp-1,  -0x1.20dd75042968ap-2, 0x1.b14c2f847557p-2,  -0x1.0ecf9cb01c708p+0,
    0x1.d9eabd8c7f2c5p+1,  -0x1.0a87ca56b3f5bp+4, 0x1.6d408deb1a2fap+6, -0x1.1f0cf78a3e674p+9,
    0x1.bd7ccab5d0495p+11, -0x1.ca530ea7db3a3p+13};

/// The bits of 2 / pi after eight zero bits, most significant word first.
inline constexpr uint32_t kTwoOverPiBits[] = {0x00a2f983u, 0x6e4e4415u, 0x29fc2757u, 0xd1f534ddu,
                                              0xc0db6295u, 0x993c4390u, 0x41fe5163u};

} // namespace tilec::tilegpu::coefficients

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_MATHCOEFFICIENTS_H
