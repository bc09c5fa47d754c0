// libtilec given what cannot be meant: every call is an error, none a crash.

#include "tilec/tilec.hpp"

#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace tilec;

namespace {

const char *const kScale = R"(
@triton.jit
def scale(x: "*fp32", factor: "fp32", n: "i32", BLOCK: tl.constexpr = 128):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)
)";

/// A status that a call may set, released at the end.
struct Outcome {
  tilec_status *status = nullptr;
  ~Outcome() { tilec_status_release(status); }
  std::string message() const { return tilec_status_message(status); }
};

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

//===--- Compiling ---------------------------------------------------------===//

tilec_code compile(const tilec_compile_options &options, Outcome &outcome) {
  tilec_artifact *artifact = nullptr;
  tilec_code code =
      tilec_compile("k.tile", kScale, std::strlen(kScale), &options, &artifact, &outcome.status);
  EXPECT_EQ(artifact != nullptr, code == TILEC_OK);
  tilec_artifact_release(artifact);
  return code;
}

TEST(HostileTest, LengthsBeyondAnySource) {
  for (size_t length : {SIZE_MAX, SIZE_MAX / 2, (size_t(64) << 20) + 1}) {
    Outcome outcome;
    tilec_artifact *artifact = nullptr;
    EXPECT_EQ(tilec_compile("k.tile", kScale, length, nullptr, &artifact, &outcome.status),
              TILEC_COMPILE_ERROR);
    EXPECT_EQ(artifact, nullptr);
    EXPECT_TRUE(contains(outcome.message(), "'k.tile' is too large")) << outcome.message();
  }
}

TEST(HostileTest, SourcesThatAreNoText) {
  std::string zeros(100000, '\0'), bytes;
  for (unsigned i = 0; i < 100000; ++i)
    bytes += static_cast<char>(i * 7919 % 251);
  std::string names(1 << 20, 'n');
  for (const std::string &source : {std::string(), zeros, bytes, std::string("\xff\xfe@\0", 4)}) {
    Result<Artifact> result = Artifact::compile(names + "\xff", source);
    EXPECT_EQ(result.status().code(), TILEC_COMPILE_ERROR);
  }
}

TEST(HostileTest, OptionsThatWereNotInitialised) {
  for (unsigned char byte : {0x00, 0x01, 0x7f, 0x80, 0xaa, 0xff}) {
    tilec_compile_options options;
    std::memset(&options, byte, sizeof options);
    Outcome outcome;
    EXPECT_EQ(compile(options, outcome), TILEC_INVALID_ARGUMENT) << unsigned(byte);
  }
}

TEST(HostileTest, EveryNumberInTheOptions) {
  const int numbers[] = {INT32_MIN, -2, 3, 5, 33, 64, 1 << 20, INT32_MAX};
  for (int number : numbers) {
    for (int tilec_compile_options::*field :
         {&tilec_compile_options::num_warps, &tilec_compile_options::num_stages,
          &tilec_compile_options::max_ptx_version, &tilec_compile_options::opt_level}) {
      tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
      options.*field = number;
      Outcome outcome;
      compile(options, outcome);
    }
  }
  const char *const nothing[] = {nullptr, nullptr};
  tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
  options.kernels = nothing;
  options.num_kernels = 2;
  Outcome kernels;
  EXPECT_EQ(compile(options, kernels), TILEC_COMPILE_ERROR);
  options.num_kernels = SIZE_MAX;
  Outcome many;
  EXPECT_EQ(compile(options, many), TILEC_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(many.message(), "more than 65536 elements")) << many.message();
  options = TILEC_COMPILE_OPTIONS_INIT;
  options.include_dirs = nothing;
  options.num_include_dirs = 2;
  Outcome dirs;
  EXPECT_EQ(compile(options, dirs), TILEC_OK);
}

TEST(HostileTest, TextInTheOptions) {
  for (const std::string &text :
       {std::string("\xff\xfe"), std::string(100000, '*'), std::string(100000, '('),
        std::string("*fp32, fp32, i32, 128, 1"), std::string("'"), std::string(":16")}) {
    CompileOptions options;
    options.signature = text;
    EXPECT_EQ(Artifact::compile("k", kScale, options).status().code(), TILEC_COMPILE_ERROR);
    options = {};
    options.target = text;
    EXPECT_EQ(Artifact::compile("k", kScale, options).status().code(), TILEC_COMPILE_ERROR);
    options = {};
    options.kernels = {text};
    EXPECT_EQ(Artifact::compile("k", kScale, options).status().code(), TILEC_COMPILE_ERROR);
    options = {};
    options.defines = {{"BLOCK", text}};
    EXPECT_FALSE(Artifact::compile("k", kScale, options).ok());
    options.defines = {{text, "1"}};
    Artifact::compile("k", kScale, options).ok();
  }
}

