// Random kernels: operations that move elements.

#include "lib/Fuzz/Generator.h"

#include <algorithm>
#include <numeric>

namespace tilec::fuzz {

static constexpr int64_t kMaxElements = 1024;

std::optional<Value> Generator::reshape(const Value &value) {
  size_t rank = value.shape.size(), maxRank = has(Feature::Rank8) ? 8 : 4;
  Value result = value;
  result.isAtom = true;
  switch (random.below(7)) {
  case 0: {
    if (rank >= maxRank || rank == 0)
      return std::nullopt;
    size_t axis = size_t(random.below(int64_t(rank) + 1));
    result.shape.insert(result.shape.begin() + long(axis), 1);
    if (random.chance(50)) {
      result.text = "tl.expand_dims(" + value.text + ", " + std::to_string(axis) + ")";
      return result;
    }
    std::string dims;
    for (size_t d = 0; d <= rank; ++d)
      dims += std::string(d ? ", " : "") + (d == axis ? "None" : ":");
    result.text = value.get() + "[" + dims + "]";
    return result;
  }
  case 1: {
    if (rank == 0) {
      result.shape = anyShape();
      result.text = value.elem == Elem::I1 || isFp8(value.elem)
                        ? "tl.broadcast_to(" + value.text + ", " + spell(result.shape) + ")"
                        : "tl.full(" + spell(result.shape) + ", " + value.text + ", tl." +
                              getInfo(value.elem).tlName + ")";
      return result;
    }
    for (int64_t &extent : result.shape)
      if (extent == 1 && countOf(result.shape) < kMaxElements)
        extent = int64_t(1) << random.below(5);
    result.text = "tl.broadcast_to(" + value.text + ", " + spell(result.shape) + ")";
    return result;
  }
  case 2:
  case 3: {
    if (rank < 2)
      return std::nullopt;
    if (rank == 2 && random.chance(40)) {
      std::swap(result.shape[0], result.shape[1]);
      result.text = random.chance(50) ? "tl.trans(" + value.text + ")" : value.get() + ".T";
      return result;
    }
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = rank; i > 1; --i)
      std::swap(order[i - 1], order[size_t(random.below(int64_t(i)))]);
    std::string dims;
    for (size_t d = 0; d != rank; ++d) {
      result.shape[d] = value.shape[order[d]];
      dims += ", " + std::to_string(order[d]);
    }
    result.text = "tl.permute(" + value.text + dims + ")";
    if (random.chance(50))
      result.text = "tl.trans(" + value.text + dims + ")";
    return result;
  }
  case 4:
    if (rank == 0)
      return std::nullopt;
    result.shape = {countOf(value.shape)};
    result.text = "tl.ravel(" + value.text + ")";
    return result;
  default: {
    if (rank == 0)
      return std::nullopt;
    int64_t limit = random.chance(10) ? int64_t(maxRank) : 4;
    result.shape.assign(size_t(random.between(1, limit)), 1);
    while (countOf(result.shape) < countOf(value.shape))
      result.shape[size_t(random.below(int64_t(result.shape.size())))] *= 2;
    result.text = random.chance(70) ? "tl.reshape(" + value.text + ", " + spell(result.shape) + ")"
                                    : value.get() + ".reshape(" + spell(result.shape) + ")";
    return result;
  }
  }
}

