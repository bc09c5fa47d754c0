// Random kernels of the tile dialect whose meaning does not depend on how they are lowered.
#ifndef TILEC_TEST_UNIT_CONVERSION_RANDOMKERNEL_H
#define TILEC_TEST_UNIT_CONVERSION_RANDOMKERNEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::test {

/// The element types of the kernels' buffers, in the order of their arguments: first an input of
/// each type, then an output of each, then the integers `n` and `m`.
inline const char *const kElementTypes[] = {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
inline constexpr unsigned kNumTypes = 8;
/// Elements of every input, and of the part of every output that one program writes.
inline constexpr int64_t kInputElements = 8192, kOutputElements = 65536;

/// A kernel and what is promised of its arguments.
struct RandomKernel {
  std::string text;
  /// Elements that each buffer begins past an address that is a multiple of 16 bytes.
  std::vector<unsigned> misalignment;
  int32_t n = 0, m = 0;
};

/// The kernel of a seed: loads of random indices, arithmetic, shape operations, reductions and
/// control flow, and stores of everything. Integer arithmetic is exact and floating-point values
/// are only compared, moved and combined in one order, so that every correct lowering gives the
/// same result.
RandomKernel makeRandomKernel(uint64_t seed);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_CONVERSION_RANDOMKERNEL_H
