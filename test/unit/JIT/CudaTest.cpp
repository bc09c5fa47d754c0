// libtilec on a real GPU, beside a program that uses the driver itself: its streams, contexts,
// memory, graphs and threads. Skipped where there is no GPU.

#include "tilec/tilec.hpp"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <dlfcn.h>
#include <thread>

using namespace tilec;

namespace {

const char *const kSource = R"(
@triton.jit
def scale(x: "*fp32", factor: "fp32", n: "i32", BLOCK: tl.constexpr = 256):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(x + i, tl.load(x + i, mask=m) * factor, mask=m)

@triton.jit
def past_the_end(x: "*fp32"):
    tl.store(x + 1000000000000, 1.0)
)";

template <typename T>
T take(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  if (!result)
    std::exit(1);
  return std::move(*result);
}

/// The few driver functions that the tests call as a user's program would.
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  template <typename F>
  F get(const char *name) {
    void *symbol = library ? dlsym(library, name) : nullptr;
    EXPECT_TRUE(symbol) << name;
    return reinterpret_cast<F>(symbol);
  }
  template <typename... Args>
  void operator()(const char *name, Args... args) {
    EXPECT_EQ(get<int (*)(Args...)>(name)(args...), 0) << name;
  }
};

class CudaTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Device> opened = Device::open("cuda:0");
    if (!opened)
      GTEST_SKIP() << opened.status().message();
    device.emplace(*opened);
    artifact.emplace(take(Artifact::compile("scale.tile", kSource, device->compileOptions())));
    kernel.emplace(take(take(device->load(*artifact)).kernel("scale")));
  }

  Buffer makeOnes(int n) { return take(device->upload(std::vector<float>(n, 1.0f))); }

  Driver driver;
  std::optional<Device> device;
  std::optional<Artifact> artifact;
  std::optional<Kernel> kernel;
};

TEST_F(CudaTest, FreshThreadNeedsNoContext) {
  std::thread([&] {
    void *context = nullptr;
    driver("cuCtxGetCurrent", &context);
    EXPECT_EQ(context, nullptr);
    Buffer x = makeOnes(1000);
    Status status = kernel->launch({4}, {x, 3.0, 1000});
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(take(x.download<float>())[999], 3.0f);
    driver("cuCtxGetCurrent", &context);
    EXPECT_EQ(context, nullptr);
  }).join();
}

TEST_F(CudaTest, CallersStreamAndContext) {
  void *primary = nullptr, *stream = nullptr;
  driver("cuDevicePrimaryCtxRetain", &primary, 0);
  driver("cuCtxSetCurrent", primary);
  driver("cuStreamCreate", &stream, 1u);
  unsigned long long memory = 0;
  driver("cuMemAlloc_v2", &memory, size_t(4000));
  std::vector<float> host(1000, 2.0f);
  driver("cuMemcpyHtoD_v2", memory, static_cast<const void *>(host.data()), size_t(4000));

  Device current = take(Device::open("cuda"));
  EXPECT_EQ(current.name(), "cuda:0");
  Kernel scale = take(take(current.load(*artifact)).kernel("scale"));
  Status status = scale.launch({4}, {reinterpret_cast<void *>(memory), 0.5, 1000}, stream);
  EXPECT_TRUE(status.ok()) << status.message();
  driver("cuStreamSynchronize", stream);
  driver("cuMemcpyDtoH_v2", static_cast<void *>(host.data()), memory, size_t(4000));
  EXPECT_EQ(host[999], 1.0f);
  driver("cuMemFree_v2", memory);
  driver("cuStreamDestroy_v2", stream);
  driver("cuCtxSetCurrent", static_cast<void *>(nullptr));
}

TEST_F(CudaTest, GraphIsReplayedAfterTheHandlesAreGone) {
  Buffer x = makeOnes(1000);
  void *primary = nullptr, *stream = nullptr, *graph = nullptr, *executable = nullptr;
  driver("cuDevicePrimaryCtxRetain", &primary, 0);
  driver("cuCtxSetCurrent", primary);
  driver("cuStreamCreate", &stream, 1u);

  driver("cuStreamBeginCapture_v2", stream, 0);
  Status status = kernel->launch({4}, {x, 2.0, 1000}, stream);
  EXPECT_TRUE(status.ok()) << status.message();
  // Neither loading nor unloading ends the capture.
  kernel.emplace(take(take(device->load(*artifact)).kernel("scale")));
  Buffer during = take(device->allocate(16));
  {
    Kernel unused = take(take(device->load(*artifact)).kernel("past_the_end"));
  }
  driver("cuStreamEndCapture", stream, &graph);
  ASSERT_TRUE(graph);

  driver("cuGraphInstantiateWithFlags", &executable, graph, 0ull);
  for (int i = 0; i != 10; ++i)
    driver("cuGraphLaunch", executable, stream);
  driver("cuStreamSynchronize", stream);
  EXPECT_EQ(take(x.download<float>())[999], 1024.0f);
  driver("cuGraphExecDestroy", executable);
  driver("cuGraphDestroy", graph);
  driver("cuStreamDestroy_v2", stream);
  driver("cuCtxSetCurrent", static_cast<void *>(nullptr));
}

