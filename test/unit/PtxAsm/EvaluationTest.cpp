// What instructions of inline PTX compute: expected values are the PTX manual's.
#include "lib/PtxAsm/PtxAsm.h"

#include "lib/Support/FloatFormats.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec;
using namespace tilec::ptx;

namespace {

/// The outputs of a block of assembly.
std::vector<uint64_t> run(llvm::StringRef text, llvm::StringRef constraints,
                          std::vector<uint64_t> inputs) {
  auto program = AsmProgram::get(text, constraints);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {0, 0, 0, 0};
  }
  EXPECT_EQ((*program)->getNumInputs(), inputs.size());
  std::vector<uint64_t> outputs((*program)->getNumOutputs());
  (*program)->run(inputs, outputs);
  return outputs;
}

uint32_t run32(llvm::StringRef text, std::vector<uint64_t> inputs) {
  std::string constraints = "=r";
  for (size_t i = 0; i < inputs.size(); ++i)
    constraints += ",r";
  return static_cast<uint32_t>(run(text, constraints, inputs)[0]);
}

uint32_t f(float value) { return bitCast<uint32_t>(value); }
float asFloat(uint64_t bits) { return bitCast<float>(static_cast<uint32_t>(bits)); }

TEST(Evaluation, Integers) {
  EXPECT_EQ(run32("add.s32 $0, $1, $2;", {5, 0xfffffffd}), 2u);
  EXPECT_EQ(run32("sub.u32 $0, $1, 7;", {5}), 0xfffffffeu);
  EXPECT_EQ(run32("mul.lo.u32 $0, $1, $2;", {0x10001, 0x10001}), 0x20001u);
  EXPECT_EQ(run32("mul.hi.u32 $0, $1, $2;", {0x80000000, 6}), 3u);
  EXPECT_EQ(run32("mul.hi.s32 $0, $1, $2;", {0xffffffff, 6}), 0xffffffffu);
  EXPECT_EQ(run("mul.wide.s32 $0, $1, $2;", "=l,r,r", {0xffffffff, 6})[0], uint64_t(-6));
  EXPECT_EQ(run("mad.wide.u32 $0, $1, $2, $3;", "=l,r,r,l", {0xffffffff, 2, 5})[0], 0x200000003u);
  EXPECT_EQ(run32("mad.lo.s32 $0, $1, $2, $3;", {3, 4, 5}), 17u);
  EXPECT_EQ(run32("div.s32 $0, $1, $2;", {uint32_t(-7), 2}), uint32_t(-3));
  EXPECT_EQ(run32("rem.s32 $0, $1, $2;", {uint32_t(-7), 2}), uint32_t(-1));
  EXPECT_EQ(run32("div.u32 $0, $1, $2;", {7, 0}), 0xffffffffu);
  EXPECT_EQ(run32("min.s32 $0, $1, $2;", {uint32_t(-7), 2}), uint32_t(-7));
  EXPECT_EQ(run32("min.u32 $0, $1, $2;", {uint32_t(-7), 2}), 2u);
  EXPECT_EQ(run32("abs.s32 $0, $1;", {uint32_t(-7)}), 7u);
  EXPECT_EQ(run32("add.sat.s32 $0, $1, $2;", {0x7fffffff, 2}), 0x7fffffffu);
}

TEST(Evaluation, Bits) {
  EXPECT_EQ(run32("lop3.b32 $0, $1, $2, $3, 0xea;", {0xf0f0, 0xff00, 0x000f}), 0xf00fu);
  EXPECT_EQ(run32("prmt.b32 $0, $1, $2, 0x5410;", {0x33221100, 0x77665544}), 0x55441100u);
  EXPECT_EQ(run32("prmt.b32 $0, $1, $2, 0x000f;", {0x33221100, 0x87665544}), 0x000000ffu);
  EXPECT_EQ(run32("shl.b32 $0, $1, 32;", {1}), 0u);
  EXPECT_EQ(run32("shr.u32 $0, $1, 4;", {0x80000000}), 0x08000000u);
  EXPECT_EQ(run32("shr.s32 $0, $1, 40;", {0x80000000}), 0xffffffffu);
  EXPECT_EQ(run32("shf.l.wrap.b32 $0, $1, $2, 8;", {0xaabbccdd, 0x11223344}), 0x223344aau);
  EXPECT_EQ(run32("shf.r.clamp.b32 $0, $1, $2, 40;", {0xaabbccdd, 0x11223344}), 0x11223344u);
  EXPECT_EQ(run32("bfe.u32 $0, $1, 4, 8;", {0xabcd}), 0xbcu);
  EXPECT_EQ(run32("bfe.s32 $0, $1, 4, 8;", {0xabcd}), 0xffffffbcu);
  EXPECT_EQ(run32("bfi.b32 $0, $1, $2, 8, 4;", {0x5, 0xffff}), 0xf5ffu);
  EXPECT_EQ(run32("popc.b32 $0, $1;", {0xf0f}), 8u);
  EXPECT_EQ(run32("clz.b32 $0, $1;", {0x00010000}), 15u);
  EXPECT_EQ(run32("brev.b32 $0, $1;", {1}), 0x80000000u);
  EXPECT_EQ(run32("not.b32 $0, $1;", {0xff}), 0xffffff00u);
}

