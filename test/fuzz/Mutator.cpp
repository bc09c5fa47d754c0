// Cuts, copies, swaps and insertions of bytes, words and lines.
#include "test/fuzz/Mutator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <filesystem>

namespace tilec::fuzz {
namespace {

constexpr size_t kMaxSeed = size_t(256) << 10;

constexpr llvm::StringLiteral kTileWords[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f'{",
    "}'",
    "f\"\"\"{",
    "\\",
    "\\\n",
    "\n",
    "\r\n",
    "\r",
    "\n\t",
    "\n    ",
    "\n  ",
    "#",
    ":",
    ":=",
    "=",
    "==",
    "+=",
    "->",
    ",",
    ";",
    ".",
    "...",
    "*",
    "**",
    "@",
    "!r",
    "!",
    "$",
    "not ",
    "in ",
    "is ",
    "if ",
    "elif ",
    "else:",
    "for ",
    "while ",
    "def f(",
    "class C",
    "lambda ",
    "match ",
    "case ",
    "try:",
    "with (",
    "return ",
    "yield ",
    "async ",
    "await ",
    "import ",
    "from ",
    "del ",
    "and ",
    "or ",
    "None",
    "0x",
    "1e",
    "1_",
    "1e999",
    "0b2",
    "09",
    "1j",
    "\\N{",
    "\\x",
    "\\U00",
    "\xEF\xBB\xBF",
    "\xFF",
    "\xC3",
    "\xE2\x80\xA8",
    "\x01",
    "b'",
    "rb\"",
    "tl.load(",
    "tl.constexpr",
    "-1 ** ",
    "99999999999999999999999",
    "[:, None]",
    "@triton.jit\n",
};

constexpr llvm::StringLiteral kMlirWords[] = {
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "->",
    ":",
    ",",
    "0",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "1.0e400",
    "0x7FF0000000000000",
    "index",
    "i1",
    "i7",
    "i64",
    "i128",
    "none",
    "f16",
    "bf16",
    "f64",
    "f8E4M3FN",
    "vector<4xf32>",
    "memref<4xf32>",
    "tensor<f32>",
    "tensor<?xf32>",
    "tensor<*xf32>",
    "tensor<0xf32>",
    "tensor<3xi32>",
    "tensor<2097152xf32>",
    "tensor<1x1x1x1x1x1x1x1xf32>",
    "tensor<1048576x1048576xf32>",
    "!tile.ptr<f32>",
    "!tile.ptr<!tile.ptr<f32>>",
    "tensor<128x!tile.ptr<f32>>",
    "!llvm.ptr",
    "!llvm.struct<(f32, i64)>",
    "dense<0>",
    "unit",
    "@tilegpu_shared",
    "{tile.kernel}",
    "attributes {tile.kernel}",
    "{tilegpu.num_warps = 4 : i32}",
    "{tilegpu.num_warps = 0 : i32}",
    "{tile.name = \"x\"}",
    "#tilegpu.layout<register = [[1]], lane = [[0]], warp = []>",
    "%0",
    "%arg0",
    "%c0",
    "^bb0",
    "scf.if",
    "scf.for",
    "scf.while",
    "cf.br ^bb0",
    "func.func private @f()",
    "return",
    "func.call @f()",
    "tile.load",
    "tile.reduce",
    "tilegpu.barrier",
    "tilegpu.ld",
    "\"test.op\"()",
    "loc(unknown)",
    "// -----\n",
};

constexpr llvm::StringLiteral kNumbers[] = {"0",  "1",   "-1",   "2",     "3",       "4",
                                            "7",  "8",   "16",   "31",    "32",      "33",
                                            "64", "128", "1024", "65536", "1048576", "2147483647"};

/// Tokens of one kind can stand for each other: numbers, %values, #attributes, @symbols, words.
char kindOf(llvm::StringRef token) {
  if (token.empty())
    return 0;
  if (llvm::isDigit(token[0]) || (token[0] == '-' && token.size() > 1))
    return '0';
  return llvm::isAlpha(token[0]) ? 'a' : token[0];
}

bool isWordByte(char byte) {
  return llvm::isAlnum(byte) || llvm::StringRef("_%#!.@-").contains(byte);
}

} // namespace

llvm::ArrayRef<llvm::StringLiteral> getTileWords() { return kTileWords; }
llvm::ArrayRef<llvm::StringLiteral> getMlirWords() { return kMlirWords; }

std::vector<std::string> readSeeds(llvm::ArrayRef<std::string> directories,
                                   llvm::ArrayRef<llvm::StringRef> extensions) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const std::string &directory : directories) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
      std::string extension = it->path().extension().string();
      if (llvm::is_contained(extensions, extension))
        paths.push_back(it->path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const std::string &path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (buffer && (*buffer)->getBufferSize() <= kMaxSeed)
      seeds.push_back((*buffer)->getBuffer().str());
  }
  return seeds;
}

