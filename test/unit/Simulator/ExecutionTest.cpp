// What kernels compute on the simulated GPU, and how fast.
#include "SimTest.h"

#include <cmath>
#include <thread>

namespace tilec {
namespace {

class ExecutionTest : public SimTest {};

TEST_F(ExecutionTest, VectorAdd) {
  ASSERT_EQ(build(kAdd), "");
  int n = 1000001;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000) * 0.5f;
    y[i] = static_cast<float>(i % 77) - 38.0f;
  }
  float *out = allocate<float>(n);
  EXPECT_EQ(launch("add", {(n + 127u) / 128, 1, 1}, upload(x), upload(y), out, n), "");
  std::vector<float> result = download(out, n);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(result[i], x[i] + y[i]) << i;
  EXPECT_EQ(stats.blocks, 7813u);
  EXPECT_EQ(stats.threads, 7813u * 128);
  EXPECT_EQ(stats.globalAccesses, 3u * n);
  EXPECT_LT(stats.seconds, 1.0);
}

TEST_F(ExecutionTest, ManyProgramsKeepFewStacks) {
  // A process has 65,530 mappings, and each of these blocks takes 2,048 of them.
  std::vector<std::unique_ptr<SimProgram>> programs;
  std::vector<float> x(1024, 1.0f);
  float *in = upload(x), *out = allocate<float>(x.size());
  for (unsigned i = 0; i < 40; ++i) {
    ASSERT_EQ(build(edit(kAdd, "num_warps = 4", "num_warps = 32")), "") << i;
    ASSERT_EQ(launch("add", {1, 1, 1}, in, in, out, 1024), "") << i;
    programs.push_back(std::move(program));
  }
  // What they kept is there again when they are gone.
  programs.clear();
  ASSERT_EQ(build(kAdd), "");
  EXPECT_EQ(launch("add", {1, 1, 1}, in, in, out, 1024), "");
}

TEST_F(ExecutionTest, LongFrames) {
  // As thousands of matrix products make them: more memory of the frame than a part of a block
  // holds. Their stacks are as large as the frame.
  std::string text = R"(
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %n = llvm.mlir.constant(64 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
)";
  constexpr unsigned kCount = 2500;
  for (unsigned i = 0; i < kCount; ++i) {
    std::string n = std::to_string(i);
    text += "%m" + n + " = llvm.alloca %n x i8 {alignment = 16 : i64} : (i32) -> !llvm.ptr\n";
    text += "llvm.store %one, %m" + n + " : i32, !llvm.ptr\n";
  }
  text += "%v0 = llvm.load %m0 : !llvm.ptr -> i32\n";
  for (unsigned i = 1; i < kCount; ++i) {
    std::string n = std::to_string(i), last = std::to_string(i - 1);
    text += "%l" + n + " = llvm.load %m" + n + " : !llvm.ptr -> i32\n";
    text += "%v" + n + " = llvm.add %v" + last + ", %l" + n + " : i32\n";
  }
  text += "llvm.store %v" + std::to_string(kCount - 1) + ", %out : i32, !llvm.ptr<1>\n";
  ASSERT_EQ(build(text + "llvm.return\n}\n"), "");
  int *out = allocate<int>(1);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  EXPECT_EQ(download(out, 1)[0], int(kCount));
}

TEST_F(ExecutionTest, Reduction) {
  ASSERT_EQ(build(kReduce), "");
  unsigned blocks = 300;
  std::vector<float> x(blocks * 128);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i * 7919 % 97) - 48.0f;
  float *out = allocate<float>(blocks);
  EXPECT_EQ(launch("reduce", {blocks, 1, 1}, upload(x), out), "");
  std::vector<float> result = download(out, blocks);
  for (unsigned b = 0; b < blocks; ++b) {
    double sum = 0;
    for (unsigned i = 0; i < 128; ++i)
      sum += x[b * 128 + i];
    ASSERT_EQ(result[b], sum) << b;
  }
  EXPECT_EQ(stats.barriers, blocks);
  EXPECT_EQ(stats.warpOperations, blocks * 4 * 5);
}

