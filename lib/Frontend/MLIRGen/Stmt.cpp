// Statements that do not branch, and assignment.
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Effects.h"
#include "lib/Frontend/MLIRGen/Flow.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "lib/Frontend/MLIRGen/Signature.h"

#include "llvm/Support/SaveAndRestore.h"

#include <climits>

using namespace mlir;

namespace tilec::frontend {

/// Most statements that one generation may emit; unrolling and inlining count.
static constexpr unsigned kMaxStatements = 100000;
/// The parts and characters of a compile-time value that are gone through in a statement's time.
static constexpr size_t kWeightPerStatement = 512;
/// Most operations of a kernel: more take seconds to make, and minutes to compile.
static constexpr size_t kMaxOperations = 200000;
/// Most characters and elements of a compile-time value.
static constexpr size_t kMaxWeight = 1 << 20;

Value Generator::bounded(Value value, SourceRange range) {
  if (value.getWeight() <= kMaxWeight)
    return value;
  return error(range) << "this value has more than " << kMaxWeight
                      << " parts or characters, those of its parts included";
}

void Generator::bind(llvm::StringRef name, Value value, SourceRange range) {
  value = bounded(std::move(value), range);
  frame->scope[name] = Binding{std::move(value), range, Binding::State::Bound};
}

/// What a value becomes when it is bound to a name: numbers become run-time scalars [R4].
static Value strengthen(Generator &g, const Value &value, SourceRange range) {
  return value.isNumber() && !g.frame->isConstexpr ? g.toTensor(value, range) : value;
}

void Generator::assign(const ast::Expr *target, const Value &value, bool constexprTarget) {
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
    Value bound = constexprTarget ? value : strengthen(*this, value, target->range);
    return bind(name->name, std::move(bound), target->range);
  }
  llvm::ArrayRef<ast::Expr *> targets;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target))
    targets = tuple->elements;
  else if (auto *list = llvm::dyn_cast<ast::ListExpr>(target))
    targets = list->elements;
  else if (auto *entry = llvm::dyn_cast<ast::SubscriptExpr>(target); entry && frame->isConstexpr)
    return assignEntry(entry, value);
  else if (auto *field = llvm::dyn_cast<ast::AttributeExpr>(target); field && frame->isConstexpr)
    return assignField(field, value);
  else {
    bool isItem = llvm::isa<ast::SubscriptExpr>(target);
    error(target->range) << "assignment to "
                         << (isItem ? "an element is not supported; use tl.where or tl.store"
                                    : "an attribute is not supported");
    return;
  }
  if (const auto *starred = llvm::find_if(
          targets, [](const ast::Expr *one) { return llvm::isa<ast::StarredExpr>(one); });
      starred != targets.end())
    return assignStarred(target, targets, static_cast<size_t>(starred - targets.begin()), value,
                         constexprTarget);
  // Triton drops what is too much [R4].
  size_t size = value.getElements().size();
  bool isTooLong = value.isTuple() && !frame->isConstexpr && size > targets.size();
  if (isTooLong)
    warnOnce(target->range, "only the first " + std::to_string(targets.size()) + " of " +
                                std::to_string(size) +
                                " values are unpacked; the others are dropped");
  bool mismatch = !value.isPoison() && !isTooLong &&
                  (!value.isTuple() || value.getElements().size() != targets.size());
  if (mismatch) {
    if (value.isTuple())
      error(target->range) << "cannot unpack " << value.describe() << " into " << targets.size()
                           << " names";
    else
      error(target->range) << "cannot unpack " << value.describe();
  }
  for (auto [index, element] : llvm::enumerate(targets)) {
    bool poisoned = mismatch || value.isPoison();
    assign(element, poisoned ? Value() : value.getElements()[index], constexprTarget);
  }
}

