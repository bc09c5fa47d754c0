// Writing files so that an error is not lost.
#ifndef TILEC_LIB_SUPPORT_OUTPUTFILE_H
#define TILEC_LIB_SUPPORT_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tilec {

/// Writes a file that appears only when complete; a device or pipe is written directly. The error
/// does not name the path.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef data);

/// Flushes a stream and takes its error, such as a full disk. Without this, LLVM's streams end the
/// process when they are destroyed.
llvm::Error takeStreamError(llvm::raw_ostream &os);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_OUTPUTFILE_H
