// Matrix products: exact products, summed in double and rounded once.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

using namespace mlir;

namespace tilec::ref {
namespace {

using tile::InputPrecision;

/// `batch` products of an m x k and a k x n matrix.
struct Extents {
  int64_t batch = 1, m, n, k;

  explicit Extents(tile::DotOp op) {
    auto lhs = cast<RankedTensorType>(op.getLhs().getType()).getShape();
    auto result = cast<RankedTensorType>(op.getType()).getShape();
    if (result.size() == 3)
      batch = result[0];
    m = result[result.size() - 2];
    n = result.back();
    k = lhs.back();
  }
};

template <Kind K>
double decode(const uint8_t *data, int64_t i) {
  using Traits = FloatTraits<K>;
  return Traits::load(reinterpret_cast<const typename Traits::Storage *>(data)[i]);
}

/// All elements as `T`, which holds each exactly.
template <class T>
std::vector<T> readElements(const Value &value) {
  double (*read)(const uint8_t *, int64_t) = nullptr;
  switch (value.getKind()) {
  case Kind::F8E4M3:
    read = decode<Kind::F8E4M3>;
    break;
  case Kind::F8E5M2:
    read = decode<Kind::F8E5M2>;
    break;
  case Kind::F16:
    read = decode<Kind::F16>;
    break;
  case Kind::BF16:
    read = decode<Kind::BF16>;
    break;
  case Kind::F32:
    read = decode<Kind::F32>;
    break;
  default:
    read = decode<Kind::F64>;
  }
  std::vector<T> elements(static_cast<size_t>(value.getSize()));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = read(value.data(), static_cast<int64_t>(i));
  return elements;
}

/// Adds the products of all batches to `sums`.
template <class T, class Sum>
void addProducts(const Extents &extents, const std::vector<T> &lhs, const std::vector<T> &rhs,
                 std::vector<Sum> &sums) {
  for (int64_t row = 0; row < extents.batch * extents.m; ++row) {
    const T *left = lhs.data() + row * extents.k;
    const T *right = rhs.data() + row / extents.m * extents.k * extents.n;
    Sum *out = sums.data() + row * extents.n;
    for (int64_t k = 0; k < extents.k; ++k, right += extents.n)
      for (int64_t n = 0; n < extents.n; ++n)
        out[n] += Sum(left[k]) * Sum(right[n]);
  }
}

//===--- fp32 operands [R22] -----------------------------------------------===//

/// Tensor cores ignore the low 13 bits of a tf32 operand.
double truncateTF32(double value) {
  return bitCast<float>(bitCast<uint32_t>(static_cast<float>(value)) & ~uint32_t(0x1fff));
}

/// To the nearest tf32, halves away from zero.
double roundTF32(double value) {
  auto bits = bitCast<uint32_t>(static_cast<float>(value));
  bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return bitCast<float>((bits + (isFinite ? 0x1000 : 0)) & ~uint32_t(0x1fff));
}

double roundBF16(double value) { return decodeBF16(encodeBF16(value)); }

/// What an fp32 is split into: each part is what the ones before it leave, rounded.
using Parts = llvm::SmallVector<std::vector<double>, 3>;

Parts split(const std::vector<double> &elements, unsigned count, double (*round)(double)) {
  Parts parts;
  std::vector<double> rest = elements;
  for (unsigned i = 0; i < count; ++i) {
    std::vector<double> &part = parts.emplace_back(rest.size());
    for (size_t e = 0; e < rest.size(); ++e) {
      part[e] = round(rest[e]);
      rest[e] = static_cast<float>(rest[e] - part[e]);
    }
  }
  return parts;
}

/// The products of the parts by `pairs`, the largest last. An infinity leaves NaN behind in the
/// small parts, which must not spoil the result.
void addSplit(const Extents &extents, const Parts &lhs, const Parts &rhs,
              llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs, std::vector<double> &sums) {
  for (auto [left, right] : pairs)
    addProducts(extents, lhs[left], rhs[right], sums);
  for (double &sum : sums)
    sum = std::isnan(sum) ? 0 : sum;
  addProducts(extents, lhs[0], rhs[0], sums);
}

void addSingles(const Extents &extents, std::vector<double> lhs, std::vector<double> rhs,
                InputPrecision precision, std::vector<double> &sums) {
  switch (precision) {
  case InputPrecision::tf32:
    for (std::vector<double> *operand : {&lhs, &rhs})
      for (double &element : *operand)
        element = truncateTF32(element);
    [[fallthrough]];
  case InputPrecision::ieee:
    return addProducts(extents, lhs, rhs, sums);
  case InputPrecision::tf32x3:
    return addSplit(extents, split(lhs, 2, roundTF32), split(rhs, 2, roundTF32), {{1, 0}, {0, 1}},
                    sums);
  case InputPrecision::bf16x3:
    return addSplit(extents, split(lhs, 2, roundBF16), split(rhs, 2, roundBF16), {{1, 0}, {0, 1}},
                    sums);
  case InputPrecision::bf16x6:
    return addSplit(extents, split(lhs, 3, roundBF16), split(rhs, 3, roundBF16),
                    {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}}, sums);
  }
}

//===--- The operation -----------------------------------------------------===//

/// The sums plus the accumulator, rounded to its kind.
template <Kind K, class T>
void finish(const std::vector<T> &sums, const Value &acc, Value &result) {
  using Traits = FloatTraits<K>;
  auto *in = acc.dataAs<typename Traits::Storage>();
  auto *out = result.dataAs<typename Traits::Storage>();
  for (size_t i = 0; i < sums.size(); ++i)
    out[i] = Traits::store(T(Traits::load(in[i])) + sums[i]);
}

Value multiply(tile::DotOp op, const Extents &extents, const Value &lhs, const Value &rhs,
               const Value &acc) {
  Value result(acc.getKind(), acc.getSize());
  auto size = static_cast<size_t>(acc.getSize());
  if (lhs.getKind() == Kind::I8) {
    auto widen = [](const Value &value) {
      auto *data = value.dataAs<int8_t>();
      return std::vector<int32_t>(data, data + value.getSize());
    };
    // Sums wrap.
    std::vector<uint32_t> sums(acc.dataAs<uint32_t>(), acc.dataAs<uint32_t>() + size);
    addProducts(extents, widen(lhs), widen(rhs), sums);
    std::memcpy(result.data(), sums.data(), size * sizeof(uint32_t));
    return result;
  }
  if (lhs.getKind() == Kind::F64) {
    std::vector<long double> sums(size);
    addProducts(extents, readElements<double>(lhs), readElements<double>(rhs), sums);
    finish<Kind::F64>(sums, acc, result);
    return result;
  }
  std::vector<double> sums(size), left = readElements<double>(lhs),
                                  right = readElements<double>(rhs);
  if (lhs.getKind() == Kind::F32)
    addSingles(extents, std::move(left), std::move(right), op.getPrecision(), sums);
  else
    addProducts(extents, left, right, sums);
  if (acc.getKind() == Kind::F16)
    finish<Kind::F16>(sums, acc, result);
  else
    finish<Kind::F32>(sums, acc, result);
  return result;
}

/// An undefined element makes its row or its column of the result undefined.
void markUndefined(const Extents &extents, const Value &lhs, const Value &rhs, const Value &acc,
                   Value &result) {
  const UndefinedElements *first = lhs.getUndefined()   ? lhs.getUndefined()
                                   : rhs.getUndefined() ? rhs.getUndefined()
                                                        : acc.getUndefined();
  if (!first)
    return;
  std::vector<uint8_t> elements(static_cast<size_t>(result.getSize()));
  for (int64_t b = 0, i = 0; b < extents.batch; ++b) {
    std::vector<uint8_t> rows(static_cast<size_t>(extents.m)),
        columns(static_cast<size_t>(extents.n));
    for (int64_t k = 0; k < extents.k; ++k) {
      for (int64_t m = 0; m < extents.m; ++m)
        rows[m] |= lhs.isUndefined((b * extents.m + m) * extents.k + k);
      for (int64_t n = 0; n < extents.n; ++n)
        columns[n] |= rhs.isUndefined((b * extents.k + k) * extents.n + n);
    }
    for (int64_t m = 0; m < extents.m; ++m)
      for (int64_t n = 0; n < extents.n; ++n, ++i)
        elements[i] = rows[m] | columns[n] | acc.isUndefined(i);
  }
  result.setUndefined(first->origin, std::move(elements));
}

LogicalResult runDot(Program &program, const Step &step) {
  auto op = cast<tile::DotOp>(step.op);
  Extents extents(op);
  const Value &lhs = program.operand(step, 0), &rhs = program.operand(step, 1),
              &acc = program.operand(step, 2);
  Value result = multiply(op, extents, lhs, rhs, acc);
  markUndefined(extents, lhs, rhs, acc, result);
  program.result(step) = std::move(result);
  return success();
}

} // namespace

void addDotOps(OpTable &table) { table["tile.dot"] = {runDot}; }

} // namespace tilec::ref
