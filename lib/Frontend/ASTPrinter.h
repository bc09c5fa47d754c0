// The tree as text, for `tilec --emit=ast` and tests.
#ifndef TILEC_LIB_FRONTEND_ASTPRINTER_H
#define TILEC_LIB_FRONTEND_ASTPRINTER_H

#include "lib/Frontend/AST.h"

#include "llvm/Support/raw_ostream.h"

namespace tilec {

/// Prints a module as nested lists, a statement per line, blocks indented. The text depends only
/// on the tree.
void dumpModule(const ast::Module &module, llvm::raw_ostream &os);

/// Prints an expression on one line, without an end of line.
void dumpExpr(const ast::Expr &expr, llvm::raw_ostream &os);

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_ASTPRINTER_H
