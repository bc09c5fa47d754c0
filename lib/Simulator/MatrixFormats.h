// What the simulator's compiler and its library agree on about tensor cores.
#ifndef TILEC_LIB_SIMULATOR_MATRIXFORMATS_H
#define TILEC_LIB_SIMULATOR_MATRIXFORMATS_H

#include <cstdint>

namespace tilec::sim {

/// The elements of a product's operands.
enum class MatrixFormat : uint32_t { TF32, F16, BF16, I8, F8E4M3, F8E5M2 };

/// A thread's fragments in the memory that a call passes: 16 bytes, 8 bytes, and the accumulator,
/// which the result replaces.
inline constexpr int kLhsOffset = 0, kRhsOffset = 16, kAccOffset = 32;

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_MATRIXFORMATS_H
