// Planning: every operation of a kernel is decoded once, before its programs run.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilec::ref {

std::optional<Kind> kindOf(Type type) {
  type = tile::elementTypeOf(type);
  if (isa<tile::PtrType>(type))
    return Kind::Ptr;
  if (type.isIndex())
    return Kind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return Kind::I1;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    case 64:
      return Kind::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<Kind>>(type)
      .Case<Float16Type>([](auto) { return Kind::F16; })
      .Case<BFloat16Type>([](auto) { return Kind::BF16; })
      .Case<Float32Type>([](auto) { return Kind::F32; })
      .Case<Float64Type>([](auto) { return Kind::F64; })
      .Case<Float8E4M3FNType>([](auto) { return Kind::F8E4M3; })
      .Case<Float8E5M2Type>([](auto) { return Kind::F8E5M2; })
      .Default([](Type) { return std::nullopt; });
}

llvm::StringRef languageName(Type element) {
  std::optional<Kind> kind = kindOf(element);
  if (!kind)
    return "elements";
  switch (*kind) {
  case Kind::I1:
    return "i1";
  case Kind::I8:
    return "i8";
  case Kind::I16:
    return "i16";
  case Kind::I32:
    return "i32";
  case Kind::I64:
    return "i64";
  case Kind::F8E4M3:
    return "fp8e4nv";
  case Kind::F8E5M2:
    return "fp8e5";
  case Kind::F16:
    return "fp16";
  case Kind::BF16:
    return "bf16";
  case Kind::F32:
    return "fp32";
  case Kind::F64:
    return "fp64";
  case Kind::Ptr:
    return "pointers";
  }
  return "elements";
}

int64_t Value::getSigned(int64_t i) const {
  switch (byteSize(kind)) {
  case 1: {
    uint8_t byte = dataAs<uint8_t>()[i];
    return kind == Kind::I1 ? -int64_t(byte) : int64_t(int8_t(byte));
  }
  case 2:
    return dataAs<int16_t>()[i];
  case 4:
    return dataAs<int32_t>()[i];
  default:
    return dataAs<int64_t>()[i];
  }
}

uint64_t Value::getUnsigned(int64_t i) const {
  switch (byteSize(kind)) {
  case 1:
    return dataAs<uint8_t>()[i];
  case 2:
    return dataAs<uint16_t>()[i];
  case 4:
    return dataAs<uint32_t>()[i];
  default:
    return dataAs<uint64_t>()[i];
  }
}

bool findPosition(Location loc, std::string &file, unsigned &line, unsigned &column) {
  if (auto position = dyn_cast<FileLineColLoc>(loc)) {
    file = position.getFilename().str();
    line = position.getLine();
    column = position.getColumn();
    return true;
  }
  if (auto named = dyn_cast<NameLoc>(loc))
    return findPosition(named.getChildLoc(), file, line, column);
  // The operation's own place, not that of the call that it was inlined from.
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findPosition(call.getCallee(), file, line, column) ||
           findPosition(call.getCaller(), file, line, column);
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (findPosition(inner, file, line, column))
        return true;
  return false;
}

namespace {

std::string where(Operation *op) {
  std::string file;
  unsigned line, column;
  if (!findPosition(op->getLoc(), file, line, column))
    return {};
  return llvm::formatv("{0}:{1}:{2}: ", file, line, column).str();
}

template <class... Args>
llvm::Error errorAt(Operation *op, const char *format, Args &&...args) {
  return llvm::createStringError(where(op) +
                                 llvm::formatv(format, std::forward<Args>(args)...).str());
}

std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

uint64_t bitsOf(Attribute element) {
  if (auto integer = dyn_cast<IntegerAttr>(element))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(element).getValue().bitcastToAPInt().getZExtValue();
}

void setBits(Value &value, int64_t i, uint64_t bits) {
  unsigned size = byteSize(value.getKind());
  std::memcpy(value.data() + i * size, &bits, size); // Little-endian hosts only.
}

llvm::Expected<Value> valueOf(arith::ConstantOp op, ValueType type) {
  Attribute attr = op.getValue();
  if (isa<IntegerAttr, FloatAttr>(attr))
    return Value::scalar(type.kind, bitsOf(attr));
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return errorAt(op, "no interpretation for a constant of type '{0}'", print(op.getType()));
  Value value(type.kind, type.size);
  if (dense.isSplat()) {
    uint64_t bits = bitsOf(dense.getSplatValue<Attribute>());
    for (int64_t i = 0; i < type.size; ++i)
      setBits(value, i, bits);
    return value;
  }
  int64_t i = 0;
  for (Attribute element : dense.getValues<Attribute>())
    setBits(value, i++, bitsOf(element));
  return value;
}

llvm::Expected<ValueType> typeOf(Operation *op, Type type) {
  std::optional<Kind> kind = kindOf(type);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!kind || (shaped && !(isa<RankedTensorType>(type) && shaped.hasStaticShape())))
    return errorAt(op, "no interpretation for values of type '{0}' in '{1}'", print(type),
                   op->getName().getStringRef());
  return ValueType{*kind, shaped ? shaped.getNumElements() : 1};
}

} // namespace

