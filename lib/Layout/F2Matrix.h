// Linear algebra over F2 on vectors of at most 64 bits: spans, solving, inverses. A vector is a
// uint64_t, addition is xor, a matrix is the list of its columns. Nothing here allocates for the
// sizes that layouts have.
#ifndef TILEC_LIB_LAYOUT_F2MATRIX_H
#define TILEC_LIB_LAYOUT_F2MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace tilec::f2 {

/// Vectors that span a subspace, or the columns of a matrix.
using Vectors = llvm::SmallVector<uint64_t, 16>;

/// The product of the matrix `columns` and the vector `x`. Bits of `x` past the columns are
/// ignored.
uint64_t multiply(llvm::ArrayRef<uint64_t> columns, uint64_t x);

/// The product of two matrices: column i is `outer` times column i of `inner`.
Vectors compose(llvm::ArrayRef<uint64_t> outer, llvm::ArrayRef<uint64_t> inner);

/// An incrementally built subspace in echelon form. It remembers how each stored vector came from
/// the added ones, so that it also solves linear systems. At most 64 vectors may be added.
class Span {
public:
  Span() = default;
  explicit Span(llvm::ArrayRef<uint64_t> vectors) { addAll(vectors); }

  /// Adds `v`; returns true when it was independent of the ones before it.
  bool add(uint64_t v);
  void addAll(llvm::ArrayRef<uint64_t> vectors) {
    for (uint64_t v : vectors)
      add(v);
  }

  unsigned rank() const { return rows.size(); }
  /// `v` modulo the subspace; zero exactly when `v` lies in it.
  uint64_t reduce(uint64_t v) const;
  bool contains(uint64_t v) const { return reduce(v) == 0; }
  bool containsAll(llvm::ArrayRef<uint64_t> vectors) const;
  /// The x with (added vectors) * x == v that uses only vectors which were independent of earlier
  /// ones when added. It is linear in `v`; nothing when `v` is outside.
  std::optional<uint64_t> solve(uint64_t v) const;
  /// Basis vectors in echelon form.
  Vectors basis() const;

private:
  struct Row {
    uint64_t vector, source; // vector == (added vectors) * source
    uint64_t lead;           // a bit of `vector` that no other row has
  };
  llvm::SmallVector<Row, 16> rows;
  unsigned numAdded = 0;
};

unsigned rank(llvm::ArrayRef<uint64_t> vectors);

/// Bit i is set when vector i depends on the vectors before it.
uint64_t dependentMask(llvm::ArrayRef<uint64_t> vectors);

/// A basis of { x : columns * x == 0 }.
Vectors kernel(llvm::ArrayRef<uint64_t> columns);

/// A basis of span(a) and span(b) intersected. Their ranks add up to at most 64.
Vectors intersect(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b);

/// The vectors of `candidates`, in order, that extend span(base) to span(base + candidates).
Vectors extend(llvm::ArrayRef<uint64_t> base, llvm::ArrayRef<uint64_t> candidates);

/// Unit vectors that complete span(base) to F2^numBits.
Vectors complement(llvm::ArrayRef<uint64_t> base, unsigned numBits);

/// The inverse of a square matrix of full rank; nothing when it is singular.
std::optional<Vectors> inverse(llvm::ArrayRef<uint64_t> columns);

/// The columns of the transposed matrix, `numRows` of them.
Vectors transpose(llvm::ArrayRef<uint64_t> columns, unsigned numRows);

/// Unit vectors e_0 .. e_(numBits-1).
Vectors identity(unsigned numBits);

} // namespace tilec::f2

#endif // TILEC_LIB_LAYOUT_F2MATRIX_H
