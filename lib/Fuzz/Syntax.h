// A source with its syntax tree, to be changed as text.
#ifndef TILEC_LIB_FUZZ_SYNTAX_H
#define TILEC_LIB_FUZZ_SYNTAX_H

#include "lib/Frontend/AST.h"
#include "lib/Support/Diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace tilec::fuzz {

/// A part of the text that is replaced.
struct Edit {
  size_t begin, end;
  std::string text;
};

/// The text with all edits, which do not overlap.
std::string applyEdits(llvm::StringRef text, std::vector<Edit> edits);

/// Every line four columns further in.
std::string indentLines(llvm::StringRef lines);

/// One parsed source.
class Syntax {
public:
  explicit Syntax(llvm::StringRef source);
  Syntax(const Syntax &) = delete;
  Syntax &operator=(const Syntax &) = delete;

  bool isValid() const { return valid; }
  llvm::StringRef getText() const { return text; }
  llvm::StringRef getText(const ast::Node *node) const {
    return text.slice(getBegin(node), getEnd(node));
  }
  size_t getBegin(const ast::Node *node) const { return sources.getOffset(node->range.begin); }
  /// Without blanks and ends of lines after it.
  size_t getEnd(const ast::Node *node) const {
    return text.take_front(sources.getOffset(node->range.end)).rtrim().size();
  }
  /// Where the line of an offset begins, and where the next one does.
  size_t getLineBegin(size_t offset) const;
  size_t getLineEnd(size_t offset) const;
  /// Columns that a statement is indented by.
  size_t getIndent(const ast::Stmt *stmt) const {
    return getBegin(stmt) - getLineBegin(getBegin(stmt));
  }

  /// The functions at module level that are jit functions.
  llvm::ArrayRef<const ast::FunctionDef *> getFunctions() const { return functions; }
  const ast::FunctionDef *findFunction(llvm::StringRef name) const;

  /// Statements that have their lines to themselves, outer before inner; each with its block.
  struct Place {
    const ast::Stmt *stmt;
    ast::Block block;
    const ast::FunctionDef *function;
    /// Loops around it.
    unsigned loops;
  };
  llvm::ArrayRef<Place> getStatements() const { return places; }

  /// Replaces a statement's lines; the new ones are indented by the statement's columns.
  Edit replaceLines(const ast::Stmt *stmt, const std::string &lines) const;
  /// A statement's lines, its own indentation taken off.
  std::string getLines(const ast::Stmt *stmt) const;
  std::string getLines(ast::Block block) const;

private:
  void collect(ast::Block block, const ast::FunctionDef *function, unsigned loops);

  SourceManager sources;
  DiagnosticEngine diags;
  ast::ASTContext context;
  llvm::StringRef text;
  const ast::Module *module = nullptr;
  bool valid = false;
  std::vector<const ast::FunctionDef *> functions;
  std::vector<Place> places;
};

/// Calls `visit` on an expression and all in it, outer ones first, as long as it returns true for
/// the outer one.
void walk(const ast::Expr *expr, llvm::function_ref<bool(const ast::Expr *)> visit);
/// The expressions of a statement, not those of statements in it.
void forEachExpr(const ast::Stmt *stmt, llvm::function_ref<void(const ast::Expr *)> visit);
/// The names that a statement assigns, those of statements in it too.
std::vector<llvm::StringRef> getAssigned(const ast::Stmt *stmt);
/// The direct operands of an expression.
std::vector<const ast::Expr *> getOperands(const ast::Expr *expr);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_SYNTAX_H
