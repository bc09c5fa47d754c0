// Imports: Triton's own modules, and files beside the one that is compiled.
#include "lib/Frontend/MLIRGen/Classes.h"
#include "lib/Frontend/MLIRGen/Modules.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

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
  if (text == "tl.extra.cuda.utils" || text == "tl.extra.cuda.gdc")
    return "tl.extra.cuda";
  bool known = llvm::StringSwitch<bool>(text)
                   .Cases({"triton", "tl", "tl.math", "tl.extra", "tl.extra.cuda"}, true)
                   .Cases({"tl.PropagateNan", "tl.target_info", "tl.extra.hip"}, true)
                   .Cases({"math", "triton.profiler.language"}, true)
                   .Default(isHostModule(text));
  return known ? result : "";
}

/// What a module that is not found is, or a name of it.
static Value hostValue(const ModuleName &module, llvm::StringRef name, SourceRange range) {
  std::string path = "module '" + std::string(module.level, '.') + module.path + "', which is not ";
  if (name.empty())
    return Value::opaque("the " + path + "found (give -I DIR)", range);
  return Value::opaque(
      ("'" + name + "' of the " + path + "found (give -I DIR, or -D " + name + "=VALUE)").str(),
      range);
}

void Generator::declareImport(FileScope &scope, const ast::ImportStmt *stmt) {
  for (const ast::Alias *alias : stmt->names) {
    // `import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`.
    llvm::StringRef path = alias->asName.empty() ? alias->name.split('.').first : alias->name;
    Global global;
    global.range = alias->range;
    if (std::string known = canonicalModule(path); !known.empty())
      global.value = Value::module(known);
    else
      global.setImport({path.str()});
    scope.bind(alias->getBoundName(), std::move(global));
  }
}

void Generator::declareImportFrom(FileScope &scope, const ast::ImportFromStmt *stmt) {
  std::string known = stmt->level == 0 ? canonicalModule(stmt->module) : "";
  ModuleName module{stmt->module.str(), stmt->level};
  if (stmt->isStar()) {
    if (!known.empty())
      scope.starModules.push_back(known);
    else
      scope.starImports.push_back(module);
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
    } else {
      global.setImport(module, alias->name);
    }
    scope.bind(alias->getBoundName(), std::move(global));
  }
}

Value Generator::evaluateImport(FileScope &scope, const Global &global) {
  const ModuleName &module = global.importedFrom;
  FileScope *file = loadModule(scope, module.path, module.level);
  llvm::StringRef name = global.importedName;
  if (name.empty())
    return file ? Value::module("file:" + file->path) : hostValue(module, "", global.range);
  // What a package's own file imports from the package is a module of it.
  if (file && file != &scope.getFile())
    if (Value value = getGlobal(*file, name); !value.isPoison())
      return value;
  std::string path = module.path.empty() ? name.str() : module.path + "." + name.str();
  if (FileScope *child = loadModule(scope, path, module.level))
    return Value::module("file:" + child->path);
  if (!file)
    return hostValue(module, name, global.range);
  return Value::opaque(("'" + name + "', which '" + file->path + "' does not define").str(),
                       global.range);
}

/// The folder that `folder` stands in; "" is the working directory.
static void goToParent(llvm::SmallVectorImpl<char> &folder) {
  if (folder.empty())
    llvm::sys::fs::current_path(folder);
  else if (!llvm::sys::path::has_parent_path(llvm::StringRef(folder.data(), folder.size())))
    llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_filename(folder);
}

/// The folder that the top package of a file in `folder` stands in, where its absolute imports
/// begin; `folder` itself if the file is in no package.
static llvm::SmallString<128> findPackageRoot(llvm::StringRef folder) {
  llvm::SmallString<128> root(folder);
  while (true) {
    llvm::SmallString<128> init(root);
    llvm::sys::path::append(init, "__init__.py");
    if (!llvm::sys::fs::exists(init))
      return root;
    goToParent(root);
  }
}

/// Where the packages of a project that an -I names may stand: in its usual folders, and in those
/// between it and the file.
static void listProjectFolders(llvm::StringRef base, llvm::ArrayRef<std::string> includeDirs,
                               llvm::SmallVectorImpl<std::string> &folders) {
  for (llvm::StringRef includeDir : includeDirs) {
    llvm::StringRef project = includeDir.rtrim('/');
    for (llvm::StringRef folder = base;
         folder.size() > project.size() && folder.starts_with(project) && !project.empty() &&
         folder[project.size()] == '/';
         folder = llvm::sys::path::parent_path(folder))
      folders.push_back(folder.str());
    for (llvm::StringRef usual : {"src", "python"}) {
      llvm::SmallString<128> path(project);
      llvm::sys::path::append(path, usual);
      folders.push_back(std::string(path));
    }
  }
}

