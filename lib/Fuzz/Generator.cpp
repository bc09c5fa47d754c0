// Random kernels: values, names and how everything is put together.

#include "lib/Fuzz/Generator.h"
#include "lib/Fuzz/Generate.h"

#include <algorithm>

namespace tilec::fuzz {

/// Elements of the largest tensor that is asked for, and of a tensor of outputs.
static constexpr int64_t kMaxElements = 8192, kMaxOutput = 1 << 16;

//===--- Values --------------------------------------------------------------===//

Value Generator::bind(Value value, bool isPooled) {
  std::string name = fresh();
  line(name + " = " + value.text + "  # " + value.type());
  value.text = name;
  value.isAtom = true;
  if (isPooled)
    pool(value);
  return value;
}

std::string Generator::literal(Elem elem, int64_t number) {
  if (elem == Elem::I1)
    return number & 1 ? "True" : "False";
  return std::to_string(number) + (isFloat(elem) ? ".0" : "");
}

Value Generator::makeInt(std::string text, Shape shape, Elem elem, Wide low, Wide high) {
  Value value;
  value.text = std::move(text);
  value.shape = std::move(shape);
  value.elem = elem;
  value.low = low;
  value.high = high;
  return value;
}

Value Generator::makeFloat(std::string text, Shape shape, Elem elem, double magnitude) {
  Value value = makeInt(std::move(text), std::move(shape), elem, 0, 0);
  value.magnitude = magnitude;
  return value;
}

Value Generator::constant(const Shape &shape, Elem elem, int64_t number) {
  std::string type = std::string("tl.") + getInfo(elem).tlName;
  std::string text =
      shape.empty() ? "tl.cast(" + literal(elem, number) + ", " + type + ")"
      : number == 0 && elem != Elem::I1 && random.chance(50)
          ? "tl.zeros(" + spell(shape) + ", " + type + ")"
          : "tl.full(" + spell(shape) + ", " + literal(elem, number) + ", " + type + ")";
  Value value = makeFloat(text, shape, elem, double(std::abs(number)));
  value.low = value.high = elem == Elem::I1 ? number & 1 : number;
  return value;
}

Elem Generator::anyInt() {
  std::vector<Elem> elems = {Elem::I8, Elem::I16, Elem::I32, Elem::I32,
                             Elem::U8, Elem::U16, Elem::U32};
  if (has(Feature::Int64))
    elems.insert(elems.end(), {Elem::I64, Elem::U64});
  return random.pick(elems);
}

Elem Generator::anyFloat() {
  std::vector<Elem> elems = {Elem::F16, Elem::BF16, Elem::F32, Elem::F32};
  if (has(Feature::Fp64))
    elems.push_back(Elem::F64);
  if (has(Feature::Fp8) && random.chance(30))
    elems.insert(elems.end(), {Elem::E4M3, Elem::E5M2});
  return random.pick(elems);
}

Elem Generator::anyElem() {
  if (random.chance(7))
    return Elem::I1;
  return random.chance(50) ? anyInt() : anyFloat();
}

Shape Generator::anyShape() {
  unsigned rank = unsigned(random.pick({1, 1, 1, 2, 2, 2, 3, 3, 4}));
  if (has(Feature::Rank8) && random.chance(4))
    rank = unsigned(random.between(5, 7));
  int64_t doublings = random.chance(8)   ? random.between(8, 11)
                      : random.chance(1) ? 13
                                         : random.between(0, 8);
  Shape shape(rank, 1);
  for (int64_t i = 0; i < doublings; ++i)
    shape[size_t(random.below(rank))] *= 2;
  return shape;
}

Value Generator::anyValue() {
  int64_t count = int64_t(values.size());
  int64_t back = std::min(random.below(count), random.below(count));
  return values[size_t(count - 1 - back)];
}

std::optional<Value> Generator::find(llvm::function_ref<bool(const Value &)> accepts) {
  std::vector<Value> found;
  for (const Value &value : values)
    if (accepts(value))
      found.push_back(value);
  if (found.empty())
    return std::nullopt;
  return random.pick(found);
}

Value Generator::similar(const Shape &shape, Elem elem, unsigned depth) {
  auto isSure = [](const Value &value) {
    return !isFloat(value.elem) || value.exactness != Exactness::Approx;
  };
  if (random.chance(60))
    if (auto value =
            find([&](const Value &v) { return v.shape == shape && v.elem == elem && isSure(v); })) {
      if (depth < 2 && random.chance(25)) {
        Value more = elementwise(*value, depth + 1);
        if (more.elem == elem && more.shape == shape && isSure(more))
          return more;
      }
      return *value;
    }
  if (has(Feature::Casts) && random.chance(40))
    if (auto value = find([&](const Value &v) { return v.shape == shape && isSure(v); }))
      return cast(*value, elem);
  if (random.chance(30))
    return constant(shape, elem, random.below(isFloat(elem) ? 4 : 100));
  if (shape.empty() && isInt(elem) && random.chance(50))
    return cast(scalarInt(), elem);
  return load(shape, elem);
}

Value Generator::broadcastable(const Value &like, unsigned depth) {
  Shape shape = like.shape;
  if (!shape.empty() && random.chance(20)) {
    if (random.chance(20))
      return similar({}, like.elem, depth);
    for (int64_t &extent : shape)
      if (random.chance(40))
        extent = 1;
    if (shape.size() > 1 && random.chance(30))
      shape.erase(shape.begin());
  }
  return similar(shape, like.elem, depth);
}

Value Generator::scalarParam(const char *name) {
  switch (name[0]) {
  case 'n':
    scalars["n"] = {"i32", ""};
    return makeInt("n", {}, Elem::I32, 0, kMaxTurns);
  case 'm':
    scalars["m"] = {"i32:16", ""};
    return makeInt("m", {}, Elem::I32, 16, 256);
  default:
    scalars["k"] = {"i64", ""};
    return makeInt("k", {}, Elem::I64, 0, 1000);
  }
}

Value Generator::randomNumbers() {
  Value at = index(anyShape(), 1 << 16);
  std::string seed = random.chance(50) ? std::to_string(random.below(1000)) : scalarParam("n").text;
  if (random.chance(50)) {
    Value result = makeFloat("tl.rand(" + seed + ", " + at.text + ")", at.shape, Elem::F32, 1);
    result.exactness = Exactness::Bits;
    result.product = true;
    return result;
  }
  return makeInt("tl.randint(" + seed + ", " + at.text + ").to(tl.int32, bitcast=True)", at.shape,
                 Elem::I32, leastOf(Elem::I32), greatestOf(Elem::I32));
}

Value Generator::scalarInt() {
  if (random.chance(20))
    if (auto value = find([](const Value &v) { return v.shape.empty() && v.elem == Elem::I32; }))
      return *value;
  switch (random.below(6)) {
  case 0:
    return makeInt("tl.program_id(0)", {}, Elem::I32, 0, programs - 1);
  case 1:
    return makeInt("tl.num_programs(0)", {}, Elem::I32, 1, programs);
  case 2:
    return scalarParam("n");
  case 3: {
    Value m = scalarParam("m");
    if (has(Feature::Hints) && random.chance(20))
      m.text = "tl.multiple_of(m, 16)";
    return m;
  }
  default: {
    int64_t number = random.chance(50) ? int64_t(1) << random.below(8) : random.below(100);
    return constant({}, Elem::I32, number);
  }
  }
}

Value Generator::scalarCondition() {
  Value a = scalarInt();
  Value condition =
      makeInt(a.get() + " " + random.pick({"<", "<=", ">", ">=", "==", "!="}) + " " +
                  std::to_string(random.below(int64_t(std::min<Wide>(a.high, 100)) + 2)),
              {}, Elem::I1, 0, 1);
  condition.isAtom = false;
  if (random.chance(15)) {
    Value other = scalarCondition();
    condition.text = condition.get() + random.pick({" & ", " | "}) + other.get();
  }
  return condition;
}

//===--- The kernel ----------------------------------------------------------===//

Generator::Buffer &Generator::getBuffer(const std::string &name, Elem elem,
                                        const std::string &value) {
  auto [entry, isNew] = buffers.try_emplace(name);
  if (isNew) {
    entry->second.type = std::string("*") + getInfo(elem).name;
    entry->second.value = value;
  }
  return entry->second;
}

void Generator::block(llvm::function_ref<void()> inside) {
  size_t count = values.size(), length = body.size();
  indent += 4;
  ++depth;
  inside();
  if (body.size() == length)
    line("pass");
  --depth;
  indent -= 4;
  values.resize(count);
}

void Generator::steps(int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    step();
}

void Generator::step() {
  if (values.empty() || random.chance(10)) {
    bind(load(anyShape(), anyElem()));
    return;
  }
  int64_t choice = random.below(100);
  if (depth < 2) {
    if (choice < 5 && has(Feature::Loops))
      return loop();
    if (choice < 10 && has(Feature::Loops))
      return accumulate();
    if (choice < 12 && has(Feature::While))
      return whileLoop();
    if (choice < 16 && has(Feature::If))
      return branch();
    if (choice < 18 && has(Feature::Pointers))
      return pointerLoop();
  }
  Value value = anyValue();
  if (turns == 1 && choice >= 18 && choice < 22)
    return store(value);
  bool isOnce = turns == 1;
  std::optional<Value> result;
  if (isOnce && choice >= 22 && choice < 26 && has(Feature::Atomics)) {
    if (random.chance(50))
      return atomic(value);
    result = atomicResult(value);
  } else if (choice >= 26 && choice < 29 && has(Feature::Blocks)) {
    result = blockLoad();
  } else if (choice == 29 && has(Feature::Random)) {
    result = randomNumbers();
  } else if (choice < 42)
    result = reshape(value);
  else if (choice < 46 && has(Feature::Join))
    result = joinOrSplit(value);
  else if (choice < 49 && has(Feature::Gather))
    result = gather(value);
  else if (choice < 51 && has(Feature::Histogram))
    result = histogram(value);
  else if (choice < 53 && has(Feature::Sort))
    result = sort(value);
  else if (choice < 56 && has(Feature::Dot))
    result = dot();
  else if (choice < 66 && has(Feature::Reduce))
    result = random.chance(15) ? reduceTwo(value) : reduce(value);
  else if (choice < 72 && has(Feature::Scan))
    result = scan(value);
  else if (choice < 76 && has(Feature::Helpers))
    result = callHelper(value);
  else if (choice < 78 && has(Feature::If))
    result = conditional(value);
  if (!result)
    result = elementwise(value);
  if (countOf(result->shape) > kMaxElements)
    return;
  // An error that has grown says nothing any more.
  bool isVague =
      isFloat(result->elem) && result->exactness == Exactness::Approx && result->error > 2e-3;
  bind(*result, !isVague);
}

Case Generator::run() {
  programs = random.pick({1, 1, 2, 3});
  steps(random.between(3, 12));
  // What nothing uses is stored, most of it.
  std::vector<Value> all = values;
  for (size_t i = 0; i != all.size(); ++i)
    if (i + 3 >= all.size() || random.chance(50))
      store(all[i]);

  Case result;
  std::string params;
  for (auto &[name, buffer] : buffers) {
    params += (params.empty() ? "" : ", ") + name + ": \"" + buffer.type + "\"";
    std::string value = buffer.value;
    size_t at = value.find("{}");
    value.replace(at, 2, std::to_string(std::min(buffer.elements, kMaxOutput)));
    result.args.push_back(name + "=" + value);
  }
  for (auto &[name, scalar] : scalars) {
    params += (params.empty() ? "" : ", ") + name + ": \"" + scalar.first + "\"";
    int64_t number = name == "n"   ? random.below(kMaxTurns + 1)
                     : name == "m" ? random.between(1, 16) * 16
                                   : random.below(1001);
    result.args.push_back(name + "=" + std::to_string(number) + (name == "k" ? ":i64" : ""));
  }
  result.text = functions + "@triton.jit\ndef kernel(" + params + "):\n" + body;
  result.kernel = "kernel";
  result.grid = {uint64_t(programs), 1, 1};
  result.numWarps = unsigned(random.pick({1, 1, 2, 4, 4, 8, 16, 32}));
  result.misalign = random.chance(25) ? unsigned(random.between(1, 5)) : 0;
  result.seed = random.next() % 1000;
  return result;
}

Case generateCase(uint64_t seed, const FeatureSet &features) {
  Case result = Generator(seed, features).run();
  result.name = "seed-" + std::to_string(seed) + ".tile";
  return result;
}

} // namespace tilec::fuzz
