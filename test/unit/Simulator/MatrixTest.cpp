// Tensor cores of the simulated GPU, and the checks of what ldmatrix reads.
#include "SimTest.h"

#include "lib/Support/FloatFormats.h"

namespace tilec {
namespace {

class MatrixTest : public SimTest {};

/// Each thread loads its fragments as they lie in memory, one thread's after another's.
std::string multiply(const std::string &type, const std::string &a, const std::string &b,
                     const std::string &c) {
  return R"(
llvm.func @multiply(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %pa = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<)" +
         a + R"(>
  %pb = llvm.getelementptr %b[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<)" +
         b + R"(>
  %pc = llvm.getelementptr %c[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<)" +
         c + R"(>
  %x = llvm.load %pa : !llvm.ptr<1> -> vector<)" +
         a + R"(>
  %y = llvm.load %pb : !llvm.ptr<1> -> vector<)" +
         b + R"(>
  %z = llvm.load %pc : !llvm.ptr<1> -> vector<)" +
         c + R"(>
  %r = tilegpu.mma %x, %y, %z, )" +
         type + " * " + type + " : vector<" + a + ">, vector<" + b + ">, vector<" + c + R"(>
  llvm.store %r, %pc : vector<)" +
         c + R"(>, !llvm.ptr<1>
  llvm.return
}
)";
}

/// Places of the PTX manual: of element (row, k) of the left operand, (k, column) of the right one,
/// (row, column) of the accumulator, counted over all threads. `pack` elements share a register.
unsigned lhsPlace(unsigned row, unsigned k, unsigned pack) {
  unsigned lane = row % 8 * 4 + k % (4 * pack) / pack;
  return lane * 4 * pack + (k / (4 * pack) * 2 + row / 8) * pack + k % pack;
}
unsigned rhsPlace(unsigned k, unsigned column, unsigned pack) {
  unsigned lane = column * 4 + k % (4 * pack) / pack;
  return lane * 2 * pack + k / (4 * pack) * pack + k % pack;
}
unsigned accPlace(unsigned row, unsigned column) {
  return (row % 8 * 4 + column / 2) * 4 + row / 8 * 2 + column % 2;
}

int lhsNumber(unsigned row, unsigned k) { return int(row * 5 + k * 3) % 7 - 3; }
int rhsNumber(unsigned k, unsigned column) { return int(k * 2 + column * 3) % 5 - 2; }
int sumNumber(unsigned row, unsigned column) { return int(row) - int(column); }

int product(unsigned row, unsigned column, unsigned depth) {
  int sum = sumNumber(row, column);
  for (unsigned k = 0; k < depth; ++k)
    sum += lhsNumber(row, k) * rhsNumber(k, column);
  return sum;
}

template <typename T, typename EncodeT>
std::vector<T> fragments(unsigned pack, bool isLhs, EncodeT encode) {
  const unsigned depth = 8 * pack;
  std::vector<T> values(32 * (isLhs ? 4 : 2) * pack);
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned i = 0; i < (isLhs ? 16u : 8u); ++i)
      values[isLhs ? lhsPlace(i, k, pack) : rhsPlace(k, i, pack)] =
          encode(isLhs ? lhsNumber(i, k) : rhsNumber(k, i));
  return values;
}

template <typename T, typename EncodeT>
std::vector<T> sums(EncodeT number) {
  std::vector<T> values(128);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column)
      values[accPlace(row, column)] = number(row, column);
  return values;
}

TEST_F(MatrixTest, Products) {
  auto check = [&](const std::string &type, const std::string &element, auto encode, auto like) {
    using T = decltype(like);
    SCOPED_TRACE(type);
    const unsigned pack = 4 / sizeof(T);
    ASSERT_EQ(build(multiply(type, std::to_string(4 * pack) + "x" + element,
                             std::to_string(2 * pack) + "x" + element, "4xf32")),
              "");
    T *a = upload(fragments<T>(pack, true, encode)), *b = upload(fragments<T>(pack, false, encode));
    float *c = upload(sums<float>(sumNumber));
    ASSERT_EQ(launch("multiply", {1, 1, 1}, a, b, c), "");
    EXPECT_EQ(download(c, 128), sums<float>([&](unsigned row, unsigned column) {
                return product(row, column, 8 * pack);
              }));
  };
  check("f16", "f16", encodeFP16, uint16_t());
  check("bf16", "bf16", encodeBF16, uint16_t());
  check(
      "tf32", "f32", [](int value) { return static_cast<float>(value); }, float());
  check("f8E4M3FN", "i8", encodeFP8E4, uint8_t());
  check("f8E5M2", "i8", encodeFP8E5, uint8_t());
}

