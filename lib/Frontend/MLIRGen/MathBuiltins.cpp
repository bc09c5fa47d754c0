// Elementwise functions: math, selection, casts.
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

/// Checks that a function which exists for fp32 and fp64 only gets one of them [R31].
static bool checkFullFloat(Generator &g, const CallArgs &args, const Value &value) {
  if (value.isPoison())
    return false;
  DType type = value.getDType();
  if (type == Scalar::FP32 || type == Scalar::FP64)
    return true;
  g.error(args.ranges[0]) << "'" << args.builtin->spelling() << "' takes fp32 or fp64, not "
                          << value.describe() << "; cast it with .to(tl.float32)";
  return false;
}

static arith::FastMathFlagsAttr approximate(Generator &g) {
  return arith::FastMathFlagsAttr::get(g.context, arith::FastMathFlags::afn);
}

template <typename Op>
static Value emitUnary(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (!checkFullFloat(g, args, x))
    return Value();
  return Value::tensor(Op::create(g.builder, g.loc(), x.getSSA()), x.getDType());
}

static Value emitSqrt(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (!checkFullFloat(g, args, x))
    return Value();
  // Approximate, unlike sqrt_rn [R31].
  return Value::tensor(math::SqrtOp::create(g.builder, g.loc(), x.getSSA(), approximate(g)),
                       x.getDType());
}

static Value emitAbs(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (x.isPoison())
    return x;
  DType type = x.getDType();
  if (type.isPointer())
    return g.error(args.ranges[0]) << "'tl.abs' does not take " << x.describe();
  // All formats of 8 bits have their sign in the highest one.
  if (type.isFP8()) {
    Value bits = g.bitcast(x, Scalar::U8, args.range);
    return g.bitcast(g.binary(ast::BinaryOp::BitAnd, bits, Value::integer(0x7f), args.range), type,
                     args.range);
  }
  if (type.isFloat())
    return Value::tensor(math::AbsFOp::create(g.builder, g.loc(), x.getSSA()), type);
  if (type.isSigned())
    return Value::tensor(math::AbsIOp::create(g.builder, g.loc(), x.getSSA()), type);
  return x;
}

/// Brings three operands to one type and shape.
static bool promoteThree(Generator &g, const CallArgs &args, Value &x, Value &y, Value &z) {
  std::string what = "'" + args.builtin->spelling() + "'";
  return g.promote(x, y, args.range, what) && g.promote(z, x, args.range, what) &&
         g.promote(z, y, args.range, what) && g.promote(x, y, args.range, what);
}

static Value emitFma(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0), y = g.getTensor(args, 1), z = g.getTensor(args, 2);
  if (!promoteThree(g, args, x, y, z))
    return Value();
  if (!x.getDType().isFloat())
    return g.error(args.range) << "'tl.fma' takes floats, not " << x.describe();
  return Value::tensor(math::FmaOp::create(g.builder, g.loc(), x.getSSA(), y.getSSA(), z.getSSA()),
                       x.getDType());
}

/// `1 / (1 + exp(-x))`.
static Value emitSigmoid(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (!checkFullFloat(g, args, x))
    return Value();
  Value negated = g.unary(ast::UnaryOp::Minus, x, args.range);
  Value power =
      Value::tensor(math::ExpOp::create(g.builder, g.loc(), negated.getSSA()), x.getDType());
  Value sum = g.binary(ast::BinaryOp::Add, Value::integer(1), power, args.range);
  return g.binary(ast::BinaryOp::Div, Value::integer(1), sum, args.range);
}

/// Exact division; both operands become fp32 or fp64 [R31].
static Value emitDivRn(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0), y = g.getTensor(args, 1);
  if (!checkFullFloat(g, args, x) ||
      !g.promote(x, y, args.range, "'" + args.builtin->spelling() + "'"))
    return Value();
  return Value::tensor(arith::DivFOp::create(g.builder, g.loc(), x.getSSA(), y.getSSA()),
                       x.getDType());
}

