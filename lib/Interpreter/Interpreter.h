// The reference interpreter: what a kernel in the tile dialect means, op by op, without layouts or
// threads. It is slow and plain on purpose; everything else is held to its results.
#ifndef TILEC_LIB_INTERPRETER_INTERPRETER_H
#define TILEC_LIB_INTERPRETER_INTERPRETER_H

#include "lib/Interpreter/AccessFault.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tilec {

/// One argument of a launch, in the order of the kernel's parameters.
struct RefArgument {
  enum class Kind : uint8_t { Buffer, Scalar };

  /// `bytes` bytes of host memory at `base`, owned by the caller. With `initialised`, a map of one
  /// byte per byte of the buffer that is nonzero where the buffer holds a value, loads of bytes
  /// that nothing has written are faults, and stores update the map.
  static RefArgument buffer(void *base, uint64_t bytes, uint8_t *initialised = nullptr) {
    RefArgument arg;
    arg.kind = Kind::Buffer;
    arg.base = static_cast<uint8_t *>(base);
    arg.bytes = bytes;
    arg.initialised = initialised;
    return arg;
  }
  /// The low bits of `bits` are the value, in the parameter's type: an fp32 is its bit pattern.
  static RefArgument scalar(uint64_t bits) {
    RefArgument arg;
    arg.bits = bits;
    return arg;
  }

  Kind kind = Kind::Scalar;
  uint8_t *base = nullptr;
  uint64_t bytes = 0;
  uint8_t *initialised = nullptr;
  uint64_t bits = 0;
};

/// One launch of a kernel.
struct RefLaunch {
  /// A function of the tile dialect; it and its module must not change while the launch runs.
  mlir::func::FuncOp kernel;
  /// Programs along x, y and z; nothing runs if one is 0.
  std::array<int64_t, 3> grid = {1, 1, 1};
  llvm::ArrayRef<RefArgument> args;
  /// Further buffers, which a program may reach through addresses that it loads from memory.
  llvm::ArrayRef<RefArgument> memory;
  /// Host threads; 0 means one per core.
  unsigned numThreads = 0;
  /// Operations that one program may run before that is a fault; 0 means no limit.
  uint64_t stepLimit = 0;
  /// Seconds after which the launch is given up, a fault at the loop that runs; 0 means never.
  double timeoutSeconds = 0;
};

/// Runs all programs of a launch and returns when they have ended. Programs run on several
/// threads, each program on one. Every memory access is checked: it must lie in the buffer of the
/// argument that its pointer was derived from. If programs fault, the error is an AccessFaultError
/// of the one that comes first in the grid (x fastest), and later programs may not have run.
/// Wrong arguments, and operations without interpretation, are a StringError before anything runs.
/// An integer division by zero is a fault once its result reaches memory, an address or a
/// condition: in elements that are masked off it does no harm. Thread-safe for launches on
/// different buffers.
///
/// Pointers inside a program are tagged with their argument: `tile.ptr_to_int` gives an address
/// with the alignment of the host address but another value.
llvm::Error runReference(const RefLaunch &launch);

/// Whether the interpreter knows an operation ("tile.load").
bool hasInterpretation(llvm::StringRef opName);

/// The names of all operations that it knows, sorted.
std::vector<llvm::StringRef> getInterpretedOps();

} // namespace tilec

#endif // TILEC_LIB_INTERPRETER_INTERPRETER_H
