// Reading a tensor from shared memory with ldmatrix: lanes pass each other 16-byte rows.
#ifndef TILEC_LIB_LAYOUT_MATRIXREAD_H
#define TILEC_LIB_LAYOUT_MATRIXREAD_H

#include "lib/Layout/SharedMap.h"

namespace tilec {

/// A trip through shared memory whose reads are ldmatrix; what SharedPlan says of them.
struct MatrixRead {
  Swizzle swizzle;
  SharedAccess access;
  unsigned matrices = 4;
  bool transposed = false;
};

/// ldmatrix gives lane l a word of row l / 4 of a matrix, the word l % 4 of the row's four; so what
/// lane l of `dst` holds was addressed by another lane, with other elements of the row. Whatever
/// layout `dst` is, there is one that says which row each lane must address, and with that the trip
/// is planned like any other. Nothing if rows would not be 16 bytes side by side, in order. With
/// `transposed` (elements of 16 bits only) a row holds what one word of `dst` has from eight lanes.
/// `dst` has no free registers.
std::optional<MatrixRead> planMatrixRead(const LinearLayout &src, const LinearLayout &dst,
                                         unsigned elemBits, bool transposed);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_MATRIXREAD_H