TEST_F(ExecutionTest, MutatedShuffleShowsInTheResult) {
  ASSERT_EQ(build(edit(kReduce, "%v2, %c4, %c31", "%v2, %c8, %c31")), "");
  std::vector<float> x(128);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  float *out = allocate<float>(1);
  EXPECT_EQ(launch("reduce", {1, 1, 1}, upload(x), out), "");
  EXPECT_NE(download(out, 1)[0], 128.0f * 127 / 2);
}

TEST_F(ExecutionTest, ShuffleKinds) {
  // out[kind * 32 + lane], value and validity in one number.
  std::string text = R"(
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %c100 = llvm.mlir.constant(100 : i32) : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
)";
  struct Case {
    const char *kind;
    unsigned offset, maskAndClamp;
  };
  // As __shfl_*_sync pass them: the clamp is 0 for up, the segment mask is (32 - width) << 8.
  const Case cases[] = {
      {"bfly", 5, 31},           {"bfly", 16, 31},         {"up", 3, 0},
      {"down", 3, 31},           {"idx", 9, 31},           {"up", 2, 24 << 8},
      {"down", 2, 24 << 8 | 31}, {"idx", 5, 24 << 8 | 31}, {"bfly", 8, 24 << 8 | 31}};
  int count = 0;
  for (const Case &c : cases) {
    std::string n = std::to_string(count);
    text += "%o" + n + " = llvm.mlir.constant(" + std::to_string(c.offset) + " : i32) : i32\n";
    text +=
        "%m" + n + " = llvm.mlir.constant(" + std::to_string(c.maskAndClamp) + " : i32) : i32\n";
    text += "%s" + n + " = nvvm.shfl.sync " + c.kind + " %all, %lane, %o" + n + ", %m" + n +
            " {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>\n";
    text += "%v" + n + " = llvm.extractvalue %s" + n + "[0] : !llvm.struct<(i32, i1)>\n";
    text += "%b" + n + " = llvm.extractvalue %s" + n + "[1] : !llvm.struct<(i32, i1)>\n";
    text += "%z" + n + " = llvm.zext %b" + n + " : i1 to i32\n";
    text += "%h" + n + " = llvm.mul %z" + n + ", %c100 : i32\n";
    text += "%r" + n + " = llvm.add %h" + n + ", %v" + n + " : i32\n";
    text += "%k" + n + " = llvm.mlir.constant(" + std::to_string(count * 32) + " : i32) : i32\n";
    text += "%i" + n + " = llvm.add %k" + n + ", %lane : i32\n";
    text += "%p" + n + " = llvm.getelementptr %out[%i" + n +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";
    text += "llvm.store %r" + n + ", %p" + n + " : i32, !llvm.ptr<1>\n";
    ++count;
  }
  ASSERT_EQ(build(text + "llvm.return\n}\n"), "");
  int *out = allocate<int>(count * 32);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  std::vector<int> result = download(out, count * 32);
  // The meaning as the CUDA guide puts it: lanes in segments of a width.
  for (int c = 0; c < count; ++c) {
    std::string kind = cases[c].kind;
    int width = 32 - static_cast<int>(cases[c].maskAndClamp >> 8);
    int offset = static_cast<int>(cases[c].offset);
    for (int lane = 0; lane < 32; ++lane) {
      int begin = lane / width * width, source = lane;
      bool valid = true;
      if (kind == "bfly") {
        source = lane ^ offset;
        valid = source < begin + width;
      } else if (kind == "up") {
        source = lane - offset;
        valid = source >= begin;
      } else if (kind == "down") {
        source = lane + offset;
        valid = source < begin + width;
      } else {
        source = begin + offset % width;
      }
      EXPECT_EQ(result[c * 32 + lane], (valid ? source : lane) + valid * 100)
          << kind << " " << offset << " width " << width << " lane " << lane;
    }
  }
}

