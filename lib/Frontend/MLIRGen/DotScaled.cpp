// Products of microscaling formats: tl.dot_scaled, by conversion to bf16 or fp16 and an ordinary
// product, as Triton does it where the hardware has no such product [R24].
#include "lib/Frontend/MLIRGen/Dot.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

namespace {
enum class Format : uint8_t { E2M1, E4M3, E5M2, BF16, FP16 };

/// One side of the product as it was given.
struct Operand {
  Value value, scale; ///< The scale is poison if there is none.
  Format format;
  /// Whether two e2m1 that lie side by side along the sum share a byte.
  bool isPackedAlongK = true;
  SourceRange range, scaleRange;
  llvm::StringRef side;
};
} // namespace

static std::optional<Format> readFormat(Generator &g, const CallArgs &args, unsigned index) {
  std::optional<std::string> name = g.getConstString(args, index);
  if (!name)
    return std::nullopt;
  auto format = llvm::StringSwitch<std::optional<Format>>(*name)
                    .Case("e2m1", Format::E2M1)
                    .Case("e4m3", Format::E4M3)
                    .Case("e5m2", Format::E5M2)
                    .Case("bf16", Format::BF16)
                    .Case("fp16", Format::FP16)
                    .Default(std::nullopt);
  if (!format)
    g.error(args.ranges[index]) << "unknown format '" << *name
                                << "'; known are 'e2m1', 'e4m3', 'e5m2', 'bf16' and 'fp16'";
  return format;
}

/// The type of a format's elements, and the integer that may stand for it.
static std::pair<DType, DType> typesOf(Format format) {
  switch (format) {
  case Format::E2M1:
    return {Scalar::U8, Scalar::U8};
  case Format::E4M3:
    return {Scalar::FP8E4NV, Scalar::U8};
  case Format::E5M2:
    return {Scalar::FP8E5, Scalar::U8};
  case Format::BF16:
    return {Scalar::BF16, Scalar::U16};
  case Format::FP16:
    return {Scalar::FP16, Scalar::U16};
  }
  llvm_unreachable("bad format");
}

/// Reads a side from the arguments `first`, scale and format after it, and the flag `pack`.
static std::optional<Operand> readOperand(Generator &g, const CallArgs &args, unsigned first,
                                          unsigned pack, llvm::StringRef side) {
  Operand operand;
  operand.side = side;
  operand.range = args.ranges[first];
  operand.scaleRange = args.ranges[first + 1];
  const Value &value = args[first];
  std::optional<Format> format = readFormat(g, args, first + 2);
  std::optional<bool> alongK = g.getConstBool(args, pack, true);
  if (!format || !alongK || value.isPoison())
    return std::nullopt;
  size_t rank = value.getType().shape.size();
  if (!value.isTensor() || rank < 2 || rank > 3) {
    g.error(operand.range) << "'tl.dot_scaled' multiplies tensors of rank 2 or 3, not "
                           << value.describe();
    return std::nullopt;
  }
  auto [type, bits] = typesOf(*format);
  if (value.getDType() != type && value.getDType() != bits) {
    ErrorBuilder report = g.error(operand.range);
    report << "the " << side << " of format " << args[first + 2].toPython(true) << " must be ";
    if (type != bits)
      report << type << " or ";
    report << bits << ", not " << value.describe();
    return std::nullopt;
  }
  if (!*alongK && *format != Format::E2M1) {
    g.error(args.ranges[pack]) << "only the format 'e2m1' is packed, not "
                               << args[first + 2].toPython(true);
    return std::nullopt;
  }
  operand.value = g.bitcast(value, type, operand.range);
  operand.format = *format;
  operand.isPackedAlongK = *alongK;
  if (!args.has(first + 1))
    return operand;
  operand.scale = args[first + 1];
  DType scale = operand.scale.getDType();
  if (operand.scale.isPoison())
    return std::nullopt;
  if (!operand.scale.isTensor() ||
      (scale != Scalar::U8 && scale != Scalar::I8 && scale != Scalar::FP8E4NV)) {
    g.error(operand.scaleRange) << "the scale of the " << side
                                << " must be a u8 tensor of exponents, or fp8e4nv, not "
                                << operand.scale.describe();
    return std::nullopt;
  }
  return operand;
}

