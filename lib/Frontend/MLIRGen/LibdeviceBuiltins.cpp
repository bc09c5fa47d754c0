// Functions of libdevice that are operations; the rest of them is in lib/Frontend/Prelude.
#include "lib/Frontend/MLIRGen/Generator.h"

#include "dialects/Tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilec::frontend {

/// The arguments as fp32 or fp64 of one type and shape; empty after an error [R31].
static SmallVector<Value, 4> getFloats(Generator &g, const CallArgs &args, unsigned count) {
  SmallVector<Value, 4> values;
  for (unsigned i = 0; i < count; ++i) {
    values.push_back(g.getTensor(args, i));
    if (values.back().isPoison())
      return {};
    DType type = values.back().getDType();
    if (type != Scalar::FP32 && type != Scalar::FP64) {
      ErrorBuilder error = g.error(args.ranges[i]);
      error << "'" << args.builtin->spelling() << "' takes fp32 or fp64, not "
            << values.back().describe();
      if (!type.isPointer())
        error << "; cast it with .to(tl.float32)";
      return {};
    }
  }
  // All with the first, so that it is as large as each, and then all with that.
  std::string what = "'" + args.builtin->spelling() + "'";
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 1; i < count; ++i)
      if (!g.promote(values[0], values[i], args.range, what))
        return {};
  return values;
}

template <typename Op>
static Value emitFloatOp(Generator &g, const CallArgs &args) {
  constexpr unsigned count = Op::template hasTrait<OpTrait::OneOperand>() ? 1 : 2;
  SmallVector<Value, 4> x = getFloats(g, args, count);
  if (x.empty())
    return Value();
  if constexpr (count == 1)
    return Value::tensor(Op::create(g.builder, g.loc(), x[0].getSSA()), x[0].getDType());
  else
    return Value::tensor(Op::create(g.builder, g.loc(), x[0].getSSA(), x[1].getSSA()),
                         x[0].getDType());
}

/// The hardware's approximation of a function of fp32.
template <typename Op>
static Value emitFast(Generator &g, const CallArgs &args) {
  SmallVector<Value, 4> x = getFloats(g, args, 1);
  if (x.empty())
    return Value();
  if (x[0].getDType() != Scalar::FP32)
    return g.error(args.ranges[0])
           << "'" << args.builtin->spelling() << "' takes fp32, not " << x[0].describe();
  auto flags = arith::FastMathFlagsAttr::get(g.context, arith::FastMathFlags::afn);
  return Value::tensor(Op::create(g.builder, g.loc(), x[0].getSSA(), flags), x[0].getDType());
}

/// A function of `tile.math`, by its name.
template <unsigned Count>
static Value emitNamed(Generator &g, const CallArgs &args) {
  SmallVector<Value, 4> x = getFloats(g, args, Count);
  if (x.empty())
    return Value();
  SmallVector<mlir::Value> operands;
  for (const Value &value : x)
    operands.push_back(value.getSSA());
  return Value::tensor(tile::MathFnOp::create(g.builder, g.loc(), operands[0].getType(),
                                              g.builder.getStringAttr(args.builtin->name),
                                              operands),
                       x[0].getDType());
}

static Value emitFmaRn(Generator &g, const CallArgs &args) {
  SmallVector<Value, 4> x = getFloats(g, args, 3);
  if (x.empty())
    return Value();
  return Value::tensor(
      math::FmaOp::create(g.builder, g.loc(), x[0].getSSA(), x[1].getSSA(), x[2].getSSA()),
      x[0].getDType());
}

static Value emitRcpRn(Generator &g, const CallArgs &args) {
  SmallVector<Value, 4> x = getFloats(g, args, 1);
  if (x.empty())
    return Value();
  Value one = g.constant(x[0].getDType(), Value::integer(1), x[0].getType().shape);
  return Value::tensor(arith::DivFOp::create(g.builder, g.loc(), one.getSSA(), x[0].getSSA()),
                       x[0].getDType());
}

