// Swizzling of shared memory: the algorithm of "Linear Layouts" (arXiv 2505.23819), widened to
// sides that access memory with different widths. docs/design/layouts.md derives the conditions.
#include "lib/Layout/SharedMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tilec {

namespace {

using f2::Vectors;

/// The writer or the reader: the subspaces of the tensor that matter.
struct Side {
  Vectors registers; // independent ones
  Vectors lanes;     // 5; zero where the lane takes no part
  Vectors thread;    // lanes and warps
  uint32_t idleLanes = 0;

  Side(const LinearLayout &layout, bool ownersOnly) {
    InputBits free = layout.freeBits();
    for (auto [i, basis] : enumerate(layout.getBases(InDim::Register)))
      if (!(free.registers >> i & 1))
        registers.push_back(basis);
    lanes.assign(layout.getBases(InDim::Lane));
    thread = lanes;
    thread.append(layout.getBases(InDim::Warp).begin(), layout.getBases(InDim::Warp).end());
    if (ownersOnly)
      idleLanes = free.lanes;
    for (unsigned i = 0; i < lanes.size(); ++i)
      if (idleLanes >> i & 1)
        lanes[i] = 0;
  }
};

Vectors concat(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
  Vectors result(a);
  result.append(b.begin(), b.end());
  return result;
}

ArrayRef<uint64_t> front(const Vectors &vectors, size_t count) {
  return ArrayRef<uint64_t>(vectors).take_front(count);
}

/// A basis of span(vectors) within span(subspace), of the given vectors as far as they lie in it.
Vectors within(const Vectors &vectors, const Vectors &subspace) {
  Vectors shared = f2::intersect(vectors, subspace), candidates;
  f2::Span span(shared);
  for (uint64_t v : vectors)
    if (span.contains(v))
      candidates.push_back(v);
  candidates.append(shared);
  return f2::extend({}, candidates);
}

class Swizzler {
public:
  Swizzler(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits)
      : sides{Side(src, /*ownersOnly=*/true), Side(dst, /*ownersOnly=*/false)},
        numBits(src.getNumElementBits()), log2ElemBytes(Log2_32(elemBits / 8)),
        wordBits(2 - std::min(2u, log2ElemBytes)) {}

  Swizzle run() {
    const unsigned widest = 4 - log2ElemBytes; // 16 bytes
    // The lowest registers of the source first.
    common = f2::extend(concat(sides[0].thread, sides[1].thread),
                        within(sides[0].registers, sides[1].registers));
    const unsigned commonBits = std::min<unsigned>(common.size(), widest);

    std::optional<Swizzle> best;
    auto consider = [&](unsigned srcBits, unsigned dstBits) {
      std::optional<Swizzle> candidate = build({srcBits, dstBits});
      if (candidate && (!best || candidate->cost() < best->cost()))
        best = std::move(candidate);
    };
    consider(commonBits, commonBits);
    for (unsigned bits = commonBits + 1; bits <= widest; ++bits) {
      consider(bits, commonBits);
      consider(commonBits, bits);
    }
    assert(best && "the symmetric candidate always exists");
    return *best;
  }

private:
  /// Lane bits of the lanes that are served at once.
  unsigned groupBits(unsigned vecBits) const {
    unsigned log2Bytes = log2ElemBytes + vecBits;
    return 5 - (log2Bytes > 2 ? log2Bytes - 2 : 0);
  }

  std::optional<Vectors> chooseVector(const std::array<unsigned, 2> &vecBits) const;
  Vectors chooseSegment(const std::array<Vectors, 2> &touched, ArrayRef<uint64_t> rest,
                        ArrayRef<uint64_t> excluded, unsigned size) const;
  std::optional<Swizzle> build(std::array<unsigned, 2> vecBits) const;

