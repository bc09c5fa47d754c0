// Meaning-preserving changes, one after the other on the text.

#include "lib/Fuzz/Mutate.h"
#include "lib/Fuzz/Syntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilec::fuzz {
namespace {

/// A parameter of the kernel that no analysis knows, and its value.
constexpr StringLiteral kOpaque = "fuzz_n", kScratch = "fuzz_scratch";
constexpr StringLiteral kAlways = "fuzz_n == 3";

class Mutator {
public:
  Mutator(const Case &original, Random &random) : result(original), random(random) {}
  std::optional<Case> run();

private:
  using Place = Syntax::Place;

  bool mutateOnce();
  bool changeLaunch();
  bool changeTiles();
  bool guard(const Syntax &syntax, const Place &place);
  bool loopOnce(const Syntax &syntax, const Place &place);
  bool scratchStore(const Syntax &syntax, const Place &place);
  bool conditional(const Syntax &syntax, const Place &place);
  bool peelOrSplit(const Syntax &syntax, const Place &place);
  bool exchange(const Syntax &syntax, const Place &place);
  bool accept(const Syntax &syntax, const Edit &edit) {
    result.text = applyEdits(syntax.getText(), {edit});
    return true;
  }
  void addParam(StringRef declaration, StringRef value);
  std::string fresh(StringRef prefix) { return prefix.str() + std::to_string(counter++); }

