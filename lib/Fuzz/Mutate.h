// Changes of kernels that leave their meaning as it is.
#ifndef TILEC_LIB_FUZZ_MUTATE_H
#define TILEC_LIB_FUZZ_MUTATE_H

#include "lib/Fuzz/Case.h"
#include "lib/Fuzz/Random.h"

#include <optional>

namespace tilec::fuzz {

/// The case with a few changes: statements behind conditions that always hold, loops in pieces,
/// operands exchanged, another number of warps. Nothing if none applies. A change may break a rule
/// of types; then the front end refuses it.
std::optional<Case> mutateCase(const Case &original, Random &random);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_MUTATE_H
