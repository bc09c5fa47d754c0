// Kernels: which ones, with which parameters; and the module they stand in.
#include "dialects/Tile/IR/KernelAttrs.h"
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/KernelList.h"
#include "lib/Frontend/MLIRGen/Roles.h"
#include "lib/Frontend/Parser.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilec::frontend {

Generator::Generator(MLIRContext &context, SourceManager &sources, DiagnosticEngine &diags,
                     const FrontendOptions &options)
    : context(&context), builder(&context, &made), sources(sources), diags(diags), options(options),
      currentLoc(UnknownLoc::get(&context)) {
  context.loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                      func::FuncDialect>();
}

/// Evaluates what the command line gives, where the short names of types are known.
Value Generator::evaluateText(llvm::StringRef what, llvm::StringRef text) {
  if (std::optional<DType> type = parseDType(text); type && text.starts_with("*"))
    return Value::type(*type);
  FileID file = sources.addText(what, text);
  const ast::Expr *expr = parseExpression(sources, file, diags, astContext);
  if (!expr)
    return Value();
  Frame commandLine;
  commandLine.file = mainFile;
  for (int i = static_cast<int>(Scalar::I1); i <= static_cast<int>(Scalar::FP64); ++i) {
    DType type(static_cast<Scalar>(i));
    llvm::StringRef name = astContext.intern(type.str());
    commandLine.scope[name] = Binding{Value::type(type), {}, Binding::State::Bound};
  }
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &commandLine);
  Value value = tryConstant(expr);
  bool isValue = !value.isPoison() && !value.is(Value::Kind::Opaque) &&
                 (!value.is(Value::Kind::Module) || llvm::isa<ast::AttributeExpr>(expr));
  if (isValue)
    return value;
  if (llvm::isa<ast::NameExpr>(expr)) {
    std::optional<DType> type = parseDType(text);
    return error(expr->range) << "'" << text << "' is no value and no name of the file; "
                              << (type ? "write " + type->str() + " for the type, or " : "")
                              << "put a string in quotes, as in \"'" << text << "'\"";
  }
  return error(expr->range) << "'" << text << "' is not a compile-time value";
}

/// What decorators say of a parameter's value.
std::string Generator::valueHint(const ast::FunctionDef *function, llvm::StringRef param) {
  KernelDescription kernel;
  describeTuning(function, kernel);
  if (!kernel.configs.empty())
    for (const auto &[name, value] : kernel.configs.front().values)
      if (name == param)
        return "; in the autotuner's first configuration it is " + value.text;
  for (const auto &[name, text] : kernel.heuristics)
    if (name == param)
      return "; the file computes it by " + text;
  return "";
}

Value Generator::valueOfConstexpr(const ast::FunctionDef *function, const ast::Param *param) {
  if (auto define = defines.find(param->name); define != defines.end()) {
    usedDefines.insert(param->name);
    return define->second;
  }
  if (!param->defaultValue)
    return error(param->range) << "constexpr parameter '" << param->name << "' of '"
                               << function->name << "' has no value; give -D " << param->name
                               << "=VALUE" << valueHint(function, param->name);
  Frame moduleFrame;
  moduleFrame.file = mainFile;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &moduleFrame);
  Value value = tryConstant(param->defaultValue);
  if (value.isPoison())
    return error(param->defaultValue->range)
           << "the default of '" << param->name << "' is not known at compile time";
  return value;
}

/// How a parameter without a type is annotated, by what it is used as.
static std::string annotationFor(const ast::Module &module, const ast::FunctionDef *function,
                                 const ast::Param *param, llvm::StringRef annotation) {
  llvm::SmallVector<const ast::FunctionDef *> functions;
  forEachJitFunction(module.body, [&](const ast::FunctionDef *one, const std::string &) {
    functions.push_back(one);
  });
  if (!llvm::is_contained(functions, function))
    functions.push_back(function);
  bool isPointer = RoleFinder(functions).isPointer(function, param->name);
  llvm::StringRef type = guessType(isPointer ? ParamRole::Pointer : ParamRole::Scalar, annotation);
  std::string text = (param->name + ": \"" + type + "\"").str();
  return isPointer ? text : text + " or " + param->name.str() + ": tl.constexpr";
}