void Generator::assignStarred(const ast::Expr *target, llvm::ArrayRef<ast::Expr *> targets,
                              size_t place, const Value &value, bool constexprTarget) {
  llvm::ArrayRef<Value> elements = value.getElements();
  if (!value.isPoison() && (!value.isTuple() || elements.size() + 1 < targets.size())) {
    error(target->range) << "cannot unpack " << value.describe() << " into " << targets.size() - 1
                         << (targets.size() == 2 ? " name or more" : " names or more");
    return assignStarred(target, targets, place, Value(), constexprTarget);
  }
  // The one with the star takes what the others leave.
  size_t count = value.isPoison() ? 0 : elements.size() + 1 - targets.size(), next = 0;
  for (auto [index, one] : llvm::enumerate(targets)) {
    const ast::Expr *name = one;
    Value part;
    if (index == place) {
      name = llvm::cast<ast::StarredExpr>(one)->value;
      if (!value.isPoison())
        part = Value::tuple(std::vector<Value>(elements.slice(next, count)));
      next += count;
    } else if (!value.isPoison()) {
      part = elements[next++];
    }
    assign(name, part, constexprTarget);
  }
}

void Generator::assignField(const ast::AttributeExpr *target, const Value &value) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(target->base);
  Value base = emit(target->base);
  if (base.isPoison() || value.isPoison())
    return;
  if (name && base.is(Value::Kind::Object))
    return bind(name->name, withField(base, target->attr, value), target->range);
  error(target->range) << "cannot set an attribute of " << base.describe();
}

void Generator::assignEntry(const ast::SubscriptExpr *target, const Value &value) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(target->base);
  Value base = name ? emit(name) : Value(), index = emit(target->index);
  if (base.isPoison() || index.isPoison() || value.isPoison())
    return;
  charge(base);
  if (base.is(Value::Kind::Dict))
    return bind(name->name, withEntry(base, index, value), target->range);
  Int size = static_cast<Int>(base.getElements().size());
  Int position = index.isIntegral() && index.getInt() < 0 ? index.getInt() + size : index.getInt();
  if (!base.isTuple() || !index.isIntegral() || position < 0 || position >= size) {
    error(target->range) << "cannot set an element of " << base.describe();
    return;
  }
  std::vector<Value> elements(base.getElements());
  elements[static_cast<size_t>(position)] = value;
  bind(name->name, Value::tuple(std::move(elements)), target->range);
}

/// `NAME.append(x)` and its like in a function that runs at compile time. Whether it is one.
static bool emitMutation(Generator &g, const ast::Expr *expr) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
  auto *method = call ? llvm::dyn_cast<ast::AttributeExpr>(call->callee) : nullptr;
  auto *name = method ? llvm::dyn_cast<ast::NameExpr>(method->base) : nullptr;
  if (!name || !g.frame->isConstexpr || call->args.size() != 1 || !call->keywords.empty())
    return false;
  auto found = g.frame->scope.find(name->name);
  if (found == g.frame->scope.end())
    return false;
  Value base = found->second.value;
  bool isAppend = method->attr == "append" && base.isTuple();
  bool isExtend = method->attr == "extend" && base.isTuple();
  bool isUpdate = method->attr == "update" && base.is(Value::Kind::Dict);
  if (!isAppend && !isExtend && !isUpdate)
    return false;
  Value value = g.emit(call->args.front());
  if (value.isPoison())
    return true;
  g.charge(base);
  if (isUpdate) {
    if (!value.is(Value::Kind::Dict)) {
      g.error(call->args.front()->range) << "'update' takes a dictionary, not " << value.describe();
      return true;
    }
    for (size_t i = 0; i + 1 < value.getElements().size(); i += 2)
      base = withEntry(base, value.getElements()[i], value.getElements()[i + 1]);
    g.bind(name->name, base, expr->range);
    return true;
  }
  std::vector<Value> elements(base.getElements());
  if (isAppend)
    elements.push_back(value);
  else if (std::optional<std::vector<Value>> more = listElements(value))
    llvm::append_range(elements, *more);
  else
    g.error(call->args.front()->range)
        << "'extend' takes what is known at compile time, not " << value.describe();
  if (elements.size() > kMaxSequence)
    g.error(expr->range) << "the list has more than " << kMaxSequence << " elements";
  else
    g.bind(name->name, Value::tuple(std::move(elements)), expr->range);
  return true;
}