llvm::StringRef Mutator::pickPiece(llvm::StringRef text, size_t longest) {
  size_t begin = below(text.size() + 1);
  return text.substr(begin, below(std::min(longest, text.size() - begin) + 1));
}

/// Begin and end of a word or number at or after a random place; empty if there is none.
std::pair<size_t, size_t> Mutator::pickToken(llvm::StringRef text) {
  size_t begin = below(text.size() + 1);
  while (begin > 0 && begin < text.size() && isWordByte(text[begin - 1]))
    --begin;
  while (begin < text.size() && !isWordByte(text[begin]))
    ++begin;
  size_t end = begin;
  while (end < text.size() && isWordByte(text[end]))
    ++end;
  return {begin, end};
}

void Mutator::mutate(std::string &text) {
  size_t at = below(text.size() + 1);
  switch (below(32)) {
  case 0: // Truncate.
    text.resize(at);
    break;
  case 1: // Cut the front.
    text.erase(0, at);
    break;
  case 2: // Delete a piece.
    text.erase(at, below(64));
    break;
  case 3: // Flip a bit.
    if (at < text.size())
      text[at] = char(text[at] ^ (1 << below(8)));
    break;
  case 4: // Any byte.
    text.insert(at, 1, char(below(256)));
    break;
  case 5: // Copy a piece of it elsewhere.
    text.insert(at, pickPiece(text, 200).str());
    break;
  case 6: // Take a piece of another.
    text.insert(at, pickPiece(pickSeed(), 400).str());
    break;
  case 7: { // Repeat a word or a piece many times.
    std::string piece = below(2) ? words[below(words.size())].str() : pickPiece(text, 20).str();
    size_t times = size_t(1) << below(14);
    std::string repeated;
    for (size_t i = 0; i < times && repeated.size() < maxInput / 4; ++i)
      repeated += piece;
    text.insert(at, repeated);
    break;
  }
  case 8: // A word of the language.
    text.insert(at, words[below(words.size())].str());
    break;
  case 9: { // Two lines change places.
    size_t line = text.find('\n', at);
    size_t next = line == std::string::npos ? line : text.find('\n', line + 1);
    if (next != std::string::npos) {
      std::string piece = text.substr(line, next - line);
      text.erase(line, next - line);
      text.insert(std::min(text.size(), text.rfind('\n', below(text.size() + 1))), piece);
    }
    break;
  }
  default: { // One token for another, which more often leaves something that parses.
    auto [begin, end] = pickToken(text);
    char kind = kindOf(llvm::StringRef(text).slice(begin, end));
    std::string other;
    for (unsigned tries = 0; tries < 8 && kindOf(other) != kind; ++tries) {
      auto [otherBegin, otherEnd] = pickToken(text);
      other = text.substr(otherBegin, otherEnd - otherBegin);
    }
    if (kind == '0' && below(2))
      other = kNumbers[below(std::size(kNumbers))].str();
    else if (below(8) == 0)
      other = words[below(words.size())].str();
    text.replace(begin, end - begin, other);
    break;
  }
  }
  if (text.size() > maxInput)
    text.resize(maxInput);
}

std::string Mutator::next() {
  std::string text = pickSeed();
  // Most often one or two: the more changes, the fewer inputs get past the parser.
  for (size_t i = 1 + below(1 + below(8)); i > 0; --i)
    mutate(text);
  return text;
}

} // namespace tilec::fuzz
