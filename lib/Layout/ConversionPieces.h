// Parting a layout conversion into pieces that need less memory at a time.
#ifndef TILEC_LIB_LAYOUT_CONVERSIONPIECES_H
#define TILEC_LIB_LAYOUT_CONVERSIONPIECES_H

#include "lib/Layout/LinearLayout.h"
#include <utility>

namespace tilec {

/// A conversion from `src` to `dst`, which hold the elements of one piece.
struct ConversionPieces {
  LinearLayout src, dst;
  /// The registers of the whole layouts that registers of `src` and `dst` stand for in the first
  /// piece; those of the other pieces are these, xored with a mask each.
  llvm::SmallVector<int32_t> srcRegisters, dstRegisters;
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 4> registerXors;
};

/// Parts the tensor into 2^bits pieces, or fewer, such that each thread has its share of each piece
/// on both sides. The layouts have no free registers.
ConversionPieces splitConversion(const LinearLayout &src, const LinearLayout &dst, unsigned bits);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_CONVERSIONPIECES_H
