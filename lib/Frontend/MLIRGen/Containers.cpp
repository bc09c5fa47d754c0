// Methods of lists and dictionaries, and comprehensions: Python at compile time.
#include "lib/Frontend/MLIRGen/Format.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilec::frontend {

std::optional<Value> findEntry(const Value &dict, const Value &key) {
  llvm::ArrayRef<Value> entries = dict.getElements();
  for (size_t i = 0; i + 1 < entries.size(); i += 2)
    if (entries[i].isSame(key))
      return entries[i + 1];
  return std::nullopt;
}

static void setEntry(std::vector<Value> &entries, const Value &key, const Value &value) {
  for (size_t i = 0; i + 1 < entries.size(); i += 2)
    if (entries[i].isSame(key)) {
      entries[i + 1] = value;
      return;
    }
  entries.push_back(key);
  entries.push_back(value);
}

Value withEntry(const Value &dict, const Value &key, const Value &value) {
  std::vector<Value> entries(dict.getElements());
  setEntry(entries, key, value);
  return dict.withElements(std::move(entries));
}

std::optional<std::vector<Value>> listElements(const Value &sequence) {
  if (sequence.isTuple())
    return std::vector<Value>(sequence.getElements());
  std::vector<Value> elements;
  if (sequence.isString()) {
    for (llvm::StringRef character : listCharacters(sequence.getText()))
      elements.push_back(Value::string(character));
    return elements;
  }
  if (!sequence.is(Value::Kind::Dict))
    return std::nullopt;
  for (size_t i = 0; i < sequence.getElements().size(); i += 2)
    elements.push_back(sequence.getElements()[i]);
  return elements;
}

std::optional<std::vector<Value>> listRange(Int start, Int stop, Int step) {
  std::vector<Value> numbers;
  for (Int i = start; step > 0 ? i < stop : i > stop;) {
    if (numbers.size() >= kMaxSequence)
      return std::nullopt;
    numbers.push_back(Value::integer(i));
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return numbers;
}

// --- Lists and dictionaries ---------------------------------------------------

static Value emitFind(Generator &g, const CallArgs &args) {
  Int count = 0;
  for (auto [index, element] : llvm::enumerate(args[0].getElements()))
    if (element.isSame(args[1])) {
      if (args.builtin->name == "index")
        return Value::integer(static_cast<Int>(index));
      ++count;
    }
  if (args.builtin->name == "count")
    return Value::integer(count);
  return g.error(args.ranges[1]) << args[1].describe() << " is not in " << args[0].describe();
}

static Value emitGetEntry(Generator &g, const CallArgs &args) {
  if (std::optional<Value> value = findEntry(args[0], args[1]))
    return *value;
  return args.given[2] ? args[2] : Value::none();
}

static Value emitEntries(Generator &g, const CallArgs &args) {
  std::vector<Value> elements;
  llvm::ArrayRef<Value> entries = args[0].getElements();
  for (size_t i = 0; i + 1 < entries.size(); i += 2)
    elements.push_back(args.builtin->name == "keys" ? entries[i]
                       : args.builtin->name == "values"
                           ? entries[i + 1]
                           : Value::tuple({entries[i], entries[i + 1]}));
  return Value::tuple(std::move(elements));
}

/// `dict(entries, NAME=VALUE, ...)`.
static Value emitMakeDict(Generator &g, const CallArgs &args) {
  Value dict = Value::dict({});
  if (args.has(0)) {
    if (!args[0].is(Value::Kind::Dict))
      return g.error(args.ranges[0]) << "cannot make a dictionary of " << args[0].describe();
    dict = args[0];
  }
  llvm::ArrayRef<Value> named = args[1].getElements();
  for (size_t i = 0; i + 1 < named.size(); i += 2)
    dict = withEntry(dict, named[i], named[i + 1]);
  return dict;
}

/// `filter(f, sequence)` and `map(f, sequence)`.
static Value emitApply(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[1]);
  if (!elements)
    return g.error(args.ranges[1])
           << "'" << args.builtin->name << "' runs over what is known at compile time, not over "
           << args[1].describe();
  bool isFilter = args.builtin->name == "filter";
  std::vector<Value> results;
  for (const Value &element : *elements) {
    Value result = element;
    if (!args[0].isNone())
      result = g.call(args[0], element, args.range, args.ranges[1]);
    if (result.isPoison())
      return result;
    if (isFilter && (result.isTensor() || result.is(Value::Kind::Opaque)))
      return g.error(args.range) << "'filter' takes conditions known at compile time, not "
                                 << result.describe();
    if (!isFilter || result.isTruthy())
      results.push_back(isFilter ? element : result);
  }
  return Value::tuple(std::move(results));
}

