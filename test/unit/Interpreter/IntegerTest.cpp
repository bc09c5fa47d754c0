// Integer operations against wide arithmetic: all pairs of 8-bit integers, corners of the others.
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <functional>

using namespace tilec;
using namespace tilec::test;

namespace {

using Wide = __int128;
/// From (unsigned a, unsigned b, signed a, signed b, width) to the exact result.
using Reference = std::function<Wide(Wide, Wide, Wide, Wide, int)>;

Wide floorDiv(Wide a, Wide b) {
  Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
Wide ceilDiv(Wide a, Wide b) { return -floorDiv(-a, b); }

struct Case {
  const char *op;
  bool divides;
  Reference reference;
};

const std::vector<Case> kCases = {
    {"addi", false, [](Wide a, Wide b, Wide, Wide, int) { return a + b; }},
    {"subi", false, [](Wide a, Wide b, Wide, Wide, int) { return a - b; }},
    {"muli", false, [](Wide, Wide, Wide a, Wide b, int) { return a * b; }},
    {"andi", false, [](Wide a, Wide b, Wide, Wide, int) { return a & b; }},
    {"ori", false, [](Wide a, Wide b, Wide, Wide, int) { return a | b; }},
    {"xori", false, [](Wide a, Wide b, Wide, Wide, int) { return a ^ b; }},
    {"maxsi", false, [](Wide, Wide, Wide a, Wide b, int) { return a > b ? a : b; }},
    {"minsi", false, [](Wide, Wide, Wide a, Wide b, int) { return a < b ? a : b; }},
    {"maxui", false, [](Wide a, Wide b, Wide, Wide, int) { return a > b ? a : b; }},
    {"minui", false, [](Wide a, Wide b, Wide, Wide, int) { return a < b ? a : b; }},
    {"divsi", true, [](Wide, Wide, Wide a, Wide b, int) { return a / b; }},
    {"remsi", true, [](Wide, Wide, Wide a, Wide b, int) { return a % b; }},
    {"divui", true, [](Wide a, Wide b, Wide, Wide, int) { return a / b; }},
    {"remui", true, [](Wide a, Wide b, Wide, Wide, int) { return a % b; }},
    {"floordivsi", true, [](Wide, Wide, Wide a, Wide b, int) { return floorDiv(a, b); }},
    {"ceildivsi", true, [](Wide, Wide, Wide a, Wide b, int) { return ceilDiv(a, b); }},
    {"ceildivui", true, [](Wide a, Wide b, Wide, Wide, int) { return ceilDiv(a, b); }},
    {"shli", false, [](Wide a, Wide b, Wide, Wide, int w) { return b >= w ? 0 : a << int(b); }},
    {"shrui", false, [](Wide a, Wide b, Wide, Wide, int w) { return b >= w ? 0 : a >> int(b); }},
    {"shrsi", false,
     [](Wide, Wide b, Wide a, Wide, int w) { return b >= w ? (a < 0 ? -1 : 0) : a >> int(b); }},
};

Wide asSigned(uint64_t value, int width) {
  Wide wide = value;
  return wide >> (width - 1) & 1 ? wide - (Wide(1) << width) : wide;
}

uint64_t low(Wide value, int width) {
  return static_cast<uint64_t>(value) & (width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1);
}

void check(const Case &c, int width, const std::vector<uint64_t> &values) {
  std::vector<uint64_t> lefts, rights;
  for (uint64_t a : values)
    for (uint64_t b : values)
      if (!c.divides || b != 0) {
        lefts.push_back(a);
        rights.push_back(b);
      }
  std::string type = "i" + std::to_string(width);
  auto got = evaluate({type, type}, type, std::string("%r = arith.") + c.op + " %0, %1 : $0",
                      {lefts, rights});
  for (size_t i = 0; i < got.size(); ++i) {
    Wide want = c.reference(lefts[i], rights[i], asSigned(lefts[i], width),
                            asSigned(rights[i], width), width);
    ASSERT_EQ(got[i], low(want, width))
        << c.op << " " << type << " of " << lefts[i] << " and " << rights[i];
  }
}

TEST(Integer, AllPairsOf8Bits) {
  std::vector<uint64_t> all(256);
  for (unsigned i = 0; i < 256; ++i)
    all[i] = i;
  for (const Case &c : kCases)
    check(c, 8, all);
}

TEST(Integer, CornersOfOtherWidths) {
  for (int width : {1, 16, 32, 64}) {
    std::vector<uint64_t> values;
    for (Wide v : {Wide(0), Wide(1), Wide(2), Wide(3), Wide(7), Wide(width - 1), Wide(width),
                   Wide(width + 1), Wide(-1), Wide(-2), Wide(-3), (Wide(1) << (width - 1)) - 1,
                   Wide(1) << (width - 1), (Wide(1) << (width - 1)) + 1, Wide(0x5deece66d)})
      values.push_back(low(v, width));
    for (const Case &c : kCases)
      check(c, width, values);
  }
}

TEST(Integer, Comparisons) {
  std::vector<uint64_t> lefts, rights;
  for (unsigned a = 0; a < 256; a += 5)
    for (unsigned b = 0; b < 256; ++b) {
      lefts.push_back(a);
      rights.push_back(b);
    }
  const std::pair<const char *, std::function<bool(int, int, int, int)>> cases[] = {
      {"eq", [](int a, int b, int, int) { return a == b; }},
      {"ne", [](int a, int b, int, int) { return a != b; }},
      {"ult", [](int a, int b, int, int) { return a < b; }},
      {"ule", [](int a, int b, int, int) { return a <= b; }},
      {"ugt", [](int a, int b, int, int) { return a > b; }},
      {"uge", [](int a, int b, int, int) { return a >= b; }},
      {"slt", [](int, int, int a, int b) { return a < b; }},
      {"sle", [](int, int, int a, int b) { return a <= b; }},
      {"sgt", [](int, int, int a, int b) { return a > b; }},
      {"sge", [](int, int, int a, int b) { return a >= b; }}};
  for (const auto &[name, holds] : cases) {
    auto got = evaluate({"i8", "i8"}, "i1",
                        std::string("%r = arith.cmpi ") + name + ", %0, %1 : $0", {lefts, rights});
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], holds(lefts[i], rights[i], int8_t(lefts[i]), int8_t(rights[i])))
          << name << " " << lefts[i] << " " << rights[i];
  }
}

