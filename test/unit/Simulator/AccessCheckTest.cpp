// The checks of global memory, each with its message.
#include "SimTest.h"

namespace tilec {
namespace {

class AccessCheckTest : public SimTest {};

TEST_F(AccessCheckTest, StoreBehindTheBuffer) {
  ASSERT_EQ(build(kAdd), "");
  int n = 1000064;
  float *x = upload(std::vector<float>(n, 1.0f));
  float *out = allocate<float>(1000001);
  EXPECT_EQ(launch("add", {7813, 1, 1}, x, x, out, n),
            "kernel 'add', add.tile:9:14: store to 'out_ptr' at index 1000001 is out of bounds "
            "(1000001 elements of fp32) (thread 65), in program (7812, 0, 0)");
  // The fault is the first in the order of blocks, however the workers ran.
  for (int repeat = 0; repeat < 5; ++repeat)
    EXPECT_NE(launch("add", {7813, 1, 1}, x, x, out, n).find("(7812, 0, 0)"), std::string::npos);
}

TEST_F(AccessCheckTest, FirstBlockThatFaultsIsReported) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(300, 1.0f));
  float *out = allocate<float>(100000);
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_EQ(launch("add", {700, 1, 1}, x, x, out, 700 * 128),
              "kernel 'add', add.tile:7:10: load of 'x_ptr' at index 300 is out of bounds "
              "(300 elements of fp32) (thread 44), in program (2, 0, 0)");
}

TEST_F(AccessCheckTest, PredicateKeepsAnAccessAway) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(100, 1.0f));
  float *out = allocate<float>(100);
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, out, 100), "");
  EXPECT_EQ(download(out, 100), std::vector<float>(100, 2.0f));
  EXPECT_EQ(stats.globalAccesses, 300u);
}

TEST_F(AccessCheckTest, NeighbourBufferIsNoExcuse) {
  // Without the argument's number an access into any buffer passes; with it, only into its own.
  ASSERT_EQ(build(edit(kAdd, "%out[%i] : (!llvm.ptr<1>, i32)", "%x[%i] : (!llvm.ptr<1>, i32)")),
            "");
  float *x = upload(std::vector<float>(128, 1.0f));
  float *out = allocate<float>(128);
  EXPECT_NE(launch("add", {1, 1, 1}, x, x, out, 128).find("store to 'out_ptr' at index "),
            std::string::npos);
}

TEST_F(AccessCheckTest, UnknownArgumentIsFoundByAddress) {
  ASSERT_EQ(build(edit(kAdd, ", arg = 2 : i32", "")), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  float *out = allocate<float>(100);
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, out, 128),
            "kernel 'add', add.tile:9:14: store to 'out_ptr' at index 100 is out of bounds "
            "(100 elements of fp32) (thread 100), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, NegativeIndex) {
  ASSERT_EQ(build(edit(kAdd, "llvm.mul %block, %dim", "llvm.sub %block, %dim")), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, x, 128),
            "kernel 'add', add.tile:7:10: load of 'x_ptr' at index -128 is out of bounds "
            "(128 elements of fp32) (thread 0), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, PointerIntoABuffer) {
  // Indices count from where the argument points.
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  float *out = allocate<float>(128);
  EXPECT_EQ(launch("add", {1, 1, 1}, x + 28, x, out, 128),
            "kernel 'add', add.tile:7:10: load of 'x_ptr' at index 100 is out of bounds "
            "(100 elements of fp32) (thread 100), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, PointerToNothing) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  EXPECT_EQ(
      launch("add", {1, 1, 1}, x, x, static_cast<float *>(nullptr), 128),
      "kernel 'add', add.tile:9:14: store to address 0x0 through 'out_ptr', which points to no "
      "buffer (thread 0), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, FreedBuffer) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  float *out = allocate<float>(128);
  llvm::cantFail(memory.release(out));
  EXPECT_NE(launch("add", {1, 1, 1}, x, x, out, 128).find("'out_ptr', which points to no buffer"),
            std::string::npos);
}

TEST_F(AccessCheckTest, BoundsCanBeOff) {
  SimOptions options;
  options.checkBounds = false;
  ASSERT_EQ(build(kAdd, options), "");
  // The guard zone takes what lies behind the buffer.
  float *x = upload(std::vector<float>(128, 1.0f));
  float *out = allocate<float>(100);
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, out, 128), "");
}

// Four elements a thread, and the first address at an offset of `n` elements.
const char *const kVector = R"(
llvm.func @copy4(%x: !llvm.ptr<1> {tile.name = "x_ptr", tile.type = "*fp32"},
                 %out: !llvm.ptr<1> {tile.name = "out_ptr", tile.type = "*fp32"}, %n: i32)
    attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %j = llvm.shl %tid, %c2 : i32
  %i = llvm.add %j, %n : i32
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %po = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = tilegpu.ld %px {align = 16 : i32, arg = 0 : i32} : !llvm.ptr<1> -> vector<4xf32> loc("copy.tile":3:7)
  tilegpu.st %po, %v {align = 16 : i32, arg = 1 : i32} : !llvm.ptr<1>, vector<4xf32> loc("copy.tile":4:3)
  llvm.return
}
)";

