// `a.b` and `a[b]`.
#include "lib/Frontend/MLIRGen/Blocks.h"
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"

#include "dialects/Tile/IR/Tile.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace mlir;

namespace tilec::frontend {

static Value shapeValue(llvm::ArrayRef<int64_t> shape) {
  std::vector<Value> extents;
  for (int64_t extent : shape)
    extents.push_back(Value::integer(extent));
  return Value::tuple(std::move(extents));
}

Value Generator::getTensorAttribute(const Value &tensor, const ast::AttributeExpr *expr) {
  const TileType &type = tensor.getType();
  if (expr->attr == "dtype")
    return Value::type(type.element);
  if (expr->attr == "type")
    return Value::type(type);
  if (expr->attr == "shape")
    return shapeValue(type.shape);
  if (expr->attr == "numel")
    return Value::integer(type.getNumElements());
  if (expr->attr == "T") {
    if (type.shape.size() != 2)
      return error(expr->range) << "'.T' takes a tensor of rank 2, not " << tensor.describe()
                                << "; use tl.permute";
    return permute(tensor, {1, 0});
  }
  if (const Builtin *method = findTensorMethod(expr->attr))
    return Value::method(method, tensor);
  if (const Builtin *method = findBuiltin("tensor", expr->attr))
    return Value::method(method, tensor);
  if (Value method = getPreludeMethod(tensor, expr->attr); !method.isPoison())
    return method;
  return error(expr->attrRange) << tensor.describe() << " has no attribute '" << expr->attr << "'";
}

Value Generator::getTypeAttribute(const Value &type, const ast::AttributeExpr *expr) {
  const TileType &tile = type.getType();
  DType element = tile.element;
  llvm::StringRef name = expr->attr;
  if (name == "element_ty") {
    if (!type.getElements().empty())
      return type.getElements().front();
    if (!tile.isScalar())
      return Value::type(element);
    if (element.isPointer())
      return Value::type(element.getPointee());
    return error(expr->range) << "type " << tile << " has no element type";
  }
  if (name == "scalar" || name == "dtype")
    return Value::type(element);
  if (name == "value")
    return type;
  if (name == "shape")
    return shapeValue(tile.shape);
  if (name == "numel")
    return Value::integer(tile.getNumElements());
  if (name == "primitive_bitwidth")
    return Value::integer(element.getBits());
  if (name == "int_bitwidth")
    return element.isInt() ? Value::integer(element.getBits())
                           : Value(error(expr->range) << "type " << tile << " is no integer");
  if (name == "itemsize")
    return Value::integer((element.getBits() + 7) / 8);
  if (name == "fp_mantissa_width")
    return Value::integer(element.getMantissaBits());
  if (name == "name")
    return Value::string(element.getName());
  if (const Builtin *method = findBuiltin("dtype", name))
    return Value::method(method, type);
  return error(expr->attrRange) << "a type has no attribute '" << name << "'";
}

/// `torch.finfo(T).max` and its like.
static std::optional<Value> getLimit(MLIRContext *context, DType type, llvm::StringRef name) {
  if (name == "bits")
    return Value::integer(type.getBits());
  if (type.isInt()) {
    unsigned bits = type.getBits();
    Int half = Int(1) << (bits - 1);
    if (name == "max")
      return Value::integer(type.isUnsigned() ? (half << 1) - 1 : half - 1);
    if (name == "min")
      return Value::integer(type.isUnsigned() ? Int(0) : -half);
    return std::nullopt;
  }
  if (!type.isFloat())
    return std::nullopt;
  const llvm::fltSemantics &semantics = cast<FloatType>(type.toMLIR(context)).getFloatSemantics();
  llvm::APFloat value = llvm::APFloat::getLargest(semantics, /*Negative=*/name == "min");
  if (name == "tiny" || name == "smallest_normal")
    value = llvm::APFloat::getSmallestNormalized(semantics);
  else if (name == "eps")
    return Value::floating(std::ldexp(1.0, -static_cast<int>(type.getMantissaBits())));
  else if (name != "max" && name != "min")
    return std::nullopt;
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return Value::floating(value.convertToDouble());
}

Value Generator::emitAttribute(const ast::AttributeExpr *expr) {
  return getAttribute(emit(expr->base), expr);
}

Value Generator::tryAttribute(const Value &base, llvm::StringRef name, SourceRange range) {
  auto *anonymous = astContext.make<ast::NameExpr>(range, astContext.intern("object"));
  auto *expr =
      astContext.make<ast::AttributeExpr>(range, anonymous, astContext.intern(name), range);
  llvm::SaveAndRestore<unsigned> quiet(quietDepth, quietDepth + 1);
  llvm::SaveAndRestore<unsigned> errors(quietErrors, 0);
  Value value = getAttribute(base, expr);
  return quietErrors != 0 ? Value() : value;
}

Value Generator::getAttribute(const Value &base, const ast::AttributeExpr *expr) {
  switch (base.getKind()) {
  case Value::Kind::Poison:
    return base;
  case Value::Kind::Tensor:
    return getTensorAttribute(base, expr);
  case Value::Kind::BlockPointer:
  case Value::Kind::Descriptor:
    return getBlocksAttribute(*this, base, expr);
  case Value::Kind::Type:
    return getTypeAttribute(base, expr);
  case Value::Kind::Module:
    return getModuleMember(base, expr->attr, expr->range);
  case Value::Kind::Info:
    if (std::optional<Value> limit = getLimit(context, base.getDType(), expr->attr))
      return *limit;
    break;
  case Value::Kind::Opaque:
    return Value::opaque(("'" + expr->attr + "' of " + base.getText()).str(), base.getRange());
  case Value::Kind::Bool:
  case Value::Kind::Int:
  case Value::Kind::Float:
    // A compile-time number is its own value; what is done to tensors makes it one.
    if (expr->attr == "value")
      return base;
    if (expr->attr == "bit_length" || findTensorMethod(expr->attr))
      if (const Builtin *method = expr->attr == "bit_length" ? findBuiltin("int", expr->attr)
                                                             : findTensorMethod(expr->attr))
        return Value::method(method, base);
    if (Value method = getPreludeMethod(base, expr->attr); !method.isPoison())
      return method;
    if (expr->attr == "dtype" || expr->attr == "type" || expr->attr == "shape") {
      Value tensor = toTensor(base, expr->range);
      return tensor.isPoison() ? tensor : getTensorAttribute(tensor, expr);
    }
    break;
  case Value::Kind::Record:
    if (std::optional<Value> field = findEntry(base, Value::string(expr->attr)))
      return *field;
    if (const Builtin *method = findBuiltin(base.getText(), expr->attr))
      return Value::method(method, base);
    break;
  case Value::Kind::Object:
    if (Value attribute = getObjectAttribute(base, expr->attr, expr->range); !attribute.isPoison())
      return attribute;
    break;
  case Value::Kind::None:
  case Value::Kind::String:
  case Value::Kind::Tuple:
  case Value::Kind::Dict:
  case Value::Kind::Function:
    if (base.isTuple() && base.getScope())
      if (Value field = getObjectAttribute(base, expr->attr, expr->range); !field.isPoison())
        return field;
    if (expr->attr == "value")
      return base;
    if (llvm::StringRef cls = base.isString()              ? "str"
                              : base.isTuple()             ? "list"
                              : base.is(Value::Kind::Dict) ? "dict"
                                                           : "";
        !cls.empty())
      if (const Builtin *method = findBuiltin(cls, expr->attr))
        return Value::method(method, base);
    if (expr->attr == "__name__" && base.is(Value::Kind::Function))
      return Value::string(base.getFunction()->name);
    break;
  case Value::Kind::Builtin:
    if (expr->attr == "__name__")
      return Value::string(base.getBuiltin()->name);
    break;
  default:
    break;
  }
  return error(expr->attrRange) << base.describe() << " has no attribute '" << expr->attr << "'";
}

Value Generator::indexTensor(const Value &tensor, const ast::SubscriptExpr *expr) {
  // Only `:` and None, which adds a dimension [R10].
  llvm::ArrayRef<ast::Expr *> indices = expr->index;
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr->index))
    indices = tuple->elements;
  Value result = tensor;
  for (auto [position, index] : llvm::enumerate(indices)) {
    size_t rank = result.getType().shape.size();
    if (auto *slice = llvm::dyn_cast<ast::SliceExpr>(index)) {
      for (const ast::Expr *bound : {slice->lower, slice->upper, slice->step}) {
        Value value = bound ? emit(bound) : Value::none();
        if (value.isPoison())
          return value;
        if (!value.isNone())
          return error(index->range) << "a slice with bounds is not supported on a tensor; "
                                        "only ':' and None index it";
      }
      // Scalars take any number of ':'.
      if (position >= rank && !tensor.getType().isScalar())
        return error(expr->range) << "too many indices for " << tensor.describe()
                                  << ", which has rank " << tensor.getType().shape.size();
      continue;
    }
    Value value = emit(index);
    if (value.isPoison())
      return value;
    if (!value.isNone())
      return error(index->range) << "cannot index " << tensor.describe() << " with "
                                 << value.describe()
                                 << (tensor.getType().element.isPointer()
                                         ? "; load what it points to, as in tl.load(x + i)"
                                         : "; only ':' and None index a tensor");
    if (position > rank && !tensor.getType().isScalar())
      return error(expr->range) << "too many indices for " << tensor.describe()
                                << ", which has rank " << tensor.getType().shape.size();
    result = expandDims(result, static_cast<int64_t>(std::min(position, rank)));
    if (!checkShape(result.getType().shape, expr->range))
      return Value();
  }
  return result;
}

