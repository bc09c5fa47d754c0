// The checks of shared memory: races, reads of what nothing wrote, bounds, alignment.
#include "SimTest.h"

namespace tilec {
namespace {

class SharedCheckTest : public SimTest {
protected:
  std::string reduce(const std::string &kernel, SimOptions options = {}) {
    std::string error = build(kernel, options);
    if (!error.empty())
      return error;
    float *x = upload(std::vector<float>(4 * 128, 1.0f));
    out = allocate<float>(4);
    return launch("reduce", {4, 1, 1}, x, out);
  }
  float *out = nullptr;
};

/// One warp; each thread stores its number and then loads that of its neighbour, with `SYNC`
/// between.
const char *const kExchange = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @exchange(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 2 : i32,
                                                    tilegpu.shared_bytes = 256 : i32} {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %other = llvm.xor %tid, %c1 : i32
  %p = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %q = llvm.getelementptr %shared[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %po = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<3> loc("x.tile":1:1)
  SYNC
  %v = llvm.load %q : !llvm.ptr<3> -> i32 loc("x.tile":3:1)
  llvm.store %v, %po : i32, !llvm.ptr<1> loc("x.tile":4:1)
  llvm.return
}
)";
const std::string kSync = "  SYNC\n";

TEST_F(SharedCheckTest, RemovedBarrier) {
  // Thread 0 reads the sums of other warps before they have written them.
  std::string kernel = edit(kReduce, "nvvm.barrier0 loc(\"reduce.tile\":7:3)", "");
  EXPECT_EQ(reduce(kernel),
            "kernel 'reduce', reduce.tile:8:4: load of shared memory at byte 4 reads memory that "
            "nothing has written; is a barrier missing? (thread 0), in program (0, 0, 0)");
  // Without that check it is a race, and without both the result is wrong.
  SimOptions options;
  options.checkUninitialisedShared = false;
  EXPECT_EQ(
      reduce(kernel, options),
      "kernel 'reduce', reduce.tile:8:3: load of shared memory at byte 0 by thread 1 races with "
      "the store at reduce.tile:6:3 by thread 0: no barrier orders them, in program (0, 0, 0)");
  options.checkRaces = false;
  EXPECT_EQ(reduce(kernel, options), "");
  EXPECT_NE(download(out, 4), std::vector<float>(4, 128.0f));
}

TEST_F(SharedCheckTest, RaceIsFoundAgainAndAgain) {
  std::string kernel = edit(kReduce, "nvvm.barrier0 loc(\"reduce.tile\":7:3)", "");
  std::string first = reduce(kernel);
  for (int repeat = 0; repeat < 5; ++repeat)
    EXPECT_EQ(reduce(kernel), first);
}

TEST_F(SharedCheckTest, TwoWritersOfOneByte) {
  // All lanes write the partial sum, not only the first.
  EXPECT_EQ(
      reduce(edit(kReduce, "llvm.cond_br %first_lane, ^write, ^read", "llvm.br ^write")),
      "kernel 'reduce', reduce.tile:6:3: store to shared memory at byte 0 by thread 1 races with "
      "the store at reduce.tile:6:3 by thread 0: no barrier orders them, in program (0, 0, 0)");
}

TEST_F(SharedCheckTest, BlockBarrierOrders) {
  ASSERT_EQ(build(edit(kExchange, kSync, "  nvvm.barrier0\n")), "");
  int *out = allocate<int>(64);
  EXPECT_EQ(launch("exchange", {1, 1, 1}, out), "");
  std::vector<int> values = download(out, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], i ^ 1);
}

TEST_F(SharedCheckTest, WarpBarrierOrdersWithinAWarpOnly) {
  std::string warpBarrier = "  nvvm.bar.warp.sync %all : i32\n";
  ASSERT_EQ(build(edit(kExchange, kSync, warpBarrier)), "");
  int *out = allocate<int>(64);
  EXPECT_EQ(launch("exchange", {1, 1, 1}, out), "");
  // The neighbour in the other warp is not ordered: warp 0 has gone on when warp 1 begins.
  std::string across = edit(edit(kExchange, kSync, warpBarrier), "%other = llvm.xor %tid, %c1",
                            "%c32 = llvm.mlir.constant(32 : i32) : i32\n"
                            "  %other = llvm.xor %tid, %c32");
  SimOptions options;
  options.checkUninitialisedShared = false;
  ASSERT_EQ(build(across, options), "");
  EXPECT_EQ(
      launch("exchange", {1, 1, 1}, out),
      "kernel 'exchange', x.tile:1:1: store to shared memory at byte 128 by thread 32 races with "
      "the load at x.tile:3:1 by thread 0: no barrier orders them, in program (0, 0, 0)");
}

TEST_F(SharedCheckTest, ShuffleDoesNotOrder) {
  // PTX gives shfl.sync no memory ordering, although all lanes have arrived.
  ASSERT_EQ(build(edit(kExchange, kSync,
                       "  %s = nvvm.shfl.sync bfly %all, %tid, %c1, %c31 : i32 -> i32\n")),
            "");
  EXPECT_EQ(launch("exchange", {1, 1, 1}, allocate<int>(64)),
            "kernel 'exchange', x.tile:3:1: load of shared memory at byte 4 by thread 0 races with "
            "the store at x.tile:1:1 by thread 1: no barrier orders them, in program (0, 0, 0)");
}

TEST_F(SharedCheckTest, WriteAfterReadNeedsABarrier) {
  // The second half of a double use of the same buffer.
  std::string twice = edit(edit(kExchange, kSync, "  nvvm.barrier0\n"), "  llvm.return\n",
                           "  llvm.store %v, %p : i32, !llvm.ptr<3> loc(\"x.tile\":5:1)\n"
                           "  llvm.return\n");
  ASSERT_EQ(build(twice), "");
  EXPECT_EQ(launch("exchange", {1, 1, 1}, allocate<int>(64)),
            "kernel 'exchange', x.tile:3:1: load of shared memory at byte 0 by thread 1 races with "
            "the store at x.tile:5:1 by thread 0: no barrier orders them, in program (0, 0, 0)");
  ASSERT_EQ(
      build(edit(twice, "  llvm.store %v, %p : i32", "  nvvm.barrier0\n  llvm.store %v, %p : i32")),
      "");
  EXPECT_EQ(launch("exchange", {3, 1, 1}, allocate<int>(64)), "");
}

TEST_F(SharedCheckTest, ProducerAndConsumerBarriers) {
  // Warp 0 writes and arrives, warp 1 waits and reads.
  const char *kernel = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 2 : i32,
                                             tilegpu.shared_bytes = 128 : i32} {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %p = llvm.getelementptr %shared[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %m = llvm.icmp "ult" %tid, %c32 : i32
  llvm.cond_br %m, ^produce, ^consume
^produce:
  llvm.store %lane, %p : i32, !llvm.ptr<3>
  nvvm.barrier.arrive id = %c1 number_of_threads = %c64
  llvm.br ^end
^consume:
  "nvvm.barrier"(%c1, %c64) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()
  %v = llvm.load %p : !llvm.ptr<3> -> i32
  %po = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %po : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
)";
  ASSERT_EQ(build(kernel), "");
  int *out = allocate<int>(32);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  EXPECT_EQ(download(out, 32)[31], 31);
  // Storing after the arrival is not covered by it.
  const char *store = "  llvm.store %lane, %p : i32, !llvm.ptr<3>\n";
  const char *arrive = "  nvvm.barrier.arrive id = %c1 number_of_threads = %c64\n";
  ASSERT_EQ(build(edit(kernel, std::string(store) + arrive, std::string(arrive) + store)), "");
  EXPECT_NE(launch("k", {1, 1, 1}, out).find("races with"), std::string::npos);
}

TEST_F(SharedCheckTest, AtomicsDoNotRaceWithEachOther) {
  std::string atomics =
      edit(edit(kExchange, kSync, "  nvvm.barrier0\n"),
           "  llvm.store %v, %po : i32, !llvm.ptr<1> loc(\"x.tile\":4:1)\n",
           "  nvvm.barrier0\n"
           "  %old = llvm.atomicrmw add %shared, %c1 monotonic : !llvm.ptr<3>, i32\n"
           "  nvvm.barrier0\n"
           "  %sum = llvm.load %shared : !llvm.ptr<3> -> i32\n"
           "  llvm.store %sum, %po : i32, !llvm.ptr<1>\n");
  ASSERT_EQ(build(atomics), "");
  int *out = allocate<int>(64);
  EXPECT_EQ(launch("exchange", {1, 1, 1}, out), "");
  EXPECT_EQ(download(out, 64), std::vector<int>(64, 64));
  // An atomic and a plain load do.
  ASSERT_EQ(build(edit(atomics, "monotonic : !llvm.ptr<3>, i32\n  nvvm.barrier0\n",
                       "monotonic : !llvm.ptr<3>, i32\n")),
            "");
  EXPECT_NE(launch("exchange", {1, 1, 1}, out).find("races with the"), std::string::npos);
}

TEST_F(SharedCheckTest, NothingSurvivesABlock) {
  // Every block reads before it writes: the values of the block before do not count.
  std::string early =
      edit(kExchange, "  llvm.store %tid, %p : i32, !llvm.ptr<3> loc(\"x.tile\":1:1)\n",
           "  %w = llvm.load %p : !llvm.ptr<3> -> i32 loc(\"x.tile\":2:1)\n");
  ASSERT_EQ(build(edit(kExchange, kSync, "  nvvm.barrier0\n")), "");
  int *out = allocate<int>(64);
  EXPECT_EQ(launch("exchange", {8, 1, 1}, out), "");
  ASSERT_EQ(
      build(edit(early, kSync, "  llvm.store %tid, %p : i32, !llvm.ptr<3>\n  nvvm.barrier0\n")),
      "");
  EXPECT_EQ(
      launch("exchange", {8, 1, 1}, out),
      "kernel 'exchange', x.tile:2:1: load of shared memory at byte 0 reads memory that nothing "
      "has written; is a barrier missing? (thread 0), in program (0, 0, 0)");
}

TEST_F(SharedCheckTest, Bounds) {
  std::string kernel =
      edit(edit(kExchange, kSync, "  nvvm.barrier0\n"), "shared_bytes = 256", "shared_bytes = 250");
  ASSERT_EQ(build(kernel), "");
  int *out = allocate<int>(64);
  EXPECT_EQ(
      launch("exchange", {1, 1, 1}, out),
      "kernel 'exchange', x.tile:1:1: store to shared memory at byte 248 is out of bounds (250 "
      "bytes) (thread 62), in program (0, 0, 0)");
  std::string negative =
      edit(edit(kExchange, kSync, "  nvvm.barrier0\n"), "%shared[%tid]", "%shared[%all]");
  ASSERT_EQ(build(negative), "");
  EXPECT_EQ(
      launch("exchange", {1, 1, 1}, out),
      "kernel 'exchange', x.tile:1:1: store to shared memory at byte -4 is out of bounds (256 "
      "bytes) (thread 0), in program (0, 0, 0)");
}

TEST_F(SharedCheckTest, Misaligned) {
  std::string kernel =
      edit(edit(kExchange, kSync, "  nvvm.barrier0\n"),
           "%p = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32",
           "%p = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16");
  SimOptions options;
  ASSERT_EQ(build(kernel, options), "");
  // Two threads also overlap, which is found later.
  EXPECT_EQ(launch("exchange", {1, 1, 1}, allocate<int>(64)),
            "kernel 'exchange', x.tile:1:1: store to shared memory at byte 2 is misaligned (not a "
            "multiple of 4) (thread 1), in program (0, 0, 0)");
}

} // namespace
} // namespace tilec
