// Choosing between registers, shuffles and shared memory for a layout conversion.
#include "lib/Layout/ConversionPlan.h"
#include "lib/Layout/ConversionPieces.h"
#include "lib/Layout/MatrixRead.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tilec {

namespace {

constexpr unsigned kLaneBits = LinearLayout::kLaneBits;

/// Issue slots that writing, a barrier and reading cost beside their wavefronts.
constexpr unsigned kSharedLatency = 32;
/// Issue slots of a shuffle: the shared memory pipe does one a cycle, as it does a wavefront.
constexpr unsigned kShuffleCost = 4;
/// Bytes of shared memory beyond which a conversion goes in pieces: a third of what the smallest of
/// our targets has, so that several programs find room.
constexpr uint64_t kMostSharedBytes = 32 * 1024;

bool isIdentity(ArrayRef<int32_t> permutation) {
  for (auto [i, from] : enumerate(permutation))
    if (from != int32_t(i))
      return false;
  return true;
}

/// For each register of layout.dropFreeRegisters(), the register of `layout` it stands for.
SmallVector<int32_t> keptRegisters(const LinearLayout &layout) {
  uint64_t free = f2::dependentMask(layout.getBases(InDim::Register));
  SmallVector<int32_t> result;
  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg)
    if (!(reg & free))
      result.push_back(int32_t(reg));
  return result;
}

/// For each register of `layout`, the register of layout.dropFreeRegisters() with the same element.
SmallVector<int32_t> registersInKept(const LinearLayout &layout) {
  std::optional<SmallVector<int32_t>> map = registerMap(layout, layout.dropFreeRegisters());
  assert(map && "dropping repeated registers loses nothing");
  return std::move(*map);
}

/// The conditional permutations that together map register r to r ^ (masks * (lane, warp)), as few
/// as the rank of `masks`, whose columns belong to the lane bits, then the warp bits.
SmallVector<ConditionalXor, 4> toConditionals(ArrayRef<uint64_t> masks) {
  f2::Span span;
  SmallVector<ConditionalXor, 4> result;
  SmallVector<unsigned, 8> added; // index into `result` of each vector added to `span`
  for (uint64_t mask : masks) {
    added.push_back(result.size());
    if (span.add(mask))
      result.push_back({0, 0, uint32_t(mask)});
  }
  for (auto [i, mask] : enumerate(masks)) {
    std::optional<uint64_t> combination = span.solve(mask);
    for (uint64_t rest = combination.value_or(0); rest; rest &= rest - 1) {
      ConditionalXor &step = result[added[countr_zero(rest)]];
      (i < kLaneBits ? step.laneMask : step.warpMask) |= 1u << (i < kLaneBits ? i : i - kLaneBits);
    }
  }
  return result;
}

/// Where a piece of the destination lies in the source: a lane and a register. Linear.
struct Location {
  f2::Vectors lane, reg;
  void push(uint64_t laneBits, uint64_t regBits) {
    lane.push_back(laneBits);
    reg.push_back(regBits);
  }
};

/// Plans a conversion inside warps. The destination's register r of lane l in warp w comes from
///     lane     byLane.lane * l + byRegister.lane * r + byWarp.lane * w
///     register byLane.reg * l + byRegister.reg * r + byWarp.reg * w
/// of the source. A lane sends one register per shuffle, so the register must be a function of the
/// *source* lane: docs/design/layouts.md explains how that is brought about.
class ShufflePlanner {
public:
  ShufflePlanner(const LinearLayout &src, const LinearLayout &dst) : src(src), dst(dst) {}
  /// Nothing when data crosses warps, or lanes can't be matched up.
  std::optional<ShufflePlan> run(unsigned elemBits);

private:
  bool locate();
  bool matchLanes();
  void emit(unsigned elemBits);

  const LinearLayout &src, &dst; // without free registers
  Location byLane, byRegister, byWarp;
  ShufflePlan plan;
};

