// Artifacts as bytes, arguments, and the checks that every launch makes.

#include "lib/Device/Device.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tilec;

namespace {

Artifact makeArtifact() {
  Artifact artifact;
  artifact.sourceName = "a.tile";
  artifact.target = "sm_90a";
  artifact.ptx = ".version 8.0\n";
  artifact.tileModule = std::string("ML\xefR\0bytes", 10);
  artifact.loweredModule = "lowered";
  KernelMetadata kernel;
  kernel.name = "k";
  kernel.numWarps = 8;
  kernel.sharedBytes = 1024;
  kernel.params = {{"x", "*fp16", ScalarKind::Pointer, 16},
                   {"n", "i32", ScalarKind::I32, 16},
                   {"scale", "fp16", ScalarKind::F16, 1}};
  artifact.kernels = {kernel, kernel};
  artifact.kernels[1].name = "other";
  return artifact;
}

std::string getMessage(llvm::Error error) { return toStatus(std::move(error)).getMessage(); }

//===--- Artifacts ---------------------------------------------------------===//

TEST(ArtifactTest, RoundTrip) {
  Artifact before = makeArtifact();
  Artifact after = llvm::cantFail(Artifact::deserialize(before.serialize()));
  EXPECT_EQ(after.serialize(), before.serialize());
  EXPECT_EQ(after.tileModule, before.tileModule);
  ASSERT_EQ(after.kernels.size(), 2u);
  EXPECT_EQ(after.kernels[1].name, "other");
  EXPECT_EQ(after.kernels[0].numWarps, 8u);
  EXPECT_EQ(after.kernels[0].sharedBytes, 1024u);
  EXPECT_EQ(after.kernels[0].params[2].kind, ScalarKind::F16);
  EXPECT_EQ(after.kernels[0].params[1].divisibility, 16u);
}

TEST(ArtifactTest, EveryFlippedBitIsNoticed) {
  std::string bytes = makeArtifact().serialize();
  for (size_t i = 0; i != bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1 << i % 8);
    auto read = Artifact::deserialize(damaged);
    ASSERT_FALSE(bool(read)) << "byte " << i;
    EXPECT_EQ(toStatus(read.takeError()).getCode(), rt::Code::BadArtifact);
  }
}

TEST(ArtifactTest, EveryTruncationIsNoticed) {
  std::string bytes = makeArtifact().serialize();
  for (size_t size = 0; size != bytes.size(); ++size) {
    auto read = Artifact::deserialize(llvm::StringRef(bytes).take_front(size));
    ASSERT_FALSE(bool(read)) << size << " bytes";
    EXPECT_EQ(toStatus(read.takeError()).getCode(), rt::Code::BadArtifact);
  }
  auto longer = Artifact::deserialize(bytes + "x");
  EXPECT_FALSE(bool(longer));
  llvm::consumeError(longer.takeError());
}

TEST(ArtifactTest, KernelsByName) {
  Artifact artifact = makeArtifact();
  EXPECT_EQ(artifact.findKernel("other"), &artifact.kernels[1]);
  EXPECT_EQ(artifact.findKernel("none"), nullptr);
  EXPECT_EQ(artifact.findKernel(""), nullptr) << "two kernels: a name is needed";
  EXPECT_EQ(getMessage(makeNoKernelError(artifact, "none")),
            "no kernel 'none' in 'a.tile'; it has 'k', 'other'");
  EXPECT_EQ(getMessage(makeNoKernelError(artifact, "")),
            "'a.tile' has 2 kernels; name one of them: 'k', 'other'");
  artifact.kernels.pop_back();
  EXPECT_EQ(artifact.findKernel(""), &artifact.kernels[0]);
}

//===--- Arguments ---------------------------------------------------------===//

KernelMetadata makeKernel(ScalarKind kind, const char *type) {
  KernelMetadata kernel;
  kernel.name = "k";
  kernel.params = {{"a", type, kind, 1}};
  return kernel;
}

template <typename T>
T packOne(ScalarKind kind, const char *type, ArgValue value) {
  PackedArgs packed;
  llvm::cantFail(packed.pack(makeKernel(kind, type), value));
  T result;
  std::memcpy(&result, packed.getParams()[0], sizeof result);
  return result;
}