static Value emitFdiv(Generator &g, const CallArgs &args) {
  std::optional<bool> ieee = g.getConstBool(args, 2, false);
  Value x = args[0], y = args[1];
  for (unsigned i : {0u, 1u})
    if (args[i].isTensor() && !args[i].getDType().isFloat())
      return g.error(args.ranges[i])
             << "'" << args.builtin->spelling() << "' takes floats, not " << args[i].describe();
  if (!ieee)
    return Value();
  if (*ieee && (x.isTensor() || y.isTensor())) {
    if (!g.promote(x, y, args.range, "'tl.fdiv'"))
      return Value();
    return Value::tensor(arith::DivFOp::create(g.builder, g.loc(), x.getSSA(), y.getSSA()),
                         x.getDType());
  }
  return g.binary(ast::BinaryOp::Div, x, y, args.range);
}

/// maximum, minimum: literals are strong, bf16 becomes fp32, NaN is ignored by default [R5, R27].
Value emitExtremum(Generator &g, Value x, Value y, bool isMax, bool propagateNaN,
                   SourceRange range) {
  x = g.toTensor(x, range);
  y = g.toTensor(y, range);
  if (x.isPoison() || y.isPoison())
    return Value();
  for (Value *value : {&x, &y})
    if (value->getDType() == Scalar::BF16)
      *value = g.castTo(*value, Scalar::FP32, range);
  if (!g.promote(x, y, range, isMax ? "'tl.maximum'" : "'tl.minimum'"))
    return Value();
  DType type = x.getDType();
  mlir::Value a = x.getSSA(), b = y.getSSA(), result;
  OpBuilder &builder = g.builder;
  if (type.isFloat() && propagateNaN)
    result = isMax ? arith::MaximumFOp::create(builder, g.loc(), a, b).getResult()
                   : arith::MinimumFOp::create(builder, g.loc(), a, b).getResult();
  else if (type.isFloat())
    result = isMax ? arith::MaxNumFOp::create(builder, g.loc(), a, b).getResult()
                   : arith::MinNumFOp::create(builder, g.loc(), a, b).getResult();
  else if (type.isSigned())
    result = isMax ? arith::MaxSIOp::create(builder, g.loc(), a, b).getResult()
                   : arith::MinSIOp::create(builder, g.loc(), a, b).getResult();
  else
    result = isMax ? arith::MaxUIOp::create(builder, g.loc(), a, b).getResult()
                   : arith::MinUIOp::create(builder, g.loc(), a, b).getResult();
  return Value::tensor(result, type);
}

/// Whether the argument asks for NaN to be kept; none after an error.
static std::optional<bool> readPropagateNaN(Generator &g, const CallArgs &args, unsigned index) {
  if (!args.given[index] || args[index].isNone())
    return false;
  if (args[index].isString() && args[index].getText().starts_with("tl.PropagateNan."))
    return args[index].getText().ends_with("ALL");
  if (!args[index].isPoison())
    g.error(args.ranges[index]) << "'propagate_nan' must be tl.PropagateNan.ALL or "
                                   "tl.PropagateNan.NONE, not "
                                << args[index].describe();
  return std::nullopt;
}

template <bool IsMax>
static Value emitMaximum(Generator &g, const CallArgs &args) {
  std::optional<bool> propagate = readPropagateNaN(g, args, 2);
  if (!propagate)
    return Value();
  return emitExtremum(g, args[0], args[1], IsMax, *propagate, args.range);
}

static Value emitClamp(Generator &g, const CallArgs &args) {
  std::optional<bool> propagate = readPropagateNaN(g, args, 3);
  Value x = g.getTensor(args, 0), low = g.getTensor(args, 1), high = g.getTensor(args, 2);
  if (!propagate || x.isPoison() || low.isPoison() || high.isPoison())
    return Value();
  for (Value *value : {&x, &low, &high})
    if (value->getDType() == Scalar::BF16)
      *value = g.castTo(*value, Scalar::FP32, args.range);
  if (!g.promote(low, high, args.range, "'tl.clamp'") ||
      !g.promote(x, low, args.range, "'tl.clamp'") || !g.promote(x, high, args.range, "'tl.clamp'"))
    return Value();
  if (!x.getDType().isFloat())
    return g.error(args.ranges[0]) << "'tl.clamp' takes floats, not " << x.describe();
  // min(max(x, low), high) [R27].
  Value raised = emitExtremum(g, x, low, /*isMax=*/true, *propagate, args.range);
  return emitExtremum(g, raised, high, /*isMax=*/false, *propagate, args.range);
}