/// Python's own names of types say nothing of the width.
static std::string widthHint(const ast::Expr *annotation) {
  if (auto *text = llvm::dyn_cast_or_null<ast::StringLiteral>(annotation))
    return ("; \"" + text->value + "\" is the name of no type").str();
  auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(annotation);
  llvm::StringRef type = llvm::StringSwitch<llvm::StringRef>(name ? name->name : "")
                             .Case("float", "fp32")
                             .Case("int", "i32")
                             .Case("bool", "i1")
                             .Default("");
  if (type.empty())
    return "";
  return ("; '" + name->name + "' names no width, '" + type + "' does").str();
}

bool Generator::readSignature(KernelRequest &request) {
  const ast::FunctionDef *function = request.function;
  llvm::SmallVector<llvm::StringRef, 16> entries = splitSignature(options.signature);
  if (entries.size() > function->params.size()) {
    error(function->nameRange) << "the signature has " << entries.size() << " entries, but '"
                               << function->name << "' has " << function->params.size()
                               << " parameters";
    return false;
  }
  bool ok = true;
  for (auto [index, param] : llvm::enumerate(function->params)) {
    ParamSpec spec;
    spec.param = param;
    llvm::StringRef entry = index < entries.size() ? entries[index] : "";
    Annotation annotation = readAnnotation(param->annotation);
    std::optional<ParamType> type = entry.empty() ? annotation.type : parseParamType(entry);
    bool isDefined = defines.count(param->name);
    if (param->paramKind == ast::ParamKind::VarPositional ||
        param->paramKind == ast::ParamKind::VarKeyword) {
      error(param->range) << "a kernel cannot take '" << sources.getText(param->range) << "'";
      ok = false;
      continue;
    }
    if (entry.empty() && annotation.isBadString) {
      error(param->annotation->range) << "'" << sources.getText(param->annotation->range)
                                      << "' is no parameter type; types are like \"*fp32:16\"";
      ok = false;
      continue;
    }
    if (!type && looksLikeType(entry)) {
      error(param->nameRange) << "'" << entry << "' in the signature is no type for '"
                              << param->name
                              << "'; types are like '*fp32:16', 'i32' or 'constexpr'";
      ok = false;
      continue;
    }
    if (entry == "constexpr" || (entry.empty() && (annotation.isConstexpr || isDefined))) {
      spec.value = valueOfConstexpr(function, param);
    } else if (annotation.isConstexpr && type) {
      spec.value = Value::type(type->type);
    } else if (type && type->isOne) {
      spec.value = Value::integer(1);
    } else if (type) {
      spec.type = type;
    } else if (!entry.empty()) {
      spec.value = evaluateText("--signature", entry);
    } else if (param->defaultValue) {
      spec.value = valueOfConstexpr(function, param);
    } else {
      error(param->range) << "parameter '" << param->name << "' of kernel '" << function->name
                          << "' has no type; annotate it, as in "
                          << annotationFor(
                                 *mainFile->module, function, param,
                                 param->annotation ? sources.getText(param->annotation->range) : "")
                          << ", or give --signature" << widthHint(param->annotation);
      ok = false;
      continue;
    }
    ok &= spec.type || !spec.value.isPoison();
    request.params.push_back(std::move(spec));
  }
  return ok;
}

