// Verifiers, builders and custom syntax of the tile dialect's operations.
#include "dialects/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::tile;

static SmallVector<int64_t> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return llvm::to_vector(tensor.getShape());
  return {};
}

/// Shape and layout of `type` agree with those of `like` (both scalars agree).
static LogicalResult verifySameShape(Operation *op, StringRef name, Type type, StringRef likeName,
                                     Type like) {
  auto tensor = dyn_cast<RankedTensorType>(type), likeTensor = dyn_cast<RankedTensorType>(like);
  if (static_cast<bool>(tensor) != static_cast<bool>(likeTensor) ||
      (tensor && (tensor.getShape() != likeTensor.getShape() ||
                  tensor.getEncoding() != likeTensor.getEncoding())))
    return op->emitOpError() << name << " " << type << " must have the shape of " << likeName << " "
                             << like;
  return success();
}

static Type resultOfLoad(Type ptr) {
  return withElementType(ptr, cast<PtrType>(elementTypeOf(ptr)).getPointeeType());
}

static Type maskOf(Type ptr) { return withElementType(ptr, IntegerType::get(ptr.getContext(), 1)); }

//===--- Custom syntax: the pointer type gives the others -------------------===//

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

static ParseResult parsePointerType(OpAsmParser &parser, Type &ptr) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(ptr))
    return failure();
  if (!isa<PtrType>(elementTypeOf(ptr)))
    return parser.emitError(loc, "expected a pointer or a tensor of pointers, got ") << ptr;
  return success();
}

/// Not left to MLIR: the parsers that its version 22 generates destroy a region that is wrong while
/// operations before this one still use values of it, which they may do ahead of definition.
static ParseResult parseCombiner(OpAsmParser &parser, Region &combiner) {
  if (succeeded(parser.parseRegion(combiner)))
    return success();
  for (Block &block : combiner)
    block.dropAllDefinedValueUses();
  return failure();
}

static void printCombiner(OpAsmPrinter &printer, Operation *, Region &combiner) {
  printer.printRegion(combiner);
}

static ParseResult parseLoadTypes(OpAsmParser &parser, OptionalOperand maskOperand,
                                  OptionalOperand otherOperand, Type &ptr, Type &mask, Type &other,
                                  Type &result) {
  if (parsePointerType(parser, ptr))
    return failure();
  result = resultOfLoad(ptr);
  if (maskOperand)
    mask = maskOf(ptr);
  if (otherOperand)
    other = result;
  return success();
}

static void printLoadTypes(OpAsmPrinter &printer, Operation *, Value, Value, Type ptr, Type, Type,
                           Type) {
  printer << ptr;
}

static ParseResult parseStoreTypes(OpAsmParser &parser, OptionalOperand maskOperand, Type &ptr,
                                   Type &value, Type &mask) {
  if (parsePointerType(parser, ptr))
    return failure();
  value = resultOfLoad(ptr);
  if (maskOperand)
    mask = maskOf(ptr);
  return success();
}

static void printStoreTypes(OpAsmPrinter &printer, Operation *, Value, Type ptr, Type, Type) {
  printer << ptr;
}

#define GET_OP_CLASSES
#include "dialects/Tile/IR/TileOps.cpp.inc"

//===--- Hints --------------------------------------------------------------===//

LogicalResult HintOp::verify() {
  int64_t rank = std::max<int64_t>(shapeOf(getType()).size(), 1);
  auto check = [&](StringRef name, ArrayRef<int64_t> values) -> LogicalResult {
    if (!values.empty() && static_cast<int64_t>(values.size()) != rank)
      return emitOpError() << name << " has " << values.size() << " entries, the value has rank "
                           << rank;
    for (int64_t value : values)
      if (value <= 0)
        return emitOpError() << name << " must be positive, got " << value;
    return success();
  };
  if (failed(check("divisibility", getDivisibility())) ||
      failed(check("contiguity", getContiguity())) || failed(check("constancy", getConstancy())))
    return failure();
  return success();
}

//===--- Shapes --------------------------------------------------------------===//

