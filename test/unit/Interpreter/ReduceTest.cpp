// Reductions: order, axes, several operands, and combiners with control flow.
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

using namespace tilec;
using namespace tilec::test;

namespace {

/// Reduces a tensor of `shape` along `axis` with the operations `combiner` of %a and %b to %c.
std::string reduceKernel(const std::string &shape, const std::string &result, int axis,
                         int64_t size, int64_t kept, const std::string &combiner) {
  std::string n = std::to_string(size), k = std::to_string(kept);
  return "func.func @k(%x: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {\n"
         "%i = tile.arange 0, " +
         n + " : tensor<" + n +
         "xi32>\n"
         "%xs = tile.splat %x : !tile.ptr<f32> -> tensor<" +
         n +
         "x!tile.ptr<f32>>\n"
         "%px = tile.addptr %xs, %i : tensor<" +
         n + "x!tile.ptr<f32>>, tensor<" + n +
         "xi32>\n"
         "%flat = tile.load %px : tensor<" +
         n +
         "x!tile.ptr<f32>>\n"
         "%v = tile.reshape %flat : tensor<" +
         n + "xf32> -> tensor<" + shape +
         "xf32>\n"
         "%r = tile.reduce %v {axis = " +
         std::to_string(axis) + " : i32} : tensor<" + shape + "xf32> -> " + result +
         " {\n^bb0(%a: f32, %b: f32):\n" + combiner + "\ntile.yield %c : f32\n}\n" +
         (kept == 1 && result == "f32"
              ? std::string("%s = tile.splat %r : f32 -> tensor<1xf32>\n")
              : "%s = tile.reshape %r : " + result + " -> tensor<" + k + "xf32>\n") +
         "%j = tile.arange 0, " + k + " : tensor<" + k +
         "xi32>\n"
         "%os = tile.splat %o : !tile.ptr<f32> -> tensor<" +
         k +
         "x!tile.ptr<f32>>\n"
         "%po = tile.addptr %os, %j : tensor<" +
         k + "x!tile.ptr<f32>>, tensor<" + k +
         "xi32>\n"
         "tile.store %po, %s : tensor<" +
         k + "x!tile.ptr<f32>>\nreturn\n}\n";
}

std::vector<float> randomFloats(size_t n) {
  std::mt19937 random(4);
  std::normal_distribution<float> normal(0, 100);
  std::vector<float> values(n);
  for (float &value : values)
    value = normal(random);
  return values;
}

/// Values along the middle of outer x extent x inner, each combined with its neighbour until one is
/// left.
template <class F>
std::vector<float> pairsOf(const std::vector<float> &x, int outer, int extent, int inner, F f) {
  std::vector<float> result;
  for (int o = 0; o < outer; ++o)
    for (int i = 0; i < inner; ++i) {
      std::vector<float> line;
      for (int k = 0; k < extent; ++k)
        line.push_back(x[(o * extent + k) * inner + i]);
      for (; line.size() > 1; line.resize(line.size() / 2))
        for (size_t k = 0; k < line.size() / 2; ++k)
          line[k] = f(line[2 * k], line[2 * k + 1]);
      result.push_back(line[0]);
    }
  return result;
}

float add(float a, float b) { return a + b; }

TEST(Reduce, EveryAxisCombinesNeighbours) {
  auto x = randomFloats(64);
  struct {
    const char *shape, *result;
    int axis, outer, extent, inner;
  } cases[] = {{"64", "f32", 0, 1, 64, 1},
               {"4x16", "tensor<16xf32>", 0, 1, 4, 16},
               {"4x16", "tensor<4xf32>", 1, 4, 16, 1},
               {"4x2x8", "tensor<2x8xf32>", 0, 1, 4, 16},
               {"4x2x8", "tensor<4x8xf32>", 1, 4, 2, 8},
               {"4x2x8", "tensor<4x2xf32>", 2, 8, 8, 1},
               {"64x1", "tensor<64xf32>", 1, 64, 1, 1}};
  for (const auto &c : cases) {
    int kept = c.outer * c.inner;
    std::vector<float> out(kept);
    TestKernel sum(
        reduceKernel(c.shape, c.result, c.axis, 64, kept, "%c = arith.addf %a, %b : f32"));
    ASSERT_EQ(sum.run({bufferOf(x), bufferOf(out)}), "");
    EXPECT_EQ(out, pairsOf(x, c.outer, c.extent, c.inner, add)) << c.shape << " " << c.axis;
    // Several operations, and the operands' order: a - 0.5 b.
    TestKernel other(reduceKernel(c.shape, c.result, c.axis, 64, kept,
                                  "%h = arith.constant 0.5 : f32\n%d = arith.mulf %h, %b : f32\n"
                                  "%c = arith.subf %a, %d : f32"));
    ASSERT_EQ(other.run({bufferOf(x), bufferOf(out)}), "");
    auto mixed = [](float a, float b) {
      float half = 0.5f * b;
      return a - half;
    };
    EXPECT_EQ(out, pairsOf(x, c.outer, c.extent, c.inner, mixed)) << c.shape << " " << c.axis;
    // Swapped operands are no plain fold.
    TestKernel swapped(
        reduceKernel(c.shape, c.result, c.axis, 64, kept, "%c = arith.subf %b, %a : f32"));
    ASSERT_EQ(swapped.run({bufferOf(x), bufferOf(out)}), "");
    EXPECT_EQ(out, pairsOf(x, c.outer, c.extent, c.inner, [](float a, float b) { return b - a; }))
        << c.shape << " " << c.axis;
    // Control flow: the larger in magnitude.
    TestKernel branches(reduceKernel(
        c.shape, c.result, c.axis, 64, kept,
        "%p = math.absf %a : f32\n%q = math.absf %b : f32\n%l = arith.cmpf ogt, %q, %p : f32\n"
        "%c = scf.if %l -> f32 {\nscf.yield %b : f32\n} else {\nscf.yield %a : f32\n}"));
    ASSERT_EQ(branches.run({bufferOf(x), bufferOf(out)}), "");
    EXPECT_EQ(out, pairsOf(x, c.outer, c.extent, c.inner,
                           [](float a, float b) { return std::fabs(b) > std::fabs(a) ? b : a; }))
        << c.shape << " " << c.axis;
  }
}

TEST(Reduce, CombinersThatIgnoreTheirArguments) {
  auto x = randomFloats(8);
  std::vector<float> out(4);
  TestKernel constant(
      reduceKernel("2x4", "tensor<4xf32>", 0, 8, 4, "%c = arith.constant 3.0 : f32"));
  ASSERT_EQ(constant.run({bufferOf(x), bufferOf(out)}), "");
  EXPECT_EQ(out, std::vector<float>(4, 3.0f));
  TestKernel right(reduceKernel("2x4", "tensor<4xf32>", 0, 8, 4,
                                "%z = arith.constant 0.0 : f32\n%c = arith.subf %b, %z : f32"));
  ASSERT_EQ(right.run({bufferOf(x), bufferOf(out)}), "");
  EXPECT_EQ(out, std::vector<float>(x.begin() + 4, x.end()));
}

TEST(Reduce, MaximaAndNaN) {
  std::vector<float> out(1);
  for (int at = 0; at < 8; ++at) {
    std::vector<float> x = {-3, 5, 1, 7, -0.0f, 2, 4, 6};
    x[at] = NAN;
    float expected = at == 3 ? 6 : 7;
    TestKernel ignoring(reduceKernel("8", "f32", 0, 8, 1, "%c = arith.maxnumf %a, %b : f32"));
    ASSERT_EQ(ignoring.run({bufferOf(x), bufferOf(out)}), "");
    EXPECT_EQ(out[0], expected) << at;
    TestKernel propagating(reduceKernel("8", "f32", 0, 8, 1, "%c = arith.maximumf %a, %b : f32"));
    ASSERT_EQ(propagating.run({bufferOf(x), bufferOf(out)}), "");
    EXPECT_TRUE(std::isnan(out[0])) << at;
  }
}

TEST(Reduce, ArgMaxOfRows) {
  TestKernel kernel(R"(func.func @argmax(%x: !tile.ptr<f32>, %o: !tile.ptr<i32>)
    attributes {tile.kernel} {
  %i = tile.arange 0, 32 : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %flat = tile.load %px : tensor<32x!tile.ptr<f32>>
  %v = tile.reshape %flat : tensor<32xf32> -> tensor<4x8xf32>
  %j = tile.arange 0, 8 : tensor<8xi32>
  %row = tile.expand_dims %j {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %index = tile.broadcast %row : tensor<1x8xi32> -> tensor<4x8xi32>
  %best:2 = tile.reduce %v, %index {axis = 1 : i32} : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
  ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
    %gt = arith.cmpf ogt, %va, %vb : f32
    %eq = arith.cmpf oeq, %va, %vb : f32
    %lt = arith.cmpi slt, %ia, %ib : i32
    %tie = arith.andi %eq, %lt : i1
    %left = arith.ori %gt, %tie : i1
    %vr = arith.select %left, %va, %vb : f32
    %ir = arith.select %left, %ia, %ib : i32
    tile.yield %vr, %ir : f32, i32
  }
  %k = tile.arange 0, 4 : tensor<4xi32>
  %os = tile.splat %o : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %po = tile.addptr %os, %k : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %po, %best#1 : tensor<4x!tile.ptr<i32>>
  return
})");
  auto x = randomFloats(32);
  x[2] = x[5] = 1e6f; // A tie in the first row.
  x[16 + 7] = 1e6f;   // The last of the third.
  std::vector<int32_t> out(4);
  ASSERT_EQ(kernel.run({bufferOf(x), bufferOf(out)}), "");
  for (int r = 0; r < 4; ++r)
    EXPECT_EQ(out[r],
              std::max_element(x.begin() + 8 * r, x.begin() + 8 * r + 8) - (x.begin() + 8 * r));
}

TEST(Reduce, IntegersOfEveryKind) {
  std::vector<int32_t> out(2);
  TestKernel kernel(R"(func.func @k(%o: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange -4, 4 : tensor<8xi32>
  %s = tile.reduce %i {axis = 0 : i32} : tensor<8xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.minsi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %o, %s : !tile.ptr<i32>
  %t = tile.reduce %i {axis = 0 : i32} : tensor<8xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.xori %a, %b : i32
    tile.yield %c : i32
  }
  %one = arith.constant 1 : i32
  %o1 = tile.addptr %o, %one : !tile.ptr<i32>, i32
  tile.store %o1, %t : !tile.ptr<i32>
  return
})");
  ASSERT_EQ(kernel.run({bufferOf(out)}), "");
  EXPECT_EQ(out[0], -4);
  EXPECT_EQ(out[1], -4 ^ -3 ^ -2 ^ -1 ^ 0 ^ 1 ^ 2 ^ 3);
}

