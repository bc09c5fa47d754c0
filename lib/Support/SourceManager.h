// Source buffers of one compilation, and 32-bit positions in them.
#ifndef TILEC_LIB_SUPPORT_SOURCEMANAGER_H
#define TILEC_LIB_SUPPORT_SOURCEMANAGER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilec {

/// Names one buffer of a SourceManager. The default one names nothing.
class FileID {
public:
  FileID() = default;
  bool isValid() const { return index != 0; }
  bool operator==(FileID other) const { return index == other.index; }
  bool operator!=(FileID other) const { return index != other.index; }

private:
  friend class SourceManager;
  explicit FileID(uint32_t index) : index(index) {}
  uint32_t index = 0;
};

/// One byte position in one of the buffers of a SourceManager, in 32 bits. The default one is
/// invalid and means "nowhere".
class SourceLoc {
public:
  SourceLoc() = default;
  static SourceLoc fromRaw(uint32_t raw) {
    SourceLoc loc;
    loc.raw = raw;
    return loc;
  }
  uint32_t getRaw() const { return raw; }
  bool isValid() const { return raw != 0; }
  /// The position `bytes` further on in the same buffer.
  SourceLoc advanced(uint32_t bytes) const { return fromRaw(raw + bytes); }

  bool operator==(SourceLoc other) const { return raw == other.raw; }
  bool operator!=(SourceLoc other) const { return raw != other.raw; }
  bool operator<(SourceLoc other) const { return raw < other.raw; }
  bool operator<=(SourceLoc other) const { return raw <= other.raw; }

private:
  uint32_t raw = 0;
};

/// The bytes from `begin` up to, not including, `end`; both in one buffer.
struct SourceRange {
  SourceLoc begin, end;

  SourceRange() = default;
  SourceRange(SourceLoc begin, SourceLoc end) : begin(begin), end(end) {}
  /// An empty range: a point.
  explicit SourceRange(SourceLoc loc) : begin(loc), end(loc) {}
  bool isValid() const { return begin.isValid(); }
  bool operator==(const SourceRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// A place as people name it. Both count from 1; a column is one Unicode code point, and a byte
/// that is not UTF-8 counts as one.
struct LineColumn {
  unsigned line = 0, column = 0;
};

/// Owns the source buffers of one compilation. Positions stay valid as long as it lives. A line
/// ends with \n, \r\n or \r. Line tables are built on first use, so one SourceManager must not be
/// used by two threads at once.
class SourceManager {
public:
  SourceManager();
  ~SourceManager();
  SourceManager(const SourceManager &) = delete;
  SourceManager &operator=(const SourceManager &) = delete;

  /// Takes over a buffer; its identifier is the name shown in diagnostics. The result is invalid
  /// if all buffers together would pass 4 GiB.
  FileID addBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer);
  /// Copies `text` into a buffer called `name`.
  FileID addText(llvm::StringRef name, llvm::StringRef text);
  /// Most bytes of a source file.
  static constexpr size_t kMaxFileBytes = size_t(64) << 20;
  /// Reads a file, or standard input if `path` is "-" (shown as "<stdin>"). Text in another
  /// encoding that it names, such as Latin-1, becomes UTF-8.
  llvm::ErrorOr<FileID> addFile(llvm::StringRef path);

  llvm::StringRef getName(FileID file) const;
  /// The whole text; a byte of value 0 follows it in memory.
  llvm::StringRef getText(FileID file) const;
  /// The text that a range covers; empty if the range is invalid.
  llvm::StringRef getText(SourceRange range) const;

  /// The position `offset` bytes into a file; `offset` may equal the size.
  SourceLoc getLoc(FileID file, size_t offset) const;
  /// The file that a position lies in; invalid for an invalid position.
  FileID getFile(SourceLoc loc) const;
  /// Bytes from the start of the position's file.
  size_t getOffset(SourceLoc loc) const;
  /// {0, 0} for an invalid position.
  LineColumn getLineColumn(SourceLoc loc) const;
  /// The reverse: the position of a line and column in the first buffer called `name`. Invalid if
  /// there is no such buffer or line; past the end of a line, its end.
  SourceLoc findLoc(llvm::StringRef name, LineColumn place) const;
  /// The text of a line, counted from 1, without its end; empty past the last one.
  llvm::StringRef getLine(FileID file, unsigned line) const;
  /// The position of the first byte of a line, counted from 1; invalid past the last one.
  SourceLoc getLineStart(FileID file, unsigned line) const;

private:
  struct Buffer;
  const Buffer &get(FileID file) const;
  const Buffer *find(SourceLoc loc) const;
  const std::vector<uint32_t> &getLineStarts(const Buffer &buffer) const;
  /// Code points before byte `offset`.
  uint32_t countChars(const Buffer &buffer, uint32_t offset) const;

  std::vector<std::unique_ptr<Buffer>> buffers;
};

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_SOURCEMANAGER_H
