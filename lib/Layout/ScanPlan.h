// How to scan a tensor along one dimension, in registers, across lanes, across warps.
#ifndef TILEC_LIB_LAYOUT_SCANPLAN_H
#define TILEC_LIB_LAYOUT_SCANPLAN_H

#include "lib/Layout/LinearLayout.h"
#include "lib/Layout/SharedMap.h"

namespace tilec {

/// Joins neighbours along the axis, each of which is a run of elements that is scanned already. A
/// run's total goes to all elements of the run after it.
struct ScanStep {
  enum class Kind : uint8_t { Registers, Lanes, Warps };
  Kind kind = Kind::Registers;
  /// Totals that a thread holds before the step. Total t belongs to the groups g with
  /// g % numTotals == t. Registers halves the number: total t + numTotals / 2 comes after total t.
  unsigned numTotals = 1;

  /// Lanes: the bit that tells the two neighbours apart.
  uint32_t laneMask = 0;

  /// Warps: bit k of a warp's position along the axis is bit warpBits[k] of its number. Owners (of
  /// `write`) store their totals at its element offset plus position(warp) * partialElements; after
  /// a barrier all threads read those of all positions at the offset of `read`.
  llvm::SmallVector<unsigned, 5> warpBits;
  SharedAccess write, read;
  uint64_t partialElements = 0;
  /// Where this step's scratch begins, in bytes.
  uint64_t scratchOffset = 0;

  unsigned numPositions() const { return 1u << warpBits.size(); }
};

/// A scan. The axis' bits are taken from the lowest to the highest, wherever the layout has them:
/// 1. Registers that are neighbours along the axis form runs of `runLength`. Element j of the run
///    of group g is register registers[j * numGroups + g] of the source. A thread scans its runs.
/// 2. Each step joins runs to runs twice or more as long, of which the later ones take over the
///    total of those before them.
/// With `reverse` the order is that of falling coordinates; `registers` has it, of lanes and warps
/// those with the bit clear come after those with the bit set. Combinations keep that order, so
/// that the combiner need not be commutative, and threads that hold the same element compute it
/// alike.
struct ScanPlan {
  bool reverse = false;
  unsigned runLength = 1, numGroups = 1;
  llvm::SmallVector<int32_t> registers;
  /// For each register of the layout its index in `registers`.
  llvm::SmallVector<int32_t> resultRegisters;
  llvm::SmallVector<ScanStep, 8> steps;
  /// Bytes of shared memory, a multiple of 16; 0 if no warps share the axis.
  uint64_t scratchBytes = 0;
};

/// Whether a scan works on the layout as it is: each input bit leads to another bit of one
/// coordinate or to none, and every element is held. All layouts that passes choose are so.
bool isScannable(const LinearLayout &layout);

/// Plans a scan of a tensor in a scannable layout, with elements of `elemBits` in shared memory.
ScanPlan planScan(const LinearLayout &layout, unsigned axis, bool reverse, unsigned elemBits = 32);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_SCANPLAN_H
