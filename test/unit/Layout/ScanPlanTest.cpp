// Scan plans executed on intervals of coordinates: only neighbours may be joined, in their order.
#include "lib/Layout/ScanPlan.h"
#include "RandomLayouts.h"
#include "gtest/gtest.h"
#include <optional>
#include <vector>

using namespace tilec;
using llvm::SmallVector;

namespace {

/// The coordinates from `first` to `last` of a line along the axis; nothing for what is no
/// interval.
struct Interval {
  int64_t line, first, last;
  bool operator==(const Interval &o) const {
    return line == o.line && first == o.first && last == o.last;
  }
};
using Part = std::optional<Interval>;

class Scanner {
public:
  Scanner(const LinearLayout &layout, unsigned axis, const ScanPlan &plan)
      : layout(layout), axis(axis), plan(plan), direction(plan.reverse ? -1 : 1),
        threads(size_t(layout.numWarps()) * 32) {}

  void run() {
    for (unsigned thread = 0; thread < 32 * layout.numWarps(); ++thread)
      inThread(thread);
    for (const ScanStep &step : plan.steps)
      join(step);
  }

  void check() {
    for (unsigned thread = 0; thread < threads.size(); ++thread)
      for (unsigned reg = 0; reg < layout.numRegisters(); ++reg) {
        Interval own = elementOf(reg, thread);
        int64_t start = plan.reverse ? layout.getShape()[axis] - 1 : 0;
        unsigned index = plan.resultRegisters[reg], group = index % plan.numGroups;
        const Thread &t = threads[thread];
        Part result = t.prefixes[index];
        if (t.hasCarry[group])
          result = combine(t.carry[group], result);
        ASSERT_TRUE(result.has_value());
        ASSERT_EQ(*result, (Interval{own.line, start, own.last})) << "register " << reg;
      }
  }

private:
  struct Thread {
    std::vector<Part> prefixes, total, carry;
    std::vector<bool> hasCarry;
  };

  Part combine(const Part &a, const Part &b) const {
    if (!a || !b || a->line != b->line || a->last + direction != b->first)
      return std::nullopt;
    return Interval{a->line, a->first, b->last};
  }

  Interval elementOf(unsigned reg, unsigned thread) const {
    Coords coords = layout.apply(reg, thread % 32, thread / 32);
    int64_t k = std::exchange(coords[axis], 0);
    return {int64_t(layout.toFlat(coords)), k, k};
  }

  void inThread(unsigned thread) {
    Thread &t = threads[thread];
    for (unsigned i = 0; i < plan.registers.size(); ++i) {
      Part element = elementOf(plan.registers[i], thread);
      t.prefixes.push_back(i < plan.numGroups ? element
                                              : combine(t.prefixes[i - plan.numGroups], element));
    }
    t.total.assign(t.prefixes.end() - plan.numGroups, t.prefixes.end());
    t.carry.resize(plan.numGroups);
    t.hasCarry.resize(plan.numGroups);
  }

  void prepend(Thread &t, unsigned group, const Part &before) {
    t.carry[group] = t.hasCarry[group] ? combine(before, t.carry[group]) : before;
    t.hasCarry[group] = true;
  }

  void join(const ScanStep &step) {
    for (Thread &t : threads)
      EXPECT_EQ(t.total.size(), step.numTotals);
    if (step.kind == ScanStep::Kind::Warps)
      return acrossWarps(step);
    std::vector<Thread> old = threads;
    for (unsigned thread = 0; thread < threads.size(); ++thread) {
      Thread &t = threads[thread];
      if (step.kind == ScanStep::Kind::Registers) {
        unsigned half = step.numTotals / 2;
        for (unsigned group = 0; group < plan.numGroups; ++group)
          if (group & half)
            prepend(t, group, t.total[group % half]);
        for (unsigned i = 0; i < half; ++i)
          t.total[i] = combine(t.total[i], t.total[i + half]);
        t.total.resize(half);
        continue;
      }
      const Thread &other = old[thread ^ step.laneMask];
      bool isLater = ((thread & step.laneMask) != 0) != plan.reverse;
      for (unsigned group = 0; isLater && group < plan.numGroups; ++group)
        prepend(t, group, other.total[group % step.numTotals]);
      for (unsigned i = 0; i < step.numTotals; ++i)
        t.total[i] =
            isLater ? combine(other.total[i], t.total[i]) : combine(t.total[i], other.total[i]);
    }
  }

  unsigned positionOf(const ScanStep &step, unsigned warp) const {
    unsigned position = 0;
    for (unsigned k = 0; k < step.warpBits.size(); ++k)
      position |= (warp >> step.warpBits[k] & 1) << k;
    return plan.reverse ? step.numPositions() - 1 - position : position;
  }

