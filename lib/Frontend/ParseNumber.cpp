// The values of number literals, whose form the lexer has checked.
#include "lib/Frontend/ParserImpl.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <limits>

namespace tilec {

using namespace ast;

namespace {

/// Longest decimal integer, as in Python: the conversion takes quadratic time.
constexpr size_t kMaxDecimalDigits = 4300;

void removeUnderscores(llvm::StringRef text, llvm::SmallVectorImpl<char> &out) {
  for (char c : text)
    if (c != '_')
      out.push_back(c);
}

/// Digits of `bitsPerDigit` bits each, as 64-bit words.
llvm::SmallVector<uint64_t, 4> packDigits(llvm::StringRef digits, unsigned bitsPerDigit) {
  llvm::SmallVector<uint64_t, 4> words((digits.size() * bitsPerDigit + 63) / 64 + 1, 0);
  size_t bit = 0;
  for (size_t i = digits.size(); i-- > 0; bit += bitsPerDigit) {
    uint64_t digit = llvm::hexDigitValue(digits[i]);
    words[bit / 64] |= digit << bit % 64;
    if (bit % 64 + bitsPerDigit > 64)
      words[bit / 64 + 1] |= digit >> (64 - bit % 64);
  }
  while (words.size() > 1 && words.back() == 0)
    words.pop_back();
  return words;
}

/// A decimal number out of double's range is either too large or too small: whether the exponent
/// of its first digit is positive.
bool isHuge(llvm::StringRef digits) {
  auto [mantissa, exponentText] = digits.split(digits.contains('e') ? 'e' : 'E');
  long long exponent = 0;
  exponentText.consume_front("+");
  if (exponentText.getAsInteger(10, exponent))
    exponent = exponentText.starts_with("-") ? std::numeric_limits<int>::min()
                                             : std::numeric_limits<int>::max();
  auto [whole, fraction] = mantissa.split('.');
  whole = whole.ltrim('0');
  if (!whole.empty())
    return exponent + static_cast<long long>(whole.size()) > 0;
  size_t zeros = fraction.size() - fraction.ltrim('0').size();
  return exponent > static_cast<long long>(zeros);
}

double toDouble(llvm::StringRef digits) {
  double value = 0;
  auto result = std::from_chars(digits.begin(), digits.end(), value);
  if (result.ec == std::errc::result_out_of_range)
    return isHuge(digits) ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

} // namespace

Expr *Parser::parseInt() {
  uint32_t start = begin();
  llvm::SmallString<32> digits;
  llvm::StringRef literal = spelling(token());
  removeUnderscores(literal, digits);
  llvm::StringRef rest = digits;
  unsigned bitsPerDigit = 0;
  if (rest.size() > 1 && rest[0] == '0' && llvm::isAlpha(rest[1])) {
    char radix = llvm::toLower(rest[1]);
    bitsPerDigit = radix == 'x' ? 4 : radix == 'o' ? 3 : 1;
    rest = rest.drop_front(2);
  }
  llvm::SmallVector<uint64_t, 4> words;
  uint64_t small;
  if (bitsPerDigit != 0) {
    words = packDigits(rest, bitsPerDigit);
  } else if (!rest.getAsInteger(10, small)) {
    words.push_back(small);
  } else if (rest.size() > kMaxDecimalDigits) {
    error(rangeOf(token())) << "integer literal has more than " << kMaxDecimalDigits
                            << " digits; write it in hexadecimal";
    return nullptr;
  } else {
    llvm::APInt value(unsigned(rest.size()) * 4, rest, 10);
    words.assign(value.getRawData(), value.getRawData() + value.getNumWords());
    while (words.size() > 1 && words.back() == 0)
      words.pop_back();
  }
  advance();
  return makeExpr<IntLiteral>(start, copy(words));
}

Expr *Parser::parseFloat(bool imaginary) {
  uint32_t start = begin();
  llvm::SmallString<32> digits;
  removeUnderscores(spelling(token()), digits);
  if (imaginary)
    digits.pop_back();
  double value = toDouble(digits);
  advance();
  if (imaginary)
    return makeExpr<ImaginaryLiteral>(start, value);
  return makeExpr<FloatLiteral>(start, value);
}

} // namespace tilec
