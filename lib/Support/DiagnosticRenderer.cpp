// How a diagnostic looks: header, source line, carets, notes.
#include "lib/Support/Diagnostics.h"
#include "lib/Support/Unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>

namespace tilec {
namespace {

constexpr llvm::StringLiteral kBold = "\x1b[1m";
constexpr llvm::StringLiteral kGreen = "\x1b[1;32m";
constexpr llvm::StringLiteral kReset = "\x1b[0m";

llvm::StringRef getColor(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "\x1b[1;31m";
  case Severity::Warning:
    return "\x1b[1;35m";
  case Severity::Note:
    return "\x1b[1;36m";
  case Severity::Remark:
    return "\x1b[1;34m";
  }
  return "";
}

/// One character of a source line as it is shown.
struct Cell {
  std::string text;
  unsigned width;
  size_t begin; ///< Byte in the line.
};

Cell makeCell(llvm::StringRef line, size_t pos, unsigned column, unsigned tabWidth,
              unsigned &length) {
  DecodedChar c = decodeUTF8(line, pos);
  length = c.length;
  if (c.valid && c.codePoint == '\t') {
    unsigned width = tabWidth - column % tabWidth;
    return {std::string(width, ' '), width, pos};
  }
  if (c.valid && c.codePoint >= 0x20 && c.codePoint < 0x7F)
    return {std::string(1, char(c.codePoint)), 1, pos};
  if (c.valid && c.codePoint >= 0x80) {
    llvm::StringRef bytes = line.substr(pos, c.length);
    int width = llvm::sys::unicode::columnWidthUTF8(bytes);
    if (width >= 0)
      return {bytes.str(), unsigned(width), pos};
  }
  std::string text = "<";
  llvm::raw_string_ostream os(text);
  if (c.valid && c.codePoint >= 0x80)
    os << "U+" << llvm::format_hex_no_prefix(c.codePoint, 4, /*Upper=*/true);
  else
    os << llvm::format_hex_no_prefix(c.codePoint, 2, /*Upper=*/true);
  os << '>';
  return {text, unsigned(text.size()), pos};
}

class Renderer {
public:
  Renderer(llvm::raw_ostream &os, const SourceManager &sources, const RenderOptions &options)
      : os(os), sources(sources), options(options) {
    useColor =
        options.color == ColorMode::Always || (options.color == ColorMode::Auto && os.has_colors());
  }

  void render(const Diagnostic &diagnostic) {
    printHeader(diagnostic);
    if (diagnostic.range.isValid())
      printSnippet(diagnostic.range);
    for (const Diagnostic &note : diagnostic.notes)
      render(note);
  }

private:
  void color(llvm::StringRef code) {
    if (useColor)
      os << code;
  }

  void printHeader(const Diagnostic &diagnostic) {
    if (diagnostic.range.isValid()) {
      SourceLoc loc = diagnostic.range.begin;
      LineColumn place = sources.getLineColumn(loc);
      color(kBold);
      os << sources.getName(sources.getFile(loc)) << ':' << place.line << ':' << place.column
         << ": ";
      color(kReset);
    }
    color(getColor(diagnostic.severity));
    os << getSeverityName(diagnostic.severity) << ": ";
    color(kReset);
    color(kBold);
    os << diagnostic.message;
    color(kReset);
    os << '\n';
  }

  void printSnippet(SourceRange range) {
    FileID file = sources.getFile(range.begin);
    unsigned lineNumber = sources.getLineColumn(range.begin).line;
    llvm::StringRef line = sources.getLine(file, lineNumber);
    size_t lineStart = sources.getOffset(sources.getLineStart(file, lineNumber));
    size_t caret = std::min(sources.getOffset(range.begin) - lineStart, line.size());
    // A range that goes on over further lines is marked to the end of its first.
    size_t end = caret;
    if (range.begin < range.end)
      end = std::min(sources.getOffset(range.end) - lineStart, line.size());

    // Only the neighbourhood of the caret is laid out, so that a huge line costs little.
    size_t first = 0, last = line.size();
    if (options.maxColumns) {
      size_t reach = size_t(4) * options.maxColumns;
      first = caret > reach ? caret - reach : 0;
      while (first > 0 && first < line.size() && (uint8_t(line[first]) & 0xC0) == 0x80)
        --first;
      last = std::min(line.size(), caret + reach);
    }
    std::vector<Cell> cells;
    unsigned column = 0;
    size_t caretCell = SIZE_MAX;
    for (size_t pos = first; pos < last;) {
      unsigned length;
      cells.push_back(makeCell(line, pos, column, std::max(1u, options.tabWidth), length));
      if (caret >= pos && caret < pos + length)
        caretCell = cells.size() - 1;
      column += cells.back().width;
      pos += length;
    }
    if (caretCell == SIZE_MAX)
      caretCell = cells.size();

    auto [from, to] = chooseWindow(cells, caretCell);
    bool cutFront = first > 0 || from > 0;
    bool cutBack = last < line.size() || to < cells.size();
    std::string text = cutFront ? "..." : "", marks = cutFront ? "   " : "";
    for (size_t i = from; i < to; ++i) {
      const Cell &cell = cells[i];
      text += cell.text;
      bool covered = cell.begin >= caret && cell.begin < end;
      if (i == caretCell)
        marks += '^' + std::string(cell.width > 0 && covered ? cell.width - 1 : 0, '~');
      else
        marks.append(cell.width, covered ? '~' : ' ');
    }
    if (caretCell >= to)
      marks += '^';
    if (cutBack)
      text += "...";
    os << llvm::StringRef(text).rtrim() << '\n';
    color(kGreen);
    os << llvm::StringRef(marks).rtrim(' ');
    color(kReset);
    os << '\n';
  }

  /// The cells to show: all, or about maxColumns columns with the caret in their first third.
  std::pair<size_t, size_t> chooseWindow(const std::vector<Cell> &cells, size_t caretCell) const {
    unsigned total = 0;
    for (const Cell &cell : cells)
      total += cell.width;
    if (options.maxColumns == 0 || total <= options.maxColumns)
      return {0, cells.size()};
    size_t from = std::min(caretCell, cells.size());
    unsigned width = 0;
    while (from > 0 && width + cells[from - 1].width <= options.maxColumns / 3)
      width += cells[--from].width;
    size_t to = from;
    width = 0;
    while (to < cells.size() && width + cells[to].width <= options.maxColumns)
      width += cells[to++].width;
    while (to == cells.size() && from > 0 && width + cells[from - 1].width <= options.maxColumns)
      width += cells[--from].width;
    return {from, to};
  }

  llvm::raw_ostream &os;
  const SourceManager &sources;
  const RenderOptions &options;
  bool useColor;
};

} // namespace

void renderDiagnostic(llvm::raw_ostream &os, const SourceManager &sources,
                      const Diagnostic &diagnostic, const RenderOptions &options) {
  Renderer(os, sources, options).render(diagnostic);
}

} // namespace tilec
