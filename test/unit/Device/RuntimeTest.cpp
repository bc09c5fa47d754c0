// The runtime against a mock driver: what it asks for, in which order, and how failures read.

#include "MockDriver.h"
#include "lib/Device/Device.h"
#include "runtime/src/CudaDriver.h"
#include "tilert/Cuda.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <thread>

using namespace tilec;
using namespace tilec::rt;

static thread_local size_t allocationCount = 0;
void *operator new(size_t bytes) {
  ++allocationCount;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(TILEC_MOCK_DRIVER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    auto symbol = [&](const char *name) { return dlsym(library, name); };
    state = reinterpret_cast<MockState *(*)()>(symbol("mockState"))();
    getCurrent = reinterpret_cast<void *(*)()>(symbol("mockCurrentContext"));
    setCurrent = reinterpret_cast<void (*)(void *)>(symbol("mockSetCurrentContext"));
    getCaptureMode = reinterpret_cast<int (*)()>(symbol("mockCaptureMode"));
    *state = MockState();
    setCurrent(nullptr);
    setDriverLibraryForTesting(TILEC_MOCK_DRIVER);
  }
  void TearDown() override { setDriverLibraryForTesting(nullptr); }

  size_t countCalls(const char *name) {
    return std::count(state->calls.begin(), state->calls.end(), name);
  }
  std::shared_ptr<Context> openContext(int ordinal = 0) {
    std::shared_ptr<Context> context;
    Status status = Context::openPrimary(ordinal, context);
    EXPECT_TRUE(status.ok()) << status.getMessage();
    return context;
  }
  std::shared_ptr<Function> loadFunction(std::shared_ptr<Context> context,
                                         uint64_t sharedBytes = 0) {
    std::shared_ptr<Module> module;
    std::shared_ptr<Function> function;
    EXPECT_TRUE(Module::load(std::move(context), ".version 8.0\n", module).ok());
    Status status = module->getFunction("k", sharedBytes, function);
    EXPECT_TRUE(status.ok()) << status.getMessage();
    return function;
  }

  MockState *state = nullptr;
  void *(*getCurrent)() = nullptr;
  void (*setCurrent)(void *) = nullptr;
  int (*getCaptureMode)() = nullptr;
  CUstream_st *const stream = reinterpret_cast<CUstream_st *>(0x5000);
};

//===--- The driver itself -------------------------------------------------===//

TEST_F(RuntimeTest, MissingLibraryNamesItAndTheRemedy) {
  setDriverLibraryForTesting("/nonexistent/libcuda.so.1");
  int count = 0;
  Status status = getGpuCount(count);
  EXPECT_EQ(status.getCode(), Code::NoDriver);
  EXPECT_TRUE(contains(status.getMessage(), "libcuda.so.1")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "install the NVIDIA driver")) << status.getMessage();
}

TEST_F(RuntimeTest, LibraryWithoutEntryPointNamesIt) {
  setDriverLibraryForTesting("libm.so.6");
  int version = 0;
  Status status = getDriverVersion(version);
  EXPECT_EQ(status.getCode(), Code::NoDriver);
  EXPECT_TRUE(contains(status.getMessage(), "'cuInit'")) << status.getMessage();
}

TEST_F(RuntimeTest, OldDriverIsRefused) {
  state->driverVersion = 10020;
  int version = 0;
  Status status = getDriverVersion(version);
  EXPECT_EQ(status.getCode(), Code::NoDriver);
  EXPECT_TRUE(contains(status.getMessage(), "10.2")) << status.getMessage();
}

TEST_F(RuntimeTest, FailedInitialisationKeepsDriverError) {
  state->failures["cuInit"] = 100;
  int version = 0;
  Status status = getDriverVersion(version);
  EXPECT_EQ(status.getCode(), Code::NoDriver);
  EXPECT_EQ(status.getDriverError(), "CUDA_ERROR_NO_DEVICE");
}

