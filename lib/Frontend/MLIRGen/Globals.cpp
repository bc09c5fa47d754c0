// The names of a file: found by walking its statements, evaluated when they are needed.
#include "lib/Frontend/MLIRGen/Generator.h"

#include "lib/Frontend/MLIRGen/Modules.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

void FileScope::bind(llvm::StringRef name, Global global) {
  Global &bound = globals[name];
  bool isHandlers = handlers.isValid() && bound.range.isValid() &&
                    handlers.begin <= bound.range.begin && bound.range.begin < handlers.end;
  if (isHandlers)
    global.otherwise = std::make_shared<Global>(bound);
  // A name that is set over and over keeps its last values only.
  constexpr unsigned kMostValues = 64;
  if (bound.range.isValid() && (global.expr || global.stmt) && bound.redefinitions < kMostValues) {
    global.redefinitions = bound.redefinitions + 1;
    global.previous = std::make_shared<Global>(std::move(bound));
  }
  bound = std::move(global);
}

void FileScope::bind(llvm::StringRef name, Value value, SourceRange range) {
  Global global;
  global.value = std::move(value);
  global.range = range;
  bind(name, std::move(global));
}

void Generator::declareEffect(FileScope &scope, const ast::Stmt *stmt) {
  llvm::SmallVector<llvm::StringRef> names;
  collectAssigned(stmt, names);
  ast::Stmt *statement = const_cast<ast::Stmt *>(stmt);
  collectMutated(ast::Block(statement), names);
  for (llvm::StringRef name : names) {
    Global global;
    global.state = Global::State::Unevaluated;
    global.stmt = stmt;
    global.range = stmt->range;
    scope.bind(name, std::move(global));
  }
}

/// Binds the names of an assignment's target to (parts of) its value.
static void declareTarget(FileScope &scope, const ast::Expr *target, const ast::Expr *value,
                          int element) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
    Global global;
    global.state = Global::State::Unevaluated;
    global.expr = value;
    global.element = element;
    global.range = target->range;
    scope.bind(name->name, std::move(global));
    return;
  }
  auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target);
  if (!tuple || element >= 0)
    return;
  for (auto [index, part] : llvm::enumerate(tuple->elements))
    declareTarget(scope, part, value, static_cast<int>(index));
}

void Generator::declareClass(FileScope &scope, const ast::ClassDef *cls) {
  // A class serves as a module of its functions and constants.
  std::string path = scope.path + "::" + cls->name.str();
  scope.bind(cls->name, Value::module("file:" + path), cls->nameRange);
  auto &body = files[path] = std::make_unique<FileScope>();
  body->path = path;
  body->outer = &scope;
  body->cls = cls;
  body->isPrelude = scope.isPrelude;
  FileScope *members = body.get();
  declare(*members, cls->body);
}

void Generator::declareBranches(FileScope &scope, const ast::IfStmt *branch) {
  Frame moduleFrame;
  moduleFrame.file = &scope;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  Value condition = tryConstant(branch->condition);
  if (!condition.isPoison() && !condition.is(Value::Kind::Opaque))
    return declare(scope, condition.isTruthy() ? branch->body : branch->orelse);
  // An unknown condition declares both branches; the last definition stays, unless it is what
  // stands in for a jit function where there is no GPU.
  declare(scope, branch->body);
  auto isJit = [](const Value &value) {
    return value.is(Value::Kind::Function) &&
           getFunctionKind(value.getFunction()) == FunctionKind::Jit;
  };
  std::vector<std::pair<llvm::StringRef, Global>> functions;
  for (const ast::Stmt *inner : branch->body)
    if (auto *function = llvm::dyn_cast<ast::FunctionDef>(inner))
      if (const Global &global = scope.globals[function->name]; isJit(global.value))
        functions.push_back({function->name, global});
  declare(scope, branch->orelse);
  for (auto &[name, global] : functions)
    if (!isJit(scope.globals[name].value))
      scope.bind(name, global);
}

