// Loops, branches, calls and the limits on them.
#include "TestKernel.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

namespace {

TEST(ControlFlow, ForCarriesValues) {
  TestKernel kernel(R"(func.func @fibonacci(%o: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %c = arith.addi %a, %b : i32
    scf.yield %b, %c : i32, i32
  }
  tile.store %o, %r#0 : !tile.ptr<i32>
  return
})");
  const int expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (int n = 0; n <= 10; ++n) {
    std::vector<int32_t> out(1, -1);
    ASSERT_EQ(kernel.run({bufferOf(out), RefArgument::scalar(n)}), "");
    EXPECT_EQ(out[0], expected[n]);
  }
  std::vector<int32_t> out(1, -1);
  ASSERT_EQ(kernel.run({bufferOf(out), RefArgument::scalar(0xffffffff)}), "");
  EXPECT_EQ(out[0], 0);
}

/// The number of iterations of `for i in range(low, high, step)`, and the sum of the counters.
std::string countKernel(const std::string &type, const std::string &modifier = "") {
  return "func.func @count(%o: !tile.ptr<" + type + ">, %low: " + type + ", %high: " + type +
         ", %step: " + type + ") attributes {tile.kernel} {\n%zero = arith.constant 0 : " + type +
         "\n%one = arith.constant 1 : " + type + "\n%r:2 = scf.for " + modifier +
         " %i = %low to %high step %step iter_args(%n = %zero, %s = %zero) -> (" + type + ", " +
         type + ") : " + type + " {\n%m = arith.addi %n, %one : " + type +
         "\n%t = arith.addi %s, %i : " + type + "\nscf.yield %m, %t : " + type + ", " + type +
         "\n}\ntile.store %o, %r#0 : !tile.ptr<" + type +
         ">\n%o1 = tile.addptr %o, %one : "
         "!tile.ptr<" +
         type + ">, " + type + "\ntile.store %o1, %r#1 : !tile.ptr<" + type + ">\nreturn\n}\n";
}

TEST(ControlFlow, CountersDoNotWrap) {
  TestKernel kernel(countKernel("i32"));
  std::vector<int32_t> out(2);
  auto run = [&](uint32_t low, uint32_t high, uint32_t step) {
    return kernel.run({bufferOf(out), RefArgument::scalar(low), RefArgument::scalar(high),
                       RefArgument::scalar(step)},
                      {1, 1, 1}, 1000);
  };
  ASSERT_EQ(run(3, 20, 5), "");
  EXPECT_EQ(out, (std::vector<int32_t>{4, 3 + 8 + 13 + 18}));
  ASSERT_EQ(run(0x7ffffff0, 0x7fffffff, 8), "");
  EXPECT_EQ(out[0], 2);
  ASSERT_EQ(run(0x80000000, 0x7fffffff, 0x40000000), "");
  EXPECT_EQ(out[0], 4);
  EXPECT_EQ(run(0, 10, 0), "kernel 'count', test.mlir:4:8: loop step is not positive (it is 0), in "
                           "program (0, 0, 0)");
  EXPECT_EQ(run(0, 10, 0xfffffffe),
            "kernel 'count', test.mlir:4:8: loop step is not positive (it is -2), in program "
            "(0, 0, 0)");
  TestKernel unsignedKernel(countKernel("i32", "unsigned"));
  ASSERT_EQ(unsignedKernel.run({bufferOf(out), RefArgument::scalar(0x7ffffffe),
                                RefArgument::scalar(0x80000002), RefArgument::scalar(1)}),
            "");
  EXPECT_EQ(out[0], 4);
}

TEST(ControlFlow, LoopsCarryTensorsAndPointers) {
  TestKernel kernel(
      R"(func.func @k(%x: !tile.ptr<i32>, %o: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange 0, 4 : tensor<4xi32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : i32
  %zeros = arith.constant dense<0> : tensor<4xi32>
  %r:2 = scf.for %k = %zero to %three step %one iter_args(%acc = %zeros, %p = %x) -> (tensor<4xi32>, !tile.ptr<i32>) {
    %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
    %q = tile.addptr %ps, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    %v = tile.load %q : tensor<4x!tile.ptr<i32>>
    %sum = arith.addi %acc, %v : tensor<4xi32>
    %next = tile.addptr %p, %four : !tile.ptr<i32>, i32
    scf.yield %sum, %next : tensor<4xi32>, !tile.ptr<i32>
  }
  %os = tile.splat %o : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %po = tile.addptr %os, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %po, %r#0 : tensor<4x!tile.ptr<i32>>
  return
})");
  std::vector<int32_t> x(12), out(4);
  for (int i = 0; i < 12; ++i)
    x[i] = i * i;
  ASSERT_EQ(kernel.run({bufferOf(x), bufferOf(out)}), "");
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out[i], i * i + (i + 4) * (i + 4) + (i + 8) * (i + 8));
}

