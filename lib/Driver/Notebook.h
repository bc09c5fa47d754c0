// Source files as the tools take them: notebooks too.
#ifndef TILEC_LIB_DRIVER_NOTEBOOK_H
#define TILEC_LIB_DRIVER_NOTEBOOK_H

#include "lib/Support/Diagnostics.h"

#include <optional>

namespace tilec {

/// Reads a file, or standard input if `path` is "-". Of a Jupyter notebook (.ipynb) the code cells
/// are the text, one after the other; lines that are not Python (`!pip`, `%time`) become comments.
/// Nothing after an error, which goes to `diags`.
std::optional<FileID> addSourceFile(SourceManager &sources, llvm::StringRef path,
                                    DiagnosticEngine &diags);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_NOTEBOOK_H
