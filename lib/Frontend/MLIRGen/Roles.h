// Which parameters of jit functions are pointers, read from how they are used.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_ROLES_H
#define TILEC_LIB_FRONTEND_MLIRGEN_ROLES_H

#include "lib/Frontend/AST.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilec::frontend {

/// Finds the parameters that are used as pointers: what loads, stores and atomics take, through
/// sums, assignments and calls of other functions. A guess, where types are not known.
class RoleFinder {
public:
  explicit RoleFinder(llvm::ArrayRef<const ast::FunctionDef *> functions);

  bool isPointer(const ast::FunctionDef *function, llvm::StringRef param) const;
  bool isUsed(const ast::FunctionDef *function, llvm::StringRef param) const;
  /// The functions that call one of that name.
  llvm::SmallVector<const ast::FunctionDef *> getCallers(llvm::StringRef name) const;

private:
  struct Facts {
    llvm::StringSet<> pointers, factors, used, called;
    /// What each local name is set to.
    llvm::StringMap<llvm::SmallVector<const ast::Expr *, 2>> values;
  };
  void readUses(const ast::FunctionDef *function, Facts &facts);
  /// Marks what is used as a pointer in one function. Whether anything is new.
  bool propagate(const ast::FunctionDef *function);
  void markPointer(const ast::FunctionDef *function, Facts &facts, const ast::Expr *expr);
  void collectRoots(const ast::FunctionDef *function, const Facts &facts, const ast::Expr *expr,
                    llvm::SmallVectorImpl<llvm::StringRef> &roots, unsigned depth) const;

  llvm::SmallVector<const ast::FunctionDef *> functions;
  llvm::DenseMap<const ast::FunctionDef *, Facts> facts;
  bool isChanged = false;
};

/// Whether a `return` of the function has a value.
bool returnsValue(const ast::FunctionDef *function);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_ROLES_H