/// Steps of Collatz's sequence, which ends for every n that anyone tried.
const char *const kCollatz = R"(func.func @collatz(%o: !tile.ptr<i64>, %start: i64)
    attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%n = %start, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %c = arith.cmpi ne, %n, %one : i64
    scf.condition(%c) %steps, %n : i64, i64
  } do {
  ^bb0(%steps: i64, %n: i64):
    %low = arith.andi %n, %one : i64
    %odd = arith.trunci %low : i64 to i1
    %next = scf.if %odd -> i64 {
      %a = arith.muli %n, %three : i64
      %b = arith.addi %a, %one : i64
      scf.yield %b : i64
    } else {
      %h = arith.shrui %n, %one : i64
      scf.yield %h : i64
    }
    %more = arith.addi %steps, %one : i64
    scf.yield %next, %more : i64, i64
  }
  tile.store %o, %r#0 : !tile.ptr<i64>
  return
})";

TEST(ControlFlow, WhileAndIf) {
  TestKernel kernel(kCollatz);
  for (uint64_t start : {1, 2, 7, 27}) {
    int64_t expected = 0;
    for (uint64_t n = start; n != 1; ++expected)
      n = n % 2 ? 3 * n + 1 : n / 2;
    std::vector<int64_t> out(1, -1);
    ASSERT_EQ(kernel.run({bufferOf(out), RefArgument::scalar(start)}), "");
    EXPECT_EQ(out[0], expected);
  }
}

TEST(ControlFlow, EndlessLoopsReachTheStepLimit) {
  TestKernel kernel(kCollatz);
  std::vector<int64_t> out(1);
  // From 0 the sequence stays there.
  std::string message = kernel.run({bufferOf(out), RefArgument::scalar(0)}, {1, 1, 1}, 10000);
  EXPECT_NE(message.find("program did not end within the step limit (10000 operations)"),
            std::string::npos)
      << message;
}

TEST(ControlFlow, CallsHaveTheirOwnValues) {
  TestKernel kernel(R"(func.func @k(%o: !tile.ptr<i32>, %a: i32, %b: i32) attributes {tile.kernel} {
  %x = func.call @twice(%a) : (i32) -> i32
  %y = func.call @twice(%b) : (i32) -> i32
  %s = arith.muli %x, %y : i32
  tile.store %o, %s : !tile.ptr<i32>
  return
}
func.func private @twice(%v: i32) -> i32 {
  %two = arith.constant 2 : i32
  %r = arith.muli %v, %two : i32
  return %r : i32
})");
  std::vector<int32_t> out(1);
  ASSERT_EQ(kernel.run({bufferOf(out), RefArgument::scalar(3), RefArgument::scalar(5)}), "");
  EXPECT_EQ(out[0], 60);
}

TEST(ControlFlow, RecursionIsAnError) {
  TestKernel kernel(R"(func.func @k() attributes {tile.kernel} {
  func.call @k() : () -> ()
  return
})");
  EXPECT_EQ(kernel.run({}), "test.mlir:1:1: function 'k' calls itself, which kernels cannot");
}

TEST(ControlFlow, FaultsInLoopsNameTheProgram) {
  TestKernel kernel(R"(func.func @k(%o: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %y = tile.program_id 1
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %two step %one : i32 {
    %d = arith.subi %one, %y : i32
    %q = arith.divsi %i, %d : i32
    tile.store %o, %q : !tile.ptr<i32>
  }
  return
})");
  std::vector<int32_t> out(1);
  EXPECT_EQ(kernel.run({bufferOf(out)}, {2, 3, 1}),
            "kernel 'k', test.mlir:8:10: integer division by zero, in program (0, 1, 0)");
}

} // namespace
