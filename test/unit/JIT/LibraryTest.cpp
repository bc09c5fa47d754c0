// libtilec through its C++ layer and its C interface: results, errors, threads, lifetimes.

#include "tilec/tilec.hpp"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace tilec;

namespace {

const char *const kAdd = R"(
@triton.jit
def add(x: "*fp32", y: "*fp32", out: "*fp32", n: "i32", BLOCK: tl.constexpr = 128):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)
)";

const char *const kNoMask = R"(
@triton.jit
def fill(out: "*fp32:16", value: "fp32", BLOCK: tl.constexpr = 128):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, value)
)";

template <typename T>
T take(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  if (!result)
    std::exit(1);
  return std::move(*result);
}

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

//===--- Compiling ---------------------------------------------------------===//

TEST(CompileTest, ArtifactTellsOfItsKernels) {
  CompileOptions options;
  options.numWarps = 2;
  options.target = "sm_80";
  Artifact artifact = take(Artifact::compile("add.tile", kAdd, options));
  EXPECT_TRUE(contains(std::string(artifact.ptx()), ".visible .entry add("));
  EXPECT_EQ(artifact.target(), "sm_80");
  ASSERT_EQ(artifact.kernels().size(), 1u);
  tilec_kernel_info kernel = artifact.kernels()[0];
  EXPECT_STREQ(kernel.name, "add");
  EXPECT_EQ(kernel.num_params, 4u) << "the constexpr parameter is none";
  EXPECT_EQ(kernel.num_warps, 2u);
  tilec_param_info param;
  ASSERT_EQ(tilec_artifact_param_info(artifact.get(), 0, 3, &param), TILEC_OK);
  EXPECT_STREQ(param.name, "n");
  EXPECT_STREQ(param.type, "i32");
  EXPECT_EQ(param.size, 4u);
  EXPECT_EQ(tilec_artifact_param_info(artifact.get(), 0, 4, &param), TILEC_NOT_FOUND);
  EXPECT_EQ(tilec_artifact_kernel_name(artifact.get(), 1), nullptr);
}

TEST(CompileTest, SignatureWithHints) {
  CompileOptions options;
  options.signature = "*fp32:16, *fp32:16, *fp32:16, i32:16, 256";
  options.kernels = {"add"};
  Artifact artifact = take(Artifact::compile("add.tile", kAdd, options));
  tilec_param_info param;
  ASSERT_EQ(tilec_artifact_param_info(artifact.get(), 0, 0, &param), TILEC_OK);
  EXPECT_EQ(param.divisibility, 16u);
}

TEST(CompileTest, ErrorsComeWithPlaces) {
  const char *source = "@triton.jit\ndef f(x: \"*fp32\"):\n    tl.store(x, undefined_name)\n";
  Result<Artifact> result = Artifact::compile("f.tile", source);
  ASSERT_FALSE(result.ok());
  const Status &status = result.status();
  EXPECT_EQ(status.code(), TILEC_COMPILE_ERROR);
  std::vector<tilec_diagnostic> diagnostics = status.diagnostics();
  ASSERT_GE(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].severity, TILEC_ERROR);
  EXPECT_STREQ(diagnostics[0].file, "f.tile");
  EXPECT_EQ(diagnostics[0].line, 3u);
  EXPECT_EQ(diagnostics[0].column, 17u);
  EXPECT_EQ(diagnostics[0].end_column, 31u);
  EXPECT_TRUE(contains(diagnostics[0].text, "'undefined_name'"));
  EXPECT_TRUE(contains(status.message(), "f.tile:3:17: error: "));
  EXPECT_TRUE(contains(status.message(), "^~~~"));
  tilec_diagnostic none;
  EXPECT_EQ(tilec_status_diagnostic(nullptr, 0, &none), TILEC_INVALID_ARGUMENT);
}

