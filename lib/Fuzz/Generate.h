// Random kernels that are valid by construction.
#ifndef TILEC_LIB_FUZZ_GENERATE_H
#define TILEC_LIB_FUZZ_GENERATE_H

#include "lib/Fuzz/Case.h"
#include "lib/Fuzz/Features.h"

namespace tilec::fuzz {

/// The kernel of a seed, with arguments. Every right implementation gives the same results in its
/// `exact_` tensors, and in its `approx` tensors within kLooseTolerance.
Case generateCase(uint64_t seed, const FeatureSet &features);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_GENERATE_H
