// The state of one generation, and what the files that emit expressions and statements share.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_GENERATOR_H
#define TILEC_LIB_FRONTEND_MLIRGEN_GENERATOR_H

#include "lib/Frontend/MLIRGen/Builtins.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/MLIRGen/Scope.h"
#include "lib/Frontend/MLIRGen/Signature.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace tilec {
struct KernelDescription;
}

namespace tilec::frontend {

/// Collects one error and reports it when it dies, with a note for each call that led to it. It
/// converts to the poison value, so that an emitter may return it.
class ErrorBuilder {
public:
  ErrorBuilder(Generator &generator, SourceRange range);
  ErrorBuilder(const ErrorBuilder &) = delete;
  ErrorBuilder &operator=(const ErrorBuilder &) = delete;
  ~ErrorBuilder();

  template <typename T>
  ErrorBuilder &operator<<(const T &value) {
    std::string &text =
        diagnostic.notes.empty() ? diagnostic.message : diagnostic.notes.back().message;
    llvm::raw_string_ostream(text) << value;
    return *this;
  }
  /// Begins a note; text from here on is the note's.
  ErrorBuilder &note(SourceRange range) {
    diagnostic.notes.push_back({Severity::Note, range, "", {}});
    return *this;
  }
  operator Value() const { return Value(); }

private:
  Generator &generator;
  Diagnostic diagnostic;
};

enum class ClassKind : uint8_t;

/// What to check when two operands are brought to one type.
struct PromoteOptions {
  bool allowPointers = false;
  bool divOrMod = false;
};

/// A condition: known at compile time, or an `i1`.
struct Condition {
  enum class Kind : uint8_t { Poison, Known, RunTime } kind = Kind::Poison;
  bool known = false;
  mlir::Value value;
};

/// A call of a function of a source file: arguments as written.
struct CallSite {
  /// Null for a call that the compiler makes.
  const ast::CallExpr *call = nullptr;
  SourceRange range;
  llvm::SmallVector<std::pair<Value, SourceRange>, 8> positional;
  llvm::SmallVector<std::pair<const ast::Keyword *, Value>, 4> keywords;
};

class Generator {
public:
  Generator(mlir::MLIRContext &context, SourceManager &sources, DiagnosticEngine &diags,
            const FrontendOptions &options);

  mlir::OwningOpRef<mlir::ModuleOp> run(const ast::Module &module);
  std::vector<KernelDescription> describeKernels(const ast::Module &module);

  // --- Diagnostics and places (Diagnostics.cpp) ---
  ErrorBuilder error(SourceRange range) { return ErrorBuilder(*this, range); }
  /// The place of the expression or statement being emitted, through the calls that led to it.
  mlir::Location loc() const { return currentLoc; }
  mlir::Location locOf(SourceLoc place);
  /// Whether errors are swallowed, because a value is only tried.
  bool isQuiet() const { return quietDepth != 0; }

  // --- Expressions (Expr.cpp, Access.cpp, Call.cpp) ---
  Value emit(const ast::Expr *expr);
  /// The value if it is known at compile time without any error, else poison; emits nothing.
  Value tryConstant(const ast::Expr *expr);
  Condition emitCondition(const ast::Expr *expr);
  Condition toCondition(const Value &value, SourceRange range);
  Value call(const Value &callee, CallSite &site);
  /// The same with these arguments by position, all of which stand at `argsRange`.
  Value call(const Value &callee, llvm::ArrayRef<Value> args, SourceRange range,
             SourceRange argsRange);
  /// Counts what is done with a long string, list or dictionary as statements.
  void charge(const Value &value);
  /// `base.name` without an error if there is none.
  Value tryAttribute(const Value &base, llvm::StringRef name, SourceRange range);

  // --- Operators (Operators.cpp) ---
  Value binary(ast::BinaryOp op, Value lhs, Value rhs, SourceRange range);
  Value unary(ast::UnaryOp op, Value operand, SourceRange range);
  Value compare(ast::CompareOp op, Value lhs, Value rhs, SourceRange range);
  /// `and`, `or` of run-time booleans [R8].
  Value logical(ast::BoolOpKind op, Value lhs, Value rhs, SourceRange range);