std::string packError(ScalarKind kind, const char *type, ArgValue value) {
  PackedArgs packed;
  return getMessage(packed.pack(makeKernel(kind, type), value));
}

TEST(PackedArgsTest, Values) {
  EXPECT_EQ(packOne<int32_t>(ScalarKind::I32, "i32", ArgValue::ofInt(-7)), -7);
  EXPECT_EQ(packOne<int64_t>(ScalarKind::I64, "i64", ArgValue::ofInt(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(packOne<uint32_t>(ScalarKind::I32, "u32", ArgValue::ofInt(0xffffffff)), 0xffffffff);
  EXPECT_EQ(packOne<uint8_t>(ScalarKind::I1, "i1", ArgValue::ofInt(1)), 1);
  EXPECT_EQ(packOne<float>(ScalarKind::F32, "fp32", ArgValue::ofFloat(0.1)), 0.1f);
  EXPECT_EQ(packOne<float>(ScalarKind::F32, "fp32", ArgValue::ofInt(3)), 3.0f);
  EXPECT_EQ(packOne<double>(ScalarKind::F64, "fp64", ArgValue::ofFloat(0.1)), 0.1);
  EXPECT_EQ(packOne<uint16_t>(ScalarKind::F16, "fp16", ArgValue::ofFloat(1.5)), 0x3e00);
  EXPECT_EQ(packOne<uint16_t>(ScalarKind::BF16, "bf16", ArgValue::ofFloat(1.5)), 0x3fc0);
  EXPECT_EQ(packOne<uint64_t>(ScalarKind::Pointer, "*fp32", ArgValue::ofPointer(0x1234)), 0x1234u);
}

TEST(PackedArgsTest, IntegersThatDoNotFit) {
  EXPECT_EQ(packError(ScalarKind::I32, "i32", ArgValue::ofInt(3000000000)),
            "argument 'a' of kernel 'k' is 3000000000, which does not fit its type 'i32'");
  EXPECT_NE(packError(ScalarKind::I32, "u32", ArgValue::ofInt(-1)), "");
  EXPECT_NE(packError(ScalarKind::I8, "i8", ArgValue::ofInt(128)), "");
  EXPECT_EQ(packError(ScalarKind::I8, "u8", ArgValue::ofInt(128)), "");
  EXPECT_NE(packError(ScalarKind::I1, "i1", ArgValue::ofInt(2)), "");
}

TEST(PackedArgsTest, KindsThatDoNotMatch) {
  EXPECT_EQ(packError(ScalarKind::Pointer, "*fp32", ArgValue::ofInt(4)),
            "argument 'a' of kernel 'k' is an integer, but the parameter is of type '*fp32'");
  EXPECT_EQ(packError(ScalarKind::I32, "i32", ArgValue::ofFloat(4)),
            "argument 'a' of kernel 'k' is a float, but the parameter is of type 'i32'");
  EXPECT_EQ(packError(ScalarKind::F32, "fp32", ArgValue::ofPointer(4)),
            "argument 'a' of kernel 'k' is a pointer, but the parameter is of type 'fp32'");
}

TEST(PackedArgsTest, WrongNumber) {
  PackedArgs packed;
  EXPECT_EQ(getMessage(packed.pack(makeKernel(ScalarKind::I32, "i32"), {})),
            "kernel 'k' takes 1 arguments, but 0 were given");
}

TEST(PackedArgsTest, ManyArguments) {
  KernelMetadata kernel;
  std::vector<ArgValue> values;
  for (int i = 0; i != 100; ++i) {
    kernel.params.push_back({"a", "i32", ScalarKind::I32, 1});
    values.push_back(ArgValue::ofInt(i));
  }
  PackedArgs packed;
  llvm::cantFail(packed.pack(kernel, values));
  for (int i = 0; i != 100; ++i)
    EXPECT_EQ(*static_cast<const int32_t *>(packed.getParams()[i]), i);
}

//===--- Launches ----------------------------------------------------------===//

class CountingKernel : public Kernel {
public:
  explicit CountingKernel(KernelMetadata metadata) : Kernel(std::move(metadata)) {}
  unsigned launches = 0;

protected:
  llvm::Error doLaunch(const Grid &, llvm::ArrayRef<const void *>, Stream) override {
    ++launches;
    return llvm::Error::success();
  }
};

TEST(KernelTest, ChecksBeforeLaunch) {
  CountingKernel kernel(makeArtifact().kernels[0]);
  uint64_t x = 0x1000;
  int32_t n = 32;
  uint16_t scale = 1;
  const void *params[] = {&x, &n, &scale};
  llvm::cantFail(kernel.launch({1, 1, 1}, params, nullptr));
  llvm::cantFail(kernel.launch({16384, 16384, 16}, params, nullptr));
  EXPECT_EQ(kernel.launches, 2u);
  llvm::cantFail(kernel.launch({1, 0, 1}, params, nullptr));
  EXPECT_EQ(getMessage(kernel.launch({1, 65536, 1}, params, nullptr)),
            "the grid has 65536 programs along axis 'y', the limit is 65535");
  EXPECT_EQ(getMessage(kernel.launch({1, 1, 1}, llvm::ArrayRef(params).drop_back(), nullptr)),
            "kernel 'k' takes 3 arguments, but 2 were given");
  n = 24;
  EXPECT_EQ(getMessage(kernel.launch({1, 1, 1}, params, nullptr)),
            "argument 'n' of kernel 'k' is 24, but was promised to be a multiple of 16");
  n = -3;
  EXPECT_EQ(getMessage(kernel.launch({1, 1, 1}, params, nullptr)),
            "argument 'n' of kernel 'k' is -3, but was promised to be a multiple of 16");
  n = 16;
  x = 0x1008;
  EXPECT_EQ(getMessage(kernel.launch({1, 1, 1}, params, nullptr)),
            "argument 'x' of kernel 'k' is 0x1008, but was promised to be a multiple of 16");
  EXPECT_EQ(kernel.launches, 2u);
}

TEST(DeviceTest, UnknownNameListsDevices) {
  for (const char *name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda0", ""}) {
    auto device = openDevice(name);
    ASSERT_FALSE(bool(device)) << name;
    rt::Status status = toStatus(device.takeError());
    EXPECT_EQ(status.getCode(), rt::Code::NotFound);
    EXPECT_NE(status.getMessage().find("'ref', 'sim' and 'cuda:N'"), std::string::npos);
  }
}

TEST(DeviceTest, HostMemory) {
  for (const char *name : {"ref", "sim"}) {
    auto device = llvm::cantFail(openDevice(name));
    DeviceAddress address = llvm::cantFail(device->allocate(16));
    EXPECT_EQ(address % 256, 0u);
    char in[16] = "0123456789abcde", out[16] = {};
    llvm::cantFail(device->copyIn(address, in, 16));
    llvm::cantFail(device->fill(address + 1, 'x', 2));
    llvm::cantFail(device->copyOut(out, address, 16));
    EXPECT_STREQ(out, "0xx3456789abcde");
    rt::Status status = toStatus(device->copyIn(address + 8, in, 16));
    EXPECT_EQ(status.getCode(), rt::Code::InvalidArgument) << status.getMessage();
    llvm::cantFail(device->free(address));
    llvm::cantFail(device->free(0));
    EXPECT_EQ(toStatus(device->free(12345)).getCode(), rt::Code::InvalidArgument);
    llvm::cantFail(device->synchronize());
  }
}

TEST(DeviceTest, DamagedModuleIsAnError) {
  for (const char *name : {"ref", "sim"}) {
    auto device = llvm::cantFail(openDevice(name));
    Artifact artifact = makeArtifact();
    auto program = device->load(artifact);
    ASSERT_FALSE(bool(program));
    EXPECT_EQ(toStatus(program.takeError()).getCode(), rt::Code::BadArtifact);
    artifact.tileModule = artifact.loweredModule = "";
    program = device->load(artifact);
    ASSERT_FALSE(bool(program));
    EXPECT_EQ(toStatus(program.takeError()).getCode(), rt::Code::Unsupported);
  }
}

} // namespace
