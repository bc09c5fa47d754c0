// Python's own functions, methods of types, and what is taken from `math` and `torch`.
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/Format.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilec::frontend {

static Value emitInt(Generator &g, const CallArgs &args) {
  const Value &value = args[0];
  if (value.isIntegral())
    return Value::integer(value.getInt());
  if (value.is(Value::Kind::Float) && std::isfinite(value.getDouble()) &&
      std::fabs(value.getDouble()) < 0x1p126)
    return Value::integer(static_cast<Int>(value.getDouble()));
  int64_t parsed;
  if (value.isString() && !value.getText().trim().getAsInteger(10, parsed))
    return Value::integer(parsed);
  if (value.isTensor())
    return g.error(args.ranges[0]) << "'int' takes a compile-time value, not " << value.describe()
                                   << "; cast it with .to(tl.int32)";
  return g.error(args.ranges[0]) << "cannot make an int of " << value.describe();
}

static Value emitFloat(Generator &g, const CallArgs &args) {
  const Value &value = args[0];
  if (value.isNumber())
    return Value::floating(value.getDouble());
  if (value.isString()) {
    std::string text = value.getText().trim().lower();
    llvm::StringRef name = text;
    bool negative = name.consume_front("-");
    name.consume_front("+");
    if (name == "inf" || name == "infinity")
      return Value::floating(negative ? -HUGE_VAL : HUGE_VAL);
    if (name == "nan")
      return Value::floating(std::nan(""));
    double parsed;
    if (!llvm::StringRef(text).getAsDouble(parsed))
      return Value::floating(parsed);
  }
  if (value.isTensor())
    return g.error(args.ranges[0]) << "'float' takes a compile-time value, not " << value.describe()
                                   << "; cast it with .to(tl.float32)";
  return g.error(args.ranges[0]) << "cannot make a float of " << value.describe();
}

static Value emitBool(Generator &g, const CallArgs &args) {
  if (args[0].isTensor())
    return g.error(args.ranges[0]) << "'bool' takes a compile-time value, not "
                                   << args[0].describe() << "; cast it with .to(tl.int1)";
  return Value::boolean(args[0].isTruthy());
}

static Value emitStr(Generator &g, const CallArgs &args) {
  return Value::string(args[0].toPython());
}

static Value emitLen(Generator &g, const CallArgs &args) {
  const Value &value = args[0];
  if (value.isTuple())
    return Value::integer(static_cast<Int>(value.getElements().size()));
  if (value.isString())
    return Value::integer(static_cast<Int>(listCharacters(value.getText()).size()));
  if (value.is(Value::Kind::Dict))
    return Value::integer(static_cast<Int>(value.getElements().size() / 2));
  if (value.isTensor() && !value.getType().isScalar())
    return Value::integer(value.getType().shape[0]);
  return g.error(args.ranges[0]) << value.describe() << " has no length";
}

/// `min` and `max` of numbers are numbers; of anything else they are tl.minimum and tl.maximum
/// [R40].
template <bool IsMax>
static Value emitExtremumOfMany(Generator &g, const CallArgs &args) {
  llvm::ArrayRef<Value> values = args[0].getElements();
  if (values.empty())
    return g.error(args.range) << "'" << args.builtin->name << "' takes at least one argument";
  Value best = values.front();
  for (const Value &value : values.drop_front()) {
    if (best.isTensor() || value.isTensor()) {
      best = emitExtremum(g, best, value, IsMax, /*propagateNaN=*/false, args.range);
      if (best.isPoison())
        return best;
      continue;
    }
    Folded better = foldCompare(IsMax ? ast::CompareOp::Gt : ast::CompareOp::Lt, value, best);
    if (!better.error.empty())
      return g.error(args.range) << better.error;
    if (better.value.isTruthy())
      best = value;
  }
  return best;
}

static Value emitPyAbs(Generator &g, const CallArgs &args) {
  const Value &value = args[0];
  if (value.is(Value::Kind::Float))
    return Value::floating(std::fabs(value.getDouble()));
  if (value.isIntegral())
    return Value::integer(value.getInt() < 0 ? -value.getInt() : value.getInt());
  return findBuiltin("tl", "abs")->emit(g, args);
}

static Value emitTuple(Generator &g, const CallArgs &args) {
  if (args[0].isNone())
    return Value::tuple({});
  if (args[0].isTuple())
    return args[0];
  return g.error(args.ranges[0]) << "cannot make a tuple of " << args[0].describe();
}

static Value emitSumOfTuple(Generator &g, const CallArgs &args) {
  if (!args[0].isTuple())
    return g.error(args.ranges[0])
           << "'sum' adds the elements of a tuple, not " << args[0].describe() << "; use tl.sum";
  Value total = Value::integer(0);
  for (const Value &element : args[0].getElements())
    total = g.binary(ast::BinaryOp::Add, total, element, args.range);
  return total;
}

/// Whether a class is another one or derives from it.
static bool derivesFrom(Generator &g, FileScope &cls, const FileScope &base) {
  DepthGuard guard(g);
  return &cls == &base || (!guard.isTooDeep() && llvm::any_of(g.getBases(cls), [&](FileScope *one) {
    return derivesFrom(g, *one, base);
  }));
}

/// Whether a value is of the class that is named.
static std::optional<bool> isInstance(Generator &g, const Value &value, const Value &cls) {
  if (cls.isTuple()) {
    bool any = false;
    for (const Value &one : cls.getElements()) {
      std::optional<bool> is = isInstance(g, value, one);
      if (!is)
        return std::nullopt;
      any |= *is;
    }
    return any;
  }
  if (FileScope *wanted = g.findClass(cls)) {
    if (value.is(Value::Kind::Record))
      return value.getText() == nameOfClass(*wanted);
    bool isObject = value.is(Value::Kind::Object) || value.isTuple();
    return isObject && value.getScope() && derivesFrom(g, *value.getScope(), *wanted);
  }
  if (cls.isNone())
    return value.isNone();
  if (!cls.is(Value::Kind::Builtin))
    return std::nullopt;
  using Kind = Value::Kind;
  llvm::StringRef name = cls.getBuiltin()->name;
  if (name == "tensor")
    return value.isTensor() || value.is(Kind::BlockPointer);
  if (name == "tensor_descriptor" || name == "tensor_descriptor_base")
    return value.is(Kind::Descriptor);
  // Known values reach isinstance as what they are, never wrapped.
  if (name == "constexpr")
    return false;
  if (name == "tuple" || name == "list")
    return value.isTuple();
  if (name == "dtype")
    return value.is(Kind::Type);
  if (name == "pointer_type")
    return value.is(Kind::Type) && value.getDType().isPointer();
  if (name == "int")
    return value.isIntegral();
  if (name == "float")
    return value.is(Kind::Float);
  if (name == "bool")
    return value.is(Kind::Bool);
  if (name == "str")
    return value.isString();
  if (name == "dict")
    return value.is(Kind::Dict);
  if (name == "pointer_type")
    return value.is(Kind::Type) && value.getType().isScalar() && value.getDType().isPointer();
  if (name == "block_type")
    return value.is(Kind::Type) && !value.getType().isScalar();
  return std::nullopt;
}

static Value emitIsInstance(Generator &g, const CallArgs &args) {
  if (std::optional<bool> result = isInstance(g, args[0], args[1]))
    return Value::boolean(*result);
  return g.error(args.ranges[1]) << "'isinstance' does not know " << args[1].describe();
}

/// `type(x)`: the class, which compares with others and has a name.
static Value emitTypeOf(Generator &g, const CallArgs &args) {
  using Kind = Value::Kind;
  const Value &value = args[0];
  if ((value.is(Kind::Object) || value.isTuple()) && value.getScope())
    return g.tryAttribute(value, "__class__", args.range);
  llvm::StringRef name = value.is(Kind::Bool)    ? "bool"
                         : value.is(Kind::Int)   ? "int"
                         : value.is(Kind::Float) ? "float"
                         : value.isString()      ? "str"
                         : value.isTuple()       ? "tuple"
                         : value.is(Kind::Dict)  ? "dict"
                                                 : "";
  if (!name.empty())
    return Value::builtin(findBuiltin("", name));
  llvm::StringRef type = value.isTensor()               ? "tensor"
                         : value.is(Kind::Type)         ? "dtype"
                         : value.is(Kind::BlockPointer) ? "tensor"
                         : value.is(Kind::Descriptor)   ? "tensor_descriptor"
                                                        : "";
  if (!type.empty())
    return Value::builtin(findBuiltin("tl", type));
  return g.error(args.ranges[0]) << "'type' does not know " << value.describe();
}

/// The elements of each sequence in `args[0]`; nothing after an error.
static std::optional<std::vector<std::vector<Value>>> listAll(Generator &g, const CallArgs &args) {
  std::vector<std::vector<Value>> lists;
  for (const Value &sequence : args[0].getElements()) {
    std::optional<std::vector<Value>> elements = listElements(sequence);
    if (!elements) {
      g.error(args.ranges[0]) << "'" << args.builtin->name
                              << "' runs over what is known at compile time, not over "
                              << sequence.describe();
      return std::nullopt;
    }
    lists.push_back(std::move(*elements));
  }
  return lists;
}

static Value emitZip(Generator &g, const CallArgs &args) {
  auto lists = listAll(g, args);
  if (!lists)
    return Value();
  size_t count = lists->empty() ? 0 : lists->front().size();
  for (const std::vector<Value> &list : *lists)
    count = std::min(count, list.size());
  std::vector<Value> rows;
  for (size_t i = 0; i < count; ++i) {
    std::vector<Value> row;
    for (const std::vector<Value> &list : *lists)
      row.push_back(list[i]);
    rows.push_back(Value::tuple(std::move(row)));
  }
  return Value::tuple(std::move(rows));
}

static Value emitEnumerate(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[0]);
  std::optional<Int> start = args.has(1) ? g.getConstInt(args, 1) : std::optional<Int>(0);
  if (!elements)
    return g.error(args.ranges[0])
           << "'enumerate' runs over what is known at compile time, not over "
           << args[0].describe();
  if (!start)
    return Value();
  std::vector<Value> rows;
  for (const Value &element : *elements)
    rows.push_back(Value::tuple({Value::integer((*start)++), element}));
  return Value::tuple(std::move(rows));
}