  // --- Promotion, casts, shapes (Promotion.cpp, Cast.cpp, Shape.cpp) ---
  /// Makes a compile-time number a run-time scalar of its own type [R3, R9].
  Value toTensor(const Value &value, SourceRange range);
  /// A constant of that type and shape; `number` must fit [R2].
  Value constant(DType type, const Value &number, llvm::ArrayRef<int64_t> shape = {});
  /// Whether an integer fits in an integer type; if not, an error was reported.
  bool fits(const Value &number, DType type, SourceRange range);
  /// Brings two operands to one type and shape [R1, R2, R10]. False after an error.
  bool promote(Value &lhs, Value &rhs, SourceRange range, llvm::StringRef what,
               PromoteOptions options = {});
  /// Casts as `x.to(type)` does [R12, R13]; `rounding` is "", "rtne" or "rtz".
  Value castTo(const Value &value, DType type, SourceRange range, llvm::StringRef rounding = "");
  Value bitcast(const Value &value, DType type, SourceRange range);
  Value splat(const Value &scalar, llvm::ArrayRef<int64_t> shape);
  /// Stretches to exactly that shape [R10].
  Value broadcastTo(const Value &value, llvm::ArrayRef<int64_t> shape, SourceRange range,
                    llvm::StringRef what);
  /// Brings two values to one shape [R10]. False after an error.
  bool broadcastPair(Value &lhs, Value &rhs, SourceRange range);
  Value expandDims(const Value &value, int64_t axis);
  Value reshape(const Value &value, llvm::ArrayRef<int64_t> shape, bool allowReorder);
  /// The dimensions in another order.
  Value permute(const Value &value, llvm::ArrayRef<int32_t> order);
  /// Two tensors of one type and shape side by side in a new last dimension.
  Value joinLast(const Value &lhs, const Value &rhs);
  /// 0, 1, ... along dimension `dim` of `rank`, the others having one element.
  Value indexAlong(int64_t extent, size_t dim, size_t rank);
  /// A tensor of that element type in the shape of `like`.
  mlir::Type typeOf(DType element, llvm::ArrayRef<int64_t> shape) {
    return TileType(element, shape).toMLIR(context);
  }
  mlir::Type typeLike(const Value &like, DType element) {
    return typeOf(element, like.getType().shape);
  }

  // --- Arguments of builtins (Args.cpp) ---
  /// Each reports an error and returns nothing if the argument is not what it says.
  std::optional<Int> getConstInt(const CallArgs &args, unsigned index);
  std::optional<bool> getConstBool(const CallArgs &args, unsigned index, bool otherwise);
  std::optional<std::string> getConstString(const CallArgs &args, unsigned index);
  /// A string that says which of several; None, False and 0 leave it out, as "" does.
  std::optional<std::string> getOption(const CallArgs &args, unsigned index);
  std::optional<DType> getDType(const CallArgs &args, unsigned index);
  /// A shape from a tuple, or from ints in the variadic parameter.
  std::optional<llvm::SmallVector<int64_t>> getShape(const CallArgs &args, unsigned index);
  std::optional<llvm::SmallVector<int64_t>> getInts(const Value &value, SourceRange range,
                                                    const CallArgs &args, unsigned index);
  /// An axis of `rank` dimensions, counted from the end if negative.
  std::optional<int64_t> getAxis(const CallArgs &args, unsigned index, int64_t rank);
  /// The argument as a run-time value; poison after an error.
  Value getTensor(const CallArgs &args, unsigned index);
  bool checkShape(llvm::ArrayRef<int64_t> shape, SourceRange range);

