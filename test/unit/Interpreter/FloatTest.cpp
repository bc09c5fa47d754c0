// Floating-point operations and conversions against tables of all values and long double.
#include "TestKernel.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace tilec;
using namespace tilec::test;

namespace {

const char *const kSmallTypes[] = {"f16", "bf16", "f8E4M3FN", "f8E5M2"};

std::vector<uint64_t> allOf(unsigned width) {
  std::vector<uint64_t> all(size_t(1) << width);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return all;
}

/// Random bit patterns and the corners of fp32.
std::vector<uint64_t> sampleFloats(size_t count) {
  std::vector<uint64_t> samples = {bits(0.0f), bits(-0.0f), bits(INFINITY), bits(-INFINITY),
                                   bits(NAN),  1,           0x80000001,     0x7f7fffff};
  std::mt19937 random(7);
  while (samples.size() < count)
    samples.push_back(random());
  return samples;
}

TEST(Float, ArithmeticRoundsOnce) {
  using Op = std::function<long double(long double, long double)>;
  const std::pair<const char *, Op> ops[] = {
      {"addf", [](long double a, long double b) { return a + b; }},
      {"subf", [](long double a, long double b) { return a - b; }},
      {"mulf", [](long double a, long double b) { return a * b; }},
      {"divf", [](long double a, long double b) { return a / b; }},
      {"remf", [](long double a, long double b) { return std::fmod(a, b); }}};
  for (const char *type : kSmallTypes) {
    FloatTable table(type);
    std::vector<uint64_t> a, b;
    std::mt19937 random(11);
    if (table.width() == 8) {
      for (unsigned i = 0; i < 256; ++i)
        for (unsigned j = 0; j < 256; ++j) {
          a.push_back(i);
          b.push_back(j);
        }
    } else {
      for (unsigned i = 0; i < 1 << 16; ++i) {
        a.push_back(i);
        // Half of them near in exponent, where sums need rounding.
        b.push_back(i & 1 ? random() & 0xffff : (i ^ (random() & 0x9fff)) & 0xffff);
      }
    }
    for (const auto &[name, op] : ops) {
      auto got =
          evaluate({type, type}, type, std::string("%r = arith.") + name + " %0, %1 : $0", {a, b});
      for (size_t i = 0; i < a.size(); ++i) {
        long double want = op(table.valueOf(a[i]), table.valueOf(b[i]));
        if (std::isnan(want))
          ASSERT_TRUE(table.isNaN(got[i])) << type << " " << name << " " << a[i] << " " << b[i];
        else
          ASSERT_EQ(got[i], table.nearest(want))
              << type << " " << name << " " << a[i] << " " << b[i];
      }
    }
  }
}

TEST(Float, ArithmeticOf32And64Bits) {
  auto a = sampleFloats(4096), b = a;
  std::shuffle(b.begin(), b.end(), std::mt19937(3));
  using Op = std::function<long double(long double, long double)>;
  // A long double holds sums, products and quotients of floats well enough that rounding its
  // result gives the float that one rounding gives.
  const std::pair<const char *, Op> ops[] = {
      {"addf", [](long double x, long double y) { return x + y; }},
      {"subf", [](long double x, long double y) { return x - y; }},
      {"mulf", [](long double x, long double y) { return x * y; }},
      {"divf fastmath<arcp>", nullptr},
      {"divf", [](long double x, long double y) { return x / y; }}};
  for (const auto &[name, op] : ops) {
    std::string head = name, tail;
    if (size_t flags = head.find(' '); flags != std::string::npos) {
      tail = head.substr(flags);
      head = head.substr(0, flags);
    }
    auto got =
        evaluate({"f32", "f32"}, "f32", "%r = arith." + head + " %0, %1" + tail + " : $0", {a, b});
    for (size_t i = 0; i < a.size(); ++i) {
      long double x = toFloat(a[i]), y = toFloat(b[i]);
      float want = static_cast<float>(op ? op(x, y) : x / y);
      if (std::isnan(want))
        ASSERT_TRUE(std::isnan(toFloat(got[i])));
      else
        ASSERT_EQ(got[i], bits(want)) << name << " " << a[i] << " " << b[i];
    }
  }
  EXPECT_EQ(evaluate({"f64", "f64"}, "f64", "%r = arith.divf %0, %1 : $0",
                     {{bits(1.0), bits(0.1)}, {bits(3.0), bits(0.3)}}),
            (std::vector<uint64_t>{bits(1.0 / 3.0), bits(0.1 / 0.3)}));
}

TEST(Float, NegationIsOfTheSign) {
  EXPECT_EQ(evaluate({"f32"}, "f32", "%r = arith.negf %0 : $0", {{0, 0x80000000, 0x7fc00001}}),
            (std::vector<uint64_t>{0x80000000, 0, 0xffc00001}));
  EXPECT_EQ(evaluate({"bf16"}, "bf16", "%r = arith.negf %0 : $0", {{0x3f80, 0xff81}}),
            (std::vector<uint64_t>{0xbf80, 0x7f81}));
}

TEST(Float, MaximaAndMinima) {
  float nan = NAN, inf = INFINITY;
  const float values[] = {nan, -inf, -1.5f, -0.0f, 0.0f, 2.0f, inf};
  std::vector<uint64_t> a, b;
  for (float x : values)
    for (float y : values) {
      a.push_back(bits(x));
      b.push_back(bits(y));
    }
  auto run = [&](const char *op) {
    return evaluate({"f32", "f32"}, "f32", std::string("%r = arith.") + op + " %0, %1 : $0",
                    {a, b});
  };
  auto maximum = run("maximumf"), minimum = run("minimumf"), maxnum = run("maxnumf"),
       minnum = run("minnumf");
  size_t n = std::size(values);
  // But for NaN the list is in ascending order, -0 before +0.
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      size_t at = i * n + j;
      bool anyNaN = i == 0 || j == 0;
      uint64_t larger = bits(values[std::max(i, j)]);
      uint64_t smaller = bits(values[anyNaN ? std::max(i, j) : std::min(i, j)]);
      if (i == 0 && j == 0) {
        EXPECT_TRUE(std::isnan(toFloat(maxnum[at])) && std::isnan(toFloat(minnum[at])));
      } else {
        EXPECT_EQ(maxnum[at], larger) << i << " " << j;
        EXPECT_EQ(minnum[at], smaller) << i << " " << j;
      }
      if (anyNaN) {
        EXPECT_TRUE(std::isnan(toFloat(maximum[at])) && std::isnan(toFloat(minimum[at])));
      } else {
        EXPECT_EQ(maximum[at], larger) << i << " " << j;
        EXPECT_EQ(minimum[at], smaller) << i << " " << j;
      }
    }
}

