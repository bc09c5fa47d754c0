// Calls of functions of source files: they are inlined.
#include "lib/Frontend/ASTWalk.h"
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

#include <climits>

using namespace mlir;

namespace tilec::frontend {

/// Calls inside calls that are inlined.
static constexpr size_t kMaxCalls = 100;

bool Generator::bindParameters(const ast::FunctionDef *function, FileScope *scope, CallSite &site,
                               Scope &locals, const Closure *closure) {
  std::string what = ("'" + function->name + "'").str();
  size_t next = 0;
  std::vector<Value> rest;
  const ast::Param *variadic = nullptr;
  auto give = [&](const ast::Param *param, Value value, SourceRange range) {
    locals[param->name] = Binding{std::move(value), range, Binding::State::Bound};
  };
  auto isPositional = [](const ast::Param *param) {
    return param->paramKind == ast::ParamKind::PositionalOnly ||
           param->paramKind == ast::ParamKind::Regular;
  };
  for (const ast::Param *param : function->params) {
    if (param->paramKind == ast::ParamKind::VarPositional)
      variadic = param;
    if (param->paramKind == ast::ParamKind::VarKeyword) {
      error(param->range) << "'**' parameters are not supported";
      return false;
    }
  }
  for (auto &[value, range] : site.positional) {
    while (next < function->params.size() && !isPositional(function->params[next]))
      ++next;
    if (next < function->params.size()) {
      give(function->params[next++], value, range);
    } else if (variadic) {
      rest.push_back(value);
    } else {
      (error(range) << what << " takes " << function->params.size() << " arguments, "
                    << site.positional.size() << " are given")
              .note(function->nameRange)
          << "it is declared here";
      return false;
    }
  }
  if (variadic)
    locals[variadic->name] =
        Binding{Value::tuple(std::move(rest)), site.range, Binding::State::Bound};
  for (auto &[keyword, value] : site.keywords) {
    const auto *param = llvm::find_if(
        function->params, [name = keyword->name](auto *param) { return param->name == name; });
    if (param == function->params.end()) {
      // Options of a launch that may stand in a call.
      if (keyword->name == "num_warps" || keyword->name == "num_stages" ||
          isInternalArgument(keyword->name))
        continue;
      (error(keyword->nameRange) << what << " has no parameter '" << keyword->name << "'")
              .note(function->nameRange)
          << "it is declared here";
      return false;
    }
    if (locals.count((*param)->name)) {
      error(keyword->range) << "parameter '" << keyword->name << "' of " << what
                            << " is given twice";
      return false;
    }
    give(*param, value, keyword->value->range);
  }
  for (const ast::Param *param : function->params) {
    if (locals.count(param->name))
      continue;
    if (!param->defaultValue) {
      (error(site.range) << "call of " << what << " without its argument '" << param->name << "'")
              .note(param->range)
          << "it is declared here";
      return false;
    }
    if (closure)
      if (auto given = closure->defaults.find(param->name); given != closure->defaults.end()) {
        locals[param->name] = given->second;
        continue;
      }
    Frame moduleFrame;
    moduleFrame.file = scope;
    llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
    Value value = tryConstant(param->defaultValue);
    if (value.isPoison())
      value = Value::opaque(("the default of '" + param->name + "'").str(), param->range);
    locals[param->name] = Binding{value, param->range, Binding::State::Bound};
  }
  return true;
}

/// What lambdas are called; no program can write it.
static constexpr llvm::StringLiteral kLambda = "<lambda>";

/// Functions that see the names of functions that see the names of others, and so on.
static constexpr unsigned kMaxClosures = 50;

/// Adds the names that a function's body has, those of functions in it included.
static void collectRead(ast::Block body, llvm::StringSet<> &names) {
  ast::walkExprs(body, [&](const ast::Expr *expr) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
      names.insert(name->name);
  });
  ast::walkStmts(body, [&](const ast::Stmt *stmt) {
    if (auto *function = llvm::dyn_cast<ast::FunctionDef>(stmt))
      collectRead(function->body, names);
  });
}

