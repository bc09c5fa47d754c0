// Scans, and elements brought to other places.
#include "TestKernel.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

namespace {

using Bits = std::vector<uint64_t>;

/// A scan of eight numbers with the operations of `combiner` on %a and %b to %c.
Bits scan(const std::string &combiner, const std::string &reverse = "") {
  return evaluate({"i32"}, "i32",
                  "%r = tile.scan %0 " + reverse +
                      " {axis = 0 : i32} : $r {\n^bb0(%a: i32, %b: i32):\n" + combiner +
                      "\ntile.yield %c : i32\n}",
                  {{1, 2, 3, 4, 5, 6, 7, 8}});
}

TEST(Scan, SumsFromEitherEnd) {
  EXPECT_EQ(scan("%c = arith.addi %a, %b : i32"), (Bits{1, 3, 6, 10, 15, 21, 28, 36}));
  EXPECT_EQ(scan("%c = arith.addi %a, %b : i32", "reverse"), (Bits{36, 35, 33, 30, 26, 21, 15, 8}));
}

TEST(Scan, WhatComesFirstStandsLeft) {
  std::string digits = "%ten = arith.constant 10 : i32\n%t = arith.muli %a, %ten : i32\n"
                       "%c = arith.addi %t, %b : i32";
  EXPECT_EQ(scan(digits), (Bits{1, 12, 123, 1234, 12345, 123456, 1234567, 12345678}));
  EXPECT_EQ(scan(digits, "reverse"), (Bits{87654321, 8765432, 876543, 87654, 8765, 876, 87, 8}));
}

TEST(Scan, CombinersMayBranch) {
  EXPECT_EQ(scan("%p = arith.cmpi sgt, %a, %b : i32\n%c = scf.if %p -> i32 {\nscf.yield %a : i32\n"
                 "} else {\nscf.yield %b : i32\n}",
                 "reverse"),
            Bits(8, 8));
}

TEST(Scan, AlongTheMiddleDimension) {
  Bits result = evaluate({"i32"}, "i32",
                         "%s = tile.reshape %0 : $r -> tensor<2x2x2xi32>\n"
                         "%t = tile.scan %s {axis = 1 : i32} : tensor<2x2x2xi32> {\n"
                         "^bb0(%a: i32, %b: i32):\n%c = arith.addi %a, %b : i32\n"
                         "tile.yield %c : i32\n}\n"
                         "%r = tile.reshape %t : tensor<2x2x2xi32> -> $r",
                         {{1, 2, 3, 4, 5, 6, 7, 8}});
  EXPECT_EQ(result, (Bits{1, 2, 4, 6, 5, 6, 12, 14}));
}

TEST(Rearrange, JoinAndSplit) {
  Bits left{1, 2, 3, 4}, right{5, 6, 7, 8};
  EXPECT_EQ(evaluate({"i32", "i32"}, "i32",
                     "%j = tile.join %0, %1 : $0 -> tensor<4x2xi32>\n"
                     "%t = tile.reshape %j : tensor<4x2xi32> -> tensor<2x4xi32>\n"
                     "%u = tile.trans %t {order = array<i32: 1, 0>} : tensor<2x4xi32> -> "
                     "tensor<4x2xi32>\n"
                     "%a, %r = tile.split %u : tensor<4x2xi32> -> $r",
                     {left, right}),
            (Bits{3, 7, 4, 8}));
}

TEST(Rearrange, GatherGoesAround) {
  EXPECT_EQ(evaluate({"i32", "i8"}, "i32",
                     "%r = tile.gather %0, %1 {axis = 0 : i32} : $0, $1 -> $r",
                     {{10, 11, 12, 13}, {3, 255, 0, 6}}),
            (Bits{13, 13, 10, 12}));
}

TEST(Rearrange, HistogramCountsWhatIsInABin) {
  EXPECT_EQ(evaluate({"i32", "i1"}, "i32", "%r = tile.histogram %0, mask %1 : $1 : $0 -> $r",
                     {{2, 0, 2, 0xFFFFFFFF, 4, 3, 2, 9}, {1, 1, 1, 1, 1, 0, 1, 1}}),
            (Bits{1, 0, 3, 0, 1, 0, 0, 0}));
}

TEST(Rearrange, UndefinedElementsTravel) {
  // The second element is divided by zero; it is read in the first case only.
  for (bool isRead : {true, false}) {
    std::string error;
    evaluate(
        {"i32", "i32", "i32"}, "i32",
        "%q = arith.divsi %0, %1 : $r\n%r = tile.gather %q, %2 {axis = 0 : i32} : $r, $2 -> $r",
        {{1, 2}, {1, 0}, {0, isRead ? uint64_t(1) : uint64_t(0)}}, &error);
    EXPECT_EQ(error.empty(), !isRead) << error;
  }
  std::string error;
  evaluate({"i32", "i32"}, "i32",
           "%q = arith.divsi %0, %1 : $r\n%s = tile.scan %q {axis = 0 : i32} : $r {\n"
           "^bb0(%a: i32, %b: i32):\n%c = arith.addi %a, %b : i32\ntile.yield %c : i32\n}\n"
           "%i = arith.constant dense<0> : $r\n"
           "%r = tile.gather %s, %i {axis = 0 : i32} : $r, $r -> $r",
           {{1, 2}, {1, 0}}, &error);
  EXPECT_EQ(error, "");
}

} // namespace
