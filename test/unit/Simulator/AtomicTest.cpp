// Atomics of global memory: what they do, that they are atomic between blocks, and their checks.
#include "SimTest.h"

#include "lib/Support/FloatFormats.h"

namespace tilec {
namespace {

/// A kernel of one warp with pointers `p` and `q`, and `body`.
std::string kernel(const std::string &body) {
  return R"(llvm.func @k(%p: !llvm.ptr<1> {tile.name = "p", tile.type = "*i32"},
                    %q: !llvm.ptr<1> {tile.name = "q", tile.type = "*i32"})
      attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
)" + body +
         R"(
    llvm.return
  })";
}

class SimAtomicTest : public SimTest {};

TEST_F(SimAtomicTest, EveryThreadOfEveryBlockCounts) {
  ASSERT_EQ(build(kernel(R"(
    %0 = tilegpu.atom add relaxed gpu %p, %one {arg = 0 : i32} : !llvm.ptr<1>, i32)")),
            "");
  auto *p = upload<int32_t>({5});
  auto *q = upload<int32_t>({0});
  ASSERT_EQ(launch("k", {200, 1, 1}, p, q), "");
  EXPECT_EQ(download(p, 1)[0], 5 + 200 * 32);
}

TEST_F(SimAtomicTest, ResultsAreWhatStoodThere) {
  // Tickets: every number once.
  ASSERT_EQ(build(kernel(R"(
    %0 = tilegpu.atom add relaxed gpu %p, %one {arg = 0 : i32} : !llvm.ptr<1>, i32
    %1 = llvm.getelementptr %q[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    tilegpu.st %1, %0 {align = 4 : i32, arg = 1 : i32} : !llvm.ptr<1>, i32)")),
            "");
  auto *p = upload<int32_t>({0});
  auto *q = allocate<int32_t>(320);
  ASSERT_EQ(launch("k", {10, 1, 1}, p, q), "");
  std::vector<int32_t> tickets = download(q, 320);
  for (int i = 0; i < 320; ++i)
    EXPECT_EQ(tickets[i], i);
}

TEST_F(SimAtomicTest, PredicatesLeaveMemoryAloneAndGiveZero) {
  ASSERT_EQ(build(kernel(R"(
    %m = llvm.icmp "eq" %tid, %one : i32
    %0 = tilegpu.atom xchg relaxed gpu %p, %tid, pred %m {arg = 0 : i32} : !llvm.ptr<1>, i32
    %1 = llvm.getelementptr %q[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    tilegpu.st %1, %0 {align = 4 : i32, arg = 1 : i32} : !llvm.ptr<1>, i32)")),
            "");
  auto *p = upload<int32_t>({9});
  auto *q = allocate<int32_t>(32);
  ASSERT_EQ(launch("k", {1, 1, 1}, p, q), "");
  EXPECT_EQ(download(p, 1)[0], 1);
  std::vector<int32_t> old = download(q, 32);
  EXPECT_EQ(old[0], 0);
  EXPECT_EQ(old[1], 9);
}

TEST_F(SimAtomicTest, HalvesAndSwaps) {
  ASSERT_EQ(build(kernel(R"(
    %h = llvm.mlir.constant(1.5 : f16) : f16
    %b = llvm.mlir.constant(1.5 : bf16) : bf16
    %0 = tilegpu.atom fadd relaxed gpu %p, %h {arg = 0 : i32} : !llvm.ptr<1>, f16
    %1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
    %2 = tilegpu.atom fadd relaxed gpu %1, %b {arg = 0 : i32} : !llvm.ptr<1>, bf16
    %3 = tilegpu.cas acq_rel gpu %q, %zero, %one {arg = 1 : i32} : !llvm.ptr<1>, i32
    %4 = llvm.icmp "eq" %3, %zero : i32
    %5 = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %6 = tilegpu.atom add relaxed gpu %5, %one, pred %4 {arg = 1 : i32} : !llvm.ptr<1>, i32)")),
            "");
  auto *p = upload<uint16_t>({0, 0});
  auto *q = upload<int32_t>({0, 0});
  ASSERT_EQ(launch("k", {1, 1, 1}, p, q), "");
  EXPECT_EQ(decodeFP16(download(p, 2)[0]), 48);
  EXPECT_EQ(decodeBF16(download(p, 2)[1]), 48);
  // One thread alone found the zero.
  EXPECT_EQ(download(q, 2), (std::vector<int32_t>{1, 1}));
}

TEST_F(SimAtomicTest, AccessesAreChecked) {
  const char *far = R"(
    %1 = llvm.getelementptr %p[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %2 = tilegpu.atom add relaxed gpu %1, %one {arg = 0 : i32} : !llvm.ptr<1>, i32)";
  ASSERT_EQ(build(kernel(far)), "");
  auto *small = upload<int32_t>(std::vector<int32_t>(20));
  auto *q = upload<int32_t>({0});
  EXPECT_NE(launch("k", {1, 1, 1}, small, q)
                .find("store to 'p' at index 20 is out of bounds (20 elements of i32)"),
            std::string::npos);
  auto *unwritten = allocate<int32_t>(32);
  EXPECT_NE(launch("k", {1, 1, 1}, unwritten, q).find("reads memory that nothing has written"),
            std::string::npos);
  auto *odd = reinterpret_cast<int32_t *>(
      reinterpret_cast<char *>(upload<int32_t>(std::vector<int32_t>(40))) + 2);
  EXPECT_NE(launch("k", {1, 1, 1}, odd, q).find("atomic to 'p' at index 0 is misaligned"),
            std::string::npos);
}

/// Every thread waits until `q` is not zero.
const char *const kWait = R"(
    llvm.br ^look
  ^look:
    %v = tilegpu.atom add acquire gpu %q, %zero {arg = 1 : i32} : !llvm.ptr<1>, i32 loc("w.tile":3:5)
    %c = llvm.icmp "eq" %v, %zero : i32
    llvm.cond_br %c, ^look, ^done
  ^done:)";

TEST_F(SimAtomicTest, ABlockMayWaitForALaterOne) {
  // The last block sets what all others wait for, whatever the number of host threads.
  ASSERT_EQ(build(kernel(R"(
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %last = llvm.mlir.constant(39 : i32) : i32
    %m = llvm.icmp "eq" %x, %last : i32
    %0 = tilegpu.atom add release gpu %q, %one, pred %m {arg = 1 : i32} : !llvm.ptr<1>, i32)" +
                         std::string(kWait)),
                  {}),
            "");
  auto *p = upload<int32_t>({0});
  auto *q = upload<int32_t>({0});
  ASSERT_EQ(launch("k", {40, 1, 1}, p, q), "");
  EXPECT_EQ(stats.blocks, 40u);
}

TEST_F(SimAtomicTest, WaitingForNothingIsAFault) {
  SimOptions options;
  options.livelockSeconds = 0.05;
  ASSERT_EQ(build(kernel(kWait), options), "");
  auto *p = upload<int32_t>({0});
  auto *q = upload<int32_t>({0});
  EXPECT_EQ(launch("k", {3, 1, 1}, p, q),
            "kernel 'k', w.tile:3:5: all programs wait for memory that none of them changes, in "
            "program (0, 0, 0)");
}

} // namespace
} // namespace tilec
