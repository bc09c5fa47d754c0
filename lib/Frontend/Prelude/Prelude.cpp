// Finding the functions of the language that are written in the language itself.
#include "lib/Frontend/Prelude/Prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <vector>

namespace tilec::frontend {

static constexpr PreludeFile kFiles[] = {
#include "lib/Frontend/Prelude/PreludeText.inc"
};

static std::vector<PreludeFunction> scan() {
  std::vector<PreludeFunction> functions;
  for (const PreludeFile &file : kFiles) {
    bool isMethod = false;
    for (llvm::StringRef rest = file.text; !rest.empty();) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      if (line == "@method")
        isMethod = true;
      if (!line.consume_front("def "))
        continue;
      llvm::StringRef name = line.take_until([](char c) { return c == '('; });
      if (!name.starts_with("__"))
        functions.push_back({name, &file, isMethod});
      isMethod = false;
    }
  }
  return functions;
}

llvm::ArrayRef<PreludeFunction> getPreludeFunctions() {
  static const std::vector<PreludeFunction> functions = scan();
  return functions;
}

const PreludeFunction *findPreludeFunction(llvm::StringRef module, llvm::StringRef name) {
  static const llvm::StringMap<const PreludeFunction *> table = [] {
    llvm::StringMap<const PreludeFunction *> result;
    for (const PreludeFunction &function : getPreludeFunctions())
      result[(function.file->module + "." + function.name).str()] = &function;
    return result;
  }();
  return table.lookup((module + "." + name).str());
}

} // namespace tilec::frontend
