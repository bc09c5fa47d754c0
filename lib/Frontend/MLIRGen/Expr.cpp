// Expressions: literals, names, operators and conditions.
#include "lib/Frontend/MLIRGen/Format.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

Value Generator::folded(Folded result, SourceRange range) {
  if (!result.error.empty())
    return error(range) << result.error;
  return std::move(result.value);
}

Value Generator::emit(const ast::Expr *expr) {
  DepthGuard guard(*this);
  if (guard.isTooDeep())
    return error(expr->range) << "expression nests too deep";
  if (diags.isErrorLimitReached())
    return Value();
  LocScope scope(*this, expr->range);
  Value value = bounded(emitNode(expr), expr->range);
  // Poison follows an error; without one, what uses it would be left out in silence.
  if (value.isPoison() && !isQuiet() && !diags.hasErrors())
    return error(expr->range) << "internal error: this expression has no value and no error";
  return value;
}

static Value literal(const ast::IntLiteral *expr, Generator &g) {
  llvm::APInt value = expr->getValue();
  if (value.getActiveBits() > 126)
    return g.error(expr->range) << "integer constant does not fit in 128 bits";
  value = value.zextOrTrunc(128);
  Int low = static_cast<Int>(value.getRawData()[0]);
  Int high = static_cast<Int>(value.getRawData()[1]);
  return Value::integer(high << 64 | low);
}

/// Syntax that kernels may not use, as the error names it.
static llvm::StringRef nameOfUnsupported(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::ImaginaryLiteral:
    return "a complex number";
  case ast::NodeKind::BytesLiteral:
    return "a bytes literal";
  case ast::NodeKind::EllipsisLiteral:
    return "'...'";
  case ast::NodeKind::Starred:
    return "'*' before an expression";
  case ast::NodeKind::Await:
    return "'await'";
  case ast::NodeKind::Slice:
    return "a slice";
  default:
    return "'yield'";
  }
}

Value Generator::emitNode(const ast::Expr *expr) {
  switch (expr->kind) {
  case ast::NodeKind::Name:
    return lookUp(llvm::cast<ast::NameExpr>(expr));
  case ast::NodeKind::IntLiteral:
    return literal(llvm::cast<ast::IntLiteral>(expr), *this);
  case ast::NodeKind::FloatLiteral:
    return Value::floating(llvm::cast<ast::FloatLiteral>(expr)->value);
  case ast::NodeKind::StringLiteral:
    return Value::string(llvm::cast<ast::StringLiteral>(expr)->value);
  case ast::NodeKind::BoolLiteral:
    return Value::boolean(llvm::cast<ast::BoolLiteral>(expr)->value);
  case ast::NodeKind::NoneLiteral:
    return Value::none();
  case ast::NodeKind::Lambda:
    return emitLambda(llvm::cast<ast::LambdaExpr>(expr));
  case ast::NodeKind::JoinedStr:
    return emitFString(llvm::cast<ast::JoinedStr>(expr));
  case ast::NodeKind::Unary: {
    auto *node = llvm::cast<ast::UnaryExpr>(expr);
    return unary(node->op, emit(node->operand), node->range);
  }
  case ast::NodeKind::Binary: {
    auto *node = llvm::cast<ast::BinaryExpr>(expr);
    Value lhs = emit(node->lhs);
    Value rhs = emit(node->rhs);
    return binary(node->op, std::move(lhs), std::move(rhs), node->range);
  }
  case ast::NodeKind::BoolOp:
    return emitBoolOp(llvm::cast<ast::BoolOpExpr>(expr));
  case ast::NodeKind::Compare:
    return emitCompare(llvm::cast<ast::CompareExpr>(expr));
  case ast::NodeKind::Conditional:
    return emitConditional(llvm::cast<ast::ConditionalExpr>(expr));
  case ast::NodeKind::Call:
    return emitCall(llvm::cast<ast::CallExpr>(expr));
  case ast::NodeKind::Attribute:
    return emitAttribute(llvm::cast<ast::AttributeExpr>(expr));
  case ast::NodeKind::Subscript:
    return emitSubscript(llvm::cast<ast::SubscriptExpr>(expr));
  case ast::NodeKind::Tuple:
    return emitSequence(llvm::cast<ast::TupleExpr>(expr)->elements);
  case ast::NodeKind::List:
    return emitSequence(llvm::cast<ast::ListExpr>(expr)->elements);
  case ast::NodeKind::Set:
    return emitSequence(llvm::cast<ast::SetExpr>(expr)->elements);
  case ast::NodeKind::Dict:
    return emitDict(llvm::cast<ast::DictExpr>(expr));
  case ast::NodeKind::Comprehension:
    return emitComprehension(llvm::cast<ast::ComprehensionExpr>(expr));
  case ast::NodeKind::NamedExpr: {
    auto *node = llvm::cast<ast::NamedExpr>(expr);
    assign(node->target, emit(node->value), /*constexprTarget=*/false);
    return lookUp(node->target);
  }
  default:
    return error(expr->range) << nameOfUnsupported(expr->kind) << " is not supported in a kernel";
  }
}

