// Python's arithmetic on compile-time values.
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Format.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <cmath>

namespace tilec::frontend {

using ast::BinaryOp;
using ast::CompareOp;
using ast::UnaryOp;

static Folded tooLarge() { return Folded::failure("integer constant does not fit in 128 bits"); }

static Folded unsupported(llvm::StringRef op, const Value &lhs, const Value &rhs) {
  return Folded::failure(
      ("cannot apply '" + op + "' to " + lhs.describe() + " and " + rhs.describe()).str());
}

static Int floorDiv(Int lhs, Int rhs) {
  Int quotient = lhs / rhs;
  return lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? quotient - 1 : quotient;
}

static Folded power(Int base, Int exponent) {
  if (exponent < 0) {
    if (base == 0)
      return Folded::failure("0 cannot be raised to a negative power");
    return Value::floating(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  if (base == 0 || base == 1)
    return Value::integer(exponent == 0 ? Int(1) : base);
  if (base == -1)
    return Value::integer(exponent % 2 ? -1 : 1);
  Int result = 1;
  for (Int i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result))
      return tooLarge();
  return Value::integer(result);
}

static Folded foldInts(BinaryOp op, Int lhs, Int rhs) {
  Int result = 0;
  switch (op) {
  case BinaryOp::Add:
    if (__builtin_add_overflow(lhs, rhs, &result))
      return tooLarge();
    return Value::integer(result);
  case BinaryOp::Sub:
    if (__builtin_sub_overflow(lhs, rhs, &result))
      return tooLarge();
    return Value::integer(result);
  case BinaryOp::Mul:
    if (__builtin_mul_overflow(lhs, rhs, &result))
      return tooLarge();
    return Value::integer(result);
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: {
    if (rhs == 0)
      return Folded::failure("division of a constant by zero");
    if (op == BinaryOp::Div)
      return Value::floating(static_cast<double>(lhs) / static_cast<double>(rhs));
    if (rhs == -1)
      return op == BinaryOp::Mod ? Value::integer(0) : foldInts(BinaryOp::Sub, 0, lhs).value;
    Int quotient = floorDiv(lhs, rhs);
    return Value::integer(op == BinaryOp::FloorDiv ? quotient : lhs - quotient * rhs);
  }
  case BinaryOp::Pow:
    return power(lhs, rhs);
  case BinaryOp::LShift:
    if (rhs < 0)
      return Folded::failure("shift by a negative count");
    if (lhs == 0)
      return Value::integer(0);
    if (rhs > 126 || __builtin_mul_overflow(lhs, Int(1) << rhs, &result))
      return tooLarge();
    return Value::integer(result);
  case BinaryOp::RShift:
    if (rhs < 0)
      return Folded::failure("shift by a negative count");
    return Value::integer(rhs > 126 ? (lhs < 0 ? Int(-1) : Int(0)) : lhs >> rhs);
  case BinaryOp::BitAnd:
    return Value::integer(lhs & rhs);
  case BinaryOp::BitOr:
    return Value::integer(lhs | rhs);
  case BinaryOp::BitXor:
    return Value::integer(lhs ^ rhs);
  case BinaryOp::MatMul:
    break;
  }
  return Folded::failure("cannot apply '@' to integers");
}

static Folded foldFloats(BinaryOp op, double lhs, double rhs) {
  switch (op) {
  case BinaryOp::Add:
    return Value::floating(lhs + rhs);
  case BinaryOp::Sub:
    return Value::floating(lhs - rhs);
  case BinaryOp::Mul:
    return Value::floating(lhs * rhs);
  case BinaryOp::Pow:
    return Value::floating(std::pow(lhs, rhs));
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: {
    if (rhs == 0)
      return Folded::failure("division of a constant by zero");
    if (op == BinaryOp::Div)
      return Value::floating(lhs / rhs);
    if (op == BinaryOp::FloorDiv)
      return Value::floating(std::floor(lhs / rhs));
    double rest = std::fmod(lhs, rhs);
    return Value::floating(rest != 0 && (rest < 0) != (rhs < 0) ? rest + rhs : rest);
  }
  default:
    return Folded::failure(
        ("cannot apply '" + ast::getSpelling(op) + "' to floating-point constants").str());
  }
}

Folded tooLong(llvm::StringRef what) {
  return Folded::failure(("the " + what + " has more than the " + llvm::Twine(kMaxSequence) +
                          (what == "string" ? " characters" : " elements") +
                          " that are made at compile time")
                             .str());
}

static Folded repeat(const Value &sequence, Int count) {
  size_t length = sequence.isString() ? sequence.getText().size() : sequence.getElements().size();
  if (count < 0)
    count = 0;
  if (length != 0 && count > static_cast<Int>(kMaxSequence / length))
    return tooLong(sequence.isString() ? "string" : "tuple");
  if (sequence.isString()) {
    std::string text;
    for (Int i = 0; i < count; ++i)
      text += sequence.getText();
    return Value::string(text);
  }
  std::vector<Value> elements;
  for (Int i = 0; i < count && length != 0; ++i)
    elements.insert(elements.end(), sequence.getElements().begin(), sequence.getElements().end());
  return Value::tuple(std::move(elements));
}

Folded foldBinary(BinaryOp op, const Value &lhs, const Value &rhs) {
  if (lhs.isIntegral() && rhs.isIntegral()) {
    bool bitwise = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
    Folded result = foldInts(op, lhs.getInt(), rhs.getInt());
    if (bitwise && lhs.is(Value::Kind::Bool) && rhs.is(Value::Kind::Bool))
      return Value::boolean(result.value.getInt() != 0);
    return result;
  }
  if (lhs.isNumber() && rhs.isNumber())
    return foldFloats(op, lhs.getDouble(), rhs.getDouble());
  if (op == BinaryOp::Add && lhs.isString() && rhs.isString()) {
    if (lhs.getText().size() + rhs.getText().size() > kMaxSequence)
      return tooLong("string");
    return Value::string((lhs.getText() + rhs.getText()).str());
  }
  if (op == BinaryOp::Add && lhs.isTuple() && rhs.isTuple()) {
    if (lhs.getElements().size() + rhs.getElements().size() > kMaxSequence)
      return tooLong("tuple");
    std::vector<Value> elements(lhs.getElements());
    elements.insert(elements.end(), rhs.getElements().begin(), rhs.getElements().end());
    return Value::tuple(std::move(elements));
  }
  if (op == BinaryOp::Mul && (lhs.isTuple() || lhs.isString()) && rhs.isIntegral())
    return repeat(lhs, rhs.getInt());
  if (op == BinaryOp::Mul && (rhs.isTuple() || rhs.isString()) && lhs.isIntegral())
    return repeat(rhs, lhs.getInt());
  if (op == BinaryOp::Mod && lhs.isString())
    return formatPercent(lhs.getText(), rhs);
  return unsupported(ast::getSpelling(op), lhs, rhs);
}

Folded foldUnary(UnaryOp op, const Value &operand) {
  if (op == UnaryOp::Not)
    return Value::boolean(!operand.isTruthy());
  if (operand.isIntegral()) {
    switch (op) {
    case UnaryOp::Plus:
      return Value::integer(operand.getInt());
    case UnaryOp::Minus:
      return foldInts(BinaryOp::Sub, 0, operand.getInt());
    default:
      return Value::integer(~operand.getInt());
    }
  }
  if (operand.is(Value::Kind::Float) && op != UnaryOp::Invert)
    return Value::floating(op == UnaryOp::Minus ? -operand.getDouble() : operand.getDouble());
  return Folded::failure(
      ("cannot apply '" + ast::getSpelling(op) + "' to " + operand.describe()).str());
}

template <typename T>
static bool compare(CompareOp op, const T &lhs, const T &rhs) {
  switch (op) {
  case CompareOp::Lt:
    return lhs < rhs;
  case CompareOp::LtE:
    return lhs <= rhs;
  case CompareOp::Gt:
    return lhs > rhs;
  default:
    return lhs >= rhs;
  }
}

Folded foldCompare(CompareOp op, const Value &lhs, const Value &rhs) {
  switch (op) {
  case CompareOp::Eq:
    return Value::boolean(lhs.isSame(rhs));
  case CompareOp::NotEq:
    return Value::boolean(!lhs.isSame(rhs));
  case CompareOp::Is:
  case CompareOp::IsNot: {
    bool same = lhs.getKind() == rhs.getKind() && lhs.isSame(rhs);
    return Value::boolean(same == (op == CompareOp::Is));
  }
  case CompareOp::In:
  case CompareOp::NotIn: {
    bool found = false;
    if (lhs.isString() && rhs.isString())
      found = rhs.getText().contains(lhs.getText());
    else if (rhs.is(Value::Kind::Dict))
      found = findEntry(rhs, lhs).has_value();
    else if (rhs.isTuple())
      for (const Value &element : rhs.getElements())
        found |= element.isSame(lhs);
    else if (rhs.is(Value::Kind::Module) && rhs.getText() == "os.environ")
      found = false;
    else
      return unsupported(ast::getSpelling(op), lhs, rhs);
    return Value::boolean(found == (op == CompareOp::In));
  }
  default:
    break;
  }
  if (lhs.isIntegral() && rhs.isIntegral())
    return Value::boolean(compare(op, lhs.getInt(), rhs.getInt()));
  if (lhs.isNumber() && rhs.isNumber())
    return Value::boolean(compare(op, lhs.getDouble(), rhs.getDouble()));
  if (lhs.isString() && rhs.isString())
    return Value::boolean(compare(op, lhs.getText(), rhs.getText()));
  if (lhs.isTuple() && rhs.isTuple()) {
    // The first elements that differ decide.
    for (auto [a, b] : llvm::zip(lhs.getElements(), rhs.getElements()))
      if (!a.isSame(b))
        return foldCompare(op, a, b);
    return Value::boolean(compare(op, lhs.getElements().size(), rhs.getElements().size()));
  }
  return unsupported(ast::getSpelling(op), lhs, rhs);
}

Folded foldSubscript(const Value &base, const Value &index) {
  if (!index.isIntegral())
    return Folded::failure("index of " + base.describe() + " must be a constexpr int, not " +
                           index.describe());
  std::vector<llvm::StringRef> characters = listCharacters(base.isString() ? base.getText() : "");
  Int size = base.isString() ? characters.size() : base.getElements().size();
  Int position = index.getInt() < 0 ? index.getInt() + size : index.getInt();
  if (position < 0 || position >= size)
    return Folded::failure("index " + intToString(index.getInt()) + " is out of range for " +
                           (base.isString() ? "a string of " : "a tuple of ") + intToString(size));
  if (base.isString())
    return Value::string(characters[static_cast<size_t>(position)]);
  return base.getElements()[static_cast<size_t>(position)];
}

Folded foldSlice(const Value &base, const Value &start, const Value &stop, const Value &step) {
  for (const Value *bound : {&start, &stop, &step})
    if (!bound->isNone() && !bound->isIntegral())
      return Folded::failure("a slice of " + base.describe() + " takes constexpr ints, not " +
                             bound->describe());
  std::optional<std::vector<Value>> elements = listElements(base);
  if (!elements)
    return Folded::failure("cannot take a slice of " + base.describe());
  Int size = static_cast<Int>(elements->size()), by = step.isNone() ? Int(1) : step.getInt();
  if (by == 0)
    return Folded::failure("the step of a slice cannot be 0");
  by = std::clamp(by, -size - 1, size + 1);
  // The places that a bound may take; past the front a slice that goes down ends.
  Int least = by < 0 ? -1 : 0, most = by < 0 ? size - 1 : size;
  auto place = [&](const Value &bound, Int otherwise) {
    if (bound.isNone())
      return otherwise;
    Int at = bound.getInt() < 0 ? bound.getInt() + size : bound.getInt();
    return std::max(least, std::min(at, most));
  };
  Int first = place(start, by < 0 ? most : least), last = place(stop, by < 0 ? least : most);
  std::vector<Value> taken;
  std::string text;
  for (Int i = first; by < 0 ? i > last : i < last; i += by) {
    taken.push_back((*elements)[static_cast<size_t>(i)]);
    text += taken.back().getText();
  }
  return base.isString() ? Value::string(text) : Value::tuple(std::move(taken));
}

static Folded toInteger(double value) {
  if (std::isnan(value) || std::fabs(value) >= 0x1p126)
    return Folded::failure("constant does not fit in an integer");
  return Value::integer(static_cast<Int>(value));
}

Folded foldMath(llvm::StringRef name, llvm::ArrayRef<Value> args) {
  for (const Value &arg : args)
    if (!arg.isNumber())
      return Folded::failure(
          ("'math." + name + "' takes compile-time numbers, not " + arg.describe()).str());
  double x = args.empty() ? 0 : args[0].getDouble();
  double y = args.size() < 2 ? 0 : args[1].getDouble();
  if (name == "ceil" || name == "floor" || name == "trunc") {
    if (args[0].isIntegral())
      return Value::integer(args[0].getInt());
    return toInteger(name == "ceil" ? std::ceil(x) : name == "floor" ? std::floor(x) : x);
  }
  if (name == "log" && args.size() == 2)
    return y > 0 && x > 0 && y != 1 ? Folded(Value::floating(std::log(x) / std::log(y)))
                                    : Folded::failure("logarithm of a constant is not defined");
  if (name == "isnan" || name == "isinf")
    return Value::boolean(name == "isnan" ? std::isnan(x) : std::isinf(x));
  double result = llvm::StringSwitch<double>(name)
                      .Case("sqrt", std::sqrt(x))
                      .Case("exp", std::exp(x))
                      .Case("exp2", std::exp2(x))
                      .Case("log", std::log(x))
                      .Case("log2", std::log2(x))
                      .Case("log10", std::log10(x))
                      .Case("log1p", std::log1p(x))
                      .Case("sin", std::sin(x))
                      .Case("cos", std::cos(x))
                      .Case("tan", std::tan(x))
                      .Case("tanh", std::tanh(x))
                      .Case("atan", std::atan(x))
                      .Case("erf", std::erf(x))
                      .Case("fabs", std::fabs(x))
                      .Case("pow", std::pow(x, y))
                      .Case("fmod", std::fmod(x, y))
                      .Default(std::nan(""));
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y))
    return Folded::failure(("'math." + name + "' is not defined for this constant").str());
  return Value::floating(result);
}

} // namespace tilec::frontend
