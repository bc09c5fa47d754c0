// Which parameters of jit functions are pointers, read from how they are used.
#include "lib/Frontend/MLIRGen/Roles.h"

#include "lib/Frontend/ASTWalk.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend {

static constexpr unsigned kMaxDepth = 12;

static llvm::StringRef lastName(const ast::Expr *expr) {
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr))
    return attribute->attr;
  if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
    return name->name;
  return "";
}

/// The argument of a call that is a pointer, if it is a call that takes one.
static const ast::Expr *getPointerArgument(const ast::CallExpr *call) {
  llvm::StringRef keyword = llvm::StringSwitch<llvm::StringRef>(lastName(call->callee))
                                .Cases({"load", "store"}, "pointer")
                                .Cases({"atomic_add", "atomic_max", "atomic_min"}, "pointer")
                                .Cases({"atomic_and", "atomic_or", "atomic_xor"}, "pointer")
                                .Cases({"atomic_xchg", "atomic_cas"}, "pointer")
                                .Cases({"make_block_ptr", "make_tensor_descriptor"}, "base")
                                .Default("");
  if (keyword.empty())
    return nullptr;
  // `descriptor.load(offsets)` takes none.
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(call->callee);
      attribute && attribute->attr != "make_block_ptr" &&
      !llvm::isa<ast::AttributeExpr>(attribute->base))
    if (llvm::StringRef base = lastName(attribute->base); base != "tl" && base != "language")
      return keyword == "base" && !call->args.empty() ? call->args.front() : nullptr;
  if (!call->args.empty())
    return call->args.front();
  for (const ast::Keyword *given : call->keywords)
    if (given->name == keyword)
      return given->value;
  return nullptr;
}

RoleFinder::RoleFinder(llvm::ArrayRef<const ast::FunctionDef *> functions)
    : functions(functions.begin(), functions.end()) {
  for (const ast::FunctionDef *function : functions)
    readUses(function, facts[function]);
  // Calls of calls: a pointer may come through a few functions.
  for (unsigned round = 0; round < kMaxDepth; ++round) {
    bool changed = false;
    for (const ast::FunctionDef *function : functions)
      changed |= propagate(function);
    if (!changed)
      break;
  }
}

void RoleFinder::readUses(const ast::FunctionDef *function, Facts &facts) {
  ast::walkStmts(function->body, [&](const ast::Stmt *stmt) {
    auto set = [&](const ast::Expr *target, const ast::Expr *value) {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(target); name && value)
        facts.values[name->name].push_back(value);
    };
    if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
      for (const ast::Expr *target : assign->targets)
        set(target, assign->value);
    else if (auto *assign = llvm::dyn_cast<ast::AnnAssignStmt>(stmt))
      set(assign->target, assign->value);
  });
  ast::walkExprs(function->body, [&](const ast::Expr *expr) {
    auto factor = [&](const ast::Expr *operand) {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(operand))
        facts.factors.insert(name->name);
    };
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
      facts.used.insert(name->name);
    else if (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
      if (binary->op != ast::BinaryOp::Add && binary->op != ast::BinaryOp::Sub) {
        factor(binary->lhs);
        factor(binary->rhs);
      }
    } else if (auto *compare = llvm::dyn_cast<ast::CompareExpr>(expr)) {
      for (const ast::Expr *operand : compare->operands)
        factor(operand);
    } else if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
      facts.called.insert(lastName(call->callee));
    }
  });
}

void RoleFinder::collectRoots(const ast::FunctionDef *function, const Facts &facts,
                              const ast::Expr *expr, llvm::SmallVectorImpl<llvm::StringRef> &roots,
                              unsigned depth) const {
  if (depth > kMaxDepth)
    return;
  auto follow = [&](const ast::Expr *part) {
    collectRoots(function, facts, part, roots, depth + 1);
  };
  switch (expr->kind) {
  case ast::NodeKind::Name: {
    llvm::StringRef name = llvm::cast<ast::NameExpr>(expr)->name;
    bool isParam = llvm::any_of(function->params,
                                [&](const ast::Param *param) { return param->name == name; });
    if (isParam && !llvm::is_contained(roots, name))
      roots.push_back(name);
    auto found = facts.values.find(name);
    if (!isParam && found != facts.values.end())
      for (const ast::Expr *value : found->second)
        if (value != expr)
          follow(value);
    return;
  }
  case ast::NodeKind::Binary: {
    auto *binary = llvm::cast<ast::BinaryExpr>(expr);
    if (binary->op != ast::BinaryOp::Add && binary->op != ast::BinaryOp::Sub)
      return;
    follow(binary->lhs);
    return follow(binary->rhs);
  }
  case ast::NodeKind::Subscript:
    return follow(llvm::cast<ast::SubscriptExpr>(expr)->base);
  case ast::NodeKind::Conditional:
    follow(llvm::cast<ast::ConditionalExpr>(expr)->thenValue);
    return follow(llvm::cast<ast::ConditionalExpr>(expr)->elseValue);
  case ast::NodeKind::Call: {
    // What passes its argument on.
    auto *call = llvm::cast<ast::CallExpr>(expr);
    bool passes = llvm::StringSwitch<bool>(lastName(call->callee))
                      .Cases({"multiple_of", "max_contiguous", "max_constancy"}, true)
                      .Cases({"advance", "broadcast_to"}, true)
                      .Default(false);
    if (passes && !call->args.empty())
      follow(call->args.front());
    if (lastName(call->callee) == "where" && call->args.size() == 3) {
      follow(call->args[1]);
      follow(call->args[2]);
    }
    return;
  }
  default:
    return;
  }
}

