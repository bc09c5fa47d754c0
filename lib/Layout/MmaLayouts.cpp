// Layouts of matrix products on tensor cores, as the PTX manual gives them for mma.m16n8k*.
#include "lib/Layout/MmaLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

namespace {

/// The dimensions of one of the three matrices: rows, columns, perhaps a batch in front.
struct Matrix {
  SmallVector<int64_t, 3> shape;

  explicit Matrix(ArrayRef<int64_t> shape) : shape(shape) {
    assert((shape.size() == 2 || shape.size() == 3) && "a matrix or a batch of them");
  }
  Matrix(const Matrix &like, int64_t rows, int64_t columns) : shape(like.shape) {
    shape[shape.size() - 2] = rows;
    shape.back() = columns;
  }

  int64_t batch() const { return shape.size() == 3 ? shape[0] : 1; }
  int64_t rows() const { return shape[shape.size() - 2]; }
  int64_t columns() const { return shape.back(); }
  uint64_t flat(uint64_t batch, uint64_t row, uint64_t column) const {
    return (batch * rows() + row) * columns() + column;
  }
  // Bit `i` of a coordinate as a basis; zero past the extent.
  uint64_t batchBit(unsigned i) const { return i < Log2_64(batch()) ? flat(1ull << i, 0, 0) : 0; }
  uint64_t rowBit(unsigned i) const { return i < Log2_64(rows()) ? flat(0, 1ull << i, 0) : 0; }
  uint64_t columnBit(unsigned i) const {
    return i < Log2_64(columns()) ? flat(0, 0, 1ull << i) : 0;
  }
  // Coordinates of a flat index.
  uint64_t columnOf(uint64_t index) const { return index % columns(); }
  uint64_t rowOf(uint64_t index) const { return index / columns() % rows(); }
  uint64_t batchOf(uint64_t index) const { return index / columns() / rows(); }
};

constexpr unsigned kTileRowBits = 4, kTileColumnBits = 3; // of an accumulator's tile

/// Maps bases of the accumulator to those of an operand that has its rows (or columns) and batch.
uint64_t toOperand(const Matrix &acc, const Matrix &operand, bool isLhs, uint64_t basis) {
  return isLhs ? operand.flat(acc.batchOf(basis), acc.rowOf(basis), 0)
               : operand.flat(acc.batchOf(basis), 0, acc.columnOf(basis));
}

/// Register bases of a tensor's tiles beyond the first that differ in what an operand has.
LinearLayout::Bases repetitions(const LinearLayout &acc, const Matrix &operand, bool isLhs) {
  Matrix matrix(acc.getShape());
  LinearLayout::Bases result;
  for (uint64_t basis : acc.getBases(InDim::Register).drop_front(2))
    if (uint64_t mapped = toOperand(matrix, operand, isLhs, basis))
      result.push_back(mapped);
  return result;
}

LinearLayout makeOperand(const LinearLayout &acc, int64_t k, unsigned packBits, bool isLhs) {
  assert(k >= mmaK(packBits) && "K is smaller than the instruction's");
  Matrix from(acc.getShape());
  Matrix operand = isLhs ? Matrix(from, from.rows(), k) : Matrix(from, k, from.columns());
  auto kBit = [&](unsigned i) { return isLhs ? operand.columnBit(i) : operand.rowBit(i); };

  LinearLayout::Bases registers, lanes, warps;
  for (unsigned i = 0; i < packBits; ++i)
    registers.push_back(kBit(i));
  if (isLhs)
    registers.push_back(operand.rowBit(kTileRowBits - 1));
  registers.push_back(kBit(packBits + 2));
  for (unsigned i = packBits + 3; i < Log2_64(k); ++i)
    registers.push_back(kBit(i));
  registers.append(repetitions(acc, operand, isLhs));
  lanes.push_back(kBit(packBits));
  lanes.push_back(kBit(packBits + 1));
  for (unsigned i = 0; i < 3; ++i)
    lanes.push_back(isLhs ? operand.rowBit(i) : operand.columnBit(i));
  for (uint64_t basis : acc.getBases(InDim::Warp))
    warps.push_back(toOperand(from, operand, isLhs, basis));
  return LinearLayout(operand.shape, registers, lanes, warps);
}

/// Whether mmaAccumulator could have made the layout, for some way to part it among warps.
bool isAccumulator(const LinearLayout &acc) {
  Matrix matrix(acc.getShape());
  ArrayRef<uint64_t> registers = acc.getBases(InDim::Register), lanes = acc.getBases(InDim::Lane);
  if (registers.size() < 2 || registers[0] != matrix.columnBit(0) ||
      registers[1] != matrix.rowBit(3) || lanes[0] != matrix.columnBit(1) ||
      lanes[1] != matrix.columnBit(2))
    return false;
  for (unsigned i = 0; i < 3; ++i)
    if (lanes[2 + i] != matrix.rowBit(i))
      return false;
  // Other bits lead from tile to tile, in one direction.
  auto isStep = [&](uint64_t basis) {
    uint64_t row = matrix.rowOf(basis), column = matrix.columnOf(basis);
    return (matrix.batchOf(basis) != 0) + (row != 0) + (column != 0) <= 1 && row % kMmaM == 0 &&
           column % kMmaN == 0;
  };
  return llvm::all_of(registers.drop_front(2), isStep) &&
         llvm::all_of(acc.getBases(InDim::Warp), isStep);
}

} // namespace