  std::array<Side, 2> sides;
  unsigned numBits, log2ElemBytes, wordBits;
  Vectors common; // vectors that both sides can access as one
};

/// The tensor's directions that consecutive elements of the wider vector go along; the first
/// min(vecBits) of them are consecutive for both sides.
std::optional<Vectors> Swizzler::chooseVector(const std::array<unsigned, 2> &vecBits) const {
  unsigned narrowBits = std::min(vecBits[0], vecBits[1]);
  unsigned wideBits = std::max(vecBits[0], vecBits[1]);
  const Side &wide = sides[vecBits[0] >= vecBits[1] ? 0 : 1];
  const Side &narrow = sides[vecBits[0] >= vecBits[1] ? 1 : 0];
  Vectors vector(front(common, narrowBits));
  if (vector.size() < narrowBits)
    return std::nullopt;

  // Further directions are the wide side's alone; they may coincide with threads of the narrow side
  // but must leave the common ones independent of all threads.
  f2::Span own(concat(vector, wide.thread)), threads(concat(wide.thread, narrow.thread));
  f2::Span threadsAndCommon(threads.basis());
  threadsAndCommon.addAll(vector);
  for (uint64_t basis : wide.registers) {
    if (vector.size() == wideBits)
      break;
    if (own.contains(basis))
      continue;
    if (!threads.contains(basis)) {
      if (threadsAndCommon.contains(basis))
        continue;
      threads.add(basis);
      threadsAndCommon.add(basis);
    }
    own.add(basis);
    vector.push_back(basis);
  }
  if (vector.size() < wideBits)
    return std::nullopt;
  return vector;
}

/// `size` independent directions in `rest` that pick the 128-byte row of an element. As far as they
/// exist, none lies in what one access of either side touches at once, so that no two lanes meet in
/// a bank: with P and Q what the sides touch, p_i + q_i for p_i in P \ Q and q_i in Q \ P is
/// outside both, and so is whatever is outside P + Q. `excluded` directions are spoken for.
Vectors Swizzler::chooseSegment(const std::array<Vectors, 2> &touched, ArrayRef<uint64_t> rest,
                                ArrayRef<uint64_t> excluded, unsigned size) const {
  Vectors both = within(touched[0], touched[1]);
  Vectors onlyFirst = f2::extend(both, touched[0]), onlySecond = f2::extend(both, touched[1]);
  Vectors segment = f2::extend(concat(touched[0], touched[1]), rest);
  unsigned pairs = std::min(onlyFirst.size(), onlySecond.size());
  for (unsigned i = 0; i < pairs; ++i)
    segment.push_back(onlyFirst[i] ^ onlySecond[i]);
  if (segment.size() < size) {
    // Conflicts are unavoidable: let one side have them rather than both.
    Vectors others = concat(ArrayRef<uint64_t>(onlyFirst).drop_front(pairs),
                            ArrayRef<uint64_t>(onlySecond).drop_front(pairs));
    others.append(both);
    segment.append(f2::extend(concat(segment, excluded), others));
  }
  segment.resize(std::min<size_t>(segment.size(), size));
  return segment;
}

std::optional<Swizzle> Swizzler::build(std::array<unsigned, 2> vecBits) const {
  std::optional<Vectors> vector = chooseVector(vecBits);
  if (!vector)
    return std::nullopt;
  const unsigned wideIndex = vecBits[0] >= vecBits[1] ? 0 : 1;
  const Side &wide = sides[wideIndex], &narrow = sides[1 - wideIndex];

  // Everything but the vector, holding all threads of the wide side (its vectors are aligned) and
  // those of the narrow side up to the directions that only the wide side treats as a vector.
  Vectors rest = f2::extend(*vector, wide.thread);
  rest.append(f2::extend(concat(*vector, rest), narrow.thread));
  rest.append(f2::complement(concat(*vector, rest), numBits));

  // Low bits of the offset: the vector, and what completes a word of 4 bytes.
  Vectors low = *vector;
  size_t extra = wordBits > low.size() ? wordBits - low.size() : 0;
  Vectors excluded(front(rest, std::min(extra, rest.size())));
  low.append(excluded);

  std::array<Vectors, 2> unit, atOnce,
      touched; // one lane's piece, all pieces, the latter in `rest`
  for (unsigned i = 0; i < 2; ++i) {
    unit[i] = Vectors(front(low, std::min<size_t>(low.size(), std::max(vecBits[i], wordBits))));
    atOnce[i] = concat(unit[i], front(sides[i].lanes, groupBits(vecBits[i])));
    touched[i] = within(atOnce[i], rest);
  }
  const unsigned rowBits = 7 - log2ElemBytes; // 128 bytes
  Vectors segment =
      chooseSegment(touched, rest, excluded, numBits > rowBits ? numBits - rowBits : 0);

  Vectors fromOffset = low;
  fromOffset.append(f2::extend(concat(low, segment), rest));
  fromOffset.append(segment);
  std::optional<Vectors> toOffset = f2::inverse(fromOffset);
  if (!toOffset || toOffset->size() != numBits)
    return std::nullopt;

  Swizzle swizzle;
  for (uint64_t column : *toOffset)
    swizzle.map.columns.push_back(uint32_t(column));
  for (unsigned i = 0; i < 2; ++i) {
    // Lanes that differ only in the row meet in a bank.
    unsigned meetBits = f2::rank(atOnce[i]) + segment.size() - f2::rank(concat(atOnce[i], segment));
    unsigned groups = 0;
    for (unsigned bit = groupBits(vecBits[i]); bit < LinearLayout::kLaneBits; ++bit)
      groups += !(sides[i].idleLanes >> bit & 1);
    unsigned instructions = 1u << (sides[i].registers.size() - vecBits[i]);
    (i ? swizzle.dstVecElems : swizzle.srcVecElems) = 1u << vecBits[i];
    (i ? swizzle.dstInstructions : swizzle.srcInstructions) = instructions;
    (i ? swizzle.dstWavefronts : swizzle.srcWavefronts) = instructions << (groups + meetBits);
  }
  return swizzle;
}

} // namespace

Swizzle computeSwizzle(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits) {
  assert(src.getShape() == dst.getShape() && "one tensor");
  assert((elemBits == 8 || elemBits == 16 || elemBits == 32 || elemBits == 64) &&
         "no such element");
  return Swizzler(src, dst, elemBits).run();
}

} // namespace tilec