static Value emitReversed(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[0]);
  if (!elements)
    return g.error(args.ranges[0])
           << "'reversed' runs over what is known at compile time, not over " << args[0].describe();
  std::reverse(elements->begin(), elements->end());
  return Value::tuple(std::move(*elements));
}

static Value emitSorted(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[0]);
  std::optional<bool> isReverse = g.getConstBool(args, 2, false);
  if (!elements)
    return g.error(args.ranges[0])
           << "'sorted' takes what is known at compile time, not " << args[0].describe();
  if (!isReverse)
    return Value();
  std::vector<std::pair<Value, Value>> pairs;
  for (const Value &element : *elements) {
    Value key = element;
    if (args.has(1))
      key = g.call(args[1], element, args.range, args.ranges[0]);
    if (key.isPoison())
      return key;
    // What has no order with the others has none with the first.
    Folded order = foldCompare(ast::CompareOp::Lt, key, pairs.empty() ? key : pairs[0].first);
    if (!order.error.empty())
      return g.error(args.ranges[0]) << order.error;
    pairs.push_back({key, element});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto &lhs, const auto &rhs) {
    const Value &first = *isReverse ? rhs.first : lhs.first;
    const Value &second = *isReverse ? lhs.first : rhs.first;
    return foldCompare(ast::CompareOp::Lt, first, second).value.isTruthy();
  });
  std::vector<Value> sorted;
  for (auto &[key, element] : pairs)
    sorted.push_back(element);
  return Value::tuple(std::move(sorted));
}

