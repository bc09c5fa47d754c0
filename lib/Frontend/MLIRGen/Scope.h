// Names and what they are bound to: local ones of a function, global ones of a file.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H
#define TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H

#include "lib/Frontend/MLIRGen/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tilec::frontend {

/// What a local name is bound to.
struct Binding {
  enum class State : uint8_t {
    Bound,
    OneBranch, ///< Only one branch of an `if` sets it; `range` is there [R35].
    LoopOnly,  ///< Only the body of a loop sets it [R35].
  };
  Value value;
  /// Where it was bound.
  SourceRange range;
  State state = State::Bound;
};

/// The local names of a function. Keys are interned by the syntax tree.
using Scope = llvm::DenseMap<llvm::StringRef, Binding>;

/// One activation of a function.
struct Frame {
  const ast::FunctionDef *function = nullptr;
  FileScope *file = nullptr;
  Scope scope;
  bool isKernel = false;
  /// A `constexpr_function`: results stay compile-time values [R38].
  bool isConstexpr = false;
  unsigned loops = 0;
  Frame *caller = nullptr;
};


  bool isPrelude() const;
};

/// The name of a module as an import writes it, and its leading dots.
struct ModuleName {
  std::string path;
  unsigned level = 0;
  bool isGiven() const { return level != 0 || !path.empty(); }
/// A module-level name. Values of expressions are computed when they are first needed.
struct Global {
  enum class State : uint8_t { Unevaluated, Evaluating, Done };
  State state = State::Done;
  const ast::Expr *expr = nullptr;
  /// The position in the tuple that `expr` gives, for `a, b = expr`; -1 for the whole.
  int element = -1;
  /// `from module import member`, looked up when needed.
  FileScope *importedFrom = nullptr;
  std::string importedName;
  Value value;
  SourceRange range;
};

/// The names of one source file.
struct FileScope {
  const ast::Module *module = nullptr;
  std::string path;
  llvm::StringMap<Global> globals;
  /// Files whose names `from x import *` brings in.
  llvm::SmallVector<FileScope *, 2> starImports;
  llvm::SmallVector<std::string, 2> starModules;
};

/// How a function is marked.
enum class FunctionKind : uint8_t { Plain, Jit, Constexpr };
FunctionKind getFunctionKind(const ast::FunctionDef *function);

  /// The compiler's own text: errors in it are the caller's.
  bool isPrelude = false;
/// Adds the names that a statement assigns, in order, each once. Nested functions are left out.
void collectAssigned(const ast::Stmt *stmt, llvm::SmallVectorImpl<llvm::StringRef> &names);
void collectAssigned(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names);

/// Whether `return` stands in the statements, loops and nested functions left out.
bool containsReturn(ast::Block block);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H
inline bool Frame::isPrelude() const { return file && file->isPrelude; }

