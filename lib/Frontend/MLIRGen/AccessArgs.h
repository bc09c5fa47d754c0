// What the builtins that access memory share: their pointer, and what is brought to its shape.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_ACCESSARGS_H
#define TILEC_LIB_FRONTEND_MLIRGEN_ACCESSARGS_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// The pointer argument of an access; poison after an error. Pointers to i1 point to i8 [R13].
Value readPointer(Generator &g, const CallArgs &args, unsigned index);

/// A mask or value brought to the pointer's shape [R14, R15].
Value fitToPointer(Generator &g, const Value &value, const Value &pointer, SourceRange range,
                   llvm::StringRef what);

/// An argument cast to the element type of an access; literals become constants at once.
Value elementOf(Generator &g, const CallArgs &args, unsigned index, DType element);

/// The mask as i1 in the pointer's shape; poison after an error.
Value readMask(Generator &g, const CallArgs &args, unsigned index, const Value &pointer);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_ACCESSARGS_H
