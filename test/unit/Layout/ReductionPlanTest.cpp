// Reduction plans executed on bags of elements: each must enter exactly once.
#include "lib/Layout/ReductionPlan.h"
#include "RandomLayouts.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tilec;
using llvm::SmallVector;

namespace {

/// How often each coordinate along the axis entered, and into which result.
struct Bag {
  std::vector<unsigned> counts;
  int64_t result = -1;

  static Bag combine(const Bag &a, const Bag &b) {
    EXPECT_EQ(a.result, b.result) << "combined parts of different results";
    Bag sum = a;
    for (unsigned i = 0; i < sum.counts.size(); ++i)
      sum.counts[i] += b.counts[i];
    return sum;
  }
};

class Reducer {
public:
  Reducer(const LinearLayout &src, const ReductionPlan &plan)
      : src(src), plan(plan), result(plan.result), regs(result.numRegisters()),
        acc(size_t(src.numWarps()) * 32 * regs) {}

  void run() {
    inThreads();
    for (const ButterflyStep &step : plan.lanes) {
      std::vector<Bag> old = acc;
      forEach([&](unsigned reg, unsigned lane, unsigned warp) {
        at(reg, lane, warp) =
            Bag::combine(old[index(reg, lane, warp)],
                         old[index(reg ^ step.registerXor, lane ^ step.laneXor, warp)]);
      });
    }
    if (plan.numPartials > 1)
      acrossWarps();
    else
      EXPECT_EQ(plan.scratchElements, 0u);
  }

  void check() {
    forEach([&](unsigned reg, unsigned lane, unsigned warp) {
      const Bag &bag = at(reg, lane, warp);
      EXPECT_EQ(bag.result, int64_t(result.applyLinear(reg, lane, warp))) << src.str();
      EXPECT_EQ(bag.counts, std::vector<unsigned>(src.getShape()[plan.axis], 1))
          << src.str() << " axis " << plan.axis;
    });
  }

private:
  size_t index(unsigned reg, unsigned lane, unsigned warp) const {
    return (size_t(warp) * 32 + lane) * regs + reg;
  }
  Bag &at(unsigned reg, unsigned lane, unsigned warp) { return acc[index(reg, lane, warp)]; }
  template <typename Fn>
  void forEach(Fn fn) {
    for (unsigned warp = 0; warp < src.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned reg = 0; reg < regs; ++reg)
          fn(reg, lane, warp);
  }

  void inThreads() {
    ASSERT_EQ(plan.registers.size(), size_t(regs) * plan.perResult);
    forEach([&](unsigned reg, unsigned lane, unsigned warp) {
      Bag sum;
      for (unsigned j = 0; j < plan.perResult; ++j) {
        Coords coords = src.apply(plan.registers[reg * plan.perResult + j], lane, warp);
        Bag one;
        one.counts.assign(src.getShape()[plan.axis], 0);
        one.counts[coords[plan.axis]] = 1;
        coords.erase(coords.begin() + plan.axis);
        one.result = int64_t(result.toFlat(coords));
        sum = j ? Bag::combine(sum, one) : one;
      }
      at(reg, lane, warp) = sum;
    });
  }

  template <typename Fn>
  void forEachOffset(const SharedAccess &access, unsigned lane, unsigned warp, Fn fn) {
    for (unsigned i = 0; i < access.offsets.size(); ++i)
      for (unsigned k = 0; k < access.vecElems; ++k)
        fn((access.threadOffset(lane, warp) ^ access.offsets[i]) + k,
           access.registers[i * access.vecElems + k]);
  }

