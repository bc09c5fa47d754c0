// How control leaves statements before their end: `break`, `continue`, `return`.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_FLOW_H
#define TILEC_LIB_FRONTEND_MLIRGEN_FLOW_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// Names that no program can write. They are bound in a scope like its own: a flag to a constexpr
/// bool or, if it depends on the branch that was taken, to an `i1`; the result to what was
/// returned. An unbound flag is false.
inline constexpr llvm::StringLiteral kBreakFlag = "<break>";
inline constexpr llvm::StringLiteral kContinueFlag = "<continue>";
inline constexpr llvm::StringLiteral kReturnFlag = "<return>";
inline constexpr llvm::StringLiteral kResult = "<result>";

/// Whether control has left the statements that were emitted.
enum class Leaving : uint8_t { Never, Maybe, Always };
Leaving getLeaving(const Scope &scope);
Value getFlag(const Scope &scope, llvm::StringRef flag);

/// One of the two regions of an `if`, and the names at its end.
struct Generator::Branch {
  std::unique_ptr<mlir::Region> region;
  Scope scope;
  Leaving leaving() const { return getLeaving(scope); }
};

/// How a loop's body ends it.
struct Generator::LoopExits {
  /// An `i1` at the end of the body; null if the body never ends the loop.
  mlir::Value stop;
  /// Whether the function returns, and what; null if the body has no `return`.
  mlir::Value returned;
  Value result;
  SourceRange resultRange;
  /// Whether nothing but `return` ends the loop, so that what follows it is dead.
  bool onlyReturns = false;
};

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_FLOW_H
