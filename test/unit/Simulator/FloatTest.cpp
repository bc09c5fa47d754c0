// Functions and types of floats on the simulated GPU, against double precision.
#include "SimTest.h"

#include <cmath>
#include <cstring>

namespace tilec {
namespace {

class FloatTest : public SimTest {};

/// The functions of an f32, in order: eight approximations, then those that x86 calls libm for.
const char *const kFunctions[] = {"tilegpu.approx ex2 %x : f32",
                                  "tilegpu.approx lg2 %x : f32",
                                  "tilegpu.approx rcp %x : f32",
                                  "tilegpu.approx rsqrt %x : f32",
                                  "tilegpu.approx sqrt %x : f32",
                                  "tilegpu.approx tanh %x : f32",
                                  "tilegpu.approx sin %x : f32",
                                  "tilegpu.approx cos %x : f32",
                                  "tilegpu.div_full %x, %third : f32",
                                  "llvm.intr.exp2(%x) : (f32) -> f32",
                                  "llvm.intr.exp(%x) : (f32) -> f32",
                                  "llvm.intr.log(%x) : (f32) -> f32",
                                  "llvm.intr.floor(%x) : (f32) -> f32",
                                  "llvm.intr.roundeven(%x) : (f32) -> f32",
                                  "llvm.intr.fma(%x, %x, %third) : (f32, f32, f32) -> f32",
                                  "llvm.intr.pow(%x, %third) : (f32, f32) -> f32",
                                  "llvm.intr.maximum(%x, %third) : (f32, f32) -> f32",
                                  "llvm.intr.minnum(%x, %third) : (f32, f32) -> f32",
                                  "llvm.intr.tanh(%x) : (f32) -> f32",
                                  "llvm.frem %x, %third : f32"};
double reference(size_t function, double x) {
  double third = static_cast<double>(1.0f / 3);
  switch (function) {
  case 0:
  case 9:
    return std::exp2(x);
  case 1:
    return std::log2(x);
  case 2:
    return 1 / x;
  case 3:
    return 1 / std::sqrt(x);
  case 4:
    return std::sqrt(x);
  case 5:
  case 18:
    return std::tanh(x);
  case 6:
    return std::sin(x);
  case 7:
    return std::cos(x);
  case 8:
    return x / third;
  case 10:
    return std::exp(x);
  case 11:
    return std::log(x);
  case 12:
    return std::floor(x);
  case 13:
    return std::nearbyint(x);
  case 14:
    return x * x + third;
  case 15:
    return std::pow(x, third);
  case 16:
    return std::max(x, third);
  case 17:
    return std::min(x, third);
  default:
    return std::fmod(x, third);
  }
}

TEST_F(FloatTest, FunctionsOfAFloat) {
  std::string text = R"(
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %third = llvm.mlir.constant(0.3333333432674408 : f32) : f32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %px = llvm.getelementptr %in[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %px : !llvm.ptr<1> -> f32
)";
  size_t count = std::size(kFunctions);
  for (size_t i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "%v" + n + " = " + kFunctions[i] + "\n%k" + n + " = llvm.mlir.constant(" +
            std::to_string(i * 32) + " : i32) : i32\n%i" + n + " = llvm.add %k" + n +
            ", %tid : i32\n%p" + n + " = llvm.getelementptr %out[%i" + n +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32\nllvm.store %v" + n + ", %p" + n +
            " : f32, !llvm.ptr<1>\n";
  }
  ASSERT_EQ(build(text + "llvm.return\n}\n"), "");
  std::vector<float> x(32);
  for (int i = 0; i < 32; ++i)
    x[i] = 0.03125f + 0.34375f * static_cast<float>(i);
  x[31] = 1e-40f; // A denormal is kept.
  float *out = allocate<float>(count * 32);
  EXPECT_EQ(launch("k", {1, 1, 1}, upload(x), out), "");
  std::vector<float> result = download(out, count * 32);
  for (size_t f = 0; f < count; ++f)
    for (int i = 0; i < 32; ++i) {
      auto expected = static_cast<float>(reference(f, x[i]));
      // One unit in the last place for libm's float functions, none for the rest.
      float tolerance = f == 10 || f == 11 || f == 15 || f == 18 || f == 9
                            ? std::fabs(std::nextafter(expected, 1e30f) - expected)
                            : 0.0f;
      if (std::isinf(expected))
        EXPECT_EQ(result[f * 32 + i], expected) << kFunctions[f];
      else
        EXPECT_LE(std::fabs(result[f * 32 + i] - expected), tolerance)
            << kFunctions[f] << " of " << x[i];
    }
}

TEST_F(FloatTest, SixteenBitFloats) {
  // f32 to bf16 and f16 and back, in vectors; ties go to even.
  ASSERT_EQ(build(R"(
llvm.func @k(%in: !llvm.ptr<1>, %b: !llvm.ptr<1>, %h: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.shl %tid, %c3 : i32
  %j = llvm.add %i, %c3 : i32
  %p0 = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %p0 {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf32>
  %vb = llvm.fptrunc %v : vector<8xf32> to vector<8xbf16>
  %vh = llvm.fptrunc %v : vector<8xf32> to vector<8xf16>
  %wb = llvm.fadd %vb, %vb : vector<8xbf16>
  %wh = llvm.fmul %vh, %vh : vector<8xf16>
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
  %ph = llvm.getelementptr %h[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
  tilegpu.st %pb, %wb {align = 16 : i32} : !llvm.ptr<1>, vector<8xbf16>
  tilegpu.st %ph, %wh {align = 16 : i32} : !llvm.ptr<1>, vector<8xf16>
  llvm.return
}
)"),
            "");
  std::vector<float> x(256);
  for (int i = 0; i < 256; ++i)
    x[i] = std::ldexp(1.0f + static_cast<float>(i) / 512.0f, i % 9 - 4) * (i % 2 ? 1.0f : -1.0f);
  auto *b = allocate<uint16_t>(256);
  auto *h = allocate<_Float16>(256);
  EXPECT_EQ(launch("k", {1, 1, 1}, upload(x), b, h), "");
  std::vector<uint16_t> bf16 = download(b, 256);
  std::vector<_Float16> f16 = download(h, 256);
  for (int i = 0; i < 256; ++i) {
    int exponent = std::ilogb(x[i]);
    double rounded = std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(x[i]), 7 - exponent)),
                                exponent - 7);
    uint32_t bits = static_cast<uint32_t>(bf16[i]) << 16;
    float value;
    memcpy(&value, &bits, 4);
    EXPECT_EQ(value, rounded * 2) << x[i];
    double half = std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(x[i]), 10 - exponent)),
                             exponent - 10);
    double square = half * half;
    exponent = std::ilogb(square);
    EXPECT_EQ(static_cast<double>(f16[i]),
              std::ldexp(std::nearbyint(std::ldexp(square, 10 - exponent)), exponent - 10))
        << x[i];
  }
}

} // namespace
} // namespace tilec
