// Functions of the language that are written in the language itself.
#ifndef TILEC_LIB_FRONTEND_PRELUDE_PRELUDE_H
#define TILEC_LIB_FRONTEND_PRELUDE_PRELUDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilec::frontend {

/// One file of such functions, in the compiler's own memory.
struct PreludeFile {
  /// What its functions belong to: "tl" or "libdevice".
  llvm::StringLiteral module;
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};

/// One function of these files.
struct PreludeFunction {
  llvm::StringRef name;
  const PreludeFile *file;
  /// Marked `@method`: tensors have it as a method too.
  bool isMethod;
};

/// All functions, without those whose names begin with two underscores: these are the files' own.
/// Found by a scan of the text for `def`; nothing is parsed.
llvm::ArrayRef<PreludeFunction> getPreludeFunctions();

/// The function of a canonical module; null if there is none.
const PreludeFunction *findPreludeFunction(llvm::StringRef module, llvm::StringRef name);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_PRELUDE_PRELUDE_H