  // --- Statements (Flow.cpp, Stmt.cpp, Loop.cpp, While.cpp) ---
  /// Statements that follow, and what follows these.
  struct Continuation {
    ast::Block block;
    const Continuation *next = nullptr;
  };
  /// What is at the end of a sequence of statements: more of the function, the next iteration of a
  /// run-time loop, or the function's end.
  enum class End : uint8_t { Block, Loop, Function };
  /// Emits statements and what follows them, up to where control leaves them.
  void emitSequence(ast::Block block, const Continuation *next, End end);
  /// Emits a function's body, and gives what it returns.
  Value emitBody(const ast::FunctionDef *function);
  /// One statement, `if` excepted.
  void emitStmt(const ast::Stmt *stmt);
  /// A `try` of a function that runs at compile time.
  void emitTry(const ast::TryStmt *stmt);
  /// Sets an entry of a list or dictionary at compile time.
  void assignEntry(const ast::SubscriptExpr *target, const Value &value);
  /// Sets an attribute of an object at compile time.
  void assignField(const ast::AttributeExpr *target, const Value &value);
  /// Unpacks a tuple where the target at `place` has a star.
  void assignStarred(const ast::Expr *target, llvm::ArrayRef<ast::Expr *> targets, size_t place,
                     const Value &value, bool constexprTarget);
  /// Counts a statement or call that is emitted. False, after one error, if the kernel has too
  /// many.
  bool grow(SourceRange range);
  void emitFor(const ast::ForStmt *stmt);
  void emitWhile(const ast::WhileStmt *stmt);
  /// A loop of a function that runs at compile time.
  void runWhile(const ast::WhileStmt *stmt);
  void assign(const ast::Expr *target, const Value &value, bool constexprTarget);
  void bind(llvm::StringRef name, Value value, SourceRange range);
  /// The value, or poison after an error if it is larger than compile-time values may be.
  Value bounded(Value value, SourceRange range);

  // --- Functions (Function.cpp) ---
  /// `callee` is a Function.
  Value callFunction(const Value &callee, CallSite &site);
  /// A function of the one that is being emitted, with the names that it sees there.
  Value makeClosure(const ast::FunctionDef *function);
  /// Runs a function's body on scalars, as the combiner of a reduction.
  Value inlineFunction(const ast::FunctionDef *function, FileScope *scope,
                       llvm::ArrayRef<Value> args, SourceRange callRange);

  // --- Classes (Classes.cpp) ---
  /// The class that a value is; null if it is none of a file.
  FileScope *findClass(const Value &value);
  llvm::SmallVector<FileScope *, 2> getBases(FileScope &cls);
  ClassKind getClassKind(FileScope &cls);
  /// What the class or one of its bases defines; poison if there is nothing.
  Value getClassMember(FileScope &cls, llvm::StringRef name);
  /// A class as `collections.namedtuple` makes it.
  Value makeNamedTupleClass(llvm::StringRef name, llvm::ArrayRef<Value> fields,
                            llvm::ArrayRef<Value> defaults, SourceRange range);

  /// Warns of a place, once for each text.
  void warnOnce(SourceRange range, const std::string &message);

  // --- Decorators.cpp ---
  /// A function as `@triton.jit` makes it.
  Value makeJit(const Value &function);

  // --- Names of a file (Globals.cpp, Import.cpp) ---
  Value lookUp(const ast::NameExpr *name);
  Value getGlobal(FileScope &scope, llvm::StringRef name);
  /// What `-D` gives to a name.
  std::optional<Value> getDefine(llvm::StringRef name);
  Value getModuleMember(const Value &module, llvm::StringRef name, SourceRange range);
  /// A function that is written in the language, of a canonical module or as the method of
  /// `receiver`; poison if there is none (PreludeCall.cpp).
  Value getPreludeFunction(llvm::StringRef module, llvm::StringRef name);
  Value getPreludeMethod(const Value &receiver, llvm::StringRef name);

  // --- State ---
  mlir::MLIRContext *context;
  /// Counts the operations that the builder makes.
  struct OpCounter final : mlir::OpBuilder::Listener {
    size_t count = 0;
    void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint) override {
      ++count;
    }
  } made;
  mlir::OpBuilder builder;
  SourceManager &sources;
  DiagnosticEngine &diags;
  const FrontendOptions &options;
  Frame *frame = nullptr;
  /// Warps that the kernel reckons with, because it asked how many there are; 0 if it did not.
  unsigned fixedNumWarps = 0;

private:
  friend class ErrorBuilder;
  friend class LocScope;
  friend struct DepthGuard;