LogicalResult ArangeOp::verify() {
  int64_t length =
      static_cast<int64_t>(static_cast<int32_t>(getEnd())) - static_cast<int32_t>(getStart());
  if (length <= 0 || !llvm::isPowerOf2_64(length))
    return emitOpError() << "length must be a positive power of two, got " << length;
  if (getType().getDimSize(0) != length)
    return emitOpError() << "result has " << getType().getDimSize(0) << " elements, the range has "
                         << length;
  return success();
}

LogicalResult SplatOp::verify() {
  Type element = cast<RankedTensorType>(getType()).getElementType();
  if (getSource().getType() != element)
    return emitOpError() << "source " << getSource().getType() << " and result element " << element
                         << " must be the same type";
  return success();
}

static LogicalResult verifySameElement(Operation *op, Type source, Type result) {
  if (elementTypeOf(source) != elementTypeOf(result))
    return op->emitOpError() << "source element " << elementTypeOf(source) << " and result element "
                             << elementTypeOf(result) << " must be the same type";
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> expected = shapeOf(getSource().getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > static_cast<int64_t>(expected.size()))
    return emitOpError() << "axis " << axis << " is out of range for a source of rank "
                         << expected.size();
  expected.insert(expected.begin() + axis, 1);
  if (ArrayRef<int64_t>(expected) != ArrayRef<int64_t>(shapeOf(getType())))
    return emitOpError() << "result " << getType() << " must be source " << getSource().getType()
                         << " with a 1 inserted at " << axis;
  return verifySameElement(*this, getSource().getType(), getType());
}

LogicalResult BroadcastOp::verify() {
  SmallVector<int64_t> from = shapeOf(getSource().getType()), to = shapeOf(getType());
  if (from.size() != to.size())
    return emitOpError() << "source " << getSource().getType() << " and result " << getType()
                         << " must have the same rank";
  for (auto [dim, extents] : llvm::enumerate(llvm::zip(from, to))) {
    auto [source, result] = extents;
    if (source != result && source != 1)
      return emitOpError() << "dim " << dim << " of the source (" << source
                           << ") must be 1 or that of the result (" << result << ")";
  }
  return verifySameElement(*this, getSource().getType(), getType());
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType()), to = cast<RankedTensorType>(getType());
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "source has " << from.getNumElements() << " elements, the result has "
                         << to.getNumElements();
  return verifySameElement(*this, from, to);
}

LogicalResult TransOp::verify() {
  SmallVector<int64_t> from = shapeOf(getSource().getType()), to = shapeOf(getType());
  ArrayRef<int32_t> order = getOrder();
  if (order.size() != from.size() || order.size() != to.size())
    return emitOpError() << "order has " << order.size() << " entries, the source has rank "
                         << from.size() << " and the result rank " << to.size();
  SmallVector<bool> seen(order.size(), false);
  for (auto [dim, source] : llvm::enumerate(order)) {
    if (source < 0 || source >= static_cast<int32_t>(order.size()) || seen[source])
      return emitOpError() << "order must be a permutation of 0 to " << order.size() - 1;
    seen[source] = true;
    if (to[dim] != from[source])
      return emitOpError() << "dim " << dim << " of the result (" << to[dim] << ") must be dim "
                           << source << " of the source (" << from[source] << ")";
  }
  return verifySameElement(*this, getSource().getType(), getType());
}

//===--- Pointers ------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  return verifySameShape(*this, "offset", getOffset().getType(), "pointer", getPtr().getType());
}

LogicalResult PtrCastOp::verify() {
  return verifySameShape(*this, "source", getSource().getType(), "result", getType());
}

static LogicalResult verifyAddress(Operation *op, Type address, Type ptr) {
  if (!elementTypeOf(address).isInteger(64))
    return op->emitOpError() << "address must be i64, got " << elementTypeOf(address);
  return verifySameShape(op, "address", address, "pointer", ptr);
}

LogicalResult PtrToIntOp::verify() {
  return verifyAddress(*this, getType(), getSource().getType());
}

LogicalResult IntToPtrOp::verify() {
  return verifyAddress(*this, getSource().getType(), getType());
}

//===--- Memory ---------------------------------------------------------------===//

