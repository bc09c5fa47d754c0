// Kernels that the compiler lowered: their results, and that the checks find what they are for.
#include "SimTest.h"

#include "lib/Pipeline/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>

namespace tilec {
namespace {

const char *const kSoftmax = R"(
func.func @softmax(%x: !tile.ptr<f32> {tile.name = "x", tile.type = "*fp32"},
                   %out: !tile.ptr<f32> {tile.name = "out", tile.type = "*fp32"},
                   %stride: i32 {tile.name = "stride", tile.type = "i32"},
                   %n: i32 {tile.name = "n", tile.type = "i32"}) attributes {tile.kernel} {
  %inf = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %row = tile.program_id 0
  %cols = tile.arange 0, 1024 : tensor<1024xi32>
  %limit = tile.splat %n : i32 -> tensor<1024xi32>
  %inside = arith.cmpi slt, %cols, %limit : tensor<1024xi32>
  %begin = arith.muli %row, %stride : i32
  %px = tile.addptr %x, %begin : !tile.ptr<f32>, i32
  %sx = tile.splat %px : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ax = tile.addptr %sx, %cols : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %ax, mask %inside, other %inf : tensor<1024x!tile.ptr<f32>> loc("softmax.tile":12:13)
  %max = tile.reduce %v {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tile.yield %m : f32
  }
  %smax = tile.splat %max : f32 -> tensor<1024xf32>
  %d = arith.subf %v, %smax : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  %ssum = tile.splat %sum : f32 -> tensor<1024xf32>
  %q = arith.divf %e, %ssum : tensor<1024xf32>
  %po = tile.addptr %out, %begin : !tile.ptr<f32>, i32
  %so = tile.splat %po : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ao = tile.addptr %so, %cols : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %ao, %q, mask %inside : tensor<1024x!tile.ptr<f32>> loc("softmax.tile":15:5)
  return
}
)";

/// out[j, i] = x[i, j] for one tile of 32 by 64: a trip through shared memory.
const char *const kTranspose = R"(
func.func @transpose(%x: !tile.ptr<f32> {tile.name = "x", tile.type = "*fp32"},
                     %out: !tile.ptr<f32> {tile.name = "out", tile.type = "*fp32"}) attributes {tile.kernel} {
  %rows = arith.constant dense<32> : tensor<64x1xi32>
  %columns = arith.constant dense<64> : tensor<32x1xi32>
  %r = tile.arange 0, 32 : tensor<32xi32>
  %c = tile.arange 0, 64 : tensor<64xi32>
  %r0 = tile.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c0 = tile.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %r1 = arith.muli %r0, %columns : tensor<32x1xi32>
  %r2 = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x64xi32>
  %c2 = tile.broadcast %c0 : tensor<1x64xi32> -> tensor<32x64xi32>
  %from = arith.addi %r2, %c2 : tensor<32x64xi32>
  %sx = tile.splat %x : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %ax = tile.addptr %sx, %from : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %v = tile.load %ax : tensor<32x64x!tile.ptr<f32>>
  %t = tile.trans %v {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
  %c3 = tile.expand_dims %c {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %r3 = tile.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %c4 = arith.muli %c3, %rows : tensor<64x1xi32>
  %c5 = tile.broadcast %c4 : tensor<64x1xi32> -> tensor<64x32xi32>
  %r5 = tile.broadcast %r3 : tensor<1x32xi32> -> tensor<64x32xi32>
  %to = arith.addi %c5, %r5 : tensor<64x32xi32>
  %so = tile.splat %out : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %ao = tile.addptr %so, %to : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  tile.store %ao, %t : tensor<64x32x!tile.ptr<f32>>
  return
}
)";

class LoweredKernelTest : public SimTest {
protected:
  LoweredKernelTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> lower(const char *text, unsigned numWarps) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "k.mlir");
    if (!module)
      return {};
    PipelineOptions options;
    options.numWarps = numWarps;
    mlir::PassManager passes(&context);
    buildTilePipeline(passes, options);
    buildTileGPUPipeline(passes, options);
    buildLoweringPipeline(passes, options);
    if (mlir::failed(passes.run(*module)))
      return {};
    return module;
  }

  std::string load(mlir::ModuleOp module, SimOptions options = {}) {
    auto result = SimProgram::create(module, options);
    if (!result)
      return llvm::toString(result.takeError());
    program = std::move(*result);
    return "";
  }

