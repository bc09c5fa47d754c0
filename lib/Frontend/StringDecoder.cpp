// The text that a string literal stands for: escapes, line ends, doubled braces.
#include "lib/Frontend/ParserImpl.h"
#include "lib/Support/Unicode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

namespace tilec {

/// Decodes a whole String or Bytes token.
bool Parser::decodeToken(const Token &t, llvm::SmallVectorImpl<char> &out) {
  llvm::StringRef literal = spelling(t);
  size_t quote = literal.find_first_of("'\"");
  llvm::StringRef prefix = literal.take_front(quote);
  StringForm form;
  form.bytes = prefix.contains_insensitive('b');
  form.raw = prefix.contains_insensitive('r');
  size_t quotes = literal.size() >= quote + 6 && literal[quote + 1] == literal[quote] &&
                          literal[quote + 2] == literal[quote]
                      ? 3
                      : 1;
  return decode(uint32_t(t.begin + quote + quotes), uint32_t(t.end - quotes), form, out);
}

/// Appends what the source from `at` to `end` stands for.
bool Parser::decode(uint32_t at, uint32_t end, StringForm form, llvm::SmallVectorImpl<char> &out) {
  while (at < end) {
    llvm::StringRef rest = text.slice(at, end);
    size_t plain = form.bytes ? 0 : std::min(rest.size(), rest.find_first_of("\\\r{}"));
    if (plain != 0) {
      out.append(rest.begin(), rest.begin() + plain);
      at += uint32_t(plain);
      continue;
    }
    char c = text[at];
    if (c == '\r') {
      // All line ends are '\n' to Python.
      at += rest.starts_with("\r\n") ? 2 : 1;
      out.push_back('\n');
    } else if (c == '\\' && !form.raw) {
      if (!decodeEscape(at, end, form, out))
        return false;
    } else if (form.bytes && uint8_t(c) >= 0x80) {
      error(makeRange(at, at + decodeUTF8(text, at).length))
          << "a bytes literal can hold only ASCII characters; use '\\x' escapes";
      return false;
    } else {
      at += form.doubledBraces && (c == '{' || c == '}') ? 2 : 1;
      out.push_back(c);
    }
  }
  return true;
}

/// At a backslash.
bool Parser::decodeEscape(uint32_t &at, uint32_t end, StringForm &form,
                          llvm::SmallVectorImpl<char> &out) {
  uint32_t start = at++;
  char c = at < end ? text[at] : '\0';
  switch (c) {
  case '\r':
    at += at + 1 < end && text[at + 1] == '\n' ? 2 : 1;
    return true;
  case '\n':
    ++at;
    return true;
  case '\\':
  case '\'':
  case '"':
    out.push_back(c);
    ++at;
    return true;
  case 'a':
    out.push_back('\a');
    ++at;
    return true;
  case 'b':
    out.push_back('\b');
    ++at;
    return true;
  case 'f':
    out.push_back('\f');
    ++at;
    return true;
  case 'n':
    out.push_back('\n');
    ++at;
    return true;
  case 'r':
    out.push_back('\r');
    ++at;
    return true;
  case 't':
    out.push_back('\t');
    ++at;
    return true;
  case 'v':
    out.push_back('\v');
    ++at;
    return true;
  case 'x':
    return decodeHexEscape(at, end, 2, form, out);
  case 'u':
  case 'U':
    if (!form.bytes)
      return decodeHexEscape(at, end, c == 'u' ? 4 : 8, form, out);
    break;
  case 'N':
    if (!form.bytes)
      return decodeNamedEscape(at, end, out);
    break;
  default:
    break;
  }
  if (c >= '0' && c <= '7') {
    uint32_t value = 0;
    for (int i = 0; i < 3 && at < end && text[at] >= '0' && text[at] <= '7'; ++i)
      value = value * 8 + uint32_t(text[at++] - '0');
    if (form.bytes)
      out.push_back(char(value & 0xFF));
    else
      appendUTF8(out, value);
    return true;
  }
  // Python keeps the backslash of an unknown escape, and warns.
  uint32_t length = at < end ? decodeUTF8(text, at).length : 0;
  if (!form.warned)
    diags.warning(makeRange(start, at + length))
        << "invalid escape sequence '" << text.slice(start, at + length)
        << "'; write '\\\\' for a backslash";
  form.warned = true;
  out.push_back('\\');
  return true;
}

/// At the 'x', 'u' or 'U' after a backslash.
bool Parser::decodeHexEscape(uint32_t &at, uint32_t end, unsigned digits, StringForm form,
                             llvm::SmallVectorImpl<char> &out) {
  uint32_t start = at - 1;
  char letter = text[at++];
  uint32_t value = 0;
  unsigned count = 0;
  for (; count < digits && at < end && llvm::isHexDigit(text[at]); ++count)
    value = value << 4 | llvm::hexDigitValue(text[at++]);
  if (count < digits) {
    error(makeRange(start, at)) << "'\\" << letter << "' must be followed by " << digits
                                << " hexadecimal digits";
    return false;
  }
  if (value > 0x10FFFF) {
    error(makeRange(start, at)) << "'" << text.slice(start, at)
                                << "' is beyond the last Unicode character, \\U0010FFFF";
    return false;
  }
  if (form.bytes)
    out.push_back(char(value));
  else
    appendUTF8(out, value);
  return true;
}

/// At the 'N' after a backslash: `\N{GREEK SMALL LETTER ALPHA}`.
bool Parser::decodeNamedEscape(uint32_t &at, uint32_t end, llvm::SmallVectorImpl<char> &out) {
  uint32_t start = at - 1;
  ++at;
  llvm::StringRef rest = text.slice(at, end);
  size_t close = rest.find('}');
  if (!rest.starts_with("{") || close == llvm::StringRef::npos || close == 1) {
    error(makeRange(start, at)) << "'\\N' must be followed by the name of a character in braces";
    return false;
  }
  llvm::StringRef name = rest.slice(1, close);
  at += uint32_t(close) + 1;
  auto codePoint = llvm::sys::unicode::nameToCodepointStrict(name.upper());
  if (!codePoint) {
    error(makeRange(start, at)) << "no Unicode character is named '" << name << "'";
    return false;
  }
  appendUTF8(out, *codePoint);
  return true;
}

} // namespace tilec
