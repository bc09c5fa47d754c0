// The methods of strings, as Python has them at compile time.
#include "lib/Frontend/MLIRGen/Format.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"

namespace tilec::frontend {

static constexpr llvm::StringRef kBlanks = " \t\n\r\f\v";

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

static Value emitStrip(Generator &, const CallArgs &args) {
  llvm::StringRef text = args[0].getText(), name = args.builtin->name;
  llvm::StringRef chars = args.has(1) && args[1].isString() ? args[1].getText() : kBlanks;
  return Value::string(name == "strip"    ? text.trim(chars)
                       : name == "lstrip" ? text.ltrim(chars)
                                          : text.rtrim(chars));
}

static Value emitChangeCase(Generator &, const CallArgs &args) {
  llvm::StringRef name = args.builtin->name;
  std::string text = args[0].getText().str();
  bool isInWord = false;
  for (char &c : text) {
    bool isUpper = name == "upper" || (name == "title" && !isInWord) ||
                   (name == "swapcase" && !llvm::isUpper(c));
    c = isUpper ? llvm::toUpper(c) : llvm::toLower(c);
    isInWord = llvm::isAlpha(c);
  }
  if (name == "capitalize" && !text.empty())
    text[0] = llvm::toUpper(text[0]);
  return Value::string(text);
}

static Value emitTestEnd(Generator &g, const CallArgs &args) {
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

/// `split` and `rsplit`, at most `maxsplit` times.
static Value emitSplit(Generator &g, const CallArgs &args) {
  bool isReverse = args.builtin->name == "rsplit";
  std::optional<Int> most = args.has(2) ? g.getConstInt(args, 2) : std::optional<Int>(-1);
  std::optional<std::string> separator = args.has(1) ? readText(g, args, 1) : std::string();
  if (!most || !separator)
    return Value();
  if (args.has(1) && separator->empty())
    return g.error(args.ranges[1]) << "the separator of '" << args.builtin->name << "' is empty";
  llvm::StringRef rest = args[0].getText();
  bool isBlank = separator->empty();
  if (isBlank)
    rest = isReverse ? rest.rtrim(kBlanks) : rest.ltrim(kBlanks);
  std::vector<Value> parts;
  while (*most < 0 || static_cast<Int>(parts.size()) < *most) {
    size_t at = isBlank     ? (isReverse ? rest.find_last_of(kBlanks) : rest.find_first_of(kBlanks))
                : isReverse ? rest.rfind(*separator)
                            : rest.find(*separator);
    if (at == llvm::StringRef::npos)
      break;
    llvm::StringRef before = rest.take_front(at);
    llvm::StringRef after = rest.drop_front(at + (isBlank ? 1 : separator->size()));
    if (isBlank) {
      before = before.rtrim(kBlanks);
      after = after.ltrim(kBlanks);
    }
    parts.push_back(Value::string(isReverse ? after : before));
    rest = isReverse ? before : after;
  }
  if (!isBlank || !rest.empty())
    parts.push_back(Value::string(rest));
  if (isReverse)
    std::reverse(parts.begin(), parts.end());
  return Value::tuple(std::move(parts));
}

static Value emitPartition(Generator &g, const CallArgs &args) {
  std::optional<std::string> separator = readText(g, args, 1);
  if (!separator)
    return Value();
  if (separator->empty())
    return g.error(args.ranges[1]) << "the separator of '" << args.builtin->name << "' is empty";
  llvm::StringRef text = args[0].getText();
  bool isReverse = args.builtin->name == "rpartition";
  size_t at = isReverse ? text.rfind(*separator) : text.find(*separator);
  if (at == llvm::StringRef::npos) {
    Value empty = Value::string("");
    return isReverse ? Value::tuple({empty, empty, args[0]})
                     : Value::tuple({args[0], empty, empty});
  }
  return Value::tuple({Value::string(text.take_front(at)), Value::string(*separator),
                       Value::string(text.drop_front(at + separator->size()))});
}

static Value emitSplitLines(Generator &, const CallArgs &args) {
  std::vector<Value> lines;
  for (llvm::StringRef rest = args[0].getText(); !rest.empty();) {
    size_t end = rest.find_first_of("\r\n");
    lines.push_back(Value::string(rest.take_front(end)));
    rest = rest.substr(end);
    if (!rest.consume_front("\r\n"))
      rest = rest.drop_front(rest.empty() ? 0 : 1);
  }
  return Value::tuple(std::move(lines));
}

static Value emitReplace(Generator &g, const CallArgs &args) {
  std::optional<std::string> from = readText(g, args, 1), to = readText(g, args, 2);
  std::optional<Int> most = args.has(3) ? g.getConstInt(args, 3) : std::optional<Int>(-1);
  if (!from || !to || !most)
    return Value();
  if (from->empty())
    return g.error(args.ranges[1]) << "what 'replace' replaces is empty";
  std::string text = args[0].getText().str();
  for (size_t at = text.find(*from);
       at != std::string::npos && text.size() <= kMaxSequence && *most != 0;
       at = text.find(*from, at + to->size()), --*most)
    text.replace(at, from->size(), *to);
  return makeText(g, args, text);
}

static Value emitRemoveEnd(Generator &g, const CallArgs &args) {
  std::optional<std::string> end = readText(g, args, 1);
  if (!end)
    return Value();
  llvm::StringRef text = args[0].getText();
  if (args.builtin->name == "removeprefix")
    text.consume_front(*end);
  else
    text.consume_back(*end);
  return Value::string(text);
}

static Value emitJoin(Generator &g, const CallArgs &args) {
  std::optional<std::vector<Value>> elements = listElements(args[1]);
  if (!elements)
    return g.error(args.ranges[1]) << "'join' takes strings, not " << args[1].describe();
  std::string text;
  for (auto [index, element] : llvm::enumerate(*elements)) {
    if (!element.isString())
      return g.error(args.ranges[1]) << "'join' takes strings, not " << element.describe();
    text += (index ? args[0].getText() : llvm::StringRef()).str() + element.getText().str();
    if (text.size() > kMaxSequence)
      break;
  }
  return makeText(g, args, text);
}

/// `find`, `rfind`, `index`, `rindex` and `count`; places are counted in characters.
static Value emitFindText(Generator &g, const CallArgs &args) {
  std::optional<std::string> part = readText(g, args, 1);
  if (!part)
    return Value();
  llvm::StringRef text = args[0].getText(), name = args.builtin->name;
  if (name == "count")
    return Value::integer(
        static_cast<Int>(part->empty() ? listCharacters(text).size() + 1 : text.count(*part)));
  size_t at = name.starts_with("r") ? text.rfind(*part) : text.find(*part);
  if (at != llvm::StringRef::npos)
    return Value::integer(static_cast<Int>(listCharacters(text.take_front(at)).size()));
  if (name.ends_with("find"))
    return Value::integer(-1);
  return g.error(args.ranges[1]) << args[1].describe() << " is not in " << args[0].describe();
}

/// `ljust`, `rjust`, `center` and `zfill`.
static Value emitFill(Generator &g, const CallArgs &args) {
  std::optional<Int> width = g.getConstInt(args, 1);
  bool isNumber = args.builtin->name == "zfill";
  std::optional<std::string> fill = isNumber                                ? std::string("0")
                                    : args.values.size() > 2 && args.has(2) ? readText(g, args, 2)
                                                                            : std::string(" ");
  if (!width || !fill)
    return Value();
  llvm::StringRef text = args[0].getText(), name = args.builtin->name, sign;
  Int missing = *width - static_cast<Int>(listCharacters(text).size());
  if (missing <= 0)
    return args[0];
  if (missing > static_cast<Int>(kMaxSequence))
    missing = kMaxSequence + 1;
  if (isNumber && (text.starts_with("-") || text.starts_with("+"))) {
    sign = text.take_front(1);
    text = text.drop_front();
  }
  Int left = name == "ljust"    ? 0
             : name == "center" ? missing / 2 + (missing & *width & 1)
                                : missing;
  std::string result = sign.str();
  for (Int i = 0; i < left; ++i)
    result += *fill;
  result += text;
  for (Int i = left; i < missing; ++i)
    result += *fill;
  return makeText(g, args, result);
}

/// `isdigit`, `isalpha`, `islower` and their like, of ASCII.
static Value emitTestText(Generator &, const CallArgs &args) {
  llvm::StringRef text = args[0].getText(), name = args.builtin->name;
  auto all = [&](bool (*test)(char)) {
    return Value::boolean(!text.empty() && llvm::all_of(text, test));
  };
  if (name == "isalpha")
    return all(llvm::isAlpha);
  if (name == "isalnum")
    return all(llvm::isAlnum);
  if (name == "isspace")
    return all(llvm::isSpace);
  if (name == "isidentifier")
    return Value::boolean(!text.empty() && !llvm::isDigit(text[0]) &&
                          llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; }));
  if (name == "isupper")
    return Value::boolean(llvm::any_of(text, llvm::isUpper) && llvm::none_of(text, llvm::isLower));
  if (name == "islower")
    return Value::boolean(llvm::any_of(text, llvm::isLower) && llvm::none_of(text, llvm::isUpper));
  return all(llvm::isDigit);
}