  /// Launches without each barrier of the kernel in turn: no launch may succeed.
  template <typename LaunchT>
  void removeBarriers(const char *text, unsigned numWarps, LaunchT launchOnce) {
    unsigned count = 0;
    auto countOf = [&](mlir::ModuleOp module) {
      unsigned n = 0;
      module.walk([&](mlir::NVVM::Barrier0Op) { ++n; });
      return n;
    };
    count = countOf(*lower(text, numWarps));
    EXPECT_GT(count, 0u);
    for (unsigned removed = 0; removed < count; ++removed) {
      auto module = lower(text, numWarps);
      unsigned n = 0;
      module->walk([&](mlir::NVVM::Barrier0Op op) {
        if (n++ == removed)
          op.erase();
      });
      ASSERT_EQ(load(*module), "");
      std::string message = launchOnce();
      bool found = message.find("races with") != std::string::npos ||
                   message.find("is a barrier missing?") != std::string::npos;
      EXPECT_TRUE(found) << "without barrier " << removed << " of " << count << " with " << numWarps
                         << " warps: " << message;
    }
  }
};

TEST_F(LoweredKernelTest, Softmax) {
  int rows = 37, columns = 781;
  std::vector<float> x(static_cast<size_t>(rows) * columns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i * 2654435761u % 1000) / 100.0f - 5.0f;
  for (unsigned numWarps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    auto module = lower(kSoftmax, numWarps);
    ASSERT_TRUE(module);
    ASSERT_EQ(load(*module), "");
    EXPECT_EQ(program->getKernels()[0].numThreads, numWarps * 32);
    float *out = allocate<float>(x.size());
    ASSERT_EQ(
        launch("softmax", {static_cast<unsigned>(rows), 1, 1}, upload(x), out, columns, columns),
        "");
    std::vector<float> result = download(out, x.size());
    for (int r = 0; r < rows; ++r) {
      const float *row = &x[static_cast<size_t>(r) * columns];
      double max = *std::max_element(row, row + columns), sum = 0;
      for (int c = 0; c < columns; ++c)
        sum += std::exp(row[c] - max);
      for (int c = 0; c < columns; ++c) {
        double expected = std::exp(row[c] - max) / sum;
        ASSERT_NEAR(result[static_cast<size_t>(r) * columns + c], expected, 4e-6 * expected)
            << r << " " << c << " with " << numWarps << " warps";
      }
    }
  }
}

TEST_F(LoweredKernelTest, SoftmaxWithAMissingBarrier) {
  for (unsigned numWarps : {2u, 4u, 8u})
    removeBarriers(kSoftmax, numWarps, [&] {
      return launch("softmax", {4, 1, 1}, upload(std::vector<float>(4096, 1.0f)),
                    allocate<float>(4096), 1024, 1024);
    });
}

TEST_F(LoweredKernelTest, SoftmaxBeyondItsBuffer) {
  auto module = lower(kSoftmax, 4);
  ASSERT_TRUE(module);
  ASSERT_EQ(load(*module), "");
  std::string message = launch("softmax", {4, 1, 1}, upload(std::vector<float>(4096, 1.0f)),
                               allocate<float>(4000), 1024, 1024);
  EXPECT_EQ(
      message.find("kernel 'softmax', softmax.tile:15:5: store to 'out' at index 4000 is out of "
                   "bounds (4000 elements of fp32) (thread "),
      0u)
      << message;
  EXPECT_NE(message.find(", in program (3, 0, 0)"), std::string::npos) << message;
}

TEST_F(LoweredKernelTest, Transpose) {
  std::vector<float> x(32 * 64);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  for (unsigned numWarps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    auto module = lower(kTranspose, numWarps);
    ASSERT_TRUE(module);
    ASSERT_EQ(load(*module), "");
    float *out = allocate<float>(x.size());
    ASSERT_EQ(launch("transpose", {1, 1, 1}, upload(x), out), "");
    std::vector<float> result = download(out, x.size());
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 64; ++j)
        ASSERT_EQ(result[j * 32 + i], x[i * 64 + j])
            << i << " " << j << " with " << numWarps << " warps";
  }
}

TEST_F(LoweredKernelTest, TransposeWithAMissingBarrier) {
  for (unsigned numWarps : {2u, 4u})
    removeBarriers(kTranspose, numWarps, [&] {
      return launch("transpose", {1, 1, 1}, upload(std::vector<float>(2048, 1.0f)),
                    allocate<float>(2048));
    });
}

} // namespace
} // namespace tilec
