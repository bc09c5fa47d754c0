// UTF-8 decoding and encoding.
#include "lib/Support/Unicode.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

std::string encode(uint32_t codePoint) {
  llvm::SmallVector<char, 4> bytes;
  appendUTF8(bytes, codePoint);
  return std::string(bytes.begin(), bytes.end());
}

TEST(Unicode, EveryCodePointSurvivesARoundTrip) {
  for (uint32_t codePoint = 1; codePoint <= 0x10FFFF; ++codePoint) {
    if (codePoint == 0xD800)
      codePoint = 0xE000;
    std::string bytes = encode(codePoint);
    DecodedChar c = decodeUTF8(bytes, 0);
    ASSERT_TRUE(c.valid) << codePoint;
    ASSERT_EQ(c.codePoint, codePoint);
    ASSERT_EQ(c.length, bytes.size());
    ASSERT_EQ(findInvalidUTF8(bytes), llvm::StringRef::npos);
  }
}

TEST(Unicode, IllFormedBytesAreReadOneByOne) {
  for (llvm::StringRef bad :
       {"\x80", "\xC0\x80", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF0\x80\x80\x80", "\xFF", "\xE0\x80\x80", "\xC3("}) {
    DecodedChar c = decodeUTF8(bad, 0);
    EXPECT_FALSE(c.valid) << bad.str();
    EXPECT_EQ(c.length, 1u);
    EXPECT_EQ(c.codePoint, uint8_t(bad[0]));
    EXPECT_EQ(findInvalidUTF8(bad), 0u);
  }
}

TEST(Unicode, FindsTheFirstBadByteAtAnyAlignment) {
  for (size_t before = 0; before < 20; ++before) {
    std::string text = std::string(before, 'x') + "\xC3\xA9" + "\xFF" + std::string(20, 'y');
    EXPECT_EQ(findInvalidUTF8(text), before + 2);
    EXPECT_EQ(findInvalidUTF8(text, before + 3), llvm::StringRef::npos);
  }
}

TEST(Unicode, LettersMayStandInNamesAndSymbolsMayNot) {
  for (uint32_t letter : {0xE9u, 0x3B1u, 0x4E2Du, 0x430u, 0xB5u, 0x1D518u})
    EXPECT_TRUE(isIdentifierStart(letter)) << letter;
  for (uint32_t symbol : {0xA0u, 0xD7u, 0x201Cu, 0x2212u, 0x3000u, 0x1F600u, 0xFEFFu, 0xE000u})
    EXPECT_FALSE(isIdentifierChar(symbol)) << symbol;
  EXPECT_TRUE(isIdentifierChar(0x663));
  EXPECT_FALSE(isIdentifierStart(0x663));
}

} // namespace
} // namespace tilec
