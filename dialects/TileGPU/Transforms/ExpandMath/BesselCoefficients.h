// Polynomials and zeros of the Bessel functions, in f64. Written by utils/fit-bessel.py; do not
// edit.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H

#include <cstdint>

namespace tilec::tilegpu::coefficients {

/// A zero of J0, as a sum.
inline constexpr double kZeroJ0First[] = {0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53};

/// A zero of J0, as a sum.
inline constexpr double kZeroJ0Second[] = {0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54};

/// A zero of J1, as a sum.
inline constexpr double kZeroJ1First[] = {0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53};

/// A zero of J1, as a sum.
inline constexpr double kZeroJ1Second[] = {0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54};

/// (J0(r) - 1) / r^2 in x = r^2; on [1e-09, 2.25], error 2^-74.6 of the result.
inline constexpr double kJ0Small[] = {-0x1.p-2,
                                      0x1.p-6,
                                      -0x1.c71c71c71c71cp-12,
                                      0x1.c71c71c71c646p-18,
                                      -0x1.23456789a18a5p-24,
                                      0x1.02e85c0022b3p-31,
                                      -0x1.522a3baaa7633p-39,
                                      0x1.522546233095fp-47,
                                      -0x1.09619e6343a94p-55,
                                      0x1.3761b97b1ae1dp-65,
                                      0x1.e795643516313p-69};

/// J0(z + x) / x, z = 2.40483; on [-0.904826, 1.59517], error 2^-51.9 of the result.
inline constexpr double kJ0Middle[] = {
    -0x1.09cdb3655128p-1,   0x1.ba1deea029494p-4,  0x1.cfae864368d71p-5,  -0x1.1bb1cbe1a407p-7,
    -0x1.1f992590d1306p-9,  0x1.15382ba06cb4bp-12, 0x1.6ed3b9f085f01p-15, -0x1.232c77d230716p-18,
    -0x1.1cce302d9614ap-21, 0x1.7ff991955879p-25,  0x1.2951c14a4db16p-28, -0x1.5c2c72daea07ap-32,
    -0x1.bdc6bad7c80c1p-36, 0x1.cd7cedba935d3p-40, 0x1.f6ab8158dd266p-44, -0x1.e68827d196dap-48,
    -0x1.11a0e5dea122p-52};

/// J0(z + x) / x, z = 5.52008; on [-1.52008, 1.47992], error 2^-54.0 of the result.
inline constexpr double kJ0Large[] = {
    0x1.5c6e60a097823p-2,  -0x1.f8f72e7a848dfp-6,  -0x1.b2150cb41e8c1p-5,  0x1.2f7ffe902566ap-8,
    0x1.27e31fe9a9782p-9,  -0x1.6f641f41919d8p-13, -0x1.863f481a439aap-15, 0x1.ad77d74604ac3p-19,
    0x1.32e6d99ca5834p-21, -0x1.2da37d455d0d5p-25, -0x1.41d72d9caef1ep-28, 0x1.1d03cf344f306p-32,
    0x1.e2f324164332fp-36, -0x1.84694fcc2d004p-40, -0x1.103bf2b5bc803p-43, 0x1.850e1a33d3888p-48,
    0x1.d538715f90ca3p-52};

/// J1(r) / r in x = r^2; on [1e-09, 4], error 2^-67.9 of the result.
inline constexpr double kJ1Small[] = {0x1.p-1,
                                      -0x1.p-4,
                                      0x1.5555555555555p-9,
                                      -0x1.c71c71c71c6acp-15,
                                      0x1.6c16c16c13297p-21,
                                      -0x1.845c8a0afa064p-28,
                                      0x1.27e4fadee350bp-35,
                                      -0x1.522a0a7c12f01p-43,
                                      0x1.2c8a5dc185addp-51,
                                      -0x1.a83aa35f0bdfdp-60,
                                      0x1.9119085d1171fp-69};

/// J1(z + x) / x, z = 3.83171; on [-1.83171, 1.56829], error 2^-54.9 of the result.
inline constexpr double kJ1Middle[] = {
    -0x1.9c6cf582cbf7fp-2,  0x1.ae8a39f51ad04p-5,  0x1.b589d1da13905p-5,  -0x1.537544c331da6p-8,
    -0x1.24b3409959069p-9,  0x1.6e4c2d53541dbp-13, 0x1.83a06e30c4574p-15, -0x1.9799d4c9eef69p-19,
    -0x1.33825cd304f67p-21, 0x1.1706923285a94p-25, 0x1.4569b23d8f7c6p-28, -0x1.03b9e8b39aecp-32,
    -0x1.ec623cd6591cep-36, 0x1.5ec7e0d332eb8p-40, 0x1.17a6335eba176p-43, -0x1.67a262319db2cp-48,
    -0x1.ef4ef3dfa809dp-52, 0x1.1999fe9381c1bp-56, 0x1.6a95dfa96e71fp-60};

/// J1(z + x) / x, z = 7.01559; on [-1.61559, 1.48441], error 2^-53.0 of the result.
inline constexpr double kJ1Large[] = {
    0x1.33518b3874e8ap-2,  -0x1.5e70dc60362bfp-6,  -0x1.80c83bdeee5bp-5,   0x1.9a4b292e3de37p-9,
    0x1.13fbc7d6981f3p-9,  -0x1.07358bbdbfb25p-13, -0x1.796a751f86a77p-15, 0x1.4255b0157bb3dp-19,
    0x1.3026e0cd5426ap-21, -0x1.d48dcd88b81eep-26, -0x1.44639cba604c6p-28, 0x1.c62cbb0cba377p-33,
    0x1.ecae05112a664p-36, -0x1.3bb28947d6a67p-40, -0x1.1820b7a4ec20ep-43, 0x1.49d2411d177f9p-48,
    0x1.e1c44feedf113p-52, -0x1.dd0c3666a5fdap-57};

/// A zero of Y0, as a sum.
inline constexpr double kZeroY0First[] = {0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};

/// Its logarithm, as a sum.
inline constexpr double kLogY0First[] = {-0x1.cce4b73e6f025p-4};

/// A zero of Y0, as a sum.
inline constexpr double kZeroY0Second[] = {0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};

/// A zero of Y0, as a sum.
inline constexpr double kZeroY0Third[] = {0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54};

/// A zero of Y1, as a sum.
inline constexpr double kZeroY1First[] = {0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};

/// Its logarithm, as a sum.
inline constexpr double kLogY1First[] = {0x1.930641fe98869p-1};

/// A zero of Y1, as a sum.
inline constexpr double kZeroY1Second[] = {0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52};

/// 2 / pi, as a sum.
inline constexpr double kTwoOverPi[] = {0x1.45f306dc9c883p-1};

/// J0(r) in x = r^2, to an absolute error; on [1e-09, 5.76], error 2^-71.0 of the result.
inline constexpr double kJ0OfY[] = {0x1.p+0,
                                    -0x1.p-2,
                                    0x1.p-6,
                                    -0x1.c71c71c71c71cp-12,
                                    0x1.c71c71c71c6cp-18,
                                    -0x1.23456789a9e3ep-24,
                                    0x1.02e85c07e85c9p-31,
                                    -0x1.522a43a996d03p-39,
                                    0x1.522a2edf2e5a1p-47,
                                    -0x1.0b2d84a4f23f7p-55,
                                    0x1.5537a51fcccbp-64,
                                    -0x1.51940ccb40ffep-73};

/// (Y0(r) - 2 / pi ln(r / z) J0(r)) / (r^2 - z^2) in x = r^2; on [1e-09, 5.76], error 2^-55.3 of
/// the result.
inline constexpr double kY0Small[] = {
    0x1.750811790a13cp-3,   -0x1.12583f4a4abap-6,   0x1.268a9aaae8a3p-11,   -0x1.4c030d981745ap-17,
    0x1.cf0412cdd0cf3p-24,  -0x1.b7969a1991e81p-31, 0x1.2e9a200613bcap-38,  -0x1.342db48d11599p-46,
    -0x1.4a0a4412e98d7p-55, 0x1.a8229da3dcc6ep-57,  -0x1.ebb3f577ee048p-61, 0x1.e72b4ee5c5a7bp-66};

/// J1(r) / r in x = r^2, to an absolute error; on [1e-09, 10.24], error 2^-67.3 of the result.
inline constexpr double kJ1OfY[] = {0x1.p-1,
                                    -0x1.p-4,
                                    0x1.5555555555555p-9,
                                    -0x1.c71c71c71c6dap-15,
                                    0x1.6c16c16c157d8p-21,
                                    -0x1.845c8a0c7bfb5p-28,
                                    0x1.27e4fb62fe5e6p-35,
                                    -0x1.522a3ed336b59p-43,
                                    0x1.2c96816a665abp-51,
                                    -0x1.ab53d6fa663eep-60,
                                    0x1.eb42dd202d2a7p-69,
                                    -0x1.680ce34963592p-78,
                                    -0x1.4d7373a4adf25p-86};

/// (Y1(r) - 2 / pi ln(r / z) J1(r)) r / (r^2 - z^2) in x = r^2; on [1e-09, 10.24], error 2^-54.0 of
/// the result.
inline constexpr double kY1Small[] = {
    0x1.0e14beba09e96p-3,   0x1.069922dcaf0a2p-6,  -0x1.7c2ca06d8d0adp-10, 0x1.5ba2f20a0f583p-15,
    -0x1.4f294058550e4p-21, 0x1.965518f51effap-28, -0x1.549c1c58ec79ap-35, 0x1.a37774ba29b1p-43,
    -0x1.849617ca170ddp-51, 0x1.4daa0a384b4c5p-61, 0x1.a7c6b7616559fp-64,  -0x1.0ae47095ec406p-68,
    0x1.186f71e5dcd4bp-74};

/// Y0(z + x) / x, z = 3.95768; on [-1.55768, 1.54232], error 2^-53.6 of the result.
inline constexpr double kY0Middle[] = {
    -0x1.9c34256a12a0cp-2,  0x1.a09c9290367e8p-5,   0x1.df6d59bf50e25p-5,  -0x1.c116fdc59793fp-8,
    -0x1.1e32bc4eef2dbp-9,  0x1.99827650d1516p-13,  0x1.ab2c1fde12679p-15, -0x1.4863718f9a00dp-18,
    -0x1.3b215082be44ap-22, -0x1.77713a6bcc6c5p-26, 0x1.452bd91eb48e7p-26, -0x1.f6885e23a4b67p-29,
    0x1.a6095640b179p-31,   -0x1.9a02d7492bbedp-33, 0x1.83e232e7a3888p-35, -0x1.6dcd1ec5a7d87p-37,
    0x1.88630ce8d908cp-39,  -0x1.8719db3043e1cp-41, 0x1.46492b77bdeeap-44, -0x1.bd64356c54ce4p-47,
    0x1.5d33492101ed7p-46,  -0x1.6ef7e7a82335dp-48};

/// Y0(z + x) / x, z = 7.08605; on [-1.58605, 1.41395], error 2^-52.6 of the result.
inline constexpr double kY0Large[] = {
    0x1.334cca0697a5bp-2,  -0x1.5aef611fc4d57p-6,  -0x1.8969c64cbf452p-5,  0x1.b2f14a95527ddp-9,
    0x1.1d35e85fde2b4p-9,  -0x1.26dd71e392403p-13, -0x1.8177e4fe536dp-15,  0x1.6a9227358b172p-19,
    0x1.34aa7574aa738p-21, -0x1.0a2814fd2e156p-25, -0x1.442a3db3af482p-28, 0x1.fa6c73f89e77cp-33,
    0x1.f14ebe5a8efdp-36,  -0x1.7155e74e3a9fap-40, -0x1.0692d5c3b0599p-43, 0x1.3664ac349727dp-48,
    0x1.3f1e0eb92e905p-51, -0x1.647d5a3bd8b36p-55};

/// Y1(z + x) / x, z = 5.42968; on [-2.22968, 1.57032], error 2^-51.6 of the result.
inline constexpr double kY1Large[] = {
    -0x1.5c7c556f0c19ap-2,  0x1.00b9f8571ca32p-5,   0x1.a15d92dfe3e6bp-5,  -0x1.10a329e2c30c9p-8,
    -0x1.1be6db9926b3bp-9,  0x1.337c7e142fc93p-13,  0x1.85b940eedc24ep-15, -0x1.806191b878286p-19,
    -0x1.255e6f172fcp-21,   0x1.b62d2406f82d5p-26,  0x1.80b333f971131p-28, -0x1.a7ff890638febp-32,
    0x1.356002622a7cbp-39,  -0x1.364e8259fe44bp-38, 0x1.55def7c2d03d3p-40, -0x1.cb071d14a74dcp-43,
    0x1.730ea858b9e44p-46,  -0x1.12fabb94fd23cp-47, 0x1.22af6da62c725p-48, 0x1.7d6439f86ce46p-52,
    -0x1.8fd11c7f18a46p-53, -0x1.6280350cbb03bp-54};

/// sqrt(pi r / 2) |J0(r) + i Y0(r)| in x = r^-2; on [1e-09, 0.0204082], error 2^-57.1 of the
/// result.
inline constexpr double kAmplitude0[] = {0x1.p+0,
                                         -0x1.fffffffffcff2p-5,
                                         0x1.a7ffffe738e36p-4,
                                         -0x1.15efee02a9d7fp-1,
                                         0x1.764a6df716a83p+2,
                                         -0x1.aacdc1f66b8f3p+6,
                                         0x1.6bf7dcc542fd1p+11,
                                         -0x1.97a318a530126p+16,
                                         0x1.fb477b63d2701p+21,
                                         -0x1.27b5e3c979e94p+27,
                                         0x1.18ea38c082d2fp+32,
                                         -0x1.81f7cb4533a44p+36,
                                         0x1.4be7070ed5afcp+40,
                                         -0x1.08d8ec058e58p+43};

/// (arg(J0(r) + i Y0(r)) - r + 1 pi / 4) r in x = r^-2; on [1e-09, 0.0204082], error 2^-49.7 of the
/// result.
inline constexpr double kPhase0[] = {
    -0x1.fffffffffffbp-4,   0x1.0aaaaaa97d76bp-4, -0x1.ad332d4fefd04p-3,  0x1.a3555f45775d6p+0,
    -0x1.7738ff7139188p+4,  0x1.07f884ef077e7p+9, -0x1.f93d37f9db66fp+13, 0x1.0f8a4a2ffc809p+19,
    -0x1.0add1c50d07dcp+24, 0x1.91229d25a561p+28, -0x1.81895e7b0965ep+32, 0x1.59717b0708a78p+35};

/// sqrt(pi r / 2) |J1(r) + i Y1(r)| in x = r^-2; on [1e-09, 0.0204082], error 2^-57.0 of the
/// result.
inline constexpr double kAmplitude1[] = {0x1.p+0,
                                         0x1.7fffffffff281p-3,
                                         -0x1.8bfffff216edap-3,
                                         0x1.9c4febd02d8d3p-1,
                                         -0x1.ef53eef9d2743p+2,
                                         0x1.091b7219ec1d5p+7,
                                         -0x1.b306523a102dbp+11,
                                         0x1.dbb897ddd148ap+16,
                                         -0x1.23e7369a124a2p+22,
                                         0x1.51ac79934d4bp+27,
                                         -0x1.3f5be4fd4ca3ep+32,
                                         0x1.b5a0099fc1ff9p+36,
                                         -0x1.77afbcd98c424p+40,
                                         0x1.2b71077fc7befp+43};

/// (arg(J1(r) + i Y1(r)) - r + 3 pi / 4) r in x = r^-2; on [1e-09, 0.0204082], error 2^-49.5 of the
/// result.
inline constexpr double kPhase1[] = {
    0x1.7ffffffffffe9p-2, -0x1.4fffffff53271p-3,  0x1.7bccc96dc056dp-2,  -0x1.2f46c394bdbf1p+1,
    0x1.e98d3c380c556p+4, -0x1.45374de9bc07cp+9,  0x1.2d00386ad0273p+14, -0x1.3d75038ebedbbp+19,
    0x1.34aa384358dfp+24, -0x1.ccfcf524b5f3bp+28, 0x1.b927b697b0a47p+32, -0x1.8a02a8df53475p+35};

/// (I0(r) - 1) / r^2 in x = r^2; on [1e-09, 64], error 2^-59.3 of the result.
inline constexpr double kI0Small[] = {0x1.p-2,
                                      0x1.fffffffffffffp-7,
                                      0x1.c71c71c71c756p-12,
                                      0x1.c71c71c71be75p-18,
                                      0x1.23456789b606dp-24,
                                      0x1.02e85c07b8701p-31,
                                      0x1.522a440ecb289p-39,
                                      0x1.522a422af2cfbp-47,
                                      0x1.0b3149f7ee2edp-55,
                                      0x1.55ffd7321d983p-64,
                                      0x1.69e0de987124dp-73,
                                      0x1.40c92fa338548p-82,
                                      0x1.f16bc3b75cbb3p-92,
                                      0x1.13b37e63cce0fp-101,
                                      0x1.1906928227c1cp-110};

/// I1(r) / r in x = r^2; on [1e-09, 64], error 2^-62.2 of the result.
inline constexpr double kI1Small[] = {0x1.p-1,
                                      0x1.p-4,
                                      0x1.5555555555555p-9,
                                      0x1.c71c71c71c73ep-15,
                                      0x1.6c16c16c167b9p-21,
                                      0x1.845c8a0cee28ep-28,
                                      0x1.27e4fb76d6fd8p-35,
                                      0x1.522a440822f0ap-43,
                                      0x1.2c9757a5f038cp-51,
                                      0x1.ab8207e84037p-60,
                                      0x1.f17496caac241p-69,
                                      0x1.e27c81587933p-78,
                                      0x1.8af0a8108b9c5p-87,
                                      0x1.1baa46af1384fp-96,
                                      0x1.292699d32c569p-106,
                                      0x1.1561430b46c86p-115};

/// I0(r) sqrt(r) e^(8 - r) in x = 16 / r - 1; on [-0.999999, 1], error 2^-53.2 of the result.
inline constexpr double kI0Large[] = {
    0x1.2bb7c304edda1p+10,  0x1.4090b4ac477dp+3,   0x1.9fccb92a42c49p-2,   0x1.101cebc3542d9p-5,
    0x1.21e2732ffd37bp-8,   0x1.d0bce4c8d6d79p-11, 0x1.1551baf6074f6p-12,  0x1.ebb2d0cb9ee02p-14,
    0x1.0d9f5a086776ep-14,  0x1.79ac026421775p-16, -0x1.56273b62d4be4p-16, -0x1.4efcb486f7c52p-15,
    -0x1.fa3d1b42a1ae3p-17, 0x1.780c83ddc46a9p-16, 0x1.4a3c8cd6026a4p-16,  -0x1.58e968116c25fp-17,
    -0x1.ced1abbd235d8p-17, 0x1.231db4d32e8ccp-18, 0x1.bf27a7a06a171p-18,  -0x1.a4c33603d08c3p-20,
    -0x1.0fd954ca0e347p-19, 0x1.ae2cefe6d391fp-22, 0x1.35229955eb136p-22,  -0x1.b48104350812p-25};

/// I1(r) sqrt(r) e^(8 - r) in x = 16 / r - 1; on [-0.999999, 1], error 2^-54.1 of the result.
inline constexpr double kI1Large[] = {
    0x1.2231f2d630e25p+10,  -0x1.d102602dc2b6fp+4,  -0x1.4e9bd33a650c5p-1,  -0x1.6f3dcf09f46aap-5,
    -0x1.6677da6079634p-8,  -0x1.103e13e0a0387p-10, -0x1.389c6bda90a2fp-12, -0x1.0da001670ec63p-13,
    -0x1.2474bf3763456p-14, -0x1.a56220fd7576ep-16, 0x1.55b0d2c723961p-16,  0x1.5eb8f5464b904p-15,
    0x1.18e56ec42f9e9p-16,  -0x1.7d116985e9954p-16, -0x1.5f7074d8ddb88p-16, 0x1.52c7f94d73b41p-17,
    0x1.e65bbceefb22fp-17,  -0x1.1708d5c017a3p-18,  -0x1.d3396c3a19f66p-18, 0x1.8f156ea5f1244p-20,
    0x1.1b3cf5014da6dp-19,  -0x1.98f793fe46c17p-22, -0x1.41949299e6357p-22, 0x1.a30f714c933a5p-25};

/// The bits of 2 / pi after 22 zero bits, most significant word first.
inline constexpr uint32_t kTwoOverPiAfter22[] = {0x0000028bu, 0xe60db939u, 0x1054a7f0u, 0x9d5f47d4u,
                                                 0xd377036du, 0x8a5664f1u, 0x0e4107f9u};

} // namespace tilec::tilegpu::coefficients

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_BESSELCOEFFICIENTS_H
