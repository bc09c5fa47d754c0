// Loads and stores: masks, faults and their texts, and the order of programs.
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>

using namespace tilec;
using namespace tilec::test;

namespace {

/// out[i] = x[i] + y[i] in blocks of 1024; `mask` is what the mask is called where it is used.
std::string addKernel(bool masked) {
  std::string mask = masked ? ", mask %m" : "";
  return R"(func.func @add(%x: !tile.ptr<f32> {tile.name = "x_ptr"},
    %y: !tile.ptr<f32> {tile.name = "y_ptr"}, %o: !tile.ptr<f32> {tile.name = "out_ptr"},
    %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %pid = tile.program_id 0
  %block = arith.constant 1024 : i32
  %start = arith.muli %pid, %block : i32
  %starts = tile.splat %start : i32 -> tensor<1024xi32>
  %lane = tile.arange 0, 1024 : tensor<1024xi32>
  %i = arith.addi %starts, %lane : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %a = tile.load %px)" +
         mask + R"( : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %b = tile.load %py)" +
         mask + R"( : tensor<1024x!tile.ptr<f32>>
  %c = arith.addf %a, %b : tensor<1024xf32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %po = tile.addptr %os, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %po, %c)" +
         mask + R"( : tensor<1024x!tile.ptr<f32>>
  return
})";
}

struct AddData {
  std::vector<float> x, y, out;
  explicit AddData(size_t n) : x(n), y(n), out(n, -1) {
    for (size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i) * 0.5f;
      y[i] = 1 / (1 + static_cast<float>(i));
    }
  }
  std::vector<RefArgument> args() {
    return {bufferOf(x), bufferOf(y), bufferOf(out), RefArgument::scalar(x.size())};
  }
};

TEST(Memory, AMillionElementsAreAddedQuickly) {
  AddData data(1000001);
  TestKernel kernel(addKernel(/*masked=*/true));
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(kernel.run(data.args(), {977, 1, 1}), "");
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  for (size_t i = 0; i < data.x.size(); ++i)
    ASSERT_EQ(data.out[i], data.x[i] + data.y[i]) << i;
  EXPECT_LT(time.count(), 2.0);
}

TEST(Memory, OutOfBoundsNamesKernelLineArgumentIndexAndProgram) {
  AddData data(1000001);
  TestKernel kernel(addKernel(/*masked=*/false));
  EXPECT_EQ(kernel.run(data.args(), {977, 1, 1}),
            "kernel 'add', test.mlir:14:8: load of 'x_ptr' at index 1000001 is out of bounds "
            "(1000001 elements of fp32), in program (976, 0, 0)");
}

TEST(Memory, TheFirstProgramsFaultIsReportedWhateverTheThreadsDo) {
  AddData data(5000);
  TestKernel kernel(addKernel(/*masked=*/false));
  for (unsigned threads : {1, 2, 8})
    for (int repeat = 0; repeat < 20; ++repeat)
      ASSERT_EQ(kernel.run(data.args(), {64, 1, 1}, 0, threads),
                "kernel 'add', test.mlir:14:8: load of 'x_ptr' at index 5000 is out of bounds "
                "(5000 elements of fp32), in program (4, 0, 0)");
}

TEST(Memory, TheErrorHasItsFields) {
  AddData data(3);
  data.out.pop_back();
  TestKernel kernel(addKernel(/*masked=*/true));
  RefLaunch launch;
  auto args = data.args();
  launch.kernel = kernel.get();
  launch.args = args;
  bool handled = false;
  llvm::Error rest = llvm::handleErrors(runReference(launch), [&](const AccessFaultError &error) {
    const AccessFault &fault = error.getFault();
    EXPECT_EQ(fault.kind, AccessFault::Kind::OutOfBounds);
    EXPECT_TRUE(fault.isStore);
    EXPECT_EQ(fault.kernel, "add");
    EXPECT_EQ(fault.file, "test.mlir");
    EXPECT_EQ(fault.line, 21u);
    EXPECT_EQ(fault.argument, "out_ptr");
    EXPECT_EQ(fault.index, 2);
    EXPECT_EQ(fault.elements, 2);
    EXPECT_EQ(fault.elementType, "fp32");
    handled = true;
  });
  EXPECT_TRUE(handled);
  EXPECT_FALSE(static_cast<bool>(rest));
  EXPECT_EQ(data.out, (std::vector<float>{1.0f, 1.0f}));
}