std::optional<Value> Generator::joinOrSplit(const Value &value) {
  size_t rank = value.shape.size();
  bool isVague = isFloat(value.elem) && value.exactness == Exactness::Approx;
  // A last dimension of two can be split.
  if (rank > 0 && value.shape.back() == 2 && random.chance(60)) {
    Value first = value;
    first.shape.pop_back();
    std::string left = fresh(), right = fresh();
    line(left + ", " + right + " = tl.split(" + value.text + ")  # " + first.type());
    first.isAtom = true;
    Value second = first;
    first.text = left;
    second.text = right;
    pool(second);
    return first;
  }
  if (isVague || countOf(value.shape) * 2 > kMaxElements)
    return std::nullopt;
  Value other = similar(value), result = value;
  join(result, other);
  result.isAtom = true;
  int64_t choice = random.below(3);
  if (choice == 0 && rank > 0 && rank < 8) {
    result.shape.back() *= 2;
    result.text = "tl.interleave(" + value.text + ", " + other.text + ")";
    return result;
  }
  if (rank >= (has(Feature::Rank8) ? 8u : 4u))
    return std::nullopt;
  result.shape.push_back(2);
  result.text = "tl.join(" + value.text + ", " + other.text + ")";
  return result;
}

std::optional<Value> Generator::gather(const Value &value) {
  if (value.shape.empty())
    return std::nullopt;
  size_t axis = size_t(random.below(int64_t(value.shape.size())));
  int64_t extent = value.shape[axis];
  Shape shape = value.shape;
  shape[axis] = int64_t(1) << random.below(6);
  if (countOf(shape) > kMaxElements)
    return std::nullopt;
  Value at = similar(shape, random.pick({Elem::I32, Elem::I32, Elem::I16, Elem::I64}));
  if (extent == 1)
    at = constant(shape, Elem::I32, 0);
  else
    at.text = at.get() + " & " + std::to_string(extent - 1), at.isAtom = false;
  // Into [0, extent): the extent is a power of two, and may be more than an i8 holds.
  Value result = value;
  result.shape = shape;
  result.isAtom = true;
  result.text = "tl.gather(" + value.text + ", " + at.text + ", " + std::to_string(axis) + ")";
  return result;
}

std::optional<Value> Generator::histogram(const Value &value) {
  if (!isInt(value.elem) || value.shape.empty())
    return std::nullopt;
  int64_t bins = int64_t(1) << random.between(1, 7);
  Value flat = cast(value, Elem::I32);
  flat = maskBits(flat, unsigned(random.between(1, 7)));
  while (flat.high >= bins)
    bins *= 2;
  std::string text = flat.text;
  if (value.shape.size() != 1)
    text = "tl.ravel(" + text + ")";
  Value result = makeInt("", {bins}, Elem::I32, 0, countOf(value.shape));
  Shape shape = {countOf(value.shape)};
  std::string options = random.chance(30) ? ", mask=" + mask(shape).text : "";
  result.text = "tl.histogram(" + text + ", " + std::to_string(bins) + options + ")";
  return result;
}

std::optional<Value> Generator::sort(const Value &value) {
  bool isVague = isFloat(value.elem) && value.exactness == Exactness::Approx;
  if (value.shape.empty() || value.shape.back() > 128 || value.shape.back() < 2 || isVague ||
      value.special || value.elem == Elem::I1 || isFp8(value.elem))
    return std::nullopt;
  Value result = value;
  result.isAtom = true;
  if (random.chance(40)) {
    size_t axis = size_t(random.below(int64_t(value.shape.size())));
    result.text = "tl.flip(" + value.text + ", " + std::to_string(axis) + ")";
    return result;
  }
  // The sign of a zero may end anywhere among zeros: no bits of it are looked at later.
  if (random.chance(30) && value.shape.back() >= 2) {
    int64_t most = 1 + random.below(3), k = 2;
    while (most-- > 0 && k * 2 <= value.shape.back())
      k *= 2;
    // What is left out goes by `max`, which widens [R26].
    if (k < value.shape.back() && getInfo(value.elem).bits < 32)
      result.elem = isFloat(value.elem) ? Elem::F32 : Elem::I32;
    result.shape.back() = k;
    result.text = "tl.topk(" + value.text + ", " + std::to_string(k) + ")";
    return result;
  }
  result.text = "tl.sort(" + value.text + (random.chance(50) ? ", descending=True)" : ")");
  return result;
}

} // namespace tilec::fuzz
