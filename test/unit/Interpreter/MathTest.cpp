// Mathematical functions against long double.
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace tilec;
using namespace tilec::test;

namespace {

using Function = std::function<long double(long double)>;

struct Case {
  const char *op;
  Function reference;
  double low, high;
};

const std::vector<Case> kCases = {
    {"absf", [](long double x) { return std::fabs(x); }, -100, 100},
    {"acos", [](long double x) { return std::acos(x); }, -1.1, 1.1},
    {"acosh", [](long double x) { return std::acosh(x); }, 0.5, 100},
    {"asin", [](long double x) { return std::asin(x); }, -1.1, 1.1},
    {"asinh", [](long double x) { return std::asinh(x); }, -100, 100},
    {"atan", [](long double x) { return std::atan(x); }, -100, 100},
    {"atanh", [](long double x) { return std::atanh(x); }, -1, 1},
    {"cbrt", [](long double x) { return std::cbrt(x); }, -100, 100},
    {"ceil", [](long double x) { return std::ceil(x); }, -100, 100},
    {"cos", [](long double x) { return std::cos(x); }, -100, 100},
    {"cosh", [](long double x) { return std::cosh(x); }, -100, 100},
    {"erf", [](long double x) { return std::erf(x); }, -6, 6},
    {"erfc", [](long double x) { return std::erfc(x); }, -6, 12},
    {"exp", [](long double x) { return std::exp(x); }, -110, 100},
    {"exp2", [](long double x) { return std::exp2(x); }, -160, 140},
    {"expm1", [](long double x) { return std::expm1(x); }, -20, 100},
    {"floor", [](long double x) { return std::floor(x); }, -100, 100},
    {"log", [](long double x) { return std::log(x); }, -1, 1000},
    {"log10", [](long double x) { return std::log10(x); }, -1, 1000},
    {"log1p", [](long double x) { return std::log1p(x); }, -1.5, 1000},
    {"log2", [](long double x) { return std::log2(x); }, -1, 1000},
    {"round", [](long double x) { return std::round(x); }, -100, 100},
    {"roundeven", [](long double x) { return std::nearbyint(x); }, -100, 100},
    {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, -1, 1000},
    {"sin", [](long double x) { return std::sin(x); }, -100, 100},
    {"sinh", [](long double x) { return std::sinh(x); }, -100, 100},
    {"sqrt", [](long double x) { return std::sqrt(x); }, -1, 1000},
    {"tan", [](long double x) { return std::tan(x); }, -100, 100},
    {"tanh", [](long double x) { return std::tanh(x); }, -20, 20},
    {"trunc", [](long double x) { return std::trunc(x); }, -100, 100},
};

TEST(Math, UnaryOf32BitsIsCorrectlyRounded) {
  std::mt19937_64 random(5);
  for (const Case &c : kCases) {
    std::uniform_real_distribution<float> range(c.low, c.high);
    std::vector<uint64_t> x = {bits(0.0f), bits(-0.0f), bits(INFINITY), bits(-INFINITY),
                               bits(NAN),  1,           bits(0.5f),     bits(-2.5f),
                               bits(1.0f), bits(-1.0f), bits(1e-10f),   bits(3e38f)};
    while (x.size() < 1024)
      x.push_back(bits(range(random)));
    auto got = evaluate({"f32"}, "f32", std::string("%r = math.") + c.op + " %0 : $0", {x});
    for (size_t i = 0; i < x.size(); ++i) {
      float want = static_cast<float>(c.reference(toFloat(x[i])));
      if (std::isnan(want))
        ASSERT_TRUE(std::isnan(toFloat(got[i]))) << c.op << " " << toFloat(x[i]);
      else
        ASSERT_EQ(got[i], bits(want)) << c.op << " " << toFloat(x[i]);
    }
  }
}

TEST(Math, UnaryOf16BitsIsCorrectlyRoundedEverywhere) {
  for (const char *type : {"f16", "bf16"}) {
    FloatTable table(type);
    std::vector<uint64_t> all(1 << 16);
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    for (const char *op : {"exp", "log2", "sqrt", "rsqrt", "tanh", "erf", "sin"}) {
      auto got = evaluate({type}, type, std::string("%r = math.") + op + " %0 : $0", {all});
      auto c = std::find_if(kCases.begin(), kCases.end(),
                            [&](const Case &c) { return std::string(c.op) == op; });
      for (size_t i = 0; i < all.size(); ++i) {
        long double want = c->reference(table.valueOf(i));
        if (std::isnan(want))
          ASSERT_TRUE(table.isNaN(got[i])) << op << " " << i;
        else
          ASSERT_EQ(got[i], table.nearest(want)) << type << " " << op << " " << i;
      }
    }
  }
}

TEST(Math, UnaryOf64Bits) {
  std::vector<uint64_t> x;
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> range(0.1, 20);
  for (int i = 0; i < 512; ++i)
    x.push_back(bits(range(random)));
  for (const char *op : {"exp", "log", "sqrt", "sin", "erf"}) {
    auto got = evaluate({"f64"}, "f64", std::string("%r = math.") + op + " %0 : $0", {x});
    auto c = std::find_if(kCases.begin(), kCases.end(),
                          [&](const Case &c) { return std::string(c.op) == op; });
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(toDouble(got[i]), static_cast<double>(c->reference(toDouble(x[i])))) << op;
  }
}

TEST(Math, BinaryFunctions) {
  std::vector<uint64_t> a, b;
  std::mt19937 random(8);
  std::uniform_real_distribution<float> range(-5, 5);
  for (int i = 0; i < 1024; ++i) {
    a.push_back(bits(range(random)));
    b.push_back(bits(i % 3 ? range(random) : std::round(range(random))));
  }
  using Op = std::function<long double(long double, long double)>;
  const std::pair<const char *, Op> ops[] = {
      {"powf", [](long double x, long double y) { return std::pow(x, y); }},
      {"atan2", [](long double x, long double y) { return std::atan2(x, y); }},
      {"copysign", [](long double x, long double y) { return std::copysign(x, y); }}};
  for (const auto &[name, op] : ops) {
    auto got =
        evaluate({"f32", "f32"}, "f32", std::string("%r = math.") + name + " %0, %1 : $0", {a, b});
    for (size_t i = 0; i < a.size(); ++i) {
      float want = static_cast<float>(op(toFloat(a[i]), toFloat(b[i])));
      if (std::isnan(want))
        ASSERT_TRUE(std::isnan(toFloat(got[i])));
      else
        ASSERT_EQ(got[i], bits(want)) << name << " " << toFloat(a[i]) << " " << toFloat(b[i]);
    }
  }
  EXPECT_EQ(evaluate({"f32", "i32"}, "f32", "%r = math.fpowi %0, %1 : $0, $1",
                     {{bits(2.0f), bits(-3.0f)}, {0xfffffffe, 3}}),
            (std::vector<uint64_t>{bits(0.25f), bits(-27.0f)}));
}

TEST(Math, FusedMultiplyAddRoundsOnce) {
  std::vector<uint64_t> a, b, c;
  std::mt19937 random(9);
  for (const char *type : {"f16", "bf16"}) {
    FloatTable table(type);
    a.clear();
    b.clear();
    c.clear();
    for (int i = 0; i < 1 << 15; ++i) {
      a.push_back(random() & 0xffff);
      b.push_back(random() & 0xffff);
      c.push_back(random() & 0xffff);
    }
    auto got = evaluate({type, type, type}, type, "%r = math.fma %0, %1, %2 : $0", {a, b, c});
    for (size_t i = 0; i < a.size(); ++i) {
      long double product = table.valueOf(a[i]) * table.valueOf(b[i]), z = table.valueOf(c[i]);
      long double sum = product + z;
      if (std::isnan(sum)) {
        ASSERT_TRUE(table.isNaN(got[i]));
        continue;
      }
      uint64_t want = table.nearest(sum);
      // Where the long double lost bits, a nudge in their direction decides ties.
      if (table.isMidpoint(sum) && sum - product != z)
        want = table.nearest(std::nextafter(sum, sum - product < z ? HUGE_VALL : -HUGE_VALL));
      ASSERT_EQ(got[i], want) << type << " " << a[i] << " " << b[i] << " " << c[i];
    }
  }
  // 1.5 * (1 + 2^-7) is halfway between two bf16; an addend far below a double's reach decides.
  EXPECT_EQ(evaluate({"bf16", "bf16", "bf16"}, "bf16", "%r = math.fma %0, %1, %2 : $0",
                     {{0x3fc0, 0x3fc0, 0x3fc0}, {0x3f81, 0x3f81, 0x3f81}, {0x0001, 0x8001, 0}}),
            (std::vector<uint64_t>{0x3fc2, 0x3fc1, 0x3fc2}));
  float x = 1 + 0x1p-12f;
  EXPECT_EQ(evaluate({"f32", "f32", "f32"}, "f32", "%r = math.fma %0, %1, %2 : $0",
                     {{bits(x)}, {bits(x)}, {bits(-1 - 0x1p-11f)}}),
            (std::vector<uint64_t>{bits(0x1p-24f)}));
}

TEST(Math, ClassificationAndClamp) {
  std::vector<uint64_t> x = {bits(NAN), bits(INFINITY), bits(0.0f), 1, bits(1.0f), bits(-9.0f)};
  auto run = [&](const char *op) {
    return evaluate({"f32"}, "i1", std::string("%r = math.") + op + " %0 : $0", {x});
  };
  EXPECT_EQ(run("isnan"), (std::vector<uint64_t>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(run("isinf"), (std::vector<uint64_t>{0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(run("isfinite"), (std::vector<uint64_t>{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(run("isnormal"), (std::vector<uint64_t>{0, 0, 0, 0, 1, 1}));
  std::vector<uint64_t> low(x.size(), bits(-2.0f)), high(x.size(), bits(0.5f));
  auto clamped = evaluate({"f32", "f32", "f32"}, "f32", "%r = math.clampf %0 to [%1, %2] : $0",
                          {x, low, high});
  EXPECT_TRUE(std::isnan(toFloat(clamped[0])));
  clamped[0] = 0;
  EXPECT_EQ(clamped, (std::vector<uint64_t>{0, bits(0.5f), 0, 1, bits(0.5f), bits(-2.0f)}));
}

} // namespace
