// Compiles a kernel's text and runs it on `ref` and on `sim`.
#ifndef TILEC_TEST_UNIT_NUMBERS_KERNELRUNNER_H
#define TILEC_TEST_UNIT_NUMBERS_KERNELRUNNER_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tilec::test {

/// One array of elements as bytes; a kernel may write all of them.
struct Array {
  std::vector<uint8_t> bytes;
  unsigned elementBytes = 1;

  static Array of(unsigned elementBytes, const std::vector<uint64_t> &elements) {
    Array array;
    array.elementBytes = elementBytes;
    array.bytes.resize(elements.size() * elementBytes);
    for (size_t i = 0; i < elements.size(); ++i)
      std::memcpy(&array.bytes[i * elementBytes], &elements[i], elementBytes);
    return array;
  }
  static Array ofSize(unsigned elementBytes, size_t count) {
    return of(elementBytes, std::vector<uint64_t>(count, 0));
  }
  uint64_t operator[](size_t index) const {
    uint64_t value = 0;
    std::memcpy(&value, &bytes[index * elementBytes], elementBytes);
    return value;
  }
};

/// Runs the only kernel of `text`, whose parameters are pointers to the arrays, on a device with
/// `grid` programs; the arrays receive what it stored. Returns an error's text, "" on success.
std::string runKernel(const std::string &device, const std::string &text, unsigned grid,
                      std::vector<Array> &arrays);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_NUMBERS_KERNELRUNNER_H