/// The statement as an error names it.
static llvm::StringRef nameOf(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::TryStmt:
    return "'try'";
  case ast::NodeKind::MatchStmt:
    return "'match'";
  case ast::NodeKind::FunctionDef:
    return "a function inside a function";
  case ast::NodeKind::ClassDef:
    return "a class inside a function";
  case ast::NodeKind::TypeAliasStmt:
    return "'type'";
  default:
    return "'import'";
  }
}

static void emitAssert(Generator &g, const ast::AssertStmt *stmt) {
  Value condition = g.emit(stmt->condition);
  if (condition.isPoison())
    return;
  if (condition.isTensor()) {
    Value message = g.options.assertsEnabled && stmt->message ? g.emit(stmt->message) : Value();
    emitRuntimeAssert(g, condition, message, /*mask=*/Value::none(), stmt->range);
    return;
  }
  if (condition.isTruthy())
    return;
  std::string text = "assertion does not hold";
  if (Value message = stmt->message ? g.tryConstant(stmt->message) : Value(); !message.isPoison())
    text += ": " + message.toPython();
  // As those on run-time values, a kernel's count on demand only [R40].
  if (g.frame->isConstexpr || g.options.assertsEnabled)
    g.error(stmt->range) << text;
  else
    g.warnOnce(stmt->range, text);
}

/// `raise` in live code is an error with the text of the exception.
static void emitRaise(Generator &g, const ast::RaiseStmt *stmt) {
  std::string text;
  if (auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(stmt->exception)) {
    if (!call->args.empty()) {
      Value message = g.tryConstant(call->args.front());
      if (!message.isPoison())
        text = ": " + message.toPython();
    }
  }
  g.error(stmt->range) << "the kernel raises an exception here" << text;
}

void Generator::emitTry(const ast::TryStmt *stmt) {
  // What is not known at compile time raises. The first handler takes it.
  bool raises = false;
  if (!stmt->handlers.empty()) {
    Scope before = frame->scope;
    llvm::SaveAndRestore<unsigned> quiet(quietDepth, quietDepth + 1);
    llvm::SaveAndRestore<unsigned> errors(quietErrors, 0);
    emitSequence(stmt->body, nullptr, End::Block);
    raises = quietErrors != 0;
    if (raises)
      frame->scope = std::move(before);
  } else {
    emitSequence(stmt->body, nullptr, End::Block);
  }
  if (getLeaving(frame->scope) == Leaving::Never)
    emitSequence(raises ? stmt->handlers.front()->body : stmt->orelse, nullptr, End::Block);
  if (getLeaving(frame->scope) == Leaving::Never)
    emitSequence(stmt->finally, nullptr, End::Block);
}

void Generator::charge(const Value &value) {
  statements = static_cast<unsigned>(
      std::min<size_t>(statements + value.getWeight() / kWeightPerStatement, UINT_MAX));
}

bool Generator::grow(SourceRange range) {
  bool isWide = made.count > kMaxOperations;
  if (statements < kMaxStatements && !isWide) {
    ++statements;
    return true;
  }
  // What is left out makes an attempt at a compile-time value fail.
  quietErrors += quietDepth != 0;
  // Such an attempt may have used them up without a word.
  if (!isTooLarge && quietDepth == 0) {
    isTooLarge = true;
    error(range) << "the kernel grows past " << (isWide ? kMaxOperations : size_t(kMaxStatements))
                 << (isWide ? " operations" : " statements") << " by unrolling and inlining";
  }
  return false;
}

