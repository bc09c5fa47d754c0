// Splitting a scan into registers, lanes and warps.
#include "lib/Layout/ScanPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

static constexpr InDim kInputs[] = {InDim::Register, InDim::Lane, InDim::Warp};

bool isScannable(const LinearLayout &layout) {
  uint64_t seen = 0;
  for (InDim dim : kInputs)
    for (uint64_t basis : layout.getBases(dim)) {
      if (basis == 0)
        continue;
      if (!isPowerOf2_64(basis) || (seen & basis))
        return false;
      seen |= basis;
    }
  return layout.isSurjective();
}

namespace {

/// The input bit that leads to a bit of the index.
struct Place {
  InDim dim = InDim::Register;
  unsigned bit = 0;
};

class ScanPlanner {
public:
  ScanPlanner(const LinearLayout &layout, unsigned axis, bool reverse, unsigned elemBits)
      : layout(layout), axisMask(layout.axisMask(axis)), elemBits(std::max(elemBits, 8u)) {
    plan.reverse = reverse;
  }

  ScanPlan run() {
    SmallVector<uint64_t> bits; // of the axis, from the lowest
    for (uint64_t rest = axisMask; rest; rest &= rest - 1)
      bits.push_back(rest & -rest);
    size_t next = 0;
    while (next < bits.size() && placeOf(bits[next]).dim == InDim::Register)
      runBits.push_back(placeOf(bits[next++]).bit);
    // Groups: what no step joins lowest, then what is joined last, what is joined first highest.
    for (auto [bit, basis] : enumerate(layout.getBases(InDim::Register)))
      if (basis && !(basis & axisMask))
        groupBits.push_back(bit);
    SmallVector<unsigned> joined;
    for (uint64_t basis : ArrayRef(bits).drop_front(next))
      if (placeOf(basis).dim == InDim::Register)
        joined.push_back(placeOf(basis).bit);
    groupBits.append(joined.rbegin(), joined.rend());
    orderRegisters();

    totalBits = groupBits.size();
    for (uint64_t basis : ArrayRef(bits).take_front(next))
      done |= basis;
    while (next < bits.size()) {
      ScanStep step;
      step.numTotals = 1u << totalBits;
      Place place = placeOf(bits[next]);
      if (place.dim == InDim::Warp) {
        uint64_t before = next;
        for (; next < bits.size() && placeOf(bits[next]).dim == InDim::Warp; ++next) {
          step.warpBits.push_back(placeOf(bits[next]).bit);
          done |= bits[next];
        }
        assert(next > before);
        planWarps(step);
      } else {
        done |= bits[next++];
        if (place.dim == InDim::Register)
          --totalBits;
        else
          step.kind = ScanStep::Kind::Lanes, step.laneMask = 1u << place.bit;
      }
      plan.steps.push_back(std::move(step));
    }
    return std::move(plan);
  }

private:
  Place placeOf(uint64_t basis) const {
    for (InDim dim : kInputs)
      for (auto [bit, other] : enumerate(layout.getBases(dim)))
        if (other == basis)
          return {dim, unsigned(bit)};
    llvm_unreachable("a scannable layout has all bits of the index");
  }

  void orderRegisters() {
    plan.runLength = 1u << runBits.size();
    plan.numGroups = 1u << groupBits.size();
    SmallVector<unsigned> bits(groupBits);
    bits.append(runBits);
    uint32_t flipped = 0, used = 0;
    for (unsigned bit : bits) {
      used |= 1u << bit;
      if (plan.reverse && (layout.getBases(InDim::Register)[bit] & axisMask))
        flipped |= 1u << bit;
    }
    SmallVector<int32_t> indexOf(layout.numRegisters());
    for (unsigned index = 0; index < 1u << bits.size(); ++index) {
      uint32_t reg = flipped;
      for (auto [i, bit] : enumerate(bits))
        reg ^= (index >> i & 1) << bit;
      plan.registers.push_back(reg);
      indexOf[reg] = index;
    }
    for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
      plan.resultRegisters.push_back(indexOf[reg & used]);
  }

  /// The totals as a tensor of their own: the bits of the index that are not joined yet.
  void planWarps(ScanStep &step) {
    step.kind = ScanStep::Kind::Warps;
    uint64_t kept = (uint64_t(1) << layout.getNumElementBits()) - 1 - done;
    auto compact = [&](uint64_t basis) -> uint64_t {
      return basis & kept ? uint64_t(1) << popcount(kept & (basis - 1)) : 0;
    };
    auto compactAll = [&](ArrayRef<uint64_t> bases) {
      return to_vector(map_range(bases, compact));
    };
    SmallVector<uint64_t> registers;
    for (unsigned bit : ArrayRef(groupBits).take_front(totalBits))
      registers.push_back(compact(layout.getBases(InDim::Register)[bit]));
    int64_t count = int64_t(1) << popcount(kept);
    LinearLayout totals({count}, registers, compactAll(layout.getBases(InDim::Lane)),
                        compactAll(layout.getBases(InDim::Warp)));
    Swizzle swizzle = computeSwizzle(totals, totals, elemBits);
    step.write = computeAccess(totals, swizzle.map, swizzle.srcVecElems, /*ownersOnly=*/true);
    step.read = computeAccess(totals, swizzle.map, swizzle.dstVecElems, /*ownersOnly=*/false);
    for (unsigned bit : step.warpBits)
      step.write.warpMask &= ~(1u << bit); // each of them has a total of its own
    step.partialElements = count;
    step.scratchOffset = plan.scratchBytes;
    plan.scratchBytes += alignTo(step.numPositions() * count * elemBits / 8, 16);
  }

  const LinearLayout &layout;
  const uint64_t axisMask;
  const unsigned elemBits;
  ScanPlan plan;
  SmallVector<unsigned> runBits, groupBits; // bits of the register's number
  unsigned totalBits = 0;
  /// Bits of the index that are joined.
  uint64_t done = 0;
};

} // namespace

ScanPlan planScan(const LinearLayout &layout, unsigned axis, bool reverse, unsigned elemBits) {
  assert(axis < layout.getRank() && isScannable(layout));
  return ScanPlanner(layout, axis, reverse, elemBits).run();
}

} // namespace tilec
