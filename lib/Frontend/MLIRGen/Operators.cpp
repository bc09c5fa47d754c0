// The operators of the language on run-time values.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"

using namespace mlir;

namespace tilec::frontend {

using ast::BinaryOp;
using ast::CompareOp;

static std::string quote(llvm::StringRef text) { return ("'" + text + "'").str(); }

/// Sums and products may contract to fma [R32].
static arith::FastMathFlagsAttr contract(Generator &g) {
  return arith::FastMathFlagsAttr::get(g.context, arith::FastMathFlags::contract);
}

/// `pointer + offset` in elements [R17].
static Value addPointer(Generator &g, const Value &pointer, const Value &offset) {
  DType type = offset.getDType();
  mlir::Value amount = offset.getSSA();
  bool isUnsigned = type.isUnsigned() && type.getBits() < 64;
  return Value::tensor(tile::AddPtrOp::create(g.builder, g.loc(), pointer.getSSA().getType(),
                                              pointer.getSSA(), amount, isUnsigned),
                       pointer.getDType());
}

static Value emitAddSub(Generator &g, BinaryOp op, Value lhs, Value rhs, SourceRange range) {
  bool isAdd = op == BinaryOp::Add;
  std::string what = quote(ast::getSpelling(op));
  bool rhsIsPointer = rhs.isTensor() && rhs.getDType().isPointer();
  bool lhsIsPointer = lhs.isTensor() && lhs.getDType().isPointer();
  if (lhsIsPointer || rhsIsPointer) {
    if ((lhsIsPointer && rhsIsPointer) || (rhsIsPointer && !isAdd))
      return g.error(range) << "cannot apply " << what << " to " << lhs.describe() << " and "
                            << rhs.describe() << "; cast pointers to tl.int64 to compute with "
                            << "addresses";
    if (!g.promote(lhs, rhs, range, what, {/*allowPointers=*/true}))
      return Value();
    if (rhsIsPointer)
      std::swap(lhs, rhs);
    if (!isAdd) {
      rhs = g.unary(ast::UnaryOp::Minus, rhs, range);
      if (rhs.isPoison())
        return rhs;
    }
    return addPointer(g, lhs, rhs);
  }
  if (!g.promote(lhs, rhs, range, what))
    return Value();
  DType type = lhs.getDType();
  mlir::Value a = lhs.getSSA(), b = rhs.getSSA(), result;
  if (type.isFloat() && isAdd)
    result = arith::AddFOp::create(g.builder, g.loc(), a, b, contract(g));
  else if (type.isFloat())
    result = arith::SubFOp::create(g.builder, g.loc(), a, b, contract(g));
  else if (isAdd)
    result = arith::AddIOp::create(g.builder, g.loc(), a, b);
  else
    result = arith::SubIOp::create(g.builder, g.loc(), a, b);
  return Value::tensor(result, type);
}

static Value emitDivision(Generator &g, BinaryOp op, Value lhs, Value rhs, SourceRange range) {
  std::string what = quote(ast::getSpelling(op));
  Value left = lhs, right = rhs;
  if (!g.promote(lhs, rhs, range, what, {/*allowPointers=*/false, /*divOrMod=*/true}))
    return Value();
  DType type = lhs.getDType();
  if (op == BinaryOp::Div && type.isInt()) {
    // Integers are divided as fp32 [R6].
    lhs = g.castTo(lhs, Scalar::FP32, range);
    rhs = g.castTo(rhs, Scalar::FP32, range);
    type = Scalar::FP32;
  }
  mlir::Value a = lhs.getSSA(), b = rhs.getSSA(), result;
  if (op == BinaryOp::Div) {
    // Approximate, within 2 ulp; `tl.div_rn` is exact [R31].
    auto flags = arith::FastMathFlagsAttr::get(g.context, arith::FastMathFlags::arcp);
    result = arith::DivFOp::create(g.builder, g.loc(), a, b, flags);
  } else if (op == BinaryOp::FloorDiv) {
    if (type.isFloat())
      return g.error(range) << "cannot apply '//' to " << left.describe() << " and "
                            << right.describe() << "; use tl.floor(x / y) for floats";
    // Truncation, as in C [R7].
    if (type.isSigned())
      result = arith::DivSIOp::create(g.builder, g.loc(), a, b);
    else
      result = arith::DivUIOp::create(g.builder, g.loc(), a, b);
  } else if (type.isFloat()) {
    result = arith::RemFOp::create(g.builder, g.loc(), a, b);
  } else if (type.isSigned()) {
    result = arith::RemSIOp::create(g.builder, g.loc(), a, b);
  } else {
    result = arith::RemUIOp::create(g.builder, g.loc(), a, b);
  }
  return Value::tensor(result, type);
}

static Value emitBitwise(Generator &g, BinaryOp op, Value lhs, Value rhs, SourceRange range) {
  std::string what = quote(ast::getSpelling(op));
  bool arithmeticShift = lhs.isTensor() && lhs.getDType().isSigned();
  if (lhs.isNumber())
    arithmeticShift = true;
  Value left = lhs, right = rhs;
  if (!g.promote(lhs, rhs, range, what))
    return Value();
  DType type = lhs.getDType();
  if (!type.isInt())
    return g.error(range) << "cannot apply " << what << " to " << left.describe() << " and "
                          << right.describe() << "; it takes integers";
  mlir::Value a = lhs.getSSA(), b = rhs.getSSA(), result;
  switch (op) {
  case BinaryOp::BitAnd:
    result = arith::AndIOp::create(g.builder, g.loc(), a, b);
    break;
  case BinaryOp::BitOr:
    result = arith::OrIOp::create(g.builder, g.loc(), a, b);
    break;
  case BinaryOp::BitXor:
    result = arith::XOrIOp::create(g.builder, g.loc(), a, b);
    break;
  case BinaryOp::LShift:
    result = arith::ShLIOp::create(g.builder, g.loc(), a, b);
    break;
  default:
    // The left operand's own type says which shift it is [R8].
    if (arithmeticShift)
      result = arith::ShRSIOp::create(g.builder, g.loc(), a, b);
    else
      result = arith::ShRUIOp::create(g.builder, g.loc(), a, b);
  }
  return Value::tensor(result, type);
}

Value Generator::binary(BinaryOp op, Value lhs, Value rhs, SourceRange range) {
  if (lhs.isPoison() || rhs.isPoison())
    return Value();
  if (!lhs.isTensor() && !rhs.isTensor()) {
    Value result = folded(foldBinary(op, lhs, rhs), range);
    charge(result);
    return result;
  }
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return emitAddSub(*this, op, std::move(lhs), std::move(rhs), range);
  case BinaryOp::Mul: {
    if (!promote(lhs, rhs, range, "'*'"))
      return Value();
    DType type = lhs.getDType();
    mlir::Value a = lhs.getSSA(), b = rhs.getSSA(), result;
    if (type.isFloat())
      result = arith::MulFOp::create(builder, loc(), a, b, contract(*this));
    else
      result = arith::MulIOp::create(builder, loc(), a, b);
    return Value::tensor(result, type);
  }
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod:
    return emitDivision(*this, op, std::move(lhs), std::move(rhs), range);
  case BinaryOp::Pow:
    return error(range)
           << "cannot apply '**' to " << lhs.describe() << " and " << rhs.describe()
           << "; it takes compile-time numbers, write x * x or tl.exp2(y * tl.log2(x))";
  case BinaryOp::MatMul:
    return error(range) << "operator '@' is not supported; use tl.dot";
  default:
    return emitBitwise(*this, op, std::move(lhs), std::move(rhs), range);
  }
}

