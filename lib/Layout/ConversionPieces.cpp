// Parting a layout conversion along bits of the tensor's index that registers hold on both sides.
#include "lib/Layout/ConversionPieces.h"

using namespace llvm;

namespace tilec {

namespace {

/// A layout's registers, some of which already tell the pieces apart.
struct Side {
  explicit Side(const LinearLayout &layout) : layout(layout) {
    for (auto [i, basis] : enumerate(layout.getBases(InDim::Register))) {
      bases.push_back(basis);
      masks.push_back(uint32_t(1) << i);
    }
  }

  /// Lets exactly one register, or combination of them, differ in bit `bit` of the index, and in
  /// nothing else; the others are what a piece holds. False if threads differ in that bit.
  bool separate(unsigned bit) {
    const uint64_t element = uint64_t(1) << bit;
    auto differs = [&](uint64_t basis) { return (basis & element) != 0; };
    if (any_of(layout.getBases(InDim::Lane), differs) ||
        any_of(layout.getBases(InDim::Warp), differs))
      return false;
    std::optional<uint64_t> combination = f2::Span(bases).solve(element);
    if (!combination)
      return false;
    // One register of the combination makes room for the whole of it.
    unsigned pivot = countr_zero(*combination);
    uint32_t mask = 0;
    for (unsigned i = 0; i < masks.size(); ++i)
      mask ^= *combination >> i & 1 ? masks[i] : 0;
    bases.erase(bases.begin() + pivot);
    masks.erase(masks.begin() + pivot);
    for (unsigned i = 0; i < bases.size(); ++i)
      if (differs(bases[i])) {
        bases[i] ^= element;
        masks[i] ^= mask;
      }
    pieceMasks.push_back(mask);
    return true;
  }

  LinearLayout layout;
  f2::Vectors bases;
  SmallVector<uint32_t> masks; // of the layout's register bits, for each basis
  SmallVector<uint32_t> pieceMasks;
};

/// The layout of a piece: the index without the bits that tell the pieces apart.
LinearLayout pieceLayout(const Side &side, ArrayRef<unsigned> bits) {
  uint64_t dropped = 0;
  for (unsigned bit : bits)
    dropped |= uint64_t(1) << bit;
  auto squeeze = [&](ArrayRef<uint64_t> bases) {
    LinearLayout::Bases result;
    for (uint64_t basis : bases) {
      uint64_t squeezed = 0;
      for (unsigned from = 0, to = 0; from < side.layout.getNumElementBits(); ++from)
        if (!(dropped >> from & 1))
          squeezed |= (basis >> from & 1) << to++;
      result.push_back(squeezed);
    }
    return result;
  };
  int64_t elements = side.layout.numElements() >> bits.size();
  return LinearLayout({elements}, squeeze(side.bases), squeeze(side.layout.getBases(InDim::Lane)),
                      squeeze(side.layout.getBases(InDim::Warp)));
}

SmallVector<int32_t> pieceRegisters(const Side &side) {
  SmallVector<int32_t> result = {0};
  for (uint32_t mask : side.masks)
    for (unsigned i = 0, e = result.size(); i < e; ++i)
      result.push_back(result[i] ^ int32_t(mask));
  return result;
}

} // namespace

ConversionPieces splitConversion(const LinearLayout &src, const LinearLayout &dst, unsigned bits) {
  Side from(src), to(dst);
  SmallVector<unsigned> chosen;
  // From the slowest changing bit down: what lies side by side stays together.
  for (unsigned bit = src.getNumElementBits(); bit-- > 0 && chosen.size() < bits;) {
    Side nextFrom = from, nextTo = to;
    if (!nextFrom.separate(bit) || !nextTo.separate(bit))
      continue;
    chosen.push_back(bit);
    from = std::move(nextFrom);
    to = std::move(nextTo);
  }
  ConversionPieces pieces{pieceLayout(from, chosen),
                          pieceLayout(to, chosen),
                          pieceRegisters(from),
                          pieceRegisters(to),
                          {{0, 0}}};
  for (unsigned i = 0; i < chosen.size(); ++i)
    for (unsigned piece = 0, e = pieces.registerXors.size(); piece < e; ++piece)
      pieces.registerXors.push_back({pieces.registerXors[piece].first ^ from.pieceMasks[i],
                                     pieces.registerXors[piece].second ^ to.pieceMasks[i]});
  return pieces;
}

} // namespace tilec
