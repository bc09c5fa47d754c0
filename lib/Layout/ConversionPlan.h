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
/// 1. Apply `before` to P, in order.
/// 2. For each step and i: Q[to[i]] = shuffle(P[from[i]]), or just P[from[i]] if isFree(step).
/// 3. Apply `after` to Q, in order. Q then holds the result's registers.
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
  /// Large tensors go in pieces, one after another through the same bytes, with a barrier before
  /// each further one: all that changes are the registers, whose numbers are xored with these.
  struct Piece {
    uint32_t src = 0, dst = 0;
  };

  SharedAccess src, dst;
  /// Read with ldmatrix, where `matrices` says so: then `dst` holds the addresses of rows of 16
  /// bytes, and access i fills the registers dst.registers[i * n .. (i + 1) * n - 1], n elements in
  /// `matrices` words of 4 bytes.
  unsigned matrices = 0;
  bool transposed = false;
  llvm::SmallVector<Piece, 2> pieces = {Piece()};
  uint64_t bytes = 0;
  bool crossesWarps = true;
};

struct ConversionPlan {
  enum class Kind { NoOp, RegisterPermute, WarpShuffle, SharedMemory };
  Kind kind = Kind::NoOp;

  /// NoOp, RegisterPermute: register i of the destination is register permutation[i] of the source.
  llvm::SmallVector<int32_t> permutation;

  /// WarpShuffle: register i of the plan's array P is register srcRegisters[i] of the source, and
  /// register i of the destination is Q[dstRegisters[i]].
  /// SharedMemory: the accesses name registers of the two layouts; register i of the destination is
  /// register dstRegisters[i], which is one that a read fills (others repeat it).
  llvm::SmallVector<int32_t> srcRegisters, dstRegisters;
  ShufflePlan shuffle;
  SharedPlan shared;

  bool usesShared() const { return kind == Kind::SharedMemory; }
};

/// Auto takes shuffles where they are cheaper than shared memory. The others are for tests and for
/// lowerings that lack one of the two; Always falls back to shared memory where shuffles can't do
/// it.
enum class ShufflePolicy { Auto, Never, Always };

/// Plans the conversion between two layouts of one shape and number of warps (asserted), with
/// elements of `elemBits` (below 8 counts as 8, otherwise 8, 16, 32 or 64). The source must be
/// surjective. Takes microseconds; thread-safe.
ConversionPlan planConversion(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits,
                              ShufflePolicy policy = ShufflePolicy::Auto);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_CONVERSIONPLAN_H