void Generator::emitStmt(const ast::Stmt *stmt) {
  DepthGuard guard(*this);
  if (guard.isTooDeep()) {
    error(stmt->range) << "statement nests too deep";
    return;
  }
  if (!grow(stmt->range))
    return;
  LocScope scope(*this, stmt->range);
  switch (stmt->kind) {
  case ast::NodeKind::ExprStmt: {
    auto *value = llvm::cast<ast::ExprStmt>(stmt)->value;
    // What is not known is taken to do its work without a word: it logs, or sets up the machine.
    if (auto *call = llvm::dyn_cast<ast::CallExpr>(value);
        call && frame->isConstexpr && tryConstant(call->callee).is(Value::Kind::Opaque))
      return;
    // Docstrings and '...' stand for nothing.
    if (!llvm::isa<ast::StringLiteral, ast::EllipsisLiteral>(value) && !emitMutation(*this, value))
      emit(value);
    return;
  }
  case ast::NodeKind::AssignStmt: {
    auto *node = llvm::cast<ast::AssignStmt>(stmt);
    Value value = emit(node->value);
    for (const ast::Expr *target : node->targets)
      assign(target, value, /*constexprTarget=*/false);
    return;
  }
  case ast::NodeKind::AugAssignStmt: {
    auto *node = llvm::cast<ast::AugAssignStmt>(stmt);
    bool isEntry =
        llvm::isa<ast::SubscriptExpr, ast::AttributeExpr>(node->target) && frame->isConstexpr;
    if (!llvm::isa<ast::NameExpr>(node->target) && !isEntry)
      return assign(node->target, Value(), /*constexprTarget=*/false);
    Value lhs = emit(node->target);
    Value rhs = emit(node->value);
    return assign(node->target, binary(node->op, std::move(lhs), std::move(rhs), node->range),
                  /*constexprTarget=*/false);
  }
  case ast::NodeKind::AnnAssignStmt: {
    auto *node = llvm::cast<ast::AnnAssignStmt>(stmt);
    if (!node->value)
      return;
    // `X: tl.constexpr = ...` stays a weak compile-time value [R4].
    bool isConstexpr = readAnnotation(node->annotation).isConstexpr;
    return assign(node->target, emit(node->value), isConstexpr);
  }
  case ast::NodeKind::ForStmt:
    return emitFor(llvm::cast<ast::ForStmt>(stmt));
  case ast::NodeKind::WhileStmt:
    return emitWhile(llvm::cast<ast::WhileStmt>(stmt));
  case ast::NodeKind::ReturnStmt:
  case ast::NodeKind::BreakStmt:
  case ast::NodeKind::ContinueStmt:
    return leave(stmt);
  case ast::NodeKind::PassStmt:
  case ast::NodeKind::GlobalStmt:
  case ast::NodeKind::NonlocalStmt:
    return;
  case ast::NodeKind::DeleteStmt:
    for (const ast::Expr *target : llvm::cast<ast::DeleteStmt>(stmt)->targets) {
      auto *name = llvm::dyn_cast<ast::NameExpr>(target);
      if (!name)
        error(target->range) << "'del' takes a name";
      else if (!frame->scope.erase(name->name))
        error(target->range) << "unknown name '" << name->name << "'";
    }
    return;
  case ast::NodeKind::TryStmt:
    if (!frame->isConstexpr)
      break;
    return emitTry(llvm::cast<ast::TryStmt>(stmt));
  case ast::NodeKind::FunctionDef:
    if (!frame->isConstexpr)
      break;
    return bind(llvm::cast<ast::FunctionDef>(stmt)->name,
                makeClosure(llvm::cast<ast::FunctionDef>(stmt)), stmt->range);
  case ast::NodeKind::ImportStmt:
  case ast::NodeKind::ImportFromStmt:
    if (!frame->isConstexpr)
      break;
    return emitImport(stmt);
  case ast::NodeKind::WithStmt: {
    // What a profiler's scope holds is all that it is.
    auto *with = llvm::cast<ast::WithStmt>(stmt);
    for (const ast::WithItem *item : with->items)
      if (Value context = emit(item->context);
          !context.isPoison() && !(context.is(Value::Kind::Record) && context.getText() == "scope"))
        error(item->context->range)
            << "'with' in a kernel takes 'triton.profiler.language.scope', not "
            << context.describe();
    return emitSequence(with->body, nullptr, End::Block);
  }
  case ast::NodeKind::AssertStmt:
    return emitAssert(*this, llvm::cast<ast::AssertStmt>(stmt));
  case ast::NodeKind::RaiseStmt:
    return emitRaise(*this, llvm::cast<ast::RaiseStmt>(stmt));
  default:
    break;
  }
  error(stmt->range) << nameOf(stmt->kind) << " is not supported in a kernel";
}

} // namespace tilec::frontend