/// The exponent is a float of the base's type or an i32.
static Value emitPow(Generator &g, const CallArgs &args) {
  Value y = g.getTensor(args, 1);
  if (y.isPoison() || !y.getDType().isInt())
    return emitFloatOp<math::PowFOp>(g, args);
  if (y.getDType() != Scalar::I32)
    return g.error(args.ranges[1])
           << "'" << args.builtin->spelling() << "' takes an exponent of fp32, fp64 or int32, not "
           << y.describe();
  SmallVector<Value, 4> x = getFloats(g, args, 1);
  if (x.empty() || !g.broadcastPair(x[0], y, args.range))
    return Value();
  return Value::tensor(math::FPowIOp::create(g.builder, g.loc(), x[0].getSSA(), y.getSSA()),
                       x[0].getDType());
}

/// Counts of bits are i32, also of 64 bits.
template <typename Op>
static Value emitCount(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (x.isPoison())
    return x;
  DType type = x.getDType();
  if (!type.isInt() || type.getBits() < 32)
    return g.error(args.ranges[0]) << "'" << args.builtin->spelling()
                                   << "' takes integers of 32 or 64 bits, not " << x.describe();
  Value count = Value::tensor(Op::create(g.builder, g.loc(), x.getSSA()), type);
  return g.castTo(count, Scalar::I32, args.range);
}

template <Scalar From, Scalar To>
static Value emitReinterpret(Generator &g, const CallArgs &args) {
  Value x = g.getTensor(args, 0);
  if (x.isPoison())
    return x;
  bool isExpected = x.getDType() == From || (DType(From).isInt() && x.getDType().isInt() &&
                                             x.getDType().getBits() == DType(From).getBits());
  if (!isExpected)
    return g.error(args.ranges[0]) << "'" << args.builtin->spelling() << "' takes " << DType(From)
                                   << ", not " << x.describe();
  return g.bitcast(x, To, args.range);
}

