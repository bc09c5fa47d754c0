// What the emitters of statements need of the functions with effects.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_EFFECTS_H
#define TILEC_LIB_FRONTEND_MLIRGEN_EFFECTS_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// An assertion about run-time values, where `mask` is true if that is a tensor; nothing if
/// assertions are not wanted [R40]. False after an error.
bool emitRuntimeAssert(Generator &g, const Value &condition, const Value &message,
                       const Value &mask, SourceRange range);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_EFFECTS_H