Value Generator::emitSequence(llvm::ArrayRef<ast::Expr *> elements) {
  std::vector<Value> values;
  bool poisoned = false;
  for (const ast::Expr *element : elements) {
    if (auto *starred = llvm::dyn_cast<ast::StarredExpr>(element)) {
      Value sequence = emit(starred->value);
      if (!sequence.isPoison() && !sequence.isTuple())
        sequence = error(starred->range) << "cannot unpack " << sequence.describe();
      poisoned |= sequence.isPoison();
      llvm::append_range(values, sequence.getElements());
      continue;
    }
    values.push_back(emit(element));
    poisoned |= values.back().isPoison();
  }
  return poisoned ? Value() : Value::tuple(std::move(values));
}

/// Whether a value is, or holds, one that the program computes.
static bool holdsRunTime(const Value &value) {
  return value.isTensor() || llvm::any_of(value.getElements(), holdsRunTime);
}

Value Generator::emitFString(const ast::JoinedStr *expr) {
  std::string text;
  bool poisoned = false;
  for (const ast::Expr *part : expr->parts) {
    if (poisoned)
      break;
    if (auto *literal = llvm::dyn_cast<ast::StringLiteral>(part)) {
      text += literal->value;
      continue;
    }
    auto *formatted = llvm::cast<ast::FormattedValue>(part);
    Value value = emit(formatted->value);
    Value spec = formatted->formatSpec ? emitFString(formatted->formatSpec) : Value::string("");
    if (!value.isPoison() && holdsRunTime(value))
      value = error(formatted->value->range)
              << "an f-string takes compile-time values, not " << value.describe()
              << (value.isTensor() ? "; tl.device_print(\"x\", x) prints it" : "");
    poisoned |= value.isPoison() || spec.isPoison();
    if (poisoned)
      continue;
    if (formatted->conversion)
      value = Value::string(value.toPython(/*repr=*/formatted->conversion != 's'));
    value = folded(formatValue(value, spec.getText()), formatted->range);
    poisoned |= value.isPoison();
    text += value.getText();
  }
  Value result = poisoned ? Value() : Value::string(text);
  charge(result);
  return result;
}

Value Generator::emitBoolOp(const ast::BoolOpExpr *expr) {
  // Compile-time operands decide at once or drop out [R39].
  bool isAnd = expr->op == ast::BoolOpKind::And;
  Value result, last;
  bool hasResult = false, poisoned = false;
  for (const ast::Expr *operand : expr->operands) {
    last = emit(operand);
    if (last.is(Value::Kind::Opaque))
      last = error(operand->range)
             << "cannot apply '" << ast::getSpelling(expr->op) << "' to " << last.describe();
    if (last.isPoison()) {
      poisoned = true;
      continue;
    }
    if (!last.isTensor()) {
      if (last.isTruthy() != isAnd)
        return poisoned ? Value() : last;
      continue;
    }
    if (poisoned)
      continue;
    result = hasResult ? logical(expr->op, result, last, expr->range) : last;
    hasResult = true;
    poisoned = result.isPoison();
  }
  return poisoned ? Value() : hasResult ? result : last;
}

