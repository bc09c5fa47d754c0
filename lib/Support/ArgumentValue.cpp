// The value of `--arg NAME=VALUE`: numbers, files, and tensors made up on the spot.
#include "lib/Support/FloatFormats.h"
#include "lib/Support/HostMemory.h"
#include "lib/Support/HostTensor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

namespace tilec {
namespace {

/// Largest tensor that is made: a typing error should not fill the memory.
constexpr int64_t kMaxElements = int64_t(1) << 34;

/// xoshiro256**, seeded by splitmix64: the same everywhere, unlike the standard distributions.
class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state) {
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      word = z ^ z >> 31;
    }
  }

  uint64_t next() {
    uint64_t result = llvm::rotl(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = llvm::rotl(state[3], 45);
    return result;
  }

  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [0, bound), without bias; a bound of 0 stands for 2^64.
  uint64_t below(uint64_t bound) {
    if (bound == 0)
      return next();
    uint64_t limit = -bound % bound; // 2^64 mod bound.
    while (true) {
      uint64_t value = next();
      if (value >= limit)
        return value % bound;
    }
  }

  /// Of the standard normal distribution, by Marsaglia's polar method.
  double normal() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double u, v, square;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      square = u * u + v * v;
    } while (square >= 1 || square == 0);
    double factor = std::sqrt(-2 * std::log(square) / square);
    spare = v * factor;
    hasSpare = true;
    return u * factor;
  }

private:
  uint64_t state[4];
  bool hasSpare = false;
  double spare = 0;
};

/// A number as written.
struct Number {
  bool isInteger = false;
  int64_t integer = 0; ///< Modulo 2^64.
  double real = 0;

  bool isNegative() const { return isInteger ? real < 0 : std::signbit(real); }
};

std::optional<Number> parseNumber(llvm::StringRef text) {
  Number number;
  text = text.trim();
  llvm::StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  // LLVM's floats accept no sign after a sign and no empty text, but hexadecimal integers.
  if (digits.empty() || digits[0] == '-' || digits[0] == '+')
    return std::nullopt;
  std::string plain;
  for (char c : digits) // Python's 1_000_000.
    if (c != '_')
      plain += c;
  uint64_t magnitude;
  bool isDecimal = llvm::all_of(plain, llvm::isDigit);
  if (!llvm::StringRef(plain).getAsInteger(isDecimal ? 10 : 0, magnitude)) {
    if (negative && magnitude > uint64_t(1) << 63)
      return std::nullopt;
    number.isInteger = true;
    number.integer = static_cast<int64_t>(negative ? -magnitude : magnitude);
    number.real = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    return number;
  }
  std::string lower = llvm::StringRef(plain).lower();
  if (lower == "inf" || lower == "infinity")
    number.real = INFINITY;
  else if (lower == "nan")
    number.real = std::nan("");
  else if (isDecimal || !llvm::to_float(plain, number.real)) // Decimal: beyond 64 bits.
    return std::nullopt;
  if (negative)
    number.real = -number.real;
  return number;
}

/// Parses one `NAME=VALUE`.
class ArgumentParser {
public:
  ArgumentParser(llvm::StringRef name, llvm::StringRef text, uint64_t seed)
      : name(name), text(text), seed(seed) {
    argument.name = name.str();
  }

  llvm::Expected<ArgumentValue> parse() {
    if (text.starts_with("@"))
      return parseFile();
    llvm::StringRef body = text;
    if (llvm::Error error = takeType(body))
      return std::move(error);
    size_t open = body.find('(');
    if (open != llvm::StringRef::npos) {
      if (!body.consume_back(")"))
        return fail("the ')' is missing or something follows it");
      return parseTensor(body.take_front(open).trim(), body.drop_front(open + 1));
    }
    return parseScalar(body);
  }

private:
  template <class... Parts>
  llvm::Error fail(Parts &&...parts) {
    std::string message = ("argument '" + name + "=" + text + "': ").str();
    ((message += llvm::Twine(parts).str()), ...);
    return llvm::createStringError(message);
  }

