// An llvm::Error about places in source files.
#ifndef TILEC_LIB_SUPPORT_SOURCEERROR_H
#define TILEC_LIB_SUPPORT_SOURCEERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilec {

/// What is wrong at one or more places, with names of files and positions for whoever has the text.
class SourceError : public llvm::ErrorInfo<SourceError> {
public:
  static char ID;

  struct Mistake {
    std::string file; ///< Empty if the place is not known.
    unsigned line = 0, column = 0;
    std::string text;

    bool operator==(const Mistake &other) const {
      return file == other.file && line == other.line && column == other.column &&
             text == other.text;
    }
  };

  explicit SourceError(std::vector<Mistake> mistakes) : mistakes(std::move(mistakes)) {}
  llvm::ArrayRef<Mistake> getMistakes() const { return mistakes; }
  /// `file:line:column: text`, a line each.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::vector<Mistake> mistakes;
};

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_SOURCEERROR_H
