// Gathers that stay in the warp.
#include "lib/Layout/GatherPlan.h"
#include "lib/Layout/ScanPlan.h"

using namespace llvm;

namespace tilec {

/// A candidate costs a select, and a shuffle if lanes share the axis.
static constexpr unsigned kMostShuffled = 2, kMostSelected = 8;

SmallVector<uint32_t> GatherPlan::candidates() const {
  SmallVector<uint32_t> result = {0};
  for (uint32_t basis : registerBases)
    if (basis)
      for (unsigned i = 0, e = result.size(); i < e; ++i)
        result.push_back(result[i] ^ basis);
  return result;
}

std::optional<GatherPlan> planGather(const LinearLayout &src, const LinearLayout &dst,
                                     unsigned axis) {
  if (!isScannable(src) || src.axisBits(axis).warps)
    return std::nullopt;
  // Coordinates in the other dimensions must not change their lane or warp.
  auto map = registerMap(dst.slice(axis, /*dropRegisters=*/false),
                         src.slice(axis, /*dropRegisters=*/false));
  if (!map)
    return std::nullopt;
  GatherPlan plan;
  plan.registers = *map;
  for (uint64_t rest = src.axisMask(axis); rest; rest &= rest - 1) {
    uint64_t bit = rest & -rest;
    auto basisOf = [&](InDim dim) {
      const auto *at = find(src.getBases(dim), bit);
      return at == src.getBases(dim).end() ? 0u : 1u << (at - src.getBases(dim).begin());
    };
    plan.registerBases.push_back(basisOf(InDim::Register));
    plan.laneBases.push_back(basisOf(InDim::Lane));
    plan.laneMask |= plan.laneBases.back();
  }
  if (plan.candidates().size() > (plan.laneMask ? kMostShuffled : kMostSelected))
    return std::nullopt;
  return plan;
}

} // namespace tilec