/// `any` and `all` of what is known at compile time.
static Value emitQuantifier(Generator &g, const CallArgs &args) {
  bool isAny = args.builtin->name == "any", result = !isAny;
  std::optional<std::vector<Value>> elements = listElements(args[0]);
  if (!elements || llvm::any_of(*elements, [](const Value &value) { return value.isTensor(); }))
    return g.error(args.ranges[0])
           << "'" << args.builtin->name << "' takes a tuple of compile-time values, not "
           << args[0].describe();
  for (const Value &element : *elements)
    result = isAny ? result || element.isTruthy() : result && element.isTruthy();
  return Value::boolean(result);
}

static Value emitRound(Generator &g, const CallArgs &args) {
  if (!args[0].isNumber() || args.has(1))
    return g.error(args.range) << "'round' takes one compile-time number";
  if (args[0].isIntegral())
    return Value::integer(args[0].getInt());
  return Value::integer(static_cast<Int>(std::nearbyint(args[0].getDouble())));
}

static Value emitPow(Generator &g, const CallArgs &args) {
  return g.binary(ast::BinaryOp::Pow, args[0], args[1], args.range);
}

/// `getattr(x, "name", default)` and `hasattr(x, "name")`.
static Value emitGetAttribute(Generator &g, const CallArgs &args) {
  bool isTest = args.builtin->name == "hasattr";
  std::optional<std::string> name = g.getConstString(args, 1);
  if (!name)
    return Value();
  Value value = g.tryAttribute(args[0], *name, args.range);
  if (isTest)
    return Value::boolean(!value.isPoison() && !value.is(Value::Kind::Opaque));
  if (!value.isPoison())
    return value;
  if (args.given[2])
    return args[2];
  return g.error(args.range) << args[0].describe() << " has no attribute '" << *name << "'";
}

