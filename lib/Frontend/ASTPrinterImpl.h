// The printer of syntax trees: expressions and patterns on one line, statements on lines.
#ifndef TILEC_LIB_FRONTEND_ASTPRINTERIMPL_H
#define TILEC_LIB_FRONTEND_ASTPRINTERIMPL_H

#include "lib/Frontend/AST.h"

#include "llvm/Support/raw_ostream.h"

namespace tilec {

class ASTPrinter {
public:
  explicit ASTPrinter(llvm::raw_ostream &os) : os(os) {}

  // ASTPrinterExpr.cpp
  void printExpr(const ast::Expr *expr);
  void printPattern(const ast::Pattern *pattern);
  void printParam(const ast::Param *param);

  // ASTPrinter.cpp
  void printModule(const ast::Module &module);

private:
  void printEach(llvm::ArrayRef<ast::Expr *> exprs);
  void printList(llvm::StringRef head, llvm::ArrayRef<ast::Expr *> exprs);
  void printString(llvm::StringRef text, bool bytes);
  void printInt(const ast::IntLiteral *literal);
  void printFloat(double value);
  void printDict(const ast::DictExpr *dict);
  void printCall(const ast::CallExpr *call);
  void printCompare(const ast::CompareExpr *compare);
  void printComprehension(const ast::ComprehensionExpr *comprehension);
  void printField(const ast::FormattedValue *field);
  void printPatterns(llvm::StringRef head, llvm::ArrayRef<ast::Pattern *> patterns);

  void printStmt(const ast::Stmt *stmt);
  void printFunction(const ast::FunctionDef *function);
  void printClass(const ast::ClassDef *cls);
  void printTry(const ast::TryStmt *stmt);
  void printMatch(const ast::MatchStmt *stmt);
  void printBlock(llvm::StringRef head, ast::Block block);
  void printAliases(llvm::ArrayRef<ast::Alias *> names);
  void printTypeParams(llvm::ArrayRef<ast::TypeParam *> params);
  /// Begins a line of the current depth; the parenthesis is closed by close().
  void open(llvm::StringRef head);
  void close() {
    os << ')';
    --level;
  }
  void printChild(const ast::Expr *expr) {
    os << ' ';
    printExpr(expr);
  }

  llvm::raw_ostream &os;
  unsigned level = 0;
};

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_ASTPRINTERIMPL_H