/// The blocks that a statement holds: of a function or a class its body.
static llvm::SmallVector<ast::Block, 4> blocksOf(const ast::Stmt *stmt) {
  if (auto *cls = llvm::dyn_cast<ast::ClassDef>(stmt))
    return {cls->body};
  if (auto *with = llvm::dyn_cast<ast::WithStmt>(stmt))
    return {with->body};
  if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt))
    return {branch->body, branch->orelse};
  if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt))
    return {loop->body};
  if (auto *attempt = llvm::dyn_cast<ast::TryStmt>(stmt))
    return {attempt->body, attempt->orelse};
  if (auto *function = llvm::dyn_cast<ast::FunctionDef>(stmt))
    if (getFunctionKind(function) == FunctionKind::Plain)
      return {function->body};
  return {};
}

/// The blocks inside functions that the function `name` stands in, outermost first. Whether there
/// is one.
static bool findEnclosing(ast::Block block, llvm::StringRef name, bool isInFunction,
                          llvm::SmallVectorImpl<ast::Block> &blocks) {
  for (const ast::Stmt *stmt : block) {
    auto *function = llvm::dyn_cast<ast::FunctionDef>(stmt);
    if (isInFunction && function && function->name == name)
      return true;
    for (ast::Block inner : blocksOf(stmt)) {
      bool isInner = function || (isInFunction && !llvm::isa<ast::ClassDef>(stmt));
      if (isInner)
        blocks.push_back(inner);
      if (findEnclosing(inner, name, isInFunction || function, blocks))
        return true;
      if (isInner)
        blocks.pop_back();
    }
  }
  return false;
}

/// The classes of a file whose bodies have a jit function `name`, in order.
static void findClasses(ast::Block block, llvm::StringRef name,
                        llvm::SmallVectorImpl<const ast::ClassDef *> &found) {
  for (const ast::Stmt *stmt : block)
    if (auto *cls = llvm::dyn_cast<ast::ClassDef>(stmt))
      for (const ast::Stmt *inner : cls->body)
        if (auto *method = llvm::dyn_cast<ast::FunctionDef>(inner);
            method && method->name == name && getFunctionKind(method) == FunctionKind::Jit)
          found.push_back(cls);
}

/// What `--kernel` names: a function of the file, of a function in it, or of a class, with or
/// without the class's name before it.
Value Generator::findKernel(const ast::Module &module, llvm::StringRef name) {
  if (auto [className, method] = name.rsplit('.'); !method.empty()) {
    Value cls = getGlobal(*mainFile, className);
    return cls.is(Value::Kind::Module) ? getModuleMember(cls, method, {}) : Value();
  }
  if (Value value = getGlobal(*mainFile, name); !value.isPoison())
    return value;
  llvm::SmallVector<const ast::ClassDef *> classes;
  findClasses(module.body, name, classes);
  if (classes.size() > 1) {
    ErrorBuilder report = error({});
    report << "more than one class has a kernel '" << name << "'; write";
    for (auto [index, cls] : llvm::enumerate(classes))
      report << (index ? " or '" : " '") << cls->name << "." << name << "'";
    return report;
  }
  if (!classes.empty())
    return getModuleMember(getGlobal(*mainFile, classes.front()->name), name, {});
  // A kernel inside a function sees that one's names.
  llvm::SmallVector<ast::Block> blocks;
  if (findEnclosing(module.body, name, /*isInFunction=*/false, blocks))
    for (ast::Block block : blocks)
      declare(*mainFile, block);
  return getGlobal(*mainFile, name);
}

