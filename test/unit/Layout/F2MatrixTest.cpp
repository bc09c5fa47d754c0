// F2 algebra against enumeration of small spaces.
#include "lib/Layout/F2Matrix.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace tilec::f2;

namespace {

Vectors randomVectors(std::mt19937 &rng, unsigned count, unsigned bits) {
  Vectors result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(rng() & ((1u << bits) - 1) & (rng() % 2 ? ~0u : rng()));
  return result;
}

std::set<uint64_t> members(const Vectors &vectors) {
  std::set<uint64_t> all;
  for (uint64_t x = 0; x < uint64_t(1) << vectors.size(); ++x)
    all.insert(multiply(vectors, x));
  return all;
}

TEST(F2Matrix, multiplyAddsTheChosenColumns) {
  EXPECT_EQ(multiply({1, 2, 7}, 0b101), 6u);
  EXPECT_EQ(multiply({1, 2, 7}, 0), 0u);
  EXPECT_EQ(multiply({3}, 0b110), 0u) << "bits past the columns are ignored";
}

TEST(F2Matrix, spanMatchesEnumeration) {
  std::mt19937 rng(1);
  for (unsigned round = 0; round < 300; ++round) {
    Vectors vectors = randomVectors(rng, rng() % 7, 6);
    std::set<uint64_t> all = members(vectors);
    Span span(vectors);
    EXPECT_EQ(all.size(), 1u << span.rank());
    EXPECT_EQ(members(span.basis()), all);
    for (uint64_t v = 0; v < 64; ++v) {
      EXPECT_EQ(span.contains(v), all.count(v) == 1);
      std::optional<uint64_t> solution = span.solve(v);
      ASSERT_EQ(solution.has_value(), all.count(v) == 1);
      if (solution) {
        EXPECT_EQ(multiply(vectors, *solution), v);
        EXPECT_EQ(*solution & dependentMask(vectors), 0u);
      }
    }
  }
}

TEST(F2Matrix, kernelMatchesEnumeration) {
  std::mt19937 rng(2);
  for (unsigned round = 0; round < 300; ++round) {
    Vectors columns = randomVectors(rng, rng() % 8, 5);
    std::set<uint64_t> expected;
    for (uint64_t x = 0; x < uint64_t(1) << columns.size(); ++x)
      if (multiply(columns, x) == 0)
        expected.insert(x);
    Vectors basis = kernel(columns);
    EXPECT_EQ(members(basis), expected);
    EXPECT_EQ(rank(basis), basis.size());
  }
}

TEST(F2Matrix, intersectionAndComplementMatchEnumeration) {
  std::mt19937 rng(3);
  for (unsigned round = 0; round < 300; ++round) {
    Vectors a = randomVectors(rng, rng() % 6, 6), b = randomVectors(rng, rng() % 6, 6);
    std::set<uint64_t> inA = members(a), inB = members(b), expected;
    for (uint64_t v : inA)
      if (inB.count(v))
        expected.insert(v);
    Vectors both = intersect(a, b);
    EXPECT_EQ(members(both), expected);
    EXPECT_EQ(rank(both), both.size());

    Vectors rest = complement(a, 6);
    EXPECT_EQ(rest.size() + rank(a), 6u);
    Vectors whole = a;
    whole.append(rest);
    EXPECT_EQ(rank(whole), 6u);
    EXPECT_TRUE(intersect(a, rest).empty());
  }
}

TEST(F2Matrix, inverseUndoesTheMatrix) {
  std::mt19937 rng(4);
  unsigned regular = 0;
  for (unsigned round = 0; round < 300; ++round) {
    Vectors matrix = randomVectors(rng, 6, 6);
    std::optional<Vectors> inv = inverse(matrix);
    ASSERT_EQ(inv.has_value(), rank(matrix) == 6);
    if (!inv)
      continue;
    ++regular;
    EXPECT_EQ(compose(matrix, *inv), identity(6));
    EXPECT_EQ(compose(*inv, matrix), identity(6));
  }
  EXPECT_GT(regular, 10u);
  EXPECT_FALSE(inverse({0b100, 0b001}).has_value()) << "rank 2, but not onto F2^2";
}

TEST(F2Matrix, transposeSwapsRowsAndColumns) {
  EXPECT_EQ(transpose({0b01, 0b11, 0b10}, 2), (Vectors{0b011, 0b110}));
  std::mt19937 rng(5);
  Vectors matrix = randomVectors(rng, 7, 5);
  EXPECT_EQ(transpose(transpose(matrix, 5), 7), matrix);
}

} // namespace
