// The fuzzer without its main().
#ifndef TILEC_LIB_FUZZ_FUZZ_H
#define TILEC_LIB_FUZZ_FUZZ_H

#include "lib/Driver/CommandLine.h"

namespace tilec::fuzz {

/// Runs `tile-fuzz`. `args` is without the program's name. Returns the exit status: 0, or 1 after a
/// finding or an error.
int tileFuzzMain(llvm::ArrayRef<const char *> args, const ToolStreams &streams);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_FUZZ_H
