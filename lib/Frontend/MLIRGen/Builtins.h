// The functions of the language: their names, parameters and emitters.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_BUILTINS_H
#define TILEC_LIB_FRONTEND_MLIRGEN_BUILTINS_H

#include "lib/Frontend/MLIRGen/Value.h"

#include "llvm/ADT/SmallVector.h"

namespace tilec::frontend {

class Generator;

/// The arguments of a call of a builtin, in the order of its parameters.
struct CallArgs {
  const Builtin *builtin = nullptr;
  /// Of the whole call.
  SourceRange range;
  llvm::SmallVector<Value, 8> values;
  llvm::SmallVector<SourceRange, 8> ranges;
  /// Which parameters the call gives.
  llvm::SmallVector<bool, 8> given;

  const Value &operator[](unsigned index) const { return values[index]; }
  /// Given, and not None.
  bool has(unsigned index) const { return given[index] && !values[index].isNone(); }
};

using BuiltinEmitter = Value (*)(Generator &, const CallArgs &);

/// One function of the language, such as `tl.load`.
struct Builtin {
  llvm::StringLiteral name;
  /// Where it is found: "tl", "triton", "math", "torch", or "" for Python's own.
  llvm::StringLiteral module;
  /// Names with spaces between; `x?` may be left out, `*x` takes what is left as a tuple.
  llvm::StringLiteral params;
  BuiltinEmitter emit;

  /// As a program writes it: "tl.load".
  std::string spelling() const {
    // `to` is a method only.
    return module.empty() || name == "to" ? name.str() : (module + "." + name).str();
  }
};

// The tables, one per family.
llvm::ArrayRef<Builtin> getAtomicBuiltins();
llvm::ArrayRef<Builtin> getEffectBuiltins();
llvm::ArrayRef<Builtin> getMemoryBuiltins();
llvm::ArrayRef<Builtin> getMapBuiltins();
llvm::ArrayRef<Builtin> getMathBuiltins();
llvm::ArrayRef<Builtin> getLibdeviceBuiltins();
llvm::ArrayRef<Builtin> getShapeBuiltins();
llvm::ArrayRef<Builtin> getDotBuiltins();
llvm::ArrayRef<Builtin> getBlockPointerBuiltins();
llvm::ArrayRef<Builtin> getDescriptorBuiltins();
llvm::ArrayRef<Builtin> getTensorMapBuiltins();
llvm::ArrayRef<Builtin> getRearrangeBuiltins();
llvm::ArrayRef<Builtin> getReduceBuiltins();
llvm::ArrayRef<Builtin> getScanBuiltins();
llvm::ArrayRef<Builtin> getProgramBuiltins();
llvm::ArrayRef<Builtin> getPythonBuiltins();
llvm::ArrayRef<Builtin> getContainerBuiltins();
llvm::ArrayRef<Builtin> getStringBuiltins();
llvm::ArrayRef<Builtin> getClassBuiltins();
llvm::ArrayRef<Builtin> getHostBuiltins();
llvm::ArrayRef<Builtin> getDecoratorBuiltins();
llvm::ArrayRef<Builtin> getOperatorBuiltins();

/// Whether a keyword is one of those that functions of Triton's language pass to each other.
bool isInternalArgument(llvm::StringRef name);

/// Finds a function by its module ("tl", "tl.math", "libdevice", "math", ...) and name; the old
/// spellings of Triton lead to the same functions. Null if there is none.
const Builtin *findBuiltin(llvm::StringRef module, llvm::StringRef name);

/// Finds the function behind a method of a tensor; null if there is none.
const Builtin *findTensorMethod(llvm::StringRef name);

/// Whether Triton has a function of that name which is not supported here.
bool isKnownUnsupported(llvm::StringRef module, llvm::StringRef name);

/// The candidate within two edits of `name`, or ""; two letters that changed places are one edit.
llvm::StringRef closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// The name of the module that is closest to `name`, or "" if none is near.
llvm::StringRef suggestBuiltin(llvm::StringRef module, llvm::StringRef name);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_BUILTINS_H
