// Layouts against brute force over all registers, lanes and warps.
#include "lib/Layout/LinearLayout.h"
#include "RandomLayouts.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

template <typename Fn>
void forEachInput(const LinearLayout &layout, Fn fn) {
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < layout.numLanes(); ++lane)
      for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
        fn(reg, lane, warp);
}

/// How often each element is held, by all and by the owners.
struct Census {
  std::vector<unsigned> all, owned;
  explicit Census(const LinearLayout &layout)
      : all(layout.numElements()), owned(layout.numElements()) {
    InputBits free = layout.freeBits();
    forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      uint64_t element = layout.applyLinear(reg, lane, warp);
      ++all[element];
      owned[element] += !(reg & free.registers) && !(lane & free.lanes) && !(warp & free.warps);
    });
  }
};

TEST(LinearLayout, coversEveryElementAndOwnsItOnce) {
  test::RandomLayouts random(11);
  for (unsigned round = 0; round < 400; ++round) {
    SmallVector<int64_t> shape = random.shape(11);
    LinearLayout layout = random.any(shape, random.below(6));
    Census census(layout);
    EXPECT_TRUE(layout.isSurjective());
    bool once = true;
    for (unsigned count : census.all) {
      EXPECT_GE(count, 1u) << layout.str();
      once &= count == 1;
    }
    for (unsigned count : census.owned)
      EXPECT_EQ(count, 1u) << layout.str();
    EXPECT_EQ(layout.isInjective(), once) << layout.str();
  }
}

TEST(LinearLayout, ownsNothingTwiceWhenElementsAreMissing) {
  LinearLayout layout({64}, {1, 2, 3}, {4, 8, 12, 0, 4}, {1});
  EXPECT_FALSE(layout.isSurjective());
  EXPECT_FALSE(layout.isInjective());
  EXPECT_EQ(layout.freeMask(InDim::Register), 0b100u);
  EXPECT_EQ(layout.freeMask(InDim::Lane), 0b11100u);
  EXPECT_EQ(layout.freeMask(InDim::Warp), 0b1u);
  Census census(layout);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(census.owned[i], i < 16 ? 1u : 0u);
}

TEST(LinearLayout, blockedMatchesTritonsFormula) {
  test::RandomLayouts random(12);
  for (unsigned round = 0; round < 200; ++round) {
    SmallVector<int64_t> shape = random.shape(10);
    unsigned rank = shape.size(), warpBits = random.below(4);
    SmallVector<int64_t> size = random.factors(rank, random.below(4)),
                         lanes = random.factors(rank, 5), warps = random.factors(rank, warpBits);
    SmallVector<unsigned> order = random.order(rank);
    LinearLayout layout = LinearLayout::blocked(shape, size, lanes, warps, order);
    // Registers within the first tile count along `order`; a coordinate is register, lane and warp
    // parts side by side, wrapped at the extent. What is left of the register repeats the tile.
    forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      Coords found = layout.apply(reg, lane, warp), expected(rank);
      unsigned r = reg, l = lane, w = warp;
      SmallVector<int64_t> part(rank);
      for (unsigned dim : order) {
        int64_t inTile = std::min(size[dim], shape[dim]);
        part[dim] = r % inTile + size[dim] * (l % lanes[dim] + lanes[dim] * (w % warps[dim]));
        r /= inTile, l /= lanes[dim], w /= warps[dim];
      }
      for (unsigned dim : order) {
        int64_t tile = size[dim] * lanes[dim] * warps[dim];
        int64_t repeats = std::max<int64_t>(shape[dim] / tile, 1);
        expected[dim] = int32_t((part[dim] + (r % repeats) * tile) % shape[dim]);
        r /= repeats;
      }
      EXPECT_EQ(found, expected) << layout.str();
    });
  }
}

