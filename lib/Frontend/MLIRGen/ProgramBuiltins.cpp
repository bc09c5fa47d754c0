// Functions about the program itself: its place in the grid, hints, assertions, barriers.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"

using namespace mlir;

namespace tilec::frontend {

/// The axis is a constexpr 0, 1 or 2, the result i32 [R43].
template <typename Op>
static Value emitGrid(Generator &g, const CallArgs &args) {
  std::optional<Int> axis = g.getConstInt(args, 0);
  if (!axis)
    return Value();
  if (*axis < 0 || *axis > 2)
    return g.error(args.ranges[0]) << "'axis' of '" << args.builtin->spelling()
                                   << "' must be 0, 1 or 2, not " << intToString(*axis);
  return Value::tensor(Op::create(g.builder, g.loc(), g.builder.getI32Type(),
                                  g.builder.getI32IntegerAttr(static_cast<int32_t>(*axis))),
                       Scalar::I32);
}

static Value emitHint(Generator &g, const CallArgs &args) {
  Value input = args[0];
  auto values = g.getInts(args[1], args.ranges[1], args, 1);
  if (input.isPoison() || !values)
    return Value();
  if (!input.isTensor())
    return input;
  size_t rank = std::max<size_t>(input.getType().shape.size(), 1);
  if (values->size() != rank)
    return g.error(args.ranges[1])
           << "'" << args.builtin->spelling() << "' takes one value per "
           << "dimension of " << input.describe() << ", not " << values->size();
  for (int64_t value : *values)
    if (value <= 0)
      return g.error(args.ranges[1])
             << "'" << args.builtin->spelling() << "' takes positive values, not " << value;
  auto hint = tile::HintOp::create(g.builder, g.loc(), input.getSSA().getType(), input.getSSA());
  if (args.builtin->name == "multiple_of")
    hint.setDivisibility(*values);
  else if (args.builtin->name == "max_contiguous")
    hint.setContiguity(*values);
  else
    hint.setConstancy(*values);
  return Value::tensor(hint.getResult(), input.getDType());
}

static Value emitAssume(Generator &g, const CallArgs &args) {
  Condition condition = g.toCondition(args[0], args.ranges[0]);
  if (condition.kind == Condition::Kind::RunTime)
    tile::AssumeOp::create(g.builder, g.loc(), condition.value);
  else if (condition.kind == Condition::Kind::Known && !condition.known) {
    if (!g.isQuiet())
      g.diags.warning(args.range) << "the condition of 'tl.assume' is false; what a program does "
                                     "that comes here is undefined";
    // The interpreter reports it, where a program comes here.
    tile::AssumeOp::create(g.builder, g.loc(),
                           g.constant(Scalar::I1, Value::boolean(false)).getSSA());
  }
  return Value::none();
}

static Value emitBarrier(Generator &g, const CallArgs &args) {
  tile::BarrierOp::create(g.builder, g.loc());
  return Value::none();
}

static Value emitStaticAssert(Generator &g, const CallArgs &args) {
  const Value &condition = args[0];
  if (condition.isTensor() || condition.is(Value::Kind::Opaque))
    return g.error(args.ranges[0]) << "the condition of 'tl.static_assert' is not known at compile "
                                      "time, it is "
                                   << condition.describe();
  if (condition.isTruthy())
    return Value::none();
  if (args.has(1))
    return g.error(args.range) << "static assertion does not hold: " << args[1].toPython();
  return g.error(args.range) << "static assertion does not hold";
}

static Value emitStaticPrint(Generator &g, const CallArgs &args) {
  if (g.isQuiet())
    return Value::none();
  std::string text;
  for (const Value &value : args[0].isNone() ? llvm::ArrayRef<Value>() : args[0].getElements())
    text += (text.empty() ? "" : " ") + value.toPython();
  g.diags.remark(args.range) << text;
  return Value::none();
}

static Value emitConstexpr(Generator &g, const CallArgs &args) {
  if (args[0].isTensor())
    return g.error(args.ranges[0])
           << "'tl.constexpr' takes a compile-time value, not " << args[0].describe();
  return args[0];
}

/// `while tl.condition(c, disable_licm=True)`: the condition.
static Value emitConditionOf(Generator &, const CallArgs &args) { return args[0]; }

static Value emitPointerType(Generator &g, const CallArgs &args) {
  std::optional<DType> type = g.getDType(args, 0);
  return type ? Value::type(type->getPointerTo()) : Value();
}

static Value emitIntType(Generator &g, const CallArgs &args) {
  std::optional<Int> bits = g.getConstInt(args, 0);
  std::optional<bool> isSigned = g.getConstBool(args, 1, true);
  if (!bits || !isSigned)
    return Value();
  std::string name = (*isSigned || *bits == 1 ? "int" : "uint") + intToString(*bits);
  if (std::optional<DType> type = parseDType(name))
    return Value::type(*type);
  return g.error(args.ranges[0]) << "there is no integer type of " << intToString(*bits) << " bits";
}

static Value emitNextPowerOf2(Generator &g, const CallArgs &args) {
  std::optional<Int> n = g.getConstInt(args, 0);
  if (!n)
    return Value();
  Int power = 1;
  while (power < *n && power < (Int(1) << 100))
    power *= 2;
  return Value::integer(*n <= 0 ? Int(0) : power);
}

/// `range` outside of the head of a `for`: the numbers, if they are known.
static Value emitRange(Generator &g, const CallArgs &args) {
  bool isKnown = args[0].isIntegral();
  for (unsigned i = 1; i < 3; ++i)
    isKnown &= !args.has(i) || args[i].isIntegral();
  if (args.builtin->module != "" || !isKnown)
    return g.error(args.range) << "'" << args.builtin->spelling()
                               << "' of run-time values stands only in the head of a 'for' loop";
  Int start = args.has(1) ? args[0].getInt() : 0;
  Int stop = args.has(1) ? args[1].getInt() : args[0].getInt();
  Int step = args.has(2) ? args[2].getInt() : 1;
  if (step == 0)
    return g.error(args.ranges[2]) << "the step of 'range' cannot be 0";
  if (std::optional<std::vector<Value>> numbers = listRange(start, stop, step))
    return Value::tuple(std::move(*numbers));
  return g.error(args.range) << "'range' has more than " << kMaxSequence << " numbers here";
}

static constexpr llvm::StringLiteral kRangeParams =
    "start stop? step? num_stages? loop_unroll_factor? disallow_acc_multi_buffer? flatten? "
    "warp_specialize? disable_licm?";

llvm::ArrayRef<Builtin> getProgramBuiltins() {
  static constexpr Builtin table[] = {
      {"program_id", "tl", "axis", emitGrid<tile::ProgramIdOp>},
      {"num_programs", "tl", "axis", emitGrid<tile::NumProgramsOp>},
      {"multiple_of", "tl", "input values", emitHint},
      {"max_contiguous", "tl", "input values", emitHint},
      {"max_constancy", "tl", "input values", emitHint},
      {"assume", "tl", "cond", emitAssume},
      {"debug_barrier", "tl", "", emitBarrier},
      {"static_assert", "tl", "cond msg?", emitStaticAssert},
      {"static_print", "tl", "*values sep? end?", emitStaticPrint},
      {"constexpr", "tl", "value", emitConstexpr},
      {"condition", "tl", "arg1 disable_licm?", emitConditionOf},
      {"pointer_type", "tl", "element_ty address_space?", emitPointerType},
      {"get_int_dtype", "tl", "bitwidth signed?", emitIntType},
      {"next_power_of_2", "triton", "n", emitNextPowerOf2},
      {"range", "", kRangeParams, emitRange},
      {"range", "tl", kRangeParams, emitRange},
      {"static_range", "tl", "start stop? step?", emitRange},
  };
  return table;
}

} // namespace tilec::frontend
