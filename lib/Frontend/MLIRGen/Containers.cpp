// Methods of strings, lists and dictionaries, and comprehensions: Python at compile time.
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"
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
    for (size_t i = 0; i < sequence.getText().size(); ++i)
      elements.push_back(Value::string(sequence.getText().substr(i, 1)));
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
  for (Int i = start; step > 0 ? i < stop : i > stop; i += step) {
    if (numbers.size() >= kMaxSequence)
      return std::nullopt;
    numbers.push_back(Value::integer(i));
  }
  return numbers;
}

// --- Strings ------------------------------------------------------------------

static std::optional<std::string> readText(Generator &g, const CallArgs &args, unsigned index) {
  if (args[index].isString())
    return args[index].getText().str();
  g.error(args.ranges[index]) << "'" << args.builtin->name << "' takes strings, not "
                              << args[index].describe();
  return std::nullopt;
}

/// A string that is not longer than any may be.
static Value makeText(Generator &g, const CallArgs &args, llvm::StringRef text) {
  if (text.size() <= kMaxSequence)
    return Value::string(text);
  return g.error(args.range) << "'" << args.builtin->name << "' makes a string of more than "
                             << kMaxSequence << " characters";
}

static Value emitChangeText(Generator &g, const CallArgs &args) {
  llvm::StringRef text = args[0].getText(), name = args.builtin->name;
  if (name == "lower")
    return Value::string(text.lower());
  if (name == "upper")
    return Value::string(text.upper());
  llvm::StringRef chars = args.has(1) && args[1].isString() ? args[1].getText() : " \t\n\r\f\v";
  return Value::string(name == "strip"    ? text.trim(chars)
                       : name == "lstrip" ? text.ltrim(chars)
                                          : text.rtrim(chars));
}

static Value emitTestText(Generator &g, const CallArgs &args) {
  llvm::StringRef text = args[0].getText();
  bool isStart = args.builtin->name == "startswith";
  llvm::ArrayRef<Value> options =
      args[1].isTuple() ? args[1].getElements() : llvm::ArrayRef<Value>(args[1]);
  bool result = false;
  for (const Value &option : options) {
    if (!option.isString())
      return g.error(args.ranges[1])
             << "'" << args.builtin->name << "' takes strings, not " << option.describe();
    result |= isStart ? text.starts_with(option.getText()) : text.ends_with(option.getText());
  }
  return Value::boolean(result);
}

static Value emitSplitText(Generator &g, const CallArgs &args) {
  llvm::SmallVector<llvm::StringRef> parts;
  if (args.has(1)) {
    std::optional<std::string> separator = readText(g, args, 1);
    if (!separator)
      return Value();
    if (separator->empty())
      return g.error(args.ranges[1]) << "the separator of 'split' is empty";
    args[0].getText().split(parts, *separator);
  } else {
    llvm::SplitString(args[0].getText(), parts);
  }
  std::vector<Value> elements;
  for (llvm::StringRef part : parts)
    elements.push_back(Value::string(part));
  return Value::tuple(std::move(elements));
}

static Value emitReplaceText(Generator &g, const CallArgs &args) {
  std::optional<std::string> from = readText(g, args, 1), to = readText(g, args, 2);
  if (!from || !to)
    return Value();
  if (from->empty())
    return g.error(args.ranges[1]) << "what 'replace' replaces is empty";
  std::string text = args[0].getText().str();
  for (size_t at = text.find(*from); at != std::string::npos && text.size() <= kMaxSequence;
       at = text.find(*from, at + to->size()))
    text.replace(at, from->size(), *to);
  return makeText(g, args, text);
}

static Value emitJoinText(Generator &g, const CallArgs &args) {
  std::string text;
  for (auto [index, element] : llvm::enumerate(args[1].getElements())) {
    if (!element.isString())
      return g.error(args.ranges[1]) << "'join' takes strings, not " << element.describe();
    text += (index ? args[0].getText() : llvm::StringRef()).str() + element.getText().str();
    if (text.size() > kMaxSequence)
      break;
  }
  return makeText(g, args, text);
}

static Value emitIsDigit(Generator &g, const CallArgs &args) {
  llvm::StringRef text = args[0].getText();
  return Value::boolean(!text.empty() && llvm::all_of(text, llvm::isDigit));
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
    if (!args[0].isNone()) {
      CallSite site;
      site.range = args.range;
      site.positional.push_back({element, args.ranges[1]});
      result = g.call(args[0], site);
    }
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

llvm::ArrayRef<Builtin> getContainerBuiltins() {
  static constexpr Builtin table[] = {
      {"dict", "", "entries? **named", emitMakeDict},
      {"filter", "", "function iterable", emitApply},
      {"map", "", "function iterable", emitApply},
      {"lower", "str", "self", emitChangeText},
      {"upper", "str", "self", emitChangeText},
      {"strip", "str", "self chars?", emitChangeText},
      {"lstrip", "str", "self chars?", emitChangeText},
      {"rstrip", "str", "self chars?", emitChangeText},
      {"startswith", "str", "self prefix", emitTestText},
      {"endswith", "str", "self suffix", emitTestText},
      {"split", "str", "self sep? maxsplit?", emitSplitText},
      {"replace", "str", "self old new", emitReplaceText},
      {"join", "str", "self iterable", emitJoinText},
      {"isdigit", "str", "self", emitIsDigit},
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
