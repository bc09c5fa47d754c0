// The functions of `tile.math`, from their definitions in a wider type.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"
#include "lib/Support/DirectedRounding.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tilec::ref {
namespace {

/// A function of `Count` numbers, computed in the wide type.
template <class Op, unsigned Count>
struct WideMath {
  template <Kind K>
  struct On {
    static void run(uint8_t *const *outputs, const Input *inputs, size_t count) {
      using T = FloatTraits<K>;
      using W = typename T::Wide;
      auto *out = reinterpret_cast<typename T::Storage *>(outputs[0]);
      for (size_t i = 0; i < count; ++i) {
        W x[Count];
        for (unsigned n = 0; n < Count; ++n)
          x[n] = W(T::load(
              reinterpret_cast<const typename T::Storage *>(inputs[n].data)[i * inputs[n].step]));
        out[i] = T::store(Op::apply(x));
      }
    }
  };
};

template <class W>
constexpr W kPi = W(3.14159265358979323846264338327950288L);

/// e^(x^2) erfc(x) of a number of at least 2: Laplace's continued fraction.
template <class W>
W scaledTail(W x) {
  W tail = x;
  for (int k = 200; k > 0; --k)
    tail = x + W(k) / 2 / tail;
  return 1 / (tail * std::sqrt(kPi<W>));
}

/// y with erf(y) = x for x in [0, 1), where rest is 1 - x: Newton's steps from above the root.
template <class W>
W inverseErf(W x, W rest) {
  if (std::isnan(x) || rest < 0)
    return std::numeric_limits<W>::quiet_NaN();
  if (rest == 0)
    return std::numeric_limits<W>::infinity();
  W y = x < W(0.5) ? x : std::sqrt(-std::log(rest));
  for (int i = 0; i < 60; ++i) {
    W error = x < W(0.5) ? std::erf(y) - x : rest - std::erfc(y);
    W step = error * std::sqrt(kPi<W>) / 2 * std::exp(y * y);
    W next = y - step / (1 + y * step);
    if (next == y)
      break;
    y = next;
  }
  return y;
}

template <class W>
W inverseErfc(W x) {
  return x > 1 ? -inverseErf(x - 1, 2 - x) : inverseErf(1 - x, x);
}

/// The modified function of the first kind, from its power series: no terms cancel.
template <class W>
W modifiedBessel(unsigned order, W x) {
  if (std::isinf(x) || std::isnan(x))
    return order ? x : std::fabs(x);
  W sum = 0, term = order ? x / 2 : 1;
  for (unsigned k = 1; sum + term != sum; ++k) {
    sum += term;
    term *= x * x / 4 / k / (k + order);
  }
  return sum;
}

/// Of the second kind, by the C library; on negative numbers some of these are not NaN.
template <class W>
W besselY(int order, W x) {
  if (x < 0)
    return std::numeric_limits<W>::quiet_NaN();
  if (x == 0)
    return -std::numeric_limits<W>::infinity();
  if constexpr (std::is_same_v<W, long double>)
    return order ? y1l(x) : y0l(x);
  else
    return order ? ::y1(x) : ::y0(x);
}
template <class W>
W besselJ(int order, W x) {
  if constexpr (std::is_same_v<W, long double>)
    return order ? j1l(x) : j0l(x);
  else
    return order ? ::j1(x) : ::j0(x);
}

#define TILEC_FUNCTION(name, ...)                                                                  \
  struct name {                                                                                    \
    template <class W>                                                                             \
    static W apply(const W *x) {                                                                   \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  };

TILEC_FUNCTION(Exp10, return std::pow(W(10), *x);)
TILEC_FUNCTION(Sinpi, W r = std::remainder(*x, W(2));
               if (std::fabs(r) > W(0.5)) r = std::copysign(1, r) - r;
               return r == 0 ? std::copysign(r, *x) : std::sin(kPi<W> * r);)
TILEC_FUNCTION(Cospi, W r = std::fabs(std::remainder(*x, W(2)));
               // Near the zero at 1/2 the sine loses nothing.
               return r == W(0.5) ? W(0)
               : r > W(0.75)      ? -std::cos(kPi<W> * (1 - r))
               : r > W(0.25)      ? std::sin(kPi<W> * (W(0.5) - r))
                                  : std::cos(kPi<W> * r);)
TILEC_FUNCTION(Rcbrt, return 1 / std::cbrt(*x);)
TILEC_FUNCTION(Erfcx, return *x < 2 ? std::exp(*x * *x) * std::erfc(*x) : scaledTail(*x);)
TILEC_FUNCTION(Erfinv, return std::copysign(inverseErf(std::fabs(*x), 1 - std::fabs(*x)), *x);)
TILEC_FUNCTION(Erfcinv, return inverseErfc(*x);)
TILEC_FUNCTION(Normcdf, return std::erfc(-*x / std::sqrt(W(2))) / 2;)
TILEC_FUNCTION(Normcdfinv, return -std::sqrt(W(2)) * inverseErfc(2 * *x);)
TILEC_FUNCTION(Lgamma, return std::lgamma(*x);)
TILEC_FUNCTION(Tgamma, return std::tgamma(*x);)
TILEC_FUNCTION(BesselJ0, return besselJ(0, *x);)
TILEC_FUNCTION(BesselJ1, return besselJ(1, *x);)
TILEC_FUNCTION(BesselY0, return besselY(0, *x);)
TILEC_FUNCTION(BesselY1, return besselY(1, *x);)
TILEC_FUNCTION(BesselI0, return modifiedBessel(0, *x);)
TILEC_FUNCTION(BesselI1, return modifiedBessel(1, *x);)
#undef TILEC_FUNCTION

/// The length of a vector, which is infinite if an element is, whatever the others are.
template <unsigned Count>
struct Norm {
  template <class W>
  static W apply(const W *x) {
    W sum = 0;
    for (unsigned n = 0; n < Count; ++n) {
      if (std::isinf(x[n]))
        return std::numeric_limits<W>::infinity();
      sum += x[n] * x[n];
    }
    return std::sqrt(sum);
  }
};
template <unsigned Count>
struct Rnorm {
  template <class W>
  static W apply(const W *x) {
    return 1 / Norm<Count>::apply(x);
  }
};

template <RoundedOp Op, Rounding Mode, class T>
void runRounded(uint8_t *const *outputs, const Input *inputs, size_t count) {
  auto at = [&](unsigned n, size_t i) {
    return reinterpret_cast<const T *>(inputs[n].data)[i * inputs[n].step];
  };
  T *out = reinterpret_cast<T *>(outputs[0]);
  constexpr unsigned operands = Op == RoundedOp::Fma                            ? 3
                                : Op == RoundedOp::Rcp || Op == RoundedOp::Sqrt ? 1
                                                                                : 2;
  for (size_t i = 0; i < count; ++i)
    out[i] = roundedArithmetic(Op, Mode, at(0, i), operands > 1 ? at(1, i) : T(0),
                               operands > 2 ? at(2, i) : T(0));
}

/// The two loops of a function.
struct Loops {
  Kernel single, wide;
};

template <class Op, unsigned Count = 1>
Loops loopsOf() {
  using Family = WideMath<Op, Count>;
  return {Family::template On<Kind::F32>::run, Family::template On<Kind::F64>::run};
}

template <RoundedOp Op>
void addRounded(llvm::StringMap<Loops> &table, StringRef name) {
  table[(name + "_rz").str()] = {runRounded<Op, Rounding::TowardZero, float>,
                                 runRounded<Op, Rounding::TowardZero, double>};
  table[(name + "_rd").str()] = {runRounded<Op, Rounding::Down, float>,
                                 runRounded<Op, Rounding::Down, double>};
  table[(name + "_ru").str()] = {runRounded<Op, Rounding::Up, float>,
                                 runRounded<Op, Rounding::Up, double>};
}

llvm::StringMap<Loops> makeTable() {
  llvm::StringMap<Loops> table;
  table["exp10"] = loopsOf<Exp10>();
  table["sinpi"] = loopsOf<Sinpi>();
  table["cospi"] = loopsOf<Cospi>();
  table["rcbrt"] = loopsOf<Rcbrt>();
  table["erfcx"] = loopsOf<Erfcx>();
  table["erfinv"] = loopsOf<Erfinv>();
  table["erfcinv"] = loopsOf<Erfcinv>();
  table["normcdf"] = loopsOf<Normcdf>();
  table["normcdfinv"] = loopsOf<Normcdfinv>();
  table["lgamma"] = loopsOf<Lgamma>();
  table["tgamma"] = loopsOf<Tgamma>();
  table["j0"] = loopsOf<BesselJ0>();
  table["j1"] = loopsOf<BesselJ1>();
  table["y0"] = loopsOf<BesselY0>();
  table["y1"] = loopsOf<BesselY1>();
  table["cyl_bessel_i0"] = loopsOf<BesselI0>();
  table["cyl_bessel_i1"] = loopsOf<BesselI1>();
  table["hypot"] = loopsOf<Norm<2>, 2>();
  table["norm3d"] = loopsOf<Norm<3>, 3>();
  table["norm4d"] = loopsOf<Norm<4>, 4>();
  table["rhypot"] = loopsOf<Rnorm<2>, 2>();
  table["rnorm3d"] = loopsOf<Rnorm<3>, 3>();
  table["rnorm4d"] = loopsOf<Rnorm<4>, 4>();
  addRounded<RoundedOp::Add>(table, "add");
  addRounded<RoundedOp::Mul>(table, "mul");
  addRounded<RoundedOp::Div>(table, "div");
  addRounded<RoundedOp::Fma>(table, "fma");
  addRounded<RoundedOp::Rcp>(table, "rcp");
  addRounded<RoundedOp::Sqrt>(table, "sqrt");
  return table;
}

Kernel selectFunction(Operation *op) {
  static const llvm::StringMap<Loops> table = makeTable();
  Loops loops = table.lookup(cast<tile::MathFnOp>(op).getFn());
  std::optional<Kind> kind = kindOf(op->getResult(0).getType());
  return kind == Kind::F32 ? loops.single : kind == Kind::F64 ? loops.wide : nullptr;
}

} // namespace

void addLibraryOps(OpTable &table) { table["tile.math"] = {runElementwise, selectFunction}; }

} // namespace tilec::ref