LinearLayout mmaAccumulator(ArrayRef<int64_t> shape, unsigned numWarps, bool rowsFirst) {
  Matrix matrix(shape);
  const unsigned rowBits = Log2_64(matrix.rows()), columnBits = Log2_64(matrix.columns()),
                 batchBits = Log2_64(matrix.batch());
  unsigned row = kTileRowBits, column = kTileColumnBits, batch = 0;
  LinearLayout::Bases warps;
  for (unsigned i = Log2_32(numWarps); i-- > 0;) {
    if (batch < batchBits)
      warps.push_back(matrix.batchBit(batch++));
    else if (row < rowBits &&
             (rowsFirst || column >= columnBits ||
              rowBits - row + kTileRowBits >= columnBits - column + kTileColumnBits))
      warps.push_back(matrix.rowBit(row++));
    else
      warps.push_back(matrix.columnBit(column++)); // zero when there is none left
  }
  LinearLayout::Bases registers = {matrix.columnBit(0), matrix.rowBit(3)};
  while (column < columnBits)
    registers.push_back(matrix.columnBit(column++));
  while (row < rowBits)
    registers.push_back(matrix.rowBit(row++));
  while (batch < batchBits)
    registers.push_back(matrix.batchBit(batch++));
  uint64_t lanes[] = {matrix.columnBit(1), matrix.columnBit(2), matrix.rowBit(0), matrix.rowBit(1),
                      matrix.rowBit(2)};
  return LinearLayout(shape, registers, lanes, warps);
}

LinearLayout mmaLhs(const LinearLayout &acc, int64_t k, unsigned packBits) {
  return makeOperand(acc, k, packBits, /*isLhs=*/true);
}

LinearLayout mmaRhs(const LinearLayout &acc, int64_t k, unsigned packBits) {
  return makeOperand(acc, k, packBits, /*isLhs=*/false);
}

std::optional<MmaPlan> planMma(const LinearLayout &lhs, const LinearLayout &rhs,
                               const LinearLayout &acc, unsigned packBits) {
  const int64_t k = lhs.getShape().back();
  if (k < mmaK(packBits) || !isAccumulator(acc) || lhs != mmaLhs(acc, k, packBits) ||
      rhs != mmaRhs(acc, k, packBits))
    return std::nullopt;

  // Tile bit i of the accumulator as tile bits of the operands; those of K are their lowest.
  Matrix matrix(acc.getShape());
  const unsigned kTiles = k / mmaK(packBits);
  SmallVector<unsigned> lhsBits, rhsBits;
  unsigned nextLhs = kTiles, nextRhs = kTiles;
  for (uint64_t basis : acc.getBases(InDim::Register).drop_front(2)) {
    bool inLhs = matrix.rowOf(basis) || matrix.batchOf(basis);
    bool inRhs = matrix.columnOf(basis) || matrix.batchOf(basis);
    lhsBits.push_back(inLhs ? nextLhs : 0);
    rhsBits.push_back(inRhs ? nextRhs : 0);
    nextLhs <<= inLhs;
    nextRhs <<= inRhs;
  }
  MmaPlan plan;
  plan.packBits = packBits;
  const unsigned accTiles = acc.numRegisters() / kMmaAccRegisters;
  for (unsigned step = 0; step < kTiles; ++step)
    for (unsigned tile = 0; tile < accTiles; ++tile) {
      MmaStep next{step, step, tile};
      for (unsigned bit = 0; bit < lhsBits.size(); ++bit)
        if (tile >> bit & 1) {
          next.lhs += lhsBits[bit];
          next.rhs += rhsBits[bit];
        }
      plan.steps.push_back(next);
    }
  return plan;
}

} // namespace tilec