/// `extent` times every element of dimension `dim`.
static Value repeat(Generator &g, const Value &value, size_t dim, int64_t times) {
  llvm::SmallVector<int64_t> shape(value.getType().shape), stretched = shape;
  stretched.insert(stretched.begin() + static_cast<ptrdiff_t>(dim) + 1, times);
  shape[dim] *= times;
  Value expanded = g.expandDims(value, static_cast<int64_t>(dim) + 1);
  return g.reshape(g.broadcastTo(expanded, stretched, {}, "scale"), shape, /*allowReorder=*/false);
}

/// Two e2m1 from every byte, the first from the low bits, side by side along `dim`.
static Value unpack(Generator &g, const Value &bytes, size_t dim, DType type) {
  using ast::BinaryOp;
  auto number = [](Int value) { return Value::integer(value); };
  Int mantissa = type.getMantissaBits();
  // The exponent of 0.5, which is the only denormal of e2m1.
  Int half = (type == Scalar::FP16 ? Int(14) : Int(126)) << mantissa;
  Value wide = g.castTo(bytes, Scalar::U16, {});
  Value halves[2];
  for (int i = 0; i < 2; ++i) {
    Value nibble = i ? g.binary(BinaryOp::RShift, wide, number(4), {})
                     : g.binary(BinaryOp::BitAnd, wide, number(15), {});
    Value magnitude = g.binary(BinaryOp::BitAnd, nibble, number(7), {});
    Value normal =
        g.binary(BinaryOp::Add, g.binary(BinaryOp::LShift, magnitude, number(mantissa - 1), {}),
                 number(half), {});
    Value small = g.binary(BinaryOp::Mul, magnitude, number(half), {});
    Value isSmall = g.compare(ast::CompareOp::Lt, magnitude,
                              g.constant(Scalar::U16, number(2), magnitude.getType().shape), {});
    Value bits = Value::tensor(arith::SelectOp::create(g.builder, g.loc(), isSmall.getSSA(),
                                                       small.getSSA(), normal.getSSA()),
                               Scalar::U16);
    Value sign = g.binary(BinaryOp::LShift, g.binary(BinaryOp::BitAnd, nibble, number(8), {}),
                          number(12), {});
    halves[i] = g.bitcast(g.binary(BinaryOp::BitOr, bits, sign, {}), type, {});
  }
  llvm::SmallVector<int64_t> shape(bytes.getType().shape);
  size_t rank = shape.size();
  Value pair = g.joinLast(halves[0], halves[1]);
  // The new dimension goes behind the one that was packed.
  llvm::SmallVector<int32_t> order;
  for (size_t i = 0; i < rank; ++i) {
    order.push_back(static_cast<int32_t>(i));
    if (i == dim)
      order.push_back(static_cast<int32_t>(rank));
  }
  if (dim + 1 != rank)
    pair = g.permute(pair, order);
  shape[dim] *= 2;
  return g.reshape(pair, shape, /*allowReorder=*/false);
}

/// The elements as bf16 or fp16, not yet scaled.
static Value widen(Generator &g, const Operand &operand, size_t kDim, DType type) {
  if (operand.format != Format::E2M1)
    return g.castTo(operand.value, type, operand.range);
  size_t rank = operand.value.getType().shape.size();
  size_t other = kDim == rank - 1 ? rank - 2 : rank - 1;
  size_t dim = operand.isPackedAlongK ? kDim : other;
  llvm::SmallVector<int64_t> shape(operand.value.getType().shape);
  shape[dim] *= 2;
  return g.checkShape(shape, operand.range) ? unpack(g, operand.value, dim, type) : Value();
}

/// A power of two from its biased exponent; 255 is left to `maskNaN`.
static Value exponentToFloat(Generator &g, const Value &scale, DType type) {
  // fp16 holds few of them: through fp32, where what is too large becomes infinite.
  DType wide = type == Scalar::FP16 ? DType(Scalar::FP32) : type;
  DType bits = wide == Scalar::FP32 ? Scalar::U32 : Scalar::U16;
  Value raw = Value::tensor(scale.getSSA(), Scalar::U8);
  Value shifted = g.binary(ast::BinaryOp::LShift, g.castTo(raw, bits, {}),
                           Value::integer(Int(wide.getMantissaBits())), {});
  return g.castTo(g.bitcast(shifted, wide, {}), type, {});
}

