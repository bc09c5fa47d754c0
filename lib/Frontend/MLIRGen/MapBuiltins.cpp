// `tl.map_elementwise`: a function of scalars on every element.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilec::frontend {

namespace {

/// Turns operations on scalars into ones on tensors of a shape. Both sides of a branch are
/// computed, and what it gives is selected. A loop goes on while one element does, and those whose
/// own loop has ended keep what they have.
class Vectorizer {
public:
  Vectorizer(Generator &g, llvm::ArrayRef<int64_t> shape, Region &root, SourceRange range)
      : g(g), shape(shape), root(root), range(range) {}

  IRMapping mapping;

  /// False after an error.
  bool run(Block &block) {
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>() && !run(op))
        return false;
    return true;
  }

  /// The tensor that a scalar has become; what comes from outside is the same for all elements.
  mlir::Value get(mlir::Value scalar) {
    if (!mapping.contains(scalar)) {
      // Where everything sees it: this may be in a loop.
      OpBuilder::InsertionGuard guard(g.builder);
      g.builder.setInsertionPointAfterValue(scalar);
      mapping.map(scalar, tile::SplatOp::create(g.builder, g.loc(), typeOf(scalar), scalar));
    }
    return mapping.lookup(scalar);
  }

private:
  RankedTensorType typeOf(mlir::Value scalar) {
    return RankedTensorType::get(shape, scalar.getType());
  }