Value Generator::emitCompare(const ast::CompareExpr *expr) {
  if (expr->ops.size() == 1) {
    Value lhs = emit(expr->operands[0]);
    Value rhs = emit(expr->operands[1]);
    return compare(expr->ops[0], std::move(lhs), std::move(rhs), expr->range);
  }
  // Chains are folded when every operand is known [R40].
  Value result = Value::boolean(true), lhs = emit(expr->operands[0]);
  for (size_t i = 0; i < expr->ops.size(); ++i) {
    Value rhs = emit(expr->operands[i + 1]);
    if (lhs.isPoison() || rhs.isPoison())
      return Value();
    if (lhs.isTensor() || rhs.isTensor())
      return error(expr->range) << "a chain of comparisons is not supported on run-time values; "
                                   "write (a < b) & (b < c)";
    result = compare(expr->ops[i], lhs, rhs, expr->range);
    if (result.isPoison() || !result.isTruthy())
      return result;
    lhs = std::move(rhs);
  }
  return result;
}

Condition Generator::toCondition(const Value &value, SourceRange range) {
  Condition condition;
  if (value.isPoison())
    return condition;
  if (!value.isTensor()) {
    if (value.is(Value::Kind::Opaque)) {
      error(range) << "this condition depends on " << value.describe();
      return condition;
    }
    condition.kind = Condition::Kind::Known;
    condition.known = value.isTruthy();
    return condition;
  }
  if (value.getType().getNumElements() != 1) {
    error(range) << "a condition must be a scalar, not " << value.describe()
                 << "; reduce it, or use tl.where";
    return condition;
  }
  Value bit = castTo(unsplat(*this, value, range), Scalar::I1, range);
  if (bit.isPoison())
    return condition;
  condition.kind = Condition::Kind::RunTime;
  condition.value = bit.getSSA();
  return condition;
}

Condition Generator::emitCondition(const ast::Expr *expr) {
  LocScope scope(*this, expr->range);
  return toCondition(emit(expr), expr->range);
}

Value Generator::tryConstant(const ast::Expr *expr) {
  // What is emitted goes to a block that is thrown away.
  OpBuilder::InsertionGuard guard(builder);
  Block scratch;
  builder.setInsertionPointToStart(&scratch);
  llvm::SaveAndRestore<unsigned> quiet(quietDepth, quietDepth + 1);
  llvm::SaveAndRestore<unsigned> errors(quietErrors, 0);
  Value value = emit(expr);
  return quietErrors != 0 || holdsRunTime(value) ? Value() : value;
}

Value Generator::emitConditional(const ast::ConditionalExpr *expr) {
  Condition condition = emitCondition(expr->condition);
  if (condition.kind == Condition::Kind::Poison)
    return Value();
  if (condition.kind == Condition::Kind::Known)
    return emit(condition.known ? expr->thenValue : expr->elseValue);

  // Only one side is evaluated, and both have one type [R39].
  Value values[2];
  std::unique_ptr<Region> regions[2];
  const ast::Expr *sides[2] = {expr->thenValue, expr->elseValue};
  {
    OpBuilder::InsertionGuard guard(builder);
    for (int i = 0; i < 2; ++i) {
      regions[i] = std::make_unique<Region>();
      builder.setInsertionPointToStart(&regions[i]->emplaceBlock());
      values[i] = emit(sides[i]);
      // Ends the block even after an error, so that it can be thrown away as it is.
    }
  }
  if (values[0].isPoison() || values[1].isPoison())
    return Value();
  if (!unify(values[0], values[1], &regions[0]->front(), &regions[1]->front()))
    return error(expr->range) << "the two sides of 'if ... else' must have the same type, not "
                              << values[0].describe() << " and " << values[1].describe();
  llvm::SmallVector<Value> results;
  return finishIf(condition.value, std::move(regions[0]), std::move(regions[1]), {values[0]},
                  {values[1]}, results);
}

} // namespace tilec::frontend
