// The table of targets and the occupancy model.
#include "lib/Target/NVPTX/NVPTX.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {

TEST(Targets, NamesAreFoundAndAgreeWithTheirCapability) {
  for (const char *name :
       {"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"}) {
    const TargetInfo *target = lookupTarget(name);
    ASSERT_TRUE(target) << name;
    std::string digits = target->name.drop_front(3).rtrim('a').str();
    EXPECT_EQ(std::to_string(target->computeCapability), digits);
    EXPECT_LT(target->maxSharedPerBlock, target->sharedPerSM);
  }
  EXPECT_EQ(lookupTarget("sm_70"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
}

TEST(Targets, UnknownNameNamesTheNearestAndAll) {
  std::string message = unknownTargetMessage("sm_90b");
  EXPECT_EQ(message, "unknown target 'sm_90b'; did you mean 'sm_90'? known targets: sm_80, sm_86, "
                     "sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120");
  EXPECT_EQ(unknownTargetMessage("gfx90a").find("did you mean"), std::string::npos);
}

TEST(Targets, DeviceGetsTheBestThatItRuns) {
  EXPECT_EQ(targetForDevice(75), nullptr);
  EXPECT_EQ(targetForDevice(80)->name, "sm_80");
  EXPECT_EQ(targetForDevice(87)->name, "sm_86");
  EXPECT_EQ(targetForDevice(90)->name, "sm_90a");
  EXPECT_EQ(targetForDevice(100)->name, "sm_100a");
  EXPECT_EQ(targetForDevice(103)->name, "sm_100");
  EXPECT_EQ(targetForDevice(121)->name, "sm_120");
}

TEST(Targets, DriverVersionsGivePtxVersions) {
  EXPECT_EQ(ptxVersionOfDriver(10020), 0u);
  EXPECT_EQ(ptxVersionOfDriver(11080), 78u);
  EXPECT_EQ(ptxVersionOfDriver(12000), 80u);
  EXPECT_EQ(ptxVersionOfDriver(12040), 84u);
  EXPECT_EQ(ptxVersionOfDriver(12060), 85u);
  EXPECT_EQ(ptxVersionOfDriver(12080), 87u);
  EXPECT_EQ(ptxVersionOfDriver(12090), 88u);
  EXPECT_EQ(ptxVersionOfDriver(13000), 90u);
}

// Expected values are those of the occupancy calculator that ships with CUDA.
TEST(Occupancy, EachResourceLimits) {
  const TargetInfo &hopper = *lookupTarget("sm_90");
  Occupancy threads = computeOccupancy(hopper, 256, 32, 0);
  EXPECT_EQ(threads.blocksPerSM, 8u);
  EXPECT_EQ(threads.warpsPerSM, 64u);
  EXPECT_EQ(threads.limit, OccupancyLimit::Threads);
  EXPECT_EQ(threads.fraction, 1.0);

  Occupancy blocks = computeOccupancy(hopper, 32, 32, 0);
  EXPECT_EQ(blocks.blocksPerSM, 32u);
  EXPECT_EQ(blocks.limit, OccupancyLimit::Blocks);

  Occupancy registers = computeOccupancy(hopper, 128, 168, 0);
  EXPECT_EQ(registers.blocksPerSM, 3u);
  EXPECT_EQ(registers.limit, OccupancyLimit::Registers);

  Occupancy shared = computeOccupancy(hopper, 128, 32, 100 * 1024);
  EXPECT_EQ(shared.blocksPerSM, 2u);
  EXPECT_EQ(shared.limit, OccupancyLimit::Shared);
}

TEST(Occupancy, WhatDoesNotFitIsZero) {
  const TargetInfo &ada = *lookupTarget("sm_89");
  EXPECT_EQ(computeOccupancy(ada, 2048, 32, 0).blocksPerSM, 0u);
  EXPECT_EQ(computeOccupancy(ada, 1024, 96, 0).blocksPerSM, 0u);
  EXPECT_EQ(computeOccupancy(ada, 128, 32, 99 * 1024).blocksPerSM, 1u);
  EXPECT_EQ(computeOccupancy(ada, 128, 32, 99 * 1024 + 1).blocksPerSM, 0u);
}

} // namespace