bool ShufflePlanner::locate() {
  ArrayRef<uint64_t> registers = src.getBases(InDim::Register), lanes = src.getBases(InDim::Lane);
  f2::Span inThread(registers), inWarp(registers);
  inWarp.addAll(lanes);
  const unsigned registerBits = registers.size();
  const uint64_t registerMask = (uint64_t(1) << registerBits) - 1;
  auto find = [&](uint64_t element, Location &location) {
    std::optional<uint64_t> at = inWarp.solve(element);
    if (at)
      location.push(*at >> registerBits, *at & registerMask);
    return at.has_value();
  };
  for (unsigned i = 0; i < kLaneBits; ++i) {
    uint64_t element = dst.getBases(InDim::Lane)[i];
    // The own lane is best, even if another has the data as well.
    if (std::optional<uint64_t> reg = inThread.solve(element ^ lanes[i]))
      byLane.push(uint64_t(1) << i, *reg);
    else if (!find(element, byLane))
      return false;
  }
  for (uint64_t element : dst.getBases(InDim::Register))
    if (!find(element, byRegister))
      return false;
  for (auto [to, from] : zip_equal(dst.getBases(InDim::Warp), src.getBases(InDim::Warp)))
    if (!find(to ^ from, byWarp))
      return false;
  return true;
}

/// Lanes that read from one lane must read one register. Where they don't, let them read from
/// different lanes: from a copy of the data elsewhere, or by doing their registers in another
/// order.
bool ShufflePlanner::matchLanes() {
  f2::Vectors sameLane = f2::kernel(byLane.lane), harmless;
  for (uint64_t relation : f2::kernel(f2::compose(byLane.reg, sameLane)))
    harmless.push_back(f2::multiply(sameLane, relation));
  f2::Vectors conflicting = f2::extend(harmless, sameLane);
  if (conflicting.empty())
    return true;

  // Functionals that pick the conflicting directions out of a lane's number.
  f2::Vectors basis = conflicting;
  basis.append(harmless);
  basis.append(f2::complement(basis, kLaneBits));
  f2::Vectors functionals = f2::transpose(*f2::inverse(basis), kLaneBits);

  f2::Vectors srcColumns(src.getBases(InDim::Register));
  const unsigned registerBits = srcColumns.size();
  srcColumns.append(src.getBases(InDim::Lane).begin(), src.getBases(InDim::Lane).end());
  f2::Vectors copies = f2::kernel(srcColumns);

  f2::Span reached(byLane.lane);
  for (unsigned i = 0; i < conflicting.size(); ++i) {
    uint64_t lane = 0, reg = 0;
    for (uint64_t copy : copies)
      if (!reached.contains(copy >> registerBits)) {
        lane = copy >> registerBits;
        reg = copy & ((uint64_t(1) << registerBits) - 1);
        break;
      }
    for (unsigned bit = 0; !lane && bit < byRegister.lane.size(); ++bit)
      if (!reached.contains(byRegister.lane[bit])) {
        lane = byRegister.lane[bit];
        reg = byRegister.reg[bit];
        plan.after.push_back({uint32_t(functionals[i]), 0, 1u << bit});
      }
    if (!lane)
      return false;
    reached.add(lane);
    for (unsigned bit = 0; bit < kLaneBits; ++bit)
      if (functionals[i] >> bit & 1) {
        byLane.lane[bit] ^= lane;
        byLane.reg[bit] ^= reg;
      }
  }
  return true;
}