/// `tl.dtype("int32")`
static Value emitTypeOfName(Generator &g, const CallArgs &args) {
  std::optional<std::string> name = g.getConstString(args, 0);
  if (!name)
    return Value();
  if (std::optional<DType> type = parseDType(*name); type && !type->isPointer())
    return Value::type(*type);
  return g.error(args.ranges[0]) << "'" << *name << "' is the name of no type";
}

static Value emitClassName(Generator &g, const CallArgs &args) {
  return g.error(args.range) << "'" << args.builtin->spelling() << "' cannot be called in a kernel";
}

static Value emitUnsupported(Generator &g, const CallArgs &args) {
  return g.error(args.range) << "'" << args.builtin->spelling() << "' is not supported yet";
}

static Value emitMath(Generator &g, const CallArgs &args) {
  llvm::SmallVector<Value> given;
  for (unsigned i = 0; i < args.values.size(); ++i)
    if (args.given[i])
      given.push_back(args[i]);
  // Run-time values mean the function of tl with the same name.
  if (given.size() == 1 && given[0].isTensor())
    if (const Builtin *same = findBuiltin("tl", args.builtin->name))
      return same->emit(g, args);
  Folded result = foldMath(args.builtin->name, given);
  return result.error.empty() ? result.value : Value(g.error(args.range) << result.error);
}

static Value emitInfo(Generator &g, const CallArgs &args) {
  std::optional<DType> type = g.getDType(args, 0);
  return type ? Value::info(*type) : Value();
}

static Value emitBitLength(Generator &g, const CallArgs &args) {
  std::optional<Int> value = g.getConstInt(args, 0);
  if (!value)
    return Value();
  Int bits = 0;
  for (Int rest = *value < 0 ? -*value : *value; rest != 0; rest >>= 1)
    ++bits;
  return Value::integer(bits);
}

static Value emitTypePredicate(Generator &g, const CallArgs &args) {
  const TileType &tile = args[0].getType();
  DType type = tile.element;
  bool isBlock = !tile.isScalar();
  llvm::StringRef name = args.builtin->name.substr(3);
  bool isScalarInt = type.isInt() && !isBlock;
  bool result = llvm::StringSwitch<bool>(name)
                    .Case("block", isBlock)
                    .Case("ptr", type.isPointer() && !isBlock)
                    .Cases({"int", "integer_type"}, isScalarInt)
                    .Case("int_signed", type.isSigned() && !isBlock)
                    .Case("int_unsigned", type.isUnsigned() && !isBlock)
                    .Cases({"floating", "standard_floating"}, type.isFloat() && !isBlock)
                    .Case("bool", type.isBool())
                    .Case("fp8", type.isFP8())
                    .Case("fp8e4b8", type == Scalar::FP8E4B8)
                    .Case("fp8e5b16", type == Scalar::FP8E5B16)
                    .Case("half", type == Scalar::FP16 || type == Scalar::BF16)
                    .Default(false);
  if (name == "standard_floating" && type.isFP8())
    result = false;
  if (std::optional<DType> named = parseDType(name); named && !type.isPointer())
    result = *named == type;
  return Value::boolean(result);
}

static Value emitBlockShapes(Generator &g, const CallArgs &args) {
  std::vector<Value> extents;
  for (int64_t extent : args[0].getType().shape)
    extents.push_back(Value::integer(extent));
  return Value::tuple(std::move(extents));
}

