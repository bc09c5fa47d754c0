// Imports: Triton's own modules, and files beside the one that is compiled.
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Modules.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cmath>

namespace tilec::frontend {

std::string canonicalModule(llvm::StringRef path) {
  std::string result = path.str();
  if (path == "triton.language" || path.starts_with("triton.language."))
    result = "tl" + path.substr(std::strlen("triton.language")).str();
  llvm::StringRef text = result;
  if (text == "libdevice" || (text.starts_with("tl.") && text.ends_with(".libdevice")) ||
      text == "triton.libdevice")
    return "libdevice";
  if (text == "tl.core" || text == "tl.standard" || text == "tl.random")
    return "tl";
  bool known = llvm::StringSwitch<bool>(text)
                   .Cases({"triton", "tl", "tl.math", "tl.extra", "tl.extra.cuda"}, true)
                   .Cases({"tl.PropagateNan", "tl.target_info"}, true)
                   .Case("math", true)
                   .Default(isHostModule(text));
  return known ? result : "";
}

/// What a name of an unknown host module is.
static Value hostValue(llvm::StringRef name, SourceRange range) {
  return Value::opaque(("'" + name + "', which is not known at compile time").str(), range);
}

void Generator::declareImport(FileScope &scope, const ast::ImportStmt *stmt) {
  for (const ast::Alias *alias : stmt->names) {
    // `import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`.
    llvm::StringRef path = alias->asName.empty() ? alias->name.split('.').first : alias->name;
    Global global;
    global.range = alias->range;
    if (std::string known = canonicalModule(path); !known.empty())
      global.value = Value::module(known);
    else if (FileScope *file = loadModule(scope, path, 0))
      global.value = Value::module("file:" + file->path);
    else
      global.value = hostValue(path, alias->range);
    scope.globals[alias->getBoundName()] = global;
  }
}

void Generator::declareImportFrom(FileScope &scope, const ast::ImportFromStmt *stmt) {
  std::string known = stmt->level == 0 ? canonicalModule(stmt->module) : "";
  FileScope *file = known.empty() ? loadModule(scope, stmt->module, stmt->level) : nullptr;
  if (stmt->isStar()) {
    if (!known.empty())
      scope.starModules.push_back(known);
    else if (file)
      scope.starImports.push_back(file);
    return;
  }
  for (const ast::Alias *alias : stmt->names) {
    Global global;
    global.range = alias->range;
    std::string path = (stmt->module + "." + alias->name).str();
    std::string submodule = stmt->level == 0 ? canonicalModule(path) : "";
    if (!submodule.empty()) {
      global.value = Value::module(submodule);
    } else if (!known.empty()) {
      // Kept as a module with a member, so that what is not supported is an error at its use.
      global.value = Value::module(known + ":" + alias->name.str());
    } else if (file && file->globals.count(alias->name)) {
      global.state = Global::State::Unevaluated;
      global.importedFrom = file;
      global.importedName = alias->name.str();
    } else if (FileScope *child = loadModule(scope, path, stmt->level)) {
      global.value = Value::module("file:" + child->path);
    } else if (file) {
      global.state = Global::State::Unevaluated;
      global.importedFrom = file;
      global.importedName = alias->name.str();
    } else {
      global.value = hostValue(alias->name, alias->range);
    }
    scope.globals[alias->getBoundName()] = global;
  }
}

FileScope *Generator::loadModule(FileScope &from, llvm::StringRef module, unsigned level) {
  std::string relative = module.str();
  std::replace(relative.begin(), relative.end(), '.', '/');
  llvm::SmallVector<std::string, 4> folders;
  llvm::SmallString<128> base(from.path);
  llvm::sys::path::remove_filename(base);
  for (unsigned i = 1; i < level; ++i)
    llvm::sys::path::remove_filename(base);
  folders.push_back(std::string(base));
  if (level == 0)
    llvm::append_range(folders, options.includeDirs);
  for (const std::string &folder : folders) {
    for (llvm::StringRef suffix : {".tile", ".py", "/__init__.py"}) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, relative + suffix.str());
      if (relative.empty()) {
        if (suffix != "/__init__.py")
          continue;
        path = folder;
        llvm::sys::path::append(path, "__init__.py");
      }
      auto known = files.find(std::string(path));
      if (known != files.end())
        return known->second.get();
      if (!llvm::sys::fs::is_regular_file(path))
        continue;
      llvm::ErrorOr<FileID> file = sources.addFile(path);
      if (!file)
        continue;
      auto &scope = files[std::string(path)] = std::make_unique<FileScope>();
      scope->path = std::string(path);
      scope->module = parseModule(sources, *file, diags, astContext);
      FileScope *result = scope.get();
      declare(*result, result->module->body);
      return result;
    }
  }
  return nullptr;
}