Value Generator::unary(ast::UnaryOp op, Value operand, SourceRange range) {
  if (operand.isPoison())
    return operand;
  if (operand.is(Value::Kind::Opaque))
    return error(range) << "cannot apply '" << ast::getSpelling(op) << "' to "
                        << operand.describe();
  if (!operand.isTensor())
    return folded(foldUnary(op, operand), range);
  DType type = operand.getDType();
  llvm::ArrayRef<int64_t> shape = operand.getType().shape;
  if (type.isFP8())
    return error(range) << "cannot apply '" << ast::getSpelling(op) << "' to " << operand.describe()
                        << "; cast it to fp16 or fp32 first";
  switch (op) {
  case ast::UnaryOp::Plus:
    return operand;
  case ast::UnaryOp::Minus: {
    if (type.isPointer())
      return error(range) << "cannot apply '-' to " << operand.describe();
    if (type.isFloat())
      return Value::tensor(arith::NegFOp::create(builder, loc(), operand.getSSA()), type);
    Value zero = constant(type, Value::integer(0), shape);
    if (zero.isPoison())
      return zero;
    return Value::tensor(arith::SubIOp::create(builder, loc(), zero.getSSA(), operand.getSSA()),
                         type);
  }
  case ast::UnaryOp::Not:
    if (!type.isBool())
      return error(range) << "cannot apply 'not' to " << operand.describe()
                          << "; compare it first, as in x == 0";
    [[fallthrough]];
  case ast::UnaryOp::Invert: {
    if (!type.isInt())
      return error(range) << "cannot apply '~' to " << operand.describe();
    Value ones = constant(type, Value::integer(-1), shape);
    if (ones.isPoison())
      return ones;
    return Value::tensor(arith::XOrIOp::create(builder, loc(), operand.getSSA(), ones.getSSA()),
                         type);
  }
  }
  llvm_unreachable("bad operator");
}

