// The table of NVIDIA targets and the occupancy of a multiprocessor.
#include "lib/Target/NVPTX/NVPTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilec {

namespace {

constexpr unsigned KiB = 1024;

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; the PTX versions
// are those of the PTX manual's release notes.
constexpr TargetInfo targetTable[] = {
    {"sm_80", 80, 70, 2048, 32, 64 * KiB, 164 * KiB, 163 * KiB, 108, "A100", "Ampere, data centre"},
    {"sm_86", 86, 71, 1536, 16, 64 * KiB, 100 * KiB, 99 * KiB, 82, "GeForce RTX 3090",
     "Ampere, workstation and GeForce 30"},
    {"sm_89", 89, 78, 1536, 24, 64 * KiB, 100 * KiB, 99 * KiB, 128, "GeForce RTX 4090",
     "Ada, L40 and GeForce 40"},
    {"sm_90", 90, 78, 2048, 32, 64 * KiB, 228 * KiB, 227 * KiB, 132, "H100 SXM",
     "Hopper, the part that later GPUs run too"},
    {"sm_90a", 90, 80, 2048, 32, 64 * KiB, 228 * KiB, 227 * KiB, 132, "H100 SXM",
     "Hopper with wgmma, for H100 and H200 only"},
    {"sm_100", 100, 86, 2048, 32, 64 * KiB, 228 * KiB, 227 * KiB, 148, "B200",
     "Blackwell, data centre"},
    {"sm_100a", 100, 86, 2048, 32, 64 * KiB, 228 * KiB, 227 * KiB, 148, "B200",
     "Blackwell with tcgen05, for B200 only"},
    {"sm_120", 120, 87, 1536, 24, 64 * KiB, 100 * KiB, 99 * KiB, 170, "GeForce RTX 5090",
     "Blackwell, workstation and GeForce 50"},
};

/// Registers are handed out to a warp in units of this many, shared memory to a block in units of
/// `kSharedUnit`, of which the system keeps `kSharedReserved` for itself.
constexpr unsigned kRegisterUnit = 256;
constexpr unsigned kSharedUnit = 128;
constexpr unsigned kSharedReserved = 1 * KiB;
/// A multiprocessor's registers lie in this many equal files, one for each scheduler.
constexpr unsigned kRegisterFiles = 4;
constexpr unsigned kMaxThreadsPerBlock = 1024;
constexpr unsigned kMaxRegistersPerThread = 255;

} // namespace

ArrayRef<TargetInfo> allTargets() { return targetTable; }

const TargetInfo *lookupTarget(StringRef name) {
  const TargetInfo *found =
      llvm::find_if(targetTable, [&](const TargetInfo &target) { return target.name == name; });
  return found == std::end(targetTable) ? nullptr : found;
}

const TargetInfo *targetForDevice(unsigned computeCapability) {
  const TargetInfo *best = nullptr;
  for (const TargetInfo &target : targetTable) {
    if (target.computeCapability > computeCapability)
      continue;
    if (target.isArchSpecific() && target.computeCapability != computeCapability)
      continue;
    best = &target;
  }
  return best;
}

std::string unknownTargetMessage(StringRef name) {
  const TargetInfo *nearest = nullptr;
  unsigned nearestDistance = 3;
  for (const TargetInfo &target : targetTable) {
    unsigned distance = name.edit_distance_insensitive(target.name);
    if (distance < nearestDistance) {
      nearest = &target;
      nearestDistance = distance;
    }
  }
  std::string message = ("unknown target '" + name + "'").str();
  if (nearest)
    message += ("; did you mean '" + nearest->name + "'? ").str();
  else
    message += "; ";
  auto names = llvm::map_range(targetTable, [](const TargetInfo &target) { return target.name; });
  return message + "known targets: " + llvm::join(names, ", ");
}

unsigned ptxVersionOfDriver(unsigned cudaVersion) {
  // CUDA and PTX counted alike up to 12.6; 12.7 had none of its own.
  unsigned major = cudaVersion / 1000, minor = cudaVersion % 1000 / 10;
  switch (major) {
  case 11:
    return 70 + std::min(minor, 8u);
  case 12:
    return minor <= 5 ? 80 + minor : minor <= 7 ? 85 : minor == 8 ? 87 : 88;
  default:
    return major < 11 ? 0 : 90;
  }
}

StringRef getOccupancyLimitName(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::Shared:
    return "shared memory";
  }
  return "";
}

Occupancy computeOccupancy(const TargetInfo &target, unsigned threadsPerBlock,
                           unsigned registersPerThread, unsigned sharedBytes) {
  unsigned warpsPerBlock = std::max(1u, unsigned(divideCeil(threadsPerBlock, 32)));
  Occupancy result{target.maxBlocksPerSM, 0, OccupancyLimit::Blocks, 0};
  auto bound = [&](unsigned blocks, OccupancyLimit limit) {
    if (blocks < result.blocksPerSM) {
      result.blocksPerSM = blocks;
      result.limit = limit;
    }
  };

  bound(threadsPerBlock > kMaxThreadsPerBlock ? 0 : target.maxWarpsPerSM() / warpsPerBlock,
        OccupancyLimit::Threads);

  if (registersPerThread > kMaxRegistersPerThread) {
    bound(0, OccupancyLimit::Registers);
  } else if (registersPerThread) {
    unsigned registersPerWarp = alignTo(registersPerThread * 32, kRegisterUnit);
    unsigned warpsPerFile = target.registersPerSM / kRegisterFiles / registersPerWarp;
    bound(warpsPerFile * kRegisterFiles / warpsPerBlock, OccupancyLimit::Registers);
  }

  if (sharedBytes > target.maxSharedPerBlock)
    bound(0, OccupancyLimit::Shared);
  else
    bound(target.sharedPerSM / alignTo(sharedBytes + kSharedReserved, kSharedUnit),
          OccupancyLimit::Shared);

  result.warpsPerSM = result.blocksPerSM * warpsPerBlock;
  result.fraction = double(result.warpsPerSM) / target.maxWarpsPerSM();
  return result;
}

} // namespace tilec