/// The slots of a function's values.
struct Planner::Scope {
  explicit Scope(FunctionPlan &function) : function(function) {}

  FunctionPlan &function;
  llvm::DenseMap<mlir::Value, unsigned> slots;

  unsigned slot(mlir::Value value) {
    auto [it, inserted] = slots.try_emplace(value, function.numSlots);
    if (inserted)
      ++function.numSlots;
    return it->second;
  }
};

llvm::Expected<const FunctionPlan *> Planner::plan(func::FuncOp function) {
  if (llvm::is_contained(active, function.getOperation()))
    return errorAt(function, "function '{0}' calls itself, which kernels cannot",
                   function.getName());
  auto [it, inserted] = plans.try_emplace(function);
  if (!inserted)
    return it->second.get();
  if (function.isExternal())
    return errorAt(function, "function '{0}' has no body", function.getName());
  if (!function.getBody().hasOneBlock())
    return errorAt(function,
                   "function '{0}' has branches between blocks; the interpreter takes "
                   "structured control flow only",
                   function.getName());
  it->second = std::make_unique<FunctionPlan>();
  FunctionPlan &result = *it->second;
  Scope scope(result);
  active.push_back(function);
  llvm::Error error = planBlock(function.getBody().front(), result.body, scope);
  active.pop_back();
  if (error)
    return std::move(error);
  return &result;
}

llvm::Error Planner::planBlock(Block &block, BlockPlan &plan, Scope &scope) {
  for (BlockArgument argument : block.getArguments()) {
    llvm::Expected<ValueType> type = typeOf(block.getParentOp(), argument.getType());
    if (!type)
      return type.takeError();
    plan.arguments.push_back(scope.slot(argument));
  }
  for (Operation &op : block) {
    if (!op.hasTrait<OpTrait::IsTerminator>()) {
      if (llvm::Error error = planStep(&op, plan, scope))
        return error;
      continue;
    }
    if (!hasInterpretation(op.getName().getStringRef()))
      return errorAt(&op, "no interpretation for '{0}'", op.getName());
    for (mlir::Value operand : op.getOperands())
      plan.yields.push_back(scope.slot(operand));
  }
  return llvm::Error::success();
}

llvm::Error Planner::planStep(Operation *op, BlockPlan &plan, Scope &scope) {
  const OpTable &table = getOpTable();
  auto it = table.find(op->getName().getStringRef());
  if (it == table.end())
    return errorAt(op, "no interpretation for '{0}'", op->getName());
  const Interpretation &interpretation = it->second;

  Step step;
  step.op = op;
  step.handler = interpretation.handler;
  for (mlir::Value operand : op->getOperands())
    step.operands.push_back(scope.slot(operand));
  for (mlir::Value result : op->getResults()) {
    llvm::Expected<ValueType> type = typeOf(op, result.getType());
    if (!type)
      return type.takeError();
    step.results.push_back(scope.slot(result));
    step.resultTypes.push_back(*type);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    llvm::Expected<Value> value = valueOf(constant, step.resultTypes[0]);
    if (!value)
      return value.takeError();
    scope.function.constants.emplace_back(step.results[0], std::move(*value));
    return llvm::Error::success();
  }
  if (interpretation.select) {
    step.kernel = interpretation.select(op);
    if (!step.kernel)
      return errorAt(op, "no interpretation for '{0}' on '{1}'", op->getName(),
                     print(op->getOperand(0).getType()));
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    if (!callee)
      return errorAt(op, "call of '{0}', which the module does not have", call.getCallee());
    llvm::Expected<const FunctionPlan *> calleePlan = this->plan(callee);
    if (!calleePlan)
      return calleePlan.takeError();
    step.callee = *calleePlan;
  }
  for (Region &region : op->getRegions()) {
    BlockPlan &body = step.regions.emplace_back();
    if (region.empty()) // An `if` without `else`.
      continue;
    if (!region.hasOneBlock())
      return errorAt(op,
                     "'{0}' has branches between blocks; the interpreter takes structured "
                     "control flow only",
                     op->getName());
    if (llvm::Error error = planBlock(region.front(), body, scope))
      return error;
  }
  plan.steps.push_back(std::move(step));
  return llvm::Error::success();
}

} // namespace tilec::ref
