// Linear algebra over F2 on vectors of at most 64 bits.
#include "lib/Layout/F2Matrix.h"
#include "llvm/ADT/bit.h"
#include <cassert>

namespace tilec::f2 {

using llvm::ArrayRef;

uint64_t multiply(ArrayRef<uint64_t> columns, uint64_t x) {
  if (columns.size() < 64)
    x &= (uint64_t(1) << columns.size()) - 1;
  uint64_t result = 0;
  for (; x; x &= x - 1)
    result ^= columns[llvm::countr_zero(x)];
  return result;
}

Vectors compose(ArrayRef<uint64_t> outer, ArrayRef<uint64_t> inner) {
  Vectors result;
  result.reserve(inner.size());
  for (uint64_t column : inner)
    result.push_back(multiply(outer, column));
  return result;
}

bool Span::add(uint64_t v) {
  assert(numAdded < 64 && "too many vectors for one span");
  uint64_t source = uint64_t(1) << numAdded++;
  for (const Row &row : rows)
    if (v & row.lead) {
      v ^= row.vector;
      source ^= row.source;
    }
  if (!v)
    return false;
  uint64_t lead = v & -v;
  for (Row &row : rows)
    if (row.vector & lead) {
      row.vector ^= v;
      row.source ^= source;
    }
  rows.push_back({v, source, lead});
  return true;
}

uint64_t Span::reduce(uint64_t v) const {
  for (const Row &row : rows)
    if (v & row.lead)
      v ^= row.vector;
  return v;
}

bool Span::containsAll(ArrayRef<uint64_t> vectors) const {
  for (uint64_t v : vectors)
    if (!contains(v))
      return false;
  return true;
}

std::optional<uint64_t> Span::solve(uint64_t v) const {
  uint64_t source = 0;
  for (const Row &row : rows)
    if (v & row.lead) {
      v ^= row.vector;
      source ^= row.source;
    }
  if (v)
    return std::nullopt;
  return source;
}

Vectors Span::basis() const {
  Vectors result;
  for (const Row &row : rows)
    result.push_back(row.vector);
  return result;
}

unsigned rank(ArrayRef<uint64_t> vectors) { return Span(vectors).rank(); }

uint64_t dependentMask(ArrayRef<uint64_t> vectors) {
  Span span;
  uint64_t mask = 0;
  for (auto [i, v] : llvm::enumerate(vectors))
    if (!span.add(v))
      mask |= uint64_t(1) << i;
  return mask;
}

Vectors kernel(ArrayRef<uint64_t> columns) {
  Span span;
  Vectors result;
  for (auto [i, column] : llvm::enumerate(columns)) {
    // What earlier columns make of this one, plus this one, is zero.
    if (std::optional<uint64_t> earlier = span.solve(column))
      result.push_back(*earlier | uint64_t(1) << i);
    span.add(column);
  }
  return result;
}

Vectors intersect(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
  Vectors basisA = Span(a).basis(), both = basisA;
  both.append(Span(b).basis());
  Vectors result;
  for (uint64_t relation : kernel(both))
    result.push_back(multiply(basisA, relation));
  return result;
}

Vectors extend(ArrayRef<uint64_t> base, ArrayRef<uint64_t> candidates) {
  Span span(base);
  Vectors result;
  for (uint64_t v : candidates)
    if (span.add(v))
      result.push_back(v);
  return result;
}

Vectors complement(ArrayRef<uint64_t> base, unsigned numBits) {
  return extend(base, identity(numBits));
}

std::optional<Vectors> inverse(ArrayRef<uint64_t> columns) {
  Span span(columns);
  if (span.rank() != columns.size())
    return std::nullopt;
  Vectors result;
  for (uint64_t unit : identity(columns.size())) {
    std::optional<uint64_t> solution = span.solve(unit);
    if (!solution)
      return std::nullopt;
    result.push_back(*solution);
  }
  return result;
}

Vectors transpose(ArrayRef<uint64_t> columns, unsigned numRows) {
  Vectors result(numRows, 0);
  for (auto [i, column] : llvm::enumerate(columns))
    for (uint64_t rest = column; rest; rest &= rest - 1)
      if (unsigned row = llvm::countr_zero(rest); row < numRows)
        result[row] |= uint64_t(1) << i;
  return result;
}

Vectors identity(unsigned numBits) {
  Vectors result;
  for (unsigned i = 0; i < numBits; ++i)
    result.push_back(uint64_t(1) << i);
  return result;
}

} // namespace tilec::f2
