// Arithmetic that rounds towards zero, down or up.
#ifndef TILEC_LIB_SUPPORT_DIRECTEDROUNDING_H
#define TILEC_LIB_SUPPORT_DIRECTEDROUNDING_H

namespace tilec {

enum class Rounding : unsigned char { TowardZero, Down, Up };
enum class RoundedOp : unsigned char { Add, Mul, Div, Fma, Rcp, Sqrt };

/// One operation, rounded once as asked; operands beyond those that it has are ignored.
float roundedArithmetic(RoundedOp op, Rounding mode, float a, float b = 0, float c = 0);
double roundedArithmetic(RoundedOp op, Rounding mode, double a, double b = 0, double c = 0);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_DIRECTEDROUNDING_H