  /// Takes `:TYPE` off the end.
  llvm::Error takeType(llvm::StringRef &body) {
    size_t colon = body.rfind(':');
    if (colon == llvm::StringRef::npos)
      return llvm::Error::success();
    llvm::StringRef type = body.drop_front(colon + 1).trim();
    dtype = parseDType(type);
    if (!dtype)
      return fail("'", type, "' is not a type; types are ", listDTypes());
    body = body.take_front(colon).rtrim();
    return llvm::Error::success();
  }

  llvm::Expected<ArgumentValue> parseFile() {
    llvm::StringRef path = text.drop_front();
    // A colon may be part of a path; a type follows the file's extension.
    if (!path.ends_with(".npy"))
      if (llvm::Error error = takeType(path))
        return std::move(error);
    if (path.empty())
      return fail("a file name must follow '@'");
    llvm::Expected<HostTensor> tensor = readNpy(path);
    if (!tensor)
      return fail(llvm::toString(tensor.takeError()));
    argument.kind = ArgumentValue::Kind::Tensor;
    argument.tensor =
        dtype && *dtype != tensor->dtype ? convertTensor(*tensor, *dtype) : std::move(*tensor);
    return std::move(argument);
  }

  llvm::Expected<ArgumentValue> parseScalar(llvm::StringRef body) {
    argument.scalarType = dtype;
    if (body == "True" || body == "False") {
      argument.kind = ArgumentValue::Kind::Bool;
      argument.integer = body == "True";
      argument.real = static_cast<double>(argument.integer);
      return std::move(argument);
    }
    std::optional<Number> number = parseNumber(body);
    if (!number)
      return fail("expected a number, True, False, @FILE.npy, or one of randn, rand, randint, "
                  "zeros, ones, full, arange, empty with its arguments");
    bool becomesFloat = dtype && isFloat(*dtype);
    if (!number->isInteger && dtype && !becomesFloat)
      return fail("'", body, "' is not an integer, but its type is ", getName(*dtype));
    argument.kind = number->isInteger && !becomesFloat ? ArgumentValue::Kind::Integer
                                                       : ArgumentValue::Kind::Float;
    argument.integer = number->integer;
    argument.real = number->real;
    if (argument.kind == ArgumentValue::Kind::Integer && dtype)
      if (llvm::Error error = checkFits(*number, *dtype))
        return std::move(error);
    return std::move(argument);
  }

  /// Whether an integer is a value of an integer type.
  llvm::Error checkFits(const Number &number, DType type) {
    unsigned bits = type == DType::I1 ? 1 : 8 * getByteSize(type);
    bool isSigned = isSignedInt(type), negative = number.isNegative();
    bool fits =
        negative ? isSigned && llvm::isIntN(bits, number.integer)
                 : llvm::isUIntN(isSigned ? bits - 1 : bits, static_cast<uint64_t>(number.integer));
    if (fits)
      return llvm::Error::success();
    return fail("an element does not fit into ", getName(type));
  }

  //===--- Tensors ---------------------------------------------------------===//

  llvm::Expected<ArgumentValue> parseTensor(llvm::StringRef function, llvm::StringRef list) {
    if (llvm::Error error = parseNumbers(list))
      return std::move(error);
    bool isKnown = llvm::is_contained(
        {"randn", "rand", "randint", "zeros", "ones", "full", "arange", "empty"}, function);
    if (!isKnown)
      return fail("'", function,
                  "' is not known; use randn, rand, randint, zeros, ones, full, "
                  "arange or empty");
    argument.kind = ArgumentValue::Kind::Tensor;
    llvm::Error error = function == "randint"  ? makeRandomIntegers()
                        : function == "arange" ? makeRange()
                        : function == "full"   ? makeFull()
                                               : makeSimple(function);
    if (error)
      return std::move(error);
    return std::move(argument);
  }

