// Random kernels: scans, and operations that bring elements to other places.
#include "RandomGenerator.h"

namespace tilec::test {

void Generator::scan(const Value &value) {
  const std::string &e = value.element;
  std::string type = typeOf(value);
  std::string how = (chance(40) ? " reverse" : "") + std::string(" {axis = ") +
                    std::to_string(below(value.shape.size())) + " : i32} : ";
  if (!isFloat(e) && chance(40)) {
    // Maps x -> x * a + b, one after the other: associative, not commutative.
    Value other = convert(similar(value), e);
    std::string name = fresh();
    line(name + ":2 = tile.scan " + value.name + ", " + other.name + how + type + ", " + type +
         " {");
    line("^bb0(%a: " + e + ", %b: " + e + ", %c: " + e + ", %d: " + e + "):");
    line("  %ac = arith.muli %a, %c : " + e);
    line("  %bc = arith.muli %b, %c : " + e);
    line("  %r = arith.addi %bc, %d : " + e);
    line("  tile.yield %ac, %r : " + e + ", " + e);
    line("}");
    pool.push_back({name + "#0", value.shape, e});
    pool.push_back({name + "#1", value.shape, e});
    return;
  }
  Value result{fresh(), value.shape, e};
  line(result.name + " = tile.scan " + value.name + how + type + " {");
  line("^bb0(%a: " + e + ", %b: " + e + "):");
  if (chance(30) && e != "i1") {
    // The last one that is large.
    line("  %bound = arith.constant 3" + std::string(isFloat(e) ? ".0" : "") + " : " + e);
    line(std::string("  %large = ") + (isFloat(e) ? "arith.cmpf ogt" : "arith.cmpi sgt") +
         ", %b, %bound : " + e);
    line("  %r = scf.if %large -> " + e + " {");
    line("    scf.yield %b : " + e);
    line("  } else {");
    line("    scf.yield %a : " + e);
    line("  }");
  } else {
    static const std::vector<std::string> ints = {"arith.addi", "arith.muli", "arith.xori",
                                                  "arith.maxsi"};
    static const std::vector<std::string> floats = {"arith.maximumf", "arith.minimumf"};
    line("  %r = " + pick(isFloat(e) ? floats : ints) + " %a, %b : " + e);
  }
  line("  tile.yield %r : " + e);
  line("}");
  pool.push_back(result);
}

void Generator::move(const Value &value) {
  const std::string &e = value.element;
  switch (below(4)) {
  case 0: {
    if (value.shape.size() > 3)
      return;
    Value other = convert(similar(value), e);
    Shape shape(value.shape);
    shape.push_back(2);
    pool.push_back(emit("tile.join " + value.name + ", " + other.name + " : " + typeOf(value) +
                            " -> " + typeOf(shape, e),
                        shape, e));
    return;
  }
  case 1: {
    if (countOf(value.shape) < 2)
      return;
    Shape half(value.shape), shape;
    int64_t count = countOf(half);
    half.assign(1, count / 2);
    if (chance(50) && count >= 4)
      half = {2, count / 4};
    shape = half;
    shape.push_back(2);
    Value source = emit(
        "tile.reshape " + value.name + " : " + typeOf(value) + " -> " + typeOf(shape, e), shape, e);
    std::string name = fresh();
    line(name + ":2 = tile.split " + source.name + " : " + typeOf(source) + " -> " +
         typeOf(half, e));
    pool.push_back({name + "#0", half, e});
    pool.push_back({name + "#1", half, e});
    return;
  }
  case 2: {
    unsigned axis = below(value.shape.size());
    Shape shape(value.shape);
    if (chance(50))
      shape[axis] = int64_t(1) << below(6);
    Value indices = chance(50) ? affine(shape, Shape(shape.size(), 1 + below(5)))
                               : convert(load(shape, "i32"),
                                         pick(std::vector<std::string>{"i8", "i16", "i32", "i64"}));
    pool.push_back(emit("tile.gather " + value.name + ", " + indices.name +
                            " {axis = " + std::to_string(axis) + " : i32} : " + typeOf(value) +
                            ", " + typeOf(indices) + " -> " + typeOf(shape, e),
                        shape, e));
    return;
  }
  default: {
    Shape flat{countOf(value.shape)}, bins{int64_t(1) << below(8)};
    if (isFloat(e) || e == "i1")
      return;
    Value source = emit(
        "tile.reshape " + value.name + " : " + typeOf(value) + " -> " + typeOf(flat, e), flat, e);
    std::string masked = chance(50) ? ", mask " + mask(flat).name + " : " + typeOf(flat, "i1") : "";
    pool.push_back(emit("tile.histogram " + source.name + masked + " : " + typeOf(source) + " -> " +
                            typeOf(bins, "i32"),
                        bins, "i32"));
  }
  }
}

} // namespace tilec::test
