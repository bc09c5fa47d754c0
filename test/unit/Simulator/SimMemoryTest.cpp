// Buffers of the simulated GPU.
#include "lib/Simulator/SimMemory.h"

#include "gtest/gtest.h"

namespace tilec {
namespace {

TEST(SimMemory, BuffersAreAlignedApartAndPoisoned) {
  SimMemory memory;
  auto *a = static_cast<unsigned char *>(llvm::cantFail(memory.allocate(100)));
  auto *b = static_cast<unsigned char *>(llvm::cantFail(memory.allocate(100)));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(b) % 256, 0u);
  EXPECT_GE(std::abs(a - b), 100 + static_cast<long>(SimMemory::kGuardBytes));
  EXPECT_EQ(a[0], 0xff);
  EXPECT_EQ(a[99], 0xff);
  std::vector<SimBuffer> buffers = memory.getBuffers();
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_LT(buffers[0].base, buffers[1].base);
  EXPECT_EQ(buffers[0].size, 100u);
  EXPECT_EQ(buffers[0].initialised[0], 0);
  EXPECT_EQ(memory.getBytesInUse(), 200u);
}

TEST(SimMemory, CopiesMarkWhatTheyWrite) {
  SimMemory memory;
  auto *a = static_cast<char *>(llvm::cantFail(memory.allocate(8)));
  auto *b = static_cast<char *>(llvm::cantFail(memory.allocate(8)));
  llvm::cantFail(memory.copyToDevice(a + 2, "xyz", 3));
  llvm::cantFail(memory.copyOnDevice(b, a, 8));
  char host[8];
  llvm::cantFail(memory.copyToHost(host, b, 8));
  EXPECT_EQ(std::string(host + 2, 3), "xyz");
  for (const SimBuffer &buffer : memory.getBuffers())
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(buffer.initialised[i], i >= 2 && i < 5) << i;
  llvm::cantFail(memory.fill(b, 7, 8));
  llvm::cantFail(memory.copyToHost(host, b, 8));
  EXPECT_EQ(host[7], 7);
}

TEST(SimMemory, RangesThatLeaveABufferAreErrors) {
  SimMemory memory;
  auto *a = static_cast<char *>(llvm::cantFail(memory.allocate(8)));
  EXPECT_EQ(llvm::toString(memory.copyToDevice(a + 4, "12345", 5)),
            "copy to 5 bytes at byte 4 of a buffer of 8 bytes");
  char host[16];
  EXPECT_EQ(llvm::toString(memory.copyToHost(host, a, 9)),
            "copy from 9 bytes at byte 0 of a buffer of 8 bytes");
  EXPECT_NE(llvm::toString(memory.fill(host, 0, 1)).find("which no buffer holds"),
            std::string::npos);
  EXPECT_NE(llvm::toString(memory.release(a + 1)).find("where no buffer begins"),
            std::string::npos);
  EXPECT_EQ(llvm::toString(memory.release(nullptr)), "");
  EXPECT_EQ(llvm::toString(memory.release(a)), "");
  EXPECT_NE(llvm::toString(memory.copyToHost(host, a, 1)), "");
  EXPECT_EQ(memory.getBytesInUse(), 0u);
}

TEST(SimMemory, EmptyBuffersHaveAnAddress) {
  SimMemory memory;
  void *a = llvm::cantFail(memory.allocate(0));
  void *b = llvm::cantFail(memory.allocate(0));
  EXPECT_NE(a, nullptr);
  EXPECT_NE(a, b);
  EXPECT_EQ(llvm::toString(memory.copyToDevice(a, nullptr, 0)), "");
  EXPECT_NE(llvm::toString(memory.copyToDevice(a, "x", 1)), "");
}

TEST(SimMemory, ImpossibleSizeIsAnError) {
  SimMemory memory;
  EXPECT_EQ(llvm::toString(memory.allocate(UINT64_MAX).takeError()),
            "the host has no 18446744073709551615 bytes for a buffer");
}

} // namespace
} // namespace tilec
