// Barriers and warp operations that not all threads reach.
#include "SimTest.h"

namespace tilec {
namespace {

class BarrierCheckTest : public SimTest {};

// Threads from 32 on take the other way; `A` and `B` are what happens on the two.
std::string branches(const std::string &a, const std::string &b) {
  std::string text = R"(
llvm.func @k() attributes {nvvm.kernel, tilegpu.num_warps = 2 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %low = llvm.mlir.constant(65535 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %m = llvm.icmp "ult" %tid, %c32 : i32
  llvm.cond_br %m, ^a, ^b
^a:
  A
^b:
  B
}
)";
  return edit(edit(text, "  A\n", a + "\n"), "  B\n", b + "\n");
}

const char *const kBarrierThenReturn = R"(nvvm.barrier0 loc("k.tile":3:5)
  llvm.return loc("k.tile":4:1))";
const char *const kOtherBarrierThenReturn = R"(nvvm.barrier0 loc("k.tile":6:5)
  llvm.return loc("k.tile":7:1))";
const char *const kReturn = R"(llvm.return loc("k.tile":9:1))";

TEST_F(BarrierCheckTest, ExitWhileOthersWait) {
  ASSERT_EQ(build(branches(kBarrierThenReturn, kReturn)), "");
  EXPECT_EQ(
      launch("k", {3, 1, 1}),
      "kernel 'k', k.tile:3:5: barrier is not reached by all threads: thread 0 waits here, but "
      "thread 32 has exited at k.tile:9:1, in program (0, 0, 0)");
  ASSERT_EQ(build(branches(kReturn, kBarrierThenReturn)), "");
  EXPECT_EQ(
      launch("k", {3, 1, 1}),
      "kernel 'k', k.tile:3:5: barrier is not reached by all threads: thread 32 waits here, but "
      "thread 0 has exited at k.tile:9:1, in program (0, 0, 0)");
}

TEST_F(BarrierCheckTest, DifferentBarriers) {
  ASSERT_EQ(build(branches(kBarrierThenReturn, kOtherBarrierThenReturn)), "");
  EXPECT_EQ(
      launch("k", {1, 1, 1}),
      "kernel 'k', k.tile:6:5: barrier is not reached by all threads: thread 32 waits here, but "
      "thread 0 waits in the barrier at k.tile:3:5, in program (0, 0, 0)");
}

TEST_F(BarrierCheckTest, WithoutTheCheckItIsAsOnTheGpu) {
  SimOptions options;
  options.checkBarriers = false;
  ASSERT_EQ(build(branches(kBarrierThenReturn, kOtherBarrierThenReturn), options), "");
  EXPECT_EQ(launch("k", {2, 1, 1}), "");
  EXPECT_EQ(stats.barriers, 2u);
  ASSERT_EQ(build(branches(kBarrierThenReturn, kReturn), options), "");
  EXPECT_EQ(launch("k", {2, 1, 1}), "");
}

TEST_F(BarrierCheckTest, BarriersWithNumbersAreApart) {
  const char *first =
      R"("nvvm.barrier"(%c1, %c32) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("k.tile":3:5)
  llvm.return loc("k.tile":4:1))";
  const char *second =
      R"("nvvm.barrier"(%c7, %c32) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("k.tile":6:5)
  llvm.return loc("k.tile":7:1))";
  ASSERT_EQ(build(branches(first, second)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}), "");
  EXPECT_EQ(stats.barriers, 2u);
  ASSERT_EQ(build(branches(edit(first, ", %c32)", ", %c64)"), second)), "");
  EXPECT_EQ(
      launch("k", {1, 1, 1}),
      "kernel 'k', k.tile:3:5: barrier is not reached by all threads: thread 0 waits here, but "
      "thread 32 has exited at k.tile:7:1, in program (0, 0, 0)");
  ASSERT_EQ(build(branches(edit(first, ", %c32)", ", %c31)"), second)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}),
            "kernel 'k', k.tile:3:5: barrier for 31 threads: expected a multiple of 32 that is at "
            "most 64 (thread 0), in program (0, 0, 0)");
  ASSERT_EQ(build(branches(edit(first, "(%c1,", "(%c32,"), second)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}),
            "kernel 'k', k.tile:3:5: barrier 32 does not exist; there are 0 to 15 (thread 0), in "
            "program (0, 0, 0)");
}

