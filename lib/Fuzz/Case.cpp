// Cases as files: reading and writing their RUN lines.

#include "lib/Fuzz/Case.h"
#include "lib/Driver/CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace llvm;

namespace tilec::fuzz {

/// What of tile-run's options changes the result; the rest is read and forgotten.
static constexpr OptionSpec kOptions[] = {
    {"kernel", OptionSpec::Value},     {"device", OptionSpec::Value},
    {"grid", OptionSpec::Value},       {"arg", OptionSpec::List},
    {"D", OptionSpec::List},           {"num-warps", OptionSpec::Value},
    {"num-stages", OptionSpec::Value}, {"save", OptionSpec::List},
    {"bench", OptionSpec::Flag},       {"compare", OptionSpec::Value},
    {"rtol", OptionSpec::Value},       {"atol", OptionSpec::Value},
    {"seed", OptionSpec::Value},       {"specialize", OptionSpec::Value},
    {"misalign", OptionSpec::Value},   {"time", OptionSpec::Flag},
    {"color", OptionSpec::Value},      {"enable-asserts", OptionSpec::Flag},
};

static constexpr StringLiteral kTiles = "tile-fuzz: tiles=";

bool Case::operator==(const Case &other) const {
  auto fields = [](const Case &c) {
    return std::tie(c.text, c.kernel, c.args, c.defines, c.grid, c.numWarps, c.numStages,
                    c.misalign, c.seed, c.specialize, c.tiles, c.rtol, c.atol);
  };
  return fields(*this) == fields(other);
}

/// A word as a shell reads it.
static std::string quote(StringRef word) {
  bool isPlain =
      all_of(word, [](char c) { return isAlnum(c) || StringRef("=-_.,:/%").contains(c); });
  // A word holds quotes of one kind at most.
  const char *mark = word.contains('\'') ? "\"" : "'";
  return isPlain ? word.str() : (mark + word + mark).str();
}

std::string Case::getCommand(StringRef file) const {
  std::string command;
  raw_string_ostream os(command);
  os << "tile-run " << file << " --device=sim --compare=ref";
  if (!kernel.empty())
    os << " --kernel=" << kernel;
  os << " --grid=" << grid[0];
  if (grid[1] != 1 || grid[2] != 1)
    os << ',' << grid[1] << ',' << grid[2];
  if (numWarps)
    os << " --num-warps=" << numWarps;
  if (numStages)
    os << " --num-stages=" << numStages;
  if (misalign)
    os << " --misalign=" << misalign;
  if (seed)
    os << " --seed=" << seed;
  if (!specialize.empty())
    os << " --specialize=" << specialize;
  if (rtol >= 0)
    os << " --rtol=" << rtol;
  if (atol >= 0)
    os << " --atol=" << atol;
  for (const auto &[name, value] : defines)
    os << " -D " << quote(name + "=" + value);
  for (const std::string &arg : args)
    os << " --arg " << quote(arg);
  return command;
}

std::string Case::format(StringRef comment) const {
  std::string result;
  SmallVector<StringRef> lines;
  comment.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    result += ("# " + line).str() + "\n";
  if (!tiles.empty())
    result += "# " + kTiles.str() + llvm::join(tiles, ",") + "\n";
  return result + "# RUN: " + getCommand("%s") + "\n\n\n" + text;
}

static Error fail(StringRef name, const Twine &message) {
  return createStringError(inconvertibleErrorCode(), name + ": " + message);
}

/// Reads the words of one command.
static Expected<Case> parseCommand(StringRef name, ArrayRef<const char *> words) {
  Expected<CommandLine> line = CommandLine::parse(kOptions, words);
  if (!line)
    return fail(name, toString(line.takeError()));
  Case result;
  result.name = name.str();
  result.kernel = line->get("kernel").value_or("").str();
  result.args = line->getAll("arg");
  result.specialize = line->get("specialize").value_or("").str();
  auto defines = line->getPairs("D");
  if (!defines)
    return fail(name, toString(defines.takeError()));
  result.defines = std::move(*defines);
  Error error = Error::success();
  auto number = [&](StringRef option, uint64_t high, auto &field) {
    Expected<std::optional<uint64_t>> value = line->getNumber(option, 0, high);
    if (!value)
      error = joinErrors(std::move(error), value.takeError());
    else if (*value)
      field = static_cast<std::decay_t<decltype(field)>>(**value);
  };
  number("num-warps", 32, result.numWarps);
  number("num-stages", 16, result.numStages);
  number("misalign", 1024, result.misalign);
  number("seed", UINT64_MAX, result.seed);
  if (error)
    return fail(name, toString(std::move(error)));
  for (auto [option, field] : {std::pair("rtol", &result.rtol), std::pair("atol", &result.atol)})
    if (std::optional<StringRef> value = line->get(option))
      if (value->getAsDouble(*field))
        return fail(name, "'" + *value + "' is no value of '--" + option + "'");
  SmallVector<StringRef> extents;
  line->get("grid").value_or("1").split(extents, ',');
  for (auto [index, extent] : enumerate(extents))
    if (index > 2 || extent.trim().getAsInteger(10, result.grid[index]))
      return fail(name, "'" + *line->get("grid") + "' is no value of '--grid'");
  return result;
}

Expected<std::vector<Case>> parseCases(StringRef name, StringRef text) {
  // The comment at the beginning is not part of the source; RUN lines may go on after a backslash.
  StringRef source = text;
  while (source.starts_with("#") || source.starts_with("\n"))
    source = source.substr(std::min(source.find('\n'), source.size() - 1) + 1);
  std::vector<Case> cases;
  std::string command;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::vector<std::string> tiles;
  for (StringRef line : lines)
    if (size_t at = line.find(kTiles); at != StringRef::npos && line.starts_with("#"))
      for (StringRef name : split(line.substr(at + kTiles.size()), ','))
        tiles.push_back(name.trim().str());
  for (StringRef line : lines) {
    size_t at = line.find("RUN:");
    if (at == StringRef::npos)
      continue;
    StringRef part = line.substr(at + 4).trim();
    bool goesOn = part.consume_back("\\");
    command += (part + " ").str();
    if (goesOn)
      continue;
    BumpPtrAllocator allocator;
    StringSaver saver(allocator);
    SmallVector<const char *> words;
    cl::TokenizeGNUCommandLine(command, saver, words);
    command.clear();
    auto isEnd = [](StringRef word) { return word == "|" || word == "2>&1" || word == ">"; };
    words.erase(find_if(words, isEnd), words.end());
    if (words.size() < 2 || StringRef(words[0]) != "tile-run" || StringRef(words[1]) != "%s")
      continue;
    Expected<Case> parsed = parseCommand(name, ArrayRef(words).drop_front(2));
    if (!parsed)
      return parsed.takeError();
    parsed->text = source.str();
    parsed->tiles = tiles;
    cases.push_back(std::move(*parsed));
  }
  if (cases.empty())
    return fail(name, "no comment '# RUN: tile-run %s ...' says how to run it");
  return cases;
}

Expected<std::vector<Case>> readCases(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(path, "cannot read it: " + buffer.getError().message());
  return parseCases(path, (*buffer)->getBuffer());
}

} // namespace tilec::fuzz
