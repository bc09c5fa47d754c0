// Random kernels: reductions, control flow and how everything is put together.
#include "RandomGenerator.h"

namespace tilec::test {

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
    line(name + ":2 = tile.reduce " + value.name + ", " + position.name +
         " {axis = " + std::to_string(axis) + " : i32} : " + typeOf(value) + ", " +
         typeOf(position) + " -> " + results + " {");
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
  static const std::vector<std::string> ints = {"arith.addi",  "arith.muli",  "arith.xori",
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

static std::string join(const std::vector<std::string> &parts) {
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
    Value read =
        emit("tile.load " + walking.name + (chance(50) ? ", mask " + mask(shape).name : "") +
                 " : " + typeOf(walking),
             shape, element);
    result = binary(isFloat(element) ? "arith.maxnumf" : "arith.addi", result, read);
    if (!outer)
      next = advance(next, amount());
    if (chance(20))
      next = emit("tile.hint " + next.name + " : " + typeOf(next), shape, pointer);
    if (chance(10)) {
      Value condition = chance(50) ? mask(shape) : compare(scalarInt(), scalarInt());
      next =
          emit("arith.select " + condition.name + ", " + next.name + ", " + walking.name + " : " +
                   (condition.shape.empty() ? "" : typeOf(condition) + ", ") + typeOf(next),
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
  if (choice < 30)
    reduce(value);
  else if (choice < 37)
    scan(value);
  else if (choice < 44)
    move(value);
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

RandomKernel makeRandomKernel(uint64_t seed) { return Generator(seed).run(); }

} // namespace tilec::test