/// Elements times their scales, one of which is for `group` elements along the sum.
static Value applyScale(Generator &g, const Operand &operand, Value value, size_t kDim,
                        int64_t group, bool isFastMath) {
  DType type = value.getDType();
  bool isRhs = kDim + 1 != value.getType().shape.size();
  Value scale = isRhs ? swapLastTwo(g, operand.scale) : operand.scale;
  bool isFloat = scale.getDType().isFloat();
  Value factor = isFloat ? g.castTo(scale, type, {}) : exponentToFloat(g, scale, type);
  Value scaled = g.binary(ast::BinaryOp::Mul, value, repeat(g, factor, kDim, group), {});
  if (isFastMath || isFloat)
    return scaled;
  // An exponent of 255 says NaN.
  Value raw = Value::tensor(scale.getSSA(), Scalar::U8);
  Value isNaN = g.compare(ast::CompareOp::Eq, raw,
                          g.constant(Scalar::U8, Value::integer(255), raw.getType().shape), {});
  Value nan = g.constant(type, Value::floating(std::nan("")), value.getType().shape);
  return Value::tensor(arith::SelectOp::create(g.builder, g.loc(),
                                               repeat(g, isNaN, kDim, group).getSSA(), nan.getSSA(),
                                               scaled.getSSA()),
                       type);
}

/// One side, converted and scaled; poison after an error.
static Value convert(Generator &g, const Operand &operand, size_t kDim, DType type,
                     bool isFastMath) {
  Value value = widen(g, operand, kDim, type);
  if (value.isPoison() || operand.scale.isPoison())
    return value;
  // One scale for 32 elements, or 16 if it is a float; that of the rhs is not transposed.
  int64_t group = operand.scale.getDType().isFloat() ? 16 : 32;
  llvm::SmallVector<int64_t> expected(value.getType().shape);
  size_t rank = expected.size();
  if (kDim + 1 != rank)
    std::swap(expected[rank - 1], expected[rank - 2]);
  expected.back() /= group;
  if (operand.scale.getType().shape != llvm::ArrayRef<int64_t>(expected))
    return g.error(operand.scaleRange)
           << "the scale of the " << operand.side << " must have the shape "
           << shapeToString(expected) << ", one for " << group << " elements along the sum, not "
           << operand.scale.describe();
  return applyScale(g, operand, value, kDim, group, isFastMath);
}

Value emitDotScaled(Generator &g, const CallArgs &args) {
  std::optional<Operand> lhs = readOperand(g, args, 0, 8, "lhs");
  std::optional<Operand> rhs = readOperand(g, args, 3, 9, "rhs");
  std::optional<bool> isFastMath = g.getConstBool(args, 7, false);
  if (!lhs || !rhs || !isFastMath)
    return Value();
  if (args.has(10)) {
    std::optional<DType> type = g.getDType(args, 10);
    if (!type)
      return Value();
    if (*type != DType(Scalar::FP32))
      return g.error(args.ranges[10]) << "'tl.dot_scaled' sums in fp32, not in " << *type;
  }
  size_t lhsRank = lhs->value.getType().shape.size(), rhsRank = rhs->value.getType().shape.size();
  bool isHalf = lhs->format == Format::FP16 || rhs->format == Format::FP16;
  DType type = isHalf ? Scalar::FP16 : Scalar::BF16;
  Value left = convert(g, *lhs, lhsRank - 1, type, *isFastMath);
  Value right = convert(g, *rhs, rhsRank - 2, type, *isFastMath);
  if (left.isPoison() || right.isPoison() ||
      !checkDotShapes(g, left, right, args.range, /*minK=*/16))
    return Value();
  Value acc;
  if (args.has(6)) {
    acc = g.getTensor(args, 6);
    if (acc.isPoison() || !checkAccumulator(g, acc, left, right, Scalar::FP32, args.ranges[6]))
      return Value();
  }
  return createDot(g, left, right, acc, Scalar::FP32, tile::InputPrecision::tf32);
}

} // namespace tilec::frontend
