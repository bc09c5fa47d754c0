// Addresses in shared memory and their bank conflicts.
#include "lib/Layout/SharedMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tilec {

static uint32_t xorOfBits(ArrayRef<uint32_t> bases, unsigned index) {
  uint32_t result = 0;
  for (auto [i, basis] : enumerate(bases))
    if (index >> i & 1)
      result ^= basis;
  return result;
}

uint32_t SharedAccess::threadOffset(unsigned lane, unsigned warp) const {
  return xorOfBits(laneBases, lane) ^ xorOfBits(warpBases, warp);
}

uint32_t SharedMap::offset(uint64_t flat) const {
  uint32_t result = 0;
  for (auto [i, column] : enumerate(columns))
    if (flat >> i & 1)
      result ^= column;
  return result;
}

namespace {

struct Traffic {
  unsigned wavefronts = 0, conflicts = 0;
};

Traffic simulate(const SharedAccess &access, unsigned elemBits, unsigned warp) {
  constexpr unsigned kBanks = 32, kWordBytes = 4;
  const unsigned elemBytes = elemBits / 8, bytes = elemBytes * access.vecElems;
  assert(elemBytes && isPowerOf2_32(bytes) && bytes <= 16 && "no such access");
  const unsigned groupLanes = 32 / std::max(1u, bytes / kWordBytes);

  Traffic traffic;
  if (warp & access.warpMask)
    return traffic;
  for (uint32_t offset : access.offsets)
    for (unsigned first = 0; first < 32; first += groupLanes) {
      SmallVector<uint32_t, 32> words;
      for (unsigned lane = first; lane < first + groupLanes; ++lane) {
        if (lane & access.laneMask)
          continue;
        uint32_t begin = (access.threadOffset(lane, warp) ^ offset) * elemBytes;
        for (uint32_t byte = begin; byte < begin + bytes; byte += kWordBytes)
          words.push_back(byte / kWordBytes);
      }
      if (words.empty())
        continue;
      llvm::sort(words);
      words.erase(llvm::unique(words), words.end());
      unsigned perBank[kBanks] = {};
      for (uint32_t word : words)
        ++perBank[word % kBanks];
      unsigned most = *std::max_element(std::begin(perBank), std::end(perBank));
      traffic.wavefronts += most;
      traffic.conflicts += most - 1;
    }
  return traffic;
}

} // namespace

unsigned countBankConflicts(const SharedAccess &access, unsigned elemBits, unsigned warp) {
  return simulate(access, elemBits, warp).conflicts;
}

unsigned countWavefronts(const SharedAccess &access, unsigned elemBits, unsigned warp) {
  return simulate(access, elemBits, warp).wavefronts;
}

SharedAccess computeAccess(const LinearLayout &layout, const SharedMap &map, unsigned maxVecElems,
                           bool ownersOnly) {
  const InputBits free = layout.freeBits();
  SharedAccess access;
  uint32_t threadBits = 0; // offset bits that depend on the thread
  for (auto [i, basis] : enumerate(layout.getBases(InDim::Lane)))
    threadBits |= access.laneBases[i] = map.offset(basis);
  for (uint64_t basis : layout.getBases(InDim::Warp)) {
    access.warpBases.push_back(map.offset(basis));
    threadBits |= access.warpBases.back();
  }
  if (ownersOnly) {
    access.laneMask = free.lanes;
    access.warpMask = free.warps;
  }

  f2::Vectors registerOffsets;
  for (auto [i, basis] : enumerate(layout.getBases(InDim::Register)))
    registerOffsets.push_back(free.registers >> i & 1 ? 0 : map.offset(basis));
  f2::Span span(registerOffsets);

  // inVector[k] is the register, relative to the first of a vector, that holds its element k.
  SmallVector<int32_t, 16> inVector = {0};
  while (inVector.size() * 2 <= maxVecElems && !(threadBits & inVector.size())) {
    std::optional<uint64_t> next = span.solve(inVector.size());
    if (!next)
      break;
    for (unsigned i = 0, e = inVector.size(); i < e; ++i)
      inVector.push_back(inVector[i] ^ int32_t(*next));
  }
  access.vecElems = inVector.size();

  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg) {
    if (reg & free.registers)
      continue;
    uint32_t offset = uint32_t(f2::multiply(registerOffsets, reg));
    if (offset & (access.vecElems - 1))
      continue; // not the first of its vector
    access.offsets.push_back(offset);
    for (int32_t relative : inVector)
      access.registers.push_back(int32_t(reg) ^ relative);
  }
  return access;
}

} // namespace tilec
