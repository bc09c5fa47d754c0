// Random kernels: arithmetic, comparisons and casts, with the ranges of their results.

#include "lib/Fuzz/Generator.h"

#include <algorithm>
#include <cmath>

namespace tilec::fuzz {

//===--- Ranges --------------------------------------------------------------===//

/// Keeps an integer's range if its type holds it; else the value has wrapped.
static void settle(Value &value) {
  if (value.low >= leastOf(value.elem) && value.high <= greatestOf(value.elem))
    return;
  value.low = leastOf(value.elem);
  value.high = greatestOf(value.elem);
}

/// The type that two integers are computed in [R1].
static Elem promote(Elem a, Elem b) {
  const ElemInfo &x = getInfo(a), &y = getInfo(b);
  if (x.bits == y.bits)
    return getIntType(x.bits, x.isSigned && y.isSigned);
  return x.bits > y.bits ? a : b;
}

static Value inType(Value value, Elem elem) {
  value.elem = elem;
  settle(value);
  return value;
}

Value Generator::addInts(const char *op, const Value &first, const Value &second) {
  Elem elem = promote(first.elem, second.elem);
  Value a = inType(first, elem), b = inType(second, elem);
  Value result = a;
  result.text = first.get() + " " + op + " " + second.get();
  result.isAtom = false;
  // Both are at most 64 bits wide: sums and products fit.
  Wide bounds[4];
  switch (op[0]) {
  case '+':
    result.low = a.low + b.low;
    result.high = a.high + b.high;
    break;
  case '-':
    result.low = a.low - b.high;
    result.high = a.high - b.low;
    break;
  case '*':
    bounds[0] = a.low * b.low;
    bounds[1] = a.low * b.high;
    bounds[2] = a.high * b.low;
    bounds[3] = a.high * b.high;
    result.low = *std::min_element(bounds, bounds + 4);
    result.high = *std::max_element(bounds, bounds + 4);
    break;
  default: // & | ^
    if (op[0] == '&' && b.low >= 0 && b.low == b.high) {
      result.low = 0;
      result.high = b.high;
    } else if (a.low >= 0 && b.low >= 0) {
      Wide most = std::max(a.high, b.high), bound = 1;
      while (bound <= most)
        bound *= 2;
      result.low = 0;
      result.high = bound - 1;
    } else {
      result.low = leastOf(elem);
      result.high = greatestOf(elem);
    }
  }
  settle(result);
  return result;
}

Value Generator::maskBits(const Value &value, unsigned bits) {
  Value result = value;
  bits = std::min(bits, getInfo(value.elem).bits - 1);
  result.low = 0;
  result.high = (Wide(1) << bits) - 1;
  result.text = value.get() + " & " + std::to_string(int64_t(result.high));
  result.isAtom = false;
  return result;
}

Value Generator::fit(const Value &value, double bound) {
  Value result = value;
  std::string name = value.text;
  if (!value.isAtom || name.size() > 12)
    name = bind(value, false).text;
  result.text = "tl.where(tl.abs(" + name + ") <= " + literal(value.elem, int64_t(bound)) + ", " +
                name + ", 1.0)";
  result.isAtom = true;
  result.magnitude = std::max(1.0, std::min(std::floor(bound), value.magnitude));
  result.special = false;
  return result;
}

//===--- Integers ------------------------------------------------------------===//

Value Generator::intOperation(const Value &a, unsigned depth) {
  const ElemInfo &info = getInfo(a.elem);
  Value result = a;
  result.isAtom = false;
  int64_t choice = random.below(16);
  if (random.chance(4)) {
    // A float literal makes it fp32 [R2].
    Value wide = makeFloat("", a.shape, Elem::F32, std::max(double(a.high), -double(a.low)) + 4);
    wide.text = a.get() + random.pick({" + 1.5", " - 0.25", " + 3.0"});
    wide.isAtom = false;
    wide.exactness = Exactness::Bits;
    return wide;
  }
  if (choice < 9) {
    const char *op = random.pick({"+", "-", "*", "&", "|", "^", "+", "*", "-"});
    Value b;
    if (random.chance(25)) {
      int64_t number = random.chance(50) ? int64_t(1) << random.below(6) : random.below(100);
      b = makeInt(std::to_string(number), a.shape, a.elem, number, number);
    } else if (random.chance(15) && has(Feature::Casts)) {
      b = similar(a.shape, anyInt(), depth);
    } else {
      b = broadcastable(a, depth);
    }
    result = random.chance(70) ? addInts(op, a, b) : addInts(op, b, a);
    result.shape = a.shape;
    return result;
  }
  switch (choice) {
  case 9:
  case 10: { // A shift by less than the width.
    std::string by = std::to_string(random.below(info.bits));
    if (random.chance(40)) {
      unsigned bits = info.bits == 8 ? 3 : info.bits == 16 ? 4 : info.bits == 32 ? 5 : 6;
      by = maskBits(broadcastable(a, depth), bits).get();
    }
    bool isLeft = random.chance(50);
    result.text = a.get() + (isLeft ? " << " : " >> ") + by;
    if (isLeft) {
      result.low = leastOf(a.elem);
      result.high = greatestOf(a.elem);
    } else {
      result.low = std::min<Wide>(a.low, 0);
      result.high = std::max<Wide>(a.high, 0);
    }
    return result;
  }
  case 11:
  case 12: { // A quotient by what is positive.
    std::string by =
        std::to_string(random.chance(50) ? int64_t(1) << random.below(6) : 1 + random.below(40));
    if (random.chance(40))
      by = "(" + maskBits(broadcastable(a, depth), 4).get() + " + 1)";
    result.low = std::min<Wide>(a.low, 0);
    result.high = std::max<Wide>(a.high, 0);
    result.isAtom = false;
    result.text = a.get() + (random.chance(50) ? " // " : " % ") + by;
    return result;
  }
  case 13: {
    Value b = broadcastable(a, depth);
    bool isMax = random.chance(50);
    result.isAtom = true;
    result.text = std::string(isMax ? "tl.maximum(" : "tl.minimum(") + a.text + ", " + b.text + ")";
    result.low = isMax ? std::max(a.low, b.low) : std::min(a.low, b.low);
    result.high = isMax ? std::max(a.high, b.high) : std::min(a.high, b.high);
    return result;
  }
  case 14:
    if (info.isSigned) {
      bool isAbs = random.chance(50);
      result.text = isAbs ? "tl.abs(" + a.text + ")" : "-" + a.get();
      result.isAtom = isAbs;
      Wide most = std::max(a.high, -a.low);
      result.low = isAbs ? Wide(0) : -a.high;
      result.high = isAbs ? most : -a.low;
      settle(result);
      return result;
    }
    [[fallthrough]];
  default:
    result.text = "~" + a.get();
    result.low = info.isSigned ? -a.high - 1 : greatestOf(a.elem) - a.high;
    result.high = info.isSigned ? -a.low - 1 : greatestOf(a.elem) - a.low;
    return result;
  }
}

Value Generator::boolOperation(const Value &a, unsigned depth) {
  Value result = a;
  result.isAtom = false;
  if (random.chance(20)) {
    result.text = "~" + a.get();
    return result;
  }
  Value b = random.chance(50) ? mask(a.shape) : broadcastable(a, depth);
  result.text = a.get() + random.pick({" & ", " | ", " ^ "}) + b.get();
  return result;
}

//===--- Floats --------------------------------------------------------------===//

/// What a rounded sum or product of these is.
static void settleFloat(Value &value) {
  const ElemInfo &info = getInfo(value.elem);
  if (value.exactness == Exactness::Whole && value.magnitude > info.exact)
    value.exactness = Exactness::Bits;
  if (value.magnitude > info.largest / 2) {
    value.special = true;
    value.magnitude = info.largest;
  }
}

Value Generator::floatOperation(const Value &first, unsigned depth) {
  Value a = isFp8(first.elem) ? cast(first, random.pick({Elem::F16, Elem::F32})) : first;
  Elem elem = a.elem;
  bool isWide = elem == Elem::F32 || elem == Elem::F64;
  Value result = a;
  result.isAtom = false;
  int64_t choice = random.below(14);
  if (choice < 7) {
    Value b = broadcastable(a, depth);
    bool isProduct = choice >= 4;
    double exact = getInfo(elem).exact;
    if (a.exactness == Exactness::Whole && b.exactness == Exactness::Whole) {
      double bound = isProduct ? std::floor(std::sqrt(exact)) : exact / 2;
      for (Value *value : {&a, &b})
        if (value->magnitude > bound)
          *value = fit(*value, bound);
    }
    // A product's sum may contract.
    if (!isProduct && (a.product || b.product))
      return compare(a, b);
    result = a;
    join(result, b);
    result.isAtom = false;
    result.text = a.get() + (isProduct ? " * " : random.pick({" + ", " - "})) + b.get();
    result.magnitude = isProduct ? a.magnitude * b.magnitude : a.magnitude + b.magnitude;
    result.product = isProduct && result.exactness == Exactness::Bits;
    settleFloat(result);
    return result;
  }
  switch (choice) {
  case 7:
  case 8:
  case 9: { // Of bf16 the result is fp32 [R5].
    Value b = broadcastable(a, depth);
    join(result, b);
    result.isAtom = true;
    std::string nan =
        has(Feature::Special) && random.chance(30) ? ", propagate_nan=tl.PropagateNan.ALL" : "";
    result.text = std::string(random.pick({"tl.maximum(", "tl.minimum("})) + a.text + ", " +
                  b.text + nan + ")";
    if (elem == Elem::BF16)
      result.elem = Elem::F32;
    return result;
  }
  case 10: {
    bool isAbs = random.chance(50);
    result.text = isAbs ? "tl.abs(" + a.text + ")" : "-" + a.get();
    result.isAtom = isAbs;
    return result;
  }
  case 11:
    if (isWide) {
      result.text = std::string(random.pick({"tl.floor(", "tl.ceil("})) + a.text + ")";
      result.isAtom = true;
      result.magnitude += 1;
      settleFloat(result);
      return result;
    }
    [[fallthrough]];
  case 12:
    if (elem == Elem::F32) {
      Value b = broadcastable(a, depth);
      join(result, b);
      bool isRoot = random.chance(40);
      result.text = isRoot ? "tl.sqrt_rn(tl.abs(" + a.text + "))"
                           : "tl.div_rn(" + a.text + ", " + b.text + ")";
      result.isAtom = true;
      result.exactness = Exactness::Bits;
      result.product = false;
      result.special |= !isRoot;
      result.magnitude = isRoot ? a.magnitude + 1 : getInfo(elem).largest;
      return result;
    }
    [[fallthrough]];
  default: {
    if (has(Feature::Special) && random.chance(60))
      return addSpecials(a);
    result.text = "tl.where(" + a.get() + " == 0.0, 2.0, " + a.get() + ")";
    result.isAtom = true;
    result.magnitude = std::max(result.magnitude, 2.0);
    return result;
  }
  }
}

Value Generator::addSpecials(const Value &a) {
  Value result = a;
  result.text = "tl.where(" + mask(a.shape).text + ", float(\"" +
                random.pick({"nan", "inf", "-inf"}) + "\"), " + a.text + ")";
  result.isAtom = true;
  result.special = true;
  if (result.exactness == Exactness::Whole)
    result.exactness = Exactness::Bits;
  return result;
}

Value Generator::mathOperation(const Value &first, unsigned depth) {
  Value a = first.elem == Elem::F64 ? first : cast(first, Elem::F32);
  if (a.exactness == Exactness::Approx && a.magnitude > 8) {
    // Not by a comparison, which a small error turns round.
    a.text = "tl.clamp(" + a.text + ", -8.0, 8.0)";
    a.isAtom = true;
    a.magnitude = 8;
  } else if (a.special || a.magnitude > 8) {
    a = fit(a, 8);
  }
  double rounding = 8 * getInfo(a.elem).epsilon;
  Value result = a;
  result.isAtom = true;
  result.exactness = Exactness::Approx;
  result.product = false;
  result.error = a.error + rounding * std::max(1.0, a.magnitude);
  switch (random.below(12)) {
  case 0:
    result.text = "tl.sin(" + a.text + ")";
    break;
  case 1:
    result.text = "tl.cos(" + a.text + ")";
    break;
  case 2:
    result.text = "tl.exp(-tl.abs(" + a.text + "))";
    break;
  case 3:
    result.text = "tl.exp2(-tl.abs(" + a.text + "))";
    break;
  case 4:
    result.text = "tl.log(tl.abs(" + a.text + ") + 1.0)";
    break;
  case 5:
    result.text = "tl.sigmoid(" + a.text + ")";
    break;
  case 6:
    result.text = "tl.erf(" + a.text + ")";
    break;
  case 7:
    result.text = "tl.sqrt(tl.abs(" + a.text + ") + 1.0)";
    return result;
  case 8:
    result.text = "tl.rsqrt(tl.abs(" + a.text + ") + 1.0)";
    break;
  default: { // With another number: any sum, product or quotient.
    Value b = similar(a.shape, a.elem, depth);
    if (b.special || b.magnitude > 8)
      b = fit(b, 8);
    switch (random.below(3)) {
    case 0:
      result.text = a.get() + " + " + b.get();
      result.magnitude = a.magnitude + b.magnitude;
      break;
    case 1:
      result.text = a.get() + " * " + b.get();
      result.magnitude = a.magnitude * b.magnitude;
      break;
    default:
      result.text = a.get() + " / (tl.abs(" + b.text + ") + 1.0)";
      break;
    }
    result.isAtom = false;
    result.error = std::max(1.0, b.magnitude) * (a.error + rounding * std::max(1.0, a.magnitude));
    return result;
  }
  }
  result.magnitude = std::max(1.0, std::log(a.magnitude + 2));
  return result;
}

//===--- Any type ------------------------------------------------------------===//

Value Generator::compare(const Value &a, const Value &b) {
  Value result =
      makeInt(a.get() + " " + random.pick({"<", "<=", ">", ">=", "==", "!="}) + " " + b.get(),
              a.shape, Elem::I1, 0, 1);
  result.isAtom = false;
  return result;
}

Value Generator::select(const Value &condition, const Value &a, const Value &b) {
  Value result = a;
  join(result, b);
  result.text = "tl.where(" + condition.text + ", " + a.text + ", " + b.text + ")";
  result.isAtom = true;
  return result;
}

Value Generator::cast(Value value, Elem to) {
  Elem from = value.elem;
  if (from == to)
    return value;
  bool isVague = isFloat(from) && value.exactness == Exactness::Approx;
  if (isVague && (!isFloat(to) || isFp8(to)))
    return value.elem == Elem::F32 ? value : cast(value, Elem::F32);
  const ElemInfo &info = getInfo(to);
  std::string options;
  Value result = value;
  // Between integers and 8-bit floats there is a step.
  if (isFp8(to) && from != Elem::F16 && from != Elem::F32 && from != Elem::BF16)
    value = result = cast(value, Elem::F32);
  if (isFp8(from) && !isFloat(to))
    value = result = cast(value, Elem::F32);
  if (!isFloat(value.elem) && isFloat(to)) {
    double most = std::max(double(value.high), -double(value.low));
    result.exactness = Exactness::Whole;
    result.magnitude = most;
    result.special = result.product = false;
    result.error = 0;
    if (most > info.exact)
      result.exactness = Exactness::Bits;
    if (most > info.largest) {
      result.special = true;
      result.magnitude = info.largest;
    }
  } else if (isFloat(value.elem) && isFloat(to)) {
    if (info.bits < getInfo(value.elem).bits && random.chance(10) && !isVague)
      options = ", fp_downcast_rounding=\"rtz\"";
    if (result.exactness == Exactness::Whole && result.magnitude > info.exact)
      result.exactness = Exactness::Bits;
    result.error += isVague ? result.magnitude * info.epsilon : 0;
    if (result.magnitude > info.largest) {
      result.special = true;
      result.magnitude = info.largest;
    }
  } else if (isFloat(value.elem) && to != Elem::I1) {
    double most = std::min(double(greatestOf(to)), 1e6);
    if (value.special || value.magnitude > most)
      value = fit(value, std::min(most, getInfo(value.elem).exact));
    if (!info.isSigned)
      value.text = "tl.abs(" + value.text + ")", value.isAtom = true;
    result = value;
    result.high = Wide(value.magnitude);
    result.low = info.isSigned ? -result.high : Wide(0);
  } else if (to == Elem::I1) {
    result.low = 0;
    result.high = 1;
  } else if (random.chance(10) && getInfo(value.elem).bits == info.bits) {
    options = ", bitcast=True";
  }
  result.elem = to;
  if (!isFloat(to) && to != Elem::I1 && !isFloat(value.elem)) {
    settle(result);
  }
  result.text = value.get() + ".to(tl." + info.tlName + options + ")";
  if (value.isAtom && random.chance(15) && options.empty())
    result.text = "tl.cast(" + value.text + ", tl." + info.tlName + ")";
  result.isAtom = true;
  return result;
}

Value Generator::elementwise(const Value &a, unsigned depth) {
  bool isVague = isFloat(a.elem) && a.exactness == Exactness::Approx;
  if (isVague || (isFloat(a.elem) && has(Feature::Math) && random.chance(15)))
    return mathOperation(a, depth);
  if (has(Feature::Casts) && random.chance(18))
    return cast(a, anyElem());
  if (random.chance(10) && !isFp8(a.elem) && a.elem != Elem::I1)
    return compare(a, broadcastable(a, depth));
  if (random.chance(12) && !isFp8(a.elem)) {
    Value condition = random.chance(70) ? mask(a.shape) : scalarCondition();
    return select(condition, a, broadcastable(a, depth));
  }
  if (a.elem == Elem::I1)
    return boolOperation(a, depth);
  return isFloat(a.elem) ? floatOperation(a, depth) : intOperation(a, depth);
}

} // namespace tilec::fuzz