TEST(LinearLayout, coalescedGoesAlongTheOrder) {
  // 64 x 128 by 4 warps: 4 elements a thread fill a row of 128 with 32 lanes; warps take rows.
  LinearLayout layout = LinearLayout::coalesced({64, 128}, {1, 0}, 4, 4);
  EXPECT_EQ(layout.numRegisters(), 64u);
  EXPECT_EQ(layout.apply(3, 0, 0), (Coords{0, 3}));
  EXPECT_EQ(layout.apply(0, 1, 0), (Coords{0, 4}));
  EXPECT_EQ(layout.apply(0, 31, 0), (Coords{0, 124}));
  EXPECT_EQ(layout.apply(0, 0, 1), (Coords{1, 0}));
  EXPECT_EQ(layout.apply(4, 0, 0), (Coords{4, 0}));
  // A short row spills lanes into the next dimension.
  layout = LinearLayout::coalesced({64, 16}, {1, 0}, 4, 4);
  EXPECT_EQ(layout.apply(0, 4, 0), (Coords{1, 0}));
  EXPECT_EQ(layout.apply(0, 0, 1), (Coords{8, 0}));
  // Few elements: lanes, then warps repeat.
  layout = LinearLayout::coalesced({8}, {0}, 1, 4);
  EXPECT_EQ(layout.freeMask(InDim::Lane), 0b11000u);
  EXPECT_EQ(layout.freeMask(InDim::Warp), 0b11u);
  EXPECT_EQ(layout.numRegisters(), 1u);
  // Column-major.
  layout = LinearLayout::coalesced({64, 128}, {0, 1}, 2, 2);
  EXPECT_EQ(layout.apply(1, 1, 1), (Coords{3, 1}));
}

TEST(LinearLayout, coordinatesRoundTrip) {
  test::RandomLayouts random(13);
  for (unsigned round = 0; round < 100; ++round) {
    LinearLayout layout = random.any(random.shape(12), random.below(4));
    std::optional<LinearLayout> again = LinearLayout::fromCoordinates(
        layout.getShape(), layout.getBasesAsCoords(InDim::Register),
        layout.getBasesAsCoords(InDim::Lane), layout.getBasesAsCoords(InDim::Warp));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, layout);
    EXPECT_EQ(hash_value(*again), hash_value(layout));
    for (uint64_t i = 0; i < uint64_t(layout.numElements()); ++i)
      EXPECT_EQ(layout.toFlat(layout.toCoords(i)), i);
  }
}

TEST(LinearLayout, fromCoordinatesExplainsWhatIsWrong) {
  SmallVector<Coords> five(5, Coords{0, 0});
  std::string error;
  EXPECT_FALSE(LinearLayout::fromCoordinates({6, 4}, {}, five, {}, &error));
  EXPECT_EQ(error, "extent 6 of dimension 0 isn't a power of two");
  EXPECT_FALSE(LinearLayout::fromCoordinates({8, 4}, {}, five, {Coords{1}}, &error));
  EXPECT_EQ(error, "basis 0 of 'warp' has 1 coordinates, but the shape has 2 dimensions");
  EXPECT_FALSE(
      LinearLayout::fromCoordinates({8, 4}, {Coords{0, 1}, Coords{0, 4}}, five, {}, &error));
  EXPECT_EQ(error, "coordinate 4 in basis 1 of 'register' is outside extent 4 of dimension 1");
  EXPECT_FALSE(LinearLayout::fromCoordinates({8, 4}, {}, {Coords{0, 0}}, {}, &error));
  EXPECT_EQ(error, "expected 5 bases for 'lane', found 1");
  EXPECT_FALSE(LinearLayout::fromCoordinates({1 << 20, 1 << 20}, {}, five, {}, &error));
  EXPECT_EQ(error, "the shape has more than 2^31 elements");
}

TEST(LinearLayout, printsItsBases) {
  LinearLayout layout = LinearLayout::coalesced({4, 32}, {1, 0}, 2, 2);
  EXPECT_EQ(layout.str(), "4x32 register=[(0,1)] lane=[(0,2), (0,4), (0,8), (0,16), (1,0)] "
                          "warp=[(2,0)]");
}

