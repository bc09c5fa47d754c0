// Loops: which names they carry, and how the loops are built.
#include "lib/Frontend/MLIRGen/Loop.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Flow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

Value makeRunTime(Generator &g, const Value &value, SourceRange range) {
  if (value.isNumber())
    return g.toTensor(value, range);
  if (!value.isAggregate())
    return value;
  std::vector<Value> elements;
  // The numbers of an object stay what they are: fields that are constexpr.
  for (const Value &element : value.getElements())
    elements.push_back(value.is(Value::Kind::Object) && element.isNumber()
                           ? element
                           : makeRunTime(g, element, range));
  return value.withElements(std::move(elements));
}

static bool hasRunTimePart(const Value &value) {
  return value.isTensor() || value.isNumber() ||
         (value.isAggregate() && llvm::any_of(value.getElements(), hasRunTimePart));
}

void flattenValue(const Value &value, llvm::SmallVectorImpl<mlir::Value> &values) {
  if (value.isTensor())
    values.push_back(value.getSSA());
  for (const Value &element : value.isAggregate() ? value.getElements() : llvm::ArrayRef<Value>())
    flattenValue(element, values);
}

Value rebuildValue(const Value &like, ValueRange &values) {
  if (like.isTensor()) {
    mlir::Value value = values.front();
    values = values.drop_front();
    return Value::tensor(value, like.getDType());
  }
  if (!like.isAggregate())
    return like;
  std::vector<Value> elements;
  for (const Value &element : like.getElements())
    elements.push_back(rebuildValue(element, values));
  return like.withElements(std::move(elements));
}

void Generator::collectLive(ast::Block block, llvm::SmallVectorImpl<llvm::StringRef> &names,
                            llvm::SmallVectorImpl<llvm::StringRef> &targets) {
  for (const ast::Stmt *stmt : block) {
    if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      Value condition = tryConstant(branch->condition);
      if (condition.isPoison() || condition.isTruthy())
        collectLive(branch->body, names, targets);
      if (condition.isPoison() || !condition.isTruthy())
        collectLive(branch->orelse, names, targets);
    } else if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      if (auto *target = llvm::dyn_cast<ast::NameExpr>(loop->target))
        targets.push_back(target->name);
      collectLive(loop->body, names, targets);
      collectLive(loop->orelse, names, targets);
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      collectLive(loop->body, names, targets);
      collectLive(loop->orelse, names, targets);
    } else {
      collectAssigned(stmt, names);
    }
  }
}

void Generator::collectCarried(ast::Block body, llvm::StringRef target,
                               llvm::SmallVectorImpl<Carried> &carried) {
  llvm::SmallVector<llvm::StringRef> names, targets;
  collectLive(body, names, targets);
  for (llvm::StringRef inner : targets) {
    auto found = frame->scope.find(inner);
    if (found == frame->scope.end() || llvm::is_contained(names, inner))
      continue;
    if (found->second.value.isTensor())
      names.push_back(inner);
    else
      // The variable of an unrolled loop inside has no value from one iteration to the next.
      found->second.state = Binding::State::LoopOnly;
  }
  for (llvm::StringRef name : names) {
    auto found = frame->scope.find(name);
    if (name == target || found == frame->scope.end() ||
        found->second.state != Binding::State::Bound || !hasRunTimePart(found->second.value))
      continue;
    Binding &binding = found->second;
    binding.value = makeRunTime(*this, binding.value, binding.range);
    carried.push_back({name, binding.value, binding.range});
  }
}

llvm::StringRef Generator::nameOfBreak(const ast::Stmt *loop) {
  return astContext.intern("<break " + std::to_string(loop->range.begin.getRaw()) + ">");
}

void Generator::carryBreak(const ast::Stmt *loop, llvm::SmallVectorImpl<Carried> &carried) {
  carried.push_back({nameOfBreak(loop), toTensor(Value::boolean(false), loop->range), loop->range});
}

