// Source buffers side by side in one space of 32-bit positions.
#include "lib/Support/SourceManager.h"
#include "lib/Support/SourceEncoding.h"
#include "lib/Support/Unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace tilec {

struct SourceManager::Buffer {
  std::unique_ptr<llvm::MemoryBuffer> memory;
  uint32_t base;  ///< The position of its first byte; never 0.
  uint32_t index; ///< Counted from 1.
  mutable std::vector<uint32_t> lineStarts;
  /// One place in every kilobyte, where a character begins, and how many come before it.
  mutable std::vector<std::pair<uint32_t, uint32_t>> marks;

  llvm::StringRef text() const { return memory->getBuffer(); }
};

SourceManager::SourceManager() = default;
SourceManager::~SourceManager() = default;

FileID SourceManager::addBuffer(std::unique_ptr<llvm::MemoryBuffer> memory) {
  uint64_t base = 1;
  if (!buffers.empty())
    base = uint64_t(buffers.back()->base) + buffers.back()->text().size() + 1;
  if (base + memory->getBufferSize() > UINT32_MAX)
    return FileID();
  auto buffer = std::make_unique<Buffer>();
  buffer->memory = std::move(memory);
  buffer->base = uint32_t(base);
  buffer->index = uint32_t(buffers.size() + 1);
  buffers.push_back(std::move(buffer));
  return FileID(buffers.back()->index);
}

