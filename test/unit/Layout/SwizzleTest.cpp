// Swizzles: predicted against simulated wavefronts, no conflicts where none need be, golden tables.
#include "RandomLayouts.h"
#include "lib/Layout/ConversionPlan.h"
#include "lib/Layout/SharedMap.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tilec;
using llvm::SmallVector;

namespace {

struct Trip {
  Swizzle swizzle;
  SharedAccess src, dst;
  Trip(const LinearLayout &from, const LinearLayout &to, unsigned elemBits)
      : swizzle(computeSwizzle(from, to, elemBits)),
        src(computeAccess(from, swizzle.map, swizzle.srcVecElems, true)),
        dst(computeAccess(to, swizzle.map, swizzle.dstVecElems, false)) {}
};

/// Lane `l` accesses `vecElems` elements at element offset offsets(l).
template <typename Fn>
SharedAccess linearAccess(unsigned vecElems, Fn offsets) {
  SharedAccess access;
  access.vecElems = vecElems;
  for (unsigned bit = 0; bit < 5; ++bit)
    access.laneBases[bit] = offsets(1u << bit);
  access.offsets = {0};
  return access;
}

TEST(BankConflicts, countsWordsPerBank) {
  auto stride = [](unsigned s) { return [s](unsigned lane) { return lane * s; }; };
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(1)), 32), 0u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(2)), 32), 1u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(8)), 32), 7u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(32)), 32), 31u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(0)), 32), 0u) << "one word for all";
  // Halves of one word don't conflict; 16-bit elements two words apart do, from the 17th lane on.
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(1)), 16), 0u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(2)), 16), 0u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(4)), 16), 1u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(4)), 8), 0u);
  // 16 bytes a lane: four quarter warps, each free of conflicts.
  EXPECT_EQ(countBankConflicts(linearAccess(4, stride(4)), 32), 0u);
  EXPECT_EQ(countWavefronts(linearAccess(4, stride(4)), 32), 4u);
  EXPECT_EQ(countBankConflicts(linearAccess(4, stride(8)), 32), 4u);
  EXPECT_EQ(countWavefronts(linearAccess(4, stride(8)), 32), 8u);
  // 8 bytes a lane: two half warps.
  EXPECT_EQ(countWavefronts(linearAccess(1, stride(1)), 64), 2u);
  EXPECT_EQ(countBankConflicts(linearAccess(1, stride(2)), 64), 2u);
}

TEST(BankConflicts, idleThreadsDoNotCount) {
  SharedAccess access = linearAccess(1, [](unsigned lane) { return lane * 32; });
  access.laneMask = 0b11110;
  EXPECT_EQ(countBankConflicts(access, 32), 1u);
  access.warpMask = 1;
  EXPECT_EQ(countWavefronts(access, 32, /*warp=*/1), 0u);
}

TEST(Swizzle, predictsItsWavefronts) {
  test::RandomLayouts random(31);
  for (unsigned round = 0; round < 500; ++round) {
    SmallVector<int64_t> shape = random.shape(12);
    unsigned warpBits = random.below(5), elemBits = 8u << random.below(4);
    LinearLayout src = random.any(shape, warpBits), dst = random.any(shape, warpBits);
    Trip trip(src, dst, elemBits);
    EXPECT_EQ(trip.src.vecElems, trip.swizzle.srcVecElems) << src.str() << "\n" << dst.str();
    EXPECT_EQ(trip.dst.vecElems, trip.swizzle.dstVecElems) << src.str() << "\n" << dst.str();
    EXPECT_EQ(trip.src.offsets.size(), trip.swizzle.srcInstructions);
    EXPECT_EQ(trip.dst.offsets.size(), trip.swizzle.dstInstructions);
    EXPECT_EQ(countWavefronts(trip.src, elemBits), trip.swizzle.srcWavefronts) << src.str() << "\n"
                                                                               << dst.str() << "\n"
                                                                               << elemBits;
    EXPECT_EQ(countWavefronts(trip.dst, elemBits), trip.swizzle.dstWavefronts) << src.str() << "\n"
                                                                               << dst.str() << "\n"
                                                                               << elemBits;
    // All warps fare alike.
    unsigned last = src.numWarps() - 1;
    if (!(last & trip.src.warpMask))
      EXPECT_EQ(countBankConflicts(trip.src, elemBits, last),
                countBankConflicts(trip.src, elemBits));
    EXPECT_EQ(countBankConflicts(trip.dst, elemBits, last), countBankConflicts(trip.dst, elemBits));
  }
}

TEST(Swizzle, mapsAreBijective) {
  test::RandomLayouts random(32);
  for (unsigned round = 0; round < 100; ++round) {
    SmallVector<int64_t> shape = random.shape(10);
    LinearLayout src = random.any(shape, 2), dst = random.any(shape, 2);
    Swizzle swizzle = computeSwizzle(src, dst, 8u << random.below(4));
    std::vector<unsigned> hit(src.numElements());
    for (uint64_t i = 0; i < hit.size(); ++i)
      ++hit[swizzle.map.offset(i)];
    EXPECT_EQ(hit, std::vector<unsigned>(hit.size(), 1));
  }
}

