// A launch: the arguments are bound, and the programs of the grid run on several threads.
#include "lib/Interpreter/Interpreter.h"

#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace mlir;

namespace tilec {
namespace ref {

const OpTable &getOpTable() {
  static const OpTable table = [] {
    OpTable all;
    addAtomicOps(all);
    addEffectOps(all);
    addIntegerOps(all);
    addFloatOps(all);
    addCastOps(all);
    addLibraryOps(all);
    addMathOps(all);
    addControlFlowOps(all);
    addShapeOps(all);
    addMemoryOps(all);
    addRearrangeOps(all);
    addReduceOps(all);
    addDotOps(all);
    return all;
  }();
  return table;
}

LogicalResult Program::fail(const Step &step, AccessFault what) {
  fault = std::move(what);
  fault.kernel = launch.kernel;
  fault.program = id;
  if (!findPosition(step.op->getLoc(), fault.file, fault.line, fault.column))
    fault.file.clear();
  return failure();
}

LogicalResult Program::failForTime(const Step *loop) {
  AccessFault what;
  what.kind = AccessFault::Kind::Timeout;
  what.seconds = launch.timeoutSeconds;
  if (loop) {
    what.message = "loop";
    return fail(*loop, std::move(what));
  }
  what.kernel = launch.kernel;
  what.program = id;
  fault = std::move(what);
  return failure();
}

LogicalResult Program::fail(const Step &step, AccessFault::Kind kind, std::string detail) {
  AccessFault what;
  what.kind = kind;
  what.detail = std::move(detail);
  return fail(step, std::move(what));
}

LogicalResult runElementwise(Program &program, const Step &step) {
  llvm::SmallVector<Input, 4> inputs;
  llvm::SmallVector<const Value *, 4> operands;
  int64_t size = 1;
  bool anyUndefined = false;
  for (unsigned slot : step.operands) {
    const Value &operand = program[slot];
    operands.push_back(&operand);
    inputs.push_back(operand.asInput());
    size = std::max(size, operand.getSize());
    anyUndefined |= operand.getUndefined() != nullptr;
  }
  llvm::SmallVector<Value, 2> results;
  llvm::SmallVector<uint8_t *, 2> outputs;
  for (ValueType type : step.resultTypes)
    results.emplace_back(type.kind, size);
  for (Value &result : results)
    outputs.push_back(result.data());
  step.kernel(outputs.data(), inputs.data(), size);
  if (anyUndefined)
    propagateUndefined(step, operands, results);
  for (auto [slot, result] : llvm::zip_equal(step.results, results))
    program[slot] = std::move(result);
  return success();
}

namespace {

std::string nameOf(func::FuncOp kernel, unsigned i) {
  if (auto name = kernel.getArgAttrOfType<StringAttr>(i, tile::kNameAttr))
    return name.str();
  return ("argument " + Twine(i)).str();
}

/// The value that an argument starts as; buffers get their window of tagged addresses.
llvm::Expected<Value> bind(func::FuncOp kernel, unsigned i, const RefArgument &argument,
                           Buffer &buffer) {
  std::string name = nameOf(kernel, i);
  Type type = kernel.getArgumentTypes()[i];
  std::optional<Kind> kind = kindOf(type);
  if (!kind || isa<ShapedType>(type))
    return llvm::createStringError("parameter '" + name + "' of kernel '" + kernel.getName().str() +
                                   "' is neither a scalar nor a pointer");
  bool isPointer = *kind == Kind::Ptr;
  if (isPointer != (argument.kind == RefArgument::Kind::Buffer))
    return llvm::createStringError("parameter '" + name + "' of kernel '" + kernel.getName().str() +
                                   "' is a " +
                                   (isPointer ? "pointer, but its argument is a scalar"
                                              : "scalar, but its argument is a buffer"));
  uint64_t value = argument.bits;
  if (isPointer) {
    // The middle of the window, so that pointers may stray to both sides; as aligned as the host.
    constexpr uint64_t kAlignment = uint64_t(1) << 20;
    buffer.host = argument.base;
    buffer.bytes = argument.base ? argument.bytes : 0;
    buffer.initialised = argument.initialised;
    buffer.name = name;
    buffer.address = (uint64_t(i) + 1) << kTagShift | uint64_t(1) << (kTagShift - 1);
    buffer.address += reinterpret_cast<uintptr_t>(argument.base) % kAlignment;
    value = buffer.address;
  } else if (byteSize(*kind) < 8) {
    value &= (uint64_t(1) << (*kind == Kind::I1 ? 1 : 8 * byteSize(*kind))) - 1;
  }
  auto divisibility = kernel.getArgAttrOfType<IntegerAttr>(i, tile::kDivisibilityAttr);
  if (divisibility && divisibility.getInt() > 1 &&
      value % static_cast<uint64_t>(divisibility.getInt()) != 0)
    return llvm::createStringError(
        llvm::formatv("argument '{0}' of kernel '{1}' is {2}, but the kernel was compiled for a "
                      "multiple of {3}",
                      name, kernel.getName(),
                      isPointer ? llvm::formatv("at address {0:x}", argument.base).str()
                                : std::to_string(Value::scalar(*kind, value).getSigned()),
                      divisibility.getInt())
            .str());
  return Value::scalar(*kind, value);
}

/// Hands out the programs of a grid to threads, and keeps the fault of the first one.
class Grid {
public:
  Grid(const LaunchState &launch, const FunctionPlan &plan, ArrayRef<Value> arguments,
       uint64_t size)
      : launch(launch), plan(plan), arguments(arguments), size(size) {}

