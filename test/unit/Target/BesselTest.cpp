// Bessel functions at their zeros, at the ends of their intervals and far out.
#include "test/unit/Target/MathModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

using namespace tilec::test;

namespace {

/// Values of mpmath 1.4 with 400 bits, rounded once.
struct Known {
  const char *function;
  double argument;
  double value;
};

const Known known[] = {
    {"j0", 0x1.33d152e971b4p+1, -0x1.19b7921f03c8ep-54},
    {"j0", 0x1.33d152p+1, 0x1.e4c48e9f15adcp-25},
    {"j0", 0x1.6148f5b2c2e45p+2, -0x1.fbb40985f6e34p-56},
    {"j0", 0x1.6148f6p+2, 0x1.a4817bfc2921cp-26},
    {"j0", 0x1.14eb56cccdecap+3, -0x1.6e8eeb22e5818p-54},
    {"j0", 0x1.0624dd2f1a9fcp-10, 0x1.fffff79c84387p-1},
    {"j0", 0x1.cp+0, 0x1.79e3a9e138af1p-2},
    {"j0", 0x1.cp+2, 0x1.3347faf45b2a3p-2},
    {"j0", 0x1.2d687p+20, -0x1.2dc4d090f8818p-12},
    {"j0", 0x1p+52, 0x1.c11b6b9010d0ep-29},
    {"j0", 0x1.0f0cf064dd592p+73, -0x1.05393befd5bf3p-39},
    {"j0", 0x1p+127, 0x1.1f0b5f9725112p-64},
    {"j1", 0x1.ea75575af6f09p+1, -0x1.1b9c1c3fb286fp-54},
    {"j1", 0x1.ea7558p+1, -0x1.09e0d2cce25afp-25},
    {"j1", 0x1.c0ff5f3b4725p+2, 0x1.049770ce74c2ep-55},
    {"j1", 0x1.c0ff6p+2, 0x1.d850afd0b29c9p-25},
    {"j1", 0x1.458d0d0bdfc29p+3, 0x1.0212f4e592523p-53},
    {"j1", 0x1.56e1fc2f8f359p-997, 0x1.56e1fc2f8f359p-998},
    {"j1", 0x1p+1, 0x1.27487958371fp-1},
    {"j1", 0x1.1p+3, 0x1.17ad48b7328bap-2},
    {"j1", 0x1.dcd65p+29, -0x1.5daa611ebc784p-18},
    {"j1", 0x1.0f0cf064dd592p+73, -0x1.11076e7b1cbp-37},
    {"j1", -0x1.8p+1, -0x1.5b324589238dp-2},
    {"y0", 0x1.c982eb8d417eap-1, -0x1.af74bfa0f1304p-56},
    {"y0", 0x1.c982ecp-1, 0x1.93a2340fe5581p-27},
    {"y0", 0x1.fa9534d98569cp+1, -0x1.8fa8956b4b481p-55},
    {"y0", 0x1.fa9534p+1, 0x1.5e3f0559d7e0ep-25},
    {"y0", 0x1.c581dc4e72103p+2, 0x1.e91b198d39ce2p-56},
    {"y0", 0x1.c581dcp+2, -0x1.78a944d27fd4dp-26},
    {"y0", 0x1.471d735a47d58p+3, -0x1.cabd7c823bf21p-53},
    {"y0", 0x0.0000000000001p-1022, -0x1.d9ffc3469e1b3p+8},
    {"y0", 0x1.12e0be826d695p-30, -0x1.a8885b408ffebp+3},
    {"y0", 0x1.3333333333333p+1, 0x1.055514f9d4b32p-1},
    {"y0", 0x1.1p+3, 0x1.14b0a5ab087d8p-2},
    {"y0", 0x1.0f0cf064dd592p+73, -0x1.11076e7b1cbp-37},
    {"y1", 0x1.193bed4dff243p+1, 0x1.cf9f8d5e1a475p-56},
    {"y1", 0x1.193beep+1, 0x1.72ce9162217cep-25},
    {"y1", 0x1.5b7fe4e87b02ep+2, 0x1.46a40b234169cp-53},
    {"y1", 0x1.5b7fe4p+2, 0x1.3c782187a62cep-24},
    {"y1", 0x1.13127ae6169b4p+3, -0x1.63bc010b45f46p-54},
    {"y1", 0x1.56e1fc2f8f359p-997, -0x1.e6b6f220dd8bdp+995},
    {"y1", 0x1p-2, -0x1.5a201ec26d052p+1},
    {"y1", 0x1.999999999999ap+1, 0x1.7b9bc0cb7257bp-2},
    {"y1", 0x1.cp+2, -0x1.35ee66725bb42p-2},
    {"y1", 0x1.0f0cf064dd592p+73, 0x1.05393befd5bf3p-39},
    {"cyl_bessel_i0", 0x1.12e0be826d695p-30, 0x1p+0},
    {"cyl_bessel_i0", -0x1.8p+1, 0x1.385ee7ddb65f1p+2},
    {"cyl_bessel_i0", 0x1p+3, 0x1.ab9069e3504fap+8},
    {"cyl_bessel_i0", 0x1.9p+6, 0x1.8a6f2011ec0d2p+139},
    {"cyl_bessel_i0", 0x1.648p+9, 0x1.7defd11043518p+1022},
    {"cyl_bessel_i1", 0x1.56e1fc2f8f359p-997, 0x1.56e1fc2f8f359p-998},
    {"cyl_bessel_i1", -0x1.8p+1, -0x1.fa0809085cc04p+1},
    {"cyl_bessel_i1", 0x1p+3, 0x1.8fdf85e46607cp+8},
    {"cyl_bessel_i1", 0x1.9p+6, 0x1.8874f981a92abp+139},
    {"cyl_bessel_i1", 0x1.648p+9, 0x1.7dab39e0e2874p+1022},
};

const HostFunction &functionOf(const std::string &name, bool isDouble) {
  static std::map<std::string, std::unique_ptr<HostFunction>> functions;
  std::unique_ptr<HostFunction> &function = functions[name + (isDouble ? "d" : "s")];
  if (!function)
    function = std::make_unique<HostFunction>(
        ("%r = tile.math \"" + name + "\" %x : ($T) -> $T").c_str(), isDouble);
  return *function;
}

double ulpOf(double value, int digits) { return std::ldexp(1.0, std::ilogb(value) - digits + 1); }

/// Below 8, where docs/math.md gives a bound in ulp, at the zeros too; beyond in ulp of the
/// amplitude.
TEST(Bessel, F64AtZerosAndFarOut) {
  for (const Known &k : known) {
    double got = functionOf(k.function, true)(k.argument);
    bool isModified = std::string(k.function).find("bessel") != std::string::npos;
    double scale =
        std::fabs(k.argument) < 8 || isModified ? k.value : std::sqrt(2 / (M_PI * k.argument));
    EXPECT_LE(std::fabs(got - k.value) / ulpOf(scale, 53), 5)
        << k.function << " of " << std::hexfloat << k.argument << " is " << got << ", not "
        << k.value;
  }
}

TEST(Bessel, F32IsRoundedOnce) {
  for (const Known &k : known) {
    float argument = float(k.argument), value = float(k.value);
    if (argument != k.argument || std::fpclassify(value) != FP_NORMAL)
      continue;
    float got = functionOf(k.function, false)(argument);
    EXPECT_LE(std::fabs(got - k.value) / ulpOf(value, 24), 0.51)
        << k.function << " of " << std::hexfloat << argument << " is " << got << ", not " << value;
  }
}

TEST(Bessel, SpecialValues) {
  constexpr double inf = INFINITY;
  for (bool isDouble : {false, true}) {
    auto call = [&](const char *name, double x) -> double {
      const HostFunction &f = functionOf(name, isDouble);
      return isDouble ? f(x) : double(f(float(x)));
    };
    for (const char *name : {"j0", "j1", "y0", "y1"}) {
      EXPECT_EQ(call(name, inf), 0) << name;
      EXPECT_TRUE(std::isnan(call(name, NAN))) << name;
    }
    EXPECT_EQ(call("j0", 0), 1);
    EXPECT_TRUE(std::signbit(call("j1", -0.0)));
    EXPECT_TRUE(std::signbit(call("j1", -inf)));
    for (const char *name : {"y0", "y1"}) {
      EXPECT_EQ(call(name, 0), -inf) << name;
      EXPECT_EQ(call(name, -0.0), -inf) << name;
      EXPECT_TRUE(std::isnan(call(name, -1))) << name;
      EXPECT_TRUE(std::isnan(call(name, -inf))) << name;
    }
    for (const char *name : {"cyl_bessel_i0", "cyl_bessel_i1"}) {
      EXPECT_EQ(call(name, inf), inf) << name;
      EXPECT_TRUE(std::isnan(call(name, NAN))) << name;
    }
    EXPECT_EQ(call("cyl_bessel_i0", -inf), inf);
    EXPECT_EQ(call("cyl_bessel_i1", -inf), -inf);
    EXPECT_TRUE(std::signbit(call("cyl_bessel_i1", -0.0)));
  }
}

} // namespace
