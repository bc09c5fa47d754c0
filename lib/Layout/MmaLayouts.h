// Layouts of matrix products on tensor cores: the accumulator's, the operands' that go with it, and
// which instructions they make. docs/design/dot.md.
#ifndef TILEC_LIB_LAYOUT_MMALAYOUTS_H
#define TILEC_LIB_LAYOUT_MMALAYOUTS_H

#include "lib/Layout/LinearLayout.h"

namespace tilec {

/// The instruction multiplies 16xK by Kx8, with K = 8 * 2^packBits: 2^packBits elements of an
/// operand share a 32-bit register. 0 is tf32, 1 f16 and bf16, 2 i8 and f8.
inline constexpr int64_t kMmaM = 16, kMmaN = 8;
constexpr int64_t mmaK(unsigned packBits) { return int64_t(8) << packBits; }
/// Elements of one instruction that a thread holds.
inline constexpr unsigned kMmaAccRegisters = 4;
constexpr unsigned mmaLhsRegisters(unsigned packBits) { return 4u << packBits; }
constexpr unsigned mmaRhsRegisters(unsigned packBits) { return 2u << packBits; }

/// The accumulator's layout for a product of `shape`, (batch,) rows and columns, on `numWarps`
/// warps. Warps part the batch, then the rows or columns of which a warp has more; with `rowsFirst`
/// the rows as long as there are any, so that a warp holds whole rows. Where the shape is smaller
/// than an instruction or than the warps, rows and columns are repeated: they are computed twice
/// and alike.
LinearLayout mmaAccumulator(llvm::ArrayRef<int64_t> shape, unsigned numWarps,
                            bool rowsFirst = false);

/// The layouts of the operands that go with an accumulator from mmaAccumulator; `k` columns of the
/// left one, rows of the right one, at least mmaK(packBits).
LinearLayout mmaLhs(const LinearLayout &acc, int64_t k, unsigned packBits);
LinearLayout mmaRhs(const LinearLayout &acc, int64_t k, unsigned packBits);

/// One instruction: numbers of tiles. Tile t of a tensor is a thread's registers t * n and the n -
/// 1 after it, n as above.
struct MmaStep {
  unsigned lhs = 0, rhs = 0, acc = 0;
};

/// A warp's instructions for one product, in order: along K last.
struct MmaPlan {
  unsigned packBits = 1;
  llvm::SmallVector<MmaStep> steps;
};

/// The instructions for a product of tensors with these layouts; nothing unless they are those that
/// the functions above give.
std::optional<MmaPlan> planMma(const LinearLayout &lhs, const LinearLayout &rhs,
                               const LinearLayout &acc, unsigned packBits);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_MMALAYOUTS_H
