// Planning matrix products without tensor cores.
#include "lib/Layout/FmaPlan.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tilec {

LinearLayout fmaAccumulator(ArrayRef<int64_t> shape, unsigned numWarps) {
  assert((shape.size() == 2 || shape.size() == 3) && "a matrix or a batch of them");
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const int64_t batch = shape.size() == 3 ? shape[0] : 1;
  const int64_t batchWarps = std::min<int64_t>(batch, numWarps);
  int64_t warps = numWarps / batchWarps;
  const int64_t perThread = std::max<int64_t>(1, rows * columns / (32 * warps));
  // The side of a thread's square.
  const int64_t side = perThread >= 16 ? 4 : perThread >= 4 ? 2 : 1;
  const int64_t threadRows = std::min(side, rows), threadColumns = std::min(side, columns);
  int64_t laneColumns = std::min<int64_t>(8, columns / threadColumns);
  int64_t laneRows = std::min<int64_t>(32 / laneColumns, rows / threadRows);
  laneColumns = 32 / laneRows;
  int64_t warpRows = 1, warpColumns = 1;
  for (; warps > 1; warps /= 2) {
    int64_t moreRows = rows / (threadRows * laneRows * warpRows);
    int64_t moreColumns = columns / std::max<int64_t>(1, threadColumns * laneColumns * warpColumns);
    (moreRows >= moreColumns ? warpRows : warpColumns) *= 2;
  }
  if (shape.size() == 2)
    return LinearLayout::blocked(shape, {threadRows, threadColumns}, {laneRows, laneColumns},
                                 {warpRows, warpColumns}, {1, 0});
  return LinearLayout::blocked(shape, {1, threadRows, threadColumns}, {1, laneRows, laneColumns},
                               {batchWarps, warpRows, warpColumns}, {2, 1, 0});
}

uint32_t FmaOperand::kOffset(uint64_t k) const {
  uint32_t result = 0;
  for (unsigned i = 0; i < kBases.size(); ++i)
    if (k >> i & 1)
      result ^= kBases[i];
  return result;
}

FmaOperand planFmaOperand(const LinearLayout &operand, const LinearLayout &acc, bool isLhs,
                          unsigned elemBits) {
  const unsigned rank = acc.getRank(), kDim = isLhs ? rank - 1 : rank - 2;
  assert(operand.getRank() == rank && "operand and result have one rank");
  auto project = [&](uint64_t basis) {
    Coords coords = acc.toCoords(basis);
    coords[kDim] = 0;
    return operand.toFlat(coords);
  };
  LinearLayout::Bases registers, lanes, warps;
  for (uint64_t basis : acc.getBases(InDim::Register))
    registers.push_back(project(basis));
  for (uint64_t basis : acc.getBases(InDim::Lane))
    lanes.push_back(project(basis));
  for (uint64_t basis : acc.getBases(InDim::Warp))
    warps.push_back(project(basis));
  // To the plan K is one more thing that an address depends on, as on the warp.
  const unsigned warpBits = warps.size();
  for (unsigned bit = 0; bit < Log2_64(operand.getShape()[kDim]); ++bit) {
    Coords coords(rank, 0);
    coords[kDim] = int32_t(1) << bit;
    warps.push_back(operand.toFlat(coords));
  }
  LinearLayout all(operand.getShape(), registers, lanes, warps);
  LinearLayout reader = all.dropFreeRegisters();

  Swizzle swizzle = computeSwizzle(operand, reader, elemBits);
  FmaOperand plan;
  plan.write = computeAccess(operand, swizzle.map, swizzle.srcVecElems, /*ownersOnly=*/true);
  plan.read = computeAccess(reader, swizzle.map, swizzle.dstVecElems, /*ownersOnly=*/false);
  plan.kBases.assign(plan.read.warpBases.begin() + warpBits, plan.read.warpBases.end());
  plan.read.warpBases.truncate(warpBits);
  plan.numRead = reader.numRegisters();
  // What a read leaves out repeats, for a thread, what another register gets.
  f2::Span span(reader.getBases(InDim::Register));
  for (unsigned reg = 0; reg < acc.numRegisters(); ++reg)
    plan.registers.push_back(int32_t(*span.solve(all.applyLinear(reg, 0, 0))));
  plan.bytes = uint64_t(operand.numElements()) * (elemBits / 8);
  return plan;
}

} // namespace tilec
