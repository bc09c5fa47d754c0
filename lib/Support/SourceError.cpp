// The text of errors about places.
#include "lib/Support/SourceError.h"

#include "llvm/Support/raw_ostream.h"

namespace tilec {

char SourceError::ID = 0;

void SourceError::log(llvm::raw_ostream &os) const {
  for (const Mistake &mistake : mistakes) {
    if (&mistake != &mistakes.front())
      os << '\n';
    if (!mistake.file.empty())
      os << mistake.file << ':' << mistake.line << ':' << mistake.column << ": ";
    os << mistake.text;
  }
}

std::error_code SourceError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

} // namespace tilec
