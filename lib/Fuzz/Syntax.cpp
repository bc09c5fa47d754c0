// Parsed sources: places, ranges and walks.

#include "lib/Fuzz/Syntax.h"
#include "lib/Frontend/ASTContext.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilec::fuzz {

std::string applyEdits(StringRef text, std::vector<Edit> edits) {
  llvm::sort(edits, [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  std::string result;
  size_t at = 0;
  for (const Edit &edit : edits) {
    if (edit.begin < at)
      continue;
    result += text.slice(at, edit.begin);
    result += edit.text;
    at = edit.end;
  }
  return result + text.drop_front(at).str();
}

static std::string reindent(StringRef lines, size_t less, size_t more) {
  std::string result;
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    line = line.drop_front(std::min(blanks, less));
    result += (line.trim().empty() ? "" : std::string(more, ' ')) + line.str() + "\n";
    lines = rest;
  }
  return result;
}

std::string indentLines(StringRef lines) { return reindent(lines, 0, 4); }

Syntax::Syntax(StringRef source) : diags(sources) {
  FileID file = sources.addText("fuzz.tile", source);
  text = sources.getText(file);
  module = parseModule(sources, file, diags, context);
  valid = !diags.hasErrors();
  if (!valid)
    return;
  for (const ast::Stmt *stmt : module->body)
    if (auto *function = dyn_cast<ast::FunctionDef>(stmt))
      functions.push_back(function);
  collect(module->body, nullptr, 0);
}

const ast::FunctionDef *Syntax::findFunction(StringRef name) const {
  for (const ast::FunctionDef *function : functions)
    if (function->name == name)
      return function;
  return name.empty() && !functions.empty() ? functions.back() : nullptr;
}

size_t Syntax::getLineBegin(size_t offset) const {
  size_t at = text.rfind('\n', offset);
  return at == StringRef::npos ? 0 : at + 1;
}

size_t Syntax::getLineEnd(size_t offset) const {
  size_t at = text.find('\n', offset);
  return at == StringRef::npos ? text.size() : at + 1;
}

void Syntax::collect(ast::Block block, const ast::FunctionDef *function, unsigned loops) {
  for (const ast::Stmt *stmt : block) {
    size_t begin = getBegin(stmt), end = getEnd(stmt);
    StringRef before = text.slice(getLineBegin(begin), begin),
              after = text.slice(end, getLineEnd(end)).trim();
    bool ownsLines = before.trim().empty() && (after.empty() || after.starts_with("#"));
    if (ownsLines)
      places.push_back({stmt, block, function, loops});
    if (auto *def = dyn_cast<ast::FunctionDef>(stmt)) {
      collect(def->body, function ? function : def, loops);
    } else if (auto *loop = dyn_cast<ast::ForStmt>(stmt)) {
      collect(loop->body, function, loops + 1);
    } else if (auto *loop = dyn_cast<ast::WhileStmt>(stmt)) {
      collect(loop->body, function, loops + 1);
    } else if (auto *branch = dyn_cast<ast::IfStmt>(stmt)) {
      collect(branch->body, function, loops);
      // An elif is no statement of its own.
      auto *elif = branch->orelse.size() == 1 ? dyn_cast<ast::IfStmt>(branch->orelse[0]) : nullptr;
      if (elif && elif->isElif) {
        collect(elif->body, function, loops);
        collect(elif->orelse, function, loops);
      } else {
        collect(branch->orelse, function, loops);
      }
    }
  }
}

Edit Syntax::replaceLines(const ast::Stmt *stmt, const std::string &lines) const {
  size_t begin = getBegin(stmt);
  if (auto *function = dyn_cast<ast::FunctionDef>(stmt))
    if (!function->decorators.empty())
      begin = getBegin(function->decorators.front());
  return {getLineBegin(begin), getLineEnd(std::max(getEnd(stmt), size_t(1)) - 1),
          reindent(lines, 0, getIndent(stmt))};
}

std::string Syntax::getLines(const ast::Stmt *stmt) const {
  size_t begin = getBegin(stmt);
  return reindent(text.slice(getLineBegin(begin), getLineEnd(getEnd(stmt) - 1)), getIndent(stmt),
                  0);
}

std::string Syntax::getLines(ast::Block block) const {
  size_t begin = getLineBegin(getBegin(block.front()));
  size_t end = getLineEnd(getEnd(block.back()) - 1);
  return reindent(text.slice(begin, end), getIndent(block.front()), 0);
}

//===--- Walks ---------------------------------------------------------------===//

std::vector<const ast::Expr *> getOperands(const ast::Expr *expr) {
  std::vector<const ast::Expr *> result;
  auto add = [&](const ast::Expr *operand) {
    if (operand)
      result.push_back(operand);
  };
  if (auto *e = dyn_cast<ast::UnaryExpr>(expr)) {
    add(e->operand);
  } else if (auto *e = dyn_cast<ast::BinaryExpr>(expr)) {
    add(e->lhs);
    add(e->rhs);
  } else if (auto *e = dyn_cast<ast::BoolOpExpr>(expr)) {
    for (const ast::Expr *operand : e->operands)
      add(operand);
  } else if (auto *e = dyn_cast<ast::CompareExpr>(expr)) {
    for (const ast::Expr *operand : e->operands)
      add(operand);
  } else if (auto *e = dyn_cast<ast::CallExpr>(expr)) {
    // A method's object is an operand as well.
    if (auto *method = dyn_cast<ast::AttributeExpr>(e->callee))
      add(method->base);
    for (const ast::Expr *operand : e->args)
      add(operand);
    for (const ast::Keyword *keyword : e->keywords)
      add(keyword->value);
  } else if (auto *e = dyn_cast<ast::AttributeExpr>(expr)) {
    add(e->base);
  } else if (auto *e = dyn_cast<ast::SubscriptExpr>(expr)) {
    add(e->base);
  } else if (auto *e = dyn_cast<ast::ConditionalExpr>(expr)) {
    add(e->thenValue);
    add(e->elseValue);
    add(e->condition);
  } else if (auto *e = dyn_cast<ast::TupleExpr>(expr)) {
    for (const ast::Expr *operand : e->elements)
      add(operand);
  } else if (auto *e = dyn_cast<ast::ListExpr>(expr)) {
    for (const ast::Expr *operand : e->elements)
      add(operand);
  }
  return result;
}

void walk(const ast::Expr *expr, function_ref<bool(const ast::Expr *)> visit) {
  if (!visit(expr))
    return;
  for (const ast::Expr *operand : getOperands(expr))
    walk(operand, visit);
}

void forEachExpr(const ast::Stmt *stmt, function_ref<void(const ast::Expr *)> visit) {
  if (auto *s = dyn_cast<ast::ExprStmt>(stmt))
    visit(s->value);
  else if (auto *s = dyn_cast<ast::AssignStmt>(stmt))
    visit(s->value);
  else if (auto *s = dyn_cast<ast::AugAssignStmt>(stmt))
    visit(s->value);
  else if (auto *s = dyn_cast<ast::IfStmt>(stmt))
    visit(s->condition);
  else if (auto *s = dyn_cast<ast::WhileStmt>(stmt))
    visit(s->condition);
  else if (auto *s = dyn_cast<ast::ForStmt>(stmt))
    visit(s->iterable);
  else if (auto *s = dyn_cast<ast::ReturnStmt>(stmt); s && s->value)
    visit(s->value);
  else if (auto *s = dyn_cast<ast::AnnAssignStmt>(stmt); s && s->value)
    visit(s->value);
}

static void collectNames(const ast::Expr *target, std::vector<StringRef> &names) {
  walk(target, [&](const ast::Expr *expr) {
    if (auto *name = dyn_cast<ast::NameExpr>(expr))
      names.push_back(name->name);
    return true;
  });
}

static void collectAssigned(ast::Block block, std::vector<StringRef> &names) {
  for (const ast::Stmt *stmt : block)
    for (StringRef name : getAssigned(stmt))
      names.push_back(name);
}

std::vector<StringRef> getAssigned(const ast::Stmt *stmt) {
  std::vector<StringRef> names;
  if (auto *s = dyn_cast<ast::AssignStmt>(stmt)) {
    for (const ast::Expr *target : s->targets)
      collectNames(target, names);
  } else if (auto *s = dyn_cast<ast::AugAssignStmt>(stmt)) {
    collectNames(s->target, names);
  } else if (auto *s = dyn_cast<ast::AnnAssignStmt>(stmt)) {
    collectNames(s->target, names);
  } else if (auto *s = dyn_cast<ast::ForStmt>(stmt)) {
    collectNames(s->target, names);
    collectAssigned(s->body, names);
  } else if (auto *s = dyn_cast<ast::WhileStmt>(stmt)) {
    collectAssigned(s->body, names);
  } else if (auto *s = dyn_cast<ast::IfStmt>(stmt)) {
    collectAssigned(s->body, names);
    collectAssigned(s->orelse, names);
  }
  return names;
}

} // namespace tilec::fuzz
