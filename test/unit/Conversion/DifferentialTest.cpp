// Random kernels: what the lowered code computes on the simulated GPU, for several numbers of
// warps, equals what the interpreter of the tile dialect computes. With arguments FIRST COUNT the
// program tries the seeds from FIRST instead of its own few; --show prints their kernels.
#include "RandomKernel.h"

#include "lib/Interpreter/Interpreter.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Simulator/SimMemory.h"
#include "lib/Simulator/Simulator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace tilec;
using namespace tilec::test;

static uint64_t firstSeed = 1, numSeeds = 30;
static bool show = false;

namespace {

constexpr unsigned kPrograms = 2;
constexpr uint8_t kFill = 0xAB;

uint64_t bytesOf(unsigned type) {
  static const uint64_t bytes[] = {1, 2, 4, 8, 2, 2, 4, 8};
  return bytes[type];
}

/// The bits of a small whole number in a type.
uint64_t encode(unsigned type, int value) {
  float single = static_cast<float>(value);
  double wide = value;
  uint32_t bits;
  uint64_t wideBits;
  std::memcpy(&bits, &single, 4);
  std::memcpy(&wideBits, &wide, 8);
  switch (type) {
  case 4: { // f16, whole numbers below 2048
    llvm::APFloat half(single);
    bool lost;
    half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return half.bitcastToAPInt().getZExtValue();
  }
  case 5:
    return bits >> 16;
  case 6:
    return bits;
  case 7:
    return wideBits;
  default:
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

/// Equal bits, or both NaN, or both zero.
bool sameElement(unsigned type, uint64_t a, uint64_t b) {
  if (a == b)
    return true;
  if (type < 4)
    return false;
  static const llvm::fltSemantics *const semantics[] = {
      &llvm::APFloat::IEEEhalf(), &llvm::APFloat::BFloat(), &llvm::APFloat::IEEEsingle(),
      &llvm::APFloat::IEEEdouble()};
  unsigned bits = bytesOf(type) * 8;
  llvm::APFloat x(*semantics[type - 4], llvm::APInt(bits, a)),
      y(*semantics[type - 4], llvm::APInt(bits, b));
  return (x.isNaN() && y.isNaN()) || (x.isZero() && y.isZero());
}

uint64_t elementOf(const std::vector<uint8_t> &bytes, uint64_t size, uint64_t index) {
  uint64_t value = 0;
  std::memcpy(&value, &bytes[index * size], size);
  return value;
}

class Differential : public ::testing::Test {
protected:
  Differential() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Contents of a buffer: `misalignment` elements of padding, then the elements.
  std::vector<uint8_t> contents(const RandomKernel &kernel, unsigned argument) {
    unsigned type = argument % kNumTypes;
    uint64_t size = bytesOf(type), skip = kernel.misalignment[argument];
    if (argument >= kNumTypes)
      return std::vector<uint8_t>((skip + kPrograms * kOutputElements) * size, kFill);
    std::vector<uint8_t> bytes((skip + kInputElements) * size);
    uint32_t random = 1 + argument;
    for (uint64_t i = 0; i < skip + kInputElements; ++i) {
      random = random * 1664525 + 1013904223;
      uint64_t bits = encode(type, static_cast<int>(random >> 24) % 200 - 100);
      std::memcpy(&bytes[i * size], &bits, size);
    }
    return bytes;
  }

  using Outputs = std::vector<std::vector<uint8_t>>;

  void reference(const RandomKernel &kernel, mlir::ModuleOp module, Outputs &outputs) {
    std::vector<std::vector<uint8_t>> buffers;
    std::vector<RefArgument> args;
    for (unsigned i = 0; i < 2 * kNumTypes; ++i)
      buffers.push_back(contents(kernel, i));
    for (unsigned i = 0; i < 2 * kNumTypes; ++i) {
      uint64_t skip = kernel.misalignment[i] * bytesOf(i % kNumTypes);
      args.push_back(RefArgument::buffer(buffers[i].data() + skip, buffers[i].size() - skip));
    }
    args.push_back(RefArgument::scalar(static_cast<uint32_t>(kernel.n)));
    args.push_back(RefArgument::scalar(static_cast<uint32_t>(kernel.m)));
    RefLaunch launch;
    launch.kernel = *module.getOps<mlir::func::FuncOp>().begin();
    launch.grid = {kPrograms, 1, 1};
    launch.args = args;
    launch.numThreads = 1;
    ASSERT_EQ(llvm::toString(runReference(launch)), "");
    outputs.assign(buffers.begin() + kNumTypes, buffers.end());
  }

  void simulate(const RandomKernel &kernel, unsigned numWarps, Outputs &outputs) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kernel.text, &context, "k.mlir");
    PipelineOptions options;
    options.numWarps = numWarps;
    mlir::PassManager passes(&context);
    buildTilePipeline(passes, options);
    buildTileGPUPipeline(passes, options);
    buildLoweringPipeline(passes, options);
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
    SimOptions simOptions;
    simOptions.numThreads = 1;
    simOptions.timeoutSeconds = 60;
    auto program = SimProgram::create(*module, simOptions);
    if (!program)
      FAIL() << llvm::toString(program.takeError());
    SimMemory memory;
    std::vector<void *> buffers, pointers;
    std::vector<void *> args;
    for (unsigned i = 0; i < 2 * kNumTypes; ++i) {
      std::vector<uint8_t> bytes = contents(kernel, i);
      void *buffer = llvm::cantFail(memory.allocate(bytes.size()));
      llvm::cantFail(memory.copyToDevice(buffer, bytes.data(), bytes.size()));
      buffers.push_back(buffer);
      pointers.push_back(static_cast<char *>(buffer) +
                         kernel.misalignment[i] * bytesOf(i % kNumTypes));
    }
    for (void *&pointer : pointers)
      args.push_back(&pointer);
    int32_t n = kernel.n, m = kernel.m;
    args.push_back(&n);
    args.push_back(&m);
    std::vector<SimBuffer> registered = memory.getBuffers();
    ASSERT_EQ(llvm::toString((*program)->launch("k", {kPrograms, 1, 1}, args, registered)), "");
    for (unsigned i = 0; i < kNumTypes; ++i) {
      outputs.emplace_back(contents(kernel, kNumTypes + i).size());
      llvm::cantFail(
          memory.copyToHost(outputs.back().data(), buffers[kNumTypes + i], outputs.back().size()));
    }
  }

  void check(uint64_t seed) {
    RandomKernel kernel = makeRandomKernel(seed);
    if (show)
      llvm::outs() << kernel.text << "\n", llvm::outs().flush();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kernel.text, &context, "k.mlir");
    ASSERT_TRUE(module) << kernel.text;
    Outputs expected;
    reference(kernel, *module, expected);
    if (HasFatalFailure())
      return;
    for (unsigned numWarps : {1u << seed % 3, 8u, 16u << seed % 2}) {
      SCOPED_TRACE("with " + std::to_string(numWarps) + " warps");
      Outputs got;
      simulate(kernel, numWarps, got);
      if (HasFatalFailure())
        return;
      for (unsigned type = 0; type < kNumTypes; ++type) {
        uint64_t size = bytesOf(type), skip = kernel.misalignment[kNumTypes + type];
        for (uint64_t i = 0; i < got[type].size() / size; ++i)
          ASSERT_TRUE(
              sameElement(type, elementOf(expected[type], size, i), elementOf(got[type], size, i)))
              << "out_" << kElementTypes[type] << "[" << i - skip << "] is "
              << elementOf(got[type], size, i) << ", expected "
              << elementOf(expected[type], size, i);
      }
    }
  }

  mlir::MLIRContext context;
};

TEST_F(Differential, RandomKernels) {
  context.disableMultithreading();
  for (uint64_t seed = firstSeed; seed < firstSeed + numSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (numSeeds > 50)
      llvm::errs() << "seed " << seed << "\n";
    check(seed);
  }
}

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  std::vector<std::string> args(argv + 1, argv + argc);
  if (!args.empty() && args.back() == "--show") {
    show = true;
    args.pop_back();
  }
  if (args.size() == 2) {
    firstSeed = std::strtoull(args[0].c_str(), nullptr, 10);
    numSeeds = std::strtoull(args[1].c_str(), nullptr, 10);
  }
  return RUN_ALL_TESTS();
}