void Generator::noteBreak(const ast::Stmt *loop, llvm::ArrayRef<Carried> carried) {
  llvm::StringRef name = nameOfBreak(loop);
  if (llvm::any_of(carried, [&](const Carried &variable) { return variable.name == name; }))
    bind(name, toTensor(getFlag(frame->scope, kBreakFlag), loop->range), loop->range);
}

void Generator::rebind(llvm::ArrayRef<Carried> carried, ValueRange values) {
  for (const Carried &variable : carried)
    bind(variable.name, rebuildValue(variable.init, values), variable.range);
}

void Generator::collectYields(llvm::MutableArrayRef<Carried> carried, ValueRange arguments,
                              llvm::SmallVectorImpl<mlir::Value> &yields) {
  for (Carried &variable : carried) {
    Value argument = rebuildValue(variable.init, arguments);
    const Binding &binding = frame->scope[variable.name];
    Value last = binding.value, init = variable.init;
    Block *block = builder.getInsertionBlock();
    if (binding.state == Binding::State::Bound && !last.isPoison() &&
        unify(init, last, block, block)) {
      builder.setInsertionPointToEnd(block);
      flattenValue(last, yields);
      continue;
    }
    builder.setInsertionPointToEnd(block);
    if (binding.state == Binding::State::Bound && !last.isPoison())
      (error(binding.range) << "loop-carried variable '" << variable.name << "' becomes "
                            << last.describe() << " in the loop, but is "
                            << variable.init.describe() << " before it")
              .note(variable.range)
          << "it is set here before the loop; make both types the same";
    variable.isPoison = true;
    flattenValue(argument, yields);
  }
}

void Generator::leaveLoop(Scope outer, llvm::ArrayRef<Carried> carried, llvm::StringRef target,
                          ValueRange results) {
  Scope inner = std::move(frame->scope);
  frame->scope = std::move(outer);
  for (auto &[name, binding] : inner) {
    if (name == target || llvm::any_of(carried, [name = name](const Carried &variable) {
          return variable.name == name;
        }))
      continue;
    auto found = frame->scope.find(name);
    if (found == frame->scope.end()) {
      // Undefined after the loop [R35].
      Binding left = binding;
      left.state =
          binding.state == Binding::State::Bound ? Binding::State::LoopOnly : binding.state;
      left.value = Value();
      frame->scope[name] = left;
      continue;
    }
    Binding &before = found->second;
    if (before.state != Binding::State::Bound)
      continue;
    if (before.value.isSame(binding.value) && before.value.getKind() == binding.value.getKind())
      continue;
    if (!before.value.isPoison() && !binding.value.isPoison())
      (error(binding.range) << "'" << name << "' becomes " << binding.value.describe()
                            << " in the loop, but is " << before.value.describe()
                            << " before it; only run-time values are carried")
              .note(before.range)
          << "it is set here before the loop";
    before.value = Value();
  }
  for (const Carried &variable : carried) {
    Value result = rebuildValue(variable.init, results);
    bind(variable.name, variable.isPoison ? Value() : result, variable.range);
  }
}

void Generator::emitUnrolled(const ast::ForStmt *stmt, llvm::ArrayRef<Value> values) {
  llvm::SaveAndRestore<unsigned> loops(frame->loops, frame->loops + 1);
  llvm::SaveAndRestore<const Scope *> before(frame->beforeLoop, nullptr);
  llvm::SmallVector<llvm::StringRef> names;
  for (const Value &value : values) {
    if (diags.isErrorLimitReached() || !grow(stmt->range))
      break;
    auto emitIteration = [&] {
      assign(stmt->target, value, /*constexprTarget=*/!value.isTensor());
      emitSequence(stmt->body, nullptr, End::Block);
      frame->scope.erase(kContinueFlag);
    };
    Leaving leaving = getLeaving(frame->scope);
    if (leaving == Leaving::Always)
      break;
    if (leaving == Leaving::Never) {
      emitIteration();
      continue;
    }
    // An iteration before this one may have ended the loop.
    names.clear();
    collectAssigned(stmt, names);
    emitGuarded(emitIteration, names, End::Block);
  }
  if (!stmt->orelse.empty())
    bind(nameOfBreak(stmt), getFlag(frame->scope, kBreakFlag), stmt->range);
  frame->scope.erase(kBreakFlag);
}