  // Expr.cpp
  Value emitNode(const ast::Expr *expr);
  Value emitBoolOp(const ast::BoolOpExpr *expr);
  Value emitCompare(const ast::CompareExpr *expr);
  Value emitConditional(const ast::ConditionalExpr *expr);
  Value emitSequence(llvm::ArrayRef<ast::Expr *> elements);
  Value emitFString(const ast::JoinedStr *expr);
  Value emitLambda(const ast::LambdaExpr *expr);
  // Containers.cpp
  Value emitDict(const ast::DictExpr *expr);
  Value emitComprehension(const ast::ComprehensionExpr *expr);
  bool emitClauses(llvm::ArrayRef<ast::ForClause *> clauses,
                   llvm::function_ref<bool()> emitElement);
  Value folded(struct Folded result, SourceRange range);
  // Access.cpp
  Value emitAttribute(const ast::AttributeExpr *expr);
  Value getAttribute(const Value &base, const ast::AttributeExpr *expr);
  Value emitSubscript(const ast::SubscriptExpr *expr);
  Value indexTensor(const Value &tensor, const ast::SubscriptExpr *expr);
  Value getTensorAttribute(const Value &tensor, const ast::AttributeExpr *expr);
  Value getTypeAttribute(const Value &type, const ast::AttributeExpr *expr);
  // Call.cpp
  Value emitCall(const ast::CallExpr *expr);
  /// Whether a call is of `tl.static_assert`, whose message is not looked at.
  bool isAssertionThatHolds(const Value &callee, const ast::CallExpr *expr);
  Value callBuiltin(const Builtin *builtin, const Value *receiver, CallSite &site);
  bool collectArgs(const ast::CallExpr *call, CallSite &site);
  bool bindArgs(CallArgs &args, const Value *receiver, CallSite &site);
  // Classes.cpp
  /// The names of an enumeration's members and these by turns.
  std::vector<Value> listEnumerators(FileScope &cls);
  std::optional<Value> findEnumerator(FileScope &cls, llvm::StringRef name);
  void collectFields(FileScope &cls, llvm::SmallVectorImpl<ast::Param *> &fields);
  /// Runs a method that fills its object, and gives the object.
  Value runMethod(const Value &method, Value object, CallSite &site);
  Value instantiate(FileScope &cls, CallSite &site);
  Value getObjectAttribute(const Value &object, llvm::StringRef name, SourceRange range);
  // Flow.cpp
  struct Branch;
  struct LoopExits;
  /// `break`, `continue`, `return`: sets the flag.
  void leave(const ast::Stmt *stmt);
  void warnOfNoResult(const Value &result, SourceRange range);
  void emitInBranch(Branch &branch, llvm::function_ref<void()> emitBody);
  /// Emits what follows statements that control may have left. `names` are what it assigns.
  void emitGuarded(llvm::function_ref<void()> emitRest,
                   llvm::SmallVectorImpl<llvm::StringRef> &names, End end);
  /// Whether `rest` is emitted too, or never reached.
  bool emitRunTimeIf(const ast::IfStmt *stmt, Condition condition, const Continuation &rest,
                     End end);
  static void collectAssignedAfter(ast::Block block, const Continuation *next,
                                   llvm::SmallVectorImpl<llvm::StringRef> &names);
  // If.cpp
  bool unify(Value &lhs, Value &rhs, mlir::Block *lhsBlock, mlir::Block *rhsBlock);
  Value makeUnused(const Value &like, SourceRange range);
  bool isUsedAfter(const Branch &branch, llvm::StringRef name);
  bool mergeResult(Branch (&branches)[2], End end, Value (&values)[2]);
  /// Closes an `if`: binds the names, as the scope before it has them, to what they are after it.
  void mergeBranches(mlir::Value condition, Branch (&branches)[2],
                     llvm::ArrayRef<llvm::StringRef> names, End end);
  Value finishIf(mlir::Value condition, std::unique_ptr<mlir::Region> thenRegion,
                 std::unique_ptr<mlir::Region> elseRegion, llvm::ArrayRef<Value> thenValues,
                 llvm::ArrayRef<Value> elseValues, llvm::SmallVectorImpl<Value> &results);
  // Loop.cpp
  struct LoopBounds;
  struct LoopVariable;
  struct Carried;
  bool readRange(const Builtin *builtin, const ast::CallExpr *call, LoopBounds &bounds);
  /// Brings start, stop and step to one type; a negative step is mirrored. False after an error.
  bool promoteBounds(LoopBounds &bounds);
  void emitCountedLoop(const ast::ForStmt *stmt, LoopBounds &bounds);
  /// The loop's variable for an index that counts up.
  mlir::Value mirror(const LoopBounds &bounds, mlir::Value index);
  /// Whether what follows a loop reads its variable, which is carried if the body assigns it.
  LoopVariable readVariable(const ast::ForStmt *stmt, const LoopBounds &bounds,
                            llvm::SmallVectorImpl<Carried> &carried);
  /// At the end of a body that assigns the variable: whether it still has its type. If not, what it
  /// becomes is dropped.
  bool holdVariable(llvm::ArrayRef<Carried> carried, mlir::ValueRange arguments);
  /// Binds the variable after the loop. `next` is the index that would come next where the loop was
  /// left; null if it ran to its end.
  void leaveVariable(const ast::ForStmt *stmt, const LoopBounds &bounds,
                     const LoopVariable &variable, mlir::Value next);
  /// What says after a loop with `else` whether `break` ended it.
  llvm::StringRef nameOfBreak(const ast::Stmt *loop);
  void carryBreak(const ast::Stmt *loop, llvm::SmallVectorImpl<Carried> &carried);
  void noteBreak(const ast::Stmt *loop, llvm::ArrayRef<Carried> carried);
  /// The `else` of a loop as an `if`; null if it has none.
  ast::Stmt *makeElse(const ast::Stmt *loop);
  void emitUnrolled(const ast::ForStmt *stmt, llvm::ArrayRef<Value> values);
  /// After an error in a loop's head: what its body would set is not looked at any more.
  void poisonAssigned(ast::Block body, SourceRange range);
  LoopExits takeExits();
  /// Builds a loop that its body may end. `head` tests whether it goes on by `goesOn`, null if it
  /// always does; its arguments have the types of `inits`. Gives the results: those that stand for
  /// `inits`, and what bindExits takes.
  mlir::ValueRange buildExitingLoop(std::unique_ptr<mlir::Region> head, mlir::Value goesOn,
                                    std::unique_ptr<mlir::Region> body,
                                    llvm::SmallVectorImpl<mlir::Value> &inits,
                                    llvm::SmallVectorImpl<mlir::Value> &yields,
                                    const LoopExits &exits);
  void bindExits(const LoopExits &exits, mlir::ValueRange results);
  /// The names that live statements assign, and the variables of loops among them.
  void collectLive(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names,
                   llvm::SmallVectorImpl<llvm::StringRef> &targets);
  /// The names that a loop carries: bound to run-time values before it, and assigned in it.
  void collectCarried(ast::Block body, llvm::StringRef target,
                      llvm::SmallVectorImpl<Carried> &carried);
  void rebind(llvm::ArrayRef<Carried> carried, mlir::ValueRange values);
  /// What the body yields; types must not have changed [R36].
  void collectYields(llvm::MutableArrayRef<Carried> carried, mlir::ValueRange arguments,
                     llvm::SmallVectorImpl<mlir::Value> &yields);
  void leaveLoop(Scope outer, llvm::ArrayRef<Carried> carried, llvm::StringRef target,
                 mlir::ValueRange results);
  // Function.cpp, Kernel.cpp
  bool generateKernel(const KernelRequest &request);
  bool bindParameters(const ast::FunctionDef *function, FileScope *scope, CallSite &site,
                      Scope &locals, const Closure *closure = nullptr);
  // Globals.cpp
  void declare(FileScope &scope, ast::Block block);
  void declareClass(FileScope &scope, const ast::ClassDef *cls);
  void declareBranches(FileScope &scope, const ast::IfStmt *branch);
  void declareImport(FileScope &scope, const ast::ImportStmt *stmt);
  void declareImportFrom(FileScope &scope, const ast::ImportFromStmt *stmt);
  FileScope *loadModule(FileScope &from, llvm::StringRef module, unsigned level);
  Value evaluateGlobal(FileScope &scope, llvm::StringRef name, Global &global);
  void declareEffect(FileScope &scope, const ast::Stmt *stmt);
  /// What a statement of a file leaves a name with; poison if that is not known.
  Value evaluateStatement(FileScope &scope, llvm::StringRef name, const ast::Stmt *stmt);
  /// The value that a name has before that statement; poison if it has none.
  Value valueBefore(FileScope &scope, llvm::StringRef name, const ast::Stmt *stmt);
  Value evaluateImport(FileScope &scope, const Global &global);
  /// An import inside a function that runs at compile time.
  void emitImport(const ast::Stmt *stmt);
  /// Whether the modules that statements import are known or found.
  bool importsSucceed(FileScope &scope, ast::Block block);
  void declareTry(FileScope &scope, const ast::TryStmt *stmt);
  // Decorators.cpp
  /// The jit function that a call decorates: the only argument of what else is not known; poison if
  /// there is none.
  Value findDecorated(FileScope &scope, const Global &global);
  /// The member of a module that `from MODULE import NAME` binds, else the value itself.
  Value resolveImport(const Value &value, SourceRange range);
  // Kernel.cpp, KernelList.cpp
  /// Declares the names of the main file and reads the definitions. False after an error.
  bool loadMain(const ast::Module &module);
  void describeTuning(const ast::FunctionDef *function, KernelDescription &kernel);
  std::string valueHint(const ast::FunctionDef *function, llvm::StringRef param);
  Value evaluateText(llvm::StringRef what, llvm::StringRef text);
  Value valueOfConstexpr(const ast::FunctionDef *function, const ast::Param *param);
  bool selectKernels(const ast::Module &module, std::vector<KernelRequest> &requests);
  bool readSignature(KernelRequest &request);
  Value findKernel(const ast::Module &module, llvm::StringRef name);