void Generator::declareTry(FileScope &scope, const ast::TryStmt *stmt) {
  // What the body defines comes before what its handlers would, if its value is known.
  llvm::SmallVector<llvm::StringRef> handled;
  for (const ast::ExceptHandler *handler : stmt->handlers)
    collectAssigned(handler->body, handled);
  std::vector<std::pair<llvm::StringRef, Global>> before;
  for (llvm::StringRef name : handled)
    if (auto found = scope.globals.find(name); found != scope.globals.end())
      before.push_back({name, found->second});
  for (const ast::ExceptHandler *handler : stmt->handlers)
    declare(scope, handler->body);
  llvm::SaveAndRestore<SourceRange> savedHandlers(scope.handlers);
  if (!stmt->handlers.empty())
    scope.handlers =
        SourceRange(stmt->handlers.front()->range.begin, stmt->handlers.back()->range.end);
  declare(scope, stmt->body);
  declare(scope, stmt->orelse);
  // What only the handlers give a new value keeps its old one, unless an import fails.
  if (!before.empty() && importsSucceed(scope, stmt->body))
    for (auto &[name, global] : before) {
      Global &bound = scope.globals[name];
      if (scope.handlers.begin <= bound.range.begin && bound.range.begin < scope.handlers.end) {
        global.otherwise = std::make_shared<Global>(bound);
        bound = std::move(global);
      }
    }
  declare(scope, stmt->finally);
}

void Generator::declare(FileScope &scope, ast::Block block) {
  for (const ast::Stmt *stmt : block) {
    switch (stmt->kind) {
    case ast::NodeKind::FunctionDef: {
      auto *function = llvm::cast<ast::FunctionDef>(stmt);
      scope.bind(function->name, Value::function(function, &scope.getFile()), function->nameRange);
      if (getFunctionKind(function) == FunctionKind::Plain)
        collectReassigned(function->body, scope.getFile().reassigned);
      break;
    }
    case ast::NodeKind::ClassDef:
      declareClass(scope, llvm::cast<ast::ClassDef>(stmt));
      break;
    case ast::NodeKind::ForStmt:
    case ast::NodeKind::WhileStmt:
    case ast::NodeKind::ExprStmt:
      declareEffect(scope, stmt);
      break;
    case ast::NodeKind::AssignStmt:
      if (llvm::isa<ast::SubscriptExpr>(llvm::cast<ast::AssignStmt>(stmt)->targets.front())) {
        declareEffect(scope, stmt);
        break;
      }
      for (const ast::Expr *target : llvm::cast<ast::AssignStmt>(stmt)->targets)
        declareTarget(scope, target, llvm::cast<ast::AssignStmt>(stmt)->value, -1);
      break;
    case ast::NodeKind::AnnAssignStmt:
      if (auto *node = llvm::cast<ast::AnnAssignStmt>(stmt); node->value)
        declareTarget(scope, node->target, node->value, -1);
      break;
    case ast::NodeKind::AugAssignStmt: {
      auto *node = llvm::cast<ast::AugAssignStmt>(stmt);
      if (llvm::isa<ast::SubscriptExpr>(node->target)) {
        declareEffect(scope, stmt);
        break;
      }
      auto *sum = astContext.make<ast::BinaryExpr>(node->range, node->op, node->opRange,
                                                   node->target, node->value);
      declareTarget(scope, node->target, sum, -1);
      break;
    }
    case ast::NodeKind::ImportStmt:
      declareImport(scope, llvm::cast<ast::ImportStmt>(stmt));
      break;
    case ast::NodeKind::ImportFromStmt:
      declareImportFrom(scope, llvm::cast<ast::ImportFromStmt>(stmt));
      break;
    case ast::NodeKind::IfStmt:
      declareBranches(scope, llvm::cast<ast::IfStmt>(stmt));
      break;
    case ast::NodeKind::TryStmt:
      declareTry(scope, llvm::cast<ast::TryStmt>(stmt));
      break;
    case ast::NodeKind::WithStmt:
      declare(scope, llvm::cast<ast::WithStmt>(stmt)->body);
      break;
    default:
      break;
    }
  }
}