TEST(Integer, Extended) {
  std::vector<uint64_t> a = {0, 1, ~uint64_t(0), uint64_t(1) << 63, 0x123456789abcdef0},
                        b = {7, ~uint64_t(0), ~uint64_t(0), ~uint64_t(0), 0xfedcba9876543210};
  auto high = [&](const char *op) {
    return evaluate({"i64", "i64"}, "i64", std::string("%l, %r = arith.") + op + " %0, %1 : $0",
                    {a, b});
  };
  auto carry =
      evaluate({"i64", "i64"}, "i1", "%s, %r = arith.addui_extended %0, %1 : $0, $r", {a, b});
  auto unsignedHigh = high("mului_extended"), signedHigh = high("mulsi_extended");
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(carry[i], static_cast<uint64_t>(((unsigned __int128)a[i] + b[i]) >> 64));
    EXPECT_EQ(unsignedHigh[i], static_cast<uint64_t>(((unsigned __int128)a[i] * b[i]) >> 64));
    EXPECT_EQ(signedHigh[i], static_cast<uint64_t>((Wide(int64_t(a[i])) * int64_t(b[i])) >> 64));
  }
}

TEST(Integer, Conversions) {
  std::vector<uint64_t> bytes = {0, 1, 0x7f, 0x80, 0xff};
  EXPECT_EQ(evaluate({"i8"}, "i32", "%r = arith.extsi %0 : $0 to $r", {bytes}),
            (std::vector<uint64_t>{0, 1, 0x7f, 0xffffff80, 0xffffffff}));
  EXPECT_EQ(evaluate({"i8"}, "i32", "%r = arith.extui %0 : $0 to $r", {bytes}), bytes);
  EXPECT_EQ(evaluate({"i1"}, "i16", "%r = arith.extsi %0 : $0 to $r", {{0, 1}}),
            (std::vector<uint64_t>{0, 0xffff}));
  EXPECT_EQ(evaluate({"i64"}, "i1", "%r = arith.trunci %0 : $0 to $r", {{2, 3, ~0ull}}),
            (std::vector<uint64_t>{0, 1, 1}));
  EXPECT_EQ(evaluate({"i32"}, "i64",
                     "%x = arith.index_cast %0 : $0 to tensor<2xindex>\n"
                     "%r = arith.index_cast %x : tensor<2xindex> to $r",
                     {{5, 0xfffffffe}}),
            (std::vector<uint64_t>{5, ~uint64_t(1)}));
}

