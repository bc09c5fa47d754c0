// Python's ways of making text of values: format specifications, `str.format` and `%`.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_FORMAT_H
#define TILEC_LIB_FRONTEND_MLIRGEN_FORMAT_H

#include "lib/Frontend/MLIRGen/ConstEval.h"

namespace tilec::frontend {

/// `format(value, spec)`, as in `f"{value:spec}"`.
Folded formatValue(const Value &value, llvm::StringRef spec);

/// What `{...}` of `str.format` names, such as "0.shape[1]"; the empty ones count up.
using FindField = llvm::function_ref<Folded(llvm::StringRef name)>;
/// `text.format(...)`.
Folded formatText(llvm::StringRef text, FindField find);

/// `text % values`.
Folded formatPercent(llvm::StringRef text, const Value &values);

/// The characters of UTF-8 text.
std::vector<llvm::StringRef> listCharacters(llvm::StringRef text);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_FORMAT_H