TEST(CompileTest, BadOptions) {
  auto getError = [](auto change) {
    tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
    change(options);
    tilec_artifact *artifact = reinterpret_cast<tilec_artifact *>(1);
    tilec_status *status = nullptr;
    tilec_code code =
        tilec_compile("add.tile", kAdd, std::strlen(kAdd), &options, &artifact, &status);
    EXPECT_EQ(artifact, nullptr);
    return std::make_pair(code, Status(status).message());
  };
  using Options = tilec_compile_options;
  auto [size, sizeText] = getError([](Options &o) { o.struct_size = 0; });
  EXPECT_EQ(size, TILEC_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(sizeText, "TILEC_COMPILE_OPTIONS_INIT"));
  EXPECT_EQ(getError([](Options &o) { o.num_defines = 1; }).first, TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(getError([](Options &o) { o.num_warps = -1; }).first, TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(getError([](Options &o) { o.opt_level = 4; }).first, TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(getError([](Options &o) { o.num_warps = 3; }).first, TILEC_COMPILE_ERROR);
  auto [target, targetText] = getError([](Options &o) { o.target = "sm_91"; });
  EXPECT_EQ(target, TILEC_COMPILE_ERROR);
  EXPECT_TRUE(contains(targetText, "sm_91"));
  auto [ptx, ptxText] = getError([](Options &o) {
    o.target = "sm_100";
    o.max_ptx_version = 83;
  });
  EXPECT_EQ(ptx, TILEC_COMPILE_ERROR);
  EXPECT_TRUE(contains(ptxText, "8.3")) << ptxText;
  EXPECT_TRUE(contains(ptxText, "8.6")) << ptxText;
}

TEST(CompileTest, OptionsOfAnOlderProgram) {
  tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
  options.struct_size = offsetof(tilec_compile_options, num_warps);
  options.num_warps = 77; // Past the end of what the program knew.
  tilec_artifact *artifact = nullptr;
  EXPECT_EQ(tilec_compile("add.tile", kAdd, std::strlen(kAdd), &options, &artifact, nullptr),
            TILEC_OK);
  tilec_artifact_release(artifact);
}

TEST(CompileTest, MissingFileIsNotFound) {
  Result<Artifact> result = Artifact::compileFile("/no/such/file.tile");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), TILEC_NOT_FOUND);
  EXPECT_TRUE(contains(result.status().message(), "/no/such/file.tile"));
  EXPECT_EQ(Artifact::compileFile("/tmp").status().code(), TILEC_NOT_FOUND);
}

TEST(CompileTest, SavedArtifactIsTheSame) {
  Artifact artifact = take(Artifact::compile("add.tile", kAdd));
  std::string bytes(artifact.save());
  Artifact loaded = take(Artifact::load(bytes));
  EXPECT_EQ(loaded.ptx(), artifact.ptx());
  EXPECT_EQ(loaded.save(), artifact.save());
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_EQ(Artifact::load(bytes).status().code(), TILEC_BAD_ARTIFACT);
  EXPECT_EQ(Artifact::load("").status().code(), TILEC_BAD_ARTIFACT);
}

TEST(CompileTest, ThreadsCompileAtOnceToTheSameText) {
  std::string expected(take(Artifact::compile("add.tile", kAdd)).ptx());
  std::vector<std::thread> threads;
  std::vector<std::string> texts(8);
  for (std::string &text : texts)
    threads.emplace_back([&text] {
      for (int i = 0; i != 5; ++i)
        text = take(Artifact::compile("add.tile", kAdd)).ptx();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    EXPECT_EQ(text, expected);
}

TEST(CompileTest, PrintsNothing) {
  char path[] = "/tmp/tilec-output-XXXXXX";
  int file = mkstemp(path), out = dup(1), err = dup(2);
  std::fflush(nullptr);
  dup2(file, 1);
  dup2(file, 2);
  Result<Artifact> bad = Artifact::compile("bad.tile", "@triton.jit\ndef f(x: \"*fp32\"):\n  y\n");
  Result<Artifact> target = [] {
    CompileOptions options;
    options.target = "nonsense";
    return Artifact::compile("add.tile", kAdd, options);
  }();
  std::fflush(nullptr);
  dup2(out, 1);
  dup2(err, 2);
  EXPECT_FALSE(bad.ok());
  EXPECT_FALSE(target.ok());
  EXPECT_EQ(lseek(file, 0, SEEK_END), 0);
  close(file);
  close(out);
  close(err);
  unlink(path);
}

size_t getResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(CompileTest, MemoryStaysFlat) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps freed memory";
#endif
#endif
  // Past the life of a warm context, so that its memory is back.
  for (int i = 0; i != 150; ++i)
    take(Artifact::compile("add.tile", kAdd));
  size_t before = getResidentBytes();
  for (int i = 0; i != 300; ++i)
    take(Artifact::compile("add.tile", kAdd));
  EXPECT_LT(getResidentBytes(), before + (size_t(16) << 20));
}

//===--- Devices -----------------------------------------------------------===//

class OnDevice : public testing::TestWithParam<const char *> {
protected:
  Device device = take(Device::open(GetParam()));
};

TEST_P(OnDevice, AddsVectors) {
  EXPECT_EQ(device.name(), GetParam());
  EXPECT_NE(device.description(), "");
  Artifact artifact = take(Artifact::compile("add.tile", kAdd, device.compileOptions()));
  Kernel kernel = take(take(device.load(artifact)).kernel("add"));
  for (int size : {1, 127, 128, 1000}) {
    std::vector<float> x(size), y(size);
    for (int i = 0; i != size; ++i) {
      x[i] = 0.5f * i;
      y[i] = 3.0f - i;
    }
    Buffer dx = take(device.upload(x)), dy = take(device.upload(y));
    Buffer out = take(device.allocate(size * sizeof(float)));
    Status status = kernel.launch({uint64_t(size + 127) / 128}, {dx, dy, out, size});
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_TRUE(device.synchronize().ok());
    std::vector<float> result = take(out.download<float>());
    for (int i = 0; i != size; ++i)
      ASSERT_EQ(result[i], x[i] + y[i]) << i;
  }
}

TEST_P(OnDevice, FaultNamesPlaceAndArgument) {
  Kernel kernel = take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel());
  Buffer out = take(device.allocate(1000 * sizeof(float)));
  Status status = kernel.launch({8}, {out, 1.0});
  EXPECT_EQ(status.code(), TILEC_KERNEL_FAULT);
  EXPECT_TRUE(contains(status.message(), "'out' at index 1000")) << status.message();
  std::vector<tilec_diagnostic> diagnostics = status.diagnostics();
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_STREQ(diagnostics[0].file, "fill.tile");
  EXPECT_EQ(diagnostics[0].line, 5u);
}

TEST_P(OnDevice, ChecksArguments) {
  Kernel kernel = take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel());
  Buffer out = take(device.allocate(1024 * sizeof(float)));
  EXPECT_TRUE(kernel.launch({8}, {out, 1}).ok()) << "an integer where a float is expected";
  char *base = static_cast<char *>(out.address());
  struct {
    Status status;
    const char *text;
  } cases[] = {
      {kernel.launch({8}, {out}), "takes 2 arguments, but 1 were given"},
      {kernel.launch({8}, {1, 1.0}), "argument 'out' of kernel 'fill' is an integer"},
      {kernel.launch({8}, {out, out}), "argument 'value' of kernel 'fill' is a pointer"},
      {kernel.launch({8}, {base + 4, 1.0}), "multiple of 16"},
      {kernel.launch({1, 70000, 1}, {out, 1.0}), "axis 'y', the limit is 65535"},
  };
  for (const auto &test : cases) {
    EXPECT_EQ(test.status.code(), TILEC_INVALID_ARGUMENT);
    EXPECT_TRUE(contains(test.status.message(), test.text)) << test.status.message();
  }
}