TEST(Integer, Math) {
  std::vector<uint64_t> x = {0, 1, 0x80, 0xff, 0x10};
  EXPECT_EQ(evaluate({"i8"}, "i8", "%r = math.ctlz %0 : $0", {x}),
            (std::vector<uint64_t>{8, 7, 0, 0, 3}));
  EXPECT_EQ(evaluate({"i8"}, "i8", "%r = math.cttz %0 : $0", {x}),
            (std::vector<uint64_t>{8, 0, 7, 0, 4}));
  EXPECT_EQ(evaluate({"i8"}, "i8", "%r = math.ctpop %0 : $0", {x}),
            (std::vector<uint64_t>{0, 1, 1, 8, 1}));
  EXPECT_EQ(evaluate({"i8"}, "i8", "%r = math.absi %0 : $0", {x}),
            (std::vector<uint64_t>{0, 1, 0x80, 1, 0x10}));
  EXPECT_EQ(evaluate({"i32", "i32"}, "i32", "%r = math.ipowi %0, %1 : $0",
                     {{3, 2, 0xffffffff, 1, 5}, {4, 40, 0xfffffffd, 0xffffffff, 0xffffffff}}),
            (std::vector<uint64_t>{81, 0, 0xffffffff, 1, 0}));
}

TEST(Integer, Select) {
  EXPECT_EQ(evaluate({"i1", "i16", "i16"}, "i16", "%r = arith.select %0, %1, %2 : $0, $1",
                     {{1, 0, 1}, {10, 11, 12}, {20, 21, 22}}),
            (std::vector<uint64_t>{10, 21, 12}));
}