void Generator::emitFor(const ast::ForStmt *stmt) {
  if (!stmt->orelse.empty())
    bind(nameOfBreak(stmt), Value::boolean(false), stmt->range);
  LoopBounds bounds;
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(stmt->iterable)) {
    Value callee = tryConstant(call->callee);
    if (callee.is(Value::Kind::Builtin) &&
        (callee.getBuiltin()->name == "range" || callee.getBuiltin()->name == "static_range")) {
      if (!readRange(callee.getBuiltin(), call, bounds))
        return poisonAssigned(stmt->body, stmt->range);
      bool known =
          bounds.start.isIntegral() && bounds.stop.isIntegral() && bounds.step.isIntegral();
      if (bounds.isStatic && !known) {
        error(call->range) << "the bounds of tl.static_range must be known at compile time, not "
                           << (bounds.start.isTensor()  ? bounds.start
                               : bounds.stop.isTensor() ? bounds.stop
                                                        : bounds.step)
                                  .describe();
        return poisonAssigned(stmt->body, stmt->range);
      }
      if (!bounds.isStatic && !(frame->isConstexpr && known))
        return emitCountedLoop(stmt, bounds);
      if (bounds.step.getInt() == 0) {
        error(call->range) << "the step of a loop cannot be 0";
        return;
      }
      if (auto values =
              listRange(bounds.start.getInt(), bounds.stop.getInt(), bounds.step.getInt()))
        return emitUnrolled(stmt, *values);
      error(call->range) << "the loop unrolls to more than " << kMaxSequence
                         << " iterations; use tl.range";
      return;
    }
  }
  Value sequence = emit(stmt->iterable);
  if (std::optional<std::vector<Value>> elements = listElements(sequence))
    return emitUnrolled(stmt, *elements);
  if (!sequence.isPoison())
    error(stmt->iterable->range) << "a loop runs over range, tl.range, tl.static_range or a "
                                    "tuple, not over "
                                 << sequence.describe();
  poisonAssigned(stmt->body, stmt->range);
}

void Generator::poisonAssigned(ast::Block body, SourceRange range) {
  llvm::SmallVector<llvm::StringRef> names, targets;
  collectLive(body, names, targets);
  for (llvm::StringRef name : names)
    bind(name, Value(), range);
}

bool Generator::readRange(const Builtin *builtin, const ast::CallExpr *call, LoopBounds &bounds) {
  CallSite site;
  CallArgs args;
  args.builtin = builtin;
  args.range = call->range;
  if (!collectArgs(call, site) || !bindArgs(args, nullptr, site))
    return false;
  bounds.range = call->range;
  bounds.isStatic = builtin->name == "static_range";
  bounds.start = args.has(1) ? args[0] : Value::integer(0);
  bounds.stop = args.has(1) ? args[1] : args[0];
  bounds.step = args.has(2) ? args[2] : Value::integer(1);
  // Hints of tl.range become attributes of the loop.
  static constexpr llvm::StringLiteral hints[] = {"tile.num_stages", "tile.loop_unroll_factor"};
  for (unsigned i = 0; i < std::size(hints) && 3 + i < args.values.size(); ++i) {
    if (!args.has(3 + i))
      continue;
    std::optional<Int> value = getConstInt(args, 3 + i);
    if (!value)
      return false;
    bounds.hints.push_back(
        builder.getNamedAttr(hints[i], builder.getI32IntegerAttr(static_cast<int32_t>(*value))));
  }
  return true;
}