  Case result;
  Random &random;
  unsigned counter = 0;
};

/// Whether a statement may run twice where one of the two results is thrown away.
bool isPure(const Syntax &syntax, const ast::Stmt *stmt) {
  StringRef text = syntax.getText(stmt);
  return !text.contains("atomic") && !text.contains("store") && !text.contains("asm") &&
         !text.contains("print");
}

bool leaves(const Syntax &syntax, const ast::Stmt *stmt) {
  StringRef text = syntax.getText(stmt);
  return text.contains("return") || text.contains("break") || text.contains("continue");
}

bool Mutator::guard(const Syntax &syntax, const Place &place) {
  if (leaves(syntax, place.stmt))
    return false;
  std::string lines = syntax.getLines(place.stmt);
  std::string text = "if " + kAlways.str() + ":\n" + indentLines(lines);
  // What a branch alone sets has no value afterwards.
  bool mayStandAlone = isa<ast::ExprStmt>(place.stmt) || isa<ast::AugAssignStmt>(place.stmt);
  if (!mayStandAlone || random.chance(30))
    text += "else:\n" + indentLines(lines);
  return accept(syntax, syntax.replaceLines(place.stmt, text));
}

bool Mutator::loopOnce(const Syntax &syntax, const Place &place) {
  if (leaves(syntax, place.stmt))
    return false;
  std::string lines = syntax.getLines(place.stmt), before;
  if (auto *assign = dyn_cast<ast::AssignStmt>(place.stmt)) {
    if (!isPure(syntax, place.stmt))
      return false;
    // A new name needs a value before the loop; an old one may be read by its own assignment.
    std::vector<StringRef> names = getAssigned(assign);
    bool readsItself = false;
    walk(assign->value, [&](const ast::Expr *expr) {
      auto *name = dyn_cast<ast::NameExpr>(expr);
      readsItself |= name && is_contained(names, name->name);
      return true;
    });
    if (!readsItself)
      before = lines;
  } else if (!isa<ast::ExprStmt>(place.stmt) && !isa<ast::AugAssignStmt>(place.stmt)) {
    return false;
  }
  std::string text = before + "for " + fresh("fuzz_i") + " in range(" + kOpaque.str() + " - 2):\n" +
                     indentLines(lines);
  return accept(syntax, syntax.replaceLines(place.stmt, text));
}

bool Mutator::scratchStore(const Syntax &syntax, const Place &place) {
  std::string store = "tl.store(" + kScratch.str() + " + tl.arange(0, 32), " + kOpaque.str() +
                      (random.chance(50) ? ", mask=tl.arange(0, 32) < " + kOpaque.str() : "") +
                      ")\n";
  return accept(syntax, syntax.replaceLines(place.stmt, store + syntax.getLines(place.stmt)));
}

bool Mutator::conditional(const Syntax &syntax, const Place &place) {
  auto *assign = dyn_cast<ast::AssignStmt>(place.stmt);
  if (!assign || !isPure(syntax, place.stmt) || !isa<ast::NameExpr>(assign->targets[0]))
    return false;
  std::string value = syntax.getText(assign->value).str();
  return accept(syntax, {syntax.getBegin(assign->value), syntax.getEnd(assign->value),
                         "(" + value + ") if " + kAlways.str() + " else (" + value + ")"});
}

bool Mutator::peelOrSplit(const Syntax &syntax, const Place &place) {
  auto *loop = dyn_cast<ast::ForStmt>(place.stmt);
  if (!loop || !loop->orelse.empty() || leaves(syntax, loop))
    return false;
  auto *call = dyn_cast<ast::CallExpr>(loop->iterable);
  auto *target = dyn_cast<ast::NameExpr>(loop->target);
  if (!call || !target || syntax.getText(call->callee) != "range" || !call->keywords.empty() ||
      call->args.empty() || call->args.size() > 3)
    return false;
  // A variable that is assigned elsewhere may be read after the loop.
  for (const Place &other : syntax.getStatements())
    if (other.function == place.function && !isa<ast::ForStmt>(other.stmt) &&
        !isa<ast::IfStmt>(other.stmt) && !isa<ast::WhileStmt>(other.stmt) &&
        is_contained(getAssigned(other.stmt), target->name))
      return false;
  auto argument = [&](size_t i) { return "(" + syntax.getText(call->args[i]).str() + ")"; };
  std::string low = call->args.size() == 1 ? "0" : argument(0);
  std::string high = argument(call->args.size() == 1 ? 0 : 1), step = "1";
  if (call->args.size() == 3) {
    auto *literal = dyn_cast<ast::IntLiteral>(call->args[2]);
    if (!literal)
      return false;
    step = syntax.getText(literal).str();
  }
  std::string name = target->name.str(), body = indentLines(syntax.getLines(loop->body));
  std::string text;
  if (random.chance(50)) {
    // With the type that the loop's variable has.
    text = "if " + low + " < " + high + ":\n    " + name + " = " + low + " + " + high + " * 0\n" +
           body + "for " + name + " in range(" + low + " + " + step + ", " + high + ", " + step +
           "):\n" + body;
  } else {
    std::string middle = fresh("fuzz_m"), first = low + " + " + step;
    text = middle + " = (" + first + " + " + high + " * 0) if " + first + " < " + high + " else (" +
           high + " + " + low + " * 0)\nfor " + name + " in range(" + low + ", " + middle + ", " +
           step + "):\n" + body + "for " + name + " in range(" + middle + ", " + high + ", " +
           step + "):\n" + body;
  }
  return accept(syntax, syntax.replaceLines(loop, text));
}

bool Mutator::exchange(const Syntax &syntax, const Place &place) {
  std::vector<const ast::BinaryExpr *> found;
  forEachExpr(place.stmt, [&](const ast::Expr *whole) {
    walk(whole, [&](const ast::Expr *expr) {
      if (auto *binary = dyn_cast<ast::BinaryExpr>(expr))
        if (is_contained({"+", "*", "&", "|", "^"}, ast::getSpelling(binary->op)))
          found.push_back(binary);
      return true;
    });
  });
  if (found.empty())
    return false;
  const ast::BinaryExpr *binary = random.pick(found);
  // What follows a range may be a bracket that belongs to the operand; whole nodes hold theirs.
  std::string text = "((" + syntax.getText(binary->rhs).str() + ") " +
                     ast::getSpelling(binary->op).str() + " (" + syntax.getText(binary->lhs).str() +
                     "))";
  return accept(syntax, {syntax.getBegin(binary), syntax.getEnd(binary), text});
}

/// Tiles of half or twice the size, and twice or half as many.
bool Mutator::changeTiles() {
  size_t axis = size_t(random.below(int64_t(std::min<size_t>(result.tiles.size(), 3))));
  for (auto &[name, value] : result.defines) {
    uint64_t size = 0;
    if (name != result.tiles[axis] || StringRef(value).getAsInteger(10, size) || size < 2)
      continue;
    uint64_t elements = size * result.grid[axis];
    size = random.chance(50) ? size / 2 : size * 2;
    value = std::to_string(size);
    result.grid[axis] = (elements + size - 1) / size;
    return true;
  }
  return false;
}

bool Mutator::changeLaunch() {
  if (!result.tiles.empty() && random.chance(50))
    return changeTiles();
  unsigned before = result.numWarps;
  if (random.chance(80))
    result.numWarps = unsigned(random.pick({1, 2, 4, 8, 16}));
  else
    result.numStages = unsigned(random.between(1, 4));
  return result.numWarps != before || result.numStages;
}

bool Mutator::mutateOnce() {
  Syntax syntax(result.text);
  if (!syntax.isValid())
    return false;
  const ast::FunctionDef *kernel = syntax.findFunction(result.kernel);
  std::vector<Place> places;
  for (const Place &place : syntax.getStatements())
    if (kernel && place.function == kernel && place.stmt != kernel)
      places.push_back(place);
  if (places.empty())
    return false;
  const Place &place = random.pick(places);
  switch (random.below(8)) {
  case 0:
    return guard(syntax, place);
  case 1:
    return loopOnce(syntax, place);
  case 2:
    return scratchStore(syntax, place);
  case 3:
    return conditional(syntax, place);
  case 4:
  case 5: {
    std::vector<Place> loops;
    for (const Place &other : places)
      if (isa<ast::ForStmt>(other.stmt))
        loops.push_back(other);
    return !loops.empty() && peelOrSplit(syntax, random.pick(loops));
  }
  case 6:
    return exchange(syntax, place);
  default:
    return changeLaunch();
  }
}

void Mutator::addParam(StringRef declaration, StringRef value) {
  StringRef name = declaration.split(':').first;
  if (StringRef(result.text).find(name) == StringRef::npos)
    return;
  Syntax syntax(result.text);
  const ast::FunctionDef *kernel = syntax.findFunction(result.kernel);
  if (!syntax.isValid() || !kernel)
    return;
  size_t at = kernel->params.empty() ? syntax.getText().find('(', syntax.getBegin(kernel)) + 1
                                     : syntax.getBegin(kernel->params.front());
  result.text =
      applyEdits(result.text, {{at, at, declaration.str() + (kernel->params.empty() ? "" : ", ")}});
  result.args.push_back((name + "=" + value).str());
}

std::optional<Case> Mutator::run() {
  int64_t wanted = random.between(1, 4), done = 0;
  for (int64_t tries = 0; done < wanted && tries < 20; ++tries)
    done += mutateOnce();
  if (!done)
    return std::nullopt;
  addParam("fuzz_n: \"i32\"", "3");
  addParam("fuzz_scratch: \"*i32\"", "zeros(32):i32");
  return result;
}

} // namespace

std::optional<Case> mutateCase(const Case &original, Random &random) {
  return Mutator(original, random).run();
}

} // namespace tilec::fuzz
