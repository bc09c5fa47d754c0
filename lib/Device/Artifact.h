// What a compilation leaves: the program in the forms that the devices take, and the facts that a
// launch needs. Plain data, one checksummed blob on disk.
#ifndef TILEC_LIB_DEVICE_ARTIFACT_H
#define TILEC_LIB_DEVICE_ARTIFACT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilec {

/// The target that is compiled for if no other is named.
inline constexpr llvm::StringLiteral kDefaultTarget = "sm_90a";

/// The machine type of a run-time parameter.
enum class ScalarKind : uint8_t { Pointer, I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Bytes that a value of the kind takes among the parameters of a launch.
unsigned getSizeInBytes(ScalarKind kind);
bool isFloat(ScalarKind kind);
bool isInteger(ScalarKind kind);

/// One run-time parameter of a kernel, in the order of the launch. Constexpr parameters have none.
struct ParamMetadata {
  std::string name;
  /// As signatures spell it: "*fp32", "i32", "bf16".
  std::string type;
  ScalarKind kind = ScalarKind::I32;
  /// The value, or the address in bytes, must be a multiple of this; the compiler relied on it.
  uint64_t divisibility = 1;
};

struct KernelMetadata {
  std::string name;
  std::vector<ParamMetadata> params;
  /// 32 threads each; one program of the grid is one block.
  unsigned numWarps = 4;
  /// Shared memory of one block in bytes, all of it passed at launch.
  uint64_t sharedBytes = 0;

  unsigned getNumThreads() const { return numWarps * 32; }
};

/// One compiled module. Fields that a device does not need may be empty: `ref` runs `tileModule`,
/// `sim` runs `loweredModule`, `cuda` loads `ptx`.
struct Artifact {
  /// The name of the source, for messages.
  std::string sourceName;
  /// "sm_90a".
  std::string target;
  std::vector<KernelMetadata> kernels;
  std::string ptx;
  /// MLIR bytecode of the tile dialect.
  std::string tileModule;
  /// MLIR bytecode of the lowered stage.
  std::string loweredModule;

  /// Null if there is none. An empty name means the only kernel.
  const KernelMetadata *findKernel(llvm::StringRef name) const;

  /// The artifact as bytes: a header with magic, format version and checksum, then the fields.
  std::string serialize() const;
  /// Reads what `serialize` wrote; fails with Code::BadArtifact on anything else, however damaged.
  static llvm::Expected<Artifact> deserialize(llvm::StringRef bytes);
};

/// The error that names the kernels there are: "no kernel 'x' in 'a.tile'; it has 'y' and 'z'".
llvm::Error makeNoKernelError(const Artifact &artifact, llvm::StringRef name);

} // namespace tilec

#endif // TILEC_LIB_DEVICE_ARTIFACT_H
