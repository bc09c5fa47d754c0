// Random kernels: loops, branches and calls.

#include "lib/Fuzz/Generator.h"

#include <algorithm>
#include <cmath>

namespace tilec::fuzz {

/// What a name that a loop carries may hold after any number of turns.
static void widen(Value &value) {
  if (isFloat(value.elem)) {
    value.exactness = Exactness::Bits;
    value.special = value.product = true;
    value.magnitude = getInfo(value.elem).largest;
  } else if (value.elem != Elem::I1) {
    value.low = leastOf(value.elem);
    value.high = greatestOf(value.elem);
  }
}

static bool isSure(const Value &value) {
  return !isFloat(value.elem) || value.exactness != Exactness::Approx;
}

void Generator::loop() {
  std::vector<Value> carried;
  for (int64_t i = random.between(1, 2); i > 0; --i)
    if (auto init = find(isSure)) {
      Value value = *init;
      value.text = fresh("c");
      value.isAtom = true;
      line(value.text + " = " + init->text + "  # " + value.type());
      widen(value);
      carried.push_back(value);
    }
  std::string turn = fresh("i"), range = "range";
  Value n = scalarParam("n");
  int64_t first = 0, last = kMaxTurns;
  switch (random.below(7)) {
  case 0:
    range = "tl.static_range(" + std::to_string(last = random.between(1, 3)) + ")";
    break;
  case 1:
    first = random.between(0, 2);
    range = "range(" + std::to_string(first) + ", " + n.text + " + 1)";
    last = kMaxTurns + 1;
    break;
  case 2:
    first = 1;
    range = "range(" + n.text + ", 0, -1)";
    last = kMaxTurns + 1;
    break;
  case 3:
    range = "range(0, " + n.text + ", 2)";
    break;
  case 4:
    range = "tl.range(0, " + n.text +
            random.pick({")", ", num_stages=2)", ", num_stages=3)", ", loop_unroll_factor=2)"});
    break;
  default:
    range = "range(" + n.text + ")";
    break;
  }
  line("for " + turn + " in " + range + ":");
  int64_t around = turns;
  turns *= kMaxTurns;
  block([&] {
    for (const Value &value : carried)
      pool(value);
    // A number that the compiler knows takes the type of what it meets.
    bool isStatic = range.find("static") != std::string::npos;
    Value at = makeInt(isStatic ? "tl.cast(" + turn + ", tl.int32)" : turn, {}, Elem::I32, first,
                       last - 1);
    pool(at);
    auto jump = [&] {
      if (!has(Feature::Jumps) || isStatic || !random.chance(15))
        return;
      std::string condition = random.chance(60) ? turn + " == " + std::to_string(random.below(4))
                                                : scalarCondition().text;
      line("if " + condition + ":");
      indent += 4;
      line(random.pick({"break", "continue"}));
      indent -= 4;
    };
    jump();
    steps(random.between(1, 3));
    jump();
    for (const Value &value : carried) {
      Value next = similar(value);
      line(value.text + " = " + next.text);
    }
  });
  turns = around;
  for (const Value &value : carried)
    pool(value);
}

void Generator::accumulate() {
  Elem elem = random.pick({Elem::F32, Elem::F32, Elem::F16, Elem::I32, Elem::U32, Elem::I64});
  auto like = find([](const Value &v) { return !v.shape.empty(); });
  Value total = constant(like && random.chance(70) ? like->shape : anyShape(), elem, 0);
  std::string name = fresh("c"), turn = fresh("i");
  line(name + " = " + total.text + "  # " + total.type());
  line("for " + turn + " in range(" + scalarParam("n").text + "):");
  int64_t around = turns;
  turns *= kMaxTurns;
  block([&] {
    pool(makeInt(turn, {}, Elem::I32, 0, kMaxTurns - 1));
    steps(random.below(3));
    Value part = similar(total);
    if (isFloat(elem)) {
      double bound = std::floor(getInfo(elem).exact / double(kMaxTurns));
      if (part.special || part.magnitude > bound || part.exactness != Exactness::Whole)
        part = fit(part, bound);
      // Whole parts add up without rounding; others might contract with their product.
      if (part.exactness != Exactness::Whole)
        part = cast(cast(part, Elem::I32), elem);
      total.magnitude = part.magnitude * double(kMaxTurns);
    }
    line(name + (random.chance(70) ? " += " : " = " + name + " + ") + part.text);
  });
  turns = around;
  total.text = name;
  total.isAtom = true;
  if (!isFloat(elem))
    widen(total);
  pool(total);
}

void Generator::whileLoop() {
  auto init = find(isSure);
  if (!init)
    return;
  Value value = *init, n = scalarParam("n");
  value.text = fresh("c");
  value.isAtom = true;
  std::string turn = fresh("i");
  line(turn + " = 0");
  line(value.text + " = " + init->text + "  # " + value.type());
  widen(value);
  std::string condition = turn + " < " + n.text;
  if (random.chance(25))
    condition =
        "(" + condition + ") & (" + turn + " < " + std::to_string(random.between(1, 4)) + ")";
  line("while " + condition + ":");
  int64_t around = turns;
  turns *= kMaxTurns;
  block([&] {
    pool(value);
    pool(makeInt(turn, {}, Elem::I32, 0, kMaxTurns));
    steps(random.between(1, 2));
    line(value.text + " = " + similar(value).text);
    line(turn + " += 1");
  });
  turns = around;
  pool(value);
}

void Generator::branch() {
  auto like = find(isSure);
  if (!like)
    return;
  Value result = *like;
  result.text = fresh("c");
  result.isAtom = true;
  line(result.text + " = " + like->text + "  # " + result.type());
  int64_t sides = random.between(1, 3);
  for (int64_t side = 0; side < sides; ++side) {
    bool isElse = side > 0 && (side == 2 || random.chance(60));
    std::string condition = isElse ? "" : " " + scalarCondition().text;
    line((side == 0 ? "if" : isElse ? "else" : "elif") + condition + ":");
    block([&] {
      steps(random.below(3));
      Value next = similar(*like);
      line(result.text + " = " + next.text);
      join(result, next);
    });
    if (isElse)
      break;
  }
  pool(result);
}

Value Generator::conditional(const Value &a) {
  if (!isSure(a))
    return a;
  Value b = similar(a), result = a;
  join(result, b);
  result.isAtom = false;
  result.text = a.get() + " if " + scalarCondition().get() + " else " + b.get();
  return result;
}

std::optional<Value> Generator::callHelper(const Value &value) {
  auto define = [&](const std::string &name, const std::string &text) {
    if (helpers.try_emplace(name, "").second)
      functions += "@triton.jit\ndef " + name + text + "\n\n";
    return name + "(";
  };
  if (!isSure(value) || isFp8(value.elem))
    return std::nullopt;
  Value other = similar(value), result = value;
  join(result, other);
  result.isAtom = true;
  switch (random.below(5)) {
  case 0:
    result.text = define("choose", "(a, b, n):\n    if n > 2:\n        return a\n    return b\n") +
                  value.text + ", " + other.text + ", " + scalarInt().text + ")";
    return result;
  case 1:
    result.text = define("pick", "(c, a, b):\n    return tl.where(c, a, b)\n") +
                  mask(value.shape).text + ", " + value.text + ", " + other.text + ")";
    return result;
  case 2: {
    std::string left = fresh(), right = fresh();
    line(left + ", " + right + " = " + define("swap", "(a, b):\n    return b, a\n") + value.text +
         ", " + other.text + ")  # " + value.type());
    other.text = left;
    other.isAtom = true;
    pool(other);
    result = value;
    result.text = right;
    result.isAtom = true;
    return result;
  }
  case 3:
    if (isFloat(value.elem) || value.elem == Elem::I1)
      return std::nullopt;
    result.text = define("mix", "(a, b, TURNS: tl.constexpr = 2):\n"
                                "    for _ in tl.static_range(TURNS):\n"
                                "        a, b = b ^ (a >> 1), a\n"
                                "    return a\n") +
                  value.text + ", " + other.text + ", " + std::to_string(random.between(1, 3)) +
                  ")";
    widen(result);
    return result;
  default: {
    if (value.elem == Elem::I1 || value.shape.empty())
      return std::nullopt;
    // A loop whose bound is an argument.
    result.text = define("repeat", "(a, b, n):\n"
                                   "    for i in range(n):\n"
                                   "        a = tl.where(a < b, b, a)\n"
                                   "    return a\n") +
                  value.text + ", " + other.text + ", " + scalarParam("n").text + ")";
    return result;
  }
  }
}

} // namespace tilec::fuzz
