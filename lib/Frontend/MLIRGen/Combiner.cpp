// The operations that fold elements with a combiner, and combiners that programs write.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

using namespace mlir;

namespace tilec::frontend {

bool emitCombiner(Generator &g, Region &region, llvm::ArrayRef<Value> inputs,
                  const Combiner &combine) {
  OpBuilder::InsertionGuard guard(g.builder);
  Block *block = &region.emplaceBlock();
  llvm::SmallVector<Value> left, right;
  for (llvm::SmallVector<Value> *side : {&left, &right})
    for (const Value &input : inputs)
      side->push_back(Value::tensor(block->addArgument(input.getDType().toMLIR(g.context), g.loc()),
                                    input.getDType()));
  g.builder.setInsertionPointToStart(block);
  llvm::SmallVector<mlir::Value> yields;
  for (const Value &value : combine(left, right))
    if (!value.isPoison())
      yields.push_back(value.getSSA());
  if (yields.size() != inputs.size())
    return false;
  tile::YieldOp::create(g.builder, g.loc(), yields);
  return true;
}

/// The results of an operation whose region `combine` fills.
template <typename Op>
static Value finish(Generator &g, Op op, llvm::ArrayRef<Value> inputs, const Combiner &combine) {
  if (!emitCombiner(g, op.getCombiner(), inputs, combine)) {
    op.erase();
    return Value();
  }
  std::vector<Value> results;
  for (auto [result, input] : llvm::zip(op.getResults(), inputs))
    results.push_back(Value::tensor(result, input.getDType()));
  return Value::tuple(std::move(results));
}

static llvm::SmallVector<mlir::Value> valuesOf(llvm::ArrayRef<Value> inputs) {
  return llvm::to_vector(llvm::map_range(inputs, [](const Value &v) { return v.getSSA(); }));
}

Value reduce(Generator &g, llvm::ArrayRef<Value> inputs, int64_t axis, const Combiner &combine,
             SourceRange) {
  auto op = tile::ReduceOp::create(g.builder, g.loc(), valuesOf(inputs), static_cast<int>(axis));
  return finish(g, op, inputs, combine);
}

Value scan(Generator &g, llvm::ArrayRef<Value> inputs, int64_t axis, bool reverse,
           const Combiner &combine) {
  auto op =
      tile::ScanOp::create(g.builder, g.loc(), valuesOf(inputs), static_cast<int>(axis), reverse);
  return finish(g, op, inputs, combine);
}

Combiner operatorCombiner(Generator &g, ast::BinaryOp op, SourceRange range) {
  return [&g, op, range](llvm::ArrayRef<Value> left, llvm::ArrayRef<Value> right) {
    return llvm::SmallVector<Value>{g.binary(op, left[0], right[0], range)};
  };
}

DType sumType(DType type) {
  if (!type.isInt() || type.getBits() >= 32)
    return type;
  return type.isSigned() ? Scalar::I32 : Scalar::U32;
}

Value unsplat(Generator &g, const Value &value, SourceRange range) {
  if (value.isPoison() || value.getType().isScalar())
    return value;
  if (value.getType().getNumElements() != 1)
    return g.error(range) << "only a tensor of one element is a scalar, not " << value.describe();
  Value flat = g.reshape(value, {1}, false);
  Value results = reduce(
      g, {flat}, 0,
      [](llvm::ArrayRef<Value> left, llvm::ArrayRef<Value>) {
        return llvm::SmallVector<Value>(left);
      },
      range);
  return results.isPoison() ? results : results.getElements().front();
}

std::optional<llvm::SmallVector<Value>> getCombined(Generator &g, const CallArgs &args) {
  std::string what = "'" + args.builtin->spelling() + "'";
  llvm::SmallVector<Value> inputs;
  llvm::ArrayRef<Value> given =
      args[0].isTuple() ? args[0].getElements() : llvm::ArrayRef<Value>(args[0]);
  for (const Value &input : given) {
    if (input.isPoison())
      return std::nullopt;
    if (!input.isTensor() || input.getType().isScalar()) {
      g.error(args.ranges[0]) << what << " takes tensors, not " << input.describe();
      return std::nullopt;
    }
    inputs.push_back(input);
    if (input.getType().shape != inputs.front().getType().shape) {
      g.error(args.ranges[0]) << "the tensors of " << what << " must have one shape, not "
                              << inputs.front().describe() << " and " << input.describe();
      return std::nullopt;
    }
  }
  if (inputs.empty()) {
    g.error(args.ranges[0]) << what << " takes a tensor or a tuple of them, not "
                            << args[0].describe();
    return std::nullopt;
  }
  return inputs;
}

Combiner combinerOf(Generator &g, const CallArgs &args, unsigned index) {
  const Value &function = args[index];
  size_t operands = args[0].isTuple() ? args[0].getElements().size() : 1;
  bool isBuiltin = function.is(Value::Kind::Builtin) && operands == 1;
  if (function.isPoison())
    return nullptr;
  if (!function.is(Value::Kind::Function) && !isBuiltin) {
    g.error(args.ranges[index]) << "'combine_fn' of '" << args.builtin->spelling()
                                << "' must be a jit function, not " << function.describe();
    return nullptr;
  }
  SourceRange range = args.ranges[index];
  return [&g, function, range](llvm::ArrayRef<Value> left, llvm::ArrayRef<Value> right) {
    llvm::SmallVector<Value> operands(left);
    llvm::append_range(operands, right);
    Value result = g.call(function, operands, range, range);
    llvm::ArrayRef<Value> parts =
        result.isTuple() ? result.getElements() : llvm::ArrayRef<Value>(result);
    llvm::SmallVector<Value> combined;
    if (!result.isPoison() && parts.size() != left.size())
      g.error(range) << "the combiner returns " << result.describe() << ", but takes "
                     << left.size() << " values on each side";
    for (auto [part, operand] : llvm::zip(parts, left)) {
      if (!part.isPoison() && (!part.isTensor() || part.getType() != operand.getType()))
        g.error(range) << "the combiner returns " << part.describe() << " for "
                       << operand.describe() << "; it must keep the type";
      else if (!part.isPoison())
        combined.push_back(part);
    }
    return combined;
  };
}

} // namespace tilec::frontend
