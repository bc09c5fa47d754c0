// The modules of Triton's API, under one name each.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H
#define TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H

#include "lib/Frontend/MLIRGen/Value.h"

#include <optional>
#include <string>

namespace tilec::frontend {

/// The canonical name of a dotted module path: "triton.language.math" is "tl.math", every spelling
/// of libdevice is "libdevice". Empty if the path is no module that is known.
std::string canonicalModule(llvm::StringRef path);

/// Whether a canonical module is one of Python's side: what it has beside what is known here is not
/// known at compile time, and no error.
bool isHostModule(llvm::StringRef path);

/// A member of `math`, `torch`, `sys` ... that is a value.
std::optional<Value> hostConstant(llvm::StringRef module, llvm::StringRef name);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_MODULES_H