static arith::CmpFPredicate floatPredicate(CompareOp op) {
  switch (op) {
  case CompareOp::Eq:
    return arith::CmpFPredicate::OEQ;
  case CompareOp::NotEq:
    return arith::CmpFPredicate::UNE;
  case CompareOp::Lt:
    return arith::CmpFPredicate::OLT;
  case CompareOp::LtE:
    return arith::CmpFPredicate::OLE;
  case CompareOp::Gt:
    return arith::CmpFPredicate::OGT;
  default:
    return arith::CmpFPredicate::OGE;
  }
}

static arith::CmpIPredicate intPredicate(CompareOp op, bool isSigned) {
  switch (op) {
  case CompareOp::Eq:
    return arith::CmpIPredicate::eq;
  case CompareOp::NotEq:
    return arith::CmpIPredicate::ne;
  case CompareOp::Lt:
    return isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  case CompareOp::LtE:
    return isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule;
  case CompareOp::Gt:
    return isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt;
  default:
    return isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge;
  }
}

Value Generator::compare(CompareOp op, Value lhs, Value rhs, SourceRange range) {
  if (lhs.isPoison() || rhs.isPoison())
    return Value();
  // What is not known is neither equal nor unequal.
  if (lhs.is(Value::Kind::Opaque) || rhs.is(Value::Kind::Opaque))
    return error(range) << "cannot apply '" << ast::getSpelling(op) << "' to "
                        << (lhs.is(Value::Kind::Opaque) ? lhs : rhs).describe();
  bool isIdentity = op == CompareOp::Is || op == CompareOp::IsNot;
  bool isEquality = op == CompareOp::Eq || op == CompareOp::NotEq;
  bool isStatic = !lhs.isTensor() && !rhs.isTensor();
  // A tensor is never None, a type or a string; `is` is static [R40].
  if (isEquality && (lhs.isTensor() != rhs.isTensor())) {
    const Value &other = lhs.isTensor() ? rhs : lhs;
    isStatic = other.isNone();
  }
  // Tuples of run-time values compare by their elements only if these are constants.
  charge(lhs.getWeight() < rhs.getWeight() && isEquality ? lhs : rhs);
  if (isStatic || isIdentity)
    return folded(foldCompare(op, lhs, rhs), range);
  if (op == CompareOp::In || op == CompareOp::NotIn)
    return error(range) << "'" << ast::getSpelling(op) << "' is not supported on run-time values";
  // Literals are strong here [R5].
  if (lhs.isNumber())
    lhs = toTensor(lhs, range);
  if (rhs.isNumber())
    rhs = toTensor(rhs, range);
  if (!promote(lhs, rhs, range, quote(ast::getSpelling(op))))
    return Value();
  DType type = lhs.getDType();
  mlir::Value result;
  if (type.isFloat())
    result = arith::CmpFOp::create(builder, loc(), floatPredicate(op), lhs.getSSA(), rhs.getSSA());
  else
    result = arith::CmpIOp::create(builder, loc(), intPredicate(op, type.isSigned()), lhs.getSSA(),
                                   rhs.getSSA());
  return Value::tensor(result, Scalar::I1);
}

Value Generator::logical(ast::BoolOpKind op, Value lhs, Value rhs, SourceRange range) {
  if (lhs.isPoison() || rhs.isPoison())
    return Value();
  for (const Value *operand : {&lhs, &rhs})
    if (!operand->isTensor() || !operand->getDType().isBool())
      return error(range) << "cannot apply '" << ast::getSpelling(op) << "' to " << lhs.describe()
                          << " and " << rhs.describe() << "; both must be i1, compare them first";
  if (!broadcastPair(lhs, rhs, range))
    return Value();
  mlir::Value result;
  if (op == ast::BoolOpKind::And)
    result = arith::AndIOp::create(builder, loc(), lhs.getSSA(), rhs.getSSA());
  else
    result = arith::OrIOp::create(builder, loc(), lhs.getSSA(), rhs.getSSA());
  return Value::tensor(result, Scalar::I1);
}

} // namespace tilec::frontend