static unsigned depthOf(const std::shared_ptr<const void> &closure) {
  return closure ? static_cast<const Closure *>(closure.get())->depth : 0;
}
static unsigned depthOf(const Value &value) {
  unsigned depth = depthOf(value.getClosure());
  for (const Value &element : value.getElements())
    depth = std::max(depth, depthOf(element));
  return depth;
}

Value Generator::makeClosure(const ast::FunctionDef *function) {
  if (!frame->activation)
    frame->activation = ++activations;
  auto closure = std::make_shared<Closure>();
  closure->activation = frame->activation;
  closure->outer = frame->closure;
  closure->depth += depthOf(frame->closure);
  auto keep = [&](Scope &names, llvm::StringRef name, const Binding &binding) {
    names[name] = binding;
    closure->depth = std::max(closure->depth, depthOf(binding.value) + 1);
  };
  llvm::StringSet<> read;
  collectRead(function->body, read);
  for (const auto &[name, binding] : frame->scope)
    if (read.contains(name))
      keep(closure->names, name, binding);
  for (const ast::Param *param : function->params)
    if (param->defaultValue)
      keep(closure->defaults, param->name, {emit(param->defaultValue), param->range});
  if (closure->depth > kMaxClosures)
    return error(function->range) << "more than " << kMaxClosures
                                  << " functions see each the names of the one before";
  return Value::closure(function, frame->file, std::move(closure));
}

Value Generator::emitLambda(const ast::LambdaExpr *expr) {
  const ast::FunctionDef *&function = lambdas[expr];
  if (!function) {
    ast::Stmt *body = astContext.make<ast::ReturnStmt>(expr->body->range, expr->body);
    function = astContext.make<ast::FunctionDef>(
        expr->range, kLambda, expr->range, llvm::ArrayRef<ast::Expr *>(),
        llvm::ArrayRef<ast::TypeParam *>(), expr->params, nullptr,
        astContext.copyArray<ast::Stmt *>(body), /*isAsync=*/false);
  }
  return makeClosure(function);
}

Value Generator::callFunction(const Value &value, CallSite &site) {
  const ast::FunctionDef *function = value.getFunction();
  FileScope *scope = value.getScope();
  FunctionKind kind = getFunctionKind(function);
  if (!grow(site.range))
    return Value();
  if (callStack.size() >= kMaxCalls) {
    // What calls twice at every level would go on for 2^100 calls.
    if (quietDepth == 0)
      isTooLarge = true;
    statements = UINT_MAX;
    return error(site.range) << "calls nest deeper than " << kMaxCalls << "; does '"
                             << function->name << "' call itself without end?";
  }
  Frame callee;
  callee.function = function;
  callee.file = scope;
  // Functions that are not jit run at compile time.
  callee.isConstexpr = kind != FunctionKind::Jit;
  callee.caller = frame;
  callee.closure = value.getClosure();
  if (!bindParameters(function, scope, site, callee.scope,
                      static_cast<const Closure *>(callee.closure.get())))
    return Value();
  // A lambda is an expression, and a method may hand out what its object holds.
  bool isMethod = !value.getElements().empty() && value.getElements().front().isAggregate();
  // Functions that Triton's own language is made of take tensors too.
  bool isBuiltin = hasDecorator(function->decorators, "builtin");
  if (callee.isConstexpr && function->name != kLambda && !isMethod && !isBuiltin)
    for (auto &[name, binding] : callee.scope)
      if (binding.value.isTensor())
        return (error(site.range) << "'" << function->name << "' is not a jit function, but its "
                                  << "argument '" << name << "' is a run-time value, "
                                  << binding.value.describe() << "; decorate it with @triton.jit")
                   .note(function->nameRange)
               << "it is declared here";

  // Operations of the body say where they stand and where they were called [R41].
  llvm::SaveAndRestore<std::optional<Location>> savedCaller(callerLoc, loc());
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &callee);
  callStack.push_back(site.range);
  Value result = emitBody(function);
  callStack.pop_back();
  return result;
}

Value Generator::inlineFunction(const ast::FunctionDef *function, FileScope *scope,
                                llvm::ArrayRef<Value> args, SourceRange range) {
  return call(Value::function(function, scope), args, range, range);
}

} // namespace tilec::frontend