//===--- Artifacts ---------------------------------------------------------===//

class HostileArtifactTest : public ::testing::Test {
protected:
  Artifact artifact = std::move(*Artifact::compile("k.tile", kScale));

  tilec_code load(const std::string &bytes) {
    tilec_artifact *loaded = nullptr;
    tilec_code code = tilec_artifact_load(bytes.data(), bytes.size(), &loaded, nullptr);
    EXPECT_EQ(loaded != nullptr, code == TILEC_OK);
    tilec_artifact_release(loaded);
    return code;
  }
};

TEST_F(HostileArtifactTest, DamagedBytes) {
  std::string bytes(artifact.save());
  ASSERT_EQ(load(bytes), TILEC_OK);
  for (size_t length = 0; length < bytes.size(); length += length < 64 ? 1 : 97)
    EXPECT_EQ(load(bytes.substr(0, length)), TILEC_BAD_ARTIFACT) << length;
  EXPECT_EQ(load(bytes + "x"), TILEC_BAD_ARTIFACT);
  for (size_t at = 0; at < bytes.size(); at += at < 64 ? 1 : 53) {
    std::string damaged = bytes;
    damaged[at] ^= 0x10;
    EXPECT_EQ(load(damaged), TILEC_BAD_ARTIFACT) << at;
  }
}

TEST_F(HostileArtifactTest, IndicesThatAreNone) {
  tilec_kernel_info kernel;
  tilec_param_info param;
  for (size_t index : {size_t(1), SIZE_MAX}) {
    EXPECT_EQ(tilec_artifact_kernel_name(artifact.get(), index), nullptr);
    EXPECT_EQ(tilec_artifact_kernel_info(artifact.get(), index, &kernel), TILEC_NOT_FOUND);
    EXPECT_EQ(tilec_artifact_param_info(artifact.get(), index, 0, &param), TILEC_NOT_FOUND);
  }
  EXPECT_EQ(tilec_artifact_param_info(artifact.get(), 0, 3, &param), TILEC_NOT_FOUND);
  EXPECT_EQ(tilec_artifact_param_info(artifact.get(), 0, SIZE_MAX, &param), TILEC_NOT_FOUND);
  EXPECT_EQ(tilec_artifact_kernel_info(artifact.get(), 0, nullptr), TILEC_INVALID_ARGUMENT);
}

//===--- Devices -----------------------------------------------------------===//

class HostileDeviceTest : public ::testing::TestWithParam<const char *> {
protected:
  Device device = std::move(*Device::open(GetParam()));
  Artifact artifact = std::move(*Artifact::compile("k.tile", kScale, device.compileOptions()));
  Kernel kernel = std::move(*device.load(artifact)->kernel());

  tilec_code launch(std::vector<tilec_arg> args, tilec_grid grid = {1, 1, 1}) {
    return tilec_kernel_launch(kernel.get(), grid, args.data(), args.size(), nullptr, nullptr);
  }
  static tilec_arg pointer(const void *value) {
    tilec_arg arg = {TILEC_ARG_POINTER, {nullptr}};
    arg.value.pointer = value;
    return arg;
  }
  static tilec_arg integer(int64_t value) {
    tilec_arg arg = {TILEC_ARG_INT, {nullptr}};
    arg.value.integer = value;
    return arg;
  }
};

TEST(HostileNamesTest, NamesThatAreNoDevice) {
  for (const std::string &name :
       {std::string(), std::string("cuda:-1"), std::string("cuda:99999999999999999999"),
        std::string("cuda:"), std::string("SIM"), std::string("sim "), std::string(1 << 20, 'c'),
        std::string("\xff")})
    EXPECT_EQ(Device::open(name).status().code(), TILEC_NOT_FOUND) << name.substr(0, 30);
}

TEST_P(HostileDeviceTest, SizesBeyondTheMachine) {
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 255, SIZE_MAX / 2, SIZE_MAX / 4, size_t(1) << 46}) {
    void *address = &bytes;
    Outcome outcome;
    EXPECT_EQ(tilec_device_allocate(device.get(), bytes, &address, &outcome.status),
              TILEC_OUT_OF_MEMORY);
    EXPECT_EQ(address, nullptr);
  }
}

