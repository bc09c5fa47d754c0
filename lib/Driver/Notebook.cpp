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

ErrorOr<FileID> addSourceFile(SourceManager &sources, StringRef path) {
  if (!path.ends_with(".ipynb"))
    return sources.addFile(path);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return buffer.getError();
  Expected<json::Value> notebook = json::parse((*buffer)->getBuffer());
  const json::Object *root = notebook ? notebook->getAsObject() : nullptr;
  const json::Array *cells = root ? root->getArray("cells") : nullptr;
  if (!cells) {
    consumeError(notebook.takeError());
    return std::make_error_code(std::errc::illegal_byte_sequence);
  }
  std::string text;
  for (const json::Value &value : *cells)
    if (const json::Object *cell = value.getAsObject())
      if (cell->getString("cell_type") == std::optional<StringRef>("code"))
        addCell(joinText(cell->get("source")), text);
  return sources.addText(path, text);
}

} // namespace tilec
