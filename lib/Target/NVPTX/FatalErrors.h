// Runs LLVM code so that a fatal error of LLVM's becomes an error value.
#ifndef TILEC_LIB_TARGET_NVPTX_FATALERRORS_H
#define TILEC_LIB_TARGET_NVPTX_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tilec {

/// Runs `body` on this thread, on a stack of its own of 16 MiB. When it reaches
/// llvm::report_fatal_error ("Cannot select", say), returns the text as an error and leaves that
/// stack as it is for the rest of the process: what lies on it may still be referred to, and its
/// destructors never run. Signals such as SIGSEGV are not caught. Thread-safe; may be nested.
llvm::Error runCatchingFatalErrors(llvm::function_ref<void()> body);

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_FATALERRORS_H
