// UTF-8 decoding and encoding.
#include "lib/Support/Unicode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Unicode.h"

#include <cstring>

namespace tilec {

DecodedChar decodeUTF8(llvm::StringRef text, size_t pos) {
  auto byteAt = [&](size_t i) -> uint32_t { return i < text.size() ? uint8_t(text[i]) : 0; };
  uint32_t first = byteAt(pos);
  DecodedChar bad{first, 1, false};
  if (first < 0x80)
    return {first, 1, true};
  unsigned length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4)
    return bad;
  uint32_t codePoint = first & (0x7F >> length);
  for (unsigned i = 1; i < length; ++i) {
    uint32_t next = byteAt(pos + i);
    if ((next & 0xC0) != 0x80)
      return bad;
    codePoint = codePoint << 6 | (next & 0x3F);
  }
  bool overlong = codePoint < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  bool surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
  if (overlong || surrogate || codePoint > 0x10FFFF)
    return bad;
  return {codePoint, length, true};
}

size_t findInvalidUTF8(llvm::StringRef text, size_t from) {
  size_t pos = from, size = text.size();
  while (pos < size) {
    uint64_t word;
    if (size - pos >= sizeof(word)) {
      std::memcpy(&word, text.data() + pos, sizeof(word));
      if (!(word & 0x8080808080808080ull)) {
        pos += sizeof(word);
        continue;
      }
    }
    DecodedChar c = decodeUTF8(text, pos);
    if (!c.valid)
      return pos;
    pos += c.length;
  }
  return llvm::StringRef::npos;
}

void appendUTF8(llvm::SmallVectorImpl<char> &out, uint32_t codePoint) {
  if (codePoint < 0x80) {
    out.push_back(char(codePoint));
  } else if (codePoint < 0x800) {
    out.push_back(char(0xC0 | codePoint >> 6));
    out.push_back(char(0x80 | (codePoint & 0x3F)));
  } else if (codePoint < 0x10000) {
    out.push_back(char(0xE0 | codePoint >> 12));
    out.push_back(char(0x80 | (codePoint >> 6 & 0x3F)));
    out.push_back(char(0x80 | (codePoint & 0x3F)));
  } else {
    out.push_back(char(0xF0 | codePoint >> 18));
    out.push_back(char(0x80 | (codePoint >> 12 & 0x3F)));
    out.push_back(char(0x80 | (codePoint >> 6 & 0x3F)));
    out.push_back(char(0x80 | (codePoint & 0x3F)));
  }
}

namespace {

struct Span {
  uint32_t first, last;
};

bool contains(llvm::ArrayRef<Span> spans, uint32_t codePoint) {
  for (Span span : spans)
    if (codePoint >= span.first && codePoint <= span.last)
      return true;
  return false;
}

} // namespace

bool isIdentifierStart(uint32_t codePoint) {
  static constexpr Span kDigits[] = {
      {0x660, 0x669}, {0x6F0, 0x6F9}, {0x7C0, 0x7C9},   {0x966, 0x96F},     {0x9E6, 0x9EF},
      {0xA66, 0xA6F}, {0xE50, 0xE59}, {0xFF10, 0xFF19}, {0x1D7CE, 0x1D7FF},
  };
  return isIdentifierChar(codePoint) && !contains(kDigits, codePoint);
}

bool isIdentifierChar(uint32_t codePoint) {
  // Blocks that hold no letters, digits or marks that count, apart from a few stragglers.
  static constexpr Span kNotLetters[] = {
      {0x80, 0xA9},       {0xAB, 0xB4},       {0xB8, 0xB9},       {0xBB, 0xBF},
      {0xD7, 0xD7},       {0xF7, 0xF7},       {0x2000, 0x203E},   {0x2041, 0x2053},
      {0x2055, 0x2070},   {0x20A0, 0x20CF},   {0x2190, 0x245F},   {0x249C, 0x24B5},
      {0x2500, 0x2BFF},   {0x2E00, 0x2E7F},   {0x3000, 0x3004},   {0x3008, 0x3020},
      {0x3030, 0x3030},   {0xD800, 0xF8FF},   {0xFE10, 0xFE1F},   {0xFE50, 0xFE6F},
      {0xFEFF, 0xFEFF},   {0xFF01, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFFE0, 0xFFFF},
      {0x1F000, 0x1FAFF}, {0x1D000, 0x1D35F}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
  };
  if (codePoint == 0xB5 || codePoint == 0xBA || codePoint == 0xAA)
    return true;
  return !contains(kNotLetters, codePoint) && (llvm::sys::unicode::isPrintable(int(codePoint)) ||
                                               llvm::sys::unicode::isFormatting(int(codePoint)));
}

} // namespace tilec
