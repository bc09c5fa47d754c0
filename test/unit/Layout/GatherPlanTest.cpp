// Gather plans executed on element numbers.
#include "lib/Layout/GatherPlan.h"
#include "RandomLayouts.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

uint32_t spread(llvm::ArrayRef<uint32_t> bases, unsigned index) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < bases.size(); ++bit)
    if (index >> bit & 1)
      result ^= bases[bit];
  return result;
}

TEST(GatherPlan, everyIndexFindsItsElement) {
  test::RandomLayouts random(44);
  unsigned planned = 0, selected = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    auto shape = random.shape(8);
    LinearLayout src = random.any(shape, random.below(3));
    // The same lanes and warps, other registers.
    LinearLayout dst = src;
    unsigned axis = random.below(src.getRank());
    auto plan = planGather(src, dst, axis);
    if (!plan)
      continue;
    ++planned;
    selected += plan->candidates().size() > 1;
    for (unsigned warp = 0; warp < dst.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned reg = 0; reg < dst.numRegisters(); ++reg) {
          unsigned index = random.below(shape[axis]);
          Coords wanted = dst.apply(reg, lane, warp);
          wanted[axis] = index;
          uint32_t from = plan->registers[reg] ^ spread(plan->registerBases, index);
          uint32_t there = (lane & ~plan->laneMask) | spread(plan->laneBases, index);
          ASSERT_EQ(src.apply(from, there, warp), wanted) << src.str() << " axis " << axis;
          auto candidates = plan->candidates();
          ASSERT_TRUE(llvm::is_contained(candidates, from ^ plan->registers[reg]));
        }
  }
  EXPECT_GT(planned, 200u);
  EXPECT_GT(selected, 50u);
}

TEST(GatherPlan, resultsMayBeLongerOrShorter) {
  // Eight rows of 16; the result has rows of 4 in as many lanes, which repeat.
  LinearLayout src({8, 16}, {64}, {1, 2, 4, 8, 16}, {32});
  LinearLayout dst({8, 4}, {16}, {1, 2, 0, 0, 4}, {8});
  auto plan = planGather(src, dst, 1);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->laneMask, 15u);
  EXPECT_EQ(plan->registers, (llvm::SmallVector<int32_t>{0, 1}));
  // Rows are held by other lanes.
  EXPECT_FALSE(planGather(src, LinearLayout({8, 4}, {16}, {4, 1, 2, 0, 0}, {8}), 1));
}

TEST(GatherPlan, warpsThatShareTheAxisTakeSharedMemory) {
  LinearLayout layout = LinearLayout::coalesced({256}, {0}, 1, 4);
  EXPECT_FALSE(planGather(layout, layout, 0));
  LinearLayout wide = LinearLayout::coalesced({2, 256}, {1, 0}, 4, 1);
  EXPECT_FALSE(planGather(wide, wide, 1)); // eight candidates in each lane
}

} // namespace