FileScope *Generator::loadModule(FileScope &from, llvm::StringRef module, unsigned level) {
  std::string relative = module.str();
  std::replace(relative.begin(), relative.end(), '.', '/');
  llvm::SmallVector<std::string, 4> folders;
  llvm::SmallString<128> base(from.getFile().path);
  llvm::sys::path::remove_filename(base);
  if (level == 0) {
    folders.push_back(std::string(findPackageRoot(base)));
    llvm::append_range(folders, options.includeDirs);
  }
  for (unsigned i = 1; i < level; ++i)
    goToParent(base);
  folders.push_back(std::string(base));
  if (level == 0)
    listProjectFolders(base, options.includeDirs, folders);
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

void Generator::emitImport(const ast::Stmt *stmt) {
  // Its names are those of a file for a moment.
  FileScope names;
  names.path = frame->file->getFile().path;
  if (auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt))
    declareImport(names, import);
  else
    declareImportFrom(names, llvm::cast<ast::ImportFromStmt>(stmt));
  for (auto &entry : names.globals) {
    Value value = evaluateGlobal(names, entry.getKey(), entry.second);
    {
      llvm::SaveAndRestore<unsigned> quiet(quietDepth, quietDepth + 1);
      llvm::SaveAndRestore<unsigned> errors(quietErrors, 0);
      value = resolveImport(value, stmt->range);
    }
    if (value.isPoison())
      value = Value::opaque(("'" + entry.getKey() + "', which is not known").str(), stmt->range);
    bind(astContext.intern(entry.getKey()), value, stmt->range);
  }
}

bool Generator::importsSucceed(FileScope &scope, ast::Block block) {
  auto isFound = [&](llvm::StringRef module, unsigned level) {
    bool isTritons = module == "triton" || module.starts_with("triton.");
    return (level == 0 && (isTritons || !canonicalModule(module).empty())) ||
           loadModule(scope, module, level);
  };
  return llvm::all_of(block, [&](const ast::Stmt *stmt) {
    if (auto *import = llvm::dyn_cast<ast::ImportStmt>(stmt))
      return llvm::all_of(import->names,
                          [&](const ast::Alias *alias) { return isFound(alias->name, 0); });
    if (auto *import = llvm::dyn_cast<ast::ImportFromStmt>(stmt))
      return isFound(import->module, import->level);
    return true;
  });
}

/// The types by their names in `tl`.
static std::optional<DType> typeMember(llvm::StringRef name) {
  if (name == "pi32_t")
    return parseDType("*i32");
  bool isType = llvm::StringSwitch<bool>(name)
                    .Cases({"int1", "int8", "int16", "int32", "int64"}, true)
                    .Cases({"uint8", "uint16", "uint32", "uint64"}, true)
                    .Cases({"float8e4nv", "float8e5", "float8e4b15", "float16", "bfloat16"}, true)
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
    if (file->cls)
      if (name == "__name__")
        return Value::string(file->cls->name);
    if (Value value = file->cls ? getClassMember(*file, name) : getGlobal(*file, name);
        !value.isPoison())
      return value.is(Value::Kind::Function) &&
                     hasDecorator(value.getFunction()->decorators, "classmethod")
                 ? Value::boundFunction(value.getFunction(), value.getScope(), module)
                 : resolveImport(value, range);
    // A module of the package that an `import` of dotted names has loaded.
    if (llvm::sys::path::filename(path) == "__init__.py")
      if (FileScope *child = loadModule(*file, name, 1))
        return Value::module("file:" + child->path);
    return file->cls ? error(range) << "class '" << nameOfClass(*file) << "' has no attribute '"
                                    << name << "'"
                     : error(range) << "'" << path << "' does not define '" << name << "'";
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
    // Known, so that types can be compared with them.
    if (name == "float8e4b8" || name == "float8e5b16")
      return Value::type(DType(name == "float8e4b8" ? Scalar::FP8E4B8 : Scalar::FP8E5B16));
  }
  if (std::optional<Value> constant = hostConstant(path, name))
    return *constant;
  if (const Builtin *builtin = findBuiltin(path, name))
    return Value::builtin(builtin);
  if (Value function = getPreludeFunction(path, name); !function.isPoison())
    return function;
  if (isHostModule(path))
    return Value::opaque("'" + spelled + "', which is not known at compile time", range);
  if (isKnownUnsupported(path, name))
    return error(range) << "'" << spelled << "' is not supported yet";
  ErrorBuilder report(*this, range);
  report << "unknown function '" << spelled << "'";
  if (llvm::StringRef suggestion = suggestBuiltin(path, name); !suggestion.empty())
    report << "; did you mean '" << path << "." << suggestion << "'?";
  return report;
}

} // namespace tilec::frontend