TEST_F(MatrixTest, HalfSumsAreRoundedOnce) {
  ASSERT_EQ(build(multiply("f16", "8xf16", "4xf16", "4xf16")), "");
  uint16_t *a = upload(fragments<uint16_t>(2, true, encodeFP16)),
           *b = upload(fragments<uint16_t>(2, false, encodeFP16));
  // 2048 + 1 is no half: one by one the products would leave it.
  uint16_t *c = upload(std::vector<uint16_t>(128, encodeFP16(2048)));
  ASSERT_EQ(launch("multiply", {1, 1, 1}, a, b, c), "");
  EXPECT_EQ(download(c, 128), sums<uint16_t>([](unsigned row, unsigned column) {
              return encodeFP16(2048.0 + product(row, column, 16) - sumNumber(row, column));
            }));
}

TEST_F(MatrixTest, IntegersWrap) {
  ASSERT_EQ(build(multiply("i8", "16xi8", "8xi8", "4xi32")), "");
  auto extreme = [](int) { return int8_t(-128); };
  int8_t *a = upload(fragments<int8_t>(4, true, extreme)),
         *b = upload(fragments<int8_t>(4, false, extreme));
  int32_t *c = upload(std::vector<int32_t>(128, INT32_MAX));
  ASSERT_EQ(launch("multiply", {1, 1, 1}, a, b, c), "");
  EXPECT_EQ(download(c, 128), std::vector<int32_t>(128, INT32_MIN + 32 * 128 * 128 - 1));
}

TEST_F(MatrixTest, TensorCoresIgnoreLowBitsOfAFloat) {
  ASSERT_EQ(build(multiply("tf32", "4xf32", "2xf32", "4xf32")), "");
  float *a = upload(fragments<float>(1, true, [](int) { return 1.0f + 0x1.8p-11f; }));
  float *b = upload(fragments<float>(1, false, [](int) { return 1.0f; }));
  float *c = upload(std::vector<float>(128, 0.0f));
  ASSERT_EQ(launch("multiply", {1, 1, 1}, a, b, c), "");
  EXPECT_EQ(download(c, 128), std::vector<float>(128, 8.0f));
}

/// Thread t writes row t of four 8x8 matrices, then all read them.
const char *const kRows = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @rows(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32,
                                                                   tilegpu.shared_bytes = 512 : i32} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %row = llvm.getelementptr %shared[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<8xi16>
  %next = llvm.getelementptr %row[%one] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, NEXT
  %from = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi16>
  %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
  %v = llvm.load %from : !llvm.ptr<1> -> vector<8xi16>
  llvm.store %v, %row : vector<8xi16>, !llvm.ptr<3> loc("x.tile":1:1)
  nvvm.bar.warp.sync %all : i32 loc("x.tile":2:1)
  %w = tilegpu.ldmatrix ADDRESS : !llvm.ptr<3> -> vector<4xi32> loc("x.tile":3:1)
  llvm.store %w, %to : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}
)";

std::string rows(const std::string &address, const std::string &next = "vector<8xi16>") {
  return edit(edit(kRows, "ADDRESS", address), "NEXT", next);
}

TEST_F(MatrixTest, RowsAndColumns) {
  std::vector<uint16_t> numbers(256);
  for (unsigned i = 0; i < 256; ++i)
    numbers[i] = i;
  uint16_t *in = upload(numbers), *out = allocate<uint16_t>(256);
  for (bool transposed : {false, true}) {
    ASSERT_EQ(build(rows(transposed ? "%row {trans}" : "%row")), "");
    ASSERT_EQ(launch("rows", {1, 1, 1}, in, out), "");
    std::vector<uint16_t> got = download(out, 256);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned matrix = 0; matrix < 4; ++matrix)
        for (unsigned half = 0; half < 2; ++half) {
          unsigned outer = lane / 4, inner = lane % 4 * 2 + half;
          unsigned row = transposed ? inner : outer, column = transposed ? outer : inner;
          EXPECT_EQ(got[lane * 8 + matrix * 2 + half], matrix * 64 + row * 8 + column);
        }
  }
}

TEST_F(MatrixTest, RowsAreChecked) {
  uint16_t *in = upload(std::vector<uint16_t>(256, 1)), *out = allocate<uint16_t>(256);
  ASSERT_EQ(build(rows("%next")), "");
  EXPECT_EQ(launch("rows", {1, 1, 1}, in, out),
            "kernel 'rows', x.tile:3:1: load of shared memory at byte 512 is out of bounds (512 "
            "bytes) (thread 31), in program (0, 0, 0)");
  ASSERT_EQ(build(rows("%next", "i16")), "");
  std::string message = launch("rows", {1, 1, 1}, in, out);
  EXPECT_NE(message.find("x.tile:3:1"), std::string::npos) << message;
  EXPECT_NE(message.find("aligned"), std::string::npos) << message;
  std::string unordered = rows("%next");
  SimOptions options;
  options.checkUninitialisedShared = options.checkBounds = false;
  ASSERT_EQ(
      build(edit(unordered, "nvvm.bar.warp.sync %all : i32 loc(\"x.tile\":2:1)", ""), options), "");
  message = launch("rows", {1, 1, 1}, in, out);
  EXPECT_NE(message.find("races with the load at x.tile:3:1"), std::string::npos) << message;
}

} // namespace
} // namespace tilec