  mlir::Location currentLoc;
  /// Where the function being emitted was called, outermost first.
  llvm::SmallVector<SourceRange, 4> callStack;
  std::optional<mlir::Location> callerLoc;
  unsigned quietDepth = 0;
  unsigned quietErrors = 0;
  unsigned activations = 0;
  unsigned depth = 0;
  /// Statements and calls of this kernel, and whether there being too many is reported.
  unsigned statements = 0;
  bool isTooLarge = false;
  llvm::DenseSet<std::pair<uint32_t, size_t>> reported;
  ast::ASTContext astContext;
  std::map<std::string, std::unique_ptr<FileScope>> files;
  FileScope *loadPrelude(const struct PreludeFile &file);
  FileScope *mainFile = nullptr;
  /// While a name is looked for in files that bring in all names of others: where it isn't.
  std::map<std::pair<const FileScope *, std::string>, bool> askedFiles;
  bool isAskingFiles = false;
  /// The functions that lambdas stand for.
  llvm::DenseMap<const ast::LambdaExpr *, const ast::FunctionDef *> lambdas;
  /// Functions by those that `triton.jit(f)` has made them of.
  llvm::DenseMap<const ast::FunctionDef *, const ast::FunctionDef *> jitFunctions;
  llvm::StringMap<Value> defines;
  llvm::StringSet<> usedDefines;
  mlir::OwningOpRef<mlir::ModuleOp> moduleOp;
};

/// Sets the location of the operations that are created while it lives.
class LocScope {
public:
  LocScope(Generator &generator, SourceRange range)
      : generator(generator), saved(generator.currentLoc) {
    generator.currentLoc = generator.locOf(range.begin);
  }
  ~LocScope() { generator.currentLoc = saved; }

private:
  Generator &generator;
  mlir::Location saved;
};

/// Counts nesting, so that no input can exhaust the stack.
struct DepthGuard {
  explicit DepthGuard(Generator &generator) : generator(generator) { ++generator.depth; }
  ~DepthGuard() { --generator.depth; }
  /// Whether it is too deep to go on.
  bool isTooDeep() const { return generator.depth > 1500; }
  Generator &generator;
};

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_GENERATOR_H
