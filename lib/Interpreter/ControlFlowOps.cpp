// Structured control flow and calls.
#include "lib/Interpreter/Evaluator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilec::ref {

LogicalResult runBlock(Program &program, const BlockPlan &block) {
  for (const Step &step : block.steps) {
    ++program.steps;
    if (program.launch.stepLimit && program.steps > program.launch.stepLimit)
      return program.fail(step, AccessFault::Kind::StepLimit,
                          llvm::formatv("{0} operations", program.launch.stepLimit));
    if (failed(step.handler(program, step)))
      return failure();
  }
  return success();
}

llvm::SmallVector<Value, 4> takeYields(Program &program, const BlockPlan &block) {
  llvm::SmallVector<Value, 4> values;
  for (unsigned slot : block.yields)
    values.push_back(program[slot]);
  return values;
}

namespace {

void assign(Program &program, ArrayRef<unsigned> slots, MutableArrayRef<Value> values) {
  for (auto [slot, value] : llvm::zip_equal(slots, values))
    program[slot] = std::move(value);
}

LogicalResult runIf(Program &program, const Step &step) {
  if (failed(checkDefined(program, program.operand(step, 0))))
    return failure();
  const BlockPlan &block = step.regions[program.operand(step, 0).isTrue() ? 0 : 1];
  if (failed(runBlock(program, block)))
    return failure();
  auto values = takeYields(program, block);
  assign(program, step.results, values);
  return success();
}

/// What each iteration of a loop is asked: whether the program may go on.
LogicalResult beginIteration(Program &program, const Step &loop) {
  const LaunchState &launch = program.launch;
  // An empty body must not escape the step limit.
  if (++program.steps > launch.stepLimit && launch.stepLimit)
    return program.fail(loop, AccessFault::Kind::StepLimit,
                        llvm::formatv("{0} operations", launch.stepLimit));
  constexpr unsigned kBetweenLooks = 64;
  if (++program.iterations % kBetweenLooks != 0)
    return success();
  if (launch.firstFault.load(std::memory_order_relaxed) < program.number)
    return failure();
  return launch.isOver() ? program.failForTime(&loop) : success();
}

LogicalResult runFor(Program &program, const Step &step) {
  bool isUnsigned = cast<scf::ForOp>(step.op).getUnsignedCmp();
  // Wide enough that the counter of the last iteration does not wrap.
  auto bound = [&](unsigned i) -> __int128 {
    const Value &value = program.operand(step, i);
    return isUnsigned ? __int128(value.getUnsigned()) : __int128(value.getSigned());
  };
  for (unsigned i = 0; i < 3; ++i)
    if (failed(checkDefined(program, program.operand(step, i))))
      return failure();
  __int128 lower = bound(0), upper = bound(1), increment = bound(2);
  if (increment <= 0)
    return program.fail(step, AccessFault::Kind::BadLoopStep,
                        llvm::formatv("it is {0}", int64_t(increment)));
  const BlockPlan &body = step.regions[0];
  Kind kind = program.operand(step, 0).getKind();
  llvm::SmallVector<Value, 4> carried;
  for (unsigned i = 3, e = step.operands.size(); i < e; ++i)
    carried.push_back(program.operand(step, i));
  for (__int128 counter = lower; counter < upper; counter += increment) {
    if (failed(beginIteration(program, step)))
      return failure();
    program[body.arguments[0]] = Value::scalar(kind, static_cast<uint64_t>(counter));
    assign(program, ArrayRef(body.arguments).drop_front(), carried);
    if (failed(runBlock(program, body)))
      return failure();
    carried = takeYields(program, body);
  }
  assign(program, step.results, carried);
  return success();
}

LogicalResult runWhile(Program &program, const Step &step) {
  const BlockPlan &before = step.regions[0], &after = step.regions[1];
  llvm::SmallVector<Value, 4> carried;
  for (unsigned slot : step.operands)
    carried.push_back(program[slot]);
  // So long a loop may wait for what another program does.
  constexpr unsigned kPatience = 4096;
  for (unsigned iteration = 1;; ++iteration) {
    if (iteration % kPatience == 0 && program.launch.startAnother)
      program.launch.startAnother();
    if (failed(beginIteration(program, step)))
      return failure();
    assign(program, before.arguments, carried);
    if (failed(runBlock(program, before)))
      return failure();
    // The condition stands before the values that it passes on.
    auto values = takeYields(program, before);
    if (failed(checkDefined(program, values.front())))
      return failure();
    bool goesOn = values.front().isTrue();
    MutableArrayRef<Value> passed = MutableArrayRef<Value>(values).drop_front();
    if (!goesOn) {
      assign(program, step.results, passed);
      return success();
    }
    assign(program, after.arguments, passed);
    if (failed(runBlock(program, after)))
      return failure();
    carried = takeYields(program, after);
  }
}

LogicalResult runExecuteRegion(Program &program, const Step &step) {
  if (failed(runBlock(program, step.regions[0])))
    return failure();
  auto values = takeYields(program, step.regions[0]);
  assign(program, step.results, values);
  return success();
}

LogicalResult runCall(Program &program, const Step &step) {
  const FunctionPlan &callee = *step.callee;
  std::vector<Value> frame(callee.numSlots);
  for (const auto &[slot, value] : callee.constants)
    frame[slot] = value;
  for (auto [slot, operand] : llvm::zip_equal(callee.body.arguments, step.operands))
    frame[slot] = program[operand];
  std::vector<Value> *caller = program.frame;
  program.frame = &frame;
  LogicalResult result = runBlock(program, callee.body);
  auto values =
      succeeded(result) ? takeYields(program, callee.body) : llvm::SmallVector<Value, 4>();
  program.frame = caller;
  if (failed(result))
    return failure();
  assign(program, step.results, values);
  return success();
}

/// Terminators are part of their block's plan, constants part of the function's.
LogicalResult runNothing(Program &, const Step &) { return success(); }

/// Any value will do for poison: zeros.
LogicalResult runPoison(Program &program, const Step &step) {
  ValueType type = step.resultTypes[0];
  Value value(type.kind, type.size);
  std::memset(value.data(), 0, static_cast<size_t>(type.size) * byteSize(type.kind));
  program.result(step) = std::move(value);
  return success();
}

} // namespace

void addControlFlowOps(OpTable &table) {
  table["scf.if"] = {runIf};
  table["scf.for"] = {runFor};
  table["scf.while"] = {runWhile};
  table["scf.execute_region"] = {runExecuteRegion};
  table["func.call"] = {runCall};
  table["ub.poison"] = {runPoison};
  for (StringRef name : {"arith.constant", "scf.yield", "scf.condition", "func.return"})
    table[name] = {runNothing};
}

} // namespace tilec::ref