  /// Runs programs until none is left, or one before the next has faulted.
  void work() {
    std::vector<Value> frame(plan.numSlots);
    for (const auto &[slot, value] : plan.constants)
      frame[slot] = value;
    for (auto [slot, value] : llvm::zip_equal(plan.body.arguments, arguments))
      frame[slot] = value;
    while (true) {
      uint64_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= size || index > launch.firstFault.load(std::memory_order_relaxed))
        return;
      auto x = static_cast<uint64_t>(launch.grid[0]), y = static_cast<uint64_t>(launch.grid[1]);
      Program program{launch,
                      index,
                      {int64_t(index % x), int64_t(index / x % y), int64_t(index / x / y)},
                      /*steps=*/0,
                      /*iterations=*/0,
                      &frame,
                      {}};
      if (launch.isOver())
        program.failForTime();
      else if (succeeded(runBlock(program, plan.body)))
        continue;
      std::lock_guard<std::mutex> guard(lock);
      if (index < launch.firstFault) {
        launch.firstFault = index;
        fault = std::move(program.fault);
      }
    }
  }

  /// Starts one more thread if there are programs for it.
  void startAnother() {
    std::lock_guard<std::mutex> guard(lock);
    if (threads.size() >= kMaxThreads || next.load(std::memory_order_relaxed) >= size)
      return;
    threads.emplace_back([this] { work(); });
  }

  /// Waits for all threads, and those that they start.
  void join() {
    while (true) {
      std::thread thread;
      {
        std::lock_guard<std::mutex> guard(lock);
        if (threads.empty())
          return;
        thread = std::move(threads.back());
        threads.pop_back();
      }
      thread.join();
    }
  }

  llvm::Error takeError() {
    if (launch.firstFault == UINT64_MAX)
      return llvm::Error::success();
    return llvm::make_error<AccessFaultError>(std::move(fault));
  }

private:
  /// About as many programs as a GPU has room for.
  static constexpr size_t kMaxThreads = 256;

  const LaunchState &launch;
  const FunctionPlan &plan;
  ArrayRef<Value> arguments;
  uint64_t size;
  std::atomic<uint64_t> next{0};
  std::mutex lock;
  std::vector<std::thread> threads;
  AccessFault fault;
};

} // namespace
} // namespace ref

bool hasInterpretation(llvm::StringRef opName) { return ref::getOpTable().contains(opName); }

std::vector<llvm::StringRef> getInterpretedOps() {
  std::vector<llvm::StringRef> names;
  for (const auto &entry : ref::getOpTable())
    names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}

llvm::Error runReference(const RefLaunch &launch) {
  using namespace ref;
  func::FuncOp kernel = launch.kernel;
  if (kernel.getNumArguments() != launch.args.size())
    return llvm::createStringError(
        llvm::formatv("kernel '{0}' has {1} parameters, but the launch has {2} arguments",
                      kernel.getName(), kernel.getNumArguments(), launch.args.size())
            .str());
  unsigned __int128 size = 1;
  for (auto [axis, extent] : llvm::zip(StringRef("xyz"), launch.grid)) {
    if (extent < 0 || extent > INT32_MAX)
      return llvm::createStringError(
          llvm::formatv("grid of kernel '{0}' is {1} along {2}; it must be 0 to 2147483647",
                        kernel.getName(), extent, axis)
              .str());
    size *= static_cast<uint64_t>(extent);
  }
  if (size > UINT64_MAX / 2)
    return llvm::createStringError(
        llvm::formatv("grid of kernel '{0}' has more than 2^63 programs", kernel.getName()).str());

  Planner planner;
  llvm::Expected<const FunctionPlan *> plan = planner.plan(kernel);
  if (!plan)
    return plan.takeError();

  LaunchState state;
  state.kernel = kernel.getName().str();
  state.grid = launch.grid;
  state.stepLimit = launch.stepLimit;
  state.timeoutSeconds = launch.timeoutSeconds;
  state.deadline = std::chrono::steady_clock::now() +
                   std::chrono::microseconds(static_cast<int64_t>(launch.timeoutSeconds * 1e6));
  state.buffers.resize(launch.args.size());
  std::vector<Value> arguments;
  for (auto [i, argument] : llvm::enumerate(launch.args)) {
    llvm::Expected<Value> value = bind(kernel, i, argument, state.buffers[i]);
    if (!value)
      return value.takeError();
    arguments.push_back(*value);
  }
  for (const RefArgument &other : launch.memory)
    state.others.push_back({reinterpret_cast<uintptr_t>(other.base), other.base, other.bytes,
                            other.initialised, "memory of the device"});

  Grid grid(state, **plan, arguments, static_cast<uint64_t>(size));
  uint64_t numThreads = launch.numThreads ? launch.numThreads : std::thread::hardware_concurrency();
  numThreads = std::min<uint64_t>(std::max<uint64_t>(numThreads, 1), static_cast<uint64_t>(size));
  state.startAnother = [&grid] { grid.startAnother(); };
  for (uint64_t i = 1; i < numThreads; ++i)
    grid.startAnother();
  grid.work();
  grid.join();
  return grid.takeError();
}

} // namespace tilec
