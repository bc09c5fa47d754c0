// The errors of expanded math functions stay below what docs/math.md states.
#include "test/unit/Target/MathModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tilec::test;

namespace tilec::test {

static std::ostream &operator<<(std::ostream &os, const Error &error) {
  return os << error.ulps << " ulp at " << std::hexfloat << error.argument << ": got " << error.got
            << " for " << error.expected << std::defaultfloat;
}

} // namespace tilec::test

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

class Math : public testing::TestWithParam<MathFunction> {};

// A prime stride, so that the low bits of the arguments take all values.
constexpr uint32_t kStride = 2003;

TEST_P(Math, F32ErrorIsBelowItsBound) {
  HostFunction function(GetParam().op, /*isDouble=*/false);
  setPerturbation(0);
  Error error = sweepF32(function, GetParam(), kStride);
  EXPECT_LE(error.ulps, GetParam().boundF32) << error;
}

TEST_P(Math, F32ErrorIsBelowItsBoundWithTheHardwaresErrors) {
  HostFunction function(GetParam().op, /*isDouble=*/false);
  for (int direction : {-1, 1}) {
    setPerturbation(direction);
    Error error = sweepF32(function, GetParam(), kStride);
    EXPECT_LE(error.ulps, GetParam().boundF32Hardware) << error;
  }
  setPerturbation(0);
}

TEST_P(Math, F64ErrorIsBelowItsBound) {
  HostFunction function(GetParam().op, /*isDouble=*/true);
  Error error = sweepF64(function, GetParam(), 300000);
  EXPECT_LE(error.ulps, GetParam().boundF64) << error;
}

INSTANTIATE_TEST_SUITE_P(Each, Math,
                         testing::ValuesIn(allMathFunctions().begin(), allMathFunctions().end()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

// What softmax and logsumexp rest on, said once more without a sweep.
TEST(MathSpecial, ExpAndLog) {
  for (bool isDouble : {false, true}) {
    HostFunction exp("math.exp", isDouble), log("math.log", isDouble);
    auto call = [&](const HostFunction &f, double x) {
      return isDouble ? f(x) : double(f(float(x)));
    };
    EXPECT_EQ(call(exp, -kInf), 0);
    EXPECT_EQ(call(exp, kInf), kInf);
    EXPECT_EQ(call(exp, 0), 1);
    EXPECT_EQ(call(exp, -0.0), 1);
    EXPECT_TRUE(std::isnan(call(exp, std::nan(""))));
    EXPECT_EQ(call(exp, isDouble ? 1e308 : 3e38), kInf);
    EXPECT_EQ(call(exp, isDouble ? -1e308 : -3e38), 0);
    EXPECT_EQ(call(log, 0), -kInf);
    EXPECT_EQ(call(log, -0.0), -kInf);
    EXPECT_EQ(call(log, kInf), kInf);
    EXPECT_EQ(call(log, 1), 0);
    EXPECT_TRUE(std::isnan(call(log, -1)));
    EXPECT_TRUE(std::isnan(call(log, -kInf)));
    EXPECT_TRUE(std::isnan(call(log, std::nan(""))));
  }
}

TEST(MathSpecial, ResultsThatAreDenormalAreNotFlushed) {
  HostFunction exp("math.exp", false), exp2("math.exp2", false), log("math.log", false);
  EXPECT_EQ(exp2(-149.0f), 0x1p-149f);
  EXPECT_EQ(exp2(-130.0f), 0x1p-130f);
  EXPECT_NEAR(exp(-90.0f) / std::exp(-90.0), 1, 1e-6);
  EXPECT_NEAR(log(0x1p-149f), -149 * std::log(2.0), 1e-5);
}

TEST(MathSpecial, SineOfLargeArguments) {
  HostFunction sin("math.sin", false), cos("math.cos", false);
  for (float x : {1e5f, 131072.0f, 0x1p20f, 1e9f, 16367173.0f * 0x1p72f, 3.4e38f}) {
    EXPECT_NEAR(sin(x) / std::sin(double(x)), 1, 3e-7) << x;
    EXPECT_NEAR(cos(x) / std::cos(double(x)), 1, 3e-7) << x;
  }
  EXPECT_TRUE(std::isnan(sin(kInf)));
  EXPECT_TRUE(std::isnan(cos(-kInf)));
}

} // namespace
