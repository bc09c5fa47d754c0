// How to move a tensor from one layout to another.
#ifndef TILEC_LIB_LAYOUT_CONVERSIONPLAN_H
#define TILEC_LIB_LAYOUT_CONVERSIONPLAN_H

#include "lib/Layout/LinearLayout.h"
#include "lib/Layout/SharedMap.h"

namespace tilec {

/// A permutation of an array of registers that a thread applies when the parity of
/// (lane & laneMask) and (warp & warpMask) together is odd: new[i] = odd ? old[i ^ registerXor]
/// : old[i]. One select per register.
struct ConditionalXor {
  uint32_t laneMask = 0, warpMask = 0;
  uint32_t registerXor = 0;
};

/// A shuffle (shfl.sync.idx) that moves from.size() registers packed in one word; with elements of
/// more than 32 bits, one register in several words. Lane l receives from lane
/// sourceLane(l, warp) ^ laneXor.
struct ShuffleStep {
  llvm::SmallVector<int32_t, 4> from, to; // indices of the arrays P and Q below
  uint32_t laneXor = 0;
};

/// A conversion inside each warp. Starting from the source's registers P:
///   1. apply `before` to P, in order;
///   2. for each step: Q[to[i]] = shuffle(P[from[i]]), or just P[from[i]] when step.laneXor == 0 and
///      sourceLaneIsSelf;
///   3. apply `after` to Q, in order. Q then holds the result's registers.
struct ShufflePlan {
  llvm::SmallVector<ConditionalXor, 4> before, after;
  llvm::SmallVector<ShuffleStep> steps;
  /// sourceLane is linear: the xor of these bases over the bits of lane and warp.
  std::array<uint32_t, LinearLayout::kLaneBits> laneBases{};
  llvm::SmallVector<uint32_t, 5> warpBases;
  bool sourceLaneIsSelf = false;

  uint32_t sourceLane(unsigned lane, unsigned warp) const;
  bool isFree(const ShuffleStep &step) const { return sourceLaneIsSelf && step.laneXor == 0; }
  /// Shuffle instructions, with elements of `elemBits`.
  unsigned numShuffles(unsigned elemBits) const;
};

/// A trip through `bytes` of shared memory: write with `src`, barrier, read with `dst`. If
/// `crossesWarps` is unset, each warp reads only what it wrote and a warp barrier is enough.
struct SharedPlan {
  SharedAccess src, dst;
  SharedMap map;
  uint64_t bytes = 0;
  bool crossesWarps = true;
};

struct ConversionPlan {
  enum class Kind { NoOp, RegisterPermute, WarpShuffle, SharedMemory };
  Kind kind = Kind::NoOp;

  /// The registers of the source that take part (the others repeat them): "source register i" in
  /// `permutation` and `shuffle` stands for srcRegisters[i]. Not applied to `shared`, whose accesses
  /// name registers of the source's layout.
  llvm::SmallVector<int32_t> srcRegisters;
  /// Register i of the destination's layout is result register dstRegisters[i], where the result is
  /// what `permutation` and `shuffle` yield. For `shared`, the result is indexed by the destination's
  /// registers and dstRegisters[i] is one that a read fills.
  llvm::SmallVector<int32_t> dstRegisters;

  /// RegisterPermute and NoOp: register i of the destination is register permutation[i] of the source,
  /// in terms of the two layouts.
  llvm::SmallVector<int32_t> permutation;
  ShufflePlan shuffle; // WarpShuffle
  SharedPlan shared;   // SharedMemory

  bool usesShared() const { return kind == Kind::SharedMemory; }
};

/// Plans the conversion between two layouts of one shape and number of warps (asserted), with elements
/// of `elemBits` (1 counts as 8). The source must be surjective. Takes microseconds; thread-safe.
ConversionPlan planConversion(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits);

/// The same, with shared memory as the only choice unless no data moves between threads; for tests and
/// for lowerings that lack shuffles.
enum class ShufflePolicy { Auto, Never, Always };
ConversionPlan planConversion(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits,
                              ShufflePolicy policy);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_CONVERSIONPLAN_H