  /// Reads the numbers of the list; brackets around a shape are there to look at.
  llvm::Error parseNumbers(llvm::StringRef list) {
    std::string flat;
    int depth = 0;
    for (char c : list) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth < 0 || depth > 1)
        return fail("the brackets do not match");
      if (!llvm::StringRef("()[]").contains(c))
        flat += c;
    }
    if (depth != 0)
      return fail("the brackets do not match");
    llvm::StringRef rest = llvm::StringRef(flat).trim();
    rest.consume_back(",");
    while (!rest.empty()) {
      auto [first, others] = rest.split(',');
      std::optional<Number> number = parseNumber(first);
      if (!number)
        return fail("'", first.trim(), "' is not a number");
      numbers.push_back(*number);
      rest = others;
    }
    return llvm::Error::success();
  }

  llvm::Error checkMemory(int64_t count, DType type) {
    uint64_t bytes = static_cast<uint64_t>(count) * getByteSize(type);
    if (hasMemoryFor(bytes))
      return llvm::Error::success();
    return fail("the tensor is too large; there is no memory for its ", bytes, " bytes");
  }

  /// Makes the tensor of a shape that is given by some of the numbers.
  llvm::Error allocate(llvm::ArrayRef<Number> extents, DType defaultType) {
    if (extents.empty())
      return fail("the shape is missing");
    std::vector<int64_t> shape;
    int64_t count = 1;
    for (const Number &extent : extents) {
      if (!extent.isInteger || extent.isNegative() || extent.integer < 0)
        return fail("an extent of the shape is not a whole number of 0 or more");
      if (__builtin_mul_overflow(count, extent.integer, &count) || count > kMaxElements)
        return fail("the tensor is too large; at most 2^34 elements are made");
      shape.push_back(extent.integer);
    }
    DType type = dtype.value_or(defaultType);
    if (llvm::Error error = checkMemory(count, type))
      return error;
    argument.tensor = HostTensor(type, std::move(shape));
    return llvm::Error::success();
  }

  /// A stream for this argument: the hash of its name is mixed into the seed.
  Random random() const { return Random(seed ^ llvm::xxh3_64bits(name)); }

  llvm::Error makeSimple(llvm::StringRef function) {
    if (llvm::Error error = allocate(numbers, DType::FP32))
      return error;
    HostTensor &tensor = argument.tensor;
    if (function.starts_with("rand") && !isFloat(tensor.dtype))
      return fail(function, " makes floats, but the type is ", getName(tensor.dtype),
                  "; use randint");
    if (function == "empty")
      argument.initialised = false;
    if (function == "zeros" || function == "empty")
      return llvm::Error::success();
    Random stream = random();
    for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i)
      tensor.setFloat(i, function == "randn"  ? stream.normal()
                         : function == "rand" ? uniformOf(stream, tensor.dtype)
                                              : 1);
    return llvm::Error::success();
  }

  /// Stays below 1 in a narrow type too.
  static double uniformOf(Random &stream, DType type) {
    switch (type) {
    case DType::FP64:
      return stream.uniform();
    case DType::FP32:
      return static_cast<double>(stream.next() >> 40) * 0x1p-24;
    case DType::FP16:
      return static_cast<double>(stream.next() >> 53) * 0x1p-11;
    case DType::BF16:
      return static_cast<double>(stream.next() >> 56) * 0x1p-8;
    default:
      return static_cast<double>(stream.next() >> 61) * 0x1p-3;
    }
  }

  void setNumber(int64_t i, const Number &number) {
    if (number.isInteger && !(isFloat(argument.tensor.dtype) && number.integer < 0))
      argument.tensor.setInt(i, number.integer);
    else
      argument.tensor.setFloat(i, number.real);
  }

  llvm::Error makeFull() {
    if (numbers.size() < 2)
      return fail("full takes a shape and a value, as in full(4, 8, 1.5)");
    Number value = numbers.back();
    if (llvm::Error error = allocate(llvm::ArrayRef(numbers).drop_back(), DType::FP32))
      return error;
    if (!isFloat(argument.tensor.dtype)) {
      if (!value.isInteger)
        return fail("the value is not an integer, but the type is ",
                    getName(argument.tensor.dtype));
      if (llvm::Error error = checkFits(value, argument.tensor.dtype))
        return error;
    }
    for (int64_t i = 0, n = argument.tensor.getNumElements(); i < n; ++i)
      setNumber(i, value);
    return llvm::Error::success();
  }

  llvm::Error makeRange() {
    if (numbers.empty() || numbers.size() > 3)
      return fail("arange takes an end, or a start and an end, or those and a step");
    for (const Number &number : numbers)
      if (!number.isInteger)
        return fail("arange takes integers");
    __int128 start = numbers.size() > 1 ? numbers[0].integer : 0;
    __int128 end = numbers[numbers.size() > 1 ? 1 : 0].integer;
    __int128 step = numbers.size() > 2 ? numbers[2].integer : 1;
    if (step == 0)
      return fail("the step is 0");
    __int128 span = step > 0 ? end - start : start - end, stride = step > 0 ? step : -step;
    __int128 count = span <= 0 ? 0 : (span + stride - 1) / stride;
    if (count > kMaxElements)
      return fail("the tensor is too large; at most 2^34 elements are made");
    if (llvm::Error error = checkMemory(static_cast<int64_t>(count), dtype.value_or(DType::I32)))
      return error;
    argument.tensor = HostTensor(dtype.value_or(DType::I32), {static_cast<int64_t>(count)});
    HostTensor &tensor = argument.tensor;
    for (__int128 i : {__int128(0), count - 1}) {
      int64_t value = static_cast<int64_t>(start + i * step);
      if (count > 0 && !isFloat(tensor.dtype))
        if (llvm::Error error = checkFits({true, value, double(value)}, tensor.dtype))
          return error;
    }
    for (int64_t i = 0; i < count; ++i)
      tensor.setInt(i, static_cast<int64_t>(start + i * step));
    return llvm::Error::success();
  }

  llvm::Error makeRandomIntegers() {
    if (numbers.size() < 3)
      return fail("randint takes a lowest value, an end, and a shape, as in randint(0, 10, 64)");
    Number low = numbers[0], end = numbers[1];
    if (!low.isInteger || !end.isInteger)
      return fail("the bounds of randint are not integers");
    __int128 first = low.isNegative() ? __int128(low.integer) : __int128(uint64_t(low.integer));
    __int128 past = end.isNegative() ? __int128(end.integer) : __int128(uint64_t(end.integer));
    if (first >= past)
      return fail("no integer is at least the first bound and less than the second");
    if (llvm::Error error = allocate(llvm::ArrayRef(numbers).drop_front(2), DType::I32))
      return error;
    HostTensor &tensor = argument.tensor;
    if (!isFloat(tensor.dtype)) {
      __int128 last = past - 1;
      if (llvm::Error error = checkFits(low, tensor.dtype))
        return error;
      if (llvm::Error error =
              checkFits({true, static_cast<int64_t>(last), double(last)}, tensor.dtype))
        return error;
    }
    Random stream = random();
    auto span = static_cast<uint64_t>(past - first);
    for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i)
      tensor.setInt(i, static_cast<int64_t>(uint64_t(first) + stream.below(span)));
    return llvm::Error::success();
  }

  llvm::StringRef name, text;
  uint64_t seed;
  std::optional<DType> dtype;
  std::vector<Number> numbers;
  ArgumentValue argument;
};

} // namespace

llvm::Expected<ArgumentValue> parseArgument(llvm::StringRef text, uint64_t seed) {
  auto [name, value] = text.split('=');
  name = name.trim();
  value = value.trim();
  if (name.empty() || value.empty())
    return llvm::createStringError("argument '" + text.str() + "' is not of the form NAME=VALUE");
  return ArgumentParser(name, value, seed).parse();
}

} // namespace tilec
