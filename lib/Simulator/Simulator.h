// The simulated GPU: runs lowered kernels on the CPU, one fiber per GPU thread, and checks them.
#ifndef TILEC_LIB_SIMULATOR_SIMULATOR_H
#define TILEC_LIB_SIMULATOR_SIMULATOR_H

#include "lib/Interpreter/AccessFault.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilec {

/// What the simulator checks and how it runs. All checks are on by default; one that is off costs
/// nothing at run time.
struct SimOptions {
  /// Global accesses lie in the buffer of their argument; shared accesses lie in the shared array.
  bool checkBounds = true;
  /// Addresses are multiples of the alignment that the access promises.
  bool checkAlignment = true;
  /// All threads of a block meet at the same barrier, and no thread exits while others wait. When
  /// off, exited threads count as arrived and the place of a barrier does not matter, as on the
  /// GPU.
  bool checkBarriers = true;
  /// Two threads touch a byte of shared memory, one of them writing, with nothing that orders them.
  bool checkRaces = true;
  /// Loads of bytes of shared memory that the block has not written.
  bool checkUninitialisedShared = true;
  /// Loads of bytes of buffers that nothing has written; needs SimBuffer::initialised.
  bool checkUninitialisedGlobal = true;
  /// A condition given to `tl.assume` holds.
  bool checkAssumptions = true;

  /// Host threads that run blocks; 0 means one per core.
  unsigned numThreads = 0;
  /// Bytes of stack per GPU thread; 0 means what the compiled kernels need. An explicit size that
  /// is too small ends the process at the guard page below the stack.
  uint64_t stackBytes = 0;
  /// Seconds after which a launch is given up; 0 means never.
  double timeoutSeconds = 0;
  /// Seconds after which a launch is given up whose programs all look at memory that none of them
  /// changes; 0 means never.
  double livelockSeconds = 5;
};

/// A piece of memory that kernels may touch.
struct SimBuffer {
  void *base = nullptr;
  /// Size in bytes.
  uint64_t size = 0;
  /// One byte per byte of the buffer, nonzero where it holds a value; null if that is not tracked.
  /// Owned by the caller; stores of a kernel update it.
  uint8_t *initialised = nullptr;
};

/// A parameter of a kernel.
struct SimParameter {
  /// The name in the source, or "argN".
  std::string name;
  /// The type in the language ("*fp32", "i32"); empty if it is not known.
  std::string type;
  bool isPointer = false;
  /// The argument is a structure that is passed by value (a tensor map).
  bool byValue = false;
};

struct SimKernelInfo {
  std::string name;
  /// Threads of a block: 32 per warp.
  unsigned numThreads = 0;
  /// Bytes of shared memory of a block.
  unsigned sharedBytes = 0;
  std::vector<SimParameter> parameters;
};

/// What a launch did.
struct SimLaunchStats {
  uint64_t blocks = 0;
  uint64_t threads = 0;
  /// Accesses that were carried out, a vector access counted once.
  uint64_t globalAccesses = 0;
  uint64_t sharedAccesses = 0;
  /// Block-wide barriers completed, summed over blocks.
  uint64_t barriers = 0;
  /// Shuffles, votes and other operations of a whole warp.
  uint64_t warpOperations = 0;
  /// Times a GPU thread was resumed.
  uint64_t switches = 0;
  double seconds = 0;
};

/// The compiled kernels of one module. Immutable; launches may run at the same time.
class SimProgram {
public:
  ~SimProgram();
  SimProgram(const SimProgram &) = delete;
  SimProgram &operator=(const SimProgram &) = delete;

  /// Compiles a module of the last stage before NVVM becomes LLVM IR. `lowered` is not changed and
  /// is not needed afterwards. The error names the operation that the simulator does not know, or
  /// what is wrong with a kernel's attributes.
  static llvm::Expected<std::unique_ptr<SimProgram>> create(mlir::ModuleOp lowered,
                                                            SimOptions options = {});

  llvm::ArrayRef<SimKernelInfo> getKernels() const;

  /// Runs all blocks of a kernel and returns when they have ended. `argPointers` are the addresses
  /// of the arguments, as cuLaunchKernel takes them. Pointers among the arguments must point into
  /// `buffers` if the kernel uses them; buffers may not overlap. A grid with a zero in it does
  /// nothing.
  ///
  /// A fault of the kernel is an AccessFaultError: of the block that comes first (x fastest), and
  /// in it the fault met first when threads run in order. Blocks after it may not have run.
  llvm::Error launch(llvm::StringRef kernel, std::array<unsigned, 3> grid,
                     llvm::ArrayRef<void *> argPointers, llvm::ArrayRef<SimBuffer> buffers,
                     SimLaunchStats *stats = nullptr);

private:
  SimProgram();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tilec

#endif // TILEC_LIB_SIMULATOR_SIMULATOR_H