bool Generator::promoteBounds(LoopBounds &bounds) {
  if (bounds.step.isIntegral() && bounds.step.getInt() == 0) {
    error(bounds.range) << "the step of a loop cannot be 0";
    return false;
  }
  // A step known to be negative counts up, and the variable is mirrored [R37].
  bounds.isMirrored = bounds.step.isIntegral() && bounds.step.getInt() < 0;
  if (bounds.isMirrored) {
    bounds.step = Value::integer(-bounds.step.getInt());
    std::swap(bounds.start, bounds.stop);
  }
  for (Value *part : {&bounds.start, &bounds.stop, &bounds.step}) {
    if (part->isPoison())
      return false;
    Value value = part->isIntegral() || part->isTensor() ? toTensor(*part, bounds.range) : *part;
    if (!value.isTensor() || !value.getType().isScalar() || !value.getDType().isInt()) {
      error(bounds.range) << "the bounds and the step of a loop must be scalar integers, not "
                          << part->describe();
      return false;
    }
    *part = value;
  }
  if (!promote(bounds.start, bounds.stop, bounds.range, "'range'") ||
      !promote(bounds.start, bounds.step, bounds.range, "'range'"))
    return false;
  bounds.stop = castTo(bounds.stop, bounds.start.getDType(), bounds.range);
  return true;
}

mlir::Value Generator::mirror(const LoopBounds &bounds, mlir::Value index) {
  if (!bounds.isMirrored)
    return index;
  index = arith::SubIOp::create(builder, loc(), bounds.stop.getSSA(), index);
  return arith::AddIOp::create(builder, loc(), index, bounds.start.getSSA());
}

Generator::LoopVariable Generator::readVariable(const ast::ForStmt *stmt, const LoopBounds &bounds,
                                                llvm::SmallVectorImpl<Carried> &carried) {
  LoopVariable variable;
  llvm::StringRef name = llvm::cast<ast::NameExpr>(stmt->target)->name;
  variable.isRead = frame->function && readsOutsideLoops(frame->function->body, name);
  if (!variable.isRead)
    return variable;
  auto found = frame->scope.find(name);
  if (found != frame->scope.end() && found->second.state == Binding::State::Bound) {
    Value old = makeRunTime(*this, found->second.value, found->second.range);
    if (old.isTensor() && old.getType() == bounds.start.getType())
      variable.before = old;
  }
  llvm::SmallVector<llvm::StringRef> names, targets;
  collectLive(stmt->body, names, targets);
  variable.isCarried = llvm::is_contained(names, name);
  if (variable.isCarried)
    carried.push_back(
        {name, variable.before.isPoison() ? bounds.start : variable.before, stmt->target->range});
  return variable;
}

bool Generator::holdVariable(llvm::ArrayRef<Carried> carried, ValueRange arguments) {
  // It was added last.
  const Carried &variable = carried.back();
  Binding &binding = frame->scope[variable.name];
  if (binding.state == Binding::State::Bound && binding.value.isTensor() &&
      binding.value.getType() == variable.init.getType())
    return true;
  binding.value = Value::tensor(arguments.back(), variable.init.getDType());
  binding.state = Binding::State::Bound;
  return false;
}

void Generator::leaveVariable(const ast::ForStmt *stmt, const LoopBounds &bounds,
                              const LoopVariable &variable, mlir::Value next) {
  if (!variable.isRead)
    return;
  auto *target = llvm::cast<ast::NameExpr>(stmt->target);
  if (variable.isCarried) {
    if (!variable.keepsType)
      frame->scope[target->name] = Binding{Value(), target->range, Binding::State::Retyped};
    return;
  }
  // The last number that it was, as in Python; without a turn, what it was before [R36].
  mlir::Value start = bounds.start.getSSA(), stop = bounds.stop.getSSA();
  mlir::Value step = bounds.step.getSSA(), last;
  DType type = bounds.start.getDType();
  if (next) {
    last = arith::SubIOp::create(builder, loc(), next, step);
  } else {
    mlir::Value one = constant(type, Value::integer(1)).getSSA();
    mlir::Value span = arith::SubIOp::create(builder, loc(), stop, start);
    span = arith::SubIOp::create(builder, loc(), span, one);
    mlir::Value turns = arith::DivUIOp::create(builder, loc(), span, step);
    turns = arith::MulIOp::create(builder, loc(), turns, step);
    last = arith::AddIOp::create(builder, loc(), start, turns);
  }
  last = mirror(bounds, last);
  if (!variable.before.isPoison()) {
    auto predicate = type.isUnsigned() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    mlir::Value runs = arith::CmpIOp::create(builder, loc(), predicate, start, stop);
    last = arith::SelectOp::create(builder, loc(), runs, last, variable.before.getSSA());
  }
  bind(target->name, Value::tensor(last, type), target->range);
}