std::optional<Value> Generator::getDefine(llvm::StringRef name) {
  auto define = defines.find(name);
  if (define == defines.end())
    return std::nullopt;
  usedDefines.insert(name);
  return define->second;
}

Value Generator::getGlobal(FileScope &scope, llvm::StringRef name) {
  if (&scope == mainFile && scope.globals.count(name)) {
    // The command line overrides the constants of the file.
    if (auto define = defines.find(name); define != defines.end()) {
      usedDefines.insert(name);
      return define->second;
    }
  }
  auto found = scope.globals.find(name);
  if (found == scope.globals.end()) {
    if (scope.outer)
      return getGlobal(*scope.outer, name);
    if (scope.starImports.empty())
      return Value();
    // Files may bring in each other: each is asked once.
    bool &isAsked = askedFiles[{&scope, name.str()}];
    if (isAsked)
      return Value();
    isAsked = true;
    bool isOutermost = !isAskingFiles;
    llvm::SaveAndRestore<bool> asking(isAskingFiles, true);
    auto forget = llvm::make_scope_exit([&] {
      if (isOutermost)
        askedFiles.clear();
    });
    for (const ModuleName &module : llvm::SmallVector<ModuleName, 2>(scope.starImports)) {
      FileScope *other = loadModule(scope, module.path, module.level);
      if (!other || other == &scope)
        continue;
      DepthGuard guard(*this);
      if (guard.isTooDeep())
        break;
      Value value = getGlobal(*other, name);
      if (!value.isPoison()) {
        askedFiles[{&scope, name.str()}] = false;
        return value;
      }
    }
    return Value();
  }
  return evaluateGlobal(scope, name, found->second);
}

Value Generator::evaluateGlobal(FileScope &scope, llvm::StringRef name, Global &global) {
  if (global.state == Global::State::Done)
    return global.value;
  std::string what =
      ("'" + name + "', whose value is not known at compile time (give -D " + name + "=VALUE)")
          .str();
  if (global.state == Global::State::Evaluating)
    return global.previous ? evaluateGlobal(scope, name, *global.previous)
                           : Value::opaque(what, global.range);
  global.state = Global::State::Evaluating;
  Value value;
  // The work of a file's code is not the kernel's, but has an end too.
  llvm::SaveAndRestore<unsigned> work(statements, 0);
  bool isImport = global.importedFrom.isGiven();
  if (isImport) {
    value = evaluateImport(scope, global);
  } else if (global.stmt && !scope.reassigned.contains(name)) {
    value = evaluateStatement(scope, name, global.stmt);
  } else if (!scope.reassigned.contains(name)) {
    Frame moduleFrame;
    moduleFrame.file = &scope;
    llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
    value = tryConstant(global.expr);
    if (global.element >= 0 && value.isTuple() &&
        static_cast<size_t>(global.element) < value.getElements().size())
      value = value.getElements()[static_cast<size_t>(global.element)];
    else if (global.element >= 0)
      value = Value();
  }
  if (value.isPoison() || (value.is(Value::Kind::Opaque) && !isImport))
    value = Value::opaque(what, global.range);
  if (value.is(Value::Kind::Opaque) && !scope.isPrelude)
    if (std::optional<Value> define = getDefine(name))
      value = *define;
  if (value.is(Value::Kind::Opaque) && !isImport)
    if (Value function = findDecorated(scope, global); !function.isPoison())
      value = function;
  if (value.is(Value::Kind::Opaque) && global.otherwise)
    if (Value other = evaluateGlobal(scope, name, *global.otherwise);
        !other.is(Value::Kind::Opaque))
      value = other;
  // What stands for Triton where there is none does not stand for it here.
  if (llvm::StringRef known = isImport && !global.importedName.empty() ? global.importedName : name;
      value.is(Value::Kind::Opaque) && (known == "tl" || known == "triton"))
    value = Value::module(known);
  global.value = value;
  global.state = Global::State::Done;
  return value;
}

