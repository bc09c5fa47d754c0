// Generates random kernels as text.
#include "RandomKernel.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace tilec::test {
namespace {

using Shape = std::vector<int64_t>;

struct Value {
  std::string name;
  Shape shape; // empty: a scalar
  std::string element;
};

int64_t countOf(const Shape &shape) {
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
  static bool isFloat(const std::string &element) {
    return element[0] == 'f' || element[0] == 'b';
  }
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

unsigned typeIndex(const std::string &element) {
  for (unsigned i = 0; i < kNumTypes; ++i)
    if (element == kElementTypes[i])
      return i;
  return 0; // i1 lives in bytes
}

std::string Generator::bufferOf(const std::string &element, bool input) const {
  return (input ? "%in_" : "%out_") + std::string(kElementTypes[typeIndex(element)]);
}

Shape Generator::randomShape() {
  unsigned rank = 1 + below(3);
  int64_t budget = 1 << below(11);
  Shape shape(rank, 1);
  for (int i = 0; i < 24 && countOf(shape) < budget; ++i)
    shape[below(rank)] *= 2;
  return shape;
}

Value Generator::constant(const Shape &shape, const std::string &element, int64_t value) {
  std::string text = element == "i1" ? (value & 1 ? "true" : "false")
                                     : std::to_string(value) + (isFloat(element) ? ".0" : "");
  if (shape.empty())
    return emit("arith.constant " + text + (element == "i1" ? "" : " : " + element), {}, element);
  return emit("arith.constant dense<" + text + "> : " + typeOf(shape, element), shape, element);
}

Value Generator::splat(const Value &scalar, const Shape &shape) {
  return emit("tile.splat " + scalar.name + " : " + scalar.element + " -> " +
                  typeOf(shape, scalar.element),
              shape, scalar.element);
}

Value Generator::binary(const std::string &op, const Value &a, const Value &b) {
  return emit(op + " " + a.name + ", " + b.name + " : " + typeOf(a), a.shape, a.element);
}

Value Generator::convert(const Value &value, const std::string &element) {
  if (value.element == element)
    return value;
  std::string op;
  bool from = isFloat(value.element), to = isFloat(element);
  int fromWidth = widthOf(value.element), toWidth = widthOf(element);
  if (!from && !to)
    op = toWidth > fromWidth ? (chance(50) || fromWidth == 1 ? "arith.extui" : "arith.extsi")
                             : "arith.trunci";
  else if (!from)
    op = fromWidth == 1 ? "arith.uitofp" : "arith.sitofp";
  else if (!to)
    return convert(compare(value, constant(value.shape, value.element, 1)), element);
  else if (fromWidth == toWidth)
    return convert(convert(value, "f32"), element);
  else
    op = toWidth > fromWidth ? "arith.extf" : "arith.truncf";
  return emit(op + " " + value.name + " : " + typeOf(value) + " to " +
                  typeOf(value.shape, element),
              value.shape, element);
}

Value Generator::affine(const Shape &shape, const Shape &strides) {
  Value sum;
  for (size_t d = 0; d < shape.size(); ++d) {
    Shape current{shape[d]};
    int64_t start = chance(15) ? below(4) * 8 : 0;
    Value part = emit("tile.arange " + std::to_string(start) + ", " +
                          std::to_string(start + shape[d]) + " : " + typeOf(current, "i32"),
                      current, "i32");
    if (start)
      part = binary("arith.subi", part, constant(current, "i32", start));
    for (size_t other = 0; other < shape.size(); ++other) {
      if (other == d)
        continue;
      size_t axis = other < d ? other : current.size();
      // Dimensions before d go in front in order, the others follow.
      Shape expanded(current);
      expanded.insert(expanded.begin() + axis, 1);
      part = emit("tile.expand_dims " + part.name + " {axis = " + std::to_string(axis) +
                      " : i32} : " + typeOf(current, "i32") + " -> " + typeOf(expanded, "i32"),
                  expanded, "i32");
      current = expanded;
    }
    if (strides[d] != 1)
      part = binary("arith.muli", part, constant(current, "i32", strides[d]));
    if (current != shape)
      part = emit("tile.broadcast " + part.name + " : " + typeOf(part) + " -> " +
                      typeOf(shape, "i32"),
                  shape, "i32");
    sum = sum.name.empty() ? part : binary("arith.addi", sum, part);
  }
  return sum;
}

/// Strides of a dense array that walks the dimensions in a random order.
Shape denseStrides(const Shape &shape, const std::vector<unsigned> &order) {
  Shape strides(shape.size(), 1);
  int64_t stride = 1;
  for (unsigned d : order) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

Value Generator::scalarInt() {
  switch (below(6)) {
  case 5:
    return emit("tile.num_programs 0", {}, "i32");
  case 0:
    return {"%n", {}, "i32"};
  case 1:
    return {"%m", {}, "i32"};
  case 2:
    return emit("tile.program_id 0", {}, "i32");
  case 3:
    return constant({}, "i32", int64_t(1) << below(8));
  default:
    return constant({}, "i32", below(100));
  }
}

/// Any index into an input.
Value Generator::index(const Shape &shape) {
  std::vector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  if (chance(30))
    std::swap(order[below(order.size())], order[0]);
  Shape strides = denseStrides(shape, order);
  if (chance(20))
    strides[below(strides.size())] += below(4) * 4;
  Value value = affine(shape, strides);
  bool bounded = true;
  for (int64_t i = below(4); i > 0; --i) {
    bounded = false;
    int64_t c = chance(60) ? int64_t(1) << below(9) : 1 + below(40);
    Value scalar = chance(50) ? splat(scalarInt(), shape) : constant(shape, "i32", c);
    static const std::vector<std::string> ops = {
        "arith.addi",  "arith.addi",  "arith.subi",  "arith.muli", "arith.divsi",
        "arith.remsi", "arith.divui", "arith.remui", "arith.shli", "arith.xori", "arith.andi",
        "arith.shrsi", "arith.shrui", "arith.maxsi", "arith.minsi"};
    const std::string &op = pick(ops);
    if (op.find("div") != std::string::npos || op.find("rem") != std::string::npos)
      scalar = chance(80) ? constant(shape, "i32", c) : splat({"%m", {}, "i32"}, shape);
    if (op.find("sh") != std::string::npos)
      scalar = constant(shape, "i32", below(6));
    if (chance(15)) {
      Value condition = mask(shape);
      value = emit("arith.select " + condition.name + ", " + value.name + ", " + scalar.name +
                       " : " + typeOf(condition) + ", " + typeOf(value),
                   shape, "i32");
    } else {
      bool swap = op == "arith.subi" && chance(30);
      value = swap ? binary(op, scalar, value) : binary(op, value, scalar);
    }
    if (chance(10)) {
      value = convert(value, pick(std::vector<std::string>{"i8", "i16", "i64"}));
      value = convert(value, "i32");
    }
  }
  if (!bounded || chance(10)) {
    value = chance(50)
                ? binary("arith.remui", value, constant(shape, "i32", kInputElements))
                : binary("arith.andi", value, constant(shape, "i32", kInputElements - 1));
  } else {
    value = binary("arith.remsi", value, constant(shape, "i32", kInputElements));
  }
  return value;
}

Value Generator::compare(const Value &a, const Value &b) {
  static const std::vector<std::string> ints = {"slt", "sle", "sgt", "sge", "ult",
                                                "ule", "ugt", "uge", "eq",  "ne"};
  static const std::vector<std::string> floats = {"olt", "oge", "oeq", "une", "ult"};
  bool isF = isFloat(a.element);
  return emit(std::string(isF ? "arith.cmpf " : "arith.cmpi ") + pick(isF ? floats : ints) + ", " +
                  a.name + ", " + b.name + " : " + typeOf(a),
              a.shape, "i1");
}

Value Generator::mask(const Shape &shape) {
  std::vector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  Value value = affine(shape, denseStrides(shape, order));
  if (chance(25))
    value = binary("arith.addi", value, splat(scalarInt(), shape));
  if (chance(15))
    value = binary("arith.divsi", value, constant(shape, "i32", 1 << below(6)));
  Value bound = chance(40) ? splat(scalarInt(), shape)
                           : constant(shape, "i32", below(countOf(shape) + 1));
  Value result = chance(80) ? emit("arith.cmpi slt, " + value.name + ", " + bound.name + " : " +
                                       typeOf(value),
                                   shape, "i1")
                            : compare(value, bound);
  if (chance(20))
    result = binary("arith.andi", result, splat(constant({}, "i1", 1), shape));
  return result;
}

Value Generator::load(const Shape &shape, const std::string &element) {
  std::string stored = kElementTypes[typeIndex(element)], buffer = bufferOf(element, true);
  std::string pointer = "!tile.ptr<" + stored + ">";
  if ((stored == "i16" || stored == "i32" || stored == "i64") && chance(15)) {
    // The bits of a float.
    std::string other = "f" + stored.substr(1);
    buffer = emit("tile.ptr_cast " + bufferOf(other, true) + " : !tile.ptr<" + other + "> -> " +
                      pointer,
                  {}, pointer)
                 .name;
  }
  Value pointers;
  if (shape.empty()) {
    Value at = constant({}, "i32", below(kInputElements));
    pointers = emit("tile.addptr " + buffer + ", " + at.name + " : " + pointer + ", i32", {},
                    pointer);
  } else {
    Value splatted = emit("tile.splat " + buffer + " : " + pointer + " -> " +
                              typeOf(shape, pointer),
                          shape, pointer);
    Value at = index(shape);
    if (chance(20))
      at = convert(at, "i64");
    pointers = emit("tile.addptr " + splatted.name + ", " + at.name +
                        (chance(20) ? " unsigned" : "") + " : " + typeOf(splatted) + ", " +
                        typeOf(at),
                    shape, pointer);
    if (chance(10)) {
      Value other = emit("tile.addptr " + splatted.name + ", " + index(shape).name + " : " +
                             typeOf(splatted) + ", " + typeOf(shape, "i32"),
                         shape, pointer);
      Value condition = mask(shape);
      pointers = emit("arith.select " + condition.name + ", " + pointers.name + ", " +
                          other.name + " : " + typeOf(condition) + ", " + typeOf(pointers),
                      shape, pointer);
    }
    if (chance(10))
      pointers = emit("tile.hint " + pointers.name + " : " + typeOf(pointers), shape, pointer);
  }
  std::string text = "tile.load " + pointers.name;
  if (!shape.empty() && chance(60)) {
    text += ", mask " + mask(shape).name;
    if (chance(50))
      text += ", other " + constant(shape, stored, below(5)).name;
  }
  if (chance(8))
    text += " {is_volatile}";
  else if (chance(8))
    text += " {cache = 2 : i32}";
  Value value = emit(text + " : " + typeOf(pointers), shape, stored);
  return element == "i1" ? convert(value, "i1") : value;
}

void Generator::store(const Value &value) {
  std::string stored = kElementTypes[typeIndex(value.element)];
  std::string pointer = "!tile.ptr<" + stored + ">", buffer = bufferOf(value.element, false);
  int64_t &begin = used[typeIndex(stored)];
  int64_t count = countOf(value.shape);
  if (chance(70))
    begin = (begin + 15) / 16 * 16;
  if (begin + count > kOutputElements)
    return;
  Value data = value.element == "i1" ? convert(value, "i8") : value;
  Value pid = emit("tile.program_id 0", {}, "i32");
  Value size = constant({}, "i32", kOutputElements);
  Value first = binary("arith.muli", pid, size);
  Value offset = constant({}, "i32", begin);
  begin += count;
  Value at = binary("arith.addi", first, offset);
  Value base = emit("tile.addptr " + buffer + ", " + at.name + " : " + pointer + ", i32", {},
                    pointer);
  if (value.shape.empty()) {
    line("tile.store " + base.name + ", " + data.name + " : " + pointer);
    return;
  }
  std::vector<unsigned> order(value.shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  if (chance(40))
    std::swap(order[below(order.size())], order[0]);
  Value offsets = affine(value.shape, denseStrides(value.shape, order));
  Value splatted = splat(base, value.shape);
  Value pointers = emit("tile.addptr " + splatted.name + ", " + offsets.name + " : " +
                            typeOf(splatted) + ", " + typeOf(offsets),
                        value.shape, pointer);
  std::string text = "tile.store " + pointers.name + ", " + data.name;
  if (chance(40))
    text += ", mask " + mask(value.shape).name;
  line(text + " : " + typeOf(pointers));
}

Value Generator::similar(const Value &like) {
  std::vector<Value> candidates;
  for (const Value &value : pool)
    if (value.shape == like.shape && value.name != like.name)
      candidates.push_back(value);
  if (!candidates.empty() && chance(70))
    return convert(pick(candidates), like.element);
  if (chance(30))
    return constant(like.shape, like.element, below(7));
  return load(like.shape, like.element);
}

Value Generator::elementwise(const Value &a) {
  static const std::vector<std::string> ints = {"arith.addi",  "arith.subi",  "arith.muli",
                                                "arith.andi",  "arith.xori",  "arith.maxsi",
                                                "arith.minui", "arith.minsi"};
  static const std::vector<std::string> floats = {"arith.addf", "arith.subf", "arith.mulf",
                                                  "arith.maxnumf", "arith.minimumf"};
  if (chance(25))
    return convert(a, isFloat(a.element)
                          ? pick(std::vector<std::string>{"f16", "bf16", "f32", "f64", "i1"})
                          : pick(std::vector<std::string>{"i1", "i8", "i16", "i32", "i64", "f32"}));
  Value b = similar(a);
  if (chance(15))
    return compare(a, b);
  if (chance(15)) {
    Value c = a.shape.empty() || chance(30) ? compare(scalarInt(), scalarInt()) : mask(a.shape);
    std::string types = c.shape.empty() ? typeOf(a) : typeOf(c) + ", " + typeOf(a);
    return emit("arith.select " + c.name + ", " + a.name + ", " + b.name + " : " + types, a.shape,
                a.element);
  }
  return binary(pick(isFloat(a.element) ? floats : ints), a, b);
}

Value Generator::reshape(const Value &value) {
  unsigned rank = value.shape.size();
  switch (below(5)) {
  case 0:
    if (rank < 4) {
      unsigned axis = below(rank + 1);
      Shape shape(value.shape);
      shape.insert(shape.begin() + axis, 1);
      return emit("tile.expand_dims " + value.name + " {axis = " + std::to_string(axis) +
                      " : i32} : " + typeOf(value) + " -> " + typeOf(shape, value.element),
                  shape, value.element);
    }
    [[fallthrough]];
  case 1: {
    Shape shape(value.shape);
    for (int64_t &extent : shape)
      if (extent == 1 && countOf(shape) < 2048)
        extent = int64_t(1) << below(5);
    return emit("tile.broadcast " + value.name + " : " + typeOf(value) + " -> " +
                    typeOf(shape, value.element),
                shape, value.element);
  }
  case 2:
  case 3: {
    std::vector<unsigned> order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (unsigned i = rank; i > 1; --i)
      std::swap(order[i - 1], order[below(i)]);
    Shape shape;
    std::string text;
    for (unsigned from : order) {
      shape.push_back(value.shape[from]);
      text += (text.empty() ? "" : ", ") + std::to_string(from);
    }
    return emit("tile.trans " + value.name + " {order = array<i32: " + text +
                    ">} : " + typeOf(value) + " -> " + typeOf(shape, value.element),
                shape, value.element);
  }
  default: {
    Shape shape(1 + below(3), 1);
    while (countOf(shape) < countOf(value.shape))
      shape[below(shape.size())] *= 2;
    return emit("tile.reshape " + value.name + " : " + typeOf(value) + " -> " +
                    typeOf(shape, value.element),
                shape, value.element);
  }
  }
}

void Generator::reduce(const Value &value) {
  unsigned axis = below(value.shape.size());
  Shape shape(value.shape);
  shape.erase(shape.begin() + axis);
  const std::string &e = value.element;
  if (chance(30) && e != "i1") {
    // The largest element and the first index that holds it.
    Shape strides(value.shape.size(), 0);
    strides[axis] = 1;
    Value position = affine(value.shape, strides);
    std::string name = fresh(), results = typeOf(shape, e) + ", " + typeOf(shape, "i32");
    bool f = isFloat(e);
    line(name + ":2 = tile.reduce " + value.name + ", " + position.name + " {axis = " +
         std::to_string(axis) + " : i32} : " + typeOf(value) + ", " + typeOf(position) + " -> " +
         results + " {");
    line("^bb0(%a: " + e + ", %ai: i32, %b: " + e + ", %bi: i32):");
    line(std::string("  %gt = ") + (f ? "arith.cmpf ogt" : "arith.cmpi sgt") + ", %a, %b : " + e);
    line(std::string("  %eq = ") + (f ? "arith.cmpf oeq" : "arith.cmpi eq") + ", %a, %b : " + e);
    line("  %lt = arith.cmpi slt, %ai, %bi : i32");
    line("  %tie = arith.andi %eq, %lt : i1");
    line("  %take = arith.ori %gt, %tie : i1");
    line("  %r = arith.select %take, %a, %b : " + e);
    line("  %ri = arith.select %take, %ai, %bi : i32");
    line("  tile.yield %r, %ri : " + e + ", i32");
    line("}");
    pool.push_back({name + "#0", shape, e});
    pool.push_back({name + "#1", shape, "i32"});
    return;
  }
  static const std::vector<std::string> ints = {"arith.addi",  "arith.muli", "arith.xori",
                                                "arith.maxsi", "arith.minui", "arith.ori"};
  static const std::vector<std::string> floats = {"arith.maximumf", "arith.minimumf"};
  Value result{fresh(), shape, e};
  line(result.name + " = tile.reduce " + value.name + " {axis = " + std::to_string(axis) +
       " : i32} : " + typeOf(value) + " -> " + typeOf(result) + " {");
  line("^bb0(%a: " + e + ", %b: " + e + "):");
  line("  %r = " + pick(isFloat(e) ? floats : ints) + " %a, %b : " + e);
  line("  tile.yield %r : " + e);
  line("}");
  pool.push_back(result);
}

std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

void Generator::loop() {
  std::vector<Value> inits;
  for (int64_t i = 1 + below(3); i > 0; --i)
    inits.push_back(anyTensor());
  Value lower = emit("arith.constant 0 : i32", {}, "i32");
  Value upper = constant({}, "i32", below(4)), stepBy = constant({}, "i32", 1);
  std::string name = fresh();
  std::vector<std::string> carried, types;
  size_t saved = pool.size();
  std::vector<Value> arguments;
  for (const Value &init : inits) {
    Value argument{fresh(), init.shape, init.element};
    carried.push_back(argument.name + " = " + init.name);
    types.push_back(typeOf(init));
    arguments.push_back(argument);
  }
  line(name + ":" + std::to_string(inits.size()) + " = scf.for " + fresh() + " = " + lower.name +
       " to " + upper.name + " step " + stepBy.name + " iter_args(" + join(carried) + ") -> (" +
       join(types) + ") : i32 {");
  indent += 2;
  ++depth;
  for (const Value &argument : arguments)
    pool.push_back(argument);
  steps(1 + below(4));
  std::vector<std::string> yields;
  for (const Value &argument : arguments)
    yields.push_back((chance(15) ? pick(arguments).shape == argument.shape ? argument : argument
                                 : similar(argument))
                         .name);
  line("scf.yield " + join(yields) + " : " + join(types));
  --depth;
  indent -= 2;
  line("}");
  pool.resize(saved);
  for (size_t i = 0; i < inits.size(); ++i)
    pool.push_back({name + "#" + std::to_string(i), inits[i].shape, inits[i].element});
}

void Generator::branch() {
  std::vector<Value> likes;
  for (int64_t i = 1 + below(2); i > 0; --i)
    likes.push_back(anyTensor());
  Value condition = compare(scalarInt(), scalarInt());
  std::string name = fresh();
  std::vector<std::string> types;
  for (const Value &like : likes)
    types.push_back(typeOf(like));
  line(name + ":" + std::to_string(likes.size()) + " = scf.if " + condition.name + " -> (" +
       join(types) + ") {");
  size_t saved = pool.size();
  for (int side = 0; side < 2; ++side) {
    indent += 2;
    ++depth;
    steps(below(3));
    std::vector<std::string> yields;
    for (const Value &like : likes)
      yields.push_back(chance(30) ? like.name : similar(like).name);
    line("scf.yield " + join(yields) + " : " + join(types));
    --depth;
    indent -= 2;
    pool.resize(saved);
    line(side ? "}" : "} else {");
  }
  for (size_t i = 0; i < likes.size(); ++i)
    pool.push_back({name + "#" + std::to_string(i), likes[i].shape, likes[i].element});
}

void Generator::whileLoop() {
  Value init = anyTensor(), zero = constant({}, "i32", 0), one = constant({}, "i32", 1);
  Value limit = constant({}, "i32", below(4));
  std::string name = fresh(), type = typeOf(init);
  Value before{fresh(), init.shape, init.element}, after{fresh(), init.shape, init.element};
  std::string i = fresh(), j = fresh();
  size_t saved = pool.size();
  line(name + ":2 = scf.while (" + before.name + " = " + init.name + ", " + i + " = " + zero.name +
       ") : (" + type + ", i32) -> (" + type + ", i32) {");
  indent += 2;
  ++depth;
  pool.push_back(before);
  steps(below(2));
  Value passed = chance(50) ? before : similar(before);
  Value more = emit("arith.cmpi slt, " + i + ", " + limit.name + " : i32", {}, "i1");
  line("scf.condition(" + more.name + ") " + passed.name + ", " + i + " : " + type + ", i32");
  pool.resize(saved);
  line("} do {");
  line("^bb0(" + after.name + ": " + type + ", " + j + ": i32):");
  pool.push_back(after);
  steps(1 + below(2));
  Value next = similar(after);
  Value counted = emit("arith.addi " + j + ", " + one.name + " : i32", {}, "i32");
  line("scf.yield " + next.name + ", " + counted.name + " : " + type + ", i32");
  --depth;
  indent -= 2;
  line("}");
  pool.resize(saved);
  pool.push_back({name + "#0", init.shape, init.element});
}

void Generator::pointerLoop() {
  Shape shape = randomShape();
  while (countOf(shape) > 1024)
    shape.back() /= 2;
  std::string element = kElementTypes[below(kNumTypes)], pointer = "!tile.ptr<" + element + ">";
  std::vector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  Value start = splat({bufferOf(element, true), {}, pointer}, shape);
  auto advance = [&](const Value &from, const Value &by) {
    return emit("tile.addptr " + from.name + ", " + by.name + (chance(20) ? " unsigned" : "") +
                    " : " + typeOf(from) + ", " + typeOf(by),
                shape, pointer);
  };
  // At most 9 turns of at most 512 elements after at most 3 * 1024.
  auto amount = [&]() -> Value {
    if (chance(60))
      return chance(50) ? constant(shape, "i32", below(32) * 16)
                        : splat(constant({}, "i64", below(512)), shape);
    Value index = affine(shape, denseStrides(shape, order));
    Value small = binary("arith.remui", index, constant(shape, "i32", 1 + below(512)));
    return chance(50) ? small : convert(small, "i64");
  };
  if (chance(80))
    start = advance(start, affine(shape, denseStrides(shape, order)));
  Value sum = load(shape, element);
  bool nested = chance(40);
  Value zero = constant({}, "i32", 0), one = constant({}, "i32", 1);
  std::string types = typeOf(start) + ", " + typeOf(sum);
  std::function<std::pair<Value, Value>(Value, Value, bool)> emitLoop = [&](Value p, Value s,
                                                                           bool outer) {
    Value upper = constant({}, "i32", 1 + below(3));
    std::string name = fresh();
    Value walking{fresh(), shape, pointer}, total{fresh(), shape, element};
    line(name + ":2 = scf.for " + fresh() + " = " + zero.name + " to " + upper.name + " step " +
         one.name + " iter_args(" + walking.name + " = " + p.name + ", " + total.name + " = " +
         s.name + ") -> (" + types + ") : i32 {");
    indent += 2;
    Value next = walking, result = total;
    if (outer)
      std::tie(next, result) = emitLoop(walking, total, false);
    Value read = emit("tile.load " + walking.name +
                          (chance(50) ? ", mask " + mask(shape).name : "") + " : " +
                          typeOf(walking),
                      shape, element);
    result = binary(isFloat(element) ? "arith.maxnumf" : "arith.addi", result, read);
    if (!outer)
      next = advance(next, amount());
    if (chance(20))
      next = emit("tile.hint " + next.name + " : " + typeOf(next), shape, pointer);
    if (chance(10)) {
      Value condition = chance(50) ? mask(shape) : compare(scalarInt(), scalarInt());
      next = emit("arith.select " + condition.name + ", " + next.name + ", " + walking.name +
                      " : " + (condition.shape.empty() ? "" : typeOf(condition) + ", ") +
                      typeOf(next),
                  shape, pointer);
    }
    line("scf.yield " + next.name + ", " + result.name + " : " + types);
    indent -= 2;
    line("}");
    return std::pair<Value, Value>{{name + "#0", shape, pointer}, {name + "#1", shape, element}};
  };
  auto [last, result] = emitLoop(start, sum, nested);
  pool.push_back(emit("tile.load " + last.name + " : " + typeOf(last), shape, element));
  pool.push_back(result);
}

void Generator::step() {
  if (pool.empty() || chance(15)) {
    Shape shape = randomShape();
    static const std::vector<std::string> elements = {"i1",  "i8",   "i16", "i32", "i64",
                                                      "f16", "bf16", "f32", "f64"};
    pool.push_back(load(shape, pick(elements)));
    return;
  }
  Value value = anyTensor();
  int64_t choice = below(100);
  if (depth < 2 && choice < 7)
    return loop();
  if (depth < 2 && choice < 13)
    return branch();
  if (depth < 2 && choice < 16)
    return whileLoop();
  if (depth < 2 && choice < 18)
    return pointerLoop();
  if (value.shape.empty()) {
    pool.push_back(chance(50) ? splat(value, randomShape()) : elementwise(value));
    return;
  }
  if (choice < 35)
    reduce(value);
  else if (choice < 60)
    pool.push_back(reshape(value));
  else if (choice < 66)
    store(value);
  else
    pool.push_back(elementwise(value));
}

RandomKernel Generator::run() {
  kernel.n = static_cast<int32_t>(below(2000));
  kernel.m = static_cast<int32_t>(1 + below(64)) * 16;
  std::string arguments;
  kernel.misalignment.assign(2 * kNumTypes, 0);
  for (unsigned i = 0; i < 2 * kNumTypes; ++i) {
    std::string element = kElementTypes[i % kNumTypes];
    std::string name = (i < kNumTypes ? "in_" : "out_") + element;
    int64_t promised = int64_t(1) << below(5);
    int64_t bytes = widthOf(element) / 8;
    if (promised < 16) // as little aligned as the promise and the type allow
      kernel.misalignment[i] = std::max(promised, bytes) / bytes % (16 / bytes);
    arguments += "%" + name + ": !tile.ptr<" + element + "> {tile.name = \"" + name +
                 "\", tile.divisibility = " + std::to_string(promised) + " : i32}, ";
  }
  steps(4 + below(14));
  for (const Value &value : std::vector<Value>(pool))
    store(value);
  kernel.text = "func.func @k(" + arguments + "%n: i32 {tile.name = \"n\"}, " +
                "%m: i32 {tile.name = \"m\", tile.divisibility = 16 : i32}) " +
                "attributes {tile.kernel} {\n" + body + "  return\n}\n";
  return kernel;
}

} // namespace

RandomKernel makeRandomKernel(uint64_t seed) { return Generator(seed).run(); }

} // namespace tilec::test
