// Calls: how arguments meet parameters.
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilec::frontend {

bool Generator::collectArgs(const ast::CallExpr *call, CallSite &site) {
  site.call = call;
  site.range = call->range;
  bool ok = true;
  for (const ast::Expr *arg : call->args) {
    auto *starred = llvm::dyn_cast<ast::StarredExpr>(arg);
    Value value = emit(starred ? starred->value : arg);
    ok &= !value.isPoison();
    if (!starred) {
      site.positional.push_back({value, arg->range});
      continue;
    }
    if (!value.isPoison() && !value.isTuple()) {
      error(arg->range) << "cannot unpack " << value.describe();
      ok = false;
    }
    for (const Value &element : value.getElements())
      site.positional.push_back({element, arg->range});
  }
  for (const ast::Keyword *keyword : call->keywords) {
    if (keyword->name.empty()) {
      Value entries = emit(keyword->value);
      if (entries.is(Value::Kind::Dict)) {
        for (size_t i = 0; i + 1 < entries.getElements().size(); i += 2) {
          llvm::StringRef name = astContext.intern(entries.getElements()[i].toPython());
          auto *given =
              astContext.make<ast::Keyword>(keyword->range, name, keyword->range, keyword->value);
          site.keywords.push_back({given, entries.getElements()[i + 1]});
        }
        continue;
      }
      if (!entries.isPoison())
        error(keyword->range) << "'**' in a call takes a dictionary, not " << entries.describe();
      ok = false;
      continue;
    }
    Value value = emit(keyword->value);
    ok &= !value.isPoison();
    site.keywords.push_back({keyword, value});
  }
  return ok;
}

Value Generator::emitCall(const ast::CallExpr *expr) {
  Value callee = emit(expr->callee);
  if (callee.isPoison())
    return callee;
  if (isAssertionThatHolds(callee, expr))
    return Value::none();
  CallSite site;
  if (!collectArgs(expr, site))
    return Value();
  return call(callee, site);
}

bool Generator::isAssertionThatHolds(const Value &callee, const ast::CallExpr *expr) {
  if (!callee.is(Value::Kind::Builtin) || callee.getBuiltin()->name != "static_assert" ||
      expr->args.size() != 2)
    return false;
  Value condition = tryConstant(expr->args[0]);
  return !condition.isPoison() && !condition.is(Value::Kind::Opaque) && condition.isTruthy();
}

Value Generator::call(const Value &callee, llvm::ArrayRef<Value> args, SourceRange range,
                      SourceRange argsRange) {
  CallSite site;
  site.range = range;
  for (const Value &arg : args)
    site.positional.push_back({arg, argsRange});
  return call(callee, site);
}

Value Generator::call(const Value &callee, CallSite &site) {
  SourceRange range = site.call ? site.call->callee->range : site.range;
  switch (callee.getKind()) {
  case Value::Kind::Builtin:
    return callBuiltin(callee.getBuiltin(), nullptr, site);
  case Value::Kind::Method:
    return callBuiltin(callee.getBuiltin(), &callee.getElements().front(), site);
  case Value::Kind::Function:
    if (!callee.getElements().empty())
      site.positional.insert(site.positional.begin(), {callee.getElements().front(), range});
    return callFunction(callee, site);
  case Value::Kind::Partial: {
    llvm::ArrayRef<Value> parts = callee.getElements();
    llvm::SmallVector<std::pair<Value, SourceRange>, 8> positional;
    for (const Value &arg : parts[1].getElements())
      positional.push_back({arg, range});
    site.positional.insert(site.positional.begin(), positional.begin(), positional.end());
    auto *place = astContext.make<ast::NameExpr>(range, astContext.intern("partial"));
    for (size_t i = 0; i + 1 < parts[2].getElements().size(); i += 2) {
      llvm::StringRef name = astContext.intern(parts[2].getElements()[i].getText());
      // What the call gives comes before what the partial call has.
      if (llvm::none_of(site.keywords, [&](auto &given) { return given.first->name == name; }))
        site.keywords.push_back({astContext.make<ast::Keyword>(range, name, range, place),
                                 parts[2].getElements()[i + 1]});
    }
    return call(parts[0], site);
  }
  case Value::Kind::Module:
    if (FileScope *cls = findClass(callee))
      return instantiate(*cls, site);
    return error(range) << "cannot call " << callee.describe();
  case Value::Kind::Object:
    if (Value method = getObjectAttribute(callee, "__call__", range); !method.isPoison())
      return call(method, site);
    return error(range) << "cannot call " << callee.describe();
  case Value::Kind::Type:
    return error(range) << "a type cannot be called; write x.to(" << sources.getText(range) << ")";
  default:
    return error(range) << "cannot call " << callee.describe();
  }
}

namespace {
/// One parameter of a builtin.
struct BuiltinParam {
  llvm::StringRef name;
  bool isOptional = false;
  bool isVariadic = false;
  /// Takes the keyword arguments that no other parameter has, as a dictionary.
  bool takesKeywords = false;
};
} // namespace

static llvm::SmallVector<BuiltinParam, 8> readParams(const Builtin &builtin) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  builtin.params.split(names, ' ', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<BuiltinParam, 8> params;
  for (llvm::StringRef name : names) {
    BuiltinParam param;
    param.takesKeywords = name.consume_front("**");
    param.isVariadic = !param.takesKeywords && name.consume_front("*");
    param.isOptional = name.consume_back("?");
    param.name = name;
    params.push_back(param);
  }
  return params;
}

bool isInternalArgument(llvm::StringRef name) {
  return name == "_semantic" || name == "_builder" || name == "_generator";
}

bool Generator::bindArgs(CallArgs &args, const Value *receiver, CallSite &site) {
  llvm::SmallVector<BuiltinParam, 8> params = readParams(*args.builtin);
  std::string what = "'" + args.builtin->spelling() + "'";
  args.values.assign(params.size(), Value::none());
  args.ranges.assign(params.size(), args.range);
  args.given.assign(params.size(), false);
  size_t next = 0;
  auto give = [&](size_t index, Value value, SourceRange range) {
    args.values[index] = std::move(value);
    args.ranges[index] = range;
    args.given[index] = true;
  };
  if (receiver && next < params.size()) {
    // `map(",".join, names)` calls a method without a place of its own.
    auto *attribute = site.call ? llvm::dyn_cast<ast::AttributeExpr>(site.call->callee) : nullptr;
    give(next++, *receiver, attribute ? attribute->base->range : args.range);
  }
  for (size_t i = 0; i < site.positional.size(); ++i) {
    auto &[value, range] = site.positional[i];
    if (next < params.size() && params[next].isVariadic) {
      // The rest, as a tuple. One tuple given by itself is the rest too.
      if (i + 1 == site.positional.size() && value.isTuple() && params[next].name != "arguments") {
        give(next++, value, range);
        break;
      }
      std::vector<Value> rest;
      for (size_t j = i; j < site.positional.size(); ++j)
        rest.push_back(site.positional[j].first);
      SourceRange all(range.begin, site.positional.back().second.end);
      give(next++, Value::tuple(std::move(rest)), all);
      break;
    }
    if (next == params.size()) {
      error(range) << what << " takes at most " << params.size() - (receiver ? 1 : 0)
                   << " arguments, " << site.positional.size() << " are given";
      return false;
    }
    give(next++, value, range);
  }
  for (auto &[keyword, value] : site.keywords) {
    const BuiltinParam *param = llvm::find_if(
        params, [name = keyword->name](const BuiltinParam &param) { return param.name == name; });
    if (param == params.end() && !params.empty() && params.back().takesKeywords) {
      Value &rest = args.values.back();
      rest = withEntry(args.given.back() ? rest : Value::dict({}), Value::string(keyword->name),
                       value);
      args.given.back() = true;
      continue;
    }
    if (param == params.end() && isInternalArgument(keyword->name))
      continue;
    if (param == params.end()) {
      ErrorBuilder report(*this, keyword->nameRange);
      report << what << " has no parameter '" << keyword->name << "'";
      llvm::SmallVector<llvm::StringRef> names;
      for (const BuiltinParam &one : llvm::ArrayRef(params).drop_front(receiver ? 1 : 0))
        names.push_back(one.name);
      if (llvm::StringRef near = closestName(keyword->name, names); !near.empty())
        report << "; did you mean '" << near << "'?";
      else if (names.empty())
        report << "; it has none";
      else
        report << "; it has " << llvm::join(names, ", ");
      return false;
    }
    size_t index = static_cast<size_t>(param - params.begin());
    if (args.given[index]) {
      error(keyword->range) << "parameter '" << keyword->name << "' of " << what
                            << " is given twice";
      return false;
    }
    give(index, value, keyword->value->range);
  }
  for (auto [index, param] : llvm::enumerate(params))
    if (!args.given[index] && !param.isOptional && !param.isVariadic && !param.takesKeywords) {
      error(args.range) << "call of " << what << " without its argument '" << param.name << "'";
      return false;
    }
  return true;
}

Value Generator::callBuiltin(const Builtin *builtin, const Value *receiver, CallSite &site) {
  CallArgs args;
  args.builtin = builtin;
  args.range = site.range;
  if (!bindArgs(args, receiver, site))
    return Value();
  for (const Value &value : args.values)
    charge(value);
  Value result = builtin->emit(*this, args);
  charge(result);
  return result;
}

} // namespace tilec::frontend