TEST_F(AccessCheckTest, VectorAccess) {
  ASSERT_EQ(build(kVector), "");
  std::vector<float> values(128);
  for (int i = 0; i < 128; ++i)
    values[i] = static_cast<float>(i);
  float *x = upload(values);
  float *out = allocate<float>(128);
  EXPECT_EQ(launch("copy4", {1, 1, 1}, x, out, 0), "");
  EXPECT_EQ(download(out, 128), values);
}

TEST_F(AccessCheckTest, VectorThatStraddlesTheEnd) {
  ASSERT_EQ(build(kVector), "");
  float *x = upload(std::vector<float>(126, 1.0f));
  EXPECT_EQ(launch("copy4", {1, 1, 1}, x, x, 0),
            "kernel 'copy4', copy.tile:3:7: load of 'x_ptr' at index 126 is out of bounds "
            "(126 elements of fp32) (thread 31), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, Misaligned) {
  ASSERT_EQ(build(kVector), "");
  float *x = upload(std::vector<float>(256, 1.0f));
  std::string message = launch("copy4", {1, 1, 1}, x, x, 1);
  EXPECT_EQ(message.find("kernel 'copy4', copy.tile:3:7: load of 'x_ptr' at index 1 is misaligned "
                         "(address 0x"),
            0u)
      << message;
  EXPECT_NE(message.find("4 is not a multiple of 16) (thread 0), in program (0, 0, 0)"),
            std::string::npos)
      << message;
  SimOptions options;
  options.checkAlignment = false;
  ASSERT_EQ(build(kVector, options), "");
  EXPECT_EQ(launch("copy4", {1, 1, 1}, x, x, 1), "");
}

TEST_F(AccessCheckTest, UninitialisedGlobal) {
  ASSERT_EQ(build(kAdd), "");
  float *x = allocate<float>(128);
  llvm::cantFail(memory.fill(x, 0, 77 * 4));
  EXPECT_EQ(
      launch("add", {1, 1, 1}, x, x, x, 128),
      "kernel 'add', add.tile:7:10: load of 'x_ptr' at index 77 reads memory that nothing has "
      "written (thread 77), in program (0, 0, 0)");
  SimOptions options;
  options.checkUninitialisedGlobal = false;
  ASSERT_EQ(build(kAdd, options), "");
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, x, 128), "");
}

TEST_F(AccessCheckTest, StoresInitialise) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  float *y = allocate<float>(128);
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, y, 128), "");
  EXPECT_EQ(launch("add", {1, 1, 1}, y, y, y, 128), "");
  EXPECT_EQ(download(y, 128), std::vector<float>(128, 4.0f));
}

TEST_F(AccessCheckTest, LaunchAfterAFault) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(1280, 1.0f));
  float *out = allocate<float>(1280);
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_NE(launch("add", {11, 1, 1}, x, x, out, 1408), "");
    EXPECT_EQ(launch("add", {10, 1, 1}, x, x, out, 1280), "");
    EXPECT_EQ(download(out, 1280), std::vector<float>(1280, 2.0f));
  }
}

TEST_F(AccessCheckTest, Assumption) {
  const char *kernel = R"(
llvm.func @k(%n: i32) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %m = llvm.icmp "slt" %n, %c16 : i32
  llvm.intr.assume %m : i1 loc("k.tile":2:3)
  llvm.return
}
)";
  ASSERT_EQ(build(kernel), "");
  EXPECT_EQ(launch("k", {1, 1, 1}, 15), "");
  EXPECT_EQ(launch("k", {1, 1, 1}, 16),
            "kernel 'k', k.tile:2:3: assumption is false (thread 0), in program (0, 0, 0)");
  SimOptions options;
  options.checkAssumptions = false;
  ASSERT_EQ(build(kernel, options), "");
  EXPECT_EQ(launch("k", {1, 1, 1}, 16), "");
}

