// Parameter types: annotations, and Triton's signature notation.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_SIGNATURE_H
#define TILEC_LIB_FRONTEND_MLIRGEN_SIGNATURE_H

#include "lib/Frontend/MLIRGen/Value.h"

#include <optional>

namespace tilec::frontend {

/// A run-time type with what is known of the values.
struct ParamType {
  DType type;
  unsigned divisibility = 1;
  /// `:1` on an integer: the value is 1 [R42].
  bool isOne = false;
  /// Of a tensor descriptor the shape of its blocks, `type` being the type of their elements [R20].
  llvm::SmallVector<int64_t, 5> block = {};
  bool padsWithNaN = false;

  bool isDescriptor() const { return !block.empty(); }
  /// "*fp32", "tensordesc<fp16[128, 64]>"; the divisibility is left out.
  std::string str() const;
};

/// Reads "*fp32:16", "i32", "i32:1", "tensordesc<fp16[128, 64]>", "tensordesc<fp16[128, 64],
/// nan>:16".
std::optional<ParamType> parseParamType(llvm::StringRef text);

/// Whether an entry of a signature is meant as a type, right or not: "*fp33", "i99", "i32:x".
bool looksLikeType(llvm::StringRef entry);

/// Splits at the commas that stand outside brackets of all kinds and quotes.
llvm::SmallVector<llvm::StringRef, 16> splitSignature(llvm::StringRef text);

/// What an annotation says about a parameter.
struct Annotation {
  bool isConstexpr = false;
  std::optional<ParamType> type;
  /// A string annotation that is no type.
  bool isBadString = false;
};
Annotation readAnnotation(const ast::Expr *annotation);

/// What one parameter of a kernel becomes.
struct ParamSpec {
  const ast::Param *param = nullptr;
  /// Run-time if set.
  std::optional<ParamType> type;
  /// The compile-time value otherwise.
  Value value;
};

/// One kernel to generate.
struct KernelRequest {
  const ast::FunctionDef *function = nullptr;
  FileScope *scope = nullptr;
  std::shared_ptr<const void> closure;
  /// Its name in the PTX.
  std::string symbol;
  std::vector<ParamSpec> params;
};

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_SIGNATURE_H
