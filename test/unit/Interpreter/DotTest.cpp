// Matrix products: exact products summed without loss, precisions of f32 [R21, R22], batches.
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace tilec;
using namespace tilec::test;

namespace {

struct Shape {
  int64_t batch, m, n, k;
};

std::string tensor(std::vector<int64_t> extents, const std::string &type, int64_t batch) {
  std::string text = "tensor<";
  if (batch != 0)
    extents.insert(extents.begin(), batch);
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + type + ">";
}

/// Loads %NAME of `count` elements from %pNAME and gives them a shape.
std::string load(const std::string &name, const std::string &type, int64_t count,
                 const std::string &shaped) {
  std::string n = std::to_string(count), pointers = "tensor<" + n + "x!tile.ptr<" + type + ">>";
  return "%i" + name + " = tile.arange 0, " + n + " : tensor<" + n + "xi32>\n%s" + name +
         " = tile.splat %p" + name + " : !tile.ptr<" + type + "> -> " + pointers + "\n%a" + name +
         " = tile.addptr %s" + name + ", %i" + name + " : " + pointers + ", tensor<" + n +
         "xi32>\n%f" + name + " = tile.load %a" + name + " : " + pointers + "\n%" + name +
         " = tile.reshape %f" + name + " : tensor<" + n + "x" + type + "> -> " + shaped + "\n";
}

/// c = a @ b + c, on bits; a batch of 0 means matrices without a batch dimension.
template <class A, class C>
std::string multiply(Shape s, const std::string &aType, const std::string &bType,
                     const std::string &cType, const std::string &precision, std::vector<A> &a,
                     std::vector<A> &b, std::vector<C> &c) {
  std::string at = tensor({s.m, s.k}, aType, s.batch), bt = tensor({s.k, s.n}, bType, s.batch),
              ct = tensor({s.m, s.n}, cType, s.batch);
  std::string count = std::to_string(c.size());
  TestKernel kernel(
      "func.func @k(%pa: !tile.ptr<" + aType + ">, %pb: !tile.ptr<" + bType + ">, %pc: !tile.ptr<" +
      cType + ">) attributes {tile.kernel} {\n" + load("a", aType, int64_t(a.size()), at) +
      load("b", bType, int64_t(b.size()), bt) + load("c", cType, int64_t(c.size()), ct) +
      "%d = tile.dot %a, %b, %c " + (precision.empty() ? "" : "precision " + precision) + " : " +
      at + ", " + bt + " -> " + ct + "\n%r = tile.reshape %d : " + ct + " -> tensor<" + count +
      "x" + cType + ">\ntile.store %ac, %r : tensor<" + count + "x!tile.ptr<" + cType +
      ">>\nreturn\n}\n");
  return kernel.run({bufferOf(a), bufferOf(b), bufferOf(c)});
}

/// The same in long double, on numbers.
std::vector<long double> expected(Shape s, const std::vector<long double> &a,
                                  const std::vector<long double> &b, std::vector<long double> c) {
  for (int64_t row = 0; row < std::max<int64_t>(s.batch, 1) * s.m; ++row)
    for (int64_t n = 0; n < s.n; ++n)
      for (int64_t k = 0; k < s.k; ++k)
        c[row * s.n + n] += a[row * s.k + k] * b[(row / s.m * s.k + k) * s.n + n];
  return c;
}

template <class T>
std::vector<T> normals(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(count);
  for (T &value : values)
    value = static_cast<T>(normal(random));
  return values;
}

template <class T>
std::vector<long double> widen(const std::vector<T> &values) {
  return {values.begin(), values.end()};
}

constexpr Shape kMatrices{0, 8, 4, 16}, kBatches{2, 4, 8, 16};

/// Narrow floats, of which A holds the bits.
template <class A>
void checkNarrow(const std::string &aType, const std::string &bType, Shape shape) {
  FloatTable aTable(aType), bTable(bType);
  size_t batches = std::max<int64_t>(shape.batch, 1);
  auto aNumbers = normals<double>(batches * shape.m * shape.k, 1),
       bNumbers = normals<double>(batches * shape.k * shape.n, 2);
  auto c = normals<float>(batches * shape.m * shape.n, 3);
  std::vector<A> a, b;
  std::vector<long double> aValues, bValues;
  for (double number : aNumbers) {
    a.push_back(static_cast<A>(aTable.nearest(number)));
    aValues.push_back(aTable.valueOf(a.back()));
  }
  for (double number : bNumbers) {
    b.push_back(static_cast<A>(bTable.nearest(number)));
    bValues.push_back(bTable.valueOf(b.back()));
  }
  auto wanted = expected(shape, aValues, bValues, widen(c));
  ASSERT_EQ(multiply(shape, aType, bType, "f32", "", a, b, c), "");
  for (size_t i = 0; i < c.size(); ++i)
    EXPECT_EQ(c[i], static_cast<float>(wanted[i])) << aType << " x " << bType << " at " << i;
}

TEST(Dot, NarrowFloatsAreExactR21) {
  for (Shape shape : {kMatrices, kBatches}) {
    checkNarrow<uint16_t>("f16", "f16", shape);
    checkNarrow<uint16_t>("bf16", "bf16", shape);
    checkNarrow<uint8_t>("f8E4M3FN", "f8E4M3FN", shape);
    checkNarrow<uint8_t>("f8E5M2", "f8E4M3FN", shape);
  }
}

TEST(Dot, HalfAccumulatorIsRoundedOnceR21) {
  // 16 * 2^-11 beside 1: every sum in fp16 but the last would lose it.
  FloatTable table("f16");
  std::vector<uint16_t> a(8 * 16, uint16_t(table.nearest(0x1p-11L))),
      b(16 * 4, uint16_t(table.nearest(1))), c(8 * 4, uint16_t(table.nearest(1)));
  ASSERT_EQ(multiply(kMatrices, "f16", "f16", "f16", "", a, b, c), "");
  for (uint16_t bits : c)
    EXPECT_EQ(table.valueOf(bits), 1 + 0x1p-7L);
}

TEST(Dot, IntegersAreSignedAndWrapR21) {
  std::vector<int8_t> a(8 * 16, -128), b(16 * 4, 127);
  std::vector<int32_t> c(8 * 4, std::numeric_limits<int32_t>::min());
  c[5] = 7;
  ASSERT_EQ(multiply(kMatrices, "i8", "i8", "i32", "", a, b, c), "");
  EXPECT_EQ(c[5], 7 - 16 * 128 * 127);
  EXPECT_EQ(c[0], std::numeric_limits<int32_t>::max() - 16 * 128 * 127 + 1);
}

TEST(Dot, DoublesR21) {
  auto a = normals<double>(2 * 4 * 16, 1), b = normals<double>(2 * 16 * 8, 2),
       c = normals<double>(2 * 4 * 8, 3);
  auto wanted = expected(kBatches, widen(a), widen(b), widen(c));
  ASSERT_EQ(multiply(kBatches, "f64", "f64", "f64", "", a, b, c), "");
  for (size_t i = 0; i < c.size(); ++i)
    EXPECT_EQ(c[i], static_cast<double>(wanted[i]));
}

/// The largest error of a product of singles, relative to the sum of the magnitudes.
double errorOf(const std::string &precision) {
  auto a = normals<float>(8 * 16, 1), b = normals<float>(16 * 4, 2);
  std::vector<float> c(8 * 4);
  auto wanted = expected(kMatrices, widen(a), widen(b), widen(c));
  EXPECT_EQ(multiply(kMatrices, "f32", "f32", "f32", precision, a, b, c), "");
  double worst = 0;
  for (size_t i = 0; i < c.size(); ++i)
    worst = std::max<double>(worst, std::fabs(c[i] - wanted[i]) / 4);
  return worst;
}

TEST(Dot, PrecisionsOfSinglesR22) {
  EXPECT_LT(errorOf("ieee"), 0x1p-23);
  EXPECT_LT(errorOf("tf32x3"), 0x1p-19);
  EXPECT_LT(errorOf("bf16x6"), 0x1p-19);
  EXPECT_LT(errorOf("bf16x3"), 0x1p-13);
  EXPECT_GT(errorOf("bf16x3"), errorOf("bf16x6"));
  EXPECT_LT(errorOf(""), 0x1p-8);
  EXPECT_GT(errorOf(""), 0x1p-13);
}

TEST(Dot, TF32TruncatesR22) {
  // The largest fraction that is cut, and the first one that is not.
  std::vector<float> a(8 * 16, 1 + 0x1.fffp-11f), b(16 * 4, 1), c(8 * 4);
  std::fill_n(a.begin() + 16, 16, 1 + 0x1p-10f);
  ASSERT_EQ(multiply(kMatrices, "f32", "f32", "f32", "tf32", a, b, c), "");
  EXPECT_EQ(c[0], 16);
  EXPECT_EQ(c[4], 16 + 0x1p-6f);
}

TEST(Dot, SplitKeepsInfinitiesR22) {
  float infinity = std::numeric_limits<float>::infinity();
  for (const char *precision : {"tf32x3", "bf16x3", "bf16x6"}) {
    std::vector<float> a(8 * 16, 1), b(16 * 4, 1), c(8 * 4);
    a[3] = infinity;
    b[1] = std::numeric_limits<float>::quiet_NaN();
    ASSERT_EQ(multiply(kMatrices, "f32", "f32", "f32", precision, a, b, c), "");
    EXPECT_EQ(c[0], infinity) << precision;
    EXPECT_TRUE(std::isnan(c[1])) << precision;
    EXPECT_EQ(c[4], 16) << precision;
  }
}

TEST(Dot, UndefinedElementsSpoilTheirRowsAndColumns) {
  // One element of the first operand is divided by zero, which is row 2 of the result.
  std::string body =
      R"(func.func @k(%p: !tile.ptr<i32>, %z: !tile.ptr<i8>) attributes {tile.kernel} {
  %i = tile.arange 0, 512 : tensor<512xi32>
  %zs = tile.splat %z : !tile.ptr<i8> -> tensor<512x!tile.ptr<i8>>
  %pz = tile.addptr %zs, %i : tensor<512x!tile.ptr<i8>>, tensor<512xi32>
  %d = tile.load %pz : tensor<512x!tile.ptr<i8>>
  %q = arith.divui %d, %d : tensor<512xi8>
  %a = tile.reshape %q : tensor<512xi8> -> tensor<16x32xi8>
  %b = arith.constant dense<1> : tensor<32x16xi8>
  %c = arith.constant dense<0> : tensor<16x16xi32>
  %r = tile.dot %a, %b, %c : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %f = tile.reshape %r : tensor<16x16xi32> -> tensor<256xi32>
  %j = tile.arange 0, 256 : tensor<256xi32>
  %from = arith.constant dense<$FROM> : tensor<256xi32>
  %to = arith.constant dense<$TO> : tensor<256xi32>
  %ge = arith.cmpi sge, %j, %from : tensor<256xi32>
  %lt = arith.cmpi slt, %j, %to : tensor<256xi32>
  %m = arith.andi %ge, %lt : tensor<256xi1>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %pp = tile.addptr %ps, %j : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %pp, %f, mask %m : tensor<256x!tile.ptr<i32>>
  return
})";
  auto store = [&](int from, int to) {
    std::string text = body;
    text.replace(text.find("$FROM"), 5, std::to_string(from));
    text.replace(text.find("$TO"), 3, std::to_string(to));
    std::vector<int8_t> z(512, 3);
    z[2 * 32 + 7] = 0;
    std::vector<int32_t> out(256);
    return TestKernel(text).run({bufferOf(out), bufferOf(z)});
  };
  EXPECT_EQ(store(0, 32), "");
  EXPECT_EQ(store(48, 256), "");
  EXPECT_NE(store(0, 33).find("zero"), std::string::npos);
  EXPECT_NE(store(47, 48).find("zero"), std::string::npos);
}

TEST(Dot, TilesOfKernelsTakeMilliseconds) {
  Shape shape{0, 128, 128, 64};
  std::vector<float> a(128 * 64, 1), b(64 * 128, 2), c(128 * 128);
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(multiply(shape, "f32", "f32", "f32", "ieee", a, b, c), "");
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(c[100], 128);
  EXPECT_LT(seconds, 0.5); // It takes a few milliseconds.
}

} // namespace