/// `functools.partial(f, ...)`.
static Value emitPartial(Generator &, const CallArgs &args) {
  return Value::partial(args[0], args[1].isTuple() ? args[1] : Value::tuple({}),
                        args[2].is(Value::Kind::Dict) ? args[2] : Value::dict({}));
}

/// `functools.reduce(f, sequence, initial)`.
static Value emitFold(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[1]);
  if (!elements)
    return g.error(args.ranges[1])
           << "'reduce' runs over what is known at compile time, not over " << args[1].describe();
  if (args.given[2])
    elements->insert(elements->begin(), args[2]);
  if (elements->empty())
    return g.error(args.range) << "'reduce' of an empty sequence needs a first value";
  Value result = elements->front();
  for (const Value &element : llvm::ArrayRef<Value>(*elements).drop_front()) {
    result = g.call(args[0], {result, element}, args.range, args.ranges[1]);
    if (result.isPoison())
      break;
  }
  return result;
}

llvm::ArrayRef<Builtin> getContainerBuiltins() {
  static constexpr Builtin table[] = {
      {"dict", "", "entries? **named", emitMakeDict},
      {"filter", "", "function iterable", emitApply},
      {"map", "", "function iterable", emitApply},
      {"partial", "functools", "function *arguments **named", emitPartial},
      {"reduce", "functools", "function iterable initial?", emitFold},
      {"index", "list", "self value", emitFind},
      {"count", "list", "self value", emitFind},
      {"get", "dict", "self key default?", emitGetEntry},
      {"keys", "dict", "self", emitEntries},
      {"values", "dict", "self", emitEntries},
      {"items", "dict", "self", emitEntries},
  };
  return table;
}

// --- Displays and comprehensions ----------------------------------------------

Value Generator::emitDict(const ast::DictExpr *expr) {
  Value dict = Value::dict({});
  bool poisoned = false;
  for (auto [key, value] : llvm::zip(expr->keys, expr->values)) {
    Value k = key ? emit(key) : Value::none(), v = emit(value);
    poisoned |= k.isPoison() || v.isPoison();
    if (poisoned)
      continue;
    if (key) {
      dict = withEntry(dict, k, v);
      continue;
    }
    if (!v.is(Value::Kind::Dict))
      return error(value->range) << "cannot unpack " << v.describe() << " into a dictionary";
    for (size_t i = 0; i < v.getElements().size(); i += 2)
      dict = withEntry(dict, v.getElements()[i], v.getElements()[i + 1]);
  }
  return poisoned ? Value() : dict;
}

bool Generator::emitClauses(llvm::ArrayRef<ast::ForClause *> clauses,
                            llvm::function_ref<bool()> emitElement) {
  if (clauses.empty())
    return emitElement();
  const ast::ForClause *clause = clauses.front();
  Value iterable = emit(clause->iterable);
  if (iterable.isPoison())
    return false;
  std::optional<std::vector<Value>> elements = listElements(iterable);
  if (!elements) {
    error(clause->iterable->range) << "a comprehension runs over what is known at compile time, "
                                      "not over "
                                   << iterable.describe();
    return false;
  }
  for (const Value &element : *elements) {
    if (!grow(clause->target->range))
      return false;
    assign(clause->target, element, /*constexprTarget=*/true);
    bool isWanted = true;
    for (const ast::Expr *test : clause->conditions) {
      Condition condition = emitCondition(test);
      if (condition.kind == Condition::Kind::RunTime)
        error(test->range) << "the condition of a comprehension must be known at compile time";
      if (condition.kind != Condition::Kind::Known)
        return false;
      isWanted &= condition.known;
    }
    if (isWanted && !emitClauses(clauses.drop_front(), emitElement))
      return false;
  }
  return true;
}

Value Generator::emitComprehension(const ast::ComprehensionExpr *expr) {
  // Its variables are its own.
  Scope saved = frame->scope;
  std::vector<Value> elements;
  bool ok = emitClauses(expr->clauses, [&] {
    Value element = emit(expr->element), value = expr->value ? emit(expr->value) : Value::none();
    if (element.isPoison() || value.isPoison())
      return false;
    if (elements.size() >= kMaxSequence) {
      error(expr->range) << "the comprehension makes more than " << kMaxSequence << " elements";
      return false;
    }
    if (expr->value)
      setEntry(elements, element, value);
    else
      elements.push_back(element);
    return true;
  });
  frame->scope = std::move(saved);
  if (!ok)
    return Value();
  return expr->value ? Value::dict(std::move(elements)) : Value::tuple(std::move(elements));
}

} // namespace tilec::frontend
