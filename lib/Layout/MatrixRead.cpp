// Planning reads with ldmatrix.
#include "lib/Layout/MatrixRead.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace tilec {

std::optional<MatrixRead> planMatrixRead(const LinearLayout &src, const LinearLayout &dst,
                                         unsigned elemBits, bool transposed) {
  if (elemBits > 32 || (transposed && elemBits != 16))
    return std::nullopt;
  const unsigned wordBits = Log2_32(32 / elemBits), rowBits = wordBits + 2;
  ArrayRef<uint64_t> registers = dst.getBases(InDim::Register), lanes = dst.getBases(InDim::Lane);
  if (registers.size() < wordBits)
    return std::nullopt;
  const unsigned matrixBits = std::min<unsigned>(2, registers.size() - wordBits);

  // The elements of a row, and the lanes that address the rows of a matrix.
  LinearLayout::Bases row(registers.take_front(wordBits)), rows(lanes.drop_front(2));
  row.append(lanes.begin(), lanes.begin() + 2);
  if (transposed)
    std::swap(row, rows); // both have three bits
  for (unsigned i = 0; i < 2; ++i)
    rows.push_back(i < matrixBits ? registers[wordBits + i] : 0);
  LinearLayout::Bases rowRegisters(row);
  ArrayRef<uint64_t> further = registers.drop_front(wordBits + matrixBits);
  rowRegisters.append(further.begin(), further.end());
  LinearLayout reader(dst.getShape(), rowRegisters, rows, dst.getBases(InDim::Warp));
  if (reader.freeMask(InDim::Register))
    return std::nullopt;

  MatrixRead read;
  read.swizzle = computeSwizzle(src, reader, elemBits);
  if (read.swizzle.dstVecElems != 1u << rowBits)
    return std::nullopt;
  for (unsigned i = 0; i < rowBits; ++i)
    if (read.swizzle.map.offset(row[i]) != 1u << i)
      return std::nullopt;
  read.access = computeAccess(reader, read.swizzle.map, 1u << rowBits, /*ownersOnly=*/false);
  if (read.access.vecElems != 1u << rowBits)
    return std::nullopt;
  read.matrices = 1u << matrixBits;
  read.transposed = transposed;
  // From the registers of `reader` that an access names to those of `dst` that it fills.
  SmallVector<int32_t> filled;
  for (unsigned i = 0; i < read.access.offsets.size(); ++i) {
    int32_t first = read.access.registers[i << rowBits];
    if (first & ((1 << rowBits) - 1))
      return std::nullopt; // the row begins with another element than the first
    first = first >> rowBits << (wordBits + matrixBits);
    for (int32_t element = 0; element < 1 << (wordBits + matrixBits); ++element)
      filled.push_back(first | element);
  }
  read.access.registers = std::move(filled);
  return read;
}

} // namespace tilec
