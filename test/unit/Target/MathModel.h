// Runs expanded math functions on the host and measures their errors against higher precision.
#ifndef TILEC_TEST_UNIT_TARGET_MATHMODEL_H
#define TILEC_TEST_UNIT_TARGET_MATHMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilec::test {

/// A function that the pass expands, and what is known about it.
struct MathFunction {
  const char *name;
  /// The operation: "math.exp", or a body that computes %r from %x, both of type $T.
  const char *op;
  long double (*reference)(long double);
  double (*referenceDouble)(double);
  /// The bounds that docs/math.md states, in ulp: with hardware approximations that are rounded
  /// correctly, and with ones that are as far off as the PTX manual allows. Zero: not offered.
  double boundF32;
  double boundF32Hardware;
  double boundF64;
  /// The errors are stated for |x| up to this.
  double limitF32;
  double limitF64;
  /// References that iterate are asked for one argument in so many of the others'.
  unsigned sparseness = 1;
  /// What is closer than this is good too, whatever it is in ulp: for functions with zeros.
  double absoluteF64 = 0;
  /// And |x| is at least this.
  double absoluteFrom = 0;
};

llvm::ArrayRef<MathFunction> allMathFunctions();

/// One expanded function, compiled for the host. `tilegpu.approx` and `tilegpu.div_full` call
/// models that round correctly, or, with `setPerturbation`, are off by so many units more.
class HostFunction {
public:
  /// Ends the test with a message when something fails.
  HostFunction(const char *op, bool isDouble);
  ~HostFunction();

  float operator()(float x) const { return f32(x); }
  double operator()(double x) const { return f64(x); }

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  float (*f32)(float) = nullptr;
  double (*f64)(double) = nullptr;
};

/// -1, 0 or 1: how far the models are off, in units of the hardware's largest error.
void setPerturbation(int direction);

struct Error {
  double ulps = 0;
  double argument = 0;
  double got = 0;
  double expected = 0;
};

/// The largest error over all floats whose bits are multiples of `stride`, NaN and infinities
/// included; a NaN for a number, or the other way about, counts as infinitely wrong.
Error sweepF32(const HostFunction &function, const MathFunction &about, uint32_t stride);

/// The same for `count` doubles spread over all exponents.
Error sweepF64(const HostFunction &function, const MathFunction &about, uint64_t count);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_TARGET_MATHMODEL_H