FileID SourceManager::addText(llvm::StringRef name, llvm::StringRef text) {
  return addBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

/// Reads to the end, but no more than a source file may have: a device may not end.
static llvm::Expected<std::string> readBounded(llvm::sys::fs::file_t handle) {
  constexpr size_t kChunk = 1 << 16;
  std::string text;
  while (true) {
    size_t size = text.size();
    text.resize(size + kChunk);
    llvm::Expected<size_t> count =
        llvm::sys::fs::readNativeFile(handle, llvm::MutableArrayRef(text.data() + size, kChunk));
    if (!count)
      return count.takeError();
    text.resize(size + *count);
    if (*count == 0)
      return text;
    if (text.size() > SourceManager::kMaxFileBytes)
      return llvm::errorCodeToError(std::make_error_code(std::errc::file_too_large));
  }
}

llvm::ErrorOr<FileID> SourceManager::addFile(llvm::StringRef path) {
  llvm::Expected<std::string> text("");
  if (path == "-") {
    text = readBounded(llvm::sys::fs::getStdinHandle());
  } else {
    llvm::Expected<llvm::sys::fs::file_t> handle = llvm::sys::fs::openNativeFileForRead(path);
    if (!handle)
      return llvm::errorToErrorCode(handle.takeError());
    text = readBounded(*handle);
    llvm::sys::fs::closeFile(*handle);
  }
  if (!text)
    return llvm::errorToErrorCode(text.takeError());
  FileID file = addText(path == "-" ? "<stdin>" : path, toUTF8(std::move(*text)));
  if (!file.isValid())
    return std::make_error_code(std::errc::file_too_large);
  return file;
}

const SourceManager::Buffer &SourceManager::get(FileID file) const {
  return *buffers[file.index - 1];
}

const SourceManager::Buffer *SourceManager::find(SourceLoc loc) const {
  auto it = std::upper_bound(
      buffers.begin(), buffers.end(), loc.getRaw(),
      [](uint32_t raw, const std::unique_ptr<Buffer> &buffer) { return raw < buffer->base; });
  return it == buffers.begin() ? nullptr : std::prev(it)->get();
}

const std::vector<uint32_t> &SourceManager::getLineStarts(const Buffer &buffer) const {
  if (buffer.lineStarts.empty()) {
    llvm::StringRef text = buffer.text();
    buffer.lineStarts.push_back(0);
    for (size_t i = 0, size = text.size(); i < size; ++i) {
      char c = text[i];
      if (c == '\n' || (c == '\r' && !(i + 1 < size && text[i + 1] == '\n')))
        buffer.lineStarts.push_back(uint32_t(i + 1));
    }
  }
  return buffer.lineStarts;
}

uint32_t SourceManager::countChars(const Buffer &buffer, uint32_t offset) const {
  constexpr uint32_t kStep = 1024;
  llvm::StringRef text = buffer.text();
  auto &marks = buffer.marks;
  if (marks.empty()) {
    uint32_t pos = 0, count = 0;
    for (; pos < text.size(); ++count) {
      if (pos >= marks.size() * kStep)
        marks.push_back({pos, count});
      pos += decodeUTF8(text, pos).length;
    }
    marks.push_back({pos, count});
  }
  auto next = std::upper_bound(marks.begin(), marks.end(), std::make_pair(offset, UINT32_MAX));
  auto [pos, count] = *std::prev(next);
  for (; pos < offset; ++count)
    pos += decodeUTF8(text, pos).length;
  return count;
}

llvm::StringRef SourceManager::getName(FileID file) const {
  return get(file).memory->getBufferIdentifier();
}

llvm::StringRef SourceManager::getText(FileID file) const { return get(file).text(); }

llvm::StringRef SourceManager::getText(SourceRange range) const {
  const Buffer *buffer = find(range.begin);
  if (!buffer || !range.isValid())
    return {};
  return buffer->text().slice(getOffset(range.begin), getOffset(range.end));
}

SourceLoc SourceManager::getLoc(FileID file, size_t offset) const {
  return SourceLoc::fromRaw(get(file).base + uint32_t(offset));
}

FileID SourceManager::getFile(SourceLoc loc) const {
  const Buffer *buffer = find(loc);
  return buffer ? FileID(buffer->index) : FileID();
}

size_t SourceManager::getOffset(SourceLoc loc) const {
  const Buffer *buffer = find(loc);
  return buffer ? loc.getRaw() - buffer->base : 0;
}

LineColumn SourceManager::getLineColumn(SourceLoc loc) const {
  const Buffer *buffer = find(loc);
  if (!buffer)
    return {};
  const std::vector<uint32_t> &starts = getLineStarts(*buffer);
  uint32_t offset = loc.getRaw() - buffer->base;
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  uint32_t start = *std::prev(next);
  // Bytes are characters in most lines.
  constexpr uint32_t kShort = 512;
  bool isASCII = offset - start < kShort && llvm::isASCII(buffer->text().slice(start, offset));
  uint32_t column =
      1 + (isASCII ? offset - start : countChars(*buffer, offset) - countChars(*buffer, start));
  return {unsigned(next - starts.begin()), column};
}

SourceLoc SourceManager::findLoc(llvm::StringRef name, LineColumn place) const {
  for (const std::unique_ptr<Buffer> &buffer : buffers) {
    if (buffer->memory->getBufferIdentifier() != name)
      continue;
    FileID file(buffer->index);
    SourceLoc start = getLineStart(file, place.line);
    if (!start.isValid())
      return {};
    llvm::StringRef line = getLine(file, place.line);
    size_t pos = 0;
    for (unsigned column = 1; column < place.column && pos < line.size(); ++column)
      pos += decodeUTF8(line, pos).length;
    return start.advanced(uint32_t(pos));
  }
  return {};
}

llvm::StringRef SourceManager::getLine(FileID file, unsigned line) const {
  const std::vector<uint32_t> &starts = getLineStarts(get(file));
  if (line == 0 || line > starts.size())
    return {};
  llvm::StringRef text = get(file).text();
  size_t end = line < starts.size() ? starts[line] : text.size();
  text = text.slice(starts[line - 1], end);
  text.consume_back("\n");
  text.consume_back("\r");
  return text;
}

SourceLoc SourceManager::getLineStart(FileID file, unsigned line) const {
  const std::vector<uint32_t> &starts = getLineStarts(get(file));
  if (line == 0 || line > starts.size())
    return {};
  return getLoc(file, starts[line - 1]);
}

} // namespace tilec