TEST_P(OnDevice, EmptyGridDoesNothing) {
  Kernel kernel = take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel());
  Buffer out = take(device.allocate(4));
  ASSERT_TRUE(out.fill(7).ok());
  EXPECT_TRUE(kernel.launch({0}, {out, 1.0}).ok());
  EXPECT_EQ(take(out.download<uint8_t>())[0], 7);
}

TEST_P(OnDevice, RawParameters) {
  Kernel kernel = take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel());
  Buffer out = take(device.allocate(1024 * sizeof(float)));
  void *address = out.address();
  float value = 2.5f;
  const void *params[] = {&address, &value};
  EXPECT_EQ(tilec_kernel_launch_params(kernel.get(), {8, 1, 1}, params, 2, nullptr, nullptr),
            TILEC_OK);
  EXPECT_EQ(take(out.download<float>())[1023], 2.5f);
  const void *missing[] = {params[0], nullptr};
  EXPECT_EQ(tilec_kernel_launch_params(kernel.get(), {8, 1, 1}, missing, 2, nullptr, nullptr),
            TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(tilec_kernel_launch_params(kernel.get(), {8, 1, 1}, params, 1, nullptr, nullptr),
            TILEC_INVALID_ARGUMENT);
}

TEST_P(OnDevice, ThreadsLaunchAtOnce) {
  Kernel kernel = take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel());
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      Buffer out = take(device.allocate(256 * sizeof(float)));
      for (int i = 0; i != 5; ++i) {
        EXPECT_TRUE(kernel.launch({2}, {out, t + i}).ok());
        EXPECT_EQ(take(out.download<float>())[200], float(t + i));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(OnDevice, UnknownKernelListsThoseThereAre) {
  Program program = take(device.load(take(Artifact::compile("add.tile", kAdd))));
  Result<Kernel> kernel = program.kernel("sub");
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.status().code(), TILEC_NOT_FOUND);
  EXPECT_EQ(kernel.status().message(), "no kernel 'sub' in 'add.tile'; it has 'add'");
}