void ShufflePlanner::emit(unsigned elemBits) {
  // What a lane sends, by its own number: sent * lane == byLane.reg * reader where the reader reads
  // from this lane.
  f2::Span readers;
  f2::Vectors basis, values;
  for (auto [lane, reg] : zip_equal(byLane.lane, byLane.reg))
    if (readers.add(lane)) {
      basis.push_back(lane);
      values.push_back(reg);
    }
  basis.append(f2::complement(basis, kLaneBits));
  values.resize(kLaneBits, 0);
  f2::Vectors sent = f2::compose(values, *f2::inverse(basis));

  f2::Vectors conditions = sent;
  for (auto [lane, reg] : zip_equal(byWarp.lane, byWarp.reg))
    conditions.push_back(f2::multiply(sent, lane) ^ reg);
  plan.before = toConditionals(conditions);

  plan.sourceLaneIsSelf = true;
  for (unsigned i = 0; i < kLaneBits; ++i) {
    plan.laneBases[i] = uint32_t(byLane.lane[i]);
    plan.sourceLaneIsSelf &= plan.laneBases[i] == 1u << i;
  }
  for (uint64_t lane : byWarp.lane) {
    plan.warpBases.push_back(uint32_t(lane));
    plan.sourceLaneIsSelf &= lane == 0;
  }

  // Registers that take the same way travel together as far as they fit in a word.
  const unsigned perWord = std::max(1u, 32 / elemBits);
  std::array<int, 32> open;
  open.fill(-1);
  for (unsigned reg = 0, e = dst.numRegisters(); reg < e; ++reg) {
    uint32_t laneXor = uint32_t(f2::multiply(byRegister.lane, reg));
    int &step = open[laneXor];
    if (step < 0 || plan.steps[step].to.size() == perWord) {
      step = plan.steps.size();
      plan.steps.emplace_back();
      plan.steps.back().laneXor = laneXor;
    }
    plan.steps[step].to.push_back(int32_t(reg));
    plan.steps[step].from.push_back(
        int32_t(f2::multiply(sent, laneXor) ^ f2::multiply(byRegister.reg, reg)));
  }
}

std::optional<ShufflePlan> ShufflePlanner::run(unsigned elemBits) {
  if (!locate() || !matchLanes())
    return std::nullopt;
  emit(elemBits);
  return std::move(plan);
}

/// Issue slots of a shuffle plan: shuffles, selects, packing.
unsigned shuffleCost(const ShufflePlan &plan, unsigned srcRegisters, unsigned dstRegisters,
                     unsigned elemBits) {
  unsigned selects = plan.before.size() * srcRegisters + plan.after.size() * dstRegisters;
  unsigned packing = elemBits < 32 ? 2 * dstRegisters : 0;
  return kShuffleCost * plan.numShuffles(elemBits) + selects * std::max(1u, elemBits / 32) +
         packing;
}

/// Whether some warp reads what another wrote.
bool crossesWarps(const LinearLayout &src, const LinearLayout &dst) {
  if (src.freeMask(InDim::Warp))
    return true; // only one of the warps that have the data writes it
  f2::Span inWarp(src.getBases(InDim::Register));
  inWarp.addAll(src.getBases(InDim::Lane));
  for (auto [to, from] : zip_equal(dst.getBases(InDim::Warp), src.getBases(InDim::Warp)))
    if (!inWarp.contains(to ^ from))
      return true;
  return !inWarp.containsAll(dst.getBases(InDim::Register)) ||
         !inWarp.containsAll(dst.getBases(InDim::Lane));
}

/// The swizzle and the way of reading that cost least. Neither layout has free registers.
SharedPlan planShared(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits,
                      unsigned &cost) {
  SharedPlan plan;
  Swizzle swizzle = computeSwizzle(src, dst, elemBits);
  cost = swizzle.cost();
  std::optional<MatrixRead> best;
  for (bool transposed : {false, true}) {
    std::optional<MatrixRead> read = planMatrixRead(src, dst, elemBits, transposed);
    if (read && read->swizzle.cost() < cost) {
      cost = read->swizzle.cost();
      best = std::move(read);
    }
  }
  if (best) {
    swizzle = std::move(best->swizzle);
    plan.matrices = best->matrices;
    plan.transposed = best->transposed;
    plan.dst = std::move(best->access);
  } else {
    plan.dst = computeAccess(dst, swizzle.map, swizzle.dstVecElems, /*ownersOnly=*/false);
  }
  plan.src = computeAccess(src, swizzle.map, swizzle.srcVecElems, /*ownersOnly=*/true);
  plan.bytes = uint64_t(src.numElements()) * (elemBits / 8);
  return plan;
}

void rename(SmallVectorImpl<int32_t> &registers, ArrayRef<int32_t> names) {
  for (int32_t &reg : registers)
    reg = names[reg];
}

