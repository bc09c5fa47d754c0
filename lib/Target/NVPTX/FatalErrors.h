// Runs LLVM code so that a fatal error of LLVM's becomes an error value.
#ifndef TILEC_LIB_TARGET_NVPTX_FATALERRORS_H
#define TILEC_LIB_TARGET_NVPTX_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tilec {

/// Runs `body` on a thread of its own, with an 8 MiB stack, and waits for it. When it reaches
/// llvm::report_fatal_error ("Cannot select", say), returns the text as an error; the thread then
/// sleeps for the rest of the process, since nothing of what it holds can be given back safely.
/// Signals such as SIGSEGV are not caught. Thread-safe; may be nested.
llvm::Error runCatchingFatalErrors(llvm::function_ref<void()> body);

} // namespace tilec

#endif // TILEC_LIB_TARGET_NVPTX_FATALERRORS_H