llvm::ArrayRef<Builtin> getPythonBuiltins() {
  static constexpr Builtin table[] = {
      {"int", "", "value", emitInt},
      {"float", "", "value", emitFloat},
      {"bool", "", "value", emitBool},
      {"str", "", "value", emitStr},
      {"len", "", "value", emitLen},
      {"min", "", "*values", emitExtremumOfMany<false>},
      {"max", "", "*values", emitExtremumOfMany<true>},
      {"abs", "", "x", emitPyAbs},
      {"sum", "", "values", emitSumOfTuple},
      {"tuple", "", "values?", emitTuple},
      {"list", "", "values?", emitTuple},
      {"isinstance", "", "value cls", emitIsInstance},
      {"type", "", "value", emitTypeOf},
      {"hasattr", "", "object name", emitGetAttribute},
      {"getattr", "", "object name default?", emitGetAttribute},
      {"enumerate", "", "iterable start?", emitEnumerate},
      {"zip", "", "*iterables strict?", emitZip},
      {"sorted", "", "iterable key? reverse?", emitSorted},
      {"reversed", "", "iterable", emitReversed},
      {"any", "", "iterable", emitQuantifier},
      {"all", "", "iterable", emitQuantifier},
      {"round", "", "number ndigits?", emitRound},
      {"pow", "", "base exp", emitPow},
      {"super", "", "*values", emitUnsupported},
      {"tensor", "tl", "", emitClassName},
      {"tensor_descriptor", "tl", "", emitClassName},
      {"tensor_descriptor_base", "tl", "", emitClassName},
      {"dtype", "tl", "name", emitTypeOfName},
      {"tuple", "tl", "values", emitTuple},
      {"sqrt", "math", "x", emitMath},
      {"exp", "math", "x", emitMath},
      {"exp2", "math", "x", emitMath},
      {"log", "math", "x base?", emitMath},
      {"log2", "math", "x", emitMath},
      {"log10", "math", "x", emitMath},
      {"log1p", "math", "x", emitMath},
      {"sin", "math", "x", emitMath},
      {"cos", "math", "x", emitMath},
      {"tan", "math", "x", emitMath},
      {"tanh", "math", "x", emitMath},
      {"atan", "math", "x", emitMath},
      {"erf", "math", "x", emitMath},
      {"fabs", "math", "x", emitMath},
      {"pow", "math", "x y", emitMath},
      {"fmod", "math", "x y", emitMath},
      {"ceil", "math", "x", emitMath},
      {"floor", "math", "x", emitMath},
      {"trunc", "math", "x", emitMath},
      {"isnan", "math", "x", emitMath},
      {"isinf", "math", "x", emitMath},
      {"finfo", "torch", "dtype", emitInfo},
      {"iinfo", "torch", "dtype", emitInfo},
      {"bit_length", "int", "value", emitBitLength},
      {"is_block", "dtype", "self", emitTypePredicate},
      {"is_ptr", "dtype", "self", emitTypePredicate},
      {"is_int", "dtype", "self", emitTypePredicate},
      {"is_integer_type", "dtype", "self", emitTypePredicate},
      {"is_int_signed", "dtype", "self", emitTypePredicate},
      {"is_int_unsigned", "dtype", "self", emitTypePredicate},
      {"is_floating", "dtype", "self", emitTypePredicate},
      {"is_standard_floating", "dtype", "self", emitTypePredicate},
      {"is_bool", "dtype", "self", emitTypePredicate},
      {"is_fp8", "dtype", "self", emitTypePredicate},
      {"is_fp8e4nv", "dtype", "self", emitTypePredicate},
      {"is_fp8e4b8", "dtype", "self", emitTypePredicate},
      {"is_fp8e4b15", "dtype", "self", emitTypePredicate},
      {"is_fp8e5", "dtype", "self", emitTypePredicate},
      {"is_fp8e5b16", "dtype", "self", emitTypePredicate},
      {"is_half", "dtype", "self", emitTypePredicate},
      {"is_fp16", "dtype", "self", emitTypePredicate},
      {"is_bf16", "dtype", "self", emitTypePredicate},
      {"is_fp32", "dtype", "self", emitTypePredicate},
      {"is_fp64", "dtype", "self", emitTypePredicate},
      {"is_int1", "dtype", "self", emitTypePredicate},
      {"is_int8", "dtype", "self", emitTypePredicate},
      {"is_int16", "dtype", "self", emitTypePredicate},
      {"is_int32", "dtype", "self", emitTypePredicate},
      {"is_int64", "dtype", "self", emitTypePredicate},
      {"is_uint8", "dtype", "self", emitTypePredicate},
      {"is_uint16", "dtype", "self", emitTypePredicate},
      {"is_uint32", "dtype", "self", emitTypePredicate},
      {"is_uint64", "dtype", "self", emitTypePredicate},
      {"get_block_shapes", "dtype", "self", emitBlockShapes},
  };
  return table;
}

} // namespace tilec::frontend
