// The encoding of a source file, which one of its first two lines may name (PEP 263).
#ifndef TILEC_LIB_SUPPORT_SOURCEENCODING_H
#define TILEC_LIB_SUPPORT_SOURCEENCODING_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilec {

enum class Encoding : uint8_t { UTF8, ASCII, Latin1, Latin9, Windows1252, Unknown };

/// What a file says of its encoding: UTF-8 if it says nothing, or begins with UTF-8's mark.
struct SourceEncoding {
  Encoding encoding = Encoding::UTF8;
  /// The name as the file writes it, a part of its text; empty if it says nothing.
  llvm::StringRef name;
};
SourceEncoding findEncoding(llvm::StringRef text);

/// The text in UTF-8 if its encoding is one of the 8-bit ones; as it is otherwise.
std::string toUTF8(std::string text);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_SOURCEENCODING_H
