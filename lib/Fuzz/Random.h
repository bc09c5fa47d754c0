// The random numbers of the fuzzer: the same sequence for a seed on every machine.
#ifndef TILEC_LIB_FUZZ_RANDOM_H
#define TILEC_LIB_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tilec::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// splitmix64.
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// In [0, bound).
  int64_t below(int64_t bound) { return static_cast<int64_t>((next() >> 1) % uint64_t(bound)); }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <typename T>
  const T &pick(const std::vector<T> &values) {
    return values[size_t(below(int64_t(values.size())))];
  }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[size_t(below(int64_t(values.size())))];
  }

private:
  uint64_t state;
};

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_RANDOM_H