TEST_F(RuntimeTest, DriverIsOpenedOnce) {
  int count = 0;
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread([] {
      int version = 0;
      EXPECT_TRUE(getDriverVersion(version).ok());
      EXPECT_EQ(version, 13000);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(getGpuCount(count).ok());
  EXPECT_EQ(countCalls("cuInit"), 1u);
}

TEST_F(RuntimeTest, MissingGpuSaysWhichThereAre) {
  state->deviceCount = 2;
  std::shared_ptr<Context> context;
  Status status = Context::openPrimary(7, context);
  EXPECT_EQ(status.getCode(), Code::NotFound);
  EXPECT_TRUE(contains(status.getMessage(), "cuda:7")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "'cuda:0' to 'cuda:1'")) << status.getMessage();
}

//===--- Grids (pitfalls 28 and 29) ----------------------------------------===//

TEST_F(RuntimeTest, GridProductOf2To32ReachesTheDriver) {
  auto function = loadFunction(openContext());
  ASSERT_TRUE(function->launch({16384, 16384, 16}, 128, 0, stream, nullptr).ok());
  EXPECT_EQ(countCalls("cuLaunchKernel"), 1u);
  EXPECT_EQ(state->grid[0], 16384u);
  EXPECT_EQ(state->grid[1], 16384u);
  EXPECT_EQ(state->grid[2], 16u);
  EXPECT_EQ(state->block, 128u);
}

TEST_F(RuntimeTest, ZeroExtentIsNoLaunchAndOk) {
  auto function = loadFunction(openContext());
  for (GridSize grid : {GridSize{0, 1, 1}, GridSize{1, 0, 1}, GridSize{1, 1, 0}})
    EXPECT_TRUE(function->launch(grid, 128, 0, stream, nullptr).ok());
  EXPECT_EQ(countCalls("cuLaunchKernel"), 0u);
}

TEST_F(RuntimeTest, TooLargeGridNamesAxisAndLimit) {
  auto function = loadFunction(openContext());
  struct {
    GridSize grid;
    const char *axis, *limit;
  } cases[] = {{{1, 65536, 1}, "'y'", "65535"},
               {{1, 1, 65536}, "'z'", "65535"},
               {{uint64_t(1) << 31, 1, 1}, "'x'", "2147483647"},
               {{uint64_t(1) << 32, 1, 1}, "'x'", "2147483647"},
               // A wrong extent is an error even if another one is 0.
               {{0, 65536, 1}, "'y'", "65535"}};
  for (const auto &test : cases) {
    Status status = function->launch(test.grid, 128, 0, stream, nullptr);
    EXPECT_EQ(status.getCode(), Code::InvalidArgument);
    EXPECT_TRUE(contains(status.getMessage(), test.axis)) << status.getMessage();
    EXPECT_TRUE(contains(status.getMessage(), test.limit)) << status.getMessage();
  }
  EXPECT_EQ(countCalls("cuLaunchKernel"), 0u);
  EXPECT_TRUE(function->launch({0x7fffffff, 65535, 65535}, 128, 0, stream, nullptr).ok());
}

//===--- Contexts (pitfalls 95 and 96) -------------------------------------===//

TEST_F(RuntimeTest, FreshThreadLaunchesAndLeavesNoContext) {
  auto function = loadFunction(openContext());
  std::thread([&] {
    EXPECT_EQ(getCurrent(), nullptr);
    EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
    EXPECT_EQ(getCurrent(), nullptr);
  }).join();
  EXPECT_EQ(state->launchContext, reinterpret_cast<void *>(0x1000));
}

TEST_F(RuntimeTest, CurrentContextIsNotPushedAgain) {
  auto function = loadFunction(openContext());
  setCurrent(reinterpret_cast<void *>(0x1000));
  state->calls.clear();
  EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  EXPECT_EQ(countCalls("cuCtxPushCurrent_v2"), 0u);
  EXPECT_EQ(getCurrent(), reinterpret_cast<void *>(0x1000));
}

TEST_F(RuntimeTest, ForeignContextIsRestored) {
  auto function = loadFunction(openContext());
  setCurrent(reinterpret_cast<void *>(0x1009));
  EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  EXPECT_EQ(state->launchContext, reinterpret_cast<void *>(0x1000));
  EXPECT_EQ(getCurrent(), reinterpret_cast<void *>(0x1009));
}

TEST_F(RuntimeTest, EveryGpuHasItsOwnHandles) {
  state->deviceCount = 2;
  auto on1 = loadFunction(openContext(1)), on0 = loadFunction(openContext(0));
  EXPECT_TRUE(on0->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  EXPECT_EQ(state->launchContext, reinterpret_cast<void *>(0x1000));
  void *function0 = state->launchFunction;
  EXPECT_TRUE(on1->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  EXPECT_EQ(state->launchContext, reinterpret_cast<void *>(0x1001));
  EXPECT_NE(state->launchFunction, function0);
}

TEST_F(RuntimeTest, CurrentContextIsBorrowed) {
  std::shared_ptr<Context> context;
  ASSERT_TRUE(Context::openCurrent(context).ok());
  EXPECT_FALSE(context);
  setCurrent(reinterpret_cast<void *>(0x1000));
  ASSERT_TRUE(Context::openCurrent(context).ok());
  ASSERT_TRUE(context);
  context.reset();
  EXPECT_EQ(countCalls("cuDevicePrimaryCtxRelease_v2"), 0u);
}

TEST_F(RuntimeTest, EverythingIsGivenBack) {
  auto function = loadFunction(openContext());
  EXPECT_EQ(state->modulesLoaded, 1);
  EXPECT_EQ(state->contextsRetained, 1);
  function.reset();
  EXPECT_EQ(state->modulesLoaded, 0);
  EXPECT_EQ(state->contextsRetained, 0);
}

//===--- Loading -----------------------------------------------------------===//

TEST_F(RuntimeTest, AssemblerLogIsInTheMessage) {
  state->failures["cuModuleLoadDataEx"] = 218;
  state->jitLog = "ptxas application ptx input, line 7; fatal : Parsing error\n";
  std::shared_ptr<Module> module;
  Status status = Module::load(openContext(), ".version 8.0\n", module);
  EXPECT_EQ(status.getCode(), Code::CompileError);
  EXPECT_EQ(status.getDriverError(), "CUDA_ERROR_INVALID_PTX");
  EXPECT_TRUE(contains(status.getMessage(), "line 7; fatal : Parsing error"))
      << status.getMessage();
  EXPECT_NE(status.getMessage().back(), '\n');
}

TEST_F(RuntimeTest, TooNewPtxNamesBothVersions) {
  state->failures["cuModuleLoadDataEx"] = 222;
  state->driverVersion = 12040;
  std::shared_ptr<Module> module;
  Status status = Module::load(openContext(), "// text\n.version 8.7\n.target sm_90\n", module);
  EXPECT_TRUE(contains(status.getMessage(), "version 8.7")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "CUDA 12.4")) << status.getMessage();
}

TEST_F(RuntimeTest, MuchSharedMemoryIsAskedFor) {
  auto context = openContext();
  loadFunction(context, 48 * 1024);
  EXPECT_EQ(countCalls("cuFuncSetAttribute"), 0u);
  loadFunction(context, 48 * 1024 + 1);
  EXPECT_EQ(countCalls("cuFuncSetAttribute"), 1u);
}

TEST_F(RuntimeTest, TooMuchSharedMemoryNamesBothSizes) {
  std::shared_ptr<Module> module;
  ASSERT_TRUE(Module::load(openContext(), "", module).ok());
  std::shared_ptr<Function> function;
  Status status = module->getFunction("k", 300000, function);
  EXPECT_EQ(status.getCode(), Code::Unsupported);
  EXPECT_TRUE(contains(status.getMessage(), "300000 bytes")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "232448")) << status.getMessage();
}

TEST_F(RuntimeTest, MissingKernelIsNotFound) {
  std::shared_ptr<Module> module;
  ASSERT_TRUE(Module::load(openContext(), "", module).ok());
  std::shared_ptr<Function> function;
  EXPECT_EQ(module->getFunction("missing", 0, function).getCode(), Code::NotFound);
}

//===--- Capture (pitfall 97) ----------------------------------------------===//

TEST_F(RuntimeTest, LoadAndUnloadAreRelaxed) {
  auto function = loadFunction(openContext());
  EXPECT_EQ(state->captureModeAtLoad, 2);
  function.reset();
  EXPECT_EQ(state->captureModeAtUnload, 2);
  EXPECT_EQ(getCaptureMode(), 0);
}

TEST_F(RuntimeTest, CapturedModuleStaysLoaded) {
  auto function = loadFunction(openContext());
  state->streamsCapture = true;
  EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  function.reset();
  EXPECT_EQ(state->modulesLoaded, 1);
}

TEST_F(RuntimeTest, DefaultStreamIsNotAskedAboutCapture) {
  auto function = loadFunction(openContext());
  EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, nullptr, nullptr).ok());
  EXPECT_EQ(countCalls("cuStreamIsCapturing"), 0u);
}

