// Matrix products without tensor cores: operands in shared memory, a loop over K.
#ifndef TILEC_LIB_LAYOUT_FMAPLAN_H
#define TILEC_LIB_LAYOUT_FMAPLAN_H

#include "lib/Layout/SharedMap.h"

namespace tilec {

/// A layout for the result of a product of `shape`, (batch,) rows and columns: threads hold up to
/// 4x4 neighbours.
LinearLayout fmaAccumulator(llvm::ArrayRef<int64_t> shape, unsigned numWarps);

/// The way of one operand through shared memory. All threads write theirs with `write`. For each k
/// a thread reads what its registers of the accumulator need with `read`, whose offsets are further
/// xored with those of the bits of k, `kBases`. Register r of the accumulator then needs register
/// registers[r] of the read.
struct FmaOperand {
  SharedAccess write, read;
  llvm::SmallVector<uint32_t, 8> kBases;
  llvm::SmallVector<int32_t> registers;
  unsigned numRead = 1;
  uint64_t bytes = 0;

  /// The offset of a constant k.
  uint32_t kOffset(uint64_t k) const;
};

/// `operand` is the layout of the left (rows x K) or right (K x columns) operand, `acc` that of the
/// result. Any layouts will do. `elemBits` is 8, 16, 32 or 64.
FmaOperand planFmaOperand(const LinearLayout &operand, const LinearLayout &acc, bool isLhs,
                          unsigned elemBits);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_FMAPLAN_H
