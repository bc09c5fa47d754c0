// The parts that the interpreter's op families share: values, plans, the running program and the
// table of interpretations.
#ifndef TILEC_LIB_INTERPRETER_EVALUATOR_H
#define TILEC_LIB_INTERPRETER_EVALUATOR_H

#include "lib/Interpreter/AccessFault.h"
#include "lib/Interpreter/Elements.h"
#include "lib/Interpreter/Interpreter.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace tilec::ref {

struct Step;

/// Elements that have no value, because an integer was divided by zero there, and the operation
/// that did it. They may be computed with, as masked-off elements often are, but if one reaches
/// memory, an address or a condition, that is a fault at the division.
struct UndefinedElements {
  const Step *origin;
  std::vector<uint8_t> elements; ///< Nonzero where undefined.
};

/// A value: the elements of a scalar or tensor in row-major order. Shapes are the types' matter.
/// Copies share elements, so only who made a value writes it, and before copying it.
class Value {
public:
  Value() = default;
  /// Elements start undefined.
  Value(Kind kind, int64_t size) : kind(kind), size(size) {
    if (size != 1)
      elements.reset(new uint8_t[static_cast<size_t>(size) * byteSize(kind)],
                     std::default_delete<uint8_t[]>());
  }
  static Value scalar(Kind kind, uint64_t bits) {
    Value value(kind, 1);
    value.single = bits;
    return value;
  }

  Kind getKind() const { return kind; }
  int64_t getSize() const { return size; }
  uint8_t *data() { return elements ? elements.get() : reinterpret_cast<uint8_t *>(&single); }
  const uint8_t *data() const { return const_cast<Value *>(this)->data(); }
  template <class T>
  T *dataAs() {
    return reinterpret_cast<T *>(data());
  }
  template <class T>
  const T *dataAs() const {
    return reinterpret_cast<const T *>(data());
  }
  /// A scalar stands for every element.
  Input asInput() const { return {data(), size_t(size == 1 ? 0 : 1)}; }
  /// The element `i` of an integer or pointer.
  int64_t getSigned(int64_t i = 0) const;
  uint64_t getUnsigned(int64_t i = 0) const;
  bool isTrue() const { return *data() != 0; }
  /// Which elements are undefined; null if none is.
  const UndefinedElements *getUndefined() const { return undefined.get(); }
  bool isUndefined(int64_t i) const { return undefined && undefined->elements[size == 1 ? 0 : i]; }
  void setUndefined(const Step *origin, std::vector<uint8_t> elements) {
    undefined = std::make_shared<UndefinedElements>(UndefinedElements{origin, std::move(elements)});
  }
  /// The same elements as another kind of the same width.
  Value as(Kind other) const {
    Value value = *this;
    value.kind = other;
    return value;
  }

private:
  Kind kind = Kind::I32;
  int64_t size = 0;
  std::shared_ptr<uint8_t> elements;
  std::shared_ptr<const UndefinedElements> undefined;
  /// The element of a scalar, in the low bytes.
  uint64_t single = 0;
};

//===--- Plans -------------------------------------------------------------===//

struct Program;
struct BlockPlan;
struct FunctionPlan;

/// Runs one operation. On failure `program.fault` says why.
using Handler = llvm::LogicalResult (*)(Program &program, const Step &step);

/// What a value holds.
struct ValueType {
  Kind kind = Kind::I32;
  int64_t size = 1;
};

/// One operation, with all that need not be looked up again for every program.
struct Step {
  mlir::Operation *op = nullptr;
  Handler handler = nullptr;
  /// For elementwise operations.
  Kernel kernel = nullptr;
  llvm::SmallVector<unsigned, 4> operands, results;
  llvm::SmallVector<ValueType, 2> resultTypes;
  std::vector<BlockPlan> regions;
  /// For calls.
  const FunctionPlan *callee = nullptr;
};

/// One block; what its terminator passes on, it passes from `yields`.
struct BlockPlan {
  llvm::SmallVector<unsigned, 4> arguments;
  std::vector<Step> steps;
  llvm::SmallVector<unsigned, 4> yields;
};

/// One function: slots for its values, and the slots that hold constants.
struct FunctionPlan {
  BlockPlan body;
  unsigned numSlots = 0;
  std::vector<std::pair<unsigned, Value>> constants;
};

