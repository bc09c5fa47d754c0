// Matrix products of one element type: tl.dot [R21-R24].
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Dot.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

/// Smallest inner extent by the width of an element [R24].
static int64_t getMinK(DType type) { return type.getBits() == 8 ? 32 : 16; }

Value swapLastTwo(Generator &g, const Value &value) {
  size_t rank = value.getType().shape.size();
  auto order = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(rank)));
  std::swap(order[rank - 1], order[rank - 2]);
  return g.permute(value, order);
}

bool checkDotShapes(Generator &g, const Value &lhs, const Value &rhs, SourceRange range,
                    int64_t minK) {
  llvm::ArrayRef<int64_t> a = lhs.getType().shape, b = rhs.getType().shape;
  size_t rank = a.size();
  if (rank != b.size() || rank < 2) {
    g.error(range) << "the operands of a product must both have rank 2, or both a higher one, not "
                   << lhs.describe() << " and " << rhs.describe();
    return false;
  }
  for (size_t i = 0; i + 2 < rank; ++i)
    if (a[i] != b[i]) {
      g.error(range) << "the operands " << lhs.describe() << " and " << rhs.describe()
                     << " differ in batch dimension " << i << ": " << a[i] << " and " << b[i];
      return false;
    }
  if (a[rank - 1] != b[rank - 2]) {
    g.error(range) << "the lhs " << lhs.describe() << " has " << a[rank - 1]
                   << " columns, but the rhs " << rhs.describe() << " has " << b[rank - 2]
                   << " rows";
    return false;
  }
  if (a[rank - 1] < minK) {
    g.error(range) << "a product of " << lhs.getDType() << " and " << rhs.getDType()
                   << " sums at least " << minK << " elements, not the " << a[rank - 1] << " of "
                   << lhs.describe() << " and " << rhs.describe();
    return false;
  }
  llvm::SmallVector<int64_t> shape(a);
  shape.back() = b.back();
  return g.checkShape(shape, range);
}

Value createDot(Generator &g, Value lhs, Value rhs, Value acc, DType result,
                tile::InputPrecision precision, std::optional<int32_t> maxImprecise) {
  llvm::SmallVector<int64_t> shape(lhs.getType().shape);
  shape.back() = rhs.getType().shape.back();
  if (acc.isPoison())
    acc = g.constant(result, Value::integer(0), shape);
  // More than one batch dimension is folded into one [R24].
  auto fold = [&](const Value &value) {
    llvm::ArrayRef<int64_t> full = value.getType().shape;
    if (full.size() <= 3)
      return value;
    int64_t batch = 1;
    for (int64_t extent : full.drop_back(2))
      batch *= extent;
    return g.reshape(value, {batch, full[full.size() - 2], full.back()}, /*allowReorder=*/false);
  };
  lhs = fold(lhs);
  rhs = fold(rhs);
  acc = fold(acc);
  auto dot = tile::DotOp::create(
      g.builder, g.loc(), acc.getSSA().getType(), lhs.getSSA(), rhs.getSSA(), acc.getSSA(),
      precision, maxImprecise ? g.builder.getI32IntegerAttr(*maxImprecise) : IntegerAttr());
  return g.reshape(Value::tensor(dot, result), shape, /*allowReorder=*/false);
}

bool checkAccumulator(Generator &g, const Value &acc, const Value &lhs, const Value &rhs,
                      DType result, SourceRange range) {
  llvm::SmallVector<int64_t> shape(lhs.getType().shape);
  shape.back() = rhs.getType().shape.back();
  TileType product(result, shape);
  if (acc.getType() == product)
    return true;
  g.error(range) << "the accumulator is " << acc.describe() << ", but the product of "
                 << lhs.describe() << " and " << rhs.describe() << " is " << product;
  return false;
}

/// An operand: a tensor of a type that can be multiplied [R21].
static Value readOperand(Generator &g, const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  if (value.isPoison())
    return value;
  if (!value.isTensor() || value.getType().isScalar())
    return g.error(args.ranges[index]) << "'tl.dot' multiplies tensors, not " << value.describe();
  DType type = value.getDType();
  // Triton multiplies these in fp16 too.
  if (type == Scalar::FP8E4B15)
    return g.castTo(value, Scalar::FP16, args.ranges[index]);
  if (type.isFloat() || type == Scalar::I8)
    return value;
  return g.error(args.ranges[index])
         << "'tl.dot' takes fp8, fp16, bf16, fp32, fp64 or i8, not " << value.describe();
}