TEST_P(HostileDeviceTest, CopiesBeyondABuffer) {
  Result<Buffer> buffer = device.allocate(64);
  ASSERT_TRUE(buffer.ok());
  auto *base = static_cast<char *>(buffer->address());
  char host[128] = {};
  tilec_device *d = device.get();
  for (size_t bytes : {size_t(65), SIZE_MAX, SIZE_MAX - reinterpret_cast<uintptr_t>(base)}) {
    EXPECT_EQ(tilec_device_copy_in(d, base, host, bytes, nullptr), TILEC_INVALID_ARGUMENT);
    EXPECT_EQ(tilec_device_copy_out(d, host, base, bytes, nullptr), TILEC_INVALID_ARGUMENT);
    EXPECT_EQ(tilec_device_fill(d, base, 0, bytes, nullptr), TILEC_INVALID_ARGUMENT);
  }
  for (char *address : {base - 1, base + 64, base + 63, host, static_cast<char *>(nullptr)}) {
    EXPECT_EQ(tilec_device_copy_in(d, address, host, 2, nullptr), TILEC_INVALID_ARGUMENT);
    EXPECT_EQ(tilec_device_fill(d, address, 0, 2, nullptr), TILEC_INVALID_ARGUMENT);
  }
  for (char *address : {base - 1, base + 1, host})
    EXPECT_EQ(tilec_device_free(d, address, nullptr), TILEC_INVALID_ARGUMENT);
  // Nothing of that has harmed it.
  EXPECT_TRUE(buffer->fill(1).ok());
  EXPECT_EQ(buffer->copyIn(host, 1, SIZE_MAX).code(), TILEC_INVALID_ARGUMENT);
}