TEST_F(RuntimeTest, LaunchAsksTheDriverForNothingElse) {
  auto function = loadFunction(openContext());
  setCurrent(reinterpret_cast<void *>(0x1000));
  state->calls.clear();
  EXPECT_TRUE(function->launch({1, 1, 1}, 32, 0, stream, nullptr).ok());
  EXPECT_EQ(state->calls,
            (std::vector<std::string>{"cuCtxGetCurrent", "cuStreamIsCapturing", "cuLaunchKernel"}));
}

TEST_F(RuntimeTest, FailedLaunchDescribesIt) {
  auto function = loadFunction(openContext());
  state->failures["cuLaunchKernel"] = 1;
  Status status = function->launch({3, 2, 1}, 256, 64, stream, nullptr);
  EXPECT_EQ(status.getCode(), Code::DriverError);
  EXPECT_EQ(status.getDriverError(), "CUDA_ERROR_INVALID_VALUE");
  for (const char *part : {"'k'", "3 x 2 x 1", "256 threads", "64 bytes"})
    EXPECT_TRUE(contains(status.getMessage(), part)) << status.getMessage();
}

TEST_F(RuntimeTest, UnknownDriverErrorHasANameToo) {
  auto context = openContext();
  state->failures["cuCtxSynchronize"] = 99999;
  EXPECT_EQ(context->synchronize().getDriverError(), "CUDA_ERROR_UNKNOWN");
}