TEST(Memory, ReadingWhatNothingWroteIsAFault) {
  AddData data(1500);
  std::vector<uint8_t> map(1500 * 4, 1), outMap(1500 * 4, 0);
  map[4 * 1200 + 2] = 0;
  auto args = data.args();
  args[1] = bufferOf(data.y, map.data());
  args[2] = bufferOf(data.out, outMap.data());
  TestKernel kernel(addKernel(/*masked=*/true));
  EXPECT_EQ(kernel.run(args, {2, 1, 1}),
            "kernel 'add', test.mlir:17:8: load of 'y_ptr' at index 1200 reads memory that nothing "
            "has written, in program (1, 0, 0)");
  map[4 * 1200 + 2] = 1;
  EXPECT_EQ(kernel.run(args, {2, 1, 1}), "");
  EXPECT_EQ(outMap, std::vector<uint8_t>(1500 * 4, 1));
}

TEST(Memory, PointersKeepTheirArgument) {
  // Neighbours in one allocation: without provenance the load would be of `b`.
  std::vector<float> memory(8, 1.0f);
  TestKernel kernel(R"(func.func @k(%a: !tile.ptr<f32> {tile.name = "a"},
    %b: !tile.ptr<f32> {tile.name = "b"}, %i: i64) attributes {tile.kernel} {
  %p = tile.addptr %a, %i : !tile.ptr<f32>, i64
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %b, %v : !tile.ptr<f32>
  return
})");
  auto run = [&](int64_t i) {
    return kernel.run({RefArgument::buffer(&memory[0], 16), RefArgument::buffer(&memory[4], 16),
                       RefArgument::scalar(static_cast<uint64_t>(i))});
  };
  EXPECT_EQ(run(3), "");
  EXPECT_EQ(run(4), "kernel 'k', test.mlir:4:8: load of 'a' at index 4 is out of bounds "
                    "(4 elements of fp32), in program (0, 0, 0)");
  EXPECT_EQ(run(-1), "kernel 'k', test.mlir:4:8: load of 'a' at index -1 is out of bounds "
                     "(4 elements of fp32), in program (0, 0, 0)");
  EXPECT_EQ(run(int64_t(1) << 33),
            "kernel 'k', test.mlir:4:8: load of 'a' at index 8589934592 is out of bounds "
            "(4 elements of fp32), in program (0, 0, 0)");
}

TEST(Memory, NullBuffersAndForeignAddresses) {
  TestKernel kernel(R"(func.func @k(%a: !tile.ptr<i16> {tile.name = "a"},
    %address: i64) attributes {tile.kernel} {
  %p = tile.int_to_ptr %address : i64 -> !tile.ptr<i16>
  %v = tile.load %p : !tile.ptr<i16>
  tile.store %a, %v : !tile.ptr<i16>
  return
})");
  std::vector<int16_t> memory = {7, 8};
  auto address = reinterpret_cast<uintptr_t>(&memory[1]);
  EXPECT_EQ(kernel.run({RefArgument::buffer(nullptr, 0), RefArgument::scalar(0x1234)}),
            "kernel 'k', test.mlir:4:8: load of address 0x1234, which no argument holds, in "
            "program (0, 0, 0)");
  // A host address, as a table of pointers in memory has them.
  EXPECT_EQ(kernel.run({bufferOf(memory), RefArgument::scalar(address)}), "");
  EXPECT_EQ(memory[0], 8);
  EXPECT_EQ(kernel.run({bufferOf(memory), RefArgument::scalar(address - 1)}).substr(0, 62),
            "kernel 'k', test.mlir:4:8: load of 'a' at index 0 is misaligne");
}

TEST(Memory, BuffersThatNoArgumentNames) {
  TestKernel kernel(R"(func.func @k(%a: !tile.ptr<i16> {tile.name = "a"},
    %address: i64) attributes {tile.kernel} {
  %p = tile.int_to_ptr %address : i64 -> !tile.ptr<i16>
  %v = tile.load %p : !tile.ptr<i16>
  tile.store %a, %v : !tile.ptr<i16>
  return
})");
  std::vector<int16_t> result = {0}, other = {7, 8, 9};
  auto run = [&](const int16_t *from, std::vector<uint8_t> written) {
    RefArgument args[] = {bufferOf(result), RefArgument::scalar(reinterpret_cast<uintptr_t>(from))};
    RefArgument memory[] = {RefArgument::buffer(other.data(), 4, written.data())};
    RefLaunch launch;
    launch.kernel = kernel.get();
    launch.args = args;
    launch.memory = memory;
    return toString(runReference(launch));
  };
  EXPECT_EQ(run(&other[1], {1, 1, 1, 1}), "");
  EXPECT_EQ(result[0], 8);
  EXPECT_NE(run(&other[1], {1, 1, 0, 0}).find("that nothing has written"), std::string::npos);
  EXPECT_NE(run(&other[2], {1, 1, 1, 1}).find("which no argument holds"), std::string::npos);
}