static Value emitWhere(Generator &g, const CallArgs &args) {
  Value condition = g.getTensor(args, 0);
  if (condition.isPoison())
    return condition;
  condition = g.castTo(condition, Scalar::I1, args.ranges[0]);
  Value x = args[1], y = args[2];
  // fp8 is moved here, not promoted as an operand.
  auto isFP8 = [](const Value &v) { return v.isTensor() && v.getDType().isFP8(); };
  bool isMoved = isFP8(x) ? y.isNumber() || (isFP8(y) && x.getDType() == y.getDType())
                          : isFP8(y) && x.isNumber();
  if (isMoved) {
    DType type = (isFP8(x) ? x : y).getDType();
    for (Value *v : {&x, &y})
      if (v->isNumber())
        *v = Value::tensor(g.constant(type, *v, {}).getSSA(), type);
    if (!g.broadcastPair(condition, x, args.range) || !g.broadcastPair(x, y, args.range) ||
        !g.broadcastPair(condition, x, args.range))
      return Value();
    return Value::tensor(
        arith::SelectOp::create(g.builder, g.loc(), condition.getSSA(), x.getSSA(), y.getSSA()),
        type);
  }
  // Literals are weak here, unlike in maximum [R5].
  if (!g.promote(x, y, args.range, "'tl.where'", {/*allowPointers=*/true}) ||
      !g.broadcastPair(condition, x, args.range) || !g.broadcastPair(x, y, args.range))
    return Value();
  return Value::tensor(
      arith::SelectOp::create(g.builder, g.loc(), condition.getSSA(), x.getSSA(), y.getSSA()),
      x.getDType());
}

static Value emitCast(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  std::optional<DType> type = g.getDType(args, 1);
  std::optional<std::string> rounding = g.getConstString(args, 2);
  std::optional<bool> bits = g.getConstBool(args, 3, false);
  if (input.isPoison() || !type || !rounding || !bits)
    return Value();
  return *bits ? g.bitcast(input, *type, args.range)
               : g.castTo(input, *type, args.range, *rounding);
}

/// `(x + (div - 1)) // div` [R34].
static Value emitCdiv(Generator &g, const CallArgs &args) {
  Value less = g.binary(ast::BinaryOp::Sub, args[1], Value::integer(1), args.range);
  Value sum = g.binary(ast::BinaryOp::Add, args[0], less, args.range);
  return g.binary(ast::BinaryOp::FloorDiv, sum, args[1], args.range);
}

static Value emitClassify(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (!checkFullFloat(g, args, x))
    return Value();
  if (args.builtin->name == "isnan")
    return Value::tensor(arith::CmpFOp::create(g.builder, g.loc(), arith::CmpFPredicate::UNO,
                                               x.getSSA(), x.getSSA()),
                         Scalar::I1);
  Value magnitude =
      Value::tensor(math::AbsFOp::create(g.builder, g.loc(), x.getSSA()), x.getDType());
  return g.compare(ast::CompareOp::Eq, magnitude, Value::floating(HUGE_VAL), args.range);
}

/// `tl.add(x, y)` and its like: the operators by name.
static Value emitOperator(Generator &g, const CallArgs &args) {
  auto op = llvm::StringSwitch<ast::BinaryOp>(args.builtin->name)
                .Case("add", ast::BinaryOp::Add)
                .Case("sub", ast::BinaryOp::Sub)
                .Default(ast::BinaryOp::Mul);
  return g.binary(op, args[0], args[1], args.range);
}