/// Plans of a kernel and of the functions that it calls.
class Planner {
public:
  /// Fails on an operation without interpretation, with its place in the message.
  llvm::Expected<const FunctionPlan *> plan(mlir::func::FuncOp function);

private:
  struct Scope;
  llvm::Error planBlock(mlir::Block &block, BlockPlan &plan, Scope &scope);
  llvm::Error planStep(mlir::Operation *op, BlockPlan &plan, Scope &scope);

  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FunctionPlan>> plans;
  llvm::SmallVector<mlir::Operation *> active;
};

//===--- Execution ---------------------------------------------------------===//

/// One buffer, and the window of tagged addresses that stands for it.
struct Buffer {
  /// Tagged address of the first byte.
  uint64_t address = 0;
  uint8_t *host = nullptr;
  uint64_t bytes = 0;
  uint8_t *initialised = nullptr;
  std::string name;
};

/// Tagged addresses carry the number of their argument, plus one, above this bit. Host addresses
/// have nothing there.
inline constexpr unsigned kTagShift = 48;

/// What all programs of a launch share.
struct LaunchState {
  std::string kernel;
  std::array<int64_t, 3> grid;
  std::vector<Buffer> buffers; ///< One per parameter; scalars have an empty one.
  std::vector<Buffer> others;  ///< Reached only by host addresses, which stand in `address`.
  uint64_t stepLimit;
  double timeoutSeconds;
  std::chrono::steady_clock::time_point deadline;
  /// The number of the first program that is known to be at fault; those after it need not go on.
  mutable std::atomic<uint64_t> firstFault{UINT64_MAX};
  /// Lets programs start that wait for a thread: one that runs may be waiting for them.
  std::function<void()> startAnother = nullptr;

  bool isOver() const { return timeoutSeconds > 0 && std::chrono::steady_clock::now() > deadline; }
};

/// A running program.
struct Program {
  const LaunchState &launch;
  /// Among the programs of the launch.
  uint64_t number;
  std::array<int64_t, 3> id;
  uint64_t steps = 0;
  uint64_t iterations = 0;
  std::vector<Value> *frame = nullptr;
  AccessFault fault;

  Value &operator[](unsigned slot) { return (*frame)[slot]; }
  const Value &operand(const Step &step, unsigned i) { return (*frame)[step.operands[i]]; }
  Value &result(const Step &step, unsigned i = 0) { return (*frame)[step.results[i]]; }

  /// Records a fault at an operation.
  llvm::LogicalResult fail(const Step &step, AccessFault what);
  llvm::LogicalResult fail(const Step &step, AccessFault::Kind kind, std::string detail = {});
  /// Records that the time of the launch is over, while a loop runs or before the program began.
  llvm::LogicalResult failForTime(const Step *loop = nullptr);
};

/// A fault if the element `i` of a value that is about to be used is undefined.
llvm::LogicalResult checkDefined(Program &program, const Value &value, int64_t i = 0);
/// Marks the elements of results that depend on undefined elements of the operands.
void propagateUndefined(const Step &step, llvm::ArrayRef<const Value *> operands,
                        llvm::MutableArrayRef<Value> results);

/// Runs the steps of a block.
llvm::LogicalResult runBlock(Program &program, const BlockPlan &block);
/// Copies the values that a block passes on.
llvm::SmallVector<Value, 4> takeYields(Program &program, const BlockPlan &block);

/// The first source position in a location; false if there is none.
bool findPosition(mlir::Location loc, std::string &file, unsigned &line, unsigned &column);

//===--- The table ---------------------------------------------------------===//

/// How an operation is run.
struct Interpretation {
  Handler handler = nullptr;
  /// For elementwise operations: the loop for its types; null if it has none.
  Kernel (*select)(mlir::Operation *op) = nullptr;
};

using OpTable = llvm::StringMap<Interpretation>;

/// All operations that have one.
const OpTable &getOpTable();

void addAtomicOps(OpTable &table);
void addEffectOps(OpTable &table);
void addIntegerOps(OpTable &table);
void addFloatOps(OpTable &table);
void addCastOps(OpTable &table);
void addLibraryOps(OpTable &table);
void addMathOps(OpTable &table);
void addControlFlowOps(OpTable &table);
void addShapeOps(OpTable &table);
void addMemoryOps(OpTable &table);
void addRearrangeOps(OpTable &table);
void addReduceOps(OpTable &table);
void addDotOps(OpTable &table);

/// Runs `step.kernel` over the operands; the number of elements is that of the largest one.
llvm::LogicalResult runElementwise(Program &program, const Step &step);

} // namespace tilec::ref

#endif // TILEC_LIB_INTERPRETER_EVALUATOR_H