TEST(Memory, MasksAndOther) {
  TestKernel kernel(R"(func.func @k(%x: !tile.ptr<i32>, %o: !tile.ptr<i32>, %q: !tile.ptr<i32>)
    attributes {tile.kernel} {
  %i = tile.arange 0, 4 : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %m = arith.cmpi slt, %i, %two : tensor<4xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %other = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %a = tile.load %px, mask %m, other %other : tensor<4x!tile.ptr<i32>>
  %b = tile.load %px, mask %m : tensor<4x!tile.ptr<i32>>
  %os = tile.splat %o : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %po = tile.addptr %os, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %po, %a : tensor<4x!tile.ptr<i32>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %pq = tile.addptr %qs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %pq, %b : tensor<4x!tile.ptr<i32>>
  return
})");
  std::vector<int32_t> x = {10, 20}, a(4, -1), b(4, -1);
  ASSERT_EQ(kernel.run({bufferOf(x), bufferOf(a), bufferOf(b)}), "");
  EXPECT_EQ(a, (std::vector<int32_t>{10, 20, 3, 4}));
  EXPECT_EQ(b, (std::vector<int32_t>{10, 20, 0, 0}));
}

TEST(Memory, OfTwoStoresToOneAddressTheLastWins) {
  TestKernel kernel(R"(func.func @k(%o: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange 0, 8 : tensor<8xi32>
  %p = tile.splat %o : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  tile.store %p, %i : tensor<8x!tile.ptr<i32>>
  return
})");
  std::vector<int32_t> out(1, -1);
  ASSERT_EQ(kernel.run({bufferOf(out)}), "");
  EXPECT_EQ(out[0], 7);
}

TEST(Memory, OffsetsAreExtendedBySign) {
  TestKernel kernel(R"(func.func @k(%x: !tile.ptr<i32>, %i: i8, %o: !tile.ptr<i64>)
    attributes {tile.kernel} {
  %p = tile.addptr %x, %i : !tile.ptr<i32>, i8
  %q = tile.addptr %x, %i unsigned : !tile.ptr<i32>, i8
  %a = tile.ptr_to_int %x : !tile.ptr<i32> -> i64
  %b = tile.ptr_to_int %p : !tile.ptr<i32> -> i64
  %c = tile.ptr_to_int %q : !tile.ptr<i32> -> i64
  %ba = arith.subi %b, %a : i64
  %ca = arith.subi %c, %a : i64
  tile.store %o, %ba : !tile.ptr<i64>
  %one = arith.constant 1 : i32
  %o1 = tile.addptr %o, %one : !tile.ptr<i64>, i32
  tile.store %o1, %ca : !tile.ptr<i64>
  return
})");
  std::vector<int32_t> x(1);
  std::vector<int64_t> out(2);
  ASSERT_EQ(kernel.run({bufferOf(x), RefArgument::scalar(0xff), bufferOf(out)}), "");
  EXPECT_EQ(out, (std::vector<int64_t>{-4, 255 * 4}));
}

TEST(Memory, WrongArgumentsAreNamed) {
  AddData data(8);
  TestKernel kernel(addKernel(/*masked=*/true));
  auto args = data.args();
  args.pop_back();
  EXPECT_EQ(kernel.run(args), "kernel 'add' has 4 parameters, but the launch has 3 arguments");
  args.push_back(bufferOf(data.x));
  EXPECT_EQ(kernel.run(args),
            "parameter 'n' of kernel 'add' is a scalar, but its argument is a buffer");
  args = data.args();
  args[0] = RefArgument::scalar(1);
  EXPECT_EQ(kernel.run(args),
            "parameter 'x_ptr' of kernel 'add' is a pointer, but its argument is a scalar");
  EXPECT_EQ(kernel.run(data.args(), {1, -1, 1}),
            "grid of kernel 'add' is -1 along y; it must be 0 to 2147483647");
}

TEST(Memory, PromisedDivisibilityIsChecked) {
  TestKernel kernel(R"(func.func @k(%n: i32 {tile.name = "n", tile.divisibility = 16 : i32})
    attributes {tile.kernel} {
  return
})");
  EXPECT_EQ(kernel.run({RefArgument::scalar(48)}), "");
  EXPECT_EQ(kernel.run({RefArgument::scalar(0xfffffff0)}), "");
  EXPECT_EQ(kernel.run({RefArgument::scalar(1001)}),
            "argument 'n' of kernel 'k' is 1001, but the kernel was compiled for a multiple of 16");
}

TEST(Memory, AnEmptyGridRunsNothing) {
  AddData data(8);
  TestKernel kernel(addKernel(/*masked=*/true));
  for (std::array<int64_t, 3> grid :
       {std::array<int64_t, 3>{0, 1, 1}, {1, 0, 1}, {65536, 65536, 0}})
    EXPECT_EQ(kernel.run(data.args(), grid), "");
  EXPECT_EQ(data.out, std::vector<float>(8, -1));
}

} // namespace
