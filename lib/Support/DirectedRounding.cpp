// Arithmetic that rounds towards zero, down or up: the processor does it.
#include "lib/Support/DirectedRounding.h"

#include <cfenv>
#include <cmath>

namespace tilec {

/// The operands and the result are volatile, so that nothing is computed in another mode.
template <typename T>
static T compute(RoundedOp op, Rounding mode, volatile T a, volatile T b, volatile T c) {
  int saved = std::fegetround();
  std::fesetround(mode == Rounding::TowardZero ? FE_TOWARDZERO
                  : mode == Rounding::Down     ? FE_DOWNWARD
                                               : FE_UPWARD);
  volatile T result = 0;
  switch (op) {
  case RoundedOp::Add:
    result = a + b;
    break;
  case RoundedOp::Mul:
    result = a * b;
    break;
  case RoundedOp::Div:
    result = a / b;
    break;
  case RoundedOp::Fma:
    result = std::fma(T(a), T(b), T(c));
    break;
  case RoundedOp::Rcp:
    result = 1 / a;
    break;
  case RoundedOp::Sqrt:
    result = std::sqrt(T(a));
    break;
  }
  std::fesetround(saved);
  return result;
}

float roundedArithmetic(RoundedOp op, Rounding mode, float a, float b, float c) {
  return compute(op, mode, a, b, c);
}

double roundedArithmetic(RoundedOp op, Rounding mode, double a, double b, double c) {
  return compute(op, mode, a, b, c);
}

} // namespace tilec