/// `text.format(...)`: fields by number, by name, or one after the other.
static Value emitFormat(Generator &g, const CallArgs &args) {
  size_t next = 0;
  auto find = [&](llvm::StringRef field) -> Folded {
    size_t end = std::min(field.find_first_of(".["), field.size());
    llvm::StringRef name = field.take_front(end), path = field.drop_front(end);
    Value value;
    size_t number = next;
    if (name.empty() || !name.getAsInteger(10, number)) {
      next += name.empty();
      llvm::ArrayRef<Value> values =
          args[1].isTuple() ? args[1].getElements() : llvm::ArrayRef<Value>();
      if (number >= values.size())
        return Folded::failure("'format' has no argument for '{" + field.str() + "}'");
      value = values[number];
    } else {
      std::optional<Value> named =
          args[2].is(Value::Kind::Dict) ? findEntry(args[2], Value::string(name)) : std::nullopt;
      if (!named)
        return Folded::failure("'format' has no argument for '{" + field.str() + "}'");
      value = *named;
    }
    while (!path.empty() && !value.isPoison()) {
      bool isIndex = path.consume_front("[");
      if (!isIndex)
        path.consume_front(".");
      size_t stop = std::min(isIndex ? path.find(']') : path.find_first_of(".["), path.size());
      llvm::StringRef part = path.take_front(stop);
      path = path.drop_front(stop);
      path.consume_front("]");
      int64_t index = 0;
      if (!isIndex) {
        value = g.tryAttribute(value, part, args.range);
      } else if (value.is(Value::Kind::Dict)) {
        value = findEntry(value, Value::string(part)).value_or(Value());
      } else if (part.getAsInteger(10, index) || !(value.isTuple() || value.isString())) {
        value = Value();
      } else {
        Folded element = foldSubscript(value, Value::integer(index));
        if (!element.error.empty())
          return element;
        value = element.value;
      }
    }
    if (value.isPoison())
      return Folded::failure("'format' finds no '{" + field.str() + "}'");
    if (value.isTensor())
      return Folded::failure("'format' takes compile-time values, not " + value.describe());
    return value;
  };
  Folded result = formatText(args[0].getText(), find);
  return result.error.empty() ? result.value : Value(g.error(args.range) << result.error);
}