//===--- Memory ------------------------------------------------------------===//

TEST_F(RuntimeTest, OutOfMemoryTellsSizes) {
  auto context = openContext();
  state->failures["cuMemAlloc_v2"] = 2;
  uint64_t address = 0;
  Status status = context->allocate(1000, address);
  EXPECT_EQ(status.getCode(), Code::OutOfMemory);
  EXPECT_TRUE(contains(status.getMessage(), "1000 bytes")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "123 of 456")) << status.getMessage();
}

TEST_F(RuntimeTest, NothingIsAllocatedAsOneByte) {
  uint64_t address = 0;
  auto context = openContext();
  EXPECT_TRUE(context->allocate(0, address).ok());
  EXPECT_NE(address, 0u);
  EXPECT_TRUE(context->free(0).ok());
  EXPECT_EQ(countCalls("cuMemFree_v2"), 0u);
}

TEST_F(RuntimeTest, PointerOfAnotherGpuNamesBoth) {
  state->deviceCount = 2;
  state->pointers = {{0x100, 0}, {0x200, 1}};
  auto context = openContext(0);
  EXPECT_TRUE(context->checkPointer(0x100, "argument 'x'").ok());
  EXPECT_TRUE(context->checkPointer(0, "argument 'x'").ok());
  Status other = context->checkPointer(0x200, "argument 'x'");
  EXPECT_TRUE(contains(other.getMessage(), "argument 'x' points to memory of 'cuda:1'"))
      << other.getMessage();
  EXPECT_TRUE(contains(other.getMessage(), "'cuda:0'")) << other.getMessage();
  Status unknown = context->checkPointer(0x300, "argument 'x'");
  EXPECT_TRUE(contains(unknown.getMessage(), "0x300")) << unknown.getMessage();
}

//===--- The device over it ------------------------------------------------===//

Artifact makeArtifact() {
  Artifact artifact;
  artifact.sourceName = "a.tile";
  artifact.target = "sm_90a";
  artifact.ptx = ".version 8.0\n";
  KernelMetadata kernel;
  kernel.name = "k";
  kernel.numWarps = 8;
  kernel.sharedBytes = 64;
  kernel.params = {{"x", "*fp32", ScalarKind::Pointer, 16}, {"n", "i32", ScalarKind::I32, 1}};
  artifact.kernels.push_back(kernel);
  return artifact;
}