  bool run(Operation &op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto value = DenseElementsAttr::get(typeOf(constant), Attribute(constant.getValue()));
      mapping.map(constant.getResult(), arith::ConstantOp::create(g.builder, op.getLoc(), value));
      return true;
    }
    if (auto hint = dyn_cast<tile::HintOp>(op)) {
      mapping.map(hint.getResult(), get(hint.getValue()));
      return true;
    }
    if (isa<tile::AssumeOp>(op)) // a promise on one path
      return true;
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return runBranch(branch);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isUniform(loop) ? runUniformFor(loop) : runFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return runWhile(loop);
    bool isElementwise = op.hasTrait<OpTrait::Elementwise>() || isa<tile::AddPtrOp>(op);
    if (!isElementwise || op.getNumRegions() || !isMemoryEffectFree(&op)) {
      g.error(range) << "the function of 'tl.map_elementwise' computes on scalars; it cannot touch "
                     << "memory ('" << op.getName().getStringRef() << "')";
      return false;
    }
    for (mlir::Value operand : op.getOperands())
      get(operand);
    Operation *clone = g.builder.clone(op, mapping);
    for (OpResult result : clone->getResults())
      result.setType(typeOf(result));
    return true;
  }

  bool runBranch(scf::IfOp branch) {
    mlir::Value condition = get(branch.getCondition());
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty() && !run(region->front()))
        return false;
    for (unsigned i = 0; i < branch.getNumResults(); ++i) {
      mlir::Value yes = get(branch.thenYield().getOperand(i));
      mlir::Value no = get(branch.elseYield().getOperand(i));
      mapping.map(branch.getResult(i),
                  arith::SelectOp::create(g.builder, branch.getLoc(), condition, yes, no));
    }
    return true;
  }

  // --- Loops ---
  llvm::SmallVector<mlir::Value> getAll(ValueRange scalars) {
    llvm::SmallVector<mlir::Value> tensors;
    for (mlir::Value scalar : scalars)
      tensors.push_back(get(scalar));
    return tensors;
  }
  void mapAll(ValueRange scalars, ValueRange tensors) {
    for (auto [scalar, tensor] : llvm::zip(scalars, tensors))
      mapping.map(scalar, tensor);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return arith::SelectOp::create(g.builder, g.loc(), condition, yes, no);
  }
  /// Whether the condition holds for one element or more.
  mlir::Value any(mlir::Value condition) {
    Value flat = g.reshape(Value::tensor(condition, Scalar::I1),
                           {llvm::cast<RankedTensorType>(condition.getType()).getNumElements()},
                           /*allowReorder=*/true);
    Value result = reduce(g, {flat}, 0, operatorCombiner(g, ast::BinaryOp::BitOr, range), range);
    return result.getElements().front().getSSA();
  }

  /// Whether all elements take the same turns.
  bool isUniform(scf::ForOp loop) {
    return llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                        [&](mlir::Value bound) {
                          return bound.getDefiningOp<arith::ConstantOp>() ||
                                 !root.isAncestor(bound.getParentRegion());
                        });
  }
  mlir::Value cloneBound(mlir::Value bound) {
    Operation *op = bound.getDefiningOp<arith::ConstantOp>();
    return op ? g.builder.clone(*op)->getResult(0) : bound;
  }

  bool runUniformFor(scf::ForOp loop) {
    auto result = scf::ForOp::create(g.builder, loop.getLoc(), cloneBound(loop.getLowerBound()),
                                     cloneBound(loop.getUpperBound()), cloneBound(loop.getStep()),
                                     getAll(loop.getInitArgs()),
                                     /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
    OpBuilder::InsertionGuard guard(g.builder);
    if (!result.getBody()->empty())
      result.getBody()->getTerminator()->erase();
    g.builder.setInsertionPointToEnd(result.getBody());
    mlir::Value index = loop.getInductionVar();
    mapping.map(index, tile::SplatOp::create(g.builder, loop.getLoc(), typeOf(index),
                                             result.getInductionVar()));
    mapAll(loop.getRegionIterArgs(), result.getRegionIterArgs());
    if (!run(*loop.getBody()))
      return false;
    scf::YieldOp::create(g.builder, loop.getLoc(), getAll(loop.getYieldedValues()));
    mapAll(loop.getResults(), result.getResults());
    return true;
  }

  using Turn = std::optional<llvm::SmallVector<mlir::Value>>;

  /// The regions of a loop over tensors of these types; false after an error. `test` gives which
  /// elements go on, `turn` what they become.
  bool runLoop(Location loc, ValueRange inits, ValueRange results,
               llvm::function_ref<mlir::Value(ValueRange)> test,
               llvm::function_ref<Turn(ValueRange)> turn) {
    llvm::SmallVector<Location> locations(inits.size(), loc);
    auto loop = scf::WhileOp::create(g.builder, loc, inits.getTypes(), inits);
    OpBuilder::InsertionGuard guard(g.builder);
    Block *before = g.builder.createBlock(&loop.getBefore(), {}, inits.getTypes(), locations);
    mlir::Value goesOn = test(before->getArguments());
    if (!goesOn)
      return false;
    scf::ConditionOp::create(g.builder, loc, any(goesOn), before->getArguments());
    Block *after = g.builder.createBlock(&loop.getAfter(), {}, inits.getTypes(), locations);
    goesOn = test(after->getArguments());
    Turn next = turn(after->getArguments());
    if (!next)
      return false;
    for (auto [value, old] : llvm::zip(*next, after->getArguments()))
      value = select(goesOn, value, old);
    scf::YieldOp::create(g.builder, loc, *next);
    mapAll(results, loop.getResults());
    return true;
  }

  bool runFor(scf::ForOp loop) {
    Location loc = loop.getLoc();
    mlir::Value upper = get(loop.getUpperBound()), step = get(loop.getStep());
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    // The index comes last.
    llvm::SmallVector<mlir::Value> inits = getAll(loop.getInitArgs());
    inits.push_back(get(loop.getLowerBound()));
    return runLoop(
        loc, inits, loop.getResults(),
        [&](ValueRange values) -> mlir::Value {
          return arith::CmpIOp::create(g.builder, loc, predicate, values.back(), upper);
        },
        [&](ValueRange values) -> Turn {
          mapAll(loop.getRegionIterArgs(), values);
          mapping.map(loop.getInductionVar(), values.back());
          if (!run(*loop.getBody()))
            return std::nullopt;
          llvm::SmallVector<mlir::Value> next = getAll(loop.getYieldedValues());
          next.push_back(arith::AddIOp::create(g.builder, loc, values.back(), step));
          return next;
        });
  }

  bool runWhile(scf::WhileOp loop) {
    // What the condition passes on is what it gets; some of it only the condition needs.
    Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
    for (auto [passed, argument] :
         llvm::zip(loop.getConditionOp().getArgs(), before.getArguments()))
      if (passed != argument) {
        g.error(range) << "the function of 'tl.map_elementwise' has a loop that it cannot have";
        return false;
      }
    return runLoop(
        loop.getLoc(), getAll(loop.getInits()), loop.getResults(),
        [&](ValueRange values) -> mlir::Value {
          mapAll(before.getArguments(), values);
          return run(before) ? get(loop.getConditionOp().getCondition()) : mlir::Value();
        },
        [&](ValueRange values) -> Turn {
          mapAll(after.getArguments(), values);
          if (!run(after))
            return std::nullopt;
          return getAll(loop.getYieldOp().getOperands());
        });
  }

  Generator &g;
  llvm::ArrayRef<int64_t> shape;
  Region &root;
  SourceRange range;
};

} // namespace

/// The elements of `value` by their position in groups of parts.size(), neighbours along the last
/// dimension: each part has one of every group.
static void splitGroups(Generator &g, const Value &value, llvm::MutableArrayRef<Value> parts) {
  if (parts.size() == 1) {
    parts[0] = value;
    return;
  }
  llvm::SmallVector<int64_t> shape(value.getType().shape);
  shape.back() /= 2;
  Type half = g.typeOf(value.getDType(), shape);
  shape.push_back(2);
  Value pairs = g.reshape(value, shape, false);
  auto split = tile::SplitOp::create(g.builder, g.loc(), half, half, pairs.getSSA());
  // The lowest bit of the position is told apart first.
  llvm::SmallVector<Value> even(parts.size() / 2), odd(parts.size() / 2);
  splitGroups(g, Value::tensor(split.getLhs(), value.getDType()), even);
  splitGroups(g, Value::tensor(split.getRhs(), value.getDType()), odd);
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i] = (i % 2 ? odd : even)[i / 2];
}

