// UTF-8 as the front end and the diagnostics need it.
#ifndef TILEC_LIB_SUPPORT_UNICODE_H
#define TILEC_LIB_SUPPORT_UNICODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tilec {

/// One character read from UTF-8 text. An ill-formed byte is read as itself, with length 1.
struct DecodedChar {
  uint32_t codePoint;
  uint32_t length; ///< In bytes, 1 to 4.
  bool valid;
};

/// Reads the character at byte `pos`, which must lie inside `text`. Surrogates and overlong forms
/// are ill-formed.
DecodedChar decodeUTF8(llvm::StringRef text, size_t pos);

/// The position of the first ill-formed byte at or after `from`, or npos.
size_t findInvalidUTF8(llvm::StringRef text, size_t from = 0);

/// Appends a code point, at most 0x10FFFF; a surrogate is encoded in three bytes.
void appendUTF8(llvm::SmallVectorImpl<char> &out, uint32_t codePoint);

/// Whether a code point above 0x7F may stand in an identifier. Symbols, punctuation, blanks and
/// private characters may not.
bool isIdentifierChar(uint32_t codePoint);

/// Whether it may begin one: digits may not.
bool isIdentifierStart(uint32_t codePoint);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_UNICODE_H
