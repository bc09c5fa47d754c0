// Parameter types: annotations, and Triton's signature notation.
#include "lib/Frontend/MLIRGen/Signature.h"

#include "lib/Frontend/ASTWalk.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/MLIRGen/Roles.h"
#include "lib/Frontend/MLIRGen/Scope.h"

#include "llvm/Support/MathExtras.h"

namespace tilec::frontend {

std::string ParamType::str() const {
  if (!isDescriptor())
    return type.str();
  return "tensordesc<" + TileType(type, block).str() + (padsWithNaN ? ", nan>" : ">");
}

/// What stands behind "tensordesc<".
static std::optional<ParamType> parseDescriptor(llvm::StringRef text) {
  auto [element, rest] = text.split('[');
  auto [extents, tail] = rest.split(']');
  std::optional<DType> type = parseDType(element);
  tail = tail.trim();
  ParamType result;
  if (tail.consume_front(",")) {
    tail = tail.trim();
    if (!tail.consume_front("nan"))
      return std::nullopt;
    result.padsWithNaN = true;
  }
  // `:16` promises that the extents of the shape are multiples of 16.
  auto [end, hint] = tail.trim().split(':');
  if (tail.contains(':') &&
      (hint.trim().getAsInteger(10, result.divisibility) || result.divisibility == 0))
    return std::nullopt;
  if (!type || type->isPointer() || *type == DType(Scalar::Void) || end.trim() != ">" ||
      (result.padsWithNaN && !type->isFloat()))
    return std::nullopt;
  result.type = type->isBool() ? DType(Scalar::I8) : *type;
  llvm::SmallVector<llvm::StringRef, 5> parts;
  extents.split(parts, ',');
  int64_t count = 1;
  for (llvm::StringRef part : parts) {
    int64_t extent;
    if (part.trim().getAsInteger(10, extent) || extent <= 0 || extent > kMaxElements ||
        !llvm::isPowerOf2_64(static_cast<uint64_t>(extent)))
      return std::nullopt;
    count *= extent;
    if (count > kMaxElements || result.block.size() == 5)
      return std::nullopt;
    result.block.push_back(extent);
  }
  // What lies contiguously has at least 16 bytes.
  if (result.block.back() * result.type.getBits() < 128)
    return std::nullopt;
  return result;
}

std::optional<ParamType> parseParamType(llvm::StringRef text) {
  if (llvm::StringRef rest = text.trim(); rest.consume_front("tensordesc<"))
    return parseDescriptor(rest);
  auto [name, hint] = text.trim().split(':');
  std::optional<DType> type = parseDType(name);
  if (!type || *type == DType(Scalar::Void))
    return std::nullopt;
  ParamType result{*type};
  hint = hint.trim();
  if (hint.empty())
    return text.contains(':') ? std::nullopt : std::optional(result);
  if (hint.getAsInteger(10, result.divisibility) || result.divisibility == 0)
    return std::nullopt;
  result.isOne = result.divisibility == 1 && type->isInt();
  // Floats are never specialised [R42].
  if (type->isFloat() || type->isBool())
    result.divisibility = 1;
  return result;
}

bool looksLikeType(llvm::StringRef entry) {
  if (entry.starts_with("*") || entry.ends_with("*") || entry.starts_with("tensordesc"))
    return true;
  llvm::StringRef name = entry.split(':').first.trim();
  if (parseDType(name))
    return entry.contains(':');
  llvm::StringRef width = name.drop_while([](char c) { return llvm::isAlpha(c); });
  bool isKind = llvm::is_contained({"i", "u", "fp", "bf", "int", "uint", "float"},
                                   name.drop_back(width.size()));
  return isKind && !width.empty() && llvm::all_of(width, llvm::isDigit);
}

llvm::SmallVector<llvm::StringRef, 16> splitSignature(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 16> entries;
  if (text.trim().empty())
    return entries;
  size_t begin = 0;
  int nesting = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '<') {
      ++nesting;
    } else if (c == ')' || c == ']' || c == '>') {
      --nesting;
    } else if (c == ',' && nesting == 0) {
      entries.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  // A comma at the end ends nothing.
  if (!text.drop_front(begin).trim().empty())
    entries.push_back(text.drop_front(begin).trim());
  return entries;
}

Annotation readAnnotation(const ast::Expr *annotation) {
  Annotation result;
  if (!annotation)
    return result;
  if (auto *text = llvm::dyn_cast<ast::StringLiteral>(annotation)) {
    llvm::StringRef value = text->value.trim();
    result.isConstexpr = value.contains("constexpr");
    result.type = parseParamType(value);
    // Names of classes stand as strings too; what begins like a type should be one.
    result.isBadString =
        !result.isConstexpr && !result.type &&
        (value.starts_with("*") || value.starts_with("tensordesc") || value.contains(':'));
    return result;
  }
  llvm::StringRef name;
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(annotation))
    name = attribute->attr;
  else if (auto *plain = llvm::dyn_cast<ast::NameExpr>(annotation))
    name = plain->name;
  else if (llvm::isa<ast::SubscriptExpr, ast::BinaryExpr, ast::TupleExpr>(annotation)) {
    // `tl.constexpr[int]`, `tl.constexpr | None`, `Optional[tl.constexpr]`
    ast::forEachChild(annotation, [&](const ast::Expr *part) {
      result.isConstexpr |= readAnnotation(part).isConstexpr;
    });
    return result;
  } else if (auto *call = llvm::dyn_cast<ast::CallExpr>(annotation)) {
    // `tl.pointer_type(tl.float32)`
    auto *callee = llvm::dyn_cast<ast::AttributeExpr>(call->callee);
    if (callee && callee->attr == "pointer_type" && !call->args.empty())
      if (Annotation pointee = readAnnotation(call->args[0]); pointee.type)
        result.type = ParamType{pointee.type->type.getPointerTo()};
    return result;
  }
  result.isConstexpr = name == "constexpr";
  // `tl.int32`, but not Python's `int` and `float`, which name no width.
  if (llvm::isa<ast::AttributeExpr>(annotation) && name.size() > 3)
    if (std::optional<DType> type = parseDType(name); type && *type != DType(Scalar::Void))
      result.type = ParamType{*type};
  return result;
}

} // namespace tilec::frontend