Value Generator::emitSubscript(const ast::SubscriptExpr *expr) {
  Value base = emit(expr->base);
  if (base.isPoison())
    return base;
  if (base.isTensor())
    return indexTensor(base, expr);
  if (auto *slice = llvm::dyn_cast<ast::SliceExpr>(expr->index);
      slice && (base.isTuple() || base.isString())) {
    Value bounds[3];
    const ast::Expr *parts[3] = {slice->lower, slice->upper, slice->step};
    for (auto [bound, part] : llvm::zip(bounds, parts)) {
      bound = part ? emit(part) : Value::none();
      if (bound.isPoison())
        return bound;
    }
    charge(base);
    return folded(foldSlice(base, bounds[0], bounds[1], bounds[2]), slice->range);
  }
  if (base.is(Value::Kind::Object))
    if (Value method = getObjectAttribute(base, "__getitem__", expr->range); !method.isPoison()) {
      Value index = emit(expr->index);
      return index.isPoison() ? index : call(method, index, expr->range, expr->index->range);
    }
  FileScope *cls = findClass(base);
  if (!base.isTuple() && !base.isString() && !base.is(Value::Kind::Dict) && !cls)
    return error(expr->range) << "cannot index " << base.describe();
  Value index = emit(expr->index);
  if (index.isPoison())
    return index;
  if (cls) {
    Value member = index.isString() ? getClassMember(*cls, index.getText()) : Value();
    return member.isPoison()
               ? Value(error(expr->range) << "class '" << nameOfClass(*cls) << "' has no member "
                                          << index.toPython(true))
               : member;
  }
  // A tuple alone is not gone through.
  if (!base.isTuple())
    charge(base);
  if (base.is(Value::Kind::Dict)) {
    if (std::optional<Value> value = findEntry(base, index))
      return *value;
    return error(expr->range) << base.describe() << " has no key " << index.toPython(true);
  }
  return folded(foldSubscript(base, index), expr->range);
}

} // namespace tilec::frontend