  void acrossWarps() {
    const size_t count = result.numElements();
    EXPECT_EQ(plan.scratchElements, plan.numPartials * count);
    std::vector<Bag> scratch(plan.scratchElements);
    for (unsigned warp = 0; warp < src.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        if (plan.warpWrites(warp) && !(lane & plan.write.laneMask))
          forEachOffset(plan.write, lane, warp, [&](uint32_t offset, int32_t reg) {
            Bag &slot = scratch[plan.partialIndex(warp) * count + offset];
            EXPECT_EQ(slot.result, -1) << "written twice: " << src.str();
            slot = at(reg, lane, warp);
          });
    std::vector<Bag> sums(acc.size());
    for (unsigned warp = 0; warp < src.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        forEachOffset(plan.read, lane, warp, [&](uint32_t offset, int32_t reg) {
          Bag sum = scratch[offset];
          for (unsigned k = 1; k < plan.numPartials; ++k)
            sum = Bag::combine(sum, scratch[k * count + offset]);
          sums[index(reg, lane, warp)] = sum;
        });
    acc = sums;
  }

  const LinearLayout &src;
  const ReductionPlan &plan;
  const LinearLayout &result;
  unsigned regs;
  std::vector<Bag> acc;
};

TEST(ReductionPlan, everyElementEntersOnce) {
  test::RandomLayouts random(41);
  unsigned crossing = 0, swizzled = 0;
  for (unsigned round = 0; round < 300; ++round) {
    LinearLayout src = random.any(random.shape(10), random.below(5));
    unsigned axis = random.below(src.getRank());
    ReductionPlan plan = planReduction(src, axis, 8u << random.below(4));
    EXPECT_EQ(plan.result, src.slice(axis));
    Reducer reducer(src, plan);
    reducer.run();
    reducer.check();
    ASSERT_FALSE(testing::Test::HasFailure()) << src.str() << " axis " << axis;
    crossing += plan.numPartials > 1;
    for (const ButterflyStep &step : plan.lanes)
      swizzled += step.registerXor != 0;
  }
  EXPECT_GT(crossing, 50u);
  EXPECT_GT(swizzled, 10u);
}

TEST(ReductionPlan, rowsInsideAWarpNeedNoSharedMemory) {
  // 8 x 128 by 4 warps: a row is a warp's 32 lanes of 4 elements.
  LinearLayout src = LinearLayout::coalesced({8, 128}, {1, 0}, 4, 4);
  ReductionPlan plan = planReduction(src, 1);
  EXPECT_EQ(plan.numPartials, 1u);
  EXPECT_EQ(plan.scratchElements, 0u);
  EXPECT_EQ(plan.perResult, 4u);
  EXPECT_EQ(plan.result.numRegisters(), 2u);
  EXPECT_EQ(plan.registers, (SmallVector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  ASSERT_EQ(plan.lanes.size(), 5u);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(plan.lanes[i].laneXor, 1u << i);
    EXPECT_EQ(plan.lanes[i].registerXor, 0u);
  }
}

TEST(ReductionPlan, aVectorTakesOneSlotAWarp) {
  LinearLayout src = LinearLayout::coalesced({4096}, {0}, 4, 8);
  ReductionPlan plan = planReduction(src, 0);
  EXPECT_EQ(plan.perResult, 16u);
  EXPECT_EQ(plan.numPartials, 8u);
  EXPECT_EQ(plan.scratchElements, 8u);
  EXPECT_EQ(plan.partialMasks, (SmallVector<uint32_t, 5>{1, 2, 4}));
  EXPECT_TRUE(plan.silentWarpMasks.empty());
  EXPECT_EQ(plan.write.laneMask, 31u);
}

TEST(ReductionPlan, repeatedDataIsReducedOnce) {
  // 16 elements: lane bit 4 and all warps repeat them.
  LinearLayout src = LinearLayout::coalesced({16}, {0}, 1, 4);
  ReductionPlan plan = planReduction(src, 0);
  EXPECT_EQ(plan.lanes.size(), 4u);
  EXPECT_EQ(plan.numPartials, 1u);
}

TEST(ReductionPlan, columnsCrossLanesAndWarps) {
  // 64 x 32: lanes along columns, warps along rows.
  LinearLayout src = LinearLayout::coalesced({64, 32}, {1, 0}, 1, 4);
  ReductionPlan plan = planReduction(src, 0);
  EXPECT_TRUE(plan.lanes.empty());
  EXPECT_EQ(plan.perResult, 16u);
  EXPECT_EQ(plan.numPartials, 4u);
  EXPECT_EQ(plan.scratchElements, 128u);
  EXPECT_EQ(countBankConflicts(plan.write, 32), 0u);
}

} // namespace