void Generator::emitCountedLoop(const ast::ForStmt *stmt, LoopBounds &bounds) {
  auto *target = llvm::dyn_cast<ast::NameExpr>(stmt->target);
  if (!target) {
    error(stmt->target->range) << "the variable of a loop must be a name";
    return poisonAssigned(stmt->body, stmt->range);
  }
  LocScope loopLoc(*this, bounds.range);
  if (!promoteBounds(bounds))
    return poisonAssigned(stmt->body, stmt->range);
  DType type = bounds.start.getDType();

  llvm::SmallVector<Carried> carried;
  collectCarried(stmt->body, target->name, carried);
  if (!stmt->orelse.empty() && containsBreak(stmt->body))
    carryBreak(stmt, carried);
  LoopVariable variable = readVariable(stmt, bounds, carried);
  llvm::SmallVector<mlir::Value> inits;
  for (const Carried &variable : carried)
    flattenValue(variable.init, inits);

  Scope outer = frame->scope;
  llvm::SmallVector<mlir::Value> yields;
  LoopExits exits;
  auto region = std::make_unique<Region>();
  Block *body = &region->emplaceBlock();
  mlir::Type indexType = bounds.start.getSSA().getType();
  mlir::Value index = body->addArgument(indexType, loc());
  for (mlir::Value init : inits)
    body->addArgument(init.getType(), loc());
  ValueRange arguments = body->getArguments();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    rebind(carried, arguments.drop_front());
    bind(target->name, Value::tensor(mirror(bounds, index), type), target->range);
    llvm::SaveAndRestore<unsigned> loops(frame->loops, frame->loops + 1);
    llvm::SaveAndRestore<const Scope *> before(frame->beforeLoop, &outer);
    emitSequence(stmt->body, nullptr, End::Loop);
    noteBreak(stmt, carried);
    exits = takeExits();
    if (variable.isCarried)
      variable.keepsType = holdVariable(carried, arguments.drop_front());
    collectYields(carried, arguments.drop_front(), yields);
    if (exits.stop) {
      mlir::Value next = arith::AddIOp::create(builder, loc(), index, bounds.step.getSSA());
      yields.insert(yields.begin(), next);
    } else {
      scf::YieldOp::create(builder, loc(), yields);
    }
  }
  if (!exits.stop) {
    auto loop = scf::ForOp::create(builder, loc(), bounds.start.getSSA(), bounds.stop.getSSA(),
                                   bounds.step.getSSA(), inits, /*bodyBuilder=*/nullptr,
                                   /*unsignedCmp=*/type.isUnsigned());
    loop.getRegion().takeBody(*region);
    for (NamedAttribute hint : bounds.hints)
      loop->setAttr(hint.getName(), hint.getValue());
    leaveLoop(std::move(outer), carried, target->name, loop.getResults());
    return leaveVariable(stmt, bounds, variable, nullptr);
  }
  // A loop that its body may end counts by itself.
  auto headRegion = std::make_unique<Region>();
  Block *head = &headRegion->emplaceBlock();
  inits.insert(inits.begin(), bounds.start.getSSA());
  for (mlir::Value init : inits)
    head->addArgument(init.getType(), loc());
  mlir::Value goesOn;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(head);
    goesOn = arith::CmpIOp::create(
        builder, loc(), type.isUnsigned() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
        head->getArgument(0), bounds.stop.getSSA());
  }
  ValueRange results =
      buildExitingLoop(std::move(headRegion), goesOn, std::move(region), inits, yields, exits);
  leaveLoop(std::move(outer), carried, target->name, results.drop_front());
  leaveVariable(stmt, bounds, variable, results.front());
  bindExits(exits, results);
}

} // namespace tilec::frontend