TEST_P(HostileDeviceTest, FreedTwice) {
  void *address = nullptr;
  ASSERT_EQ(tilec_device_allocate(device.get(), 64, &address, nullptr), TILEC_OK);
  EXPECT_EQ(tilec_device_free(device.get(), address, nullptr), TILEC_OK);
  EXPECT_EQ(tilec_device_free(device.get(), address, nullptr), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(launch({pointer(address), integer(1), integer(8)}), TILEC_KERNEL_FAULT);
}

TEST_P(HostileDeviceTest, PointersToNothing) {
  float host[128] = {};
  for (const void *address :
       {static_cast<const void *>(nullptr), static_cast<const void *>(host),
        reinterpret_cast<const void *>(uintptr_t(16)), reinterpret_cast<const void *>(UINTPTR_MAX),
        reinterpret_cast<const void *>(uintptr_t(1) << 63)})
    EXPECT_EQ(launch({pointer(address), integer(2), integer(128)}), TILEC_KERNEL_FAULT);
  EXPECT_EQ(host[0], 0);
}

TEST_P(HostileDeviceTest, ArgumentsThatDoNotMatch) {
  Result<Buffer> buffer = device.upload(std::vector<float>(128, 1));
  ASSERT_TRUE(buffer.ok());
  tilec_arg x = pointer(buffer->address()), one = integer(1);
  EXPECT_EQ(launch({x, one}), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(launch({x, one, one, one}), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(launch({one, one, one}), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(launch({x, x, one}), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(launch({x, one, integer(int64_t(1) << 40)}), TILEC_INVALID_ARGUMENT);
  tilec_arg strange = one;
  std::memset(&strange.kind, 0x7f, sizeof strange.kind);
  EXPECT_EQ(launch({x, one, strange}), TILEC_INVALID_ARGUMENT);
  // More than the array has, which a wrong number must not reach.
  for (size_t count : {SIZE_MAX, SIZE_MAX / 16, size_t(1) << 32}) {
    Outcome typed, raw;
    const void *params[] = {&x.value, &one.value, &one.value};
    EXPECT_EQ(tilec_kernel_launch(kernel.get(), {1, 1, 1}, &x, count, nullptr, &typed.status),
              TILEC_INVALID_ARGUMENT);
    EXPECT_EQ(
        tilec_kernel_launch_params(kernel.get(), {1, 1, 1}, params, count, nullptr, &raw.status),
        TILEC_INVALID_ARGUMENT);
    EXPECT_TRUE(contains(typed.message(), "kernel 'scale' takes 3 arguments")) << typed.message();
  }
  const void *params[] = {&x.value, nullptr, &one.value};
  EXPECT_EQ(tilec_kernel_launch_params(kernel.get(), {1, 1, 1}, params, 3, nullptr, nullptr),
            TILEC_INVALID_ARGUMENT);
}

TEST_P(HostileDeviceTest, GridsBeyondTheLimits) {
  Result<Buffer> buffer = device.upload(std::vector<float>(128, 1));
  ASSERT_TRUE(buffer.ok());
  std::vector<tilec_arg> args = {pointer(buffer->address()), integer(1), integer(0)};
  for (tilec_grid grid :
       {tilec_grid{uint64_t(1) << 31, 1, 1}, tilec_grid{1, 65536, 1}, tilec_grid{1, 1, 65536},
        tilec_grid{UINT64_MAX, 1, 1}, tilec_grid{1, UINT64_MAX, UINT64_MAX},
        tilec_grid{uint64_t(1) << 32, 1, 1}})
    EXPECT_EQ(launch(args, grid), TILEC_INVALID_ARGUMENT) << grid.x << "," << grid.y;
}

TEST_P(HostileDeviceTest, KernelsOfOtherFiles) {
  Program program = std::move(*device.load(artifact));
  for (const std::string &name :
       {std::string("scal"), std::string(1 << 20, 's'), std::string("\xff"), std::string("scale ")})
    EXPECT_EQ(program.kernel(name).status().code(), TILEC_NOT_FOUND);
}

/// Threads use, retain and release the same handles, and allocate and free beside each other.
TEST_P(HostileDeviceTest, ThreadsShareEveryHandle) {
  std::atomic<unsigned> failures{0};
  auto work = [&](unsigned seed) {
    for (unsigned i = 0; i < 20; ++i) {
      tilec_device *d = tilec_device_retain(device.get());
      tilec_artifact *a = tilec_artifact_retain(artifact.get());
      tilec_program *program = nullptr;
      tilec_kernel *own = nullptr;
      void *address = nullptr;
      float host[128];
      for (float &value : host)
        value = static_cast<float>(seed);
      const void *saved;
      size_t length;
      bool good = tilec_artifact_save(a, &saved, &length, nullptr) == TILEC_OK &&
                  tilec_device_allocate(d, sizeof host, &address, nullptr) == TILEC_OK &&
                  tilec_device_copy_in(d, address, host, sizeof host, nullptr) == TILEC_OK &&
                  (i % 10 || tilec_program_load(d, a, &program, nullptr) == TILEC_OK) &&
                  (i % 10 || tilec_program_kernel(program, "scale", &own, nullptr) == TILEC_OK);
      tilec_program_release(program);
      tilec_arg args[] = {pointer(address), integer(3), integer(128)};
      good &= tilec_kernel_launch(own ? own : kernel.get(), {1, 1, 1}, args, 3, nullptr, nullptr) ==
              TILEC_OK;
      good &= tilec_device_copy_out(d, host, address, sizeof host, nullptr) == TILEC_OK;
      good &= host[0] == 3 * static_cast<float>(seed) && host[127] == host[0];
      // A fault of one launch is nobody else's.
      args[0] = pointer(nullptr);
      good &= tilec_kernel_launch(kernel.get(), {1, 1, 1}, args, 3, nullptr, nullptr) ==
              TILEC_KERNEL_FAULT;
      good &= tilec_device_free(d, address, nullptr) == TILEC_OK;
      tilec_kernel_release(own);
      tilec_artifact_release(a);
      tilec_device_release(d);
      failures += !good;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 6; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0u);
}

TEST_P(HostileDeviceTest, HandlesThatWereMovedFrom) {
  Kernel moved = std::move(kernel);
  EXPECT_EQ(kernel.launch({1}, {}).code(), TILEC_INVALID_ARGUMENT);
  Device other = std::move(device);
  EXPECT_EQ(device.synchronize().code(), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(device.load(artifact).status().code(), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(device.allocate(1).status().code(), TILEC_INVALID_ARGUMENT);
  EXPECT_EQ(device.name(), "");
  Artifact gone = std::move(artifact);
  EXPECT_EQ(artifact.ptx(), "");
  EXPECT_TRUE(artifact.kernels().empty());
  EXPECT_TRUE(artifact.save().empty());
  EXPECT_EQ(other.load(artifact).status().code(), TILEC_INVALID_ARGUMENT);
}

INSTANTIATE_TEST_SUITE_P(, HostileDeviceTest, ::testing::Values("ref", "sim"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