TEST(Float, Comparisons) {
  const double values[] = {NAN, -INFINITY, -1, -0.0, 0.0, 1, INFINITY};
  std::vector<uint64_t> a, b;
  for (double x : values)
    for (double y : values) {
      a.push_back(bits(x));
      b.push_back(bits(y));
    }
  // Which of less, equal, greater and unordered each predicate accepts.
  const std::pair<const char *, std::string> predicates[] = {
      {"false", ""},  {"oeq", "e"},   {"ogt", "g"},  {"oge", "ge"},   {"olt", "l"},   {"ole", "le"},
      {"one", "lg"},  {"ord", "leg"}, {"ueq", "eu"}, {"ugt", "gu"},   {"uge", "geu"}, {"ult", "lu"},
      {"ule", "leu"}, {"une", "lgu"}, {"uno", "u"},  {"true", "legu"}};
  for (const auto &[name, accepted] : predicates) {
    auto got = evaluate({"f64", "f64"}, "i1",
                        std::string("%r = arith.cmpf ") + name + ", %0, %1 : $0", {a, b});
    for (size_t i = 0; i < a.size(); ++i) {
      double x = toDouble(a[i]), y = toDouble(b[i]);
      char relation = x < y ? 'l' : x > y ? 'g' : x == y ? 'e' : 'u';
      ASSERT_EQ(got[i] != 0, accepted.find(relation) != std::string::npos)
          << name << " " << x << " " << y;
    }
  }
}

