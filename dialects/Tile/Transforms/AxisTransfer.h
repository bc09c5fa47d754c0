// How elementwise operations change what is known along each dimension.
#ifndef TILEC_DIALECTS_TILE_TRANSFORMS_AXISTRANSFER_H
#define TILEC_DIALECTS_TILE_TRANSFORMS_AXISTRANSFER_H

#include "dialects/Tile/Transforms/AxisInfo.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

namespace tilec::tile {

/// Zero is divisible by everything; this stands for it and leaves room to multiply.
inline constexpr int64_t kMaxDivisibility = int64_t(1) << 40;

inline int64_t powerOfTwoFactor(int64_t value) {
  int shift = llvm::countr_zero(static_cast<uint64_t>(value)); // 64 for zero
  return shift >= 40 ? kMaxDivisibility : int64_t(1) << shift;
}

inline int64_t product(int64_t a, int64_t b) {
  return a >= kMaxDivisibility / b ? kMaxDivisibility : a * b;
}

/// The transfer functions of elementwise operations.
struct Transfer {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t unit = 1; // step of a contiguous run of the result

  AxisInfo start() const { return AxisInfo::unknown(shape.size()); }

  void constancyOf(AxisInfo &result, const AxisInfo &a, const AxisInfo &b) const {
    for (unsigned d = 0; d < shape.size(); ++d)
      result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }

  /// a + scale * b, where only a may be a pointer and scale is a power of two.
  AxisInfo add(const AxisInfo &a, const AxisInfo &b, int64_t scale, bool subtract) const {
    AxisInfo result = start();
    constancyOf(result, a, b);
    for (unsigned d = 0; d < shape.size(); ++d) {
      int64_t run = std::min(a.contiguity[d], b.constancy[d]);
      if (!subtract)
        run = std::max(run, std::min(b.contiguity[d], a.constancy[d]));
      result.contiguity[d] = run;
      result.divisibility[d] =
          std::min(a.divisibilityAt(d, run, unit), product(b.divisibilityAt(d, run), scale));
    }
    if (a.constant && b.constant && scale == 1)
      result.constant =
          static_cast<int64_t>(subtract ? uint64_t(*a.constant) - uint64_t(*b.constant)
                                        : uint64_t(*a.constant) + uint64_t(*b.constant));
    return result;
  }

  AxisInfo mul(const AxisInfo &a, const AxisInfo &b) const {
    if (a.constant == 1)
      return b;
    if (b.constant == 1)
      return a;
    AxisInfo result = start();
    constancyOf(result, a, b);
    for (unsigned d = 0; d < shape.size(); ++d)
      result.divisibility[d] = product(a.divisibilityAt(d, 1), b.divisibilityAt(d, 1));
    if (a.constant && b.constant)
      result.constant = static_cast<int64_t>(uint64_t(*a.constant) * uint64_t(*b.constant));
    return result;
  }

  /// `roundsDown` is false if quotients may be rounded up, as those of negative dividends are.
  AxisInfo div(const AxisInfo &a, const AxisInfo &b, bool roundsDown) const {
    if (b.constant == 1)
      return a;
    AxisInfo result = start();
    constancyOf(result, a, b);
    if (!b.constant || *b.constant <= 0)
      return result;
    int64_t by = powerOfTwoFactor(*b.constant);
    for (unsigned d = 0; d < shape.size(); ++d) {
      // Within a run whose start is a multiple of `run`, quotients by a multiple of `run` are
      // equal.
      int64_t run = std::min({a.contiguity[d], a.divisibility[d], by});
      if (roundsDown)
        result.constancy[d] = std::max(result.constancy[d], run);
      if (by == *b.constant)
        result.divisibility[d] = std::max<int64_t>(a.divisibilityAt(d, 1) / by, 1);
    }
    if (a.constant && *a.constant >= 0)
      result.constant = *a.constant / *b.constant;
    return result;
  }

  /// `roundsDown` tells of the quotients that the remainders go with.
  AxisInfo rem(const AxisInfo &a, const AxisInfo &b, bool roundsDown) const {
    AxisInfo result = start();
    constancyOf(result, a, b);
    for (unsigned d = 0; d < shape.size(); ++d) {
      int64_t by = b.divisibilityAt(d, 1);
      // Runs of `a` that start at multiples of their length never cross a multiple of b, if b is
      // equal on them.
      int64_t run =
          roundsDown ? std::min({a.contiguity[d], a.divisibility[d], by, b.constancy[d]}) : 1;
      result.contiguity[d] = run;
      result.divisibility[d] = std::min(a.divisibilityAt(d, run), by);
    }
    return result;
  }

  AxisInfo compare(const AxisInfo &a, const AxisInfo &b, bool lessThan, bool greaterThan) const {
    AxisInfo result = start();
    constancyOf(result, a, b);
    for (unsigned d = 0; d < shape.size(); ++d) {
      // x < n and x >= n: equal on a run of x that starts at a multiple of its length, if n is such
      // a multiple too.
      if (lessThan)
        result.constancy[d] = std::max(
            result.constancy[d],
            std::min({a.contiguity[d], a.divisibility[d], b.divisibilityAt(d, 1), b.constancy[d]}));
      if (greaterThan)
        result.constancy[d] = std::max(
            result.constancy[d],
            std::min({b.contiguity[d], b.divisibility[d], a.divisibilityAt(d, 1), a.constancy[d]}));
    }
    return result;
  }

  /// `condition` is null if it is a scalar.
  AxisInfo select(const AxisInfo *condition, const AxisInfo &a, const AxisInfo &b) const {
    AxisInfo result = start();
    for (unsigned d = 0; d < shape.size(); ++d) {
      int64_t equal = condition ? condition->constancy[d] : shape[d];
      int64_t run = std::min({a.contiguity[d], b.contiguity[d], equal});
      result.contiguity[d] = run;
      result.divisibility[d] =
          std::min(a.divisibilityAt(d, run, unit), b.divisibilityAt(d, run, unit));
      result.constancy[d] = std::min({a.constancy[d], b.constancy[d], equal});
    }
    return result;
  }

  /// Elementwise, otherwise unknown.
  AxisInfo opaque(llvm::ArrayRef<AxisInfo> operands) const {
    AxisInfo result = start();
    for (unsigned d = 0; d < shape.size(); ++d) {
      int64_t equal = shape[d];
      for (const AxisInfo &info : operands)
        equal = std::min(equal, info.rank() == shape.size() ? info.constancy[d] : shape[d]);
      result.constancy[d] = equal;
    }
    return result;
  }
};

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_TRANSFORMS_AXISTRANSFER_H
