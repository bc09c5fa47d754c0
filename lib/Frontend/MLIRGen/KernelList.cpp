// Describes the kernels of a file without compiling them.
#include "lib/Frontend/MLIRGen/KernelList.h"

#include "lib/Frontend/ASTWalk.h"
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Roles.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

namespace {
/// A jit function, and how it is named from outside.
struct Found {
  const ast::FunctionDef *function;
  std::string name;
};
} // namespace

static LiteralInfo toLiteral(const Value &value) {
  using Kind = LiteralInfo::Kind;
  Kind kind = value.isNone()                ? Kind::None
              : value.is(Value::Kind::Bool) ? Kind::Bool
              : value.isNumber()            ? Kind::Number
              : value.isString()            ? Kind::String
                                            : Kind::Other;
  return {kind, value.isTensor() ? std::string() : value.toPython()};
}

/// The decorator of that name, as a call.
static const ast::CallExpr *findDecorator(const ast::FunctionDef *function, llvm::StringRef name) {
  for (const ast::Expr *decorator : function->decorators) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(decorator);
    if (!call)
      continue;
    auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(call->callee);
    auto *plain = llvm::dyn_cast<ast::NameExpr>(call->callee);
    if ((attribute && attribute->attr == name) || (plain && plain->name == name))
      return call;
  }
  return nullptr;
}

static const ast::Expr *findArgument(const ast::CallExpr *call, llvm::StringRef name,
                                     size_t position) {
  for (const ast::Keyword *keyword : call->keywords)
    if (keyword->name == name)
      return keyword->value;
  return position < call->args.size() ? call->args[position] : nullptr;
}

/// A `triton.Config`; false if the value is none.
static bool readConfig(const Value &value, ConfigDescription &config) {
  if (!value.is(Value::Kind::Record) || value.getText() != "triton.Config")
    return false;
  llvm::ArrayRef<Value> fields = value.getElements();
  for (size_t i = 0; i + 1 < fields.size(); i += 2) {
    if (fields[i].getText() != "kwargs") {
      config.options.push_back({fields[i].getText().str(), toLiteral(fields[i + 1])});
      continue;
    }
    llvm::ArrayRef<Value> entries = fields[i + 1].getElements();
    for (size_t j = 0; j + 1 < entries.size(); j += 2)
      config.values.push_back({entries[j].toPython(), toLiteral(entries[j + 1])});
  }
  return true;
}

void Generator::describeTuning(const ast::FunctionDef *function, KernelDescription &kernel) {
  Frame moduleFrame;
  moduleFrame.file = mainFile;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  auto textOf = [&](const ast::Expr *expr) { return sources.getText(expr->range).str(); };
  auto readNames = [&](const ast::Expr *expr) {
    std::vector<std::string> names;
    Value list = expr ? tryConstant(expr) : Value();
    for (const Value &name : list.getElements())
      names.push_back(name.toPython());
    return names;
  };
  if (const ast::CallExpr *autotune = findDecorator(function, "autotune")) {
    if (const ast::Expr *configs = findArgument(autotune, "configs", 0)) {
      Value list = tryConstant(configs);
      bool isKnown = list.isTuple();
      for (const Value &value : list.getElements()) {
        kernel.configs.emplace_back();
        isKnown &= readConfig(value, kernel.configs.back());
      }
      if (!isKnown) {
        kernel.configs.clear();
        kernel.configsText = textOf(configs);
      }
    }
    kernel.key = readNames(findArgument(autotune, "key", 1));
  }
  if (const ast::CallExpr *heuristics = findDecorator(function, "heuristics"))
    if (const ast::Expr *values = findArgument(heuristics, "values", 0)) {
      if (auto *dict = llvm::dyn_cast<ast::DictExpr>(values)) {
        for (auto [key, value] : llvm::zip(dict->keys, dict->values))
          if (key)
            kernel.heuristics.push_back({tryConstant(key).toPython(), textOf(value)});
      } else {
        kernel.heuristics.push_back({"", textOf(values)});
      }
    }
  const ast::CallExpr *jit = findDecorator(function, "jit");
  if (const ast::Expr *plain = jit ? findArgument(jit, "do_not_specialize", SIZE_MAX) : nullptr) {
    Value list = tryConstant(plain);
    for (const Value &which : list.getElements())
      for (auto [index, param] : llvm::enumerate(kernel.params))
        if ((which.isString() && which.getText() == param.name) ||
            (which.isIntegral() && which.getInt() == static_cast<Int>(index)))
          param.doNotSpecialize = true;
  }
}

std::vector<KernelDescription> Generator::describeKernels(const ast::Module &module) {
  if (!loadMain(module))
    return {};
  std::vector<Found> found;
  forEachJitFunction(module.body, [&](const ast::FunctionDef *function, const std::string &prefix) {
    found.push_back({function, prefix + function->name.str()});
  });
  llvm::SmallVector<const ast::FunctionDef *> functions;
  for (const Found &one : found)
    functions.push_back(one.function);
  RoleFinder roles(functions);
  std::vector<KernelDescription> kernels;
  for (const Found &one : found) {
    const ast::FunctionDef *function = one.function;
    KernelDescription kernel;
    kernel.name = one.name;
    kernel.range = function->nameRange;
    for (const ast::Param *param : function->params) {
      ParamDescription description;
      description.name = param->name.str();
      Annotation annotation = readAnnotation(param->annotation);
      if (param->annotation)
        description.annotation = sources.getText(param->annotation->range).str();
      if (param->defaultValue)
        description.defaultText = sources.getText(param->defaultValue->range).str();
      if (annotation.type && !annotation.isConstexpr)
        description.type = annotation.type->str();
      description.role = annotation.isConstexpr                   ? ParamRole::Constexpr
                         : roles.isPointer(function, param->name) ? ParamRole::Pointer
                         : roles.isUsed(function, param->name)    ? ParamRole::Scalar
                                                                  : ParamRole::Unused;
      if (llvm::StringRef(description.type).starts_with("*"))
        description.role = ParamRole::Pointer;
      kernel.params.push_back(std::move(description));
    }
    kernel.returnsValue = returnsValue(function);
    for (const ast::FunctionDef *caller : roles.getCallers(function->name))
      kernel.callers.push_back(caller->name.str());
    describeTuning(function, kernel);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

} // namespace tilec::frontend

namespace tilec {

llvm::StringRef getRoleName(ParamRole role) {
  static constexpr llvm::StringLiteral names[] = {"constexpr", "pointer", "scalar", "unused"};
  return names[static_cast<unsigned>(role)];
}

llvm::StringRef guessType(ParamRole role, llvm::StringRef annotation) {
  if (role == ParamRole::Pointer)
    return "*fp32";
  return llvm::StringSwitch<llvm::StringRef>(annotation)
      .Case("float", "fp32")
      .Case("bool", "i1")
      .Default("i32");
}

std::vector<KernelDescription> describeKernels(MLIRContext &context, const ast::Module &module,
                                               SourceManager &sources, DiagnosticEngine &diags,
                                               const FrontendOptions &options) {
  return frontend::Generator(context, sources, diags, options).describeKernels(module);
}

} // namespace tilec