TEST(Evaluation, PredicatesScopesAndRegisters) {
  const char *text = R"({
    .reg .pred p, q;
    .reg .b32 t<2>;
    setp.lt.u32 p|q, $1, $2; // smaller, and not
    mov.b32 t0, 10;
    { .reg .b32 t0; mov.b32 t0, 99; mov.b32 t1, t0; }
    @p add.u32 t0, t0, 1;
    @!p add.u32 t0, t0, 2;
    selp.b32 t0, t0, 0, q;
    add.u32 $0, t0, t1
  })";
  EXPECT_EQ(run32(text, {3, 2}), 111u);
  EXPECT_EQ(run32(text, {2, 3}), 99u);
  EXPECT_EQ(run32("{ .reg .pred p; setp.ge.and.s32 p, $1, 0, 1; selp.u32 $0, 1, 0, p; }", {5}), 1u);
  EXPECT_EQ(run32("{ .reg .pred p; setp.neu.f32 p, $1, $1; selp.u32 $0, 1, 0, p; }", {0x7fc00000}),
            1u);
}

TEST(Evaluation, MovesPackAndUnpack) {
  EXPECT_EQ(run32("{ .reg .b8 b<4>; mov.b32 {b0, b1, b2, b3}, $1; mov.b32 $0, {b3, b2, b1, b0}; }",
                  {0x11223344}),
            0x44332211u);
  EXPECT_EQ(run("mov.b64 $0, {$1, $2};", "=l,r,r", {1, 2})[0], 0x200000001u);
  EXPECT_EQ(run("mov.b64 {_, $0}, $1;", "=r,l", {0x200000001})[0], 2u);
  // An input that shares the output's register.
  EXPECT_EQ(run("add.u32 $0, $0, 1;", "=r,0", {41})[0], 42u);
}

