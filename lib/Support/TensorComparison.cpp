// How far two tensors are apart.
#include "lib/Support/HostTensor.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilec {
namespace {

/// Significant bits and the exponent of the smallest normal number.
struct Precision {
  int digits, minExponent;
};

Precision precisionOf(DType dtype) {
  switch (dtype) {
  case DType::FP16:
    return {11, -14};
  case DType::BF16:
    return {8, -126};
  case DType::FP32:
    return {24, -126};
  case DType::FP8E4NV:
    return {4, -6};
  case DType::FP8E5:
    return {3, -14};
  case DType::FP8E4B15:
    return {4, -14};
  default:
    return {53, -1022};
  }
}

/// The distance between neighbours of the type around `value`.
double ulpAt(double value, Precision precision) {
  int exponent =
      value == 0 ? precision.minExponent : std::max(std::ilogb(value), precision.minExponent);
  return std::ldexp(1.0, exponent - precision.digits + 1);
}

} // namespace

llvm::Expected<Comparison> compareTensors(const HostTensor &got, const HostTensor &want,
                                          double rtol, double atol) {
  if (got.getNumElements() != want.getNumElements())
    return llvm::createStringError("cannot compare " + got.describe() + " with " + want.describe() +
                                   ": the numbers of elements differ");
  Comparison result;
  bool isExact = !isFloat(got.dtype) && !isFloat(want.dtype) && rtol == 0 && atol == 0;
  Precision precision = precisionOf(got.dtype);
  for (int64_t i = 0, n = got.getNumElements(); i < n; ++i) {
    double a = got.getFloat(i), b = want.getFloat(i);
    if (std::isnan(a) && std::isnan(b))
      continue;
    double difference = a == b ? 0 : std::fabs(a - b);
    bool matches = false;
    if (isExact) {
      // Signed and unsigned values that share their bits differ all the same.
      bool sameSign = (a < 0) == (b < 0);
      matches = sameSign && got.getInt(i) == want.getInt(i);
      // Beyond 2^53 the difference may be lost to rounding.
      if (!matches)
        difference = std::max(difference, 1.0);
    } else if (a == b) {
      continue;
    } else if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b)) {
      difference = INFINITY;
    } else {
      matches = difference <= atol + rtol * std::fabs(b);
    }
    if (difference > result.maxAbsError) {
      result.maxAbsError = difference;
      result.worst = i;
    }
    if (b != 0 && difference != 0)
      result.maxRelError = std::max(result.maxRelError,
                                    std::isinf(difference) ? INFINITY : difference / std::fabs(b));
    if (isFloat(got.dtype) && difference != 0)
      result.maxUlps =
          std::max(result.maxUlps, std::isfinite(b) ? difference / ulpAt(b, precision) : INFINITY);
    if (matches)
      continue;
    result.equal = false;
    if (result.mismatches++ == 0) {
      result.firstMismatch = i;
      result.got = a;
      result.want = b;
    }
  }
  return result;
}

std::string Comparison::describe(llvm::ArrayRef<int64_t> shape) const {
  std::string text = llvm::formatv("max abs error {0:e2}, max rel error {1:e2}, max ulp {2:f1}",
                                   maxAbsError, maxRelError, maxUlps);
  if (equal)
    return text;
  std::string index;
  int64_t rest = firstMismatch;
  for (size_t d = shape.size(); d-- > 0;) {
    index = std::to_string(rest % shape[d]) + (index.empty() ? "" : ", " + index);
    rest /= shape[d];
  }
  char values[96];
  std::snprintf(values, sizeof(values), "got %.9g, expected %.9g", got, want);
  return llvm::formatv("{0} {1}, the first at [{2}]: {3}; {4}", mismatches,
                       mismatches == 1 ? "element differs" : "elements differ", index, values,
                       text);
}

} // namespace tilec
