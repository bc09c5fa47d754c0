// Values of random kernels: constants, indices, loads, stores, elementwise and shape operations.
#include "RandomGenerator.h"

namespace tilec::test {

unsigned typeIndex(const std::string &element) {
  for (unsigned i = 0; i < kNumTypes; ++i)
    if (element == kElementTypes[i])
      return i;
  return 0;
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
  return emit(op + " " + value.name + " : " + typeOf(value) + " to " + typeOf(value.shape, element),
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
      part =
          emit("tile.broadcast " + part.name + " : " + typeOf(part) + " -> " + typeOf(shape, "i32"),
               shape, "i32");
    sum = sum.name.empty() ? part : binary("arith.addi", sum, part);
  }
  return sum;
}

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
        "arith.addi",  "arith.addi",  "arith.subi",  "arith.muli",  "arith.divsi",
        "arith.remsi", "arith.divui", "arith.remui", "arith.shli",  "arith.xori",
        "arith.andi",  "arith.shrsi", "arith.shrui", "arith.maxsi", "arith.minsi"};
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
    value = chance(50) ? binary("arith.remui", value, constant(shape, "i32", kInputElements))
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
  Value bound =
      chance(40) ? splat(scalarInt(), shape) : constant(shape, "i32", below(countOf(shape) + 1));
  Value result =
      chance(80) ? emit("arith.cmpi slt, " + value.name + ", " + bound.name + " : " + typeOf(value),
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
    buffer =
        emit("tile.ptr_cast " + bufferOf(other, true) + " : !tile.ptr<" + other + "> -> " + pointer,
             {}, pointer)
            .name;
  }
  Value pointers;
  if (shape.empty()) {
    Value at = constant({}, "i32", below(kInputElements));
    pointers =
        emit("tile.addptr " + buffer + ", " + at.name + " : " + pointer + ", i32", {}, pointer);
  } else {
    Value splatted = emit(
        "tile.splat " + buffer + " : " + pointer + " -> " + typeOf(shape, pointer), shape, pointer);
    Value at = index(shape);
    if (chance(20))
      at = convert(at, "i64");
    pointers =
        emit("tile.addptr " + splatted.name + ", " + at.name + (chance(20) ? " unsigned" : "") +
                 " : " + typeOf(splatted) + ", " + typeOf(at),
             shape, pointer);
    if (chance(10)) {
      Value other = emit("tile.addptr " + splatted.name + ", " + index(shape).name + " : " +
                             typeOf(splatted) + ", " + typeOf(shape, "i32"),
                         shape, pointer);
      Value condition = mask(shape);
      pointers = emit("arith.select " + condition.name + ", " + pointers.name + ", " + other.name +
                          " : " + typeOf(condition) + ", " + typeOf(pointers),
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
  Value base =
      emit("tile.addptr " + buffer + ", " + at.name + " : " + pointer + ", i32", {}, pointer);
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
  static const std::vector<std::string> ints = {"arith.addi",  "arith.subi", "arith.muli",
                                                "arith.andi",  "arith.xori", "arith.maxsi",
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

} // namespace tilec::test