void RoleFinder::markPointer(const ast::FunctionDef *function, Facts &facts,
                             const ast::Expr *expr) {
  llvm::SmallVector<llvm::StringRef> roots;
  collectRoots(function, facts, expr, roots, 0);
  // A sum has one pointer: not what is multiplied or compared elsewhere, else the leftmost.
  if (roots.size() > 1 &&
      llvm::none_of(roots, [&](llvm::StringRef name) { return facts.pointers.contains(name); })) {
    const llvm::StringRef *pick =
        llvm::find_if(roots, [&](llvm::StringRef name) { return !facts.factors.contains(name); });
    isChanged |= facts.pointers.insert(pick == roots.end() ? roots.front() : *pick).second;
  } else if (roots.size() == 1) {
    isChanged |= facts.pointers.insert(roots.front()).second;
  }
}

bool RoleFinder::propagate(const ast::FunctionDef *function) {
  Facts &own = facts[function];
  isChanged = false;
  ast::walkExprs(function->body, [&](const ast::Expr *expr) {
    // `x.dtype.element_ty` is asked of pointers.
    if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr)) {
      auto *type = llvm::dyn_cast<ast::AttributeExpr>(attribute->base);
      if (attribute->attr == "element_ty" && type &&
          (type->attr == "dtype" || type->attr == "type"))
        if (auto *name = llvm::dyn_cast<ast::NameExpr>(type->base))
          markPointer(function, own, name);
      return;
    }
    auto *call = llvm::dyn_cast<ast::CallExpr>(expr);
    if (!call)
      return;
    if (const ast::Expr *pointer = getPointerArgument(call))
      return markPointer(function, own, pointer);
    // What a function of the file takes as a pointer.
    llvm::StringRef name = lastName(call->callee);
    const ast::FunctionDef *const *callee = llvm::find_if(
        functions, [&](const ast::FunctionDef *other) { return other->name == name; });
    if (callee == functions.end() || *callee == function)
      return;
    auto found = facts.find(*callee);
    for (auto [index, param] : llvm::enumerate((*callee)->params)) {
      if (found == facts.end() || !found->second.pointers.contains(param->name))
        continue;
      if (index < call->args.size())
        markPointer(function, own, call->args[index]);
      for (const ast::Keyword *keyword : call->keywords)
        if (keyword->name == param->name)
          markPointer(function, own, keyword->value);
    }
  });
  return isChanged;
}

bool RoleFinder::isPointer(const ast::FunctionDef *function, llvm::StringRef param) const {
  const Facts &own = facts.find(function)->second;
  if (own.pointers.contains(param))
    return true;
  // Functions of other files are not looked at: there the name has to do.
  bool isNamedSo = param.ends_with_insensitive("ptr") || param.ends_with_insensitive("pointer");
  return isNamedSo && own.used.contains(param) && !own.factors.contains(param);
}

bool RoleFinder::isUsed(const ast::FunctionDef *function, llvm::StringRef param) const {
  return facts.find(function)->second.used.contains(param);
}

llvm::SmallVector<const ast::FunctionDef *> RoleFinder::getCallers(llvm::StringRef name) const {
  llvm::SmallVector<const ast::FunctionDef *> callers;
  for (const ast::FunctionDef *function : functions)
    if (function->name != name && facts.find(function)->second.called.contains(name))
      callers.push_back(function);
  return callers;
}

bool returnsValue(const ast::FunctionDef *function) {
  bool found = false;
  ast::walkStmts(function->body, [&](const ast::Stmt *stmt) {
    if (auto *ret = llvm::dyn_cast<ast::ReturnStmt>(stmt))
      found |= ret->value && !llvm::isa<ast::NoneLiteral>(ret->value);
  });
  return found;
}

} // namespace tilec::frontend