Type LoadOp::getPointeeType() {
  return cast<PtrType>(elementTypeOf(getPtr().getType())).getPointeeType();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  if (getIsVolatile()) // neither dropped nor merged with another
    effects.emplace_back(MemoryEffects::Write::get(), &getPtrMutable());
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other) {
  build(builder, state, resultOfLoad(ptr.getType()), ptr, mask, other, CacheModifier::none,
        EvictionPolicy::normal, /*is_volatile=*/false);
}

/// The cache operators of `op` are those that PTX has for it.
static LogicalResult verifyCache(Operation *op, CacheModifier cache,
                                 ArrayRef<CacheModifier> allowed) {
  if (cache == CacheModifier::none || llvm::is_contained(allowed, cache))
    return success();
  auto diagnostic = op->emitOpError() << "cache modifier '" << stringifyCacheModifier(cache)
                                      << "' must be one of 'none'";
  for (CacheModifier one : allowed)
    diagnostic << ", '" << stringifyCacheModifier(one) << "'";
  return diagnostic;
}

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (getType() != resultOfLoad(ptr))
    return emitOpError() << "result " << getType() << " must be " << resultOfLoad(ptr)
                         << ", what the pointer " << ptr << " points to";
  if (getOther() && !getMask())
    return emitOpError("has 'other' without 'mask'");
  if (getMask() && getMask().getType() != maskOf(ptr))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of pointer "
                         << ptr;
  if (getOther() && getOther().getType() != getType())
    return emitOpError() << "other " << getOther().getType() << " must have the type of the result "
                         << getType();
  return verifyCache(*this, getCache(),
                     {CacheModifier::ca, CacheModifier::cg, CacheModifier::cs, CacheModifier::cv});
}

LogicalResult StoreOp::verify() {
  Type ptr = getPtr().getType();
  if (getValue().getType() != resultOfLoad(ptr))
    return emitOpError() << "value " << getValue().getType() << " must be " << resultOfLoad(ptr)
                         << ", what the pointer " << ptr << " points to";
  if (getMask() && getMask().getType() != maskOf(ptr))
    return emitOpError() << "mask " << getMask().getType() << " must have the shape of pointer "
                         << ptr;
  return verifyCache(*this, getCache(),
                     {CacheModifier::wb, CacheModifier::cg, CacheModifier::cs, CacheModifier::wt});
}

//===--- Reductions ------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, int axis) {
  state.addOperands(operands);
  state.addAttribute("axis", builder.getI32IntegerAttr(axis));
  state.addRegion();
  for (Value operand : operands) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    state.addTypes(shape.empty() ? type.getElementType()
                                 : Type(RankedTensorType::get(shape, type.getElementType())));
  }
}

LogicalResult ReduceOp::verify() {
  if (getOperands().empty())
    return emitOpError("needs at least one operand");
  if (getNumResults() != getNumOperands())
    return emitOpError() << "has " << getNumOperands() << " operands and " << getNumResults()
                         << " results; their numbers must agree";
  SmallVector<int64_t> shape = shapeOf(getOperand(0).getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return emitOpError() << "axis " << axis << " is out of range for operands of rank "
                         << shape.size();
  shape.erase(shape.begin() + axis);
  SmallVector<Type> arguments;
  for (auto [index, operand, result] : llvm::enumerate(getOperands(), getResults())) {
    if (failed(verifySameShape(*this, "operand", operand.getType(), "the first operand",
                               getOperand(0).getType())))
      return failure();
    Type element = elementTypeOf(operand.getType());
    if (elementTypeOf(result.getType()) != element ||
        ArrayRef<int64_t>(shapeOf(result.getType())) != ArrayRef<int64_t>(shape))
      return emitOpError() << "result " << index << " " << result.getType() << " must be operand "
                           << operand.getType() << " without dimension " << axis;
    arguments.push_back(element);
  }
  Block &body = getCombiner().front();
  SmallVector<Type> elements = arguments;
  llvm::append_range(arguments, elements);
  if (body.getArgumentTypes() != TypeRange(arguments))
    return emitOpError() << "combiner must take the elements of all operands twice, "
                         << arguments.size() << " arguments, got " << body.getNumArguments();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return emitOpError("combiner must end in 'tile.yield'");
  if (yield.getValues().getTypes() != TypeRange(elements))
    return emitOpError("combiner must yield one element for each operand");
  return success();
}
