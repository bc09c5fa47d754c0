// Source files as the tools take them: notebooks too.
#ifndef TILEC_LIB_DRIVER_NOTEBOOK_H
#define TILEC_LIB_DRIVER_NOTEBOOK_H

#include "lib/Support/SourceManager.h"

namespace tilec {

/// Reads a file, or standard input if `path` is "-". Of a Jupyter notebook (.ipynb) the code cells
/// are the text, one after the other; lines that are not Python (`!pip`, `%time`) become comments.
llvm::ErrorOr<FileID> addSourceFile(SourceManager &sources, llvm::StringRef path);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_NOTEBOOK_H