namespace tilec {

bool KernelInfo::isTyped() const {
  bool hasRunTime = false;
  for (const ParamInfo &param : params) {
    if (param.isConstexpr)
      continue;
    hasRunTime = true;
    if (param.type.empty())
      return false;
  }
  return hasRunTime;
}

static KernelInfo describe(const ast::FunctionDef *function) {
  KernelInfo info;
  info.name = function->name.str();
  info.range = function->nameRange;
  for (const ast::Param *param : function->params) {
    frontend::Annotation annotation = frontend::readAnnotation(param->annotation);
    ParamInfo result;
    result.name = param->name.str();
    result.isConstexpr = annotation.isConstexpr;
    if (annotation.type) {
      result.type = annotation.type->str();
      result.divisibility = annotation.type->divisibility;
    }
    result.hasDefault = param->defaultValue != nullptr;
    result.range = param->range;
    info.params.push_back(std::move(result));
  }
  return info;
}

std::vector<KernelInfo> listKernels(const ast::Module &module) {
  std::vector<KernelInfo> kernels;
  frontend::forEachJitFunction(module.body,
                               [&](const ast::FunctionDef *function, const std::string &) {
                                 kernels.push_back(describe(function));
                               });
  return kernels;
}

std::optional<size_t> findOnlyKernel(const ast::Module &module) {
  llvm::SmallVector<const ast::FunctionDef *> functions;
  frontend::forEachJitFunction(module.body,
                               [&](const ast::FunctionDef *function, const std::string &) {
                                 functions.push_back(function);
                               });
  if (functions.size() == 1)
    return 0;
  frontend::RoleFinder roles(functions);
  std::optional<size_t> only;
  for (auto [index, function] : llvm::enumerate(functions)) {
    if (frontend::returnsValue(function) || !roles.getCallers(function->name).empty())
      continue;
    if (only)
      return std::nullopt;
    only = index;
  }
  return only;
}

} // namespace tilec
