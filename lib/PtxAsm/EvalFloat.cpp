// PTX instructions on floats.
#include "lib/PtxAsm/Evaluate.h"

#include "lib/Support/FloatFormats.h"

#include <cfenv>
#include <cmath>

namespace tilec::ptx {

namespace {

double flush(double value) {
  return std::fabs(value) < 0x1p-126 ? std::copysign(0.0, value) : value;
}

/// Element by element over a packed type: `function` sees `count` operands as doubles.
template <typename Function>
void forElements(const Instruction &in, Slots slots, Function function) {
  const PtxType &type = in.type();
  bool ftz = in.has("ftz") && type.bits == 32;
  uint64_t result = 0;
  for (unsigned i = 0; i < type.count; ++i) {
    double values[4] = {};
    for (size_t k = 1; k < in.operands.size() && k <= 4; ++k) {
      values[k - 1] = readFloat(in.operands[k], type, slots, i);
      if (ftz)
        values[k - 1] = flush(values[k - 1]);
    }
    double value = function(values);
    if (ftz)
      value = flush(value);
    if (in.has("sat"))
      value = std::isnan(value) ? 0 : std::fmin(std::fmax(value, 0), 1);
    if (in.has("relu") && !std::isnan(value))
      value = std::fmax(value, 0);
    result |= encode(type, value) << (i * type.bits);
  }
  writeBits(in.operands[0], result, slots);
}

/// Sets the host's rounding while it lives.
class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : before(std::fegetround()) {
    std::fesetround(rounding == Rounding::Zero   ? FE_TOWARDZERO
                    : rounding == Rounding::Down ? FE_DOWNWARD
                    : rounding == Rounding::Up   ? FE_UPWARD
                                                 : FE_TONEAREST);
  }
  ~RoundingScope() { std::fesetround(before); }

private:
  int before;
};

/// `a * b + c` or `a + b` as the type rounds it: once.
template <typename Function>
void arithmetic(const Instruction &in, Slots slots, Function function) {
  Rounding rounding = roundingOf(in);
  unsigned bits = in.type().bits;
  forElements(in, slots, [&](const double *v) -> double {
    RoundingScope scope(rounding);
    if (bits != 32)
      return function(v[0], v[1], v[2]);
    // Volatile: the compiler must not compute ahead of the change of rounding.
    volatile float a = static_cast<float>(v[0]), b = static_cast<float>(v[1]),
                   c = static_cast<float>(v[2]);
    volatile float result =
        function(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return result;
  });
}

void add(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](auto a, auto b, auto) { return a + b; });
}
void subtract(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](auto a, auto b, auto) { return a - b; });
}
void multiply(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](auto a, auto b, auto) { return a * b; });
}
void divide(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](auto a, auto b, auto) { return a / b; });
}
void fusedMultiplyAdd(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](auto a, auto b, auto c) { return std::fma(a, b, c); });
}

template <double (*Function)(double)>
void unary(const Instruction &in, Slots slots) {
  forElements(in, slots, [](const double *v) { return Function(v[0]); });
}

double reciprocal(double x) { return 1 / x; }
double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
double root(double x) { return std::sqrt(x); }
double exp2Of(double x) { return std::exp2(x); }
double log2Of(double x) { return std::log2(x); }
double sineOf(double x) { return std::sin(x); }
double cosineOf(double x) { return std::cos(x); }
double tanhOf(double x) { return std::tanh(x); }

/// Signs are bits: NaN keeps its own.
template <typename Function>
void onBits(const Instruction &in, Slots slots, Function function) {
  const PtxType &type = in.type();
  uint64_t result = 0;
  for (unsigned i = 0; i < type.count; ++i) {
    uint64_t a = maskTo(readBits(in.operands[1], type, slots) >> (i * type.bits), type.bits);
    uint64_t b = in.operands.size() > 2
                     ? maskTo(readBits(in.operands[2], type, slots) >> (i * type.bits), type.bits)
                     : 0;
    result |= function(a, b, uint64_t(1) << (type.bits - 1)) << (i * type.bits);
  }
  writeBits(in.operands[0], result, slots);
}

void negate(const Instruction &in, Slots slots) {
  onBits(in, slots, [](uint64_t a, uint64_t, uint64_t sign) { return a ^ sign; });
}
void absolute(const Instruction &in, Slots slots) {
  onBits(in, slots, [](uint64_t a, uint64_t, uint64_t sign) { return a & ~sign; });
}
void copySign(const Instruction &in, Slots slots) {
  onBits(in, slots, [](uint64_t a, uint64_t b, uint64_t sign) { return (b & ~sign) | (a & sign); });
}

template <bool IsMax>
void extremum(const Instruction &in, Slots slots) {
  bool propagate = in.has("NaN"), xorSign = in.has("xorsign");
  size_t count = in.operands.size() - 1;
  forElements(in, slots, [&](const double *v) -> double {
    double best = xorSign ? std::fabs(v[0]) : v[0];
    bool negative = std::signbit(v[0]);
    for (size_t k = 1; k < count; ++k) {
      double next = xorSign ? std::fabs(v[k]) : v[k];
      negative ^= std::signbit(v[k]);
      if (std::isnan(best) || std::isnan(next)) {
        if (propagate)
          return std::nan("");
        best = std::isnan(best) ? next : best;
        continue;
      }
      // Minus zero is below zero.
      bool less = next < best || (next == best && std::signbit(next) && !std::signbit(best));
      bool more = next > best || (next == best && !std::signbit(next) && std::signbit(best));
      if (IsMax ? more : less)
        best = next;
    }
    return xorSign && !std::isnan(best) ? std::copysign(best, negative ? -1.0 : 1.0) : best;
  });
}

constexpr llvm::StringLiteral kRounded = "rn rz rm rp ftz sat relu";
constexpr EvaluationRow kRows[] = {
    {"add", 3, 3, kRounded, add},
    {"sub", 3, 3, kRounded, subtract},
    {"mul", 3, 3, kRounded, multiply},
    {"fma", 4, 4, kRounded, fusedMultiplyAdd},
    {"mad", 4, 4, kRounded, fusedMultiplyAdd},
    {"div", 3, 3, "rn rz rm rp approx full ftz", divide},
    {"rcp", 2, 2, "rn approx ftz", unary<reciprocal>},
    {"sqrt", 2, 2, "rn approx ftz", unary<root>},
    {"rsqrt", 2, 2, "approx ftz", unary<reciprocalRoot>},
    {"ex2", 2, 2, "approx ftz", unary<exp2Of>},
    {"lg2", 2, 2, "approx ftz", unary<log2Of>},
    {"sin", 2, 2, "approx ftz", unary<sineOf>},
    {"cos", 2, 2, "approx ftz", unary<cosineOf>},
    {"tanh", 2, 2, "approx", unary<tanhOf>},
    {"neg", 2, 2, "ftz", negate},
    {"abs", 2, 2, "ftz", absolute},
    {"copysign", 3, 3, "", copySign},
    {"max", 3, 4, "ftz NaN xorsign abs", extremum<true>},
    {"min", 3, 4, "ftz NaN xorsign abs", extremum<false>},
};

} // namespace

Evaluation findFloatEvaluation(const Instruction &instruction) {
  if (instruction.types.size() != 1 || !instruction.types[0].isFloat() ||
      instruction.types[0].bits < 16)
    return nullptr;
  return findRow(kRows, instruction);
}

} // namespace tilec::ptx
