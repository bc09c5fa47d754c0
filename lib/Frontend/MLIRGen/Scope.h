// Names and what they are bound to: local ones of a function, global ones of a file.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H
#define TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H

#include "lib/Frontend/MLIRGen/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilec::frontend {

/// What a local name is bound to.
struct Binding {
  enum class State : uint8_t {
    Bound,
    OneBranch, ///< Only one branch of an `if` sets it; `range` is there [R35].
    LoopOnly,  ///< Only the body of a loop sets it [R35].
    Retyped,   ///< A loop's body gives the loop's variable another type [R36].
  };
  Value value;
  /// Where it was bound.
  SourceRange range;
  State state = State::Bound;
};

/// The local names of a function. Keys are interned by the syntax tree.
using Scope = llvm::DenseMap<llvm::StringRef, Binding>;

/// What a function that stands in another one sees of it: while that one runs its names as they
/// are, after it those that it had when the inner function was defined.
struct Closure {
  /// Which activation of the outer function it is.
  unsigned activation = 0;
  /// Those that the inner function reads.
  Scope names;
  /// The defaults of its parameters, by their names.
  Scope defaults;
  /// Of the function that the outer one stands in: a Closure, or null.
  std::shared_ptr<const void> outer;
  /// How many closures there are one in another.
  unsigned depth = 1;
};

/// One activation of a function.
struct Frame {
  const ast::FunctionDef *function = nullptr;
  FileScope *file = nullptr;
  Scope scope;
  bool isKernel = false;
  /// A `constexpr_function`: results stay compile-time values [R38].
  bool isConstexpr = false;
  unsigned loops = 0;
  /// The names before the innermost loop, if it runs at run time.
  const Scope *beforeLoop = nullptr;
  Frame *caller = nullptr;
  /// Counts the functions that define others; 0 until this one does.
  unsigned activation = 0;
  /// Of the function that this one stands in: a Closure, or null.
  std::shared_ptr<const void> closure;
  /// What the functions around this one bind a name to; null if they do not.
  const Binding *findCaptured(llvm::StringRef name) const;

  bool isPrelude() const;
};

/// The name of a module as an import writes it, and its leading dots.
struct ModuleName {
  std::string path;
  unsigned level = 0;
  bool isGiven() const { return level != 0 || !path.empty(); }
};

/// A module-level name. Values of expressions are computed when they are first needed.
struct Global {
  enum class State : uint8_t { Unevaluated, Evaluating, Done };
  State state = State::Done;
  const ast::Expr *expr = nullptr;
  /// A statement that leaves the name with a value, instead of `expr`: a loop, or a call that
  /// changes a list.
  const ast::Stmt *stmt = nullptr;
  /// The position in the tuple that `expr` gives, for `a, b = expr`; -1 for the whole.
  int element = -1;
  /// What an import binds it to, looked up when needed: the module, or its member `importedName`.
  ModuleName importedFrom;
  std::string importedName;
  Value value;
  SourceRange range;
  /// What a handler of the `try` that it stands in gives the name; counts if this is not known.
  std::shared_ptr<Global> otherwise;
  /// What the name was before: what an expression sees that gives the name a new value.
  std::shared_ptr<Global> previous;
  unsigned redefinitions = 0;

  void setImport(ModuleName module, llvm::StringRef name = "") {
    state = State::Unevaluated;
    importedFrom = std::move(module);
    importedName = name.str();
  }
};

/// The names of one source file, or of a class in it.
struct FileScope {
  const ast::Module *module = nullptr;
  std::string path;
  /// The compiler's own text: errors in it are the caller's.
  bool isPrelude = false;
  llvm::StringMap<Global> globals;
  /// Of a class: the file, or the class, that it stands in.
  FileScope *outer = nullptr;
  const ast::ClassDef *cls = nullptr;
  /// Of a class: a function without a body that has its fields as parameters, once one is needed.
  const ast::FunctionDef *constructor = nullptr;
  /// Files whose names `from x import *` brings in.
  llvm::SmallVector<ModuleName, 2> starImports;
  llvm::SmallVector<std::string, 2> starModules;
  /// Names whose values at the top level are not the last, because functions assign them.
  llvm::StringSet<> reassigned;
  /// The handlers of the `try` whose body is being declared.
  SourceRange handlers;

  void bind(llvm::StringRef name, Global global);
  /// Binds a name to a value that is known.
  void bind(llvm::StringRef name, Value value, SourceRange range);
  /// The file: what functions see, also those of a class.
  FileScope &getFile() { return outer ? outer->getFile() : *this; }
};

inline bool Frame::isPrelude() const { return file && file->isPrelude; }

/// How a function is marked.
enum class FunctionKind : uint8_t { Plain, Jit, Constexpr };
FunctionKind getFunctionKind(const ast::FunctionDef *function);

/// Visits the jit functions of a file in its order, also those in classes and under conditions;
/// `prefix` names the classes that one stands in: "Softmax.".
using JitVisitor = llvm::function_ref<void(const ast::FunctionDef *, const std::string &prefix)>;
void forEachJitFunction(ast::Block block, JitVisitor visit, const std::string &prefix = "");

/// Adds the names that a statement assigns, in order, each once. Nested functions are left out.
void collectAssigned(const ast::Stmt *stmt, llvm::SmallVectorImpl<llvm::StringRef> &names);
void collectAssigned(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names);
/// Whether a method of lists or dictionaries changes them.
bool isMutation(llvm::StringRef method);
/// Adds the names whose lists or dictionaries a block changes: `NAME.append(x)`, `NAME[i] = x`.
void collectMutated(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names);
/// Adds the names of a file that its functions may assign, as `global` says.
void collectReassigned(ast::Block block, llvm::StringSet<> &names);

/// Whether `break`, `continue` or `return` in the statements may leave them, dead branches
/// included.
bool containsExit(ast::Block block);
/// Whether the statements of a loop's body hold a `break` of that loop, dead branches included.
bool containsBreak(ast::Block block);
/// Whether the statements read a name anywhere but in the bodies of loops whose variable it is.
bool readsOutsideLoops(ast::Block block, llvm::StringRef name);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_SCOPE_H
