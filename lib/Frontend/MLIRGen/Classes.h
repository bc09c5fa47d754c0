// What the class of a file is and what its objects are made of.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_CLASSES_H
#define TILEC_LIB_FRONTEND_MLIRGEN_CLASSES_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

enum class ClassKind : uint8_t {
  Plain, ///< Also those of `tl.core._aggregate`.
  NamedTuple,
  Dataclass,
  Enum,
  NumberEnum, ///< Its members are the numbers or strings themselves: IntEnum, StrEnum.
};

/// Whether one of the decorators has that name, the modules before it left out.
bool hasDecorator(llvm::ArrayRef<ast::Expr *> decorators, llvm::StringRef name);

/// The name of a class of a file, as its objects print.
llvm::StringRef nameOfClass(const FileScope &cls);

/// The value of a field of an object or of a named tuple; none if it has no such field.
std::optional<Value> findField(const Value &object, llvm::StringRef name);
/// The object with one field set, or added.
Value withField(const Value &object, llvm::StringRef name, const Value &value);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_CLASSES_H
