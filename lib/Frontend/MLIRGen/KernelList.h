// What a file says about its kernels, for people and tools: parameters, roles, configurations.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_KERNELLIST_H
#define TILEC_LIB_FRONTEND_MLIRGEN_KERNELLIST_H

#include "lib/Frontend/MLIRGen/Frontend.h"

#include <optional>

namespace tilec {

/// What a parameter is used as.
enum class ParamRole : uint8_t { Constexpr, Pointer, Scalar, Unused };
llvm::StringRef getRoleName(ParamRole role);
/// A type that a parameter may be meant to have, for messages. `annotation` is the source's.
llvm::StringRef guessType(ParamRole role, llvm::StringRef annotation);

/// A value that is known without compiling, as Python writes it.
struct LiteralInfo {
  enum class Kind : uint8_t { None, Bool, Number, String, Other } kind = Kind::Other;
  /// Of a string its characters, else as it is printed.
  std::string text;
};

struct ParamDescription {
  std::string name;
  ParamRole role = ParamRole::Unused;
  /// As the source writes them; empty if there is none.
  std::string annotation, defaultText;
  /// As a signature writes it; empty if the declaration gives none.
  std::string type;
  bool doNotSpecialize = false;
};

/// One `triton.Config` of an autotuner.
struct ConfigDescription {
  std::vector<std::pair<std::string, LiteralInfo>> values;
  /// `num_warps`, `num_stages` and what else is given.
  std::vector<std::pair<std::string, LiteralInfo>> options;
};

struct KernelDescription {
  /// With its class before it: "Softmax.forward".
  std::string name;
  SourceRange range;
  std::vector<ParamDescription> params;
  std::vector<ConfigDescription> configs;
  /// The list of configurations as the source writes it, if it could not be evaluated.
  std::string configsText;
  std::vector<std::string> key;
  /// Names of constexpr parameters and the text of what computes them from the arguments.
  std::vector<std::pair<std::string, std::string>> heuristics;
  bool returnsValue = false;
  /// The jit functions of the file that call it.
  std::vector<std::string> callers;
  /// Whether it is one that a program launches: it returns nothing, and none of the file calls it.
  bool isKernel() const { return !returnsValue && callers.empty(); }
};

/// The jit functions of a file in its order, also those in classes and under conditions. Errors in
/// `options.defines` go to `diags`.
std::vector<KernelDescription> describeKernels(mlir::MLIRContext &context,
                                               const ast::Module &module, SourceManager &sources,
                                               DiagnosticEngine &diags,
                                               const FrontendOptions &options);

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_MLIRGEN_KERNELLIST_H
