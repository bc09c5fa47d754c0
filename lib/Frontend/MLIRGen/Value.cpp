// Making, comparing and naming compile-time values.
#include "lib/Frontend/MLIRGen/Value.h"

#include "lib/Frontend/MLIRGen/Builtins.h"
#include "lib/Frontend/MLIRGen/Scope.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace tilec::frontend {

std::string intToString(Int value) {
  if (value == 0)
    return "0";
  bool negative = value < 0;
  auto rest = static_cast<unsigned __int128>(value);
  if (negative)
    rest = 0 - rest;
  std::string digits;
  for (; rest != 0; rest /= 10)
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (negative)
    digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::shared_ptr<Value::Data> Value::makeData(std::string text, std::vector<Value> elements) {
  size_t weight = 1 + text.size();
  for (const Value &element : elements)
    weight = llvm::SaturatingAdd(weight, element.getWeight());
  return std::make_shared<Data>(Data{std::move(text), std::move(elements), weight, nullptr});
}

Value Value::boolean(bool value) {
  Value result(Kind::Bool);
  result.intValue = value;
  return result;
}

Value Value::integer(Int value) {
  Value result(Kind::Int);
  result.intValue = value;
  return result;
}

Value Value::floating(double value) {
  Value result(Kind::Float);
  result.floatValue = value;
  return result;
}

Value Value::string(llvm::StringRef text) {
  Value result(Kind::String);
  result.data = makeData(text.str(), {});
  return result;
}

Value Value::type(TileType type) {
  Value result(Kind::Type);
  result.tileType = type;
  return result;
}

Value Value::pointerToBlocks(TileType block) {
  Value result = type(block.element.getPointerTo());
  result.data = makeData("", {type(block)});
  return result;
}

Value Value::info(DType type) {
  Value result(Kind::Info);
  result.tileType = TileType(type);
  return result;
}

Value Value::tuple(std::vector<Value> elements) {
  Value result(Kind::Tuple);
  result.data = makeData("", std::move(elements));
  return result;
}

Value Value::namedTuple(FileScope *scope, llvm::StringRef fields, std::vector<Value> elements) {
  Value result = object(scope, fields, std::move(elements));
  result.kind = Kind::Tuple;
  return result;
}

Value Value::object(FileScope *scope, llvm::StringRef fields, std::vector<Value> elements) {
  Value result(Kind::Object);
  result.scope = scope;
  result.data = makeData(fields.str(), std::move(elements));
  return result;
}

Value Value::closure(const ast::FunctionDef *definition, FileScope *scope,
                     std::shared_ptr<const void> closure) {
  Value result = function(definition, scope);
  auto data = makeData("", {});
  data->closure = std::move(closure);
  result.data = std::move(data);
  return result;
}

const std::shared_ptr<const void> &Value::getClosure() const {
  static const std::shared_ptr<const void> none;
  return data ? data->closure : none;
}

Value Value::withDefinition(const ast::FunctionDef *definition) const {
  Value result = *this;
  result.pointer = definition;
  return result;
}

Value Value::partial(Value callee, Value args, Value named) {
  Value result(Kind::Partial);
  result.data = makeData("", {std::move(callee), std::move(args), std::move(named)});
  return result;
}

Value Value::dict(std::vector<Value> entries) {
  Value result(Kind::Dict);
  result.data = makeData("", std::move(entries));
  return result;
}

Value Value::record(llvm::StringRef name, std::vector<Value> fields) {
  Value result(Kind::Record);
  result.data = makeData(name.str(), std::move(fields));
  return result;
}

Value Value::function(const ast::FunctionDef *definition, FileScope *scope) {
  Value result(Kind::Function);
  result.pointer = definition;
  result.scope = scope;
  return result;
}

Value Value::boundFunction(const ast::FunctionDef *definition, FileScope *scope, Value receiver) {
  Value result = function(definition, scope);
  result.data = makeData("", {std::move(receiver)});
  return result;
}

Value Value::builtin(const Builtin *builtin) {
  Value result(Kind::Builtin);
  result.pointer = builtin;
  return result;
}

Value Value::method(const Builtin *builtin, Value receiver) {
  Value result(Kind::Method);
  result.pointer = builtin;
  result.data = makeData("", {std::move(receiver)});
  return result;
}

Value Value::module(llvm::StringRef path) {
  Value result(Kind::Module);
  result.data = makeData(path.str(), {});
  return result;
}

Value Value::opaque(llvm::StringRef what, SourceRange range) {
  Value result(Kind::Opaque);
  result.data = makeData(what.str(), {});
  result.range = range;
  return result;
}

Value Value::tensor(mlir::Value value, DType element) {
  Value result(Kind::Tensor);
  result.ssa = value;
  result.tileType = TileType(element);
  if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType()))
    result.tileType.shape = type.getShape();
  return result;
}

Value Value::blocks(Kind kind, TileType block, std::vector<Value> parts, bool padsWithNaN) {
  Value result(kind);
  result.tileType = block;
  result.intValue = padsWithNaN;
  result.data = makeData("", std::move(parts));
  return result;
}

Value Value::withElements(std::vector<Value> elements) const {
  Value result = *this;
  result.data = makeData(getText().str(), std::move(elements));
  return result;
}

llvm::ArrayRef<Value> Value::getElements() const {
  return data ? llvm::ArrayRef<Value>(data->elements) : llvm::ArrayRef<Value>();
}