/// A mask of register bits of layout.dropFreeRegisters() as one of the register bits of `layout`.
uint32_t spread(uint32_t mask, const LinearLayout &layout) {
  uint64_t free = f2::dependentMask(layout.getBases(InDim::Register));
  uint32_t result = 0;
  for (unsigned bit = 0; bit < layout.getBases(InDim::Register).size(); ++bit)
    if (!(free >> bit & 1)) {
      result |= (mask & 1) << bit;
      mask >>= 1;
    }
  return result;
}

} // namespace

uint32_t ShufflePlan::sourceLane(unsigned lane, unsigned warp) const {
  uint32_t result = 0;
  for (auto [i, basis] : enumerate(laneBases))
    result ^= lane >> i & 1 ? basis : 0;
  for (auto [i, basis] : enumerate(warpBases))
    result ^= warp >> i & 1 ? basis : 0;
  return result;
}

unsigned ShufflePlan::numShuffles(unsigned elemBits) const {
  unsigned moving = llvm::count_if(steps, [&](const ShuffleStep &step) { return !isFree(step); });
  return moving * std::max(1u, elemBits / 32);
}

ConversionPlan planConversion(const LinearLayout &src, const LinearLayout &dst, unsigned elemBits,
                              ShufflePolicy policy) {
  assert(src.getShape() == dst.getShape() && "a conversion keeps the shape");
  assert(src.numWarps() == dst.numWarps() && "a conversion keeps the number of warps");
  elemBits = std::max(elemBits, 8u);

  ConversionPlan plan;
  if (std::optional<SmallVector<int32_t>> map = registerMap(dst, src)) {
    plan.kind = map->size() == src.numRegisters() && isIdentity(*map)
                    ? ConversionPlan::Kind::NoOp
                    : ConversionPlan::Kind::RegisterPermute;
    plan.permutation = std::move(*map);
    return plan;
  }

  LinearLayout srcKept = src.dropFreeRegisters(), dstKept = dst.dropFreeRegisters();
  std::optional<ShufflePlan> shuffle;
  unsigned shuffles = 0;
  if (policy != ShufflePolicy::Never) {
    shuffle = ShufflePlanner(srcKept, dstKept).run(elemBits);
    if (shuffle)
      shuffles = shuffle->numShuffles(elemBits);
    if (policy == ShufflePolicy::Auto && shuffles > 2 * dstKept.numRegisters())
      shuffle.reset();
  }

  auto takeShuffle = [&] {
    plan.kind = ConversionPlan::Kind::WarpShuffle;
    plan.srcRegisters = keptRegisters(src);
    plan.dstRegisters = registersInKept(dst);
    plan.shuffle = std::move(*shuffle);
    return std::move(plan);
  };
  if (shuffle && (policy == ShufflePolicy::Always || shuffles == 0))
    return takeShuffle();

  unsigned cost = 0;
  SharedPlan shared = planShared(srcKept, dstKept, elemBits, cost);
  if (shuffle && shuffleCost(*shuffle, srcKept.numRegisters(), dstKept.numRegisters(), elemBits) <=
                     cost + kSharedLatency)
    return takeShuffle();

  plan.kind = ConversionPlan::Kind::SharedMemory;
  SmallVector<int32_t> srcNames = keptRegisters(src), dstNames = keptRegisters(dst);
  for (int32_t reg : registersInKept(dst))
    plan.dstRegisters.push_back(dstNames[reg]);
  if (shared.bytes > kMostSharedBytes) {
    ConversionPieces pieces =
        splitConversion(srcKept, dstKept, Log2_64(PowerOf2Ceil(shared.bytes) / kMostSharedBytes));
    shared = planShared(pieces.src, pieces.dst, elemBits, cost);
    rename(shared.src.registers, pieces.srcRegisters);
    rename(shared.dst.registers, pieces.dstRegisters);
    shared.pieces.clear();
    for (auto [from, to] : pieces.registerXors)
      shared.pieces.push_back({spread(from, src), spread(to, dst)});
  }
  rename(shared.src.registers, srcNames);
  rename(shared.dst.registers, dstNames);
  shared.crossesWarps = crossesWarps(src, dst);
  plan.shared = std::move(shared);
  return plan;
}

} // namespace tilec
