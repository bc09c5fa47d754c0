// Deterministic random layouts for the tests of lib/Layout.
#ifndef TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "lib/Layout/LinearLayout.h"
#include <algorithm>
#include <ostream>
#include <random>

namespace tilec {

/// For GoogleTest's messages.
inline void PrintTo(const LinearLayout &layout, std::ostream *os) { *os << layout.str(); }

} // namespace tilec

namespace tilec::test {

class RandomLayouts {
public:
  explicit RandomLayouts(uint32_t seed) : rng(seed) {}

  unsigned below(unsigned n) { return unsigned(rng() % n); }
  uint64_t bits(unsigned count) { return rng() & ((uint64_t(1) << count) - 1); }

  /// A shape of rank 1..3 with at most 2^maxBits elements.
  llvm::SmallVector<int64_t> shape(unsigned maxBits) {
    unsigned rank = 1 + below(3), left = below(maxBits + 1);
    llvm::SmallVector<int64_t> result(rank, 1);
    for (; left > 0; --left)
      result[below(rank)] *= 2;
    return result;
  }

  llvm::SmallVector<unsigned> order(unsigned rank) {
    llvm::SmallVector<unsigned> result;
    for (unsigned i = 0; i < rank; ++i)
      result.push_back(i);
    for (unsigned i = rank; i > 1; --i)
      std::swap(result[i - 1], result[below(i)]);
    return result;
  }

  /// `bitCount` factors of two spread over `rank` dimensions.
  llvm::SmallVector<int64_t> factors(unsigned rank, unsigned bitCount) {
    llvm::SmallVector<int64_t> result(rank, 1);
    for (; bitCount > 0; --bitCount)
      result[below(rank)] *= 2;
    return result;
  }

  LinearLayout blocked(llvm::ArrayRef<int64_t> shape, unsigned warpBits) {
    unsigned rank = shape.size();
    return LinearLayout::blocked(shape, factors(rank, below(5)), factors(rank, 5),
                                 factors(rank, warpBits), order(rank));
  }

  LinearLayout coalesced(llvm::ArrayRef<int64_t> shape, unsigned warpBits) {
    return LinearLayout::coalesced(shape, order(shape.size()), 1u << below(5), 1u << warpBits);
  }

  /// The tensor's bits dealt to registers, lanes and warps at random, mixed with repetitions, and
  /// with `mixed` swizzled against each other. Surjective.
  LinearLayout scattered(llvm::ArrayRef<int64_t> shape, unsigned warpBits, bool mixed) {
    unsigned numBits = 0;
    for (int64_t extent : shape)
      while (extent > 1)
        extent /= 2, ++numBits;
    unsigned slots = 5 + warpBits, registers = numBits > slots ? numBits - slots : 0;
    registers += below(3);
    f2::Vectors columns;
    for (unsigned bit = 0; bit < numBits; ++bit)
      columns.push_back(uint64_t(1) << bit);
    while (columns.size() < slots + registers)
      columns.push_back(below(2) ? 0 : bits(numBits));
    for (unsigned i = columns.size(); i > 1; --i)
      std::swap(columns[i - 1], columns[below(i)]);
    if (mixed)
      for (unsigned i = 0; i < 2 * columns.size(); ++i) {
        unsigned to = below(columns.size()), from = below(columns.size());
        if (to != from)
          columns[to] ^= columns[from];
      }
    llvm::ArrayRef<uint64_t> all(columns);
    return LinearLayout(shape, all.take_front(registers), all.slice(registers, 5),
                        all.drop_front(registers + 5));
  }

  LinearLayout any(llvm::ArrayRef<int64_t> shape, unsigned warpBits) {
    switch (below(5)) {
    case 0:
    case 1:
      return blocked(shape, warpBits);
    case 2:
      return coalesced(shape, warpBits);
    case 3:
      return scattered(shape, warpBits, /*mixed=*/false);
    default:
      return scattered(shape, warpBits, /*mixed=*/true);
    }
  }

private:
  std::mt19937 rng;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