bool Value::isSame(const Value &other) const {
  if (isNumber() && other.isNumber()) {
    if (kind == Kind::Float || other.kind == Kind::Float)
      return getDouble() == other.getDouble();
    return intValue == other.intValue;
  }
  if (kind != other.kind)
    return false;
  switch (kind) {
  case Kind::Poison:
  case Kind::None:
    return true;
  case Kind::String:
  case Kind::Module:
    return getText() == other.getText();
  case Kind::Type:
  case Kind::Info:
    return tileType == other.tileType;
  case Kind::BlockPointer:
  case Kind::Descriptor:
    if (tileType != other.tileType || intValue != other.intValue)
      return false;
    [[fallthrough]];
  case Kind::Object:
  case Kind::Record:
    if (scope != other.scope || getText() != other.getText())
      return false;
    [[fallthrough]];
  case Kind::Tuple:
  case Kind::Dict:
    return getElements().size() == other.getElements().size() &&
           llvm::all_of(llvm::zip(getElements(), other.getElements()),
                        [](auto pair) { return std::get<0>(pair).isSame(std::get<1>(pair)); });
  case Kind::Function:
    return pointer == other.pointer && data == other.data;
  case Kind::Builtin:
    return pointer == other.pointer;
  case Kind::Tensor:
    return ssa == other.ssa;
  default:
    return data == other.data;
  }
}

bool Value::isTruthy() const {
  switch (kind) {
  case Kind::None:
    return false;
  case Kind::Bool:
  case Kind::Int:
    return intValue != 0;
  case Kind::Float:
    return floatValue != 0;
  case Kind::String:
    return !getText().empty();
  case Kind::Tuple:
  case Kind::Dict:
    return !getElements().empty();
  default:
    return true;
  }
}

/// The shortest text that reads back as the same number, as Python prints floats.
static std::string floatToPython(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  for (int digits = 0; digits < 17; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*e", digits, value);
    if (std::strtod(text.c_str(), nullptr) != value && digits < 16)
      continue;
    int exponent = std::atoi(text.c_str() + text.find('e') + 1);
    if (exponent < -4 || exponent >= 16)
      return text;
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*f", std::max(digits - exponent, 1), value);
    return text;
  }
  return "";
}

/// "Point(x=1, y=2)".
static std::string fieldsToPython(const Value &value) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  value.getText().split(names, ' ', -1, /*KeepEmpty=*/false);
  std::string text = (value.getScope() ? value.getScope()->cls->name : "").str() + "(";
  for (auto [index, name, element] : llvm::enumerate(names, value.getElements()))
    text += (index ? ", " : "") + name.str() + "=" + element.toPython(true);
  return text + ")";
}

std::string Value::toPython(bool repr) const {
  switch (kind) {
  case Kind::None:
    return "None";
  case Kind::Bool:
    return intValue ? "True" : "False";
  case Kind::Int:
    return intToString(intValue);
  case Kind::Float:
    return floatToPython(floatValue);
  case Kind::String:
    return repr ? "'" + getText().str() + "'" : getText().str();
  case Kind::Type:
    return tileType.isScalar() ? getDType().getName() : tileType.str();
  case Kind::Dict: {
    std::string text = "{";
    for (size_t i = 0; i + 1 < getElements().size(); i += 2)
      text += (i ? ", " : "") + getElements()[i].toPython(true) + ": " +
              getElements()[i + 1].toPython(true);
    return text + "}";
  }
  case Kind::Object:
    return fieldsToPython(*this);
  case Kind::Record:
    // A member of an enumeration prints as one.
    if (!getElements().empty() && getElements()[0].getText() == "name")
      return getText().str() + "." + getElements()[1].getText().str();
    return describe();
  case Kind::Tuple: {
    if (scope)
      return fieldsToPython(*this);
    std::string text = "(";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(getElements(), os,
                          [&](const Value &element) { os << element.toPython(true); });
    os << (getElements().size() == 1 ? ",)" : ")");
    return text;
  }
  case Kind::Function:
    return getFunction()->name.str();
  case Kind::Tensor:
    return tileType.str();
  default:
    return describe();
  }
}

std::string Value::describe() const {
  switch (kind) {
  case Kind::Poison:
    return "an invalid value";
  case Kind::None:
    return "None";
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
    return "constexpr " + toPython();
  case Kind::String:
    return "the string '" + getText().str() + "'";
  case Kind::Type:
    return "the type " + tileType.str();
  case Kind::Info:
    return "the limits of type " + tileType.str();
  case Kind::Tuple:
    if (scope)
      return "a named tuple '" + scope->cls->name.str() + "'";
    return "a tuple of " + std::to_string(getElements().size());
  case Kind::Dict:
    return "a dictionary of " + std::to_string(getElements().size() / 2);
  case Kind::Record:
    return "a value of '" + getText().str() + "'";
  case Kind::Object:
    return "an object of '" + scope->cls->name.str() + "'";
  case Kind::Partial:
    return "a call of " + getElements().front().describe() + " by functools.partial";
  case Kind::Function:
    return "the function '" + getFunction()->name.str() + "'";
  case Kind::Builtin:
    return "the function '" + getBuiltin()->spelling() + "'";
  case Kind::Method:
    return "the method '" + getBuiltin()->name.str() + "'";
  case Kind::Module: {
    llvm::StringRef path = getText();
    if (!path.consume_front("file:") || !path.contains("::"))
      return "the module '" + path.str() + "'";
    // A class: its file, its name, and for one that a call makes what tells it from others.
    path = path.split("::").second.split('@').first;
    return "class '" + path.substr(path.rfind(':') + 1).str() + "'";
  }
  case Kind::Opaque:
    return getText().str();
  case Kind::Tensor:
    return tileType.str();
  case Kind::BlockPointer:
    return "a block pointer to " + tileType.str();
  case Kind::Descriptor:
    return "a tensor descriptor of " + tileType.str();
  }
  llvm_unreachable("bad kind");
}

} // namespace tilec::frontend