TEST_F(ExecutionTest, VotesAndReductions) {
  ASSERT_EQ(build(R"(
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c40 = llvm.mlir.constant(40 : i32) : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %x = llvm.sub %lane, %c5 : i32
  %lt = llvm.icmp "slt" %lane, %c5 : i32
  %le = llvm.icmp "slt" %lane, %c40 : i32
  %b = nvvm.vote.sync ballot %all, %lt -> i32
  %any = nvvm.vote.sync any %all, %lt -> i1
  %every = nvvm.vote.sync all %all, %lt -> i1
  %uni = nvvm.vote.sync uni %all, %le -> i1
  %sum = nvvm.redux.sync add %x, %all : i32 -> i32
  %min = nvvm.redux.sync min %x, %all : i32 -> i32
  %umax = nvvm.redux.sync umax %x, %all : i32 -> i32
  %leader = nvvm.elect.sync -> i1
  %zany = llvm.zext %any : i1 to i32
  %zall = llvm.zext %every : i1 to i32
  %zuni = llvm.zext %uni : i1 to i32
  %p1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p2 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p3 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p4 = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p5 = llvm.getelementptr %out[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p6 = llvm.getelementptr %out[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p7 = llvm.getelementptr %out[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  tilegpu.st %out, %b, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p1, %zany, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p2, %zall, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p3, %zuni, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p4, %sum, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p5, %min, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p6, %umax, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  tilegpu.st %p7, %lane, pred %leader {align = 4 : i32} : !llvm.ptr<1>, i32
  llvm.return
}
)"),
            "");
  int *out = allocate<int>(8);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  EXPECT_EQ(download(out, 8), (std::vector<int>{31, 1, 0, 1, 31 * 32 / 2 - 160, -5, -1, 0}));
  EXPECT_EQ(stats.globalAccesses, 8u);
}

TEST_F(ExecutionTest, BarrierReductions) {
  ASSERT_EQ(build(R"(
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 4 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %m = llvm.icmp "slt" %tid, %c5 : i32
  %z = llvm.zext %m : i1 to i32
  %n = nvvm.barrier #nvvm.reduction<popc> %z -> i32
  %a = nvvm.barrier #nvvm.reduction<and> %z -> i32
  %o = nvvm.barrier #nvvm.reduction<or> %z -> i32
  %na = llvm.add %n, %a : i32
  %r = llvm.add %na, %o : i32
  %p = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
)"),
            "");
  int *out = allocate<int>(128);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  EXPECT_EQ(download(out, 128), std::vector<int>(128, 5 + 0 + 1));
}

TEST_F(ExecutionTest, ThousandThreadsAndBarriers) {
  // Every thread passes its number around the block; the shared array is used twice.
  ASSERT_EQ(build(R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 32 : i32,
                                             tilegpu.shared_bytes = 4096 : i32} {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c1023 = llvm.mlir.constant(1023 : i32) : i32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %t1 = llvm.add %tid, %c1 : i32
  %next = llvm.and %t1, %c1023 : i32
  %p = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %q = llvm.getelementptr %shared[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %po = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  %v = llvm.load %q : !llvm.ptr<3> -> i32
  nvvm.barrier0
  llvm.store %v, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  %w = llvm.load %q : !llvm.ptr<3> -> i32
  llvm.store %w, %po : i32, !llvm.ptr<1>
  llvm.return
}
)"),
            "");
  int *out = allocate<int>(1024);
  EXPECT_EQ(launch("k", {1, 1, 1}, out), "");
  std::vector<int> result = download(out, 1024);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(result[i], (i + 2) % 1024);
  EXPECT_EQ(stats.barriers, 3u);
}

TEST_F(ExecutionTest, GridOfThreeDimensions) {
  ASSERT_EQ(build(R"(
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %y = nvvm.read.ptx.sreg.ctaid.y : i32
  %z = nvvm.read.ptx.sreg.ctaid.z : i32
  %nx = nvvm.read.ptx.sreg.nctaid.x : i32
  %ny = nvvm.read.ptx.sreg.nctaid.y : i32
  %nz = nvvm.read.ptx.sreg.nctaid.z : i32
  %a = llvm.mul %z, %ny : i32
  %b = llvm.add %a, %y : i32
  %c = llvm.mul %b, %nx : i32
  %i = llvm.add %c, %x : i32
  %d = llvm.mul %x, %c10 : i32
  %e = llvm.add %d, %y : i32
  %f = llvm.mul %e, %c10 : i32
  %g = llvm.add %f, %z : i32
  %h = llvm.mul %g, %c10 : i32
  %v = llvm.add %h, %nz : i32
  %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %m = llvm.icmp "eq" %tid, %c0 : i32
  tilegpu.st %p, %v, pred %m {align = 4 : i32} : !llvm.ptr<1>, i32
  llvm.return
}
)"),
            "");
  int *out = allocate<int>(5 * 4 * 3);
  EXPECT_EQ(launch("k", {5, 4, 3}, out), "");
  std::vector<int> result = download(out, 5 * 4 * 3);
  for (int z = 0, i = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x, ++i)
        EXPECT_EQ(result[i], x * 1000 + y * 100 + z * 10 + 3);
}

TEST_F(ExecutionTest, LaunchesAtTheSameTime) {
  ASSERT_EQ(build(kReduce), "");
  unsigned blocks = 200;
  float *x = upload(std::vector<float>(blocks * 128, 0.5f));
  float *outs[] = {allocate<float>(blocks), allocate<float>(blocks), allocate<float>(blocks)};
  std::vector<SimBuffer> buffers = memory.getBuffers();
  std::string messages[3];
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int repeat = 0; repeat < 5; ++repeat) {
        void *arguments[] = {&x, &outs[t]};
        messages[t] +=
            llvm::toString(program->launch("reduce", {blocks, 1, 1}, arguments, buffers));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 3; ++t) {
    EXPECT_EQ(messages[t], "");
    EXPECT_EQ(download(outs[t], blocks), std::vector<float>(blocks, 64.0f));
  }
}