TEST(Reduce, ASoftmaxOfUsualSizeTakesSeconds) {
  const int rows = 1823, columns = 781;
  TestKernel kernel(R"(func.func @softmax(%x: !tile.ptr<f32>, %o: !tile.ptr<f32>, %n: i32)
    attributes {tile.kernel} {
  %pid = tile.program_id 0
  %start = arith.muli %pid, %n : i32
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %xr = tile.addptr %x, %start : !tile.ptr<f32>, i32
  %xs = tile.splat %xr : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %inf = arith.constant dense<0xff800000> : tensor<1024xf32>
  %v = tile.load %px, mask %m, other %inf : tensor<1024x!tile.ptr<f32>>
  %max = tile.reduce %v {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tile.yield %c : f32
  }
  %maxs = tile.splat %max : f32 -> tensor<1024xf32>
  %d = arith.subf %v, %maxs : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %sums = tile.splat %sum : f32 -> tensor<1024xf32>
  %q = arith.divf %e, %sums : tensor<1024xf32>
  %or = tile.addptr %o, %start : !tile.ptr<f32>, i32
  %os = tile.splat %or : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %po = tile.addptr %os, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %po, %q, mask %m : tensor<1024x!tile.ptr<f32>>
  return
})");
  auto x = randomFloats(size_t(rows) * columns);
  for (float &value : x)
    value /= 20;
  std::vector<float> out(x.size());
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(kernel.run({bufferOf(x), bufferOf(out), RefArgument::scalar(columns)}, {rows, 1, 1}),
            "");
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(time.count(), 5.0);
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[size_t(r) * columns];
    long double maximum = *std::max_element(row, row + columns), sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(row[c] - maximum);
    // The interpreter adds 781 floats one by one.
    for (int c = 0; c < columns; ++c) {
      long double want = std::exp(row[c] - maximum) / sum;
      ASSERT_NEAR(out[size_t(r) * columns + c], want, 1e-7L + 5e-5L * want) << r << " " << c;
    }
  }
}

} // namespace
