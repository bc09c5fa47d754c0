// From the syntax tree of a file to a module of kernels in the tile dialect.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_FRONTEND_H
#define TILEC_LIB_FRONTEND_MLIRGEN_FRONTEND_H

#include "lib/Frontend/AST.h"
#include "lib/Support/Diagnostics.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilec {

/// Argument attribute of a kernel: the parameter's type as the source spells it, such as "*fp32" or
/// "u32". The signedness of an integer stands only here.
inline constexpr llvm::StringLiteral kTypeAttr = "tile.type";

/// What to generate, and with which values.
struct FrontendOptions {
  /// Kernels by name. Empty: every jit function whose run-time parameters all have types.
  std::vector<std::string> kernels;
  /// Triton's notation, one entry per parameter: `*fp32:16, i32, 1, None, 128, constexpr`. A type
  /// (with `:16` for divisible by 16) makes a run-time parameter, a literal makes it a compile-time
  /// constant, `constexpr` takes the value from `defines` or the default. Needs a single kernel.
  std::string signature;
  /// `-D NAME=VALUE`, in order: constexpr parameters and module-level names. A value is an int, a
  /// float, True, False, None, a quoted string, a type (`tl.float16`, `fp16`), a tuple of these or
  /// the name of a jit function of the file.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Where modules that the file imports are looked for, after the file's own folder.
  std::vector<std::string> includeDirs;
  /// Whether `assert` and `tl.device_assert` on run-time values are wanted.
  bool assertsEnabled = false;
  /// Of the GPU that is compiled for, as 90 for 9.0: what the files' own code may ask for.
  unsigned computeCapability = 90;
  /// Warps that a program was asked to have; 0 leaves it to the compiler.
  unsigned numWarps = 0;
};

/// One parameter of a jit function, as its declaration says.
struct ParamInfo {
  std::string name;
  /// Annotated `tl.constexpr`.
  bool isConstexpr = false;
  /// "*fp32", "i32", ...; empty if the declaration gives no type.
  std::string type;
  /// The value, or the address in bytes, is a multiple of it; 1 if nothing is known.
  unsigned divisibility = 1;
  bool hasDefault = false;
  SourceRange range;
};

/// One jit function of a file.
struct KernelInfo {
  std::string name;
  std::vector<ParamInfo> params;
  SourceRange range;
  /// Whether every run-time parameter has a type, and there is one.
  bool isTyped() const;
};

/// The jit functions of a file, in its order, those under module-level conditions included.
std::vector<KernelInfo> listKernels(const ast::Module &module);

/// Which of them is meant if none is named: the only one, or the only one that looks like a kernel,
/// which returns no value and which no other calls.
std::optional<size_t> findOnlyKernel(const ast::Module &module);

/// Generates the kernels: one `func.func` with the attribute `tile.kernel` each, whose arguments
/// are the run-time parameters in order, with `tile.name`, `tile.type` and `tile.divisibility`.
/// Errors go to `diags`, and then the result is null. Modules that the file imports are added to
/// `sources`. The dialects that are used are loaded into `context`. Not thread-safe per context.
mlir::OwningOpRef<mlir::ModuleOp> generate(mlir::MLIRContext &context, const ast::Module &module,
                                           SourceManager &sources, DiagnosticEngine &diags,
                                           const FrontendOptions &options);

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_MLIRGEN_FRONTEND_H