TEST_F(ExecutionTest, ManyBlocksOnAnyNumberOfWorkers) {
  for (unsigned workers : {1u, 2u, 7u}) {
    SimOptions options;
    options.numThreads = workers;
    ASSERT_EQ(build(kReduce, options), "");
    unsigned blocks = 5000;
    float *out = allocate<float>(blocks);
    EXPECT_EQ(launch("reduce", {blocks, 1, 1}, upload(std::vector<float>(blocks * 128, 0.5f)), out),
              "");
    EXPECT_EQ(download(out, blocks), std::vector<float>(blocks, 64.0f));
    EXPECT_EQ(stats.blocks, blocks);
  }
}

TEST_F(ExecutionTest, ValuesOfFalsePredicates) {
  // Without `other` it is zero.
  ASSERT_EQ(build(R"(
llvm.func @k(%x: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %no = llvm.mlir.constant(false) : i1
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.icmp "eq" %tid, %c0 : i32
  %o = llvm.mlir.constant(dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>) : vector<4xf32>
  %a = tilegpu.ld %x, pred %no {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
  %b = tilegpu.ld %x, pred %no, other %o : vector<4xf32> {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
  %p = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  tilegpu.st %out, %a, pred %first {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
  tilegpu.st %p, %b, pred %first {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
  tilegpu.st %out, %b, pred %no {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
  llvm.return
}
)"),
            "");
  float *out = allocate<float>(8);
  EXPECT_EQ(launch("k", {1, 1, 1}, upload(std::vector<float>(4, 9.0f)), out), "");
  EXPECT_EQ(download(out, 8), (std::vector<float>{0, 0, 0, 0, 1, 2, 3, 4}));
}

TEST_F(ExecutionTest, WideVectorsHaveRoomOnTheStack) {
  // 512 floats a thread in 24 live values: frames of 100 KiB and more.
  std::string text = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 2 : i32} {
  %v0 = llvm.load %in {alignment = 4 : i64} : !llvm.ptr<1> -> vector<512xf32>
)";
  for (int i = 1; i < 24; ++i)
    text += "%v" + std::to_string(i) + " = llvm.fadd %v" + std::to_string(i - 1) +
            ", %v0 : vector<512xf32>\n"
            "nvvm.barrier0\n";
  text += R"(
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.icmp "eq" %tid, %c0 : i32
  llvm.cond_br %first, ^store, ^end
^store:
  llvm.store %v23, %out {alignment = 4 : i64} : vector<512xf32>, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
)";
  ASSERT_EQ(build(text), "");
  float *out = allocate<float>(512);
  EXPECT_EQ(launch("k", {2, 1, 1}, upload(std::vector<float>(512, 1.0f)), out), "");
  EXPECT_EQ(download(out, 512), std::vector<float>(512, 24.0f));
}

TEST_F(ExecutionTest, KernelInfo) {
  ASSERT_EQ(build(std::string(kAdd) + kReduce), "");
  ASSERT_EQ(program->getKernels().size(), 2u);
  const SimKernelInfo &add = program->getKernels()[0];
  EXPECT_EQ(add.name, "add");
  EXPECT_EQ(add.numThreads, 128u);
  EXPECT_EQ(add.parameters[2].name, "out_ptr");
  EXPECT_EQ(add.parameters[2].type, "*fp32");
  EXPECT_TRUE(add.parameters[2].isPointer);
  EXPECT_FALSE(add.parameters[3].isPointer);
  EXPECT_EQ(program->getKernels()[1].sharedBytes, 16u);
}

/// A row softmax of 8 elements a thread, a block a row: what a lowered kernel does per row.
std::string softmaxKernel() {
  std::string text = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @softmax(%x: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32)
    attributes {nvvm.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 32 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %log2e = llvm.mlir.constant(1.44269502 : f32) : f32
  %inf = llvm.mlir.constant(0xFF800000 : f32) : f32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %row = nvvm.read.ptx.sreg.ctaid.x : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %warp = llvm.lshr %tid, %c5 : i32
  %lead = llvm.icmp "eq" %lane, %c0 : i32
  %base = llvm.mul %row, %n : i32
)";
  auto s = [](int i) { return std::to_string(i); };
  for (int o : {16, 8, 4, 2, 1})
    text += "%d" + s(o) + " = llvm.mlir.constant(" + s(o) + " : i32) : i32\n";
  for (int i = 0; i < 8; ++i) {
    text += "%k" + s(i) + " = llvm.mlir.constant(" + s(i * 128) + " : i32) : i32\n";
    text += "%col" + s(i) + " = llvm.add %tid, %k" + s(i) + " : i32\n";
    text += "%m" + s(i) + " = llvm.icmp \"slt\" %col" + s(i) + ", %n : i32\n";
    text += "%i" + s(i) + " = llvm.add %base, %col" + s(i) + " : i32\n";
    text += "%p" + s(i) + " = llvm.getelementptr %x[%i" + s(i) +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32\n";
    text += "%v" + s(i) + " = tilegpu.ld %p" + s(i) + ", pred %m" + s(i) +
            ", other %inf : f32 {align = 4 : i32, arg = 0 : i32} : !llvm.ptr<1> -> f32\n";
  }
  auto reduce = [&](const std::string &prefix, const std::string &value, const std::string &op,
                    const std::string &offset) {
    std::string last = "%" + value + "0";
    for (int i = 1; i < 8; ++i) {
      std::string next = "%" + prefix + "t" + s(i);
      text += next + " = " + op + "(" + last + ", %" + value + s(i) + ") : (f32, f32) -> f32\n";
      last = next;
    }
    auto combine = [&](const std::string &name, const std::string &a, const std::string &b) {
      text += name + " = " + op + "(" + a + ", " + b + ") : (f32, f32) -> f32\n";
    };
    for (int o : {16, 8, 4, 2, 1}) {
      std::string shuffled = "%" + prefix + "s" + s(o), next = "%" + prefix + "u" + s(o);
      text += shuffled + " = nvvm.shfl.sync bfly %all, " + last + ", %d" + s(o) +
              ", %c31 : f32 -> f32\n";
      combine(next, last, shuffled);
      last = next;
    }
    text += "%" + prefix + "base = llvm.getelementptr %shared[" + offset +
            "] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32\n";
    text += "%" + prefix + "p = llvm.getelementptr %" + prefix +
            "base[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32\n";
    text += "llvm.cond_br %lead, ^" + prefix + "w, ^" + prefix + "r\n^" + prefix +
            "w:\nllvm.store " + last + ", %" + prefix + "p : f32, !llvm.ptr<3>\nllvm.br ^" +
            prefix + "r\n^" + prefix + "r:\nnvvm.barrier0\n";
    for (int w = 0; w < 4; ++w) {
      text += "%" + prefix + "q" + s(w) + " = llvm.getelementptr %" + prefix + "base[" + s(w) +
              "] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32\n";
      text += "%" + prefix + "l" + s(w) + " = llvm.load %" + prefix + "q" + s(w) +
              " : !llvm.ptr<3> -> f32\n";
    }
    combine("%" + prefix + "a", "%" + prefix + "l0", "%" + prefix + "l1");
    combine("%" + prefix + "b", "%" + prefix + "l2", "%" + prefix + "l3");
    combine("%" + prefix, "%" + prefix + "a", "%" + prefix + "b");
  };
  reduce("max", "v", "llvm.intr.maximum", "0");
  for (int i = 0; i < 8; ++i) {
    text += "%c" + s(i) + "x = llvm.fsub %v" + s(i) + ", %max : f32\n";
    text += "%c" + s(i) + "y = llvm.fmul %c" + s(i) + "x, %log2e : f32\n";
    text += "%e" + s(i) + " = tilegpu.approx ex2 %c" + s(i) + "y : f32\n";
  }
  // The sum: written as fma(a, 1, b), so that both reductions share the text above.
  text += "%one = llvm.mlir.constant(1.0 : f32) : f32\n";
  std::string before = text;
  text.clear();
  reduce("sum", "e", "ADD", "4");
  size_t at;
  while ((at = text.find("ADD(")) != std::string::npos) {
    size_t comma = text.find(", ", at), close = text.find(")", comma), end = text.find("\n", close);
    std::string a = text.substr(at + 4, comma - at - 4),
                b = text.substr(comma + 2, close - comma - 2);
    text.replace(at, end - at, "llvm.fadd " + a + ", " + b + " : f32");
  }
  text = before + text;
  for (int i = 0; i < 8; ++i) {
    text += "%r" + s(i) + " = tilegpu.div_full %e" + s(i) + ", %sum : f32\n";
    text += "%o" + s(i) + " = llvm.getelementptr %out[%i" + s(i) +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32\n";
    text += "tilegpu.st %o" + s(i) + ", %r" + s(i) + ", pred %m" + s(i) +
            " {align = 4 : i32, arg = 1 : i32} : !llvm.ptr<1>, f32\n";
  }
  return text + "llvm.return\n}\n";
}

TEST_F(ExecutionTest, SoftmaxIsRightAndFast) {
  ASSERT_EQ(build(softmaxKernel()), "");
  int rows = 1823, columns = 781;
  std::vector<float> x(static_cast<size_t>(rows) * columns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i * 2654435761u % 1000) / 100.0f - 5.0f;
  float *out = allocate<float>(x.size());
  EXPECT_EQ(launch("softmax", {static_cast<unsigned>(rows), 1, 1}, upload(x), out, columns), "");
  std::vector<float> result = download(out, x.size());
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[static_cast<size_t>(r) * columns];
    double max = *std::max_element(row, row + columns), sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(row[c] - max);
    for (int c = 0; c < columns; ++c) {
      double expected = std::exp(row[c] - max) / sum;
      ASSERT_NEAR(result[static_cast<size_t>(r) * columns + c], expected, 2e-6 * expected)
          << r << " " << c;
    }
  }
  EXPECT_LT(stats.seconds, 2.0);
  RecordProperty("seconds", std::to_string(stats.seconds));
}

} // namespace
} // namespace tilec