Value Generator::valueBefore(FileScope &scope, llvm::StringRef name, const ast::Stmt *stmt) {
  auto found = scope.globals.find(name);
  Global *global = found == scope.globals.end() ? nullptr : &found->second;
  while (global && global->stmt != stmt)
    global = global->previous.get();
  return global && global->previous ? evaluateGlobal(scope, name, *global->previous) : Value();
}

Value Generator::evaluateStatement(FileScope &scope, llvm::StringRef name, const ast::Stmt *stmt) {
  Frame moduleFrame;
  moduleFrame.file = &scope;
  moduleFrame.isConstexpr = true;
  llvm::SmallVector<llvm::StringRef> names;
  collectAssigned(stmt, names);
  ast::Stmt *statement = const_cast<ast::Stmt *>(stmt);
  collectMutated(ast::Block(statement), names);
  for (llvm::StringRef one : names)
    if (Value value = valueBefore(scope, one, stmt);
        !value.isPoison() && !value.is(Value::Kind::Opaque))
      moduleFrame.scope[one] = Binding{value, stmt->range, Binding::State::Bound};
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  // What is emitted goes to a block that is thrown away.
  OpBuilder::InsertionGuard guard(builder);
  Block scratch;
  builder.setInsertionPointToStart(&scratch);
  llvm::SaveAndRestore<unsigned> quiet(quietDepth, quietDepth + 1);
  llvm::SaveAndRestore<unsigned> errors(quietErrors, 0);
  emitSequence(ast::Block(statement), nullptr, End::Block);
  auto left = moduleFrame.scope.find(name);
  return quietErrors != 0 || left == moduleFrame.scope.end() ? Value() : left->second.value;
}

Value Generator::lookUp(const ast::NameExpr *expr) {
  llvm::StringRef name = expr->name;
  auto local = frame->scope.find(name);
  if (local != frame->scope.end()) {
    Binding &binding = local->second;
    if (binding.state == Binding::State::Bound)
      return binding.value;
    if (binding.state == Binding::State::OneBranch)
      (error(expr->range) << "'" << name << "' may have no value here").note(binding.range)
          << "only one branch of an 'if' sets it; set it before the 'if' too";
    else
      (error(expr->range) << "'" << name << "' has no value after the loop").note(binding.range)
          << (binding.state == Binding::State::Retyped
                  ? "the body of the loop gives it another type; use another name there"
                  : "only the body of the loop sets it; set it before the loop too");
    if (!isQuiet())
      binding = Binding{Value(), binding.range, Binding::State::Bound};
    return Value();
  }
  if (const Binding *captured = frame->findCaptured(name))
    return captured->value;
  // A function in a function may call itself.
  if (frame->closure && frame->function && frame->function->name == name)
    return Value::closure(frame->function, frame->file, frame->closure);
  if (Value value = getGlobal(*frame->file, name); !value.isPoison())
    return resolveImport(value, expr->range);
  if (const Builtin *builtin = findBuiltin("", name))
    return Value::builtin(builtin);
  // Known without an import.
  if (name == "tl" || name == "triton")
    return Value::module(name);
  for (const std::string &module : frame->file->getFile().starModules)
    if (const Builtin *builtin = findBuiltin(module, name))
      return Value::builtin(builtin);
    else if (Value function = getPreludeFunction(module, name); !function.isPoison())
      return function;
  // Names that -D gives to a kernel's file serve as its constants too.
  if (auto define = defines.find(name); define != defines.end()) {
    usedDefines.insert(name);
    return define->second;
  }
  llvm::SmallVector<llvm::StringRef> candidates;
  for (auto &entry : frame->scope)
    candidates.push_back(entry.first);
  for (auto &entry : frame->file->globals)
    candidates.push_back(entry.getKey());
  llvm::sort(candidates);
  llvm::StringRef suggestion = closestName(name, candidates);
  ErrorBuilder report(*this, expr->range);
  report << "unknown name '" << name << "'";
  if (!suggestion.empty())
    report << "; did you mean '" << suggestion << "'?";
  return report;
}

} // namespace tilec::frontend
