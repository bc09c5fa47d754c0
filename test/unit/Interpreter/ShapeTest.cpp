// The grid, shapes and promises.
#include "TestKernel.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

namespace {

TEST(Shape, ProgramIdsAndGrid) {
  TestKernel kernel(R"(func.func @k(%o: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = tile.program_id 0
  %y = tile.program_id 1
  %z = tile.program_id 2
  %nx = tile.num_programs 0
  %ny = tile.num_programs 1
  %nz = tile.num_programs 2
  %zy = arith.muli %z, %ny : i32
  %zy1 = arith.addi %zy, %y : i32
  %zyx = arith.muli %zy1, %nx : i32
  %i = arith.addi %zyx, %x : i32
  %h = arith.constant 100 : i32
  %a = arith.muli %z, %h : i32
  %b = arith.addi %a, %y : i32
  %c = arith.muli %b, %h : i32
  %d = arith.addi %c, %x : i32
  %e = arith.muli %d, %h : i32
  %v = arith.addi %e, %nz : i32
  %p = tile.addptr %o, %i : !tile.ptr<i32>, i32
  tile.store %p, %v : !tile.ptr<i32>
  return
})");
  std::vector<int32_t> out(3 * 4 * 5, -1);
  ASSERT_EQ(kernel.run({bufferOf(out)}, {3, 4, 5}), "");
  for (int z = 0; z < 5; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 3; ++x)
        EXPECT_EQ(out[(z * 4 + y) * 3 + x], ((z * 100 + y) * 100 + x) * 100 + 5);
}

/// Applies `body`, which makes %r of type `result` of %v : tensor<2x4x8xi32> that counts up.
std::vector<int32_t> shuffle(const std::string &body, const std::string &result, int size) {
  std::string n = std::to_string(size);
  TestKernel kernel("func.func @k(%o: !tile.ptr<i32>) attributes {tile.kernel} {\n"
                    "%flat = tile.arange 0, 64 : tensor<64xi32>\n"
                    "%v = tile.reshape %flat : tensor<64xi32> -> tensor<2x4x8xi32>\n" +
                    body + "\n%result = tile.reshape %r : " + result + " -> tensor<" + n +
                    "xi32>\n"
                    "%i = tile.arange 0, " +
                    n + " : tensor<" + n +
                    "xi32>\n"
                    "%os = tile.splat %o : !tile.ptr<i32> -> tensor<" +
                    n +
                    "x!tile.ptr<i32>>\n"
                    "%po = tile.addptr %os, %i : tensor<" +
                    n + "x!tile.ptr<i32>>, tensor<" + n +
                    "xi32>\ntile.store %po, %result : tensor<" + n +
                    "x!tile.ptr<i32>>\nreturn\n}\n");
  std::vector<int32_t> out(size, -1);
  EXPECT_EQ(kernel.run({bufferOf(out)}), "");
  return out;
}

TEST(Shape, TransposeMovesDimensions) {
  auto out = shuffle("%r = tile.trans %v {order = array<i32: 2, 0, 1>} : tensor<2x4x8xi32> -> "
                     "tensor<8x2x4xi32>",
                     "tensor<8x2x4xi32>", 64);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 4; ++b)
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(out[(c * 2 + a) * 4 + b], (a * 4 + b) * 8 + c);
}

TEST(Shape, BroadcastStretchesDimensionsOfOne) {
  auto out = shuffle("%two = tile.arange 6, 8 : tensor<2xi32>\n"
                     "%e = tile.expand_dims %two {axis = 1 : i32} : tensor<2xi32> -> "
                     "tensor<2x1xi32>\n"
                     "%f = tile.expand_dims %e {axis = 0 : i32} : tensor<2x1xi32> -> "
                     "tensor<1x2x1xi32>\n"
                     "%r = tile.broadcast %f : tensor<1x2x1xi32> -> tensor<4x2x8xi32>",
                     "tensor<4x2x8xi32>", 64);
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(out[(a * 2 + b) * 8 + c], 6 + b);
}

TEST(Shape, SplatHintAndReshapeKeepElements) {
  EXPECT_EQ(shuffle("%c = arith.constant 9 : i32\n"
                    "%s = tile.splat %c : i32 -> tensor<2x4xi32>\n"
                    "%r = tile.hint %s {divisibility = array<i64: 3, 3>} : tensor<2x4xi32>",
                    "tensor<2x4xi32>", 8),
            std::vector<int32_t>(8, 9));
  EXPECT_EQ(shuffle("%c = arith.constant 9 : i32\n%r = tile.splat %c : i32 -> tensor<1x1xi32>",
                    "tensor<1x1xi32>", 1),
            std::vector<int32_t>(1, 9));
}

TEST(Shape, FalseAssumptionsAreFaults) {
  TestKernel kernel(R"(func.func @k(%n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %zero : i32
  tile.assume %positive
  tile.barrier
  return
})");
  EXPECT_EQ(kernel.run({RefArgument::scalar(1)}), "");
  EXPECT_EQ(kernel.run({RefArgument::scalar(0)}, {2, 1, 1}),
            "kernel 'k', test.mlir:4:3: assumption is false, in program (0, 0, 0)");
}

} // namespace
