// Random kernels: reductions, scans and products, whose results do not depend on an order.

#include "lib/Fuzz/Generator.h"

#include <algorithm>
#include <cmath>

namespace tilec::fuzz {

std::string Generator::combiner(const std::string &name) {
  static const std::map<std::string, std::string> kBodies = {
      {"add", "(a, b):\n    return a + b\n"},
      {"mul", "(a, b):\n    return a * b\n"},
      {"xor", "(a, b):\n    return a ^ b\n"},
      {"larger", "(a, b):\n    return tl.maximum(a, b)\n"},
      {"least", "(a, b):\n    return tl.where(a < b, a, b)\n"},
      {"last", "(a, b):\n    return b\n"},
      {"line", "(a, b, c, d):\n    return a * c, b * c + d\n"},
      {"best", "(a, i, b, j):\n    first = (a > b) | ((a == b) & (i < j))\n"
               "    return tl.where(first, a, b), tl.where(first, i, j)\n"},
      {"both", "(a, b, c, d):\n    return a + c, b ^ d\n"},
  };
  if (helpers.try_emplace(name, "").second)
    functions += "@triton.jit\ndef " + name + kBodies.at(name) + "\n\n";
  return name;
}

/// Widens the range of an integer to all that its type holds, after a sum or product that wraps.
static void wrap(Value &value) {
  value.low = leastOf(value.elem);
  value.high = greatestOf(value.elem);
}

std::optional<Value> Generator::reduce(Value value) {
  if (value.shape.empty() || isFp8(value.elem))
    return std::nullopt;
  int64_t axis = random.below(int64_t(value.shape.size()));
  bool isAll = random.chance(15), keepsDims = random.chance(20);
  int64_t count = isAll ? countOf(value.shape) : value.shape[size_t(axis)];
  bool isReal = isFloat(value.elem), isVague = isReal && value.exactness == Exactness::Approx;
  Value result = value;
  result.isAtom = true;
  if (isAll)
    result.shape.assign(keepsDims ? value.shape.size() : 0, 1);
  else if (keepsDims)
    result.shape[size_t(axis)] = 1;
  else
    result.shape.erase(result.shape.begin() + axis);
  std::string options =
      isAll ? "" : ", " + std::string(random.chance(50) ? "" : "axis=") + std::to_string(axis);
  std::string ending = keepsDims ? ", keep_dims=True)" : ")";
  unsigned bits = getInfo(value.elem).bits;

  int64_t choice = random.below(8);
  if (choice < 3 || isVague) {
    if (value.elem == Elem::I1 && random.chance(50))
      return std::nullopt;
    if (isReal && !isVague) {
      // Whole numbers add up alike in every order; others only nearly.
      if (value.exactness == Exactness::Whole) {
        double bound = std::floor(getInfo(value.elem).exact / double(count));
        if (bound < 1)
          return std::nullopt;
        if (value.magnitude > bound || value.special)
          value = fit(value, bound);
      } else {
        if (value.elem != Elem::F32 && value.elem != Elem::F64)
          value = cast(value, Elem::F32);
        if (value.magnitude > 16 || value.special)
          value = fit(value, 16);
        result.exactness = Exactness::Approx;
        result.error = 0;
      }
    }
    result.elem = value.elem;
    result.special = result.product = false;
    result.magnitude = value.magnitude * double(count);
    if (result.exactness == Exactness::Approx)
      result.error = double(count) *
                     (value.error + value.magnitude * double(count) * getInfo(value.elem).epsilon);
    if (!isReal) {
      if (bits < 32)
        result.elem = getInfo(value.elem).isSigned ? Elem::I32 : Elem::U32;
      result.low = value.low * count;
      result.high = value.high * count;
      if (result.low < leastOf(result.elem) || result.high > greatestOf(result.elem))
        wrap(result);
    }
    result.text = "tl.sum(" + value.text + options + ending;
    return result;
  }
  if (value.elem == Elem::I1) {
    result.text = "tl.reduce_or(" + value.text + ", " + std::to_string(axis) + ending;
    if (isAll)
      return std::nullopt;
    return result;
  }
  if (choice < 5) {
    // Of narrow floats the result is fp32, of narrow integers i32 [R26].
    if (isReal && bits < 32)
      result.elem = Elem::F32;
    else if (!isReal && bits < 32)
      result.elem = Elem::I32;
    result.text = std::string(random.pick({"tl.max(", "tl.min("})) + value.text + options + ending;
    return result;
  }
  if (choice == 5) {
    if (value.special)
      return std::nullopt;
    if (isAll)
      return std::nullopt;
    std::string name = random.pick({"tl.argmax(", "tl.argmin("});
    result = makeInt(name + value.text + options + ending, result.shape, Elem::I32, 0, count - 1);
    return result;
  }
  if (isAll)
    return std::nullopt;
  if (!isReal && choice == 6) {
    result.text = "tl.xor_sum(" + value.text + options + ending;
    result.low = std::min<Wide>(0, leastOf(value.elem));
    result.high = greatestOf(value.elem);
    return result;
  }
  std::string name = isReal ? random.pick({"larger", "least"})
                            : random.pick({"add", "mul", "xor", "larger", "least"});
  if (isReal && (value.special || value.elem == Elem::BF16))
    return std::nullopt;
  if (name == "add" || name == "mul" || name == "xor")
    wrap(result);
  result.text =
      "tl.reduce(" + value.text + ", " + std::to_string(axis) + ", " + combiner(name) + ending;
  return result;
}

std::optional<Value> Generator::reduceTwo(const Value &value) {
  if (value.shape.empty() || isFp8(value.elem) || value.elem == Elem::I1)
    return std::nullopt;
  if (isFloat(value.elem) && (value.exactness == Exactness::Approx || value.special))
    return std::nullopt;
  int64_t axis = random.below(int64_t(value.shape.size()));
  Shape shape = value.shape, strides(value.shape.size(), 0);
  shape.erase(shape.begin() + axis);
  strides[size_t(axis)] = 1;
  Value first = value, second;
  first.shape = shape;
  std::string text;
  if (random.chance(30)) {
    std::string function = random.pick({"tl.max(", "tl.min("});
    // With indices only bf16 is converted [R26].
    if (value.elem == Elem::BF16)
      first.elem = Elem::F32;
    else if (!isFloat(value.elem) && getInfo(value.elem).bits < 32)
      first.elem = value.elem;
    second = makeInt("", shape, Elem::I32, 0, value.shape[size_t(axis)] - 1);
    text = function + value.text + ", " + std::to_string(axis) + ", return_indices=True)";
  } else if (isFloat(value.elem) || random.chance(50)) {
    Value at = affine(value.shape, strides);
    at.text = "tl.broadcast_to(" + at.text + ", " + spell(value.shape) + ")";
    second = makeInt("", shape, Elem::I32, 0, at.high);
    text = "tl.reduce((" + value.text + ", " + at.text + "), " + std::to_string(axis) + ", " +
           combiner("best") + ")";
  } else {
    Value other = similar(value.shape, anyInt());
    second = other;
    second.shape = shape;
    wrap(first);
    wrap(second);
    text = "tl.reduce((" + value.text + ", " + other.text + "), " + std::to_string(axis) + ", " +
           combiner("both") + ")";
  }
  first.text = fresh();
  second.text = fresh();
  first.isAtom = second.isAtom = true;
  line(first.text + ", " + second.text + " = " + text + "  # " + first.type() + ", " +
       second.type());
  pool(second);
  return first;
}

std::optional<Value> Generator::scan(Value value) {
  if (value.shape.empty() || isFp8(value.elem) || value.elem == Elem::I1)
    return std::nullopt;
  bool isReal = isFloat(value.elem);
  if (isReal && (value.exactness != Exactness::Whole || value.special))
    return std::nullopt;
  int64_t axis = random.below(int64_t(value.shape.size())), count = value.shape[size_t(axis)];
  std::string reverse = random.chance(35) ? ", reverse=True" : "", at = std::to_string(axis);
  Value result = value;
  result.isAtom = true;
  int64_t choice = random.below(isReal ? 4 : 8);
  if (choice < 3) {
    if (isReal) {
      double bound = std::floor(getInfo(value.elem).exact / double(count));
      if (bound < 1)
        return std::nullopt;
      if (value.magnitude > bound)
        value = fit(value, bound);
      result.magnitude = value.magnitude * double(count);
      if (value.elem == Elem::BF16)
        result.elem = Elem::F32;
    } else {
      if (getInfo(value.elem).bits < 32)
        result.elem = getInfo(value.elem).isSigned ? Elem::I32 : Elem::U32;
      result.low = std::min(value.low, value.low * count);
      result.high = std::max(value.high, value.high * count);
      if (result.low < leastOf(result.elem) || result.high > greatestOf(result.elem))
        wrap(result);
    }
    result.text = "tl.cumsum(" + value.text + ", " + at + reverse + ")";
    return result;
  }
  if (choice == 4) {
    wrap(result);
    result.text = "tl.cumprod(" + value.text + ", " + at + reverse + ")";
    return result;
  }
  if (choice == 5) {
    // The composition of linear functions, which do not commute.
    Value other = similar(value.shape, value.elem);
    Value second = other;
    wrap(result);
    wrap(second);
    second.isAtom = true;
    result.text = fresh();
    second.text = fresh();
    line(result.text + ", " + second.text + " = tl.associative_scan((" + value.text + ", " +
         other.text + "), " + at + ", " + combiner("line") + reverse + ")  # " + result.type() +
         ", " + second.type());
    pool(second);
    return result;
  }
  std::string name = isReal ? random.pick({"larger", "least", "last"})
                            : random.pick({"xor", "larger", "least", "last", "add"});
  if (value.elem == Elem::BF16)
    return std::nullopt;
  if (name == "xor" || name == "add")
    wrap(result);
  result.text =
      "tl.associative_scan(" + value.text + ", " + at + ", " + combiner(name) + reverse + ")";
  return result;
}

std::optional<Value> Generator::dot() {
  Elem elem = random.pick({Elem::F16, Elem::F16, Elem::BF16, Elem::F32, Elem::F32, Elem::I8});
  if (has(Feature::Fp64) && random.chance(8))
    elem = Elem::F64;
  auto extent = [&] { return int64_t(16) << random.pick({0, 0, 0, 1, 1, 2}); };
  int64_t m = extent(), n = extent(), k = elem == Elem::I8 ? 32 : extent();
  bool isInteger = elem == Elem::I8;
  Elem out = isInteger ? Elem::I32 : elem == Elem::F64 ? Elem::F64 : Elem::F32;
  // The sums of narrow results stay whole too.
  double most = 8;
  if (elem == Elem::F16 && random.chance(25)) {
    out = Elem::F16;
    most = 2;
  }
  Shape batch;
  if (random.chance(15))
    batch = {int64_t(1) << random.below(3)};
  auto shapeOf = [&](int64_t rows, int64_t columns) {
    Shape shape = batch;
    shape.insert(shape.end(), {rows, columns});
    return shape;
  };
  auto operand = [&](int64_t rows, int64_t columns) {
    bool isTurned = random.chance(30);
    Value value = similar(isTurned ? shapeOf(columns, rows) : shapeOf(rows, columns), elem);
    if (!isInteger) {
      if (value.magnitude > most || value.special)
        value = fit(value, most);
      // Whole numbers are exact in tf32 too.
      if (value.exactness != Exactness::Whole)
        value = cast(cast(value, Elem::I32), elem);
    }
    if (isTurned) {
      value.text = batch.empty() ? "tl.trans(" + value.text + ")"
                                 : "tl.permute(" + value.text + ", 0, 2, 1)";
      value.shape = shapeOf(rows, columns);
    }
    return value;
  };
  Value a = operand(m, k), b = operand(k, n);
  std::string options;
  Value result = isInteger ? makeInt("", shapeOf(m, n), out, 0, 0)
                           : makeFloat("", shapeOf(m, n), out, most * most * double(k));
  if (isInteger)
    wrap(result);
  bool isAdded = random.chance(40), isLoop = isAdded && has(Feature::Loops) && random.chance(40);
  std::string total;
  if (isLoop) {
    total = fresh("c");
    line(total + " = " + constant(result.shape, out, 0).text);
    options = ", " + total;
    result.magnitude *= kMaxTurns;
    if (out == Elem::F16 && result.magnitude > getInfo(out).exact)
      return std::nullopt;
  } else if (isAdded) {
    Value acc = similar(result.shape, out);
    if (!isInteger) {
      double bound = out == Elem::F16 ? 100 : 1000;
      if (acc.exactness != Exactness::Whole || acc.special || acc.magnitude > bound)
        acc = cast(cast(fit(acc, bound), Elem::I32), out);
      result.magnitude += acc.magnitude;
    }
    options = ", " + acc.text;
  }
  if (elem == Elem::F32 && random.chance(60))
    options += random.pick({", input_precision=\"ieee\"", ", input_precision=\"tf32\"",
                            ", input_precision=\"tf32x3\"", ", allow_tf32=False"});
  if (isInteger || out == Elem::F16)
    options += std::string(", out_dtype=tl.") + getInfo(out).tlName;
  result.text = "tl.dot(" + a.text + ", " + b.text + options + ")";
  if (!isLoop)
    return result;
  line("for " + fresh("i") + " in range(" + scalarParam("n").text + "):");
  block([&] { line(total + " = " + result.text); });
  result.text = total;
  return result;
}

} // namespace tilec::fuzz