/// The type in which products are summed [R21]; none after an error.
static std::optional<DType> readResultType(Generator &g, const CallArgs &args, DType operand,
                                           const Value &acc) {
  std::optional<DType> wanted;
  if (args.has(6)) {
    wanted = g.getDType(args, 6);
    if (!wanted)
      return std::nullopt;
  } else if (acc.isTensor()) {
    wanted = acc.getDType();
  }
  if (operand == Scalar::I8)
    return DType(Scalar::I32);
  if (wanted == DType(Scalar::BF16)) {
    g.error(args.has(6) ? args.ranges[6] : args.ranges[2])
        << "products are not summed in bf16; use fp32 or fp16 and cast the result with "
           ".to(tl.bfloat16)";
    return std::nullopt;
  }
  if (operand == Scalar::FP64)
    return operand;
  if (operand == Scalar::FP32 || operand == Scalar::BF16 || !wanted)
    return DType(Scalar::FP32);
  if (wanted == DType(Scalar::FP16) || wanted == DType(Scalar::FP32))
    return wanted;
  g.error(args.has(6) ? args.ranges[6] : args.ranges[2])
      << "products of " << operand << " are summed in fp32 or fp16, not in " << *wanted;
  return std::nullopt;
}

static std::optional<tile::InputPrecision> readPrecision(Generator &g, const CallArgs &args,
                                                         unsigned precision, unsigned allowTF32) {
  if (args.has(precision) && args.has(allowTF32)) {
    g.error(args.ranges[allowTF32])
        << "'allow_tf32' is the old spelling of 'input_precision'; give one of them";
    return std::nullopt;
  }
  if (!args.has(precision)) {
    // TF32 unless it is forbidden [R22].
    std::optional<bool> allowed =
        args.has(allowTF32) ? g.getConstBool(args, allowTF32, true) : std::optional<bool>(true);
    if (!allowed)
      return std::nullopt;
    return *allowed ? tile::InputPrecision::tf32 : tile::InputPrecision::ieee;
  }
  std::optional<std::string> name = g.getConstString(args, precision);
  if (!name)
    return std::nullopt;
  std::optional<tile::InputPrecision> result =
      tile::symbolizeInputPrecision(llvm::StringRef(*name).lower());
  if (!result)
    g.error(args.ranges[precision]) << "unknown input precision '" << *name
                                    << "'; known are 'tf32', 'tf32x3', 'ieee', 'bf16x3' and "
                                       "'bf16x6'";
  return result;
}

static Value emitDot(Generator &g, const CallArgs &args) {
  Value lhs = readOperand(g, args, 0), rhs = readOperand(g, args, 1);
  auto precision = readPrecision(g, args, 3, 4);
  auto transposeLhs = g.getConstBool(args, 7, false), transposeRhs = g.getConstBool(args, 8, false);
  if (lhs.isPoison() || rhs.isPoison() || !precision || !transposeLhs || !transposeRhs)
    return Value();
  DType type = lhs.getDType();
  if (type != rhs.getDType() && !(type.isFP8() && rhs.getDType().isFP8()))
    return g.error(args.range) << "the operands of 'tl.dot' must have one element type, not "
                               << lhs.describe() << " and " << rhs.describe()
                               << "; cast one of them";
  // Spellings of Triton 2.
  if (*transposeLhs && lhs.getType().shape.size() >= 2)
    lhs = swapLastTwo(g, lhs);
  if (*transposeRhs && rhs.getType().shape.size() >= 2)
    rhs = swapLastTwo(g, rhs);
  if (!checkDotShapes(g, lhs, rhs, args.range, getMinK(type)))
    return Value();
  Value acc;
  if (args.has(2)) {
    acc = args[2];
    if (acc.isPoison())
      return acc;
    if (!acc.isTensor())
      return g.error(args.ranges[2]) << "the accumulator must be a tensor, not " << acc.describe();
  }
  std::optional<DType> result = readResultType(g, args, type, acc);
  if (!result || (acc.isTensor() && !checkAccumulator(g, acc, lhs, rhs, *result, args.ranges[2])))
    return Value();
  std::optional<int32_t> maxImprecise;
  if (args.has(5)) {
    // [R23]
    std::optional<Int> given = g.getConstInt(args, 5);
    if (!given)
      return Value();
    int64_t k = lhs.getType().shape.back();
    if (*given < 0 || *given > INT32_MAX || (type.isFP8() && *given > k))
      return g.error(args.ranges[5])
             << "'max_num_imprecise_acc' must be 0 to " << k << ", the elements that "
             << lhs.describe() << " and " << rhs.describe() << " are summed over, not "
             << intToString(*given);
    if (type.isFP8())
      maxImprecise = static_cast<int32_t>(*given);
  }
  return createDot(g, lhs, rhs, acc, *result, *precision, maxImprecise);
}

llvm::ArrayRef<Builtin> getDotBuiltins() {
  static constexpr Builtin table[] = {
      {"dot", "tl",
       "input other acc? input_precision? allow_tf32? max_num_imprecise_acc? out_dtype? trans_a? "
       "trans_b?",
       emitDot},
      {"dot_scaled", "tl",
       "lhs lhs_scale lhs_format rhs rhs_scale rhs_format acc? fast_math? lhs_k_pack? rhs_k_pack? "
       "out_dtype?",
       emitDotScaled},
  };
  return table;
}

} // namespace tilec::frontend
