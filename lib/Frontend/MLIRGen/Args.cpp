// Reading the arguments of builtins.
#include "lib/Frontend/MLIRGen/Generator.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilec::frontend {

/// "'mask' of 'tl.load'".
static std::string nameArg(const CallArgs &args, unsigned index) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  args.builtin->params.split(names, ' ', -1, /*KeepEmpty=*/false);
  return ("'" + names[index].trim("*?") + "' of '" + args.builtin->spelling() + "'").str();
}

/// What to do about a constant that an assignment made a run-time value [R4], or a parameter.
static llvm::StringRef constexprHint(const Value &value) {
  if (value.isTensor())
    if (auto argument = llvm::dyn_cast<BlockArgument>(value.getSSA());
        argument && llvm::isa_and_nonnull<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return "; a parameter that is annotated with tl.constexpr is known";
  bool wasConstant = value.isTensor() && value.getType().isScalar() &&
                     value.getSSA().getDefiningOp<arith::ConstantOp>();
  return wasConstant ? "; a constant keeps its value with 'NAME: tl.constexpr = ...'" : "";
}

std::optional<Int> Generator::getConstInt(const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  if (value.isIntegral())
    return value.getInt();
  if (!value.isPoison())
    error(args.ranges[index]) << nameArg(args, index) << " must be a constexpr int, not "
                              << value.describe() << constexprHint(value);
  return std::nullopt;
}

std::optional<bool> Generator::getConstBool(const CallArgs &args, unsigned index, bool otherwise) {
  if (!args.given[index])
    return otherwise;
  const Value &value = args[index];
  if (!value.isTensor() && !value.isPoison() && !value.is(Value::Kind::Opaque))
    return value.isTruthy();
  if (!value.isPoison())
    error(args.ranges[index]) << nameArg(args, index) << " must be a constexpr bool, not "
                              << value.describe();
  return std::nullopt;
}

std::optional<std::string> Generator::getConstString(const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  if (value.isNone())
    return std::string();
  if (value.isString())
    return value.getText().str();
  if (!value.isPoison())
    error(args.ranges[index]) << nameArg(args, index) << " must be a string, not "
                              << value.describe();
  return std::nullopt;
}

std::optional<std::string> Generator::getOption(const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  bool isKnown = !value.isTensor() && !value.isPoison() && !value.is(Value::Kind::Opaque);
  if (isKnown && !value.isTruthy())
    return std::string();
  return getConstString(args, index);
}

std::optional<DType> Generator::getDType(const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  if (value.is(Value::Kind::Type))
    return value.getDType();
  // Python's own names of types, and types as strings.
  if (value.is(Value::Kind::Builtin) && value.getBuiltin()->module.empty()) {
    llvm::StringRef name = value.getBuiltin()->name;
    if (name == "int" || name == "float" || name == "bool")
      return DType(name == "int" ? Scalar::I32 : name == "float" ? Scalar::FP32 : Scalar::I1);
  }
  if (value.isString())
    if (std::optional<DType> type = parseDType(value.getText()))
      return type;
  if (!value.isPoison())
    error(args.ranges[index]) << nameArg(args, index) << " must be a type such as tl.float32, not "
                              << value.describe();
  return std::nullopt;
}

bool Generator::checkShape(llvm::ArrayRef<int64_t> shape, SourceRange range) {
  // Extents are powers of two, and a tensor has at most 2^20 elements [R10].
  constexpr size_t kMaxRank = 24;
  int64_t count = 1;
  if (shape.size() > kMaxRank) {
    error(range) << "shape " << shapeToString(shape) << " has rank " << shape.size() << "; at most "
                 << kMaxRank << " dimensions are supported";
    return false;
  }
  for (auto [index, extent] : llvm::enumerate(shape)) {
    if (extent <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(extent))) {
      error(range) << "dimension " << index << " of shape " << shapeToString(shape)
                   << " must be a power of two, not " << extent;
      return false;
    }
    if (extent > kMaxElements || (count *= extent) > kMaxElements) {
      error(range) << "shape " << shapeToString(shape) << " has more than " << kMaxElements
                   << " elements";
      return false;
    }
  }
  return true;
}

std::optional<llvm::SmallVector<int64_t>> Generator::getInts(const Value &value, SourceRange range,
                                                             const CallArgs &args, unsigned index) {
  llvm::SmallVector<int64_t> result;
  llvm::ArrayRef<Value> elements = value.isTuple() ? value.getElements() : llvm::ArrayRef(value);
  for (const Value &element : elements) {
    if (element.isPoison())
      return std::nullopt;
    if (!element.isIntegral()) {
      error(range) << nameArg(args, index) << " must hold constexpr ints, not "
                   << element.describe() << constexprHint(element);
      return std::nullopt;
    }
    Int number = element.getInt();
    if (number != static_cast<int64_t>(number)) {
      error(range) << nameArg(args, index) << " does not fit in 64 bits: " << intToString(number);
      return std::nullopt;
    }
    result.push_back(static_cast<int64_t>(number));
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t>> Generator::getShape(const CallArgs &args,
                                                              unsigned index) {
  std::optional<llvm::SmallVector<int64_t>> shape =
      getInts(args[index], args.ranges[index], args, index);
  if (!shape || !checkShape(*shape, args.ranges[index]))
    return std::nullopt;
  return shape;
}

std::optional<int64_t> Generator::getAxis(const CallArgs &args, unsigned index, int64_t rank) {
  std::optional<Int> axis = getConstInt(args, index);
  if (!axis)
    return std::nullopt;
  if (*axis < -rank || *axis >= rank) {
    error(args.ranges[index]) << "axis " << intToString(*axis)
                              << " is out of range for a tensor of rank " << rank;
    return std::nullopt;
  }
  return static_cast<int64_t>(*axis < 0 ? *axis + rank : *axis);
}

Value Generator::getTensor(const CallArgs &args, unsigned index) {
  const Value &value = args[index];
  if (value.isTensor() || value.isPoison() || value.isNumber())
    return toTensor(value, args.ranges[index]);
  return error(args.ranges[index])
         << nameArg(args, index) << " must be a tensor or a number, not " << value.describe();
}

} // namespace tilec::frontend