/// Equal widths on both sides never conflict: the claim of the paper.
TEST(Swizzle, equalWidthsAreFreeOfConflicts) {
  test::RandomLayouts random(33);
  unsigned checked = 0;
  for (unsigned round = 0; round < 500; ++round) {
    SmallVector<int64_t> shape = random.shape(12);
    unsigned warpBits = random.below(4), elemBits = 8u << random.below(4);
    LinearLayout src = random.any(shape, warpBits), dst = random.any(shape, warpBits);
    Trip trip(src, dst, elemBits);
    if (trip.swizzle.srcVecElems != trip.swizzle.dstVecElems)
      continue;
    ++checked;
    EXPECT_EQ(countBankConflicts(trip.src, elemBits), 0u) << src.str() << "\n" << dst.str();
    EXPECT_EQ(countBankConflicts(trip.dst, elemBits), 0u) << src.str() << "\n" << dst.str();
  }
  EXPECT_GT(checked, 200u);
}

TEST(Swizzle, transposesWithoutConflicts) {
  for (int64_t extent : {32, 64, 128})
    for (unsigned elemBits : {8u, 16u, 32u, 64u})
      for (unsigned vec : {1u, 4u, 128 / elemBits})
        for (unsigned warps : {1u, 4u, 8u}) {
          LinearLayout rows = LinearLayout::coalesced({extent, extent}, {1, 0}, vec, warps);
          LinearLayout columns = LinearLayout::coalesced({extent, extent}, {0, 1}, vec, warps);
          for (bool back : {false, true}) {
            Trip trip(back ? columns : rows, back ? rows : columns, elemBits);
            EXPECT_EQ(countBankConflicts(trip.src, elemBits), 0u)
                << extent << " " << elemBits << " " << vec << " " << warps;
            EXPECT_EQ(countBankConflicts(trip.dst, elemBits), 0u)
                << extent << " " << elemBits << " " << vec << " " << warps;
          }
        }
}

TEST(Swizzle, sameVectorsStayWhole) {
  // Both sides hold 16 consecutive bytes in a thread; only lanes and warps differ.
  for (unsigned elemBits : {8u, 16u, 32u, 64u}) {
    unsigned vec = 128 / elemBits;
    LinearLayout src = LinearLayout::coalesced({64, 64}, {1, 0}, vec, 4);
    LinearLayout dst =
        LinearLayout::blocked({64, 64}, {1, vec}, {32, 1}, {2, 2}, LinearLayout::rowMajorOrder(2));
    Trip trip(src, dst, elemBits);
    EXPECT_EQ(trip.src.vecElems, vec);
    EXPECT_EQ(trip.dst.vecElems, vec);
    EXPECT_EQ(countBankConflicts(trip.src, elemBits) + countBankConflicts(trip.dst, elemBits), 0u);
  }
}

TEST(Swizzle, keepsRowMajorOrderWhereNothingSpeaksAgainstIt) {
  LinearLayout rows = LinearLayout::coalesced({8, 128}, {1, 0}, 4, 1);
  Swizzle swizzle = computeSwizzle(rows, rows, 32);
  for (unsigned i = 0; i < 1024; ++i)
    EXPECT_EQ(swizzle.map.offset(i), i);
}

/// A 32 x 32 transpose of words, one a thread: the word within a row is column ^ row.
TEST(Swizzle, goldenTransposeIsTheXorSwizzle) {
  LinearLayout rows = LinearLayout::coalesced({32, 32}, {1, 0}, 1, 32);
  LinearLayout columns = LinearLayout::coalesced({32, 32}, {0, 1}, 1, 32);
  Swizzle swizzle = computeSwizzle(rows, columns, 32);
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned j = 0; j < 32; ++j)
      EXPECT_EQ(swizzle.map.offset(i * 32 + j), i * 32 + (i ^ j)) << i << " " << j;
}

/// The same by one warp that holds a column a lane: it writes four rows at once, as 16 bytes, into
/// rows of 32 words that hold eight columns.
TEST(Swizzle, goldenTransposeWithVectorsOnOneSide) {
  LinearLayout rows({32, 32}, {32, 64, 128, 256, 512}, {1, 2, 4, 8, 16}, {});
  LinearLayout columns({32, 32}, {1, 2, 4, 8, 16}, {32, 64, 128, 256, 512}, {});
  Trip trip(rows, columns, 32);
  EXPECT_EQ(trip.src.vecElems, 4u);
  EXPECT_EQ(trip.dst.vecElems, 1u);
  EXPECT_EQ(countBankConflicts(trip.src, 32) + countBankConflicts(trip.dst, 32), 0u);
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned j = 0; j < 32; ++j)
      EXPECT_EQ(trip.swizzle.map.offset(i * 32 + j), i / 4 * 128 + (j ^ i / 4) * 4 + i % 4);
}

/// 16-bit elements, vectors of 16 bytes along rows on both sides, eight rows against eight columns
/// of vectors: the layout that ldmatrix wants, 16-byte chunk ^ row.
TEST(Swizzle, goldenChunksOfHalves) {
  LinearLayout rows = LinearLayout::blocked({8, 64}, {1, 8}, {4, 8}, {1, 1}, {1, 0});
  LinearLayout columns = LinearLayout::blocked({8, 64}, {1, 8}, {8, 4}, {1, 1}, {0, 1});
  Trip trip(rows, columns, 16);
  EXPECT_EQ(trip.src.vecElems, 8u);
  EXPECT_EQ(trip.dst.vecElems, 8u);
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 64; ++j)
      EXPECT_EQ(trip.swizzle.map.offset(i * 64 + j), i * 64 + (((j / 8) ^ i) * 8 + j % 8));
}

} // namespace
