// NVIDIA targets: the table of them, what fits on one multiprocessor, and LLVM IR to PTX.
#ifndef TILEC_LIB_TARGET_NVPTX_NVPTX_H
#define TILEC_LIB_TARGET_NVPTX_NVPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilec {

//===--- Targets -----------------------------------------------------------===//

/// What the compiler knows about one `--target`. Limits are those of CUDA's table of compute
/// capabilities; sizes are in bytes.
struct TargetInfo {
  llvm::StringLiteral name;
  /// 10 * major + minor: 90 for sm_90 and sm_90a.
  unsigned computeCapability;
  /// The lowest PTX version that knows the target, as 10 * major + minor.
  unsigned minPtxVersion;
  unsigned maxThreadsPerSM;
  unsigned maxBlocksPerSM;
  unsigned registersPerSM;
  unsigned sharedPerSM;
  /// The most that one block may ask for when the kernel opts in.
  unsigned maxSharedPerBlock;
  /// The multiprocessors of `referenceGpu`.
  unsigned numSMs;
  llvm::StringLiteral referenceGpu;
  llvm::StringLiteral description;

  unsigned maxWarpsPerSM() const { return maxThreadsPerSM / 32; }
  /// Whether the target is one of the "a" kind, whose code runs on that very architecture only.
  bool isArchSpecific() const { return name.back() == 'a'; }
};

/// All targets, oldest first, for `--list-targets`. The table is constant and lives forever.
llvm::ArrayRef<TargetInfo> allTargets();

/// The target of that name, or null.
const TargetInfo *lookupTarget(llvm::StringRef name);

/// The best target that code for a device of that compute capability (10 * major + minor) can be
/// compiled for, the "a" kind first, or null when the device is older than all targets.
const TargetInfo *targetForDevice(unsigned computeCapability);

/// What to say about a name that `lookupTarget` doesn't know: the message with the nearest name,
/// and the names there are.
std::string unknownTargetMessage(llvm::StringRef name);

/// The highest PTX version that a driver takes, by what cuDriverGetVersion returns (12040 is 12.4);
/// 10 * major + minor. Zero when the driver is older than CUDA 11.0.
unsigned ptxVersionOfDriver(unsigned cudaVersion);

//===--- Occupancy ---------------------------------------------------------===//

enum class OccupancyLimit : uint8_t { Threads, Blocks, Registers, Shared };

/// How many blocks of a kernel one multiprocessor holds at a time, and what forbids one more.
struct Occupancy {
  /// Zero when not even one block fits.
  unsigned blocksPerSM;
  unsigned warpsPerSM;
  OccupancyLimit limit;
  /// warpsPerSM over the target's most.
  double fraction;
};

/// "threads", "blocks", "registers" or "shared memory".
llvm::StringRef getOccupancyLimitName(OccupancyLimit limit);

/// `threadsPerBlock` is rounded up to whole warps; `sharedBytes` is what the kernel asks for,
/// without the 1 KiB that the system keeps per block.
Occupancy computeOccupancy(const TargetInfo &target, unsigned threadsPerBlock,
                           unsigned registersPerThread, unsigned sharedBytes);

//===--- LLVM IR to PTX ----------------------------------------------------===//

struct PtxOptions {
  /// Never null when used.
  const TargetInfo *target = nullptr;
  /// 0 to 3. The pipeline of 2 is the default: see docs/design/ptx.md for what each costs and
  /// gains.
  unsigned optLevel = 2;
  /// 10 * major + minor; zero for the target's lowest. Code that needs more must ask for it.
  unsigned ptxVersion = 0;
  /// Verifies the module first. Off in release where the producer is trusted.
  bool verify = true;
};

/// Milliseconds of wall time.
struct PtxTimings {
  double setup = 0;
  double optimize = 0;
  double codegen = 0;
};

/// Sets the module's triple and data layout for NVPTX.
void configureForNvptx(llvm::Module &module);

/// A target machine for the options, fit for code generation and for PassBuilder. Thread-safe.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createNvptxTargetMachine(const PtxOptions &options);

/// Optimizes the module in place for the target, with the target attached to the pass builder:
/// without it the middle end takes convergent code apart.
llvm::Error optimizeForNvptx(llvm::Module &module, const PtxOptions &options);

/// Optimizes `module`, which is left in an unspecified state, and returns PTX text.
///
/// Kernels are the functions with the `ptx_kernel` calling convention. Thread-safe for modules of
/// different contexts. What LLVM reports as an error, "cannot select" and other fatal errors
/// included, comes back as an error where LLVM lets it be caught: one that abandons code generation
/// half-way leaks what that had allocated.
llvm::Expected<std::string> emitPtx(llvm::Module &module, const PtxOptions &options,
                                    PtxTimings *timings = nullptr);

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_NVPTX_H