TEST_F(BarrierCheckTest, ArrivalsCount) {
  // Producers arrive and go on, consumers wait, at different places of the program.
  const char *produce = R"(nvvm.barrier.arrive id = %c1 number_of_threads = %c64 loc("k.tile":3:5)
  llvm.return loc("k.tile":4:1))";
  const char *consume =
      R"("nvvm.barrier"(%c1, %c64) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc("k.tile":6:5)
  llvm.return loc("k.tile":7:1))";
  ASSERT_EQ(build(branches(produce, consume)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}), "");
  ASSERT_EQ(build(branches(consume, produce)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}), "");
}

TEST_F(BarrierCheckTest, ShuffleThatLanesSkip) {
  // Lane 31 of warp 1 leaves before the shuffle of all lanes.
  const char *body = R"(%e = llvm.icmp "eq" %lane, %c31 : i32
  llvm.cond_br %e, ^c, ^d
^c:
  llvm.return loc("k.tile":5:1)
^d:
  %s = nvvm.shfl.sync bfly %all, %tid, %c1, %c31 : i32 -> i32 loc("k.tile":6:5)
  llvm.return loc("k.tile":7:1))";
  ASSERT_EQ(build(branches(kReturn, body)), "");
  EXPECT_EQ(
      launch("k", {1, 1, 1}),
      "kernel 'k', k.tile:6:5: shuffle is not reached by all threads: thread 32 waits here, but "
      "thread 63 has exited at k.tile:5:1, in program (0, 0, 0)");
  // The same with a barrier instead of the exit.
  ASSERT_EQ(build(branches(kReturn, edit(body, "llvm.return loc(\"k.tile\":5:1)",
                                         "nvvm.bar.warp.sync %all : i32 loc(\"k.tile\":4:2)\n"
                                         "  llvm.return loc(\"k.tile\":5:1)"))),
            "");
  EXPECT_EQ(
      launch("k", {1, 1, 1}),
      "kernel 'k', k.tile:6:5: shuffle is not reached by all threads: thread 32 waits here, but "
      "thread 63 waits in the warp barrier at k.tile:4:2, in program (0, 0, 0)");
}

TEST_F(BarrierCheckTest, ShuffleMasks) {
  const char *body =
      R"(%s = nvvm.shfl.sync idx %low, %tid, %c31, %c31 : i32 -> i32 loc("k.tile":6:5)
  llvm.return)";
  ASSERT_EQ(build(branches(kReturn, body)), "");
  EXPECT_EQ(
      launch("k", {1, 1, 1}),
      "kernel 'k', k.tile:6:5: shuffle reads lane 31, which does not take part (thread 32), in "
      "program (0, 0, 0)");
  ASSERT_EQ(build(branches(kReturn, edit(body, "%c31, %c31", "%c7, %c31"))), "");
  EXPECT_EQ(launch("k", {1, 1, 1}),
            "kernel 'k', k.tile:6:5: shuffle with mask 0xffff by a lane that the mask leaves out "
            "(thread 48), in program (0, 0, 0)");
}

TEST_F(BarrierCheckTest, HalvesOfAWarpMayShuffleApart) {
  const char *body = R"(%high = llvm.mlir.constant(-65536 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %e = llvm.icmp "ult" %lane, %c16 : i32
  llvm.cond_br %e, ^c, ^d
^c:
  %s = nvvm.shfl.sync bfly %low, %tid, %c1, %c31 : i32 -> i32
  llvm.return
^d:
  %t = nvvm.shfl.sync bfly %high, %tid, %c1, %c31 : i32 -> i32
  llvm.return)";
  ASSERT_EQ(build(branches(kReturn, body)), "");
  EXPECT_EQ(launch("k", {1, 1, 1}), "");
  EXPECT_EQ(stats.warpOperations, 2u);
}

} // namespace
} // namespace tilec
