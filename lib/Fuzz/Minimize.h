// Making a finding small.
#ifndef TILEC_LIB_FUZZ_MINIMIZE_H
#define TILEC_LIB_FUZZ_MINIMIZE_H

#include "lib/Fuzz/Trial.h"

#include "llvm/Support/raw_ostream.h"

namespace tilec::fuzz {

/// A smaller trial with an outcome of the same class, found within some seconds; `outcome` becomes
/// the smaller trial's. `secondsPerTrial` is the limit of one run.
Trial minimize(const Trial &trial, Outcome &outcome, double seconds, double secondsPerTrial,
               llvm::raw_ostream &progress);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_MINIMIZE_H