TEST(Evaluation, FloatsRoundAsTheySay) {
  float tiny = std::ldexp(1.0f, -60);
  EXPECT_EQ(run32("add.f32 $0, $1, $2;", {f(1), f(tiny)}), f(1));
  EXPECT_EQ(run32("add.rp.f32 $0, $1, $2;", {f(1), f(tiny)}), f(std::nextafter(1.0f, 2.0f)));
  EXPECT_EQ(run32("add.rm.f32 $0, $1, $2;", {f(-1), f(-tiny)}), f(std::nextafter(-1.0f, -2.0f)));
  EXPECT_EQ(run32("mul.rz.f32 $0, $1, $2;", {f(1.1f), f(1.1f)}), f(1.21f));
  EXPECT_EQ(run32("mul.rp.f32 $0, $1, $2;", {f(1.1f), f(1.1f)}), f(1.21f) + 1);
  EXPECT_EQ(run32("fma.rn.f32 $0, $1, $2, $3;", {f(1.1f), f(1.1f), f(-1.21f)}),
            f(std::fma(1.1f, 1.1f, -1.21f)));
  EXPECT_EQ(run32("mul.ftz.f32 $0, $1, $2;", {f(1e-30f), f(-1e-10f)}), 0x80000000u);
  EXPECT_EQ(run32("add.sat.f32 $0, $1, 0f3F800000;", {f(7)}), f(1));
  EXPECT_EQ(run32("div.full.f32 $0, $1, $2;", {f(1), f(4)}), f(0.25f));
  EXPECT_EQ(run32("neg.f32 $0, $1;", {0x7fc00000}), 0xffc00000u);
  EXPECT_EQ(run32("copysign.f32 $0, $1, $2;", {f(-0.0f), f(3)}), f(-3));
  EXPECT_FLOAT_EQ(asFloat(run32("ex2.approx.ftz.f32 $0, $1;", {f(0.5f)})), std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(asFloat(run32("tanh.approx.f32 $0, $1;", {f(0.5f)})), std::tanh(0.5f));
  EXPECT_FLOAT_EQ(asFloat(run32("rsqrt.approx.f32 $0, $1;", {f(4)})), 0.5f);
}

TEST(Evaluation, ExtremaIgnoreOrKeepNaN) {
  uint32_t nan = 0x7fffffff;
  EXPECT_EQ(run32("max.f32 $0, $1, $2;", {nan, f(2)}), f(2));
  EXPECT_EQ(run32("max.NaN.f32 $0, $1, $2;", {nan, f(2)}), nan);
  EXPECT_EQ(run32("min.f32 $0, $1, $2;", {f(0.0f), f(-0.0f)}), f(-0.0f));
  EXPECT_EQ(run32("max.xorsign.abs.f32 $0, $1, $2;", {f(-2), f(3)}), f(-3));
  EXPECT_EQ(run32("max.xorsign.abs.f32 $0, $1, $2;", {f(-4), f(-3)}), f(4));
}

TEST(Evaluation, PackedArithmetic) {
  // {1.5, -2} in fp16 and bf16, low first.
  EXPECT_EQ(run32("add.f16x2 $0, $1, $2;", {0xc0003e00, 0x40003c00}), 0x00004100u);
  EXPECT_EQ(run32("fma.rn.bf16x2 $0, $1, $1, $1;", {0xc0003fc0}), 0x40004070u);
  EXPECT_EQ(run32("max.f16x2 $0, $1, $2;", {0xc0003e00, 0x3c003c00}), 0x3c003e00u);
  EXPECT_EQ(run("mul.f32x2 $0, $1, $2;", "=l,l,l",
                {uint64_t(f(3)) << 32 | f(2), uint64_t(f(5)) << 32 | f(4)})[0],
            uint64_t(f(15)) << 32 | f(8));
}

TEST(Evaluation, ConversionsOfNumbers) {
  EXPECT_EQ(run32("cvt.rzi.s32.f32 $0, $1;", {f(-2.7f)}), uint32_t(-2));
  EXPECT_EQ(run32("cvt.rni.s32.f32 $0, $1;", {f(2.5f)}), 2u);
  EXPECT_EQ(run32("cvt.rpi.u32.f32 $0, $1;", {f(-2.5f)}), 0u);
  EXPECT_EQ(run32("cvt.rzi.s32.f32 $0, $1;", {f(3e9f)}), 0x7fffffffu);
  EXPECT_EQ(run32("cvt.rzi.u32.f32 $0, $1;", {0x7fc00000}), 0u);
  EXPECT_EQ(run("cvt.rzi.s64.f32 $0, $1;", "=l,r", {0x7fc00000})[0], uint64_t(1) << 63);
  EXPECT_EQ(run("cvt.rzi.u32.f64 $0, $1;", "=r,d", {0x7ff8000000000000})[0], 0x80000000u);
  EXPECT_EQ(run32("cvt.rn.f32.s32 $0, $1;", {uint32_t(-3)}), f(-3));
  EXPECT_EQ(run32("cvt.rn.f32.u64 $0, $1;", {(uint64_t(1) << 40) + (1 << 16) + 1}),
            f(1099511758848.0f));
  EXPECT_EQ(run32("cvt.s32.s8 $0, $1;", {0x80}), 0xffffff80u);
  EXPECT_EQ(run32("cvt.u32.u8 $0, $1;", {0x180}), 0x80u);
  EXPECT_EQ(run32("cvt.sat.s8.s32 $0, $1;", {1000}) & 0xff, 0x7fu);
  EXPECT_EQ(run32("cvt.rni.f32.f32 $0, $1;", {f(2.5f)}), f(2));
}

TEST(Evaluation, ConversionsOfFormats) {
  // The first source is the upper half.
  EXPECT_EQ(run32("cvt.rn.f16x2.f32 $0, $1, $2;", {f(1), f(-2)}), 0x3c00c000u);
  EXPECT_EQ(run32("cvt.rn.bf16x2.f32 $0, $1, $2;", {f(1), f(-2)}), 0x3f80c000u);
  EXPECT_EQ(run32("cvt.rz.bf16.f32 $0, $1;", {f(1.999f)}), 0x3fffu);
  EXPECT_EQ(run32("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", {f(1), f(1000)}), 0x387eu);
  EXPECT_EQ(run32("cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;", {f(-1), f(1e9f)}), 0xbc7bu);
  EXPECT_EQ(run32("cvt.rn.satfinite.e2m1x2.f32 $0, $1, $2;", {f(-6), f(2.4f)}), 0xf4u);
  EXPECT_EQ(run32("cvt.rn.f16x2.e4m3x2 $0, $1;", {0x387e}), 0x3c005f00u);
  EXPECT_EQ(run32("cvt.rn.f16x2.e5m2x2 $0, $1;", {0xbc7b}), 0xbc007b00u);
  EXPECT_EQ(run32("cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;", {0x3c005f00}), 0x387eu);
  EXPECT_EQ(run32("cvt.rp.satfinite.ue8m0x2.f32 $0, $1, $2;", {f(1), f(3)}), 0x7f81u);
  EXPECT_EQ(run32("cvt.rz.satfinite.ue8m0x2.f32 $0, $1, $2;", {f(1), f(3)}), 0x7f80u);
  EXPECT_EQ(run32("cvt.rna.tf32.f32 $0, $1;", {0x3f801000}), 0x3f802000u);
  EXPECT_EQ(run32("cvt.f32.bf16 $0, $1;", {0x3fc0}), f(1.5f));
}

/// Every half through the formats that hold it, and back.
TEST(Evaluation, HalvesSurviveWiderFormats) {
  for (uint32_t half = 0; half < 0x10000; half += 7) {
    if ((half & 0x7c00) == 0x7c00)
      continue;
    uint32_t wide = run32("cvt.f32.f16 $0, $1;", {half});
    EXPECT_EQ(asFloat(wide), static_cast<float>(decodeFP16(half)));
    EXPECT_EQ(run32("cvt.rn.f16.f32 $0, $1;", {wide}), half);
  }
}

} // namespace
