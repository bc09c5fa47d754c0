// Reads a command line by a table of options.

#include "lib/Driver/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace tilec {

std::string spellOption(StringRef name) { return (name.size() == 1 ? "-" : "--") + name.str(); }

std::string joinNames(ArrayRef<StringRef> names) {
  std::string text;
  for (auto [index, name] : enumerate(names)) {
    if (index)
      text += index + 1 == names.size() ? " or " : ", ";
    text += ("'" + name + "'").str();
  }
  return text;
}

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// The error for a word that no option has: with the nearest option, if one is near.
static Error makeUnknownOption(ArrayRef<OptionSpec> table, StringRef word) {
  StringRef name = word.ltrim('-').split('=').first;
  const OptionSpec *nearest = nullptr;
  // A word of one dash that is an option with two is as near as can be.
  unsigned best = std::max<size_t>(2, name.size() / 3) + 1;
  for (const OptionSpec &option : table) {
    if (option.name.size() == 1)
      continue;
    unsigned distance = name.edit_distance(option.name, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = &option;
    }
  }
  std::string hint = nearest ? "; did you mean '" + spellOption(nearest->name) + "'?"
                             : "; --help lists the options";
  return fail("unknown option '" + word.split('=').first + "'" + hint);
}

/// Splits a word into an option of the table and, if it holds one, its value.
static const OptionSpec *findOption(ArrayRef<OptionSpec> table, StringRef word,
                                    std::optional<StringRef> &value) {
  for (const OptionSpec &option : table) {
    StringRef rest = word;
    if (!rest.consume_front(spellOption(option.name)))
      continue;
    if (rest.empty())
      return &option;
    if (option.name.size() == 1 && option.kind == OptionSpec::Flag)
      continue;
    if (option.name.size() > 1 && !rest.consume_front("="))
      continue;
    value = rest;
    return &option;
  }
  return nullptr;
}

Expected<CommandLine> CommandLine::parse(ArrayRef<OptionSpec> table, ArrayRef<const char *> args) {
  CommandLine result;
  bool optionsEnded = false;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef word = args[i];
    if (optionsEnded || word == "-" || !word.starts_with("-")) {
      result.positional.push_back(word);
      continue;
    }
    if (word == "--") {
      optionsEnded = true;
      continue;
    }
    std::optional<StringRef> value;
    const OptionSpec *option = findOption(table, word, value);
    if (!option)
      return makeUnknownOption(table, word);
    std::string spelling = spellOption(option->name);
    if (option->kind == OptionSpec::Flag) {
      if (value)
        return fail("'" + spelling + "' takes no value");
      result.options.push_back({option->name, ""});
      continue;
    }
    if (!value) {
      if (i + 1 == args.size())
        return fail("'" + spelling + "' needs a value");
      value = args[++i];
    }
    result.options.push_back({option->name, *value});
  }
  return result;
}

bool CommandLine::has(StringRef name) const { return get(name).has_value(); }

std::optional<StringRef> CommandLine::get(StringRef name) const {
  for (const auto &[option, value] : reverse(options))
    if (option == name)
      return value;
  return std::nullopt;
}

std::vector<std::string> CommandLine::getAll(StringRef name) const {
  std::vector<std::string> values;
  for (const auto &[option, value] : options)
    if (option == name)
      values.push_back(value.str());
  return values;
}

Expected<std::optional<uint64_t>> CommandLine::getNumber(StringRef name, uint64_t low,
                                                         uint64_t high) const {
  std::optional<StringRef> text = get(name);
  if (!text)
    return std::optional<uint64_t>();
  uint64_t value = 0;
  if (text->getAsInteger(10, value) || value < low || value > high)
    return fail("'" + *text + "' is no value of '" + spellOption(name) +
                "'; it takes a number from " + Twine(low) + " to " + Twine(high));
  return std::optional<uint64_t>(value);
}

Expected<size_t> CommandLine::getChoice(StringRef name, ArrayRef<StringRef> choices,
                                        size_t fallback) const {
  std::optional<StringRef> value = get(name);
  if (!value)
    return fallback;
  for (auto [index, choice] : enumerate(choices))
    if (choice == *value)
      return index;
  return fail("'" + *value + "' is no value of '" + spellOption(name) + "'; it takes " +
              joinNames(choices));
}

Expected<std::vector<std::pair<std::string, std::string>>>
CommandLine::getPairs(StringRef name, StringRef form) const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string &text : getAll(name)) {
    auto [key, value] = StringRef(text).split('=');
    if (key.trim().empty() || key.size() == text.size())
      return fail("'" + spellOption(name) + "' takes " + form + ", not '" + text + "'");
    pairs.push_back({key.trim().str(), value.trim().str()});
  }
  return pairs;
}

int failTool(const ToolStreams &streams, StringRef tool, const Twine &message) {
  streams.err << tool << ": error: " << message << '\n';
  return 1;
}

int failTool(const ToolStreams &streams, StringRef tool, Error error) {
  return failTool(streams, tool, toString(std::move(error)));
}

} // namespace tilec