TEST_P(OnDevice, ReleasesInAnyOrder) {
  auto kernel = std::make_unique<Kernel>(
      take(take(device.load(take(Artifact::compile("fill.tile", kNoMask)))).kernel()));
  Buffer out = take(device.allocate(512));
  device = take(Device::open(GetParam()));
  EXPECT_TRUE(kernel->launch({1}, {out, 4.0}).ok());
  kernel.reset();
  EXPECT_EQ(take(out.download<float>())[0], 4.0f);
}

INSTANTIATE_TEST_SUITE_P(Devices, OnDevice, testing::Values("ref", "sim"),
                         [](const auto &info) { return std::string(info.param); });

//===--- The interface itself ----------------------------------------------===//

TEST(InterfaceTest, VersionIsSet) { EXPECT_STREQ(tilec_version(), TILEC_VERSION); }

TEST(InterfaceTest, UnknownDevice) {
  Result<Device> device = Device::open("gpu");
  EXPECT_EQ(device.status().code(), TILEC_NOT_FOUND);
}

TEST(InterfaceTest, NullIsAnErrorAndNotACrash) {
  const void *data = nullptr;
  size_t length = 0;
  void *address = nullptr;
  tilec_artifact *artifact = nullptr;
  tilec_device *device = nullptr;
  tilec_program *program = nullptr;
  tilec_kernel *kernel = nullptr;
  tilec_status *status = nullptr;
  const tilec_code codes[] = {
      tilec_compile("a", nullptr, 1, nullptr, &artifact, nullptr),
      tilec_compile("a", "", 0, nullptr, nullptr, nullptr),
      tilec_compile_file(nullptr, nullptr, &artifact, nullptr),
      tilec_artifact_save(nullptr, &data, &length, nullptr),
      tilec_artifact_load(nullptr, 1, &artifact, nullptr),
      tilec_artifact_kernel_info(nullptr, 0, nullptr),
      tilec_device_open(nullptr, &device, nullptr),
      tilec_device_open("sim", nullptr, nullptr),
      tilec_device_allocate(nullptr, 1, &address, nullptr),
      tilec_device_free(nullptr, nullptr, nullptr),
      tilec_device_copy_in(nullptr, nullptr, nullptr, 0, nullptr),
      tilec_device_copy_out(nullptr, nullptr, nullptr, 0, nullptr),
      tilec_device_fill(nullptr, nullptr, 0, 0, nullptr),
      tilec_device_synchronize(nullptr, nullptr),
      tilec_program_load(nullptr, nullptr, &program, nullptr),
      tilec_program_kernel(nullptr, nullptr, &kernel, nullptr),
      tilec_kernel_get_info(nullptr, nullptr),
      tilec_kernel_launch(nullptr, {1, 1, 1}, nullptr, 0, nullptr, nullptr),
      tilec_kernel_launch_params(nullptr, {1, 1, 1}, nullptr, 0, nullptr, nullptr),
      tilec_status_diagnostic(nullptr, 0, nullptr),
  };
  for (size_t i = 0; i != std::size(codes); ++i)
    EXPECT_EQ(codes[i], TILEC_INVALID_ARGUMENT) << i;
  EXPECT_EQ(tilec_device_synchronize(nullptr, &status), TILEC_INVALID_ARGUMENT);
  EXPECT_STREQ(tilec_status_message(status), "'device' must not be NULL");
  tilec_status_release(status);
  EXPECT_EQ(tilec_status_code(nullptr), TILEC_OK);
  EXPECT_STREQ(tilec_status_message(nullptr), "");
  EXPECT_STREQ(tilec_artifact_ptx(nullptr, &length), "");
  tilec_status_release(nullptr);
  tilec_artifact_release(nullptr);
  tilec_device_release(nullptr);
  tilec_program_release(nullptr);
  tilec_kernel_release(nullptr);
}

} // namespace
