// Plans of matrix products, executed on symbolic elements.
#include "RandomLayouts.h"
#include "lib/Layout/ConversionPlan.h"
#include "lib/Layout/FmaPlan.h"
#include "lib/Layout/MmaLayouts.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tilec;
using llvm::SmallVector;

namespace {

using Shape = SmallVector<int64_t>;

/// batch, rows, columns, K.
struct Product {
  int64_t batch, m, n, k;

  Shape shape(int64_t rows, int64_t columns) const {
    return batch == 0 ? Shape{rows, columns} : Shape{batch, rows, columns};
  }
  Shape acc() const { return shape(m, n); }
  Shape lhs() const { return shape(m, k); }
  Shape rhs() const { return shape(k, n); }
};

/// Coordinates as (batch, row, column).
std::array<int64_t, 3> at(const LinearLayout &layout, unsigned reg, unsigned lane, unsigned warp) {
  Coords c = layout.apply(reg, lane, warp);
  return {c.size() == 3 ? c[0] : 0, c[c.size() - 2], c[c.size() - 1]};
}

/// Runs the instructions of a plan: every accumulator element must get each k exactly once, from
/// factors of its own row, column and batch.
void checkInstructions(const MmaPlan &plan, const LinearLayout &lhs, const LinearLayout &rhs,
                       const LinearLayout &acc, int64_t k) {
  const unsigned pack = 1u << plan.packBits;
  for (unsigned warp = 0; warp < acc.numWarps(); ++warp) {
    std::vector<uint64_t> seen(32 * acc.numRegisters()); // a bit for each k
    for (const MmaStep &step : plan.steps)
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          unsigned lane = row % 8 * 4 + column / 2, reg = column % 2 + row / 8 * 2;
          auto sum = at(acc, step.acc * 4 + reg, lane, warp);
          for (unsigned i = 0; i < 8 * pack; ++i) {
            // The PTX manual's fragments.
            unsigned thread = i % (4 * pack) / pack, half = i / (4 * pack), part = i % pack;
            auto a = at(lhs, step.lhs * 4 * pack + (half * 2 + row / 8) * pack + part,
                        row % 8 * 4 + thread, warp);
            auto b = at(rhs, step.rhs * 2 * pack + half * pack + part, column * 4 + thread, warp);
            ASSERT_EQ(a[0], sum[0]);
            ASSERT_EQ(b[0], sum[0]);
            ASSERT_EQ(a[1], sum[1]);
            ASSERT_EQ(b[2], sum[2]);
            ASSERT_EQ(a[2], b[1]) << "factors of one k";
            uint64_t &sums = seen[lane * acc.numRegisters() + step.acc * 4 + reg];
            ASSERT_FALSE(sums >> a[2] & 1);
            sums |= uint64_t(1) << a[2];
          }
        }
    for (uint64_t ks : seen)
      ASSERT_EQ(ks, k == 64 ? ~uint64_t(0) : (uint64_t(1) << k) - 1);
  }
}

TEST(MmaLayouts, instructionsMultiplyRowsByColumns) {
  for (int64_t batch : {0, 2})
    for (int64_t m : {1, 8, 64})
      for (int64_t n : {1, 8, 32})
        for (unsigned packBits : {0, 1, 2})
          for (int64_t tiles : {2})
            for (unsigned warps : {1, 4})
              for (bool rowsFirst : {false, true}) {
                Product product{batch, m, n, tiles * mmaK(packBits)};
                SCOPED_TRACE(testing::Message() << batch << "x" << m << "x" << n << "x" << product.k
                                                << ", " << warps << " warps");
                LinearLayout acc = mmaAccumulator(product.acc(), warps, rowsFirst);
                LinearLayout lhs = mmaLhs(acc, product.k, packBits),
                             rhs = mmaRhs(acc, product.k, packBits);
                ASSERT_TRUE(acc.isSurjective() && lhs.isSurjective() && rhs.isSurjective());
                std::optional<MmaPlan> plan = planMma(lhs, rhs, acc, packBits);
                ASSERT_TRUE(plan);
                checkInstructions(*plan, lhs, rhs, acc, product.k);
                if (HasFatalFailure())
                  return;
              }
}

TEST(MmaLayouts, otherLayoutsMakeNoInstructions) {
  LinearLayout acc = mmaAccumulator({64, 64}, 4);
  LinearLayout lhs = mmaLhs(acc, 32, 1), rhs = mmaRhs(acc, 32, 1);
  EXPECT_TRUE(planMma(lhs, rhs, acc, 1));
  EXPECT_FALSE(planMma(lhs, rhs, acc, 0)) << "fragments of another instruction";
  EXPECT_FALSE(planMma(lhs, rhs, LinearLayout::defaultBlocked({64, 64}, 4), 1));
  EXPECT_FALSE(planMma(LinearLayout::defaultBlocked({64, 32}, 4), rhs, acc, 1));
  EXPECT_FALSE(planMma(lhs, rhs, mmaAccumulator({64, 64}, 4, /*rowsFirst=*/true), 1))
      << "an accumulator parted otherwise among the warps";
}

/// The rows of a chain's first product are whole in a warp, and its result is the second one's left
/// operand without leaving the thread.
TEST(MmaLayouts, chainsStayInThreads) {
  LinearLayout first = mmaAccumulator({64, 64}, 4, /*rowsFirst=*/true);
  LinearLayout second = mmaAccumulator({64, 32}, 4, /*rowsFirst=*/true);
  ConversionPlan plan = planConversion(first, mmaLhs(second, 64, 1), 16);
  EXPECT_EQ(plan.kind, ConversionPlan::Kind::NoOp);
}

