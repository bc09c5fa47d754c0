// From source text to syntax tree.
#ifndef TILEC_LIB_FRONTEND_PARSER_H
#define TILEC_LIB_FRONTEND_PARSER_H

#include "lib/Frontend/AST.h"
#include "lib/Support/Diagnostics.h"

namespace tilec {

/// Levels of nested blocks and expressions that the parser accepts.
constexpr unsigned kMaxNesting = 200;

/// Parses a whole file. Never null: after errors, which go to `diags`, the module holds the
/// statements that could be read. What Python rejects after parsing (`return` outside a function,
/// a parameter named twice) is accepted. The tree lives in `context`.
ast::Module *parseModule(SourceManager &sources, FileID file, DiagnosticEngine &diags,
                         ast::ASTContext &context);

/// Parses a buffer that holds one expression, such as the VALUE of `-D NAME=VALUE`. Null after an
/// error.
ast::Expr *parseExpression(SourceManager &sources, FileID file, DiagnosticEngine &diags,
                           ast::ASTContext &context);

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_PARSER_H
