// Splitting a reduction into registers, lanes and warps.
#include "lib/Layout/ReductionPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cassert>

using namespace llvm;

namespace tilec {

/// The x with columns * x in `span`.
static f2::Vectors preimage(ArrayRef<uint64_t> columns, const f2::Span &span) {
  f2::Vectors modulo;
  for (uint64_t column : columns)
    modulo.push_back(span.reduce(column));
  return f2::kernel(modulo);
}

static bool isOdd(uint32_t bits) { return popcount(bits) & 1; }

unsigned ReductionPlan::partialIndex(unsigned warp) const {
  unsigned index = 0;
  for (auto [bit, mask] : enumerate(partialMasks))
    index |= unsigned(isOdd(warp & mask)) << bit;
  return index;
}

bool ReductionPlan::warpWrites(unsigned warp) const {
  return llvm::none_of(silentWarpMasks, [&](uint32_t mask) { return isOdd(warp & mask); });
}

ReductionPlan planReduction(const LinearLayout &src, unsigned axis, unsigned elemBits) {
  assert(axis < src.getRank() && "no such dimension");
  ReductionPlan plan;
  plan.axis = axis;
  const LinearLayout projected = src.slice(axis, /*dropRegisters=*/false);
  plan.result = projected.dropFreeRegisters();

  // Registers. Those that repeat others take no part.
  const uint64_t repeated = f2::dependentMask(src.getBases(InDim::Register));
  const uint64_t dropped = f2::dependentMask(projected.getBases(InDim::Register));
  SmallVector<int32_t> along = {0};
  for (uint64_t relation : f2::kernel(projected.getBases(InDim::Register))) {
    // A relation ends in a dropped bit; it is a repetition if the source has it too.
    if (repeated >> (63 - countl_zero(relation)) & 1)
      continue;
    for (unsigned i = 0, e = along.size(); i < e; ++i)
      along.push_back(along[i] ^ int32_t(relation));
  }
  plan.perResult = along.size();
  for (unsigned reg = 0, e = src.numRegisters(); reg < e; ++reg)
    if (!(reg & dropped))
      for (int32_t relative : along)
        plan.registers.push_back(int32_t(reg) ^ relative);

  // Lanes that hold other parts of the same results, as opposed to the same parts.
  f2::Span elements(src.getBases(InDim::Register));
  f2::Span results(plan.result.getBases(InDim::Register));
  f2::Vectors sameResult = preimage(plan.result.getBases(InDim::Lane), results);
  f2::Vectors samePart = preimage(src.getBases(InDim::Lane), elements);
  for (uint64_t lanes : f2::extend(samePart, sameResult)) {
    uint64_t element = f2::multiply(plan.result.getBases(InDim::Lane), lanes);
    plan.lanes.push_back({uint32_t(lanes), uint32_t(*results.solve(element))});
  }

  // Warps, likewise.
  elements.addAll(src.getBases(InDim::Lane));
  results.addAll(plan.result.getBases(InDim::Lane));
  sameResult = preimage(plan.result.getBases(InDim::Warp), results);
  samePart = preimage(src.getBases(InDim::Warp), elements);
  f2::Vectors basis = f2::extend(samePart, sameResult);
  if (basis.empty())
    return plan;
  const unsigned partialBits = basis.size(), warpBits = src.getBases(InDim::Warp).size();
  basis.append(samePart);
  basis.append(f2::complement(basis, warpBits));
  f2::Vectors functionals = f2::transpose(*f2::inverse(basis), warpBits);
  for (unsigned i = 0; i < partialBits + samePart.size(); ++i)
    (i < partialBits ? plan.partialMasks : plan.silentWarpMasks)
        .push_back(uint32_t(functionals[i]));
  plan.numPartials = 1u << partialBits;

  Swizzle swizzle = computeSwizzle(plan.result, plan.result, std::max(elemBits, 8u));
  plan.write = computeAccess(plan.result, swizzle.map, swizzle.srcVecElems, /*ownersOnly=*/true);
  plan.write.warpMask = 0; // who writes is a matter of silentWarpMasks
  plan.read = computeAccess(plan.result, swizzle.map, swizzle.dstVecElems, /*ownersOnly=*/false);
  plan.scratchElements = uint64_t(plan.numPartials) * plan.result.numElements();
  return plan;
}

} // namespace tilec
