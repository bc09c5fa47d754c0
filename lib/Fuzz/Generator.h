// The state of the generator, shared by its parts.
#ifndef TILEC_LIB_FUZZ_GENERATOR_H
#define TILEC_LIB_FUZZ_GENERATOR_H

#include "lib/Fuzz/Case.h"
#include "lib/Fuzz/Features.h"
#include "lib/Fuzz/Random.h"
#include "lib/Fuzz/Value.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>

namespace tilec::fuzz {

class Generator {
public:
  Generator(uint64_t seed, const FeatureSet &features) : random(seed), features(features) {}
  Case run();

private:
  //===--- Text and values (Generator.cpp) ---------------------------------===//
  bool has(Feature feature) const { return features[size_t(feature)]; }
  void line(const std::string &text) { body += std::string(indent, ' ') + text + "\n"; }
  std::string fresh(const char *prefix = "v") { return prefix + std::to_string(counter++); }
  /// Assigns the value to a new name, and puts it into the pool if a later step may use it.
  Value bind(Value value, bool isPooled = true);
  void pool(const Value &value) { values.push_back(value); }
  /// The literal of a whole number in a type: "3", "3.0", "True".
  static std::string literal(Elem elem, int64_t number);
  Value constant(const Shape &shape, Elem elem, int64_t number);
  /// A name or expression of a known range.
  static Value makeInt(std::string text, Shape shape, Elem elem, Wide low, Wide high);
  static Value makeFloat(std::string text, Shape shape, Elem elem, double magnitude);

  Elem anyElem();
  Elem anyInt();
  Elem anyFloat();
  Shape anyShape();
  /// Some value of the pool, later ones more often; there is one.
  Value anyValue();
  /// A value of the pool that `accepts`, if there is one.
  std::optional<Value> find(llvm::function_ref<bool(const Value &)> accepts);
  /// A value of that shape and type, taken or made.
  Value similar(const Shape &shape, Elem elem, unsigned depth = 0);
  Value similar(const Value &like, unsigned depth = 0) {
    return similar(like.shape, like.elem, depth);
  }
  /// Of another shape that broadcasts to it, at times.
  Value broadcastable(const Value &like, unsigned depth);
  Value scalarInt();
  /// A condition on scalars.
  Value scalarCondition();

  //===--- Elementwise (GenerateElementwise.cpp) ----------------------------===//
  Value elementwise(const Value &a, unsigned depth = 0);
  Value intOperation(const Value &a, unsigned depth);
  Value floatOperation(const Value &a, unsigned depth);
  Value mathOperation(const Value &a, unsigned depth);
  Value boolOperation(const Value &a, unsigned depth);
  Value compare(const Value &a, const Value &b);
  Value select(const Value &condition, const Value &a, const Value &b);
  Value cast(Value value, Elem to);
  /// The same where its absolute value is at most `bound`, else 1; never special.
  Value fit(const Value &value, double bound);
  /// Within [0, 2^bits), by a mask.
  Value maskBits(const Value &value, unsigned bits);
  Value addInts(const char *op, const Value &a, const Value &b);
  Value addSpecials(const Value &a);

  //===--- Memory (GenerateMemory.cpp) --------------------------------------===//
  /// sum over d of (index along d) * strides[d].
  Value affine(const Shape &shape, const Shape &strides);
  /// The strides of a dense array, its dimensions in any order.
  Shape denseStrides(const Shape &shape, int percentPermuted);
  Value mask(const Shape &shape);
  Value index(const Shape &shape, int64_t limit);
  Value load(const Shape &shape, Elem elem);
  void store(Value value);
  void pointerLoop();
  void atomic(Value value);
  std::optional<Value> atomicResult(const Value &like);
  std::optional<Value> blockLoad();
  Value randomNumbers();
  /// Any scalar parameter, as often as it is asked for declared once.
  Value scalarParam(const char *name);

  //===--- Shapes (GenerateShape.cpp) ---------------------------------------===//
  std::optional<Value> reshape(const Value &value);
  std::optional<Value> joinOrSplit(const Value &value);
  std::optional<Value> gather(const Value &value);
  std::optional<Value> histogram(const Value &value);
  std::optional<Value> sort(const Value &value);

  //===--- Along an axis (GenerateReduce.cpp) -------------------------------===//
  std::optional<Value> reduce(Value value);
  std::optional<Value> reduceTwo(const Value &value);
  std::optional<Value> scan(Value value);
  std::optional<Value> dot();
  /// A function that combines two values, defined once: "add", "max", ...
  std::string combiner(const std::string &name);

  //===--- Control flow (GenerateControl.cpp) -------------------------------===//
  void step();
  void steps(int64_t count);
  void loop();
  void accumulate();
  void whileLoop();
  void branch();
  Value conditional(const Value &a);
  std::optional<Value> callHelper(const Value &value);
  /// Runs `inside` as an indented block; names made in it are forgotten.
  void block(llvm::function_ref<void()> inside);

  Random random;
  FeatureSet features;
  std::string body, functions;
  unsigned indent = 4, counter = 0, depth = 0;
  /// How often the loops around run the current statement, at most.
  int64_t turns = 1;
  std::vector<Value> values;
  std::map<std::string, std::string> helpers;

  struct Buffer {
    std::string type;  ///< "*fp32:16"
    std::string value; ///< "randn({}):fp32", where {} is the number of elements.
    int64_t elements = 1;
  };
  /// By name, in the order of the parameters.
  std::map<std::string, Buffer> buffers;
  /// Type and value of scalar parameters.
  std::map<std::string, std::pair<std::string, std::string>> scalars;
  Buffer &getBuffer(const std::string &name, Elem elem, const std::string &value);
  int64_t programs = 1;
};

/// The largest number of turns of a loop, and the largest value of the parameter `n`.
inline constexpr int64_t kMaxTurns = 4;

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_GENERATOR_H
