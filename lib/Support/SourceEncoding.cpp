// The encoding of a source file, which one of its first two lines may name (PEP 263).
#include "lib/Support/SourceEncoding.h"

#include "lib/Support/Unicode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilec {

/// Python's names of encodings: case and the kind of dash do not count.
static Encoding readName(llvm::StringRef name) {
  std::string text = name.lower();
  std::replace(text.begin(), text.end(), '_', '-');
  llvm::StringRef lower = text;
  if (lower == "utf-8" || lower.starts_with("utf-8-"))
    return Encoding::UTF8;
  return llvm::StringSwitch<Encoding>(lower)
      .Cases({"utf8", "u8", "utf", "cp65001"}, Encoding::UTF8)
      .Cases({"ascii", "us-ascii", "646", "ansi-x3.4-1968"}, Encoding::ASCII)
      .Cases({"latin-1", "latin1", "latin", "l1", "iso-8859-1", "iso8859-1", "8859", "cp819"},
             Encoding::Latin1)
      .Cases({"latin-9", "latin9", "l9", "iso-8859-15", "iso8859-15"}, Encoding::Latin9)
      .Cases({"cp1252", "windows-1252", "1252"}, Encoding::Windows1252)
      .Default(Encoding::Unknown);
}

SourceEncoding findEncoding(llvm::StringRef text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return {};
  for (int line = 0; line < 2; ++line) {
    auto isName = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; };
    llvm::StringRef rest = text.take_front(text.find_first_of("\r\n"));
    bool isBlank = rest.trim(" \t\f").empty();
    if (!rest.ltrim(" \t\f").starts_with("#") && !isBlank)
      return {};
    // `coding` with ':' or '=' right behind it, anywhere in the comment.
    while (!isBlank) {
      size_t at = rest.find("coding");
      if (at == llvm::StringRef::npos)
        break;
      rest = rest.drop_front(at + 6);
      if (!rest.starts_with(":") && !rest.starts_with("="))
        continue;
      llvm::StringRef name = rest.drop_front().ltrim(" \t").take_while(isName);
      if (!name.empty())
        return {readName(name), name};
    }
    text = text.substr(text.find_first_of("\r\n"));
    if (!text.consume_front("\r\n"))
      text = text.drop_front(text.empty() ? 0 : 1);
  }
  return {};
}

/// The character of a byte from 0x80 up; bytes that stand for none are read as in Latin-1.
static uint32_t decodeByte(Encoding encoding, uint8_t byte) {
  static constexpr uint16_t windows[32] = {
      0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
  if (encoding == Encoding::Windows1252 && byte < 0xA0)
    return windows[byte - 0x80];
  static constexpr std::pair<uint8_t, uint16_t> latin9[] = {
      {0xA4, 0x20AC}, {0xA6, 0x0160}, {0xA8, 0x0161}, {0xB4, 0x017D},
      {0xB8, 0x017E}, {0xBC, 0x0152}, {0xBD, 0x0153}, {0xBE, 0x0178}};
  if (encoding == Encoding::Latin9)
    for (auto [from, to] : latin9)
      if (byte == from)
        return to;
  return byte;
}

std::string toUTF8(std::string text) {
  Encoding encoding = findEncoding(text).encoding;
  bool isEightBit = encoding == Encoding::Latin1 || encoding == Encoding::Latin9 ||
                    encoding == Encoding::Windows1252;
  if (!isEightBit || llvm::all_of(text, [](char c) { return llvm::isASCII(c); }))
    return text;
  llvm::SmallString<0> result;
  result.reserve(text.size() + text.size() / 8);
  for (char c : text)
    appendUTF8(result, llvm::isASCII(c) ? static_cast<uint32_t>(c)
                                        : decodeByte(encoding, static_cast<uint8_t>(c)));
  return std::string(result);
}

} // namespace tilec
