// What the host programs of the examples share: the device, inputs, 16-bit floats, and the
// comparison with a reference computed in double precision.
#ifndef TILEC_EXAMPLES_SUPPORT_HOST_H
#define TILEC_EXAMPLES_SUPPORT_HOST_H

#include "tilec/tilec.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <string>
#include <vector>

namespace host {

/// `count` normal numbers, the same in each run.
template <typename T = float>
std::vector<T> randomNormal(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<T> values(count);
  for (T &value : values)
    value = T(normal(engine));
  return values;
}

/// The value of `--NAME=VALUE` among the arguments, or `otherwise`.
inline std::string option(int argc, char **argv, const std::string &name,
                          const std::string &otherwise) {
  const std::string prefix = "--" + name + "=";
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], prefix.c_str(), prefix.size()) == 0)
      return argv[i] + prefix.size();
  return otherwise;
}

/// The device that `--device=NAME` asks for; without it the first GPU, or a simulated one.
inline tilec::Device openDevice(int argc, char **argv) {
  const std::string name = option(argc, argv, "device", "");
  if (!name.empty())
    return tilec::Device::open(name).value();
  if (auto gpu = tilec::Device::open("cuda:0"))
    return *gpu;
  return tilec::Device::open("sim").value();
}

/// Opens the device and runs `body` on it. Returns the exit status of the program.
inline int run(int argc, char **argv, bool (*body)(const tilec::Device &)) {
  try {
    const tilec::Device device = openDevice(argc, argv);
    std::printf("device: %s\n", device.description().c_str());
    return body(device) ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

/// Throws if a call failed.
inline void require(const tilec::Status &status) {
  if (!status.ok())
    throw tilec::Error(status);
}

/// Where the kernels lie: the build says, else the current folder.
#ifndef TILEC_EXAMPLES_DIR
#define TILEC_EXAMPLES_DIR "."
#endif

using Defines = std::vector<std::pair<std::string, std::string>>;

/// Compiles one kernel of a file below examples/ for the device, and loads it. Without a signature
/// the types are those that stand in the file.
inline tilec::Kernel loadKernel(const tilec::Device &device, const std::string &file,
                                const std::string &kernel, const Defines &defines,
                                const std::string &signature = "") {
  tilec::CompileOptions options = device.compileOptions();
  options.kernels = {kernel};
  options.defines = defines;
  options.signature = signature;
  const std::string path = TILEC_EXAMPLES_DIR "/" + file;
  const tilec::Artifact artifact = tilec::Artifact::compileFile(path, options).value();
  return device.load(artifact).value().kernel(kernel).value();
}

/// An uninitialized buffer of `count` elements of T.
template <typename T>
tilec::Buffer allocate(const tilec::Device &device, size_t count) {
  return device.allocate(count * sizeof(T)).value();
}

/// The smallest power of two that is at least `n`.
inline int64_t nextPowerOfTwo(int64_t n) {
  int64_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

inline uint64_t ceilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// bfloat16: the upper half of a float, rounded to nearest even.
struct BFloat16 {
  static constexpr const char *type = "bf16";
  uint16_t bits = 0;

  BFloat16() = default;
  BFloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    if (std::isnan(value))
      bits = uint16_t(word >> 16) | 0x40;
    else
      bits = uint16_t((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  operator double() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

/// IEEE half precision, rounded to nearest even.
struct Half {
  static constexpr const char *type = "fp16";
  uint16_t bits = 0;

  Half() = default;
  Half(float value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(double(value));
    if (std::isnan(value))
      bits = sign | 0x7e00;
    else if (size >= 65520)
      bits = sign | 0x7c00;
    else if (size < std::ldexp(1.0, -14)) // Subnormal: a multiple of 2^-24.
      bits = sign | uint16_t(std::nearbyint(std::ldexp(size, 24)));
    else {
      int exponent = std::ilogb(size);
      // A fraction that rounds up to 2 carries into the exponent, as it should.
      auto fraction = uint16_t(std::nearbyint(std::ldexp(size, 10 - exponent))) - 0x400;
      bits = uint16_t(sign | (((exponent + 15) << 10) + fraction));
    }
  }
  operator double() const {
    const int exponent = (bits >> 10) & 31, fraction = bits & 0x3ff;
    double size = exponent == 0    ? std::ldexp(fraction, -24)
                  : exponent == 31 ? (fraction ? NAN : INFINITY)
                                   : std::ldexp(0x400 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
  }
};

/// The kernel language's name of a type.
template <typename T>
const char *typeName() {
  return T::type;
}
template <>
inline const char *typeName<float>() {
  return "fp32";
}

/// How far a result may be from its reference.
struct Tolerance {
  double relative, absolute;
};
template <typename T>
Tolerance tolerance() {
  return {2e-5, 5e-6};
}
template <>
inline Tolerance tolerance<int32_t>() {
  return {0, 0};
}
template <>
inline Tolerance tolerance<Half>() {
  return {2e-3, 1e-3};
}
template <>
inline Tolerance tolerance<BFloat16>() {
  return {1.6e-2, 1e-2};
}

/// Compares element by element and prints one line. Returns whether all are within the tolerance.
template <typename T>
bool check(const std::string &what, const std::vector<T> &got, const std::vector<double> &want,
           Tolerance allowed = tolerance<T>()) {
  double largest = 0;
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    double error = std::fabs(double(got[i]) - want[i]);
    if (!(error <= allowed.absolute + allowed.relative * std::fabs(want[i])) && wrong++ == 0)
      first = i;
    largest = std::fmax(largest, error);
  }
  if (wrong == 0 && got.size() == want.size()) {
    std::printf("%-32s %9zu results right, largest error %.2g\n", what.c_str(), want.size(),
                largest);
    return true;
  }
  std::printf("%-32s %9zu of %zu results wrong; at %zu: %.9g, reference %.9g\n", what.c_str(),
              wrong, want.size(), first, double(got[first]), want[first]);
  return false;
}

} // namespace host

#endif // TILEC_EXAMPLES_SUPPORT_HOST_H