TEST(LinearLayout, contiguityMatchesBruteForce) {
  test::RandomLayouts random(14);
  unsigned wide = 0;
  for (unsigned round = 0; round < 300; ++round) {
    LinearLayout layout = random.any(random.shape(11), random.below(3));
    for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
      unsigned expected = 1;
      for (unsigned size = 2; size <= layout.numRegisters(); size *= 2) {
        bool good = size <= layout.getShape()[dim];
        if (good)
          forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
            Coords first = layout.apply(reg & ~(size - 1), lane, warp);
            good &= first[dim] % size == 0;
            first[dim] += int32_t(reg & (size - 1));
            good &= layout.apply(reg, lane, warp) == first;
          });
        if (good)
          expected = size;
      }
      EXPECT_EQ(layout.contiguousPerThread(dim), expected) << layout.str() << " dim " << dim;
      wide += expected > 1;
    }
  }
  EXPECT_GT(wide, 50u);
}

TEST(LinearLayout, vectorWidthIsBoundedByEverything) {
  LinearLayout layout = LinearLayout::coalesced({1024}, {0}, 16, 1);
  EXPECT_EQ(layout.vectorWidth(0, 32, 1024, 16), 4u);
  EXPECT_EQ(layout.vectorWidth(0, 16, 1024, 16), 8u);
  EXPECT_EQ(layout.vectorWidth(0, 8, 1024, 16), 16u);
  EXPECT_EQ(layout.vectorWidth(0, 1, 1024, 16), 16u);
  EXPECT_EQ(layout.vectorWidth(0, 64, 1024, 16), 2u);
  EXPECT_EQ(layout.vectorWidth(0, 32, 1024, 8), 2u);
  EXPECT_EQ(layout.vectorWidth(0, 32, 1024, 2), 1u);
  EXPECT_EQ(layout.vectorWidth(0, 32, 2, 16), 2u);
  EXPECT_EQ(layout.vectorWidth(0, 32, 3, 16), 2u);
  EXPECT_EQ(layout.vectorWidth(0, 32, 0, 16), 1u);
  EXPECT_EQ(LinearLayout::coalesced({1024}, {0}, 2, 1).vectorWidth(0, 16, 1024, 16), 2u);
}

TEST(LinearLayout, axisBitsSayWhatMovesTheCoordinate) {
  LinearLayout layout({4, 64}, {1, 64, 65}, {2, 4, 8, 16, 130}, {32, 0});
  EXPECT_EQ(layout.axisBits(0), (InputBits{0b110, 0b10000, 0}));
  EXPECT_EQ(layout.axisBits(1), (InputBits{0b101, 0b11111, 0b01}));
}

TEST(DerivedLayouts, mapElementsAsTheShapeOperationsDo) {
  test::RandomLayouts random(15);
  for (unsigned round = 0; round < 200; ++round) {
    LinearLayout layout = random.any(random.shape(10), random.below(3));
    unsigned rank = layout.getRank(), axis = random.below(rank);
    SmallVector<unsigned> perm = random.order(rank);
    SmallVector<int64_t> ones(layout.getShape()), flat = {layout.numElements()};
    ones[axis] = 1;

    LinearLayout sliced = layout.slice(axis, /*dropRegisters=*/false);
    LinearLayout expanded = layout.expandDims(axis);
    LinearLayout transposed = layout.transpose(perm);
    LinearLayout reshaped = layout.reshape(flat);
    LinearLayout source = layout.broadcastSource(ones, /*dropRegisters=*/false);
    forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      Coords at = layout.apply(reg, lane, warp), expected = at;
      expected.erase(expected.begin() + axis);
      EXPECT_EQ(sliced.apply(reg, lane, warp), expected);
      expected = at;
      expected.insert(expected.begin() + axis, 0);
      EXPECT_EQ(expanded.apply(reg, lane, warp), expected);
      expected.clear();
      for (unsigned dim : perm)
        expected.push_back(at[dim]);
      EXPECT_EQ(transposed.apply(reg, lane, warp), expected);
      EXPECT_EQ(reshaped.apply(reg, lane, warp)[0], int32_t(layout.toFlat(at)));
      expected = at;
      expected[axis] = 0;
      EXPECT_EQ(source.apply(reg, lane, warp), expected);
    });
    EXPECT_EQ(layout.slice(axis), sliced.dropFreeRegisters());
    EXPECT_EQ(layout.dropFreeRegisters().freeMask(InDim::Register), 0u);
  }
}