TEST(MmaLayouts, warpsPartTheLongerSide) {
  auto part = [](int64_t m, int64_t n, unsigned warps) {
    LinearLayout acc = mmaAccumulator({m, n}, warps);
    return std::pair(acc.axisBits(0).warps, acc.axisBits(1).warps);
  };
  EXPECT_EQ(part(128, 128, 4), std::pair(1u, 2u));
  EXPECT_EQ(part(16, 128, 4), std::pair(0u, 3u));
  EXPECT_EQ(part(256, 16, 4), std::pair(3u, 0u));
  EXPECT_EQ(part(16, 8, 4), std::pair(0u, 0u)) << "all warps compute the same";
}

/// Operands loaded row by row reach their fragments by ldmatrix without bank conflicts.
TEST(MatrixRead, fragmentsOfHalves) {
  LinearLayout acc = mmaAccumulator({128, 128}, 8);
  for (bool isLhs : {true, false}) {
    LinearLayout fragment = isLhs ? mmaLhs(acc, 32, 1) : mmaRhs(acc, 32, 1);
    for (unsigned fast : {0, 1}) {
      LinearLayout loaded = LinearLayout::coalesced(fragment.getShape(), {fast, 1 - fast}, 8, 8);
      ConversionPlan plan = planConversion(loaded, fragment, 16);
      ASSERT_EQ(plan.kind, ConversionPlan::Kind::SharedMemory);
      EXPECT_EQ(plan.shared.matrices, 4u);
      EXPECT_EQ(plan.shared.transposed, isLhs == (fast == 0));
      EXPECT_EQ(plan.shared.src.vecElems, 8u);
      EXPECT_EQ(countBankConflicts(plan.shared.src, 16), 0u);
      EXPECT_EQ(countBankConflicts(plan.shared.dst, 16), 0u);
    }
  }
}

/// Every tile moves 16 bytes an access. Where a thread loads rows that it also needs in its
/// fragment no lanes need to pass each other anything.
TEST(MatrixRead, fragmentsOfEveryTile) {
  for (int64_t m : {32, 64, 128, 256})
    for (int64_t k : {32, 64, 128})
      for (unsigned warps : {1, 2, 4, 8, 16}) {
        LinearLayout acc = mmaAccumulator({m, m}, warps);
        for (bool isLhs : {true, false}) {
          LinearLayout fragment = isLhs ? mmaLhs(acc, k, 1) : mmaRhs(acc, k, 1);
          LinearLayout loaded = LinearLayout::coalesced(
              fragment.getShape(), {1, 0},
              std::min<int64_t>(8, fragment.numElements() / (32 * warps)), warps);
          ConversionPlan plan = planConversion(loaded, fragment, 16);
          ASSERT_EQ(plan.kind, ConversionPlan::Kind::SharedMemory);
          EXPECT_TRUE(plan.shared.matrices == 4 || plan.shared.dst.vecElems == 8)
              << m << " rows or columns, K " << k << ", " << warps << " warps, "
              << (isLhs ? "left" : "right") << "\nfrom " << loaded.str() << "\nto   "
              << fragment.str();
          EXPECT_EQ(countBankConflicts(plan.shared.src, 16), 0u);
          EXPECT_EQ(countBankConflicts(plan.shared.dst, 16), 0u);
        }
      }
}

TEST(FmaPlan, everyStepReadsTheRowAndTheColumn) {
  test::RandomLayouts random(7);
  for (unsigned round = 0; round < 300; ++round) {
    auto extent = [&](unsigned bits) { return int64_t(1) << random.below(bits); };
    Product product{random.below(2) ? 0 : extent(3), extent(6), extent(6), extent(6)};
    unsigned warpBits = random.below(4);
    LinearLayout acc = random.below(2) ? fmaAccumulator(product.acc(), 1u << warpBits)
                                       : random.any(product.acc(), warpBits);
    ASSERT_TRUE(acc.isSurjective());
    for (bool isLhs : {true, false}) {
      LinearLayout operand = random.any(isLhs ? product.lhs() : product.rhs(), warpBits);
      FmaOperand plan = planFmaOperand(operand, acc, isLhs, 8u << random.below(4));
      std::vector<int64_t> memory(operand.numElements(), -1);
      for (unsigned warp = 0; warp < operand.numWarps(); ++warp)
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (lane & plan.write.laneMask || warp & plan.write.warpMask)
            continue;
          for (unsigned i = 0; i < plan.write.registers.size(); ++i) {
            uint32_t offset = (plan.write.threadOffset(lane, warp) ^
                               plan.write.offsets[i / plan.write.vecElems]) +
                              i % plan.write.vecElems;
            ASSERT_EQ(memory[offset], -1) << "written twice";
            memory[offset] = operand.applyLinear(plan.write.registers[i], lane, warp);
          }
        }
      for (unsigned warp = 0; warp < acc.numWarps(); ++warp)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (int64_t k = 0; k < product.k; ++k) {
            std::vector<int64_t> read(plan.numRead, -1);
            for (unsigned i = 0; i < plan.read.registers.size(); ++i) {
              uint32_t start = plan.read.threadOffset(lane, warp) ^
                               plan.read.offsets[i / plan.read.vecElems] ^ plan.kOffset(k);
              ASSERT_EQ(start % plan.read.vecElems, 0u) << "vectors are aligned";
              read[plan.read.registers[i]] = memory[start + i % plan.read.vecElems];
            }
            for (unsigned reg = 0; reg < acc.numRegisters(); ++reg) {
              Coords wanted = acc.apply(reg, lane, warp);
              wanted[wanted.size() - (isLhs ? 1 : 2)] = int32_t(k);
              ASSERT_EQ(read[plan.registers[reg]], int64_t(operand.toFlat(wanted)));
            }
          }
    }
  }
}

} // namespace
