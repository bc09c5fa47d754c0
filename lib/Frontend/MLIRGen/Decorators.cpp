// Functions that are decorated by a call: `kernel = triton.autotune(...)(kernel)`, `f =
// triton.jit(g)`.
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilec::frontend {

Value Generator::makeJit(const Value &function) {
  const ast::FunctionDef *plain = function.getFunction();
  if (getFunctionKind(plain) == FunctionKind::Jit)
    return function;
  const ast::FunctionDef *&jit = jitFunctions[plain];
  if (!jit) {
    llvm::SmallVector<ast::Expr *> decorators(plain->decorators);
    decorators.push_back(
        astContext.make<ast::NameExpr>(plain->nameRange, astContext.intern("jit")));
    jit = astContext.make<ast::FunctionDef>(
        plain->range, plain->name, plain->nameRange, astContext.copyArray<ast::Expr *>(decorators),
        plain->typeParams, plain->params, plain->returns, plain->body, plain->isAsync);
  }
  return function.withDefinition(jit);
}

Value Generator::findDecorated(FileScope &scope, const Global &global) {
  Frame moduleFrame;
  moduleFrame.file = &scope;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(global.expr);
  while (call && call->args.size() == 1) {
    Value function = tryConstant(call->args.front());
    if (function.is(Value::Kind::Function))
      return getFunctionKind(function.getFunction()) == FunctionKind::Jit ? function : Value();
    call = llvm::dyn_cast<ast::CallExpr>(call->args.front());
  }
  return Value();
}

static Value emitJit(Generator &g, const CallArgs &args) {
  // `triton.jit(do_not_specialize=...)` is still to be given its function.
  if (!args.given[0])
    return Value::partial(Value::builtin(args.builtin), Value::tuple({}), Value::dict({}));
  if (!args[0].is(Value::Kind::Function))
    return g.error(args.ranges[0]) << "'triton.jit' takes a function, not " << args[0].describe();
  return g.makeJit(args[0]);
}

static Value emitDecorated(Generator &, const CallArgs &args) { return args[0]; }

/// `triton.autotune(...)` and its like: what they give leaves a function as it is.
static Value emitDecorator(Generator &, const CallArgs &) {
  static constexpr Builtin decorated = {"autotune(...)", "triton", "function", emitDecorated};
  return Value::partial(Value::builtin(&decorated), Value::tuple({}), Value::dict({}));
}

llvm::ArrayRef<Builtin> getDecoratorBuiltins() {
  static constexpr Builtin table[] = {
      {"jit", "triton", "fn? **options", emitJit},
      {"autotune", "triton", "*args **options", emitDecorator},
      {"heuristics", "triton", "*args **options", emitDecorator},
  };
  return table;
}

} // namespace tilec::frontend
