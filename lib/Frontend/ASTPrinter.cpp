// Statements as nested lists, one to a line.
#include "lib/Frontend/ASTPrinter.h"
#include "lib/Frontend/ASTPrinterImpl.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tilec {

using namespace ast;

void dumpModule(const Module &module, llvm::raw_ostream &os) { ASTPrinter(os).printModule(module); }

void dumpExpr(const Expr &expr, llvm::raw_ostream &os) { ASTPrinter(os).printExpr(&expr); }

void ASTPrinter::printModule(const Module &module) {
  os << "(module";
  ++level;
  for (const Stmt *stmt : module.body)
    printStmt(stmt);
  os << ")\n";
}

void ASTPrinter::open(llvm::StringRef head) {
  os << '\n';
  os.indent(2 * level) << '(' << head;
  ++level;
}

void ASTPrinter::printBlock(llvm::StringRef head, Block block) {
  open(head);
  for (const Stmt *stmt : block)
    printStmt(stmt);
  close();
}

void ASTPrinter::printAliases(llvm::ArrayRef<Alias *> names) {
  for (const Alias *alias : names) {
    if (alias->asName.empty())
      os << ' ' << alias->name;
    else
      os << " (as " << alias->name << ' ' << alias->asName << ')';
  }
}

void ASTPrinter::printTypeParams(llvm::ArrayRef<TypeParam *> params) {
  constexpr llvm::StringLiteral kStars[] = {"", "*", "**"};
  for (const TypeParam *param : params) {
    open("type-param ");
    os << kStars[size_t(param->paramKind)] << param->name;
    if (param->bound) {
      os << " :";
      printChild(param->bound);
    }
    if (param->defaultValue) {
      os << " =";
      printChild(param->defaultValue);
    }
    close();
  }
}

void ASTPrinter::printFunction(const FunctionDef *function) {
  open(function->isAsync ? "async-def " : "def ");
  os << function->name;
  for (const Expr *decorator : function->decorators) {
    open("decorator");
    printChild(decorator);
    close();
  }
  printTypeParams(function->typeParams);
  for (const Param *param : function->params) {
    os << '\n';
    os.indent(2 * level);
    printParam(param);
  }
  if (function->returns) {
    open("returns");
    printChild(function->returns);
    close();
  }
  printBlock("body", function->body);
  close();
}

void ASTPrinter::printClass(const ClassDef *cls) {
  open("class ");
  os << cls->name;
  for (const Expr *decorator : cls->decorators) {
    open("decorator");
    printChild(decorator);
    close();
  }
  printTypeParams(cls->typeParams);
  for (const Expr *base : cls->bases) {
    open("base");
    printChild(base);
    close();
  }
  for (const Keyword *keyword : cls->keywords) {
    open("keyword ");
    os << (keyword->name.empty() ? llvm::StringRef("**") : keyword->name);
    printChild(keyword->value);
    close();
  }
  printBlock("body", cls->body);
  close();
}

void ASTPrinter::printTry(const TryStmt *stmt) {
  open("try");
  printBlock("body", stmt->body);
  for (const ExceptHandler *handler : stmt->handlers) {
    open(stmt->isStar ? "except*" : "except");
    if (handler->type)
      printChild(handler->type);
    if (!handler->name.empty())
      os << " as " << handler->name;
    printBlock("body", handler->body);
    close();
  }
  if (!stmt->orelse.empty())
    printBlock("else", stmt->orelse);
  if (!stmt->finally.empty())
    printBlock("finally", stmt->finally);
  close();
}

void ASTPrinter::printMatch(const MatchStmt *stmt) {
  open("match");
  printChild(stmt->subject);
  for (const MatchCase *matchCase : stmt->cases) {
    open("case ");
    printPattern(matchCase->pattern);
    if (matchCase->guard) {
      os << " if";
      printChild(matchCase->guard);
    }
    printBlock("body", matchCase->body);
    close();
  }
  close();
}

void ASTPrinter::printStmt(const Stmt *stmt) {
  auto printLine = [&](llvm::StringRef head, std::initializer_list<const Expr *> children) {
    open(head);
    for (const Expr *child : children)
      if (child)
        printChild(child);
    close();
  };
  auto printElse = [&](Block orelse) {
    if (!orelse.empty())
      printBlock("else", orelse);
  };
  llvm::TypeSwitch<const Stmt *>(stmt)
      .Case([&](const ExprStmt *s) { printLine("expr", {s->value}); })
      .Case([&](const AssignStmt *s) {
        open("=");
        printEach(s->targets);
        printChild(s->value);
        close();
      })
      .Case([&](const AugAssignStmt *s) {
        printLine((getSpelling(s->op) + "=").str(), {s->target, s->value});
      })
      .Case([&](const AnnAssignStmt *s) {
        open("annotate");
        printChild(s->target);
        os << " :";
        printChild(s->annotation);
        if (s->value) {
          os << " =";
          printChild(s->value);
        }
        close();
      })
      .Case([&](const IfStmt *s) {
        open(s->isElif ? "elif" : "if");
        printChild(s->condition);
        printBlock("then", s->body);
        printElse(s->orelse);
        close();
      })
      .Case([&](const ForStmt *s) {
        open(s->isAsync ? "async-for" : "for");
        printChild(s->target);
        printChild(s->iterable);
        printBlock("body", s->body);
        printElse(s->orelse);
        close();
      })
      .Case([&](const WhileStmt *s) {
        open("while");
        printChild(s->condition);
        printBlock("body", s->body);
        printElse(s->orelse);
        close();
      })
      .Case([&](const WithStmt *s) {
        open(s->isAsync ? "async-with" : "with");
        for (const WithItem *item : s->items) {
          printChild(item->context);
          if (item->target) {
            os << " as";
            printChild(item->target);
          }
        }
        printBlock("body", s->body);
        close();
      })
      .Case([&](const TryStmt *s) { printTry(s); })
      .Case([&](const MatchStmt *s) { printMatch(s); })
      .Case([&](const FunctionDef *s) { printFunction(s); })
      .Case([&](const ClassDef *s) { printClass(s); })
      .Case([&](const ReturnStmt *s) { printLine("return", {s->value}); })
      .Case([&](const PassStmt *) { printLine("pass", {}); })
      .Case([&](const BreakStmt *) { printLine("break", {}); })
      .Case([&](const ContinueStmt *) { printLine("continue", {}); })
      .Case([&](const RaiseStmt *s) {
        open("raise");
        if (s->exception)
          printChild(s->exception);
        if (s->cause) {
          os << " from";
          printChild(s->cause);
        }
        close();
      })
      .Case([&](const AssertStmt *s) { printLine("assert", {s->condition, s->message}); })
      .Case([&](const DeleteStmt *s) {
        open("del");
        printEach(s->targets);
        close();
      })
      .Case([&](const GlobalStmt *s) {
        open("global");
        for (const NameExpr *name : s->names)
          printChild(name);
        close();
      })
      .Case([&](const NonlocalStmt *s) {
        open("nonlocal");
        for (const NameExpr *name : s->names)
          printChild(name);
        close();
      })
      .Case([&](const ImportStmt *s) {
        open("import");
        printAliases(s->names);
        close();
      })
      .Case([&](const ImportFromStmt *s) {
        open("from ");
        os << std::string(s->level, '.') << s->module << " import";
        printAliases(s->names);
        close();
      })
      .Case([&](const TypeAliasStmt *s) {
        open("type");
        printChild(s->name);
        printTypeParams(s->typeParams);
        printChild(s->value);
        close();
      });
}

} // namespace tilec