TEST_F(RuntimeTest, DeviceAnswersForItsGpu) {
  state->driverVersion = 12040;
  auto device = openDevice("cuda:0");
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  EXPECT_EQ((*device)->getName(), "cuda:0");
  EXPECT_EQ((*device)->getTarget(), "sm_90a");
  EXPECT_EQ((*device)->getMaxPtxVersion(), 84u);
  EXPECT_TRUE(contains((*device)->getDescription(), "Mock GPU"));
  EXPECT_TRUE(contains((*device)->getDescription(), "driver for CUDA 12.4"));
}

TEST_F(RuntimeTest, TooOldGpuNamesTheOldestTarget) {
  state->computeCapability = 70;
  auto device = openDevice("cuda:0");
  ASSERT_FALSE(bool(device));
  rt::Status status = toStatus(device.takeError());
  EXPECT_EQ(status.getCode(), Code::Unsupported);
  EXPECT_TRUE(contains(status.getMessage(), "sm_70")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "sm_80")) << status.getMessage();
}

TEST_F(RuntimeTest, DeviceLaunchesWithoutAllocating) {
  auto device = llvm::cantFail(openDevice("cuda:0"));
  auto program = llvm::cantFail(device->load(makeArtifact()));
  auto kernel = llvm::cantFail(program->getKernel("k"));
  // The kernel outlives what it came from.
  program.reset();
  device.reset();
  uint64_t x = 0x7f0000000000;
  int32_t n = 5;
  const void *params[] = {&x, &n};
  setCurrent(reinterpret_cast<void *>(0x1000));
  state->recording = false;
  size_t before = allocationCount;
  for (int i = 0; i != 1000; ++i)
    llvm::cantFail(kernel->launch({7, 1, 1}, params, stream));
  EXPECT_EQ(allocationCount, before);
  EXPECT_EQ(state->block, 256u);
  EXPECT_EQ(state->sharedBytes, 64u);
  EXPECT_EQ(state->launchParams[0], static_cast<void *>(&x));
}

TEST_F(RuntimeTest, BrokenPromiseIsCaughtBeforeTheDriver) {
  auto device = llvm::cantFail(openDevice("cuda:0"));
  auto kernel = llvm::cantFail(llvm::cantFail(device->load(makeArtifact()))->getKernel(""));
  uint64_t x = 0x7f0000000004;
  int32_t n = 5;
  const void *params[] = {&x, &n};
  rt::Status status = toStatus(kernel->launch({1, 1, 1}, params, stream));
  EXPECT_EQ(status.getCode(), Code::InvalidArgument);
  EXPECT_TRUE(contains(status.getMessage(), "'x'")) << status.getMessage();
  EXPECT_TRUE(contains(status.getMessage(), "multiple of 16")) << status.getMessage();
  EXPECT_EQ(countCalls("cuLaunchKernel"), 0u);
}

TEST_F(RuntimeTest, LoadWhileCapturingIsHarmless) {
  auto device = llvm::cantFail(openDevice("cuda:0"));
  state->streamsCapture = true;
  llvm::cantFail(device->load(makeArtifact()));
  EXPECT_EQ(state->captureModeAtLoad, 2);
}

TEST_F(RuntimeTest, TimerReadsEvents) {
  auto device = llvm::cantFail(openDevice("cuda:0"));
  auto timer = llvm::cantFail(device->createTimer());
  llvm::cantFail(timer->start(stream));
  llvm::cantFail(timer->stop(stream));
  EXPECT_EQ(llvm::cantFail(timer->elapsedMs()), 1.5);
}

TEST_F(RuntimeTest, ManyLoadsAndUnloadsLeaveNothing) {
  auto device = llvm::cantFail(openDevice("cuda:0"));
  for (int i = 0; i != 10000; ++i)
    llvm::cantFail(device->load(makeArtifact()));
  EXPECT_EQ(state->modulesLoaded, 0);
}

} // namespace
