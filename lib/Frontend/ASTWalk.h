// Visits the statements and expressions of a block.
#ifndef TILEC_LIB_FRONTEND_ASTWALK_H
#define TILEC_LIB_FRONTEND_ASTWALK_H

#include "lib/Frontend/AST.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilec::ast {

/// Calls `visit` with the expressions right inside one.
void forEachChild(const Expr *expr, llvm::function_ref<void(const Expr *)> visit);

/// Calls `visit` with every statement of a block, those of nested blocks included, but not those of
/// functions and classes in it.
void walkStmts(Block block, llvm::function_ref<void(const Stmt *)> visit);

/// Calls `visit` with every expression of a block, the outer ones first.
void walkExprs(Block block, llvm::function_ref<void(const Expr *)> visit);

} // namespace tilec::ast

#endif // TILEC_LIB_FRONTEND_ASTWALK_H
