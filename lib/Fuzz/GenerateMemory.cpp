// Random kernels: indices, masks, loads, stores and atomic operations.

#include "lib/Fuzz/Generator.h"
#include "lib/Fuzz/Trial.h"

#include <algorithm>
#include <numeric>

namespace tilec::fuzz {

static constexpr int64_t kMaxOutput = 1 << 16;

Shape Generator::denseStrides(const Shape &shape, int percentPermuted) {
  std::vector<size_t> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (shape.size() > 1 && random.chance(percentPermuted))
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[size_t(random.below(int64_t(i)))]);
  Shape strides(shape.size(), 1);
  int64_t stride = 1;
  for (size_t d : order) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

Value Generator::affine(const Shape &shape, const Shape &strides) {
  std::string text;
  Wide high = 0;
  for (size_t d = 0; d != shape.size(); ++d) {
    std::string part = "tl.arange(0, " + std::to_string(shape[d]) + ")";
    if (shape.size() > 1) {
      std::string dims;
      for (size_t other = 0; other != shape.size(); ++other)
        dims += std::string(other ? ", " : "") + (other == d ? ":" : "None");
      part += "[" + dims + "]";
    }
    if (strides[d] != 1)
      part += " * " + std::to_string(strides[d]);
    text += (d ? " + " : "") + part;
    high += (shape[d] - 1) * strides[d];
  }
  Value result = makeInt(text, shape, Elem::I32, 0, high);
  result.isAtom = false;
  if (shape.empty())
    return makeInt("0", {}, Elem::I32, 0, 0);
  return result;
}

Value Generator::mask(const Shape &shape) {
  if (shape.empty())
    return scalarCondition();
  Value result = makeInt("", shape, Elem::I1, 0, 1);
  result.isAtom = false;
  switch (random.below(8)) {
  case 0: { // Each dimension by itself.
    for (size_t d = 0; d != shape.size(); ++d) {
      std::string part = "(tl.arange(0, " + std::to_string(shape[d]) + ")" +
                         random.pick({" < ", " < ", " >= ", " != "}) +
                         std::to_string(random.below(shape[d] + 2)) + ")";
      if (shape.size() > 1) {
        std::string dims;
        for (size_t other = 0; other != shape.size(); ++other)
          dims += std::string(other ? ", " : "") + (other == d ? ":" : "None");
        part += "[" + dims + "]";
      }
      result.text += (d ? (random.chance(80) ? " & " : " | ") : "") + part;
    }
    return result;
  }
  case 1:
    if (auto data = find([&](const Value &v) {
          return v.shape == shape && v.elem != Elem::I1 && !isFp8(v.elem) &&
                 !(isFloat(v.elem) && v.exactness == Exactness::Approx);
        })) {
      result.text = data->get() + random.pick({" < ", " >= ", " == "}) +
                    literal(data->elem, random.below(30));
      return result;
    }
    break;
  case 2:
    if (auto data = find([&](const Value &v) { return v.shape == shape && v.elem == Elem::I1; }))
      return *data;
    break;
  default:
    break;
  }
  Value at = affine(shape, denseStrides(shape, 15));
  if (random.chance(20))
    at = addInts("+", at, scalarInt());
  if (random.chance(10)) {
    at.text = at.get() + random.pick({" // ", " % "}) + std::to_string(random.between(1, 33));
    at.isAtom = false;
  }
  std::string bound =
      random.chance(40) ? scalarInt().get() : std::to_string(random.below(countOf(shape) + 2));
  result.text = at.get() + random.pick({" < ", " < ", " >= "}) + bound;
  if (random.chance(10))
    result.text = "(" + result.text + ") & " + scalarCondition().get();
  return result;
}

Value Generator::index(const Shape &shape, int64_t limit) {
  // At times what the kernel has loaded.
  if (random.chance(12))
    if (auto data = find([&](const Value &v) {
          return v.shape == shape && (isInt(v.elem) && getInfo(v.elem).bits >= 16);
        })) {
      unsigned bits = 0;
      while ((int64_t(2) << bits) <= limit)
        ++bits;
      return maskBits(*data, bits);
    }
  Shape strides = denseStrides(shape, 40);
  if (!shape.empty() && random.chance(20))
    strides[size_t(random.below(int64_t(shape.size())))] += random.pick({1, 4, 8});
  if (!shape.empty() && random.chance(8))
    strides[size_t(random.below(int64_t(shape.size())))] = 0;
  Value result = affine(shape, strides);
  if (shape.empty())
    result = scalarInt();
  int64_t more = random.pick({0, 0, 1, 1, 2});
  for (int64_t i = 0; i < more; ++i) {
    Value scalar = scalarInt();
    int64_t number = random.chance(60) ? int64_t(1) << random.below(8) : random.between(1, 40);
    Value constantValue = makeInt(std::to_string(number), {}, Elem::I32, number, number);
    switch (random.below(7)) {
    case 0:
    case 1:
      result =
          addInts("+", result, scalar.high < 512 ? addInts("*", scalar, constantValue) : scalar);
      break;
    case 2:
      if (random.chance(20)) { // what comes after it may wrap
        number = (int64_t(1) << 31) - (int64_t(1) << random.below(10));
        constantValue = makeInt(std::to_string(number), {}, Elem::I32, number, number);
      }
      result = addInts("+", result, constantValue);
      break;
    case 3:
      if (result.high < (1 << 20))
        result = addInts("*", result, constantValue);
      break;
    case 4:
      result.text = result.get() + random.pick({" // ", " % "}) + std::to_string(number);
      result.low = std::min<Wide>(result.low, 0);
      break;
    case 5:
      result = addInts(random.pick({"^", "|"}), result, constantValue);
      break;
    default:
      if (result.low >= 0 && result.high < (1 << 24))
        result.text = result.get() + " - " + result.get() + " % " + std::to_string(number);
      break;
    }
    result.isAtom = false;
  }
  if (result.low < 0 || random.chance(5)) {
    unsigned bits = 0;
    while ((int64_t(2) << bits) <= limit)
      ++bits;
    result = maskBits(result, bits);
  }
  if (result.high >= limit) {
    result.text = result.get() + " % " + std::to_string(limit);
    result.isAtom = false;
    result.high = limit - 1;
  }
  result.shape = shape;
  if (has(Feature::Int64) && random.chance(10))
    result = cast(result, random.pick({Elem::I64, Elem::U32}));
  return result;
}

Value Generator::load(const Shape &shape, Elem elem) {
  const ElemInfo &info = getInfo(elem);
  bool isWild = random.chance(elem == Elem::I1 ? 0 : 30);
  std::string name = std::string(isWild ? "b_" : "a_") + info.name, contents;
  Value result = makeInt("", shape, elem, 0, 1);
  if (elem == Elem::I1) {
    contents = "randint(0, 2, {})";
  } else if (isFloat(elem)) {
    int64_t most = int64_t(std::min(info.exact, 8.0));
    contents = isWild
                   ? "randn({})"
                   : "randint(" + std::to_string(-most) + ", " + std::to_string(most + 1) + ", {})";
    result.magnitude = isWild ? 16 : double(most);
    result.exactness = isWild ? Exactness::Bits : Exactness::Whole;
  } else {
    result.low = info.isSigned ? -100 : 0;
    result.high = info.isSigned ? 99 : 199;
    if (isWild) {
      result.low = std::max<Wide>(leastOf(elem), -(Wide(1) << 62));
      result.high = std::min<Wide>(greatestOf(elem), (Wide(1) << 62));
    }
    contents = "randint(" + std::to_string(int64_t(result.low)) + ", " +
               std::to_string(int64_t(result.high + 1)) + ", {})";
  }
  Buffer &buffer = getBuffer(name, elem, contents + ":" + info.name);

  int64_t limit = random.pick({64, 97, 256, 1000, 2048});
  Value at = index(shape, limit);
  std::string options;
  int64_t reach = int64_t(at.high) + 1;
  if (!shape.empty() && random.chance(50)) {
    if (at.text.size() > 12 || !at.isAtom)
      at = bind(at, false);
    if (random.chance(60)) {
      // The mask keeps the index inside a shorter buffer.
      int64_t bound = random.between(1, reach + 1);
      std::string limitText = std::to_string(bound);
      if (random.chance(20)) {
        Value m = scalarParam("m");
        limitText = m.text;
        bound = int64_t(m.high);
      }
      reach = std::min(reach, bound);
      options = ", mask=" + at.text + " < " + limitText;
      if (random.chance(15))
        options = ", mask=(" + at.text + " < " + limitText + ") & " + mask(shape).get();
    } else {
      options = ", mask=" + mask(shape).text;
    }
    if (random.chance(50))
      options += ", other=" + literal(elem, random.below(5));
    result.low = std::min<Wide>(result.low, 0);
    result.high = std::max<Wide>(result.high, 4);
    if (elem == Elem::I1)
      result.high = 1;
    if (isFloat(elem))
      result.magnitude = std::max(result.magnitude, 4.0);
  }
  if (has(Feature::Hints) && random.chance(10))
    options += random.pick({", cache_modifier=\".ca\"", ", cache_modifier=\".cg\"",
                            ", eviction_policy=\"evict_first\"", ", volatile=True"});
  // The buffer may have moved nowhere, but grown: a map keeps its nodes.
  buffer.elements = std::max(buffer.elements, reach);
  std::string pointer = name + " + " + at.get();
  if (random.chance(4)) {
    // Counted in bytes.
    pointer = "(" + name + ".to(tl.int64) + " + at.get() + ".to(tl.int64) * " +
              std::to_string(std::max(info.bits / 8, 1u)) + ").to(tl.pointer_type(tl." +
              info.tlName + "))";
  } else if (random.chance(4)) {
    Value other = index(shape, limit);
    buffer.elements = std::max(buffer.elements, int64_t(other.high) + 1);
    pointer =
        "tl.where(" + mask(shape).text + ", " + pointer + ", " + name + " + " + other.get() + ")";
  }
  result.text = "tl.load(" + pointer + options + ")";
  return result;
}

void Generator::store(Value value) {
  std::string name = kExactPrefix.str() + getInfo(value.elem).name;
  if (isFloat(value.elem) && value.exactness == Exactness::Approx) {
    value = cast(value, Elem::F32);
    name = "approx";
  }
  Buffer &buffer = getBuffer(name, value.elem,
                             std::string("full({}, ") + (value.elem == Elem::I1 ? "1" : "7") +
                                 "):" + getInfo(value.elem).name);
  int64_t count = countOf(value.shape), begin = buffer.elements == 1 ? 0 : buffer.elements;
  if (random.chance(70))
    begin = (begin + 15) / 16 * 16;
  if (begin + count * programs > kMaxOutput)
    return;
  buffer.elements = begin + count * programs;
  std::string at;
  if (begin)
    at = std::to_string(begin);
  if (programs > 1)
    at += (at.empty() ? "" : " + ") + std::string("tl.program_id(0) * ") + std::to_string(count);
  if (!value.shape.empty())
    at += (at.empty() ? "" : " + ") + affine(value.shape, denseStrides(value.shape, 40)).text;
  std::string options;
  if (random.chance(35))
    options = ", mask=" + mask(value.shape).text;
  if (has(Feature::Hints) && random.chance(5))
    options += random.pick({", cache_modifier=\".cg\"", ", eviction_policy=\"evict_last\""});
  line("tl.store(" + name + (at.empty() ? "" : " + (" + at + ")") + ", " + value.text + options +
       ")");
}

void Generator::pointerLoop() {
  Shape shape = anyShape();
  Elem elem = anyElem();
  while (elem == Elem::I1 || isFp8(elem))
    elem = anyElem();
  const ElemInfo &info = getInfo(elem);
  std::string name = std::string("a_") + info.name;
  int64_t most = int64_t(std::min(info.exact, 8.0));
  Buffer &buffer = getBuffer(
      name, elem,
      (isFloat(elem)   ? "randint(" + std::to_string(-most) + ", " + std::to_string(most + 1)
       : info.isSigned ? std::string("randint(-100, 100")
                       : std::string("randint(0, 200")) +
          ", {}):" + info.name);
  Value start = index(shape, 1024);
  std::string pointer = fresh("p"), total = fresh("c"), turn = fresh("i");
  line(pointer + " = " + name + " + " + start.get());
  line(total + " = " + constant(shape, elem, 0).text);
  int64_t by = random.pick({1, 3, 8, 16, 64, 100});
  std::string byText = std::to_string(by);
  if (random.chance(20) && !shape.empty()) {
    byText = "(" + affine(shape, denseStrides(shape, 20)).text + ") % " + std::to_string(by + 1);
  } else if (random.chance(20)) {
    byText = "m";
    by = int64_t(scalarParam("m").high);
  }
  line("for " + turn + " in range(" + scalarParam("n").text + "):");
  block([&] {
    std::string options;
    if (!shape.empty() && random.chance(40))
      options = ", mask=" + mask(shape).text;
    line(total + " += tl.load(" + pointer + options + ")");
    if (random.chance(30))
      line(pointer + " = " + pointer + " + " + byText);
    else
      line(pointer + " += " + byText);
  });
  // After the loop the pointer may be read once more.
  buffer.elements = std::max(buffer.elements, int64_t(start.high) + kMaxTurns * by + 1);
  Value result = makeFloat(total, shape, elem, double(most) * kMaxTurns);
  if (!isFloat(elem)) {
    result.low = leastOf(elem);
    result.high = greatestOf(elem);
  }
  pool(result);
  if (random.chance(30)) {
    Value last = result;
    last.text = "tl.load(" + pointer + ")";
    bind(last);
  }
}

void Generator::atomic(Value value) {
  // One operation a tensor, and one that does not care for the order.
  static const char *const kInts[] = {"add", "max", "min", "and", "or", "xor"};
  std::string op = kInts[random.below(6)];
  Elem elem = random.pick({Elem::I32, Elem::I32, Elem::U32, Elem::I64, Elem::U64});
  if (random.chance(25)) {
    elem = random.pick({Elem::F32, Elem::F32, Elem::F16});
    op = "add";
  }
  if (isFloat(value.elem) && value.exactness == Exactness::Approx)
    return;
  value = cast(value, elem);
  if (isFloat(elem)) {
    double bound = std::floor(getInfo(elem).exact / double(countOf(value.shape) * programs * 16));
    if (bound < 1)
      return;
    value = fit(value, bound);
    // Only whole numbers add up alike in every order.
    if (value.exactness != Exactness::Whole)
      value.text =
          "tl.floor(" + cast(value, Elem::F32).text + ").to(tl." + getInfo(elem).tlName + ")";
  }
  std::string name = kExactPrefix.str() + op + "_" + getInfo(elem).name;
  Buffer &buffer = getBuffer(name, elem, std::string("full({}, 7):") + getInfo(elem).name);
  Value at = index(value.shape, random.pick({1, 5, 64, 256}));
  std::string options;
  if (random.chance(40))
    options = ", mask=" + mask(value.shape).text;
  if (random.chance(30))
    options += random.pick({", sem=\"relaxed\"", ", sem=\"acq_rel\"", ", sem=\"release\""});
  buffer.elements = std::max(buffer.elements, int64_t(at.high) + 1);
  line("tl.atomic_" + op + "(" + name + " + " + at.get() + ", " + value.text + options + ")");
}

std::optional<Value> Generator::atomicResult(const Value &like) {
  // Each element has a place of its own, so that what was there before is known.
  bool isExchange = random.chance(30);
  std::string op = isExchange ? "xchg" : random.pick({"add", "max", "min", "xor", "and", "or"});
  Elem elem = random.pick({Elem::I32, Elem::I32, Elem::U32, Elem::I64});
  if (isFloat(like.elem) && like.exactness == Exactness::Approx)
    return std::nullopt;
  Value value = cast(like, elem);
  int64_t count = countOf(value.shape);
  std::string name = (kExactPrefix + "old_").str() + getInfo(elem).name;
  Buffer &buffer = getBuffer(name, elem, "randint(0, 100, {}):" + std::string(getInfo(elem).name));
  int64_t begin = buffer.elements == 1 ? 0 : buffer.elements;
  if (begin + count * programs > kMaxOutput)
    return std::nullopt;
  buffer.elements = begin + count * programs;
  std::string at = std::to_string(begin) + " + tl.program_id(0) * " + std::to_string(count);
  if (!value.shape.empty())
    at += " + " + affine(value.shape, denseStrides(value.shape, 40)).text;
  std::string pointer = name + " + (" + at + ")";
  Value result = makeInt("", value.shape, elem, 0, 99);
  if (random.chance(25)) {
    Value expected = constant(value.shape, elem, random.below(100));
    result.text = "tl.atomic_cas(" + pointer + ", " + expected.text + ", " + value.text + ")";
    return result;
  }
  std::string options;
  if (random.chance(40))
    options = ", mask=" + mask(value.shape).text;
  // What is masked off has no result.
  if (!options.empty()) {
    line("tl.atomic_" + op + "(" + pointer + ", " + value.text + options + ")");
    return std::nullopt;
  }
  result.text = "tl.atomic_" + op + "(" + pointer + ", " + value.text + ")";
  return result;
}

std::optional<Value> Generator::blockLoad() {
  Elem elem = anyElem();
  while (elem == Elem::I1 || isFp8(elem))
    elem = anyElem();
  Shape shape = anyShape();
  size_t rank = shape.size();
  if (rank > 4 || countOf(shape) > 1024)
    return std::nullopt;
  // A tensor in memory, dense but for padding, its dimensions in one of two orders.
  Shape extents, strides(rank, 1), offsets;
  bool isTurned = rank > 1 && random.chance(30);
  int64_t stride = 1;
  for (size_t d = 0; d != rank; ++d)
    extents.push_back(random.chance(50) ? shape[d] * 2 : random.between(1, shape[d] + 9));
  for (size_t i = 0; i != rank; ++i) {
    size_t d = isTurned ? i : rank - 1 - i;
    strides[d] = stride;
    stride *= extents[d] + (i == 0 ? random.pick({0, 0, 3}) : 0);
  }
  if (stride > 16384)
    return std::nullopt;
  const ElemInfo &info = getInfo(elem);
  int64_t most = int64_t(std::min(info.exact, 8.0));
  std::string name = std::string("a_") + info.name;
  Buffer &buffer = getBuffer(
      name, elem,
      (isFloat(elem)   ? "randint(" + std::to_string(-most) + ", " + std::to_string(most + 1)
       : info.isSigned ? std::string("randint(-100, 100")
                       : std::string("randint(0, 200")) +
          ", {}):" + info.name);
  buffer.elements = std::max(buffer.elements, stride);
  std::string start, order, check, steps;
  for (size_t d = 0; d != rank; ++d) {
    std::string comma = d ? ", " : "";
    start += comma + (random.chance(20) ? scalarParam("n").text : std::to_string(random.below(6)));
    order += comma + std::to_string(isTurned ? d : rank - 1 - d);
    check += comma + std::to_string(d);
    steps += comma + std::to_string(random.below(9));
  }
  auto tuple = [](std::string text) {
    for (char &c : text)
      c = c == '[' ? '(' : c == ']' ? ')' : c;
    if (text.find(',') == std::string::npos)
      text.insert(text.size() - 1, ",");
    return text;
  };
  std::string pointer = fresh("p");
  line(pointer + " = tl.make_block_ptr(" + name + ", shape=" + tuple(spell(extents)) +
       ", strides=" + tuple(spell(strides)) + ", offsets=" + tuple("[" + start + "]") +
       ", block_shape=" + tuple(spell(shape)) + ", order=" + tuple("[" + order + "]") + ")");
  if (random.chance(40))
    line(pointer + " = tl.advance(" + pointer + ", " + tuple("[" + steps + "]") + ")");
  Value result = makeFloat("", shape, elem, double(most));
  if (!isFloat(elem)) {
    result.low = info.isSigned ? -100 : 0;
    result.high = info.isSigned ? 99 : 199;
  }
  result.text = "tl.load(" + pointer + ", boundary_check=" + tuple("[" + check + "]") +
                ", padding_option=\"zero\")";
  return result;
}

} // namespace tilec::fuzz
