// Describing the accesses of global and shared memory to the host library.
#ifndef TILEC_LIB_SIMULATOR_ACCESSSITE_H
#define TILEC_LIB_SIMULATOR_ACCESSSITE_H

#include "lib/Simulator/HostRewriter.h"

namespace tilec::sim {

/// What there is to know about an access of a value of `type`.
Site describeAccess(mlir::Operation *op, HostRewriter &rewriter, llvm::StringRef what,
                    mlir::Type type, uint64_t align, std::optional<uint32_t> arg);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_ACCESSSITE_H
