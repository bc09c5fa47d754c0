// Conversion plans executed on the numbers of the elements.
#include "lib/Layout/ConversionPlan.h"
#include "RandomLayouts.h"
#include "lib/Layout/MmaLayouts.h"
#include "gtest/gtest.h"
#include <chrono>
#include <vector>

using namespace tilec;
using llvm::SmallVector;
using Kind = ConversionPlan::Kind;

namespace {

constexpr uint64_t kPoison = ~uint64_t(0);

/// The registers of all threads.
class Registers {
public:
  Registers(unsigned warps, unsigned registers)
      : numRegisters(registers), data(size_t(warps) * 32 * registers, kPoison) {}
  uint64_t &at(unsigned reg, unsigned lane, unsigned warp) {
    return data[(size_t(warp) * 32 + lane) * numRegisters + reg];
  }
  unsigned numRegisters;

private:
  std::vector<uint64_t> data;
};

template <typename Fn>
void forEachThread(unsigned warps, Fn fn) {
  for (unsigned warp = 0; warp < warps; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      fn(lane, warp);
}

Registers elementNumbers(const LinearLayout &layout) {
  Registers result(layout.numWarps(), layout.numRegisters());
  forEachThread(layout.numWarps(), [&](unsigned lane, unsigned warp) {
    for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
      result.at(reg, lane, warp) = layout.applyLinear(reg, lane, warp);
  });
  return result;
}

void applyConditional(Registers &regs, const ConditionalXor &step, unsigned lane, unsigned warp) {
  if (llvm::popcount(lane & step.laneMask) + llvm::popcount(warp & step.warpMask) & 1)
    for (unsigned reg = 0; reg < regs.numRegisters; ++reg)
      if (reg < (reg ^ step.registerXor))
        std::swap(regs.at(reg, lane, warp), regs.at(reg ^ step.registerXor, lane, warp));
}

Registers runShuffles(const ConversionPlan &plan, Registers src, unsigned warps,
                      unsigned elemBits) {
  const ShufflePlan &shuffle = plan.shuffle;
  Registers p(warps, plan.srcRegisters.size());
  unsigned results = 0;
  for (const ShuffleStep &step : shuffle.steps) {
    results += step.to.size();
    EXPECT_LE(step.to.size(), std::max(1u, 32 / elemBits)) << "a shuffle moves 32 bits";
    EXPECT_EQ(step.to.size(), step.from.size());
  }
  Registers q(warps, results), dst(warps, plan.dstRegisters.size());
  forEachThread(warps, [&](unsigned lane, unsigned warp) {
    for (unsigned i = 0; i < p.numRegisters; ++i)
      p.at(i, lane, warp) = src.at(plan.srcRegisters[i], lane, warp);
    for (const ConditionalXor &step : shuffle.before)
      applyConditional(p, step, lane, warp);
  });
  forEachThread(warps, [&](unsigned lane, unsigned warp) {
    for (const ShuffleStep &step : shuffle.steps)
      for (unsigned i = 0; i < step.to.size(); ++i) {
        unsigned from = shuffle.isFree(step) ? lane : shuffle.sourceLane(lane, warp) ^ step.laneXor;
        q.at(step.to[i], lane, warp) = p.at(step.from[i], from, warp);
      }
    for (const ConditionalXor &step : shuffle.after)
      applyConditional(q, step, lane, warp);
    for (unsigned i = 0; i < plan.dstRegisters.size(); ++i)
      dst.at(i, lane, warp) = q.at(plan.dstRegisters[i], lane, warp);
  });
  return dst;
}

/// ldmatrix as the PTX manual defines it: calls fn(element offset, register) for what `lane` gets.
template <typename Fn>
void forEachInMatrices(const SharedPlan &shared, unsigned elemBytes, unsigned lane, unsigned warp,
                       Fn fn) {
  const unsigned wordElems = 4 / elemBytes, perAccess = shared.matrices * wordElems;
  ASSERT_EQ(shared.dst.registers.size(), shared.dst.offsets.size() * perAccess);
  for (unsigned i = 0; i < shared.dst.offsets.size(); ++i)
    for (unsigned matrix = 0; matrix < shared.matrices; ++matrix)
      for (unsigned k = 0; k < wordElems; ++k) {
        unsigned outer = lane / 4, inner = lane % 4 * wordElems + k;
        unsigned row = shared.transposed ? inner : outer;
        unsigned column = shared.transposed ? outer : inner;
        uint32_t address = shared.dst.threadOffset(8 * matrix + row, warp) ^ shared.dst.offsets[i];
        EXPECT_EQ(address * elemBytes % 16, 0u) << "rows are aligned";
        fn(address + column, shared.dst.registers[i * perAccess + matrix * wordElems + k]);
      }
}

Registers runShared(const ConversionPlan &plan, Registers src, unsigned warps, unsigned elemBits) {
  const SharedPlan &shared = plan.shared;
  const unsigned elemBytes = std::max(elemBits, 8u) / 8;
  size_t size = shared.bytes / elemBytes;
  std::vector<uint64_t> memory(size, kPoison);
  std::vector<unsigned> writer(size, ~0u);
  auto forEachElement = [&](const SharedAccess &access, unsigned lane, unsigned warp, auto fn) {
    EXPECT_LE(access.vecElems * elemBytes, 16u);
    EXPECT_EQ(access.registers.size(), access.offsets.size() * access.vecElems);
    for (unsigned i = 0; i < access.offsets.size(); ++i) {
      uint32_t offset = access.threadOffset(lane, warp) ^ access.offsets[i];
      EXPECT_EQ(offset % access.vecElems, 0u) << "vectors are aligned";
      for (unsigned k = 0; k < access.vecElems; ++k) {
        ASSERT_LT(offset + k, size);
        fn(offset + k, access.registers[i * access.vecElems + k]);
      }
    }
  };
  EXPECT_EQ(shared.dst.laneMask | shared.dst.warpMask, 0u);
  Registers read(warps, plan.dstRegisters.size()), dst = read;
  for (const SharedPlan::Piece &piece : shared.pieces) {
    std::fill(memory.begin(), memory.end(), kPoison);
    forEachThread(warps, [&](unsigned lane, unsigned warp) {
      if (lane & shared.src.laneMask || warp & shared.src.warpMask)
        return;
      forEachElement(shared.src, lane, warp, [&](uint32_t offset, int32_t reg) {
        EXPECT_EQ(memory[offset], kPoison) << "written twice";
        memory[offset] = src.at(reg ^ piece.src, lane, warp);
        writer[offset] = warp;
      });
    });
    forEachThread(warps, [&](unsigned lane, unsigned warp) {
      auto readElement = [&](uint32_t offset, int32_t reg) {
        EXPECT_EQ(read.at(reg ^ piece.dst, lane, warp), kPoison) << "read twice";
        read.at(reg ^ piece.dst, lane, warp) = memory[offset];
        EXPECT_TRUE(shared.crossesWarps || writer[offset] == warp);
      };
      if (shared.matrices)
        forEachInMatrices(shared, elemBytes, lane, warp, readElement);
      else
        forEachElement(shared.dst, lane, warp, readElement);
    });
  }
  forEachThread(warps, [&](unsigned lane, unsigned warp) {
    for (unsigned i = 0; i < plan.dstRegisters.size(); ++i)
      dst.at(i, lane, warp) = read.at(plan.dstRegisters[i], lane, warp);
  });
  return dst;
}

Registers run(const ConversionPlan &plan, Registers src, unsigned warps, unsigned elemBits) {
  switch (plan.kind) {
  case Kind::NoOp:
  case Kind::RegisterPermute: {
    Registers dst(warps, plan.permutation.size());
    forEachThread(warps, [&](unsigned lane, unsigned warp) {
      for (unsigned reg = 0; reg < dst.numRegisters; ++reg)
        dst.at(reg, lane, warp) = src.at(plan.permutation[reg], lane, warp);
    });
    return dst;
  }
  case Kind::WarpShuffle:
    return runShuffles(plan, std::move(src), warps, elemBits);
  case Kind::SharedMemory:
    return runShared(plan, std::move(src), warps, elemBits);
  }
  llvm_unreachable("all kinds handled");
}

/// Whether the plan yields `dst`. Prints the first element that is wrong.
testing::AssertionResult converts(const ConversionPlan &plan, const LinearLayout &src,
                                  const LinearLayout &dst, unsigned elemBits) {
  Registers result = run(plan, elementNumbers(src), src.numWarps(), elemBits);
  if (result.numRegisters != dst.numRegisters())
    return testing::AssertionFailure() << "wrong number of registers";
  for (unsigned warp = 0; warp < dst.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < dst.numRegisters(); ++reg)
        if (result.at(reg, lane, warp) != dst.applyLinear(reg, lane, warp))
          return testing::AssertionFailure()
                 << "register " << reg << " of lane " << lane << " in warp " << warp << " holds "
                 << int64_t(result.at(reg, lane, warp)) << ", not "
                 << dst.applyLinear(reg, lane, warp) << "\nfrom " << src.str() << "\nto   "
                 << dst.str() << "\nkind " << int(plan.kind) << ", " << elemBits << " bits";
  return testing::AssertionSuccess();
}

unsigned randomElemBits(test::RandomLayouts &random) {
  const unsigned sizes[] = {1, 8, 16, 32, 64};
  return sizes[random.below(5)];
}

TEST(ConversionPlan, movesEveryElementBetweenRandomLayouts) {
  test::RandomLayouts random(21);
  unsigned kinds[4] = {};
  for (unsigned round = 0; round < 600; ++round) {
    SmallVector<int64_t> shape = random.shape(12);
    unsigned warpBits = random.below(6), elemBits = randomElemBits(random);
    LinearLayout src = random.any(shape, warpBits), dst = random.any(shape, warpBits);
    for (ShufflePolicy policy :
         {ShufflePolicy::Auto, ShufflePolicy::Never, ShufflePolicy::Always}) {
      ConversionPlan plan = planConversion(src, dst, elemBits, policy);
      ++kinds[unsigned(plan.kind)];
      ASSERT_TRUE(converts(plan, src, dst, elemBits));
    }
  }
  EXPECT_GT(kinds[unsigned(Kind::WarpShuffle)], 50u);
  EXPECT_GT(kinds[unsigned(Kind::SharedMemory)], 400u);
}

/// Layouts that differ in registers and lanes alone: `count` random column operations.
LinearLayout shuffledInsideWarps(test::RandomLayouts &random, const LinearLayout &layout,
                                 unsigned count) {
  f2::Vectors columns = layout.getMatrix();
  unsigned registers = layout.getBases(InDim::Register).size(), inWarp = registers + 5;
  for (unsigned i = 0; i < count; ++i) {
    unsigned to = random.below(columns.size()), from = random.below(inWarp);
    if (to == from)
      continue;
    if (to < inWarp && random.below(2))
      std::swap(columns[to], columns[from]);
    else
      columns[to] ^= columns[from];
  }
  llvm::ArrayRef<uint64_t> all(columns);
  return LinearLayout(layout.getShape(), all.take_front(registers), all.slice(registers, 5),
                      all.drop_front(inWarp));
}

TEST(ConversionPlan, shufflesInsideWarps) {
  test::RandomLayouts random(22);
  unsigned shuffled = 0, injective = 0;
  for (unsigned round = 0; round < 600; ++round) {
    SmallVector<int64_t> shape = random.shape(11);
    unsigned elemBits = randomElemBits(random);
    LinearLayout src = random.any(shape, random.below(4));
    LinearLayout dst = shuffledInsideWarps(random, src, 1 + random.below(6));
    ConversionPlan plan = planConversion(src, dst, elemBits, ShufflePolicy::Always);
    ASSERT_TRUE(converts(plan, src, dst, elemBits));
    shuffled += plan.kind == Kind::WarpShuffle;
    if (src.isInjective()) {
      ++injective;
      EXPECT_NE(plan.kind, Kind::SharedMemory) << "every conversion inside warps can be shuffled";
    }
    ConversionPlan automatic = planConversion(src, dst, elemBits);
    ASSERT_TRUE(converts(automatic, src, dst, elemBits));
    if (automatic.kind == Kind::WarpShuffle)
      EXPECT_LE(automatic.shuffle.numShuffles(std::max(elemBits, 8u)), 2 * dst.numRegisters());
    if (automatic.kind == Kind::SharedMemory && !src.freeMask(InDim::Warp))
      EXPECT_FALSE(automatic.shared.crossesWarps);
  }
  EXPECT_GT(shuffled, 300u);
  EXPECT_GT(injective, 50u);
}

TEST(ConversionPlan, nothingToDo) {
  LinearLayout layout = LinearLayout::coalesced({64, 64}, {1, 0}, 4, 4);
  ConversionPlan plan = planConversion(layout, layout, 32);
  EXPECT_EQ(plan.kind, Kind::NoOp);
  // Other registers of the same threads.
  LinearLayout swapped = layout.selectRegisterBits({1, 0, 3, 2, 4});
  plan = planConversion(layout, swapped, 32);
  EXPECT_EQ(plan.kind, Kind::RegisterPermute);
  EXPECT_EQ(plan.permutation[1], 2);
  EXPECT_TRUE(converts(plan, layout, swapped, 32));
}

TEST(ConversionPlan, swapsALaneBitAndARegisterBitWithHalfTheShuffles) {
  // Two registers a lane; lane bit 0 and the register change places. One of the two elements stays.
  LinearLayout src({64}, {1}, {2, 4, 8, 16, 32}, {}), dst({64}, {2}, {1, 4, 8, 16, 32}, {});
  ConversionPlan plan = planConversion(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::WarpShuffle);
  EXPECT_EQ(plan.shuffle.numShuffles(32), 1u);
  EXPECT_EQ(plan.shuffle.before.size(), 1u);
  EXPECT_EQ(plan.shuffle.after.size(), 1u);
  EXPECT_TRUE(converts(plan, src, dst, 32));
}

TEST(ConversionPlan, picksFromRepeatedDataWithoutMovingIt) {
  // Every lane has both elements; the destination wants one of them, by lane.
  LinearLayout src({2}, {1}, {0, 0, 0, 0, 0}, {0}), dst({2}, {}, {0, 1, 0, 0, 0}, {1});
  ConversionPlan plan = planConversion(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::WarpShuffle);
  EXPECT_EQ(plan.shuffle.numShuffles(32), 0u);
  EXPECT_TRUE(converts(plan, src, dst, 32));
}

TEST(ConversionPlan, packsNarrowElements) {
  // A permutation of lanes: four bytes travel in one shuffle, a double takes two.
  LinearLayout src({256}, {1, 2, 4}, {8, 16, 32, 64, 128}, {}),
      dst({256}, {1, 2, 4}, {16, 8, 32, 64, 128}, {});
  for (auto [elemBits, shuffles] : {std::pair(8, 2), {16, 4}, {32, 8}, {64, 16}}) {
    ConversionPlan plan = planConversion(src, dst, elemBits, ShufflePolicy::Always);
    ASSERT_EQ(plan.kind, Kind::WarpShuffle);
    EXPECT_EQ(plan.shuffle.numShuffles(elemBits), unsigned(shuffles));
    EXPECT_TRUE(converts(plan, src, dst, elemBits));
  }
}

TEST(ConversionPlan, takesSharedMemoryAcrossWarps) {
  LinearLayout rows = LinearLayout::coalesced({64, 64}, {1, 0}, 4, 4);
  LinearLayout columns = LinearLayout::coalesced({64, 64}, {0, 1}, 4, 4);
  ConversionPlan plan = planConversion(rows, columns, 16);
  ASSERT_EQ(plan.kind, Kind::SharedMemory);
  EXPECT_EQ(plan.shared.bytes, 64u * 64 * 2);
  EXPECT_TRUE(plan.shared.crossesWarps);
}

TEST(ConversionPlan, largeTensorsGoInPieces) {
  test::RandomLayouts random(24);
  unsigned parted = 0;
  for (unsigned round = 0; round < 40; ++round) {
    SmallVector<int64_t> shape = {32 << random.below(3), 64 << random.below(3)};
    unsigned warpBits = 2 + random.below(2);
    LinearLayout src = random.any(shape, warpBits), dst = random.any(shape, warpBits);
    ConversionPlan plan = planConversion(src, dst, 64, ShufflePolicy::Never);
    ASSERT_TRUE(converts(plan, src, dst, 64));
    parted += plan.shared.pieces.size() > 1;
  }
  EXPECT_GT(parted, 10u);
  // The accumulator of a matrix product and rows of 16 bytes.
  LinearLayout acc = mmaAccumulator({128, 256}, 8),
               rows = LinearLayout::coalesced({128, 256}, {1, 0}, 4, 8);
  ConversionPlan plan = planConversion(acc, rows, 32);
  EXPECT_EQ(plan.shared.pieces.size(), 4u);
  EXPECT_EQ(plan.shared.bytes, 32u * 1024);
  EXPECT_EQ(plan.shared.dst.vecElems, 4u);
  EXPECT_TRUE(converts(plan, acc, rows, 32));
}

TEST(ConversionPlan, takesMicroseconds) {
  // The bound is a hundred times what it takes, for slow machines and sanitizers.
  LinearLayout rows = LinearLayout::coalesced({128, 128}, {1, 0}, 8, 8);
  LinearLayout columns = LinearLayout::coalesced({128, 128}, {0, 1}, 8, 8);
  constexpr unsigned kRounds = 200;
  auto start = std::chrono::steady_clock::now();
  unsigned bytes = 0;
  for (unsigned i = 0; i < kRounds; ++i)
    bytes += planConversion(rows, columns, 16).shared.bytes;
  double micros =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(bytes, kRounds * 128 * 128 * 2);
  RecordProperty("microsecondsPerPlan", std::to_string(micros / kRounds));
  EXPECT_LT(micros / kRounds, 5000);
}

} // namespace
