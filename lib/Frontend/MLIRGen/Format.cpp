// Python's ways of making text of values: format specifications, `str.format` and `%`.
#include "lib/Frontend/MLIRGen/Format.h"

#include "lib/Support/Unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

namespace tilec::frontend {

std::vector<llvm::StringRef> listCharacters(llvm::StringRef text) {
  std::vector<llvm::StringRef> characters;
  for (size_t pos = 0; pos < text.size(); pos += characters.back().size())
    characters.push_back(text.substr(pos, decodeUTF8(text, pos).length));
  return characters;
}

namespace {
/// `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.
struct FormatSpec {
  llvm::StringRef fill = " ";
  char align = 0, sign = '-', grouping = 0, type = 0;
  bool isAlternate = false;
  /// A 0 before the width, without an alignment.
  bool isZeroFilled = false;
  unsigned width = 0;
  std::optional<unsigned> precision;
};
} // namespace

/// Most characters that a format makes of one value.
static constexpr unsigned kMaxWidth = 4096;

static bool readNumber(llvm::StringRef &text, unsigned &number) {
  return !text.consumeInteger(10, number) && number <= kMaxWidth;
}

static std::optional<FormatSpec> readSpec(llvm::StringRef text) {
  FormatSpec spec;
  llvm::StringRef aligns = "<>=^";
  size_t first = text.empty() ? 0 : decodeUTF8(text, 0).length;
  bool hasFill = text.size() > first && aligns.contains(text[first]);
  if (hasFill) {
    spec.fill = text.take_front(first);
    spec.align = text[first];
    text = text.drop_front(first + 1);
  } else if (!text.empty() && aligns.contains(text.front())) {
    spec.align = text.front();
    text = text.drop_front();
  }
  if (!text.empty() && llvm::StringRef("+- ").contains(text.front())) {
    spec.sign = text.front();
    text = text.drop_front();
  }
  text.consume_front("z");
  spec.isAlternate = text.consume_front("#");
  if (text.starts_with("0")) {
    spec.isZeroFilled = !spec.align;
    spec.align = spec.align ? spec.align : '=';
    spec.fill = hasFill ? spec.fill : "0";
  }
  if (!text.empty() && llvm::isDigit(text.front()) && !readNumber(text, spec.width))
    return std::nullopt;
  if (!text.empty() && (text.front() == ',' || text.front() == '_')) {
    spec.grouping = text.front();
    text = text.drop_front();
  }
  if (text.consume_front(".")) {
    unsigned precision = 0;
    if (text.empty() || !llvm::isDigit(text.front()) || !readNumber(text, precision))
      return std::nullopt;
    spec.precision = precision;
  }
  if (!text.empty()) {
    spec.type = text.front();
    text = text.drop_front();
  }
  return text.empty() ? std::optional(spec) : std::nullopt;
}

/// Digits in groups, from the right up to the first one.
static std::string group(llvm::StringRef digits, char separator, size_t size) {
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % size == 0)
      result += separator;
    result += digits[i];
  }
  return result;
}

/// Digits in groups, with as many zeros before them as fill the width; `rest` is around them.
static std::string groupFilled(const FormatSpec &spec, llvm::StringRef digits, size_t size,
                               size_t rest) {
  std::string filled = digits.str(), result = group(filled, spec.grouping, size);
  while (spec.fill == "0" && spec.align == '=' && result.size() + rest < spec.width) {
    filled.insert(0, "0");
    result = group(filled, spec.grouping, size);
  }
  return result;
}

/// The text between its sign and what fills the width.
static std::string pad(const FormatSpec &spec, llvm::StringRef sign, llvm::StringRef body,
                       char align) {
  size_t length = sign.size() + listCharacters(body).size();
  size_t missing = spec.width > length ? spec.width - length : 0;
  if (spec.align)
    align = spec.align;
  size_t left = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  auto fill = [&](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
      text += spec.fill;
    return text;
  };
  std::string number = (sign + body).str();
  if (align == '=')
    return sign.str() + fill(missing) + body.str();
  return fill(left) + number + fill(missing - left);
}