TEST(Float, WideningIsExact) {
  for (const char *type : kSmallTypes) {
    FloatTable table(type);
    auto all = allOf(table.width());
    for (const char *wide : {"f32", "f64"}) {
      auto got = evaluate({type}, wide, "%r = arith.extf %0 : $0 to $r", {all});
      for (size_t i = 0; i < all.size(); ++i) {
        double value = wide[1] == '3' ? toFloat(got[i]) : toDouble(got[i]);
        if (table.isNaN(i))
          ASSERT_TRUE(std::isnan(value));
        else
          ASSERT_TRUE(value == table.valueOf(i) &&
                      std::signbit(value) == (i >> (table.width() - 1)))
              << type << " " << i;
      }
    }
  }
}

TEST(Float, NarrowingRoundsToNearestEven) {
  for (const char *type : kSmallTypes) {
    FloatTable table(type);
    // Around every value of the type: itself, the midpoint to the next, and their neighbours.
    std::vector<uint64_t> inputs = sampleFloats(1 << 14);
    for (uint64_t code = 0; code + 1 < uint64_t(1) << (table.width() - 1); ++code) {
      long double low = table.valueOf(code), high = table.valueOf(code + 1);
      if (!std::isfinite(low))
        break;
      if (!std::isfinite(high))
        high = low + (low - table.valueOf(code - 1));
      float middle = static_cast<float>((low + high) / 2);
      for (float x : {static_cast<float>(low), middle})
        for (float y : {x, std::nextafter(x, INFINITY), std::nextafter(x, -INFINITY)}) {
          inputs.push_back(bits(y));
          inputs.push_back(bits(-y));
        }
    }
    auto got = evaluate({"f32"}, type, "%r = arith.truncf %0 : $0 to $r", {inputs});
    for (size_t i = 0; i < inputs.size(); ++i) {
      float x = toFloat(inputs[i]);
      if (std::isnan(x))
        ASSERT_TRUE(table.isNaN(got[i]));
      else
        ASSERT_EQ(got[i], table.nearest(x)) << type << " of " << x;
    }
  }
}

TEST(Float, NarrowingFrom64BitsDoesNotRoundTwice) {
  // Just above the midpoint of 1 and the next fp16; the nearest fp32 is the midpoint itself.
  double x = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(evaluate({"f64"}, "f16", "%r = arith.truncf %0 : $0 to $r", {{bits(x), bits(-x)}}),
            (std::vector<uint64_t>{0x3c01, 0xbc01}));
  EXPECT_EQ(evaluate({"f64"}, "f32", "%r = arith.truncf %0 : $0 to $r", {{bits(1e300)}}),
            (std::vector<uint64_t>{bits(INFINITY)}));
}

TEST(Float, FP8Saturates) {
  std::vector<uint64_t> x = {bits(INFINITY), bits(-INFINITY), bits(1e6f), bits(465.0f),
                             bits(61440.0f)};
  EXPECT_EQ(evaluate({"f32"}, "f8E4M3FN", "%r = arith.truncf %0 : $0 to $r", {x}),
            (std::vector<uint64_t>{0x7e, 0xfe, 0x7e, 0x7e, 0x7e}));
  EXPECT_EQ(evaluate({"f32"}, "f8E5M2", "%r = arith.truncf %0 : $0 to $r", {x}),
            (std::vector<uint64_t>{0x7b, 0xfb, 0x7b, 0x5f, 0x7b}));
}

TEST(Float, OtherRoundingModes) {
  const std::pair<const char *, llvm::RoundingMode> modes[] = {
      {"toward_zero", llvm::RoundingMode::TowardZero},
      {"upward", llvm::RoundingMode::TowardPositive},
      {"downward", llvm::RoundingMode::TowardNegative},
      {"to_nearest_away", llvm::RoundingMode::NearestTiesToAway}};
  auto inputs = sampleFloats(1 << 12);
  for (const auto &[name, mode] : modes) {
    auto got = evaluate({"f32"}, "f16", std::string("%r = arith.truncf %0 ") + name + " : $0 to $r",
                        {inputs});
    for (size_t i = 0; i < inputs.size(); ++i) {
      llvm::APFloat want(toFloat(inputs[i]));
      bool losesInfo;
      want.convert(llvm::APFloat::IEEEhalf(), mode, &losesInfo);
      if (!want.isNaN())
        ASSERT_EQ(got[i], want.bitcastToAPInt().getZExtValue()) << name;
    }
  }
  // fp8 saturates in every mode.
  EXPECT_EQ(evaluate({"f32"}, "f8E5M2", "%r = arith.truncf %0 toward_zero : $0 to $r",
                     {{bits(1.2f), bits(-1.2f), bits(INFINITY), bits(1e9f)}}),
            (std::vector<uint64_t>{0x3c, 0xbc, 0x7b, 0x7b}));
}