/// The upper half of a product of integers of 32 or 64 bits: that of `tl` takes them as unsigned,
/// that of libdevice as what they are.
static Value emitMulHigh(Generator &g, const CallArgs &args) {
  Value x = args[0], y = args[1];
  if (!g.promote(x, y, args.range, "'" + args.builtin->spelling() + "'"))
    return Value();
  DType type = x.getDType();
  if (!type.isInt() || type.getBits() < 32)
    return g.error(args.range) << "'" << args.builtin->spelling()
                               << "' takes integers of 32 or 64 bits, not " << x.describe();
  bool isSigned = args.builtin->name == "mulhi" && type.isSigned();
  mlir::Value high =
      isSigned
          ? arith::MulSIExtendedOp::create(g.builder, g.loc(), x.getSSA(), y.getSSA()).getHigh()
          : arith::MulUIExtendedOp::create(g.builder, g.loc(), x.getSSA(), y.getSSA()).getHigh();
  return Value::tensor(high, type);
}

/// `x.logical_and(y)`, `x.logical_or(y)`: what `and` and `or` are for booleans [R8]. Of
/// compile-time values, one of them, as in Python.
static Value emitLogical(Generator &g, const CallArgs &args) {
  bool isAnd = args.builtin->name == "logical_and";
  if (!args[0].isTensor() && !args[1].isTensor())
    return args[0].isTruthy() == isAnd ? args[1] : args[0];
  return g.logical(isAnd ? ast::BoolOpKind::And : ast::BoolOpKind::Or, g.getTensor(args, 0),
                   g.getTensor(args, 1), args.range);
}

static Value emitToTensor(Generator &g, const CallArgs &args) { return g.getTensor(args, 0); }

llvm::ArrayRef<Builtin> getMathBuiltins() {
  static constexpr Builtin table[] = {
      {"exp", "tl", "x", emitUnary<math::ExpOp>},
      {"exp2", "tl", "x", emitUnary<math::Exp2Op>},
      {"log", "tl", "x", emitUnary<math::LogOp>},
      {"log2", "tl", "x", emitUnary<math::Log2Op>},
      {"sin", "tl", "x", emitUnary<math::SinOp>},
      {"cos", "tl", "x", emitUnary<math::CosOp>},
      {"tanh", "tl", "x", emitUnary<math::TanhOp>},
      {"erf", "tl", "x", emitUnary<math::ErfOp>},
      {"rsqrt", "tl", "x", emitUnary<math::RsqrtOp>},
      {"sqrt", "tl", "x", emitSqrt},
      {"sqrt_rn", "tl", "x", emitUnary<math::SqrtOp>},
      {"floor", "tl", "x", emitUnary<math::FloorOp>},
      {"ceil", "tl", "x", emitUnary<math::CeilOp>},
      {"abs", "tl", "x", emitAbs},
      {"fma", "tl", "x y z", emitFma},
      {"sigmoid", "tl", "x", emitSigmoid},
      {"div_rn", "tl", "x y", emitDivRn},
      {"fdiv", "tl", "x y ieee_rounding?", emitFdiv},
      {"maximum", "tl", "x y propagate_nan?", emitMaximum<true>},
      {"minimum", "tl", "x y propagate_nan?", emitMaximum<false>},
      {"clamp", "tl", "x min max propagate_nan?", emitClamp},
      {"where", "tl", "condition x y", emitWhere},
      {"cast", "tl", "input dtype fp_downcast_rounding? bitcast?", emitCast},
      {"to", "tl", "input dtype fp_downcast_rounding? bitcast?", emitCast},
      {"cdiv", "tl", "x div", emitCdiv},
      {"add", "tl", "x y sanitize_overflow?", emitOperator},
      {"sub", "tl", "x y sanitize_overflow?", emitOperator},
      {"mul", "tl", "x y sanitize_overflow?", emitOperator},
      {"umulhi", "tl", "x y", emitMulHigh},
      {"mulhi", "libdevice", "x y", emitMulHigh},
      {"logical_and", "tensor", "self other", emitLogical},
      {"logical_or", "tensor", "self other", emitLogical},
      {"to_tensor", "tl", "x", emitToTensor},
      {"isnan", "libdevice", "x", emitClassify},
      {"isinf", "libdevice", "x", emitClassify},
  };
  return table;
}

} // namespace tilec::frontend