TEST(Integer, DivisionByZeroIsAFault) {
  for (const char *op :
       {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"}) {
    std::string error;
    evaluate({"i32", "i32"}, "i32", std::string("%r = arith.") + op + " %0, %1 : $0",
             {{1, 2}, {1, 0}}, &error);
    EXPECT_EQ(error, "kernel 'k', test.mlir:9:6: integer division by zero, in program (0, 0, 0)")
        << op;
  }
}

/// Divides 100 + i by y[i]; then `tail` makes %r of the quotient %q, of the boolean %m, true for
/// i < n, and of %zeros.
std::string divide(const std::string &tail, int n, std::vector<int32_t> &y,
                   std::vector<int32_t> &out) {
  TestKernel kernel(R"(func.func @k(%y: !tile.ptr<i32>, %o: !tile.ptr<i32>, %n: i32)
    attributes {tile.kernel} {
  %i = tile.arange 0, 8 : tensor<8xi32>
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %hundred = arith.constant dense<100> : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<8xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %py = tile.addptr %ys, %i : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %b = tile.load %py, mask %m : tensor<8x!tile.ptr<i32>>
  %a = arith.addi %i, %hundred : tensor<8xi32>
  %q = arith.divsi %a, %b : tensor<8xi32>
  %os = tile.splat %o : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %po = tile.addptr %os, %i : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
)" + tail + "\nreturn\n}\n");
  return kernel.run({bufferOf(y), bufferOf(out), RefArgument::scalar(n)});
}

const char *const kDivisionFault =
    "kernel 'k', test.mlir:12:8: integer division by zero, in program (0, 0, 0)";

TEST(Integer, DivisionByZeroInMaskedOffElementsIsNone) {
  std::vector<int32_t> y = {1, 2, 3, 4, 5}, out(8, -1);
  const std::vector<int32_t> expected = {100, 50, 34, 25, 20, -1, -1, -1};
  const std::string store = "tile.store %po, %q, mask %m : tensor<8x!tile.ptr<i32>>";
  ASSERT_EQ(divide(store, 5, y, out), "");
  EXPECT_EQ(out, expected);
  // A select and a conjunction drop them too.
  out.assign(8, -1);
  ASSERT_EQ(divide("%r = arith.select %m, %q, %zeros : tensor<8xi1>, tensor<8xi32>\n"
                   "tile.store %po, %r : tensor<8x!tile.ptr<i32>>",
                   5, y, out),
            "");
  EXPECT_EQ(out, (std::vector<int32_t>{100, 50, 34, 25, 20, 0, 0, 0}));
  out.assign(8, -1);
  ASSERT_EQ(divide("%g = arith.cmpi sgt, %q, %zeros : tensor<8xi32>\n"
                   "%both = arith.andi %g, %m : tensor<8xi1>\n"
                   "tile.store %po, %q, mask %both : tensor<8x!tile.ptr<i32>>",
                   5, y, out),
            "");
  EXPECT_EQ(out, expected);
  y[2] = 0;
  EXPECT_EQ(divide(store, 5, y, out), kDivisionFault);
}

TEST(Integer, DivisionByZeroIsFoundWhereItMatters) {
  std::vector<int32_t> y = {1, 2, 3, 4, 5}, out(8, -1);
  const char *tails[] = {
      "tile.store %po, %q : tensor<8x!tile.ptr<i32>>",
      "%x = arith.subi %q, %q : tensor<8xi32>\n%p = tile.addptr %ys, %x : "
      "tensor<8x!tile.ptr<i32>>, tensor<8xi32>\n%l = tile.load %p : tensor<8x!tile.ptr<i32>>",
      "%g = arith.cmpi sgt, %q, %zeros : tensor<8xi32>\n"
      "tile.store %po, %zeros, mask %g : tensor<8x!tile.ptr<i32>>",
      "%s = tile.reduce %q {axis = 0 : i32} : tensor<8xi32> -> i32 {\n^bb0(%c: i32, %d: i32):\n"
      "%e = arith.addi %c, %d : i32\ntile.yield %e : i32\n}\ntile.store %o, %s : "
      "!tile.ptr<i32>",
      "%s = tile.reduce %q {axis = 0 : i32} : tensor<8xi32> -> i32 {\n^bb0(%c: i32, %d: i32):\n"
      "%e = arith.addi %c, %d : i32\ntile.yield %e : i32\n}\n%c = arith.cmpi eq, %s, %s : i32\n"
      "tile.assume %c",
      "%t = tile.reshape %q : tensor<8xi32> -> tensor<2x4xi32>\n%u = tile.trans %t {order = "
      "array<i32: 1, 0>} : tensor<2x4xi32> -> tensor<4x2xi32>\n%v = tile.reshape %u : "
      "tensor<4x2xi32> -> tensor<8xi32>\ntile.store %po, %v : tensor<8x!tile.ptr<i32>>"};
  for (const char *tail : tails) {
    EXPECT_EQ(divide(tail, 5, y, out), kDivisionFault) << tail;
  }
}

} // namespace
