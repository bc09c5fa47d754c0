// The modules of Triton's API, under one name each.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H
#define TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilec::frontend {

/// The canonical name of a dotted module path: "triton.language.math" is "tl.math", every spelling
/// of libdevice is "libdevice". Empty if the path is no module that is known.
std::string canonicalModule(llvm::StringRef path);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H