static llvm::StringRef signOf(const FormatSpec &spec, bool isNegative) {
  return isNegative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

static std::string formatInteger(const FormatSpec &spec, Int value) {
  bool isNegative = value < 0;
  auto rest = static_cast<unsigned __int128>(value);
  if (isNegative)
    rest = 0 - rest;
  unsigned base = spec.type == 'b'                       ? 2
                  : spec.type == 'o'                     ? 8
                  : spec.type == 'x' || spec.type == 'X' ? 16
                                                         : 10;
  std::string digits;
  do {
    digits += llvm::hexdigit(static_cast<unsigned>(rest % base), /*LowerCase=*/spec.type != 'X');
    rest /= base;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  std::string sign = signOf(spec, isNegative).str();
  if (spec.isAlternate && base != 10)
    sign += std::string("0") + spec.type;
  if (spec.grouping)
    digits = groupFilled(spec, digits, base == 10 ? 3 : 4, sign.size());
  return pad(spec, sign, digits, '>');
}

/// printf's text of a finite number.
static std::string print(const char *flags, unsigned precision, char type, double value) {
  std::string format = std::string("%") + flags + ".*" + type;
  std::string text(kMaxWidth + 512, '\0');
  int length = std::snprintf(text.data(), text.size(), format.c_str(), precision, value);
  text.resize(static_cast<size_t>(std::max(length, 0)));
  return text;
}

static std::string formatFloat(const FormatSpec &spec, double value) {
  bool isNegative = std::signbit(value) && !std::isnan(value);
  double magnitude = std::fabs(value);
  char type = spec.type;
  std::string body;
  if (!std::isfinite(value)) {
    body = std::isnan(value) ? "nan" : "inf";
    if (type == 'F' || type == 'E' || type == 'G')
      body = llvm::StringRef(body).upper();
    if (type == '%')
      body += "%";
  } else if (type == 0 && !spec.precision) {
    body = Value::floating(magnitude).toPython();
  } else if (type == 0) {
    // As 'g', but with a digit past the point.
    unsigned precision = std::max(*spec.precision, 1u);
    body = print("", precision, 'g', magnitude);
    if (llvm::StringRef(body).find_first_of(".e") == llvm::StringRef::npos)
      body += ".0";
  } else if (type == '%') {
    body = print("", spec.precision.value_or(6), 'f', magnitude * 100) + "%";
  } else {
    unsigned precision = spec.precision.value_or(6);
    body = print(spec.isAlternate ? "#" : "", precision, type == 'n' ? 'g' : type, magnitude);
  }
  llvm::StringRef sign = signOf(spec, isNegative);
  if (spec.grouping && std::isfinite(value)) {
    size_t whole = llvm::StringRef(body).find_first_not_of("0123456789");
    std::string rest = body.substr(std::min(whole, body.size()));
    body = groupFilled(spec, llvm::StringRef(body).drop_back(rest.size()), 3,
                       sign.size() + rest.size()) +
           rest;
  }
  return pad(spec, sign, body, '>');
}

static std::string formatString(FormatSpec spec, llvm::StringRef text) {
  // Zeros come after a text.
  if (spec.isZeroFilled)
    spec.align = '<';
  std::string kept;
  for (auto [index, character] : llvm::enumerate(listCharacters(text)))
    if (!spec.precision || index < *spec.precision)
      kept += character;
  return pad(spec, "", kept, '<');
}

static Folded format(const FormatSpec &spec, const Value &value) {
  auto fail = [&]() {
    return Folded::failure("the format '" + std::string(1, spec.type) + "' does not take " +
                           value.describe());
  };
  llvm::StringRef integers = "bodxXn", floats = "eEfFgG%n";
  bool isPlain = spec.type == 0;
  if (value.isIntegral()) {
    if (spec.type == 'c' && value.getInt() >= 0 && value.getInt() <= 0x10FFFF) {
      llvm::SmallString<4> character;
      appendUTF8(character, static_cast<uint32_t>(value.getInt()));
      return Value::string(pad(spec, "", character, '<'));
    }
    if (isPlain || integers.contains(spec.type))
      return spec.precision ? Folded::failure("the format of an int has no precision, which '" +
                                              value.toPython() + "' is given")
                            : Folded(Value::string(formatInteger(spec, value.getInt())));
    if (floats.contains(spec.type))
      return Value::string(formatFloat(spec, value.getDouble()));
    return fail();
  }
  if (value.is(Value::Kind::Float))
    return isPlain || floats.contains(spec.type)
               ? Folded(Value::string(formatFloat(spec, value.getDouble())))
               : fail();
  if (!isPlain && spec.type != 's')
    return fail();
  return Value::string(formatString(spec, value.toPython()));
}

Folded formatValue(const Value &value, llvm::StringRef spec) {
  if (spec.empty())
    return Value::string(value.toPython());
  std::optional<FormatSpec> read = readSpec(spec);
  if (!read)
    return Folded::failure(("'" + spec + "' is no format").str());
  return format(*read, value);
}

/// The position of the brace that closes the one before `text`.
static size_t findClosing(llvm::StringRef text) {
  unsigned open = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '{';
    open -= text[i] == '}';
    if (open == 0)
      return i;
  }
  return llvm::StringRef::npos;
}

/// Fields in the specification of a field that is itself in one are errors in Python too.
static constexpr unsigned kMaxFieldDepth = 2;

static Folded formatText(llvm::StringRef text, FindField find, unsigned depth) {
  if (depth == kMaxFieldDepth && text.contains('{'))
    return Folded::failure("the fields of a format nest too deep; format the inner one before");
  std::string result;
  while (!text.empty()) {
    size_t brace = text.find_first_of("{}");
    result += text.take_front(brace);
    text = text.substr(brace);
    if (text.empty())
      break;
    if (text.size() > 1 && text[0] == text[1]) {
      result += text[0];
      text = text.drop_front(2);
      continue;
    }
    size_t end = text[0] == '{' ? findClosing(text.drop_front()) : llvm::StringRef::npos;
    if (end == llvm::StringRef::npos)
      return Folded::failure(std::string("a single '") + text[0] + "' in the text of 'format'");
    auto [field, spec] = text.substr(1, end).split(':');
    text = text.drop_front(end + 2);
    auto [name, conversion] = field.split('!');
    Folded value = find(name);
    if (!value.error.empty())
      return value;
    Folded nested = formatText(spec, find, depth + 1);
    if (!nested.error.empty())
      return nested;
    if (!conversion.empty())
      value = Value::string(value.value.toPython(/*repr=*/conversion != "s"));
    Folded formatted = formatValue(value.value, nested.value.getText());
    if (!formatted.error.empty())
      return formatted;
    result += formatted.value.getText();
    if (result.size() > kMaxSequence)
      return tooLong("string");
  }
  return Value::string(result);
}

Folded formatText(llvm::StringRef text, FindField find) { return formatText(text, find, 0); }

Folded formatPercent(llvm::StringRef text, const Value &values) {
  llvm::ArrayRef<Value> list =
      values.isTuple() ? values.getElements() : llvm::ArrayRef<Value>(values);
  std::string result;
  size_t next = 0;
  bool isNamed = false;
  auto take = [&]() { return next < list.size() ? &list[next++] : nullptr; };
  while (!text.empty()) {
    size_t percent = text.find('%');
    result += text.take_front(percent);
    text = text.substr(percent);
    if (!text.consume_front("%"))
      break;
    if (text.consume_front("%")) {
      result += '%';
      continue;
    }
    const Value *value = nullptr;
    std::optional<Value> named;
    if (text.consume_front("(")) {
      auto [name, rest] = text.split(')');
      isNamed = true;
      if (values.is(Value::Kind::Dict))
        named = findEntry(values, Value::string(name));
      if (!named)
        return Folded::failure(("'%' finds no '" + name + "' in " + values.describe()).str());
      value = &*named;
      text = rest;
    }
    FormatSpec spec;
    spec.align = '>';
    for (; !text.empty() && llvm::StringRef("-+ #0").contains(text.front());
         text = text.drop_front()) {
      if (text.front() == '-')
        spec.align = '<';
      else if (text.front() == '#')
        spec.isAlternate = true;
      else if (text.front() != '0')
        spec.sign = text.front();
      else if (spec.align != '<') {
        spec.fill = "0";
        spec.align = '=';
      }
    }
    unsigned number = 0;
    if (!text.empty() && llvm::isDigit(text.front()) && !readNumber(text, spec.width))
      return Folded::failure("the width of a '%' is too large");
    if (text.consume_front(".")) {
      if (!text.empty() && llvm::isDigit(text.front()) && !readNumber(text, number))
        return Folded::failure("the precision of a '%' is too large");
      spec.precision = number;
    }
    if (!value)
      value = take();
    if (text.empty() || !value)
      return Folded::failure(text.empty() ? "a '%' ends the text" : "'%' has too few values");
    char type = text.front();
    text = text.drop_front();
    bool isText = type == 's' || type == 'r' || type == 'a';
    spec.type = type == 'i' || type == 'u' ? 'd' : isText ? 's' : type;
    if (isText && spec.fill == "0") {
      spec.fill = " ";
      spec.align = '>';
    }
    Value shown = isText ? Value::string(value->toPython(type != 's')) : *value;
    // A float is cut off, as int() does.
    if (spec.type == 'd' && value->is(Value::Kind::Float) &&
        std::fabs(value->getDouble()) < 0x1p100)
      shown = Value::integer(static_cast<Int>(value->getDouble()));
    Folded formatted = format(spec, shown);
    if (!formatted.error.empty())
      return formatted;
    result += formatted.value.getText();
    if (result.size() > kMaxSequence)
      return tooLong("string");
  }
  if (next < list.size() && !isNamed && (values.isTuple() || next == 0))
    return Folded::failure("'%' does not use all of its values");
  return Value::string(result);
}

} // namespace tilec::frontend