llvm::ArrayRef<Builtin> getLibdeviceBuiltins() {
  static constexpr Builtin table[] = {
      {"log10", "libdevice", "x", emitFloatOp<math::Log10Op>},
      {"log1p", "libdevice", "x", emitFloatOp<math::Log1pOp>},
      {"expm1", "libdevice", "x", emitFloatOp<math::ExpM1Op>},
      {"tan", "libdevice", "x", emitFloatOp<math::TanOp>},
      {"asin", "libdevice", "x", emitFloatOp<math::AsinOp>},
      {"acos", "libdevice", "x", emitFloatOp<math::AcosOp>},
      {"atan", "libdevice", "x", emitFloatOp<math::AtanOp>},
      {"atan2", "libdevice", "y x", emitFloatOp<math::Atan2Op>},
      {"sinh", "libdevice", "x", emitFloatOp<math::SinhOp>},
      {"cosh", "libdevice", "x", emitFloatOp<math::CoshOp>},
      {"asinh", "libdevice", "x", emitFloatOp<math::AsinhOp>},
      {"acosh", "libdevice", "x", emitFloatOp<math::AcoshOp>},
      {"atanh", "libdevice", "x", emitFloatOp<math::AtanhOp>},
      {"cbrt", "libdevice", "x", emitFloatOp<math::CbrtOp>},
      {"erfc", "libdevice", "x", emitFloatOp<math::ErfcOp>},
      {"trunc", "libdevice", "x", emitFloatOp<math::TruncOp>},
      {"round", "libdevice", "x", emitFloatOp<math::RoundOp>},
      {"rint", "libdevice", "x", emitFloatOp<math::RoundEvenOp>},
      {"nearbyint", "libdevice", "x", emitFloatOp<math::RoundEvenOp>},
      {"copysign", "libdevice", "x y", emitFloatOp<math::CopySignOp>},
      {"fmod", "libdevice", "x y", emitFloatOp<arith::RemFOp>},
      {"pow", "libdevice", "x y", emitPow},

      {"fast_expf", "libdevice", "x", emitFast<math::ExpOp>},
      {"fast_exp2f", "libdevice", "x", emitFast<math::Exp2Op>},
      {"fast_logf", "libdevice", "x", emitFast<math::LogOp>},
      {"fast_log2f", "libdevice", "x", emitFast<math::Log2Op>},
      {"fast_log10f", "libdevice", "x", emitFast<math::Log10Op>},
      {"fast_sinf", "libdevice", "x", emitFast<math::SinOp>},
      {"fast_cosf", "libdevice", "x", emitFast<math::CosOp>},
      {"fast_tanhf", "libdevice", "x", emitFast<math::TanhOp>},

      {"exp10", "libdevice", "x", emitNamed<1>},
      {"sinpi", "libdevice", "x", emitNamed<1>},
      {"cospi", "libdevice", "x", emitNamed<1>},
      {"rcbrt", "libdevice", "x", emitNamed<1>},
      {"erfcx", "libdevice", "x", emitNamed<1>},
      {"erfinv", "libdevice", "x", emitNamed<1>},
      {"erfcinv", "libdevice", "x", emitNamed<1>},
      {"normcdf", "libdevice", "x", emitNamed<1>},
      {"normcdfinv", "libdevice", "x", emitNamed<1>},
      {"lgamma", "libdevice", "x", emitNamed<1>},
      {"tgamma", "libdevice", "x", emitNamed<1>},
      {"j0", "libdevice", "x", emitNamed<1>},
      {"j1", "libdevice", "x", emitNamed<1>},
      {"y0", "libdevice", "x", emitNamed<1>},
      {"y1", "libdevice", "x", emitNamed<1>},
      {"cyl_bessel_i0", "libdevice", "x", emitNamed<1>},
      {"cyl_bessel_i1", "libdevice", "x", emitNamed<1>},
      {"hypot", "libdevice", "x y", emitNamed<2>},
      {"rhypot", "libdevice", "x y", emitNamed<2>},
      {"norm3d", "libdevice", "x y z", emitNamed<3>},
      {"rnorm3d", "libdevice", "x y z", emitNamed<3>},
      {"norm4d", "libdevice", "x y z w", emitNamed<4>},
      {"rnorm4d", "libdevice", "x y z w", emitNamed<4>},

      {"add_rn", "libdevice", "x y", emitFloatOp<arith::AddFOp>},
      {"add_rz", "libdevice", "x y", emitNamed<2>},
      {"add_rd", "libdevice", "x y", emitNamed<2>},
      {"add_ru", "libdevice", "x y", emitNamed<2>},
      {"sub_rn", "libdevice", "x y", emitFloatOp<arith::SubFOp>},
      {"mul_rn", "libdevice", "x y", emitFloatOp<arith::MulFOp>},
      {"mul_rz", "libdevice", "x y", emitNamed<2>},
      {"mul_rd", "libdevice", "x y", emitNamed<2>},
      {"mul_ru", "libdevice", "x y", emitNamed<2>},
      {"div_rn", "libdevice", "x y", emitFloatOp<arith::DivFOp>},
      {"div_rz", "libdevice", "x y", emitNamed<2>},
      {"div_rd", "libdevice", "x y", emitNamed<2>},
      {"div_ru", "libdevice", "x y", emitNamed<2>},
      {"fma_rn", "libdevice", "x y z", emitFmaRn},
      {"fma_rz", "libdevice", "x y z", emitNamed<3>},
      {"fma_rd", "libdevice", "x y z", emitNamed<3>},
      {"fma_ru", "libdevice", "x y z", emitNamed<3>},
      {"rcp_rn", "libdevice", "x", emitRcpRn},
      {"rcp_rz", "libdevice", "x", emitNamed<1>},
      {"rcp_rd", "libdevice", "x", emitNamed<1>},
      {"rcp_ru", "libdevice", "x", emitNamed<1>},
      {"sqrt_rn", "libdevice", "x", emitFloatOp<math::SqrtOp>},
      {"sqrt_rz", "libdevice", "x", emitNamed<1>},
      {"sqrt_rd", "libdevice", "x", emitNamed<1>},
      {"sqrt_ru", "libdevice", "x", emitNamed<1>},

      {"clz", "libdevice", "x", emitCount<math::CountLeadingZerosOp>},
      {"popc", "libdevice", "x", emitCount<math::CtPopOp>},
      {"float_as_int", "libdevice", "x", emitReinterpret<Scalar::FP32, Scalar::I32>},
      {"float_as_uint", "libdevice", "x", emitReinterpret<Scalar::FP32, Scalar::I32>},
      {"int_as_float", "libdevice", "x", emitReinterpret<Scalar::I32, Scalar::FP32>},
      {"uint_as_float", "libdevice", "x", emitReinterpret<Scalar::U32, Scalar::FP32>},
      {"double_as_longlong", "libdevice", "x", emitReinterpret<Scalar::FP64, Scalar::I64>},
      {"longlong_as_double", "libdevice", "x", emitReinterpret<Scalar::I64, Scalar::FP64>},
  };
  return table;
}

} // namespace tilec::frontend
