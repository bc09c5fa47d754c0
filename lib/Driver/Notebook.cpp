// The code cells of a notebook as one source text.

#include "lib/Driver/Notebook.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tilec {

/// A text that JSON holds in one piece or as a list of lines.
static std::string joinText(const json::Value *value) {
  std::string text;
  if (!value)
    return text;
  if (std::optional<StringRef> whole = value->getAsString())
    return whole->str();
  if (const json::Array *lines = value->getAsArray())
    for (const json::Value &line : *lines)
      text += line.getAsString().value_or("").str();
  return text;
}

/// Adds a cell; what IPython runs by itself is commented out, so that lines keep their numbers.
static void addCell(StringRef cell, std::string &text) {
  bool isMagic = cell.ltrim().starts_with("%%");
  SmallVector<StringRef> lines;
  cell.split(lines, '\n');
  for (StringRef line : lines) {
    StringRef code = line.ltrim();
    bool isCommand = code.starts_with("!") || code.starts_with("%") || code.starts_with("?");
    text += (isMagic || isCommand ? "# " : "") + line.str() + "\n";
  }
}

/// Whether brackets nest deeper than any notebook's: LLVM's parser recurses with them.
static bool nestsTooDeep(StringRef text) {
  constexpr int kMost = 100;
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size() && depth <= kMost; ++i) {
    if (isString && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      isString = !isString;
    else if (!isString)
      depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
  }
  return depth > kMost;
}

/// The text of a notebook, or why there is none.
static Expected<std::string> readNotebook(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return errorCodeToError(buffer.getError());
  if (nestsTooDeep((*buffer)->getBuffer()))
    return createStringError("its brackets nest too deep");
  Expected<json::Value> notebook = json::parse((*buffer)->getBuffer());
  if (!notebook)
    return notebook.takeError();
  const json::Object *root = notebook->getAsObject();
  const json::Array *cells = root ? root->getArray("cells") : nullptr;
  if (!cells)
    return createStringError("a notebook is an object with a list of 'cells'");
  std::string text;
  for (const json::Value &value : *cells)
    if (const json::Object *cell = value.getAsObject())
      if (cell->getString("cell_type") == std::optional<StringRef>("code"))
        addCell(joinText(cell->get("source")), text);
  return text;
}

std::optional<FileID> addSourceFile(SourceManager &sources, StringRef path,
                                    DiagnosticEngine &diags) {
  auto fail = [&](StringRef why) {
    diags.error() << "cannot read '" << path << "': " << why;
    return std::nullopt;
  };
  if (path.ends_with(".ipynb")) {
    Expected<std::string> text = readNotebook(path);
    return text ? std::optional(sources.addText(path, *text)) : fail(toString(text.takeError()));
  }
  ErrorOr<FileID> file = sources.addFile(path);
  return file ? std::optional(*file) : fail(file.getError().message());
}

} // namespace tilec