  void acrossWarps(const ScanStep &step) {
    std::vector<Part> scratch(step.numPositions() * step.partialElements);
    std::vector<bool> written(scratch.size());
    auto forEachOffset = [&](const SharedAccess &access, unsigned thread, auto function) {
      for (unsigned i = 0; i < access.offsets.size(); ++i)
        for (unsigned k = 0; k < access.vecElems; ++k)
          function((access.threadOffset(thread % 32, thread / 32) ^ access.offsets[i]) + k,
                   access.registers[i * access.vecElems + k]);
    };
    for (unsigned thread = 0; thread < threads.size(); ++thread)
      if (!(thread % 32 & step.write.laneMask) && !(thread / 32 & step.write.warpMask))
        forEachOffset(step.write, thread, [&](uint32_t offset, int32_t reg) {
          size_t at = positionOf(step, thread / 32) * step.partialElements + offset;
          EXPECT_FALSE(written[at]) << "written twice";
          written[at] = true;
          scratch[at] = threads[thread].total[reg];
        });
    EXPECT_EQ(std::count(written.begin(), written.end(), false), 0);
    for (unsigned thread = 0; thread < threads.size(); ++thread) {
      Thread &t = threads[thread];
      unsigned position = positionOf(step, thread / 32);
      std::vector<Part> before(step.numTotals), all(step.numTotals);
      forEachOffset(step.read, thread, [&](uint32_t offset, int32_t reg) {
        all[reg] = scratch[offset];
        for (unsigned k = 1; k < step.numPositions(); ++k) {
          if (k == position)
            before[reg] = all[reg];
          all[reg] = combine(all[reg], scratch[k * step.partialElements + offset]);
        }
      });
      for (unsigned group = 0; position && group < plan.numGroups; ++group)
        prepend(t, group, before[group % step.numTotals]);
      t.total = all;
    }
  }

  const LinearLayout &layout;
  unsigned axis;
  const ScanPlan &plan;
  int64_t direction;
  std::vector<Thread> threads;
};

TEST(ScanPlan, everyElementGetsWhatIsBeforeIt) {
  test::RandomLayouts random(43);
  unsigned across = 0, twice = 0, interleaved = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    LinearLayout layout = random.any(random.shape(11), random.below(5));
    if (!isScannable(layout))
      continue;
    unsigned axis = random.below(layout.getRank());
    ScanPlan plan = planScan(layout, axis, random.below(2), 8u << random.below(4));
    Scanner scanner(layout, axis, plan);
    scanner.run();
    scanner.check();
    ASSERT_FALSE(testing::Test::HasFailure()) << layout.str() << " axis " << axis;
    unsigned exchanges = 0;
    for (const ScanStep &step : plan.steps) {
      exchanges += step.kind == ScanStep::Kind::Warps;
      interleaved += step.kind == ScanStep::Kind::Registers;
    }
    EXPECT_EQ(exchanges == 0, plan.scratchBytes == 0);
    across += exchanges > 0;
    twice += exchanges > 1;
  }
  EXPECT_GT(across, 50u);
  EXPECT_GT(twice, 5u);
  EXPECT_GT(interleaved, 50u);
}

TEST(ScanPlan, registersThenLanesThenWarpsThenRegisters) {
  // 4 elements a thread, 32 lanes, 4 warps, twice.
  LinearLayout layout = LinearLayout::coalesced({1024}, {0}, 4, 4);
  ScanPlan plan = planScan(layout, 0, /*reverse=*/false);
  EXPECT_EQ(plan.runLength, 4u);
  EXPECT_EQ(plan.numGroups, 2u);
  ASSERT_EQ(plan.steps.size(), 7u);
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(plan.steps[i].laneMask, 1u << i);
  EXPECT_EQ(plan.steps[5].kind, ScanStep::Kind::Warps);
  EXPECT_EQ(plan.steps[5].numPositions(), 4u);
  EXPECT_EQ(plan.steps[5].partialElements, 2u);
  EXPECT_EQ(plan.steps[5].write.laneMask, 31u);
  EXPECT_EQ(plan.steps[6].kind, ScanStep::Kind::Registers);
  EXPECT_EQ(plan.scratchBytes, 32u);
}

TEST(ScanPlan, rowsOfOneThreadNeedNoSteps) {
  LinearLayout layout = LinearLayout::coalesced({128, 4}, {1, 0}, 4, 4);
  ScanPlan plan = planScan(layout, 1, /*reverse=*/true);
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_EQ(plan.registers, (SmallVector<int32_t>{3, 2, 1, 0}));
  EXPECT_EQ(plan.resultRegisters, (SmallVector<int32_t>{3, 2, 1, 0}));
}

TEST(ScanPlan, swizzledLayoutsAreNotScannable) {
  EXPECT_TRUE(isScannable(LinearLayout::defaultBlocked({16, 8}, 2)));
  EXPECT_FALSE(isScannable(LinearLayout({4, 16}, {}, {1, 2, 4, 8, 17}, {32})));
  EXPECT_FALSE(isScannable(LinearLayout({32}, {1}, {1, 2, 4, 8, 16}, {})));
}

} // namespace
