// Functions that are written in the language: their files are parsed when one is used.
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/Parser.h"
#include "lib/Frontend/Prelude/Prelude.h"

namespace tilec::frontend {

FileScope *Generator::loadPrelude(const PreludeFile &file) {
  std::string path = ("<" + file.name + ">").str();
  std::unique_ptr<FileScope> &scope = files[path];
  if (scope)
    return scope.get();
  scope = std::make_unique<FileScope>();
  FileScope *result = scope.get();
  result->path = path;
  result->isPrelude = true;
  result->module = parseModule(sources, sources.addText(path, file.text), diags, astContext);
  declare(*result, result->module->body);
  return result;
}

Value Generator::getPreludeFunction(llvm::StringRef module, llvm::StringRef name) {
  const PreludeFunction *function = nullptr;
  // The functions of libdevice are in `tl.math` too.
  if (module == "tl.math")
    function = findPreludeFunction("libdevice", name);
  if (!function)
    function = findPreludeFunction(module == "tl.math" ? "tl" : module, name);
  return function ? getGlobal(*loadPrelude(*function->file), name) : Value();
}

Value Generator::getPreludeMethod(const Value &receiver, llvm::StringRef name) {
  const PreludeFunction *function = findPreludeFunction("tl", name);
  if (!function || !function->isMethod)
    return Value();
  FileScope *scope = loadPrelude(*function->file);
  return Value::boundFunction(getGlobal(*scope, name).getFunction(), scope, receiver);
}

} // namespace tilec::frontend
