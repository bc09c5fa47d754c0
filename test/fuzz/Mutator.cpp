// Cuts, copies, swaps and insertions of bytes, words and lines.
#include "test/fuzz/Mutator.h"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <filesystem>

namespace tilec::fuzz {
namespace {

constexpr size_t kMaxSeed = size_t(256) << 10;
constexpr size_t kMaxInput = size_t(1) << 20;

constexpr llvm::StringLiteral kWords[] = {
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

} // namespace

std::vector<std::string> readSeeds(llvm::ArrayRef<std::string> directories) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const std::string &directory : directories) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
      std::string extension = it->path().extension().string();
      if (extension == ".tile" || extension == ".py")
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

void Mutator::mutate(std::string &text) {
  size_t at = below(text.size() + 1);
  switch (below(10)) {
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
    std::string piece =
        below(2) ? kWords[below(std::size(kWords))].str() : pickPiece(text, 20).str();
    size_t times = size_t(1) << below(14);
    std::string repeated;
    for (size_t i = 0; i < times && repeated.size() < kMaxInput / 4; ++i)
      repeated += piece;
    text.insert(at, repeated);
    break;
  }
  default: // A word of the language.
    text.insert(at, kWords[below(std::size(kWords))].str());
    break;
  }
  if (text.size() > kMaxInput)
    text.resize(kMaxInput);
}

std::string Mutator::next() {
  std::string text = pickSeed();
  for (size_t i = 1 + below(8); i > 0; --i)
    mutate(text);
  return text;
}

} // namespace tilec::fuzz