/// `format(value, spec)`.
static Value emitFormatValue(Generator &g, const CallArgs &args) {
  std::optional<std::string> spec = args.has(1) ? readText(g, args, 1) : std::string();
  if (!spec)
    return Value();
  if (args[0].isTensor())
    return g.error(args.ranges[0])
           << "'format' takes compile-time values, not " << args[0].describe();
  Folded result = formatValue(args[0], *spec);
  return result.error.empty() ? result.value : Value(g.error(args.range) << result.error);
}

llvm::ArrayRef<Builtin> getStringBuiltins() {
  static constexpr Builtin table[] = {
      {"capitalize", "str", "self", emitChangeCase},
      {"lower", "str", "self", emitChangeCase},
      {"casefold", "str", "self", emitChangeCase},
      {"swapcase", "str", "self", emitChangeCase},
      {"title", "str", "self", emitChangeCase},
      {"upper", "str", "self", emitChangeCase},
      {"strip", "str", "self chars?", emitStrip},
      {"lstrip", "str", "self chars?", emitStrip},
      {"rstrip", "str", "self chars?", emitStrip},
      {"startswith", "str", "self prefix", emitTestEnd},
      {"endswith", "str", "self suffix", emitTestEnd},
      {"removeprefix", "str", "self prefix", emitRemoveEnd},
      {"removesuffix", "str", "self suffix", emitRemoveEnd},
      {"split", "str", "self sep? maxsplit?", emitSplit},
      {"rsplit", "str", "self sep? maxsplit?", emitSplit},
      {"splitlines", "str", "self", emitSplitLines},
      {"partition", "str", "self sep", emitPartition},
      {"rpartition", "str", "self sep", emitPartition},
      {"replace", "str", "self old new count?", emitReplace},
      {"join", "str", "self iterable", emitJoin},
      {"find", "str", "self sub", emitFindText},
      {"rfind", "str", "self sub", emitFindText},
      {"index", "str", "self sub", emitFindText},
      {"rindex", "str", "self sub", emitFindText},
      {"count", "str", "self sub", emitFindText},
      {"ljust", "str", "self width fillchar?", emitFill},
      {"rjust", "str", "self width fillchar?", emitFill},
      {"center", "str", "self width fillchar?", emitFill},
      {"zfill", "str", "self width", emitFill},
      {"isalnum", "str", "self", emitTestText},
      {"isalpha", "str", "self", emitTestText},
      {"isdecimal", "str", "self", emitTestText},
      {"isdigit", "str", "self", emitTestText},
      {"isidentifier", "str", "self", emitTestText},
      {"islower", "str", "self", emitTestText},
      {"isnumeric", "str", "self", emitTestText},
      {"isspace", "str", "self", emitTestText},
      {"isupper", "str", "self", emitTestText},
      {"format", "str", "self *arguments **named", emitFormat},
      {"format", "", "value spec?", emitFormatValue},
  };
  return table;
}

} // namespace tilec::frontend