TEST_F(AccessCheckTest, Trap) {
  ASSERT_EQ(build(R"(
llvm.func @k() attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  "llvm.intr.trap"() : () -> () loc("k.tile":2:3)
  llvm.return
}
)"),
            "");
  EXPECT_EQ(launch("k", {1, 2, 1}),
            "kernel 'k', k.tile:2:3: trap (thread 0), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, Timeout) {
  SimOptions options;
  options.timeoutSeconds = 0.25;
  ASSERT_EQ(build(R"(
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop
^loop:
  %v = llvm.load volatile %x : !llvm.ptr<1> -> i32
  %m = llvm.icmp "eq" %v, %c0 : i32
  llvm.cond_br %m, ^loop, ^end loc("k.tile":2:3)
^end:
  llvm.return
}
)",
                  options),
            "");
  EXPECT_EQ(launch("k", {1, 1, 1}, upload(std::vector<int>(1, 0))),
            "kernel 'k', k.tile:2:3: launch did not end within 0.25 s: this loop was running "
            "(thread 0), in program (0, 0, 0)");
  EXPECT_EQ(launch("k", {1, 1, 1}, upload(std::vector<int>(1, 1))), "");
}

/// Loops for ever if `%spin` is not 0, without a look at memory; the first program traps instead if
/// `%fault` is not 0.
static const char *const kSpin = R"(
llvm.func @k(%spin: i32, %fault: i32) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %first = llvm.icmp "eq" %block, %c0 : i32
  %faulty = llvm.icmp "ne" %fault, %c0 : i32
  %traps = llvm.and %first, %faulty : i1
  llvm.cond_br %traps, ^trap, ^loop(%spin : i32)
^trap:
  "llvm.intr.trap"() : () -> () loc("k.tile":9:9)
  llvm.br ^loop(%spin : i32)
^loop(%i: i32):
  %m = llvm.icmp "ne" %i, %c0 : i32
  llvm.cond_br %m, ^body, ^end
^body:
  llvm.br ^loop(%i : i32) loc("k.tile":3:5)
^end:
  llvm.return
}
)";

TEST_F(AccessCheckTest, TimeoutOfALoopWithoutAccesses) {
  SimOptions options;
  options.timeoutSeconds = 0.25;
  ASSERT_EQ(build(kSpin, options), "");
  EXPECT_EQ(launch("k", {1, 1, 1}, 1, 0),
            "kernel 'k', k.tile:3:5: launch did not end within 0.25 s: this loop was running "
            "(thread 0), in program (0, 0, 0)");
  EXPECT_EQ(launch("k", {1, 1, 1}, 0, 0), "");
}

TEST_F(AccessCheckTest, TimeoutBetweenPrograms) {
  SimOptions options;
  options.timeoutSeconds = 0.01;
  ASSERT_EQ(build(kAdd, options), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  std::string error = launch("add", {2147483647, 1, 1}, x, x, x, 0);
  EXPECT_NE(error.find("kernel 'add', launch did not end within 0.01 s, in program ("),
            std::string::npos)
      << error;
}

TEST_F(AccessCheckTest, AFaultEndsTheLoopsOfProgramsAfterIt) {
  SimOptions options;
  options.numThreads = 4;
  ASSERT_EQ(build(kSpin, options), "");
  EXPECT_EQ(launch("k", {4, 1, 1}, 1, 1),
            "kernel 'k', k.tile:9:9: trap (thread 0), in program (0, 0, 0)");
}

TEST_F(AccessCheckTest, LaunchErrors) {
  ASSERT_EQ(build(kAdd), "");
  float *x = upload(std::vector<float>(128, 1.0f));
  EXPECT_EQ(launch("sub", {1, 1, 1}), "the module has no kernel 'sub'");
  EXPECT_EQ(launch("add", {1, 1, 1}, x, x, x), "launch of 'add' with 3 arguments, it has 4");
  EXPECT_EQ(launch("add", {1, 65536, 1}, x, x, x, 1),
            "launch of 'add': grid dimension y is 65536, the limit is 65535");
  EXPECT_EQ(launch("add", {1, 0, 1}, x, x, x, 1), "");
  EXPECT_EQ(stats.blocks, 0u);
}

TEST_F(AccessCheckTest, ModulesThatTheSimulatorRefuses) {
  EXPECT_EQ(build("llvm.func @k() attributes {nvvm.kernel} { llvm.return }"),
            "kernel 'k' needs an attribute 'tilegpu.num_warps' from 1 to 32");
  EXPECT_EQ(build(R"(llvm.func @k() attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32,
                                               tilegpu.shared_bytes = 300000 : i32} { llvm.return })"),
            "kernel 'k' needs 300000 bytes of shared memory, a block has at most 232448");
  EXPECT_EQ(build(R"(
llvm.func @k() attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  llvm.inline_asm has_side_effects "membar.gl;", "" : () -> () loc("k.tile":2:3)
  llvm.return
}
)"),
            "k.tile:2:3: the simulator cannot run inline assembly 'membar.gl;'");
  EXPECT_EQ(build(R"(
llvm.func @k() attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %0 = nvvm.read.ptx.sreg.clock : i32 loc("k.tile":2:3)
  llvm.return
}
)"),
            "k.tile:2:3: the simulator does not know 'nvvm.read.ptx.sreg.clock'");
}

} // namespace
} // namespace tilec