TEST(DerivedLayouts, registerMapsFindTheElementInTheThread) {
  test::RandomLayouts random(16);
  for (unsigned round = 0; round < 200; ++round) {
    LinearLayout layout = random.any(random.shape(10), random.below(3));
    unsigned axis = random.below(layout.getRank());
    SmallVector<int64_t> ones(layout.getShape());
    ones[axis] = 1;

    // broadcast: `source` -> layout. expand_dims: `sliced` -> `source`.
    LinearLayout source = layout.broadcastSource(ones), sliced = layout.slice(axis);
    auto broadcast = broadcastRegisterMap(layout, source);
    auto expand = expandDimsRegisterMap(source, sliced, axis);
    ASSERT_TRUE(broadcast && expand);
    ASSERT_EQ(broadcast->size(), layout.numRegisters());
    ASSERT_EQ(expand->size(), source.numRegisters());
    forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      Coords expected = layout.apply(reg, lane, warp);
      expected[axis] = 0;
      EXPECT_EQ(source.apply((*broadcast)[reg], lane, warp), expected);
    });
    forEachInput(source, [&](unsigned reg, unsigned lane, unsigned warp) {
      Coords expected = source.apply(reg, lane, warp);
      expected.erase(expected.begin() + axis);
      EXPECT_EQ(sliced.apply((*expand)[reg], lane, warp), expected);
    });

    SmallVector<unsigned> perm = random.order(layout.getRank());
    auto transposed = transposeRegisterMap(layout.transpose(perm), layout, perm);
    auto reshaped = reshapeRegisterMap(layout.reshape({layout.numElements()}), layout);
    auto dropped = registerMap(layout, layout.dropFreeRegisters());
    ASSERT_TRUE(transposed && reshaped && dropped);
    LinearLayout kept = layout.dropFreeRegisters();
    forEachInput(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      uint64_t element = layout.applyLinear(reg, lane, warp);
      EXPECT_EQ(layout.applyLinear((*transposed)[reg], lane, warp), element);
      EXPECT_EQ(layout.applyLinear((*reshaped)[reg], lane, warp), element);
      EXPECT_EQ(kept.applyLinear((*dropped)[reg], lane, warp), element);
    });
  }
}

TEST(DerivedLayouts, registerMapRefusesToMoveDataBetweenThreads) {
  LinearLayout rows = LinearLayout::coalesced({32, 32}, {1, 0}, 4, 4);
  LinearLayout columns = LinearLayout::coalesced({32, 32}, {0, 1}, 4, 4);
  EXPECT_FALSE(registerMap(rows, columns));
  EXPECT_TRUE(registerMap(rows, rows));
  EXPECT_FALSE(registerMap(rows, LinearLayout::coalesced({32, 32}, {1, 0}, 4, 2)));
  EXPECT_FALSE(registerMap(rows, LinearLayout::coalesced({1024}, {0}, 4, 4)));
  // The same threads, but the source lacks a register.
  LinearLayout two({64}, {32}, {1, 2, 4, 8, 16}, {}), one({64}, {}, {1, 2, 4, 8, 16}, {});
  EXPECT_TRUE(registerMap(one, two));
  EXPECT_FALSE(registerMap(two, one));
  EXPECT_FALSE(expandDimsRegisterMap(rows, two, 3));
  EXPECT_FALSE(broadcastRegisterMap(rows, two));
  EXPECT_FALSE(reshapeRegisterMap(rows, two));
}

TEST(DerivedLayouts, scalarsHaveRankZero) {
  LinearLayout layout = LinearLayout::coalesced({256}, {0}, 4, 2).slice(0);
  EXPECT_EQ(layout.getRank(), 0u);
  EXPECT_EQ(layout.numElements(), 1);
  EXPECT_EQ(layout.numRegisters(), 1u);
  EXPECT_EQ(layout.freeMask(InDim::Lane), 31u);
  EXPECT_EQ(layout, LinearLayout::defaultBlocked({}, 2));
}

TEST(DerivedLayouts, selectRegisterBitsReorders) {
  LinearLayout layout({8}, {1, 2, 4}, {0, 0, 0, 0, 0}, {});
  LinearLayout chosen = layout.selectRegisterBits({2, 0});
  EXPECT_EQ(chosen.apply(1, 0, 0), (Coords{4}));
  EXPECT_EQ(chosen.apply(2, 0, 0), (Coords{1}));
}

} // namespace
