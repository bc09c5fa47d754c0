// The state of the generator of random kernels, shared by its parts.
#ifndef TILEC_TEST_UNIT_CONVERSION_RANDOMGENERATOR_H
#define TILEC_TEST_UNIT_CONVERSION_RANDOMGENERATOR_H

#include "RandomKernel.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace tilec::test {

using Shape = std::vector<int64_t>;

struct Value {
  std::string name;
  Shape shape; // empty: a scalar
  std::string element;
};

inline int64_t countOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
}

class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 12345) {}
  RandomKernel run();

private:
  // --- Random numbers ---
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Dull >> 16;
  }
  int64_t below(int64_t bound) { return static_cast<int64_t>(next() % bound); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  const T &pick(const std::vector<T> &values) {
    return values[below(values.size())];
  }

  // --- Text ---
  void line(const std::string &text) { body += std::string(indent, ' ') + text + "\n"; }
  std::string fresh() { return "%v" + std::to_string(counter++); }
  static std::string typeOf(const Shape &shape, const std::string &element) {
    if (shape.empty())
      return element;
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + ">";
  }
  static std::string typeOf(const Value &value) { return typeOf(value.shape, value.element); }
  Value emit(const std::string &operation, Shape shape, std::string element) {
    Value result{fresh(), std::move(shape), std::move(element)};
    line(result.name + " = " + operation);
    return result;
  }
  static bool isFloat(const std::string &element) { return element[0] == 'f' || element[0] == 'b'; }
  static int widthOf(const std::string &element) {
    return std::stoi(element.substr(element.find_first_of("0123456789")));
  }

  // --- Operations ---
  Value constant(const Shape &shape, const std::string &element, int64_t value);
  Value splat(const Value &scalar, const Shape &shape);
  Value binary(const std::string &op, const Value &a, const Value &b);
  Value convert(const Value &value, const std::string &element);
  /// sum over d of (index along d) * strides[d].
  Value affine(const Shape &shape, const Shape &strides);
  Value index(const Shape &shape);
  Value mask(const Shape &shape);
  Value compare(const Value &a, const Value &b);
  Value load(const Shape &shape, const std::string &element);
  void store(const Value &value);
  Value elementwise(const Value &a);
  Value reshape(const Value &value);
  void reduce(const Value &value);
  void scan(const Value &value);
  /// Joins, splits, gathers or counts.
  void move(const Value &value);
  void loop();
  void branch();
  void whileLoop();
  /// A loop, or two nested ones, that walks an input with a tensor of pointers.
  void pointerLoop();
  void step();
  void steps(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      step();
  }
  Value scalarInt();
  Value anyTensor() {
    // Later values more often.
    size_t back = std::min<size_t>(below(pool.size()), below(pool.size()));
    return pool[pool.size() - 1 - back];
  }
  /// A value of the given type from the pool, or a new one.
  Value similar(const Value &like);
  Shape randomShape();
  std::string bufferOf(const std::string &element, bool input) const;

  uint64_t state;
  std::string body;
  int indent = 2;
  unsigned counter = 0;
  unsigned depth = 0;
  std::vector<Value> pool;
  std::vector<int64_t> used = std::vector<int64_t>(kNumTypes, 0);
  RandomKernel kernel;
};

/// The buffer that holds elements of a type; booleans live in bytes.
unsigned typeIndex(const std::string &element);
/// Strides of a dense array that walks the dimensions in the given order.
Shape denseStrides(const Shape &shape, const std::vector<unsigned> &order);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_CONVERSION_RANDOMGENERATOR_H