TEST(Float, ToIntegersOutOfRange) {
  std::vector<uint64_t> x = {bits(1.9f),  bits(-1.9f), bits(3e9f),    bits(-3e9f),
                             bits(1e30f), bits(NAN),   bits(INFINITY)};
  EXPECT_EQ(
      evaluate({"f32"}, "i32", "%r = arith.fptosi %0 : $0 to $r", {x}),
      (std::vector<uint64_t>{1, 0xffffffff, 0x7fffffff, 0x80000000, 0x7fffffff, 0, 0x7fffffff}));
  EXPECT_EQ(evaluate({"f32"}, "i32", "%r = arith.fptoui %0 : $0 to $r", {x}),
            (std::vector<uint64_t>{1, 0, 3000000000, 0, 0xffffffff, 0, 0xffffffff}));
  EXPECT_EQ(evaluate({"f64"}, "i64", "%r = arith.fptosi %0 : $0 to $r",
                     {{bits(0x1p62), bits(0x1p63), bits(-0x1p63), bits(-0x1p64)}}),
            (std::vector<uint64_t>{uint64_t(1) << 62, ~uint64_t(0) >> 1, uint64_t(1) << 63,
                                   uint64_t(1) << 63}));
  EXPECT_EQ(evaluate({"f16"}, "i8", "%r = arith.fptosi %0 : $0 to $r", {{0x5bf8, 0xdbf8}}),
            (std::vector<uint64_t>{0xff, 0x01}));
}

TEST(Float, FromIntegersRoundsOnce) {
  std::vector<uint64_t> x = {0, 1, ~uint64_t(0), (uint64_t(1) << 53) + 1, 0x7fffffffffffffff,
                             // Just above the midpoint of two bf16 and of two floats: a double
                             // loses the last bit.
                             (uint64_t(1) << 62) + (uint64_t(1) << 54) + 1,
                             (uint64_t(1) << 62) + (uint64_t(1) << 38) + 1};
  FloatTable table("bf16");
  auto toBF16 = evaluate({"i64"}, "bf16", "%r = arith.sitofp %0 : $0 to $r", {x});
  auto toF32 = evaluate({"i64"}, "f32", "%r = arith.sitofp %0 : $0 to $r", {x});
  auto unsignedF32 = evaluate({"i64"}, "f32", "%r = arith.uitofp %0 : $0 to $r", {x});
  for (size_t i = 0; i < x.size(); ++i) {
    long double value = static_cast<int64_t>(x[i]);
    EXPECT_EQ(toBF16[i], table.nearest(value)) << i;
    EXPECT_EQ(toF32[i], bits(static_cast<float>(value))) << i;
    EXPECT_EQ(unsignedF32[i], bits(static_cast<float>(static_cast<long double>(x[i])))) << i;
  }
  EXPECT_EQ(evaluate({"i1"}, "f32", "%r = arith.uitofp %0 : $0 to $r", {{0, 1}}),
            (std::vector<uint64_t>{0, bits(1.0f)}));
  EXPECT_EQ(evaluate({"i1"}, "f32", "%r = arith.sitofp %0 : $0 to $r", {{0, 1}}),
            (std::vector<uint64_t>{0, bits(-1.0f)}));
}

TEST(Float, BitcastKeepsBits) {
  EXPECT_EQ(
      evaluate({"f32"}, "i32", "%r = arith.bitcast %0 : $0 to $r", {{bits(1.0f), 0x7f800001}}),
      (std::vector<uint64_t>{0x3f800000, 0x7f800001}));
}

} // namespace
