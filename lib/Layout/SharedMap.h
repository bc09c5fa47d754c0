// How threads address a tensor in shared memory, and what it costs in bank conflicts.
#ifndef TILEC_LIB_LAYOUT_SHAREDMAP_H
#define TILEC_LIB_LAYOUT_SHAREDMAP_H

#include "lib/Layout/LinearLayout.h"

namespace tilec {

/// One side (all writes or all reads) of a trip through shared memory. Access i moves the registers
/// registers[i * vecElems .. (i + 1) * vecElems - 1] to or from `vecElems` consecutive elements at
/// the element offset
///     threadOffset(lane, warp) ^ offsets[i]
/// which is a multiple of vecElems. Both parts are xors of bases, so an address is one xor per
/// access.
struct SharedAccess {
  unsigned vecElems = 1;
  std::array<uint32_t, LinearLayout::kLaneBits> laneBases{};
  llvm::SmallVector<uint32_t, 5> warpBases;
  llvm::SmallVector<int32_t> registers; // registers of the layout, offsets.size() * vecElems
  llvm::SmallVector<uint32_t> offsets;
  /// Only threads with (lane & laneMask) == 0 and (warp & warpMask) == 0 need to take part: for
  /// writes they own the data. Zero for reads, which all threads do.
  uint32_t laneMask = 0, warpMask = 0;

  uint32_t threadOffset(unsigned lane, unsigned warp) const;
};

/// Bank conflicts of one warp doing all accesses: the wavefronts beyond one per 128 bytes asked for
/// at once. 32 banks of 4 bytes; accesses of 8 and 16 bytes a lane are served by half and quarter
/// warps; lanes that touch the same word share it. `elemBits` is 8, 16, 32 or 64; vecElems *
/// elemBits is at most 128.
unsigned countBankConflicts(const SharedAccess &access, unsigned elemBits, unsigned warp = 0);
/// The wavefronts of one warp doing all accesses.
unsigned countWavefronts(const SharedAccess &access, unsigned elemBits, unsigned warp = 0);

/// A tensor in shared memory: column i is the element offset of bit i of the flat index. Bijective.
struct SharedMap {
  llvm::SmallVector<uint32_t, 16> columns;
  uint32_t offset(uint64_t flat) const;
};

/// A swizzle for writing with `src` and reading with `dst` (layouts of one shape), free of bank
/// conflicts on both sides wherever that's possible, and the widths of the accesses it was made
/// for.
struct Swizzle {
  SharedMap map;
  unsigned srcVecElems = 1, dstVecElems = 1;
  /// What countWavefronts says of the two accesses, and their instructions.
  unsigned srcWavefronts = 0, dstWavefronts = 0;
  unsigned srcInstructions = 0, dstInstructions = 0;

  /// Issue slots of a multiprocessor: it serves one wavefront, or issues four instructions, a
  /// cycle.
  unsigned cost() const {
    return 4 * (srcWavefronts + dstWavefronts) + srcInstructions + dstInstructions;
  }
};
/// `elemBits` is 8, 16, 32 or 64.
Swizzle computeSwizzle(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits);

/// The accesses of `layout` to a tensor stored by `map`, at most `maxVecElems` wide (a power of
/// two) and as wide as the map allows. Registers that repeat others are left out. With `ownersOnly`
/// the masks leave out threads that repeat others' data.
SharedAccess computeAccess(const LinearLayout &layout, const SharedMap &map, unsigned maxVecElems,
                           bool ownersOnly);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_SHAREDMAP_H