/// Members of `torch` and `math` that are values.
static std::optional<Value> hostConstant(llvm::StringRef module, llvm::StringRef name) {
  if (module == "torch") {
    if (name == "float" || name == "half")
      return Value::type(DType(name == "float" ? Scalar::FP32 : Scalar::FP16));
    if (name == "inf" || name == "nan")
      return Value::floating(name == "inf" ? HUGE_VAL : std::nan(""));
    if (std::optional<DType> type = parseDType(name); type && name.size() > 3 && name != "void")
      return Value::type(*type);
    return std::nullopt;
  }
  if (module != "math")
    return std::nullopt;
  double value = llvm::StringSwitch<double>(name)
                     .Case("pi", M_PI)
                     .Case("e", M_E)
                     .Case("tau", 2 * M_PI)
                     .Case("inf", HUGE_VAL)
                     .Default(std::nan(""));
  if (std::isnan(value) && name != "nan")
    return std::nullopt;
  return Value::floating(value);
}

/// The types by their names in `tl`.
static std::optional<DType> typeMember(llvm::StringRef name) {
  bool isType = llvm::StringSwitch<bool>(name)
                    .Cases({"int1", "int8", "int16", "int32", "int64"}, true)
                    .Cases({"uint8", "uint16", "uint32", "uint64"}, true)
                    .Cases({"float8e4nv", "float8e5", "float16", "bfloat16"}, true)
                    .Cases({"float32", "float64", "void"}, true)
                    .Default(false);
  return isType ? parseDType(name) : std::nullopt;
}

Value Generator::resolveImport(const Value &value, SourceRange range) {
  llvm::StringRef path = value.is(Value::Kind::Module) ? value.getText() : "";
  if (path.starts_with("file:") || !path.contains(':'))
    return value;
  auto [module, name] = path.split(':');
  return getModuleMember(Value::module(module), name, range);
}

Value Generator::getModuleMember(const Value &module, llvm::StringRef name, SourceRange range) {
  llvm::StringRef path = module.getText();
  if (path.consume_front("file:")) {
    FileScope *file = files[path.str()].get();
    Value value = getGlobal(*file, name);
    if (!value.isPoison())
      return resolveImport(value, range);
    return error(range) << "'" << path << "' does not define '" << name << "'";
  }
  std::string spelled = (path + "." + name).str();
  if (std::string submodule = canonicalModule(spelled); !submodule.empty())
    return Value::module(submodule);
  if (path == "tl.PropagateNan" && (name == "ALL" || name == "NONE"))
    return Value::string(spelled);
  if (path == "tl") {
    if (std::optional<DType> type = typeMember(name))
      return Value::type(*type);
    if (name == "TRITON_MAX_TENSOR_NUMEL")
      return Value::integer(kMaxElements);
    if (isUnsupportedDTypeName(name))
      return error(range) << "type '" << spelled << "' is not supported yet";
  }
  if (std::optional<Value> constant = hostConstant(path, name))
    return *constant;
  if (const Builtin *builtin = findBuiltin(path, name))
    return Value::builtin(builtin);
  if (Value function = getPreludeFunction(path, name); !function.isPoison())
    return function;
  if (isHostModule(path))
    return hostValue(spelled, range);
  if (isKnownUnsupported(path, name))
    return error(range) << "'" << spelled << "' is not supported yet";
  ErrorBuilder report(*this, range);
  report << "unknown function '" << spelled << "'";
  if (llvm::StringRef suggestion = suggestBuiltin(path, name); !suggestion.empty())
    report << "; did you mean '" << path << "." << suggestion << "'?";
  return report;
}

} // namespace tilec::frontend