TEST_F(CudaTest, ProgramsWithoutWorkDoNoHarm) {
  Buffer x = makeOnes(256);
  // Of 65536 programs one has work.
  Status status = kernel->launch({65536, 1, 1}, {x, 2.0, 256});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(take(x.download<float>())[255], 2.0f);
}

TEST_F(CudaTest, SavedArtifactLoads) {
  std::string bytes(artifact->save());
  EXPECT_TRUE(device->load(take(Artifact::load(bytes))).ok());
}

TEST_F(CudaTest, PtxForAnotherGpuIsRefusedWithBothNames) {
  CompileOptions options = device->compileOptions();
  options.target = "sm_120";
  Result<Artifact> newer = Artifact::compile("scale.tile", kSource, options);
  if (!newer || options.target == device->compileOptions().target)
    GTEST_SKIP() << "this driver takes no PTX for another GPU";
  Result<Program> program = device->load(*newer);
  EXPECT_FALSE(program.ok());
  EXPECT_NE(program.status().driverError(), "");
  EXPECT_NE(program.status().message().find("sm_120"), std::string::npos)
      << program.status().message();
}

TEST_F(CudaTest, BothGpusInBothOrders) {
  Result<Device> second = Device::open("cuda:1");
  if (!second)
    GTEST_SKIP() << second.status().message();
  Kernel on1 = take(take(second->load(*artifact)).kernel("scale"));
  Buffer x0 = makeOnes(1000);
  Buffer x1 = take(second->upload(std::vector<float>(1000, 1.0f)));
  for (int i = 0; i != 2; ++i) {
    EXPECT_TRUE(kernel->launch({4}, {x0, 2.0, 1000}).ok());
    EXPECT_TRUE(on1.launch({4}, {x1, 3.0, 1000}).ok());
  }
  std::thread([&] {
    EXPECT_TRUE(on1.launch({4}, {x1, 3.0, 1000}).ok());
    EXPECT_TRUE(kernel->launch({4}, {x0, 2.0, 1000}).ok());
  }).join();
  EXPECT_EQ(take(x0.download<float>())[999], 8.0f);
  EXPECT_EQ(take(x1.download<float>())[999], 27.0f);

  Status wrong = kernel->launch({4}, {x1, 2.0, 1000});
  EXPECT_EQ(wrong.code(), TILEC_INVALID_ARGUMENT);
  EXPECT_NE(wrong.message().find("memory of 'cuda:1'"), std::string::npos) << wrong.message();
  std::vector<float> onHost(1000);
  Status host = kernel->launch({4}, {onHost.data(), 2.0, 1000});
  EXPECT_NE(host.message().find("no memory that the driver knows"), std::string::npos)
      << host.message();
}

TEST_F(CudaTest, LaunchCostsLittleMoreThanTheDriver) {
  Buffer x = makeOnes(256);
  void *primary = nullptr, *stream = nullptr, *module = nullptr, *function = nullptr;
  driver("cuDevicePrimaryCtxRetain", &primary, 0);
  driver("cuCtxSetCurrent", primary);
  driver("cuStreamCreate", &stream, 1u);
  std::string ptx(artifact->ptx());
  driver("cuModuleLoadData", &module, static_cast<const void *>(ptx.c_str()));
  driver("cuModuleGetFunction", &function, module, "scale");
  auto launch = driver.get<int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, unsigned, void *, void **, void **)>("cuLaunchKernel");

  void *address = x.address();
  float factor = 1.0f;
  int n = 256;
  const void *params[] = {&address, &factor, &n};
  auto getMedian = [&](auto run) {
    std::vector<double> times;
    for (int batch = 0; batch != 51; ++batch) {
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i != 200; ++i)
        run();
      times.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
              .count() /
          200);
      driver("cuStreamSynchronize", stream);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  };
  unsigned threads = kernel->info().num_warps * 32;
  double bare = getMedian([&] {
    launch(function, 1, 1, 1, threads, 1, 1, 0, stream, const_cast<void **>(params), nullptr);
  });
  double prepared = getMedian(
      [&] { tilec_kernel_launch_params(kernel->get(), {1, 1, 1}, params, 3, stream, nullptr); });
  double typed = getMedian([&] { kernel->launch({1}, {x, factor, n}, stream); });
  std::printf("a launch costs %.2f us bare, %.2f with parameters, %.2f with typed arguments\n",
              bare, prepared, typed);
  EXPECT_LT(prepared, 1.2 * bare + 0.2);
  EXPECT_LT(typed, 1.5 * bare + 0.2);
  driver("cuModuleUnload", module);
  driver("cuStreamDestroy_v2", stream);
  driver("cuCtxSetCurrent", static_cast<void *>(nullptr));
}

// Last: it breaks the context for the rest of the process.
TEST_F(CudaTest, ZFailedKernelShowsAtSynchronize) {
  Buffer x = makeOnes(256);
  Kernel bad = take(take(device->load(*artifact)).kernel("past_the_end"));
  EXPECT_TRUE(bad.launch({1}, {x}).ok());
  Status status = device->synchronize();
  EXPECT_EQ(status.code(), TILEC_DRIVER_ERROR);
  EXPECT_EQ(status.driverError(), "CUDA_ERROR_ILLEGAL_ADDRESS") << status.message();
}

} // namespace