static Value joinGroups(Generator &g, llvm::ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts[0];
  llvm::SmallVector<Value> even, odd;
  for (size_t i = 0; i < parts.size(); ++i)
    (i % 2 ? odd : even).push_back(parts[i]);
  Value left = joinGroups(g, even), right = joinGroups(g, odd);
  llvm::SmallVector<int64_t> shape(left.getType().shape);
  shape.back() *= 2;
  return g.reshape(g.joinLast(left, right), shape, false);
}

/// The tensors of one shape; nothing after an error.
static std::optional<llvm::SmallVector<Value>> readInputs(Generator &g, const CallArgs &args) {
  llvm::SmallVector<Value> inputs;
  llvm::ArrayRef<Value> given =
      args[1].isTuple() ? args[1].getElements() : llvm::ArrayRef<Value>(args[1]);
  for (const Value &value : given) {
    if (!value.isTensor() && !value.isNumber()) {
      if (!value.isPoison())
        g.error(args.ranges[1]) << "'tl.map_elementwise' takes tensors, not " << value.describe();
      return std::nullopt;
    }
    inputs.push_back(g.toTensor(value, args.ranges[1]));
  }
  if (inputs.empty()) {
    g.error(args.range) << "'tl.map_elementwise' takes at least one tensor";
    return std::nullopt;
  }
  for (unsigned pass = 0; pass < 2; ++pass)
    for (size_t i = 1; i < inputs.size(); ++i)
      if (!g.broadcastPair(inputs[0], inputs[i], args.ranges[1]))
        return std::nullopt;
  return inputs;
}

static Value emitMapElementwise(Generator &g, const CallArgs &args) {
  std::optional<llvm::SmallVector<Value>> inputs = readInputs(g, args);
  std::optional<Int> pack = args.has(2) ? g.getConstInt(args, 2) : Int(1);
  if (!inputs || !pack || args[0].isPoison())
    return Value();
  const Value &function = args[0];
  if (!function.is(Value::Kind::Function))
    return g.error(args.ranges[0]) << "'scalar_fn' of 'tl.map_elementwise' must be a jit function, "
                                   << "not " << function.describe();
  llvm::SmallVector<int64_t> shape(inputs->front().getType().shape);
  if (*pack < 1 || !llvm::isPowerOf2_64(static_cast<uint64_t>(*pack)) ||
      (shape.empty() ? 1 : shape.back()) % *pack)
    return g.error(args.ranges[2]) << "'pack' of 'tl.map_elementwise' must be a power of two that "
                                   << "divides the last dimension of " << inputs->front().describe()
                                   << ", not " << intToString(*pack);
  size_t group = static_cast<size_t>(*pack);

  CallSite site;
  site.range = args.ranges[0];
  llvm::SmallVector<Value> parts;
  for (const Value &input : *inputs) {
    llvm::SmallVector<Value> some(group);
    splitGroups(g, input, some);
    parts.append(some);
  }
  // The function's operations on scalars, which go when their tensors are made.
  Region region;
  Block &block = region.emplaceBlock();
  for (const Value &part : parts) {
    mlir::Value scalar = shape.empty()
                             ? part.getSSA()
                             : block.addArgument(part.getDType().toMLIR(g.context), g.loc());
    site.positional.push_back({Value::tensor(scalar, part.getDType()), args.ranges[1]});
  }
  if (shape.empty())
    return g.call(function, site);
  Value result;
  {
    OpBuilder::InsertionGuard guard(g.builder);
    g.builder.setInsertionPointToStart(&block);
    result = g.call(function, site);
  }
  if (result.isPoison())
    return result;
  llvm::ArrayRef<Value> scalars =
      result.isTuple() ? result.getElements() : llvm::ArrayRef<Value>(result);
  for (const Value &scalar : scalars)
    if (!scalar.isTensor() || !scalar.getType().isScalar())
      return g.error(args.ranges[0])
             << "the function returns " << result.describe() << "; it must return scalars";
  if (scalars.empty() || scalars.size() % group)
    return g.error(args.ranges[0]) << "the function returns " << scalars.size()
                                   << " values; their number must be a multiple of " << group;

  shape.back() /= *pack;
  Vectorizer vectorizer(g, shape, region, args.ranges[0]);
  for (auto [argument, part] : llvm::zip(block.getArguments(), parts))
    vectorizer.mapping.map(argument, part.getSSA());
  if (!vectorizer.run(block))
    return Value();
  std::vector<Value> results;
  for (size_t i = 0; i < scalars.size(); i += group) {
    llvm::SmallVector<Value> some;
    for (const Value &scalar : scalars.slice(i, group)) {
      if (scalar.getDType() != scalars[i].getDType())
        return g.error(args.ranges[0]) << "the values of a group must have one type, not "
                                       << scalars[i].describe() << " and " << scalar.describe();
      some.push_back(Value::tensor(vectorizer.get(scalar.getSSA()), scalar.getDType()));
    }
    results.push_back(joinGroups(g, some));
  }
  return result.isTuple() ? Value::tuple(std::move(results)) : results.front();
}

llvm::ArrayRef<Builtin> getMapBuiltins() {
  static constexpr Builtin table[] = {
      {"map_elementwise", "tl", "scalar_fn *args pack?", emitMapElementwise},
  };
  return table;
}

} // namespace tilec::frontend