/// A kernel's name is its symbol in the PTX, where the compiler has one symbol of its own.
static bool checkKernelName(Generator &g, const ast::FunctionDef *function) {
  llvm::StringRef name = function->name;
  // What the lowering and the simulator declare beside kernels.
  if (llvm::is_contained({"tilegpu_shared", "vprintf", "__assertfail"}, name) ||
      name.starts_with("tilec_sim_") || name.starts_with("__sim_")) {
    g.error(function->nameRange) << "the name '" << function->name
                                 << "' is taken by the compiler; give the kernel another one";
    return false;
  }
  if (name == "_" || name == "WARP_SZ") {
    g.error(function->nameRange) << "'" << name
                                 << "' is no name in PTX; give the kernel another one";
    return false;
  }
  if (llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return true;
  g.error(function->nameRange)
      << "the kernel name '" << function->name
      << "' cannot stand in PTX, which takes a to z, A to Z, 0 to 9 and '_'";
  return false;
}

/// Says which functions that look like kernels are passed over, because others of the file have
/// types and these do not.
static void remarkUntyped(const ast::Module &module, llvm::ArrayRef<KernelInfo> kernels,
                          DiagnosticEngine &diags) {
  llvm::SmallVector<const ast::FunctionDef *> functions;
  forEachJitFunction(module.body, [&](const ast::FunctionDef *function, const std::string &) {
    functions.push_back(function);
  });
  RoleFinder roles(functions);
  constexpr size_t kMostNames = 8;
  llvm::SmallVector<const KernelInfo *> skipped;
  for (auto [function, kernel] : llvm::zip_equal(functions, kernels))
    if (!kernel.isTyped() && !returnsValue(function) && roles.getCallers(function->name).empty())
      skipped.push_back(&kernel);
  if (skipped.empty())
    return;
  DiagnosticBuilder remark = diags.remark(skipped.front()->range);
  for (auto [index, kernel] : llvm::enumerate(llvm::ArrayRef(skipped).take_front(kMostNames)))
    remark << (index ? ", '" : "'") << kernel->name << "'";
  if (skipped.size() > kMostNames)
    remark << " and " << skipped.size() - kMostNames << " more";
  remark << (skipped.size() == 1 ? " is not compiled, for its" : " are not compiled, for their")
         << " parameters have no types: name " << (skipped.size() == 1 ? "it" : "one")
         << " with --kernel and give its --signature";
}

bool Generator::selectKernels(const ast::Module &module, std::vector<KernelRequest> &requests) {
  std::vector<KernelInfo> known = listKernels(module);
  std::vector<std::string> names = options.kernels;
  std::string listed;
  for (const KernelInfo &kernel : known)
    listed += (listed.empty() ? "'" : ", '") + kernel.name + "'";
  if (names.empty()) {
    for (const KernelInfo &kernel : known)
      if (kernel.isTyped() && options.signature.empty())
        names.push_back(kernel.name);
    if (!names.empty())
      remarkUntyped(module, known, diags);
    if (names.empty())
      if (std::optional<size_t> only = findOnlyKernel(module))
        names.push_back(known[*only].name);
  }
  if (names.empty()) {
    if (known.empty())
      error({}) << "the file has no jit function; decorate a kernel with @triton.jit";
    else if (!options.signature.empty())
      error({}) << "a signature needs one kernel; name one of " << listed << " with --kernel";
    else
      error({}) << "no kernel of the file has types for all its parameters; name one of " << listed
                << " with --kernel and give its --signature";
    return false;
  }
  bool ok = true;
  llvm::StringSet<> seen;
  for (const std::string &name : names) {
    if (!seen.insert(name).second)
      continue;
    size_t errorsBefore = diags.getErrorCount();
    Value value = findKernel(module, name);
    if (value.isPoison() && diags.getErrorCount() != errorsBefore) {
      ok = false;
      continue;
    }
    if (!value.is(Value::Kind::Function) ||
        getFunctionKind(value.getFunction()) != FunctionKind::Jit) {
      ErrorBuilder report =
          error(value.is(Value::Kind::Function) ? value.getFunction()->nameRange : SourceRange());
      report << "the file has no kernel '" << name << "'";
      if (value.is(Value::Kind::Function))
        report << "; '" << name << "' is not decorated with @triton.jit";
      else if (defines.count(name))
        report << ", because -D " << name << " takes its place";
      else if (!listed.empty())
        report << "; it has " << listed;
      ok = false;
      continue;
    }
    KernelRequest request;
    request.function = value.getFunction();
    request.scope = value.getScope();
    request.closure = value.getClosure();
    // One function may make several kernels, which go by what they are bound to.
    request.symbol = request.closure ? name : request.function->name.str();
    ok &= checkKernelName(*this, request.function);
    requests.push_back(std::move(request));
  }
  if (ok && !options.signature.empty() && requests.size() > 1) {
    error({}) << "a signature needs one kernel; name one of " << listed << " with --kernel";
    return false;
  }
  return ok;
}

namespace {
/// One argument of the generated function.
struct KernelArgument {
  std::string name;
  DType type;
  unsigned divisibility = 1;
};
} // namespace

/// The arguments that a parameter stands for: itself, or of a tensor descriptor the address, the
/// shape as i32 and the strides as i64, as Triton's launcher passes them [R20].
static llvm::SmallVector<KernelArgument> expandParam(const ParamSpec &spec) {
  const ParamType &type = *spec.type;
  std::string name = spec.param->name.str();
  if (!type.isDescriptor())
    return {{name, type.type, type.divisibility}};
  llvm::SmallVector<KernelArgument> arguments = {{name, type.type.getPointerTo(), 16}};
  size_t rank = type.block.size();
  for (size_t i = 0; i < rank; ++i)
    arguments.push_back({name + ".shape" + std::to_string(i), Scalar::I32, type.divisibility});
  for (size_t i = 0; i < rank; ++i) {
    // Rows begin at multiples of 16 bytes.
    unsigned divisibility = i + 1 == rank ? 1 : 128 / type.type.getBits();
    arguments.push_back({name + ".stride" + std::to_string(i), Scalar::I64, divisibility});
  }
  return arguments;
}

/// Whether the arguments fit in what a launch passes: 32,764 bytes since PTX 8.1.
static bool fitsLaunch(llvm::ArrayRef<KernelArgument> arguments) {
  constexpr uint64_t kMostBytes = 32764;
  uint64_t bytes = 0;
  for (const KernelArgument &argument : arguments) {
    uint64_t size = argument.type.isPointer() ? 8 : std::max(argument.type.getBits() / 8, 1u);
    bytes = llvm::alignTo(bytes, size) + size;
  }
  return bytes <= kMostBytes;
}

bool Generator::generateKernel(const KernelRequest &request) {
  const ast::FunctionDef *function = request.function;
  LocScope scope(*this, function->nameRange);
  Frame kernel;
  kernel.function = function;
  kernel.file = request.scope;
  kernel.closure = request.closure;
  kernel.isKernel = true;

  llvm::SmallVector<Type> types;
  llvm::SmallVector<Location> locations;
  llvm::SmallVector<KernelArgument> arguments;
  for (const ParamSpec &spec : request.params) {
    if (!spec.type)
      continue;
    llvm::SmallVector<KernelArgument> expanded = expandParam(spec);
    for (const KernelArgument &argument : expanded) {
      types.push_back(argument.type.toMLIR(context));
      locations.push_back(
          NameLoc::get(builder.getStringAttr(argument.name), locOf(spec.param->nameRange.begin)));
    }
    llvm::append_range(arguments, expanded);
  }
  if (!fitsLaunch(arguments)) {
    error(function->nameRange) << "the " << arguments.size() << " arguments of kernel '"
                               << function->name
                               << "' take more than the 32,764 bytes that a launch can pass; put "
                                  "them in memory and pass its address";
    return false;
  }
  auto func =
      func::FuncOp::create(builder, loc(), request.symbol, builder.getFunctionType(types, {}));
  func->setAttr(tile::kKernelAttr, builder.getUnitAttr());
  Block *entry = &func.getBody().emplaceBlock();
  entry->addArguments(types, locations);
  std::vector<Value> values;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    func.setArgAttr(index, tile::kNameAttr, builder.getStringAttr(argument.name));
    func.setArgAttr(index, kTypeAttr, builder.getStringAttr(argument.type.str()));
    if (argument.divisibility > 1)
      func.setArgAttr(index, tile::kDivisibilityAttr,
                      builder.getI32IntegerAttr(static_cast<int32_t>(argument.divisibility)));
    values.push_back(Value::tensor(entry->getArgument(index), argument.type));
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  auto next = values.begin();
  for (const ParamSpec &spec : request.params) {
    Value value = spec.value;
    if (spec.type && spec.type->isDescriptor()) {
      auto last = next + 1 + 2 * static_cast<ptrdiff_t>(spec.type->block.size());
      std::vector<Value> parts(next, last);
      // The last dimension is contiguous.
      parts.back() = constant(Scalar::I64, Value::integer(1));
      auto block = cast<RankedTensorType>(typeOf(spec.type->type, spec.type->block));
      value = Value::blocks(Value::Kind::Descriptor, TileType(spec.type->type, block.getShape()),
                            std::move(parts), spec.type->padsWithNaN);
      next = last;
    } else if (spec.type) {
      value = *next++;
    }
    kernel.scope[spec.param->name] = Binding{value, spec.param->nameRange, Binding::State::Bound};
  }

  llvm::SaveAndRestore<Frame *> savedFrame(frame, &kernel);
  fixedNumWarps = 0;
  emitBody(function);
  func::ReturnOp::create(builder, loc());
  if (fixedNumWarps)
    func->setAttr(tile::kNumWarpsAttr,
                  builder.getI32IntegerAttr(static_cast<int32_t>(fixedNumWarps)));
  // Constants that became part of others are left without a use.
  func.walk([](arith::ConstantOp op) {
    if (op->use_empty())
      op->erase();
  });
  return !diags.hasErrors();
}

bool Generator::loadMain(const ast::Module &module) {
  auto &scope = files[sources.getName(module.file).str()] = std::make_unique<FileScope>();
  mainFile = scope.get();
  mainFile->module = &module;
  mainFile->path = sources.getName(module.file).str();
  size_t errorsBefore = diags.getErrorCount();
  // Definitions may name functions of the file, and conditions in the file may name definitions:
  // declare the names, read the definitions, and declare again with these.
  declare(*mainFile, module.body);
  if (!options.defines.empty()) {
    for (const auto &[name, text] : options.defines)
      defines[name] = evaluateText("-D " + name, text);
    mainFile->globals.clear();
    mainFile->starImports.clear();
    mainFile->starModules.clear();
    declare(*mainFile, module.body);
  }
  return diags.getErrorCount() == errorsBefore;
}

OwningOpRef<ModuleOp> Generator::run(const ast::Module &module) {
  size_t errorsBefore = diags.getErrorCount();
  if (!loadMain(module))
    return nullptr;
  std::vector<KernelRequest> requests;
  if (!selectKernels(module, requests))
    return nullptr;

  moduleOp = ModuleOp::create(builder, locOf(module.range.begin));
  builder.setInsertionPointToEnd(moduleOp->getBody());
  for (KernelRequest &request : requests)
    if (readSignature(request) && !diags.isErrorLimitReached()) {
      statements = 0;
      made.count = 0;
      isTooLarge = false;
      generateKernel(request);
    }
  if (diags.getErrorCount() != errorsBefore)
    return nullptr;
  for (const auto &[name, text] : options.defines)
    if (!usedDefines.count(name))
      diags.warning() << "-D " << name << " names no parameter and no constant that is used";
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return success();
  });
  if (failed(verify(*moduleOp))) {
    diags.error() << "internal error: the generated module is invalid: " << problem;
    return nullptr;
  }
  return std::move(moduleOp);
}

} // namespace tilec::frontend

namespace tilec {

OwningOpRef<ModuleOp> generate(MLIRContext &context, const ast::Module &module,
                               SourceManager &sources, DiagnosticEngine &diags,
                               const FrontendOptions &options) {
  return frontend::Generator(context, sources, diags, options).run(module);
}

} // namespace tilec
