// Delta debugging: leaves out and simplifies parts of a kernel as long as it still fails alike.

#include "lib/Fuzz/Minimize.h"
#include "lib/Fuzz/Syntax.h"
#include "lib/Fuzz/Worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>

using namespace llvm;

namespace tilec::fuzz {
namespace {

using Place = Syntax::Place;

class Minimizer {
public:
  Minimizer(const Trial &trial, const Outcome &outcome, double seconds, double secondsPerTrial)
      : best(trial), outcome(outcome), wanted(outcome.getClass()), worker(secondsPerTrial),
        end(Clock::now() + std::chrono::microseconds(int64_t(seconds * 1e6))) {}

  void run();
  const Trial &getTrial() const { return best; }
  const Outcome &getOutcome() const { return outcome; }
  unsigned getNumTrials() const { return trials; }

private:
  using Clock = Worker::Clock;

  bool isOver() const { return Clock::now() >= end; }
  /// Whether the trial fails alike; it is the best then.
  bool tryTrial(const Trial &trial);
  bool tryCase(const Case &c);
  bool tryText(const std::string &text);

  bool dropStatements();
  bool simplifyStatements();
  bool simplifyExpressions();
  bool inlineNames();
  bool shrinkNumbers();
  bool dropParams();
  bool simplifyLaunch();
  bool dropBrackets();

  Trial best;
  Outcome outcome;
  std::string wanted;
  Worker worker;
  Clock::time_point end;
  StringSet<> tried;
  unsigned trials = 0;
};

bool Minimizer::tryTrial(const Trial &trial) {
  if (isOver() || !tried.insert(trial.serialize()).second)
    return false;
  ++trials;
  Outcome now = worker.run(trial);
  if (now.getClass() != wanted)
    return false;
  best = trial;
  outcome = now;
  return true;
}

bool Minimizer::tryCase(const Case &c) {
  Trial trial = best;
  trial.expected = c;
  return tryTrial(trial);
}

bool Minimizer::tryText(const std::string &text) {
  if (text == best.expected.text)
    return false;
  Case c = best.expected;
  c.text = text;
  return tryCase(c);
}

//===--- Statements ----------------------------------------------------------===//

/// The text without some statements; a block that becomes empty gets a `pass`.
std::string without(const Syntax &syntax, const std::set<const ast::Stmt *> &removed) {
  std::vector<Edit> edits;
  for (const Place &place : syntax.getStatements()) {
    if (!removed.count(place.stmt))
      continue;
    bool isEmpty = all_of(place.block, [&](const ast::Stmt *s) { return removed.count(s) != 0; });
    bool needsPass = isEmpty && place.function && place.stmt == place.block.front();
    edits.push_back(syntax.replaceLines(place.stmt, needsPass ? "pass\n" : ""));
  }
  return applyEdits(syntax.getText(), edits);
}

bool Minimizer::dropStatements() {
  bool changed = false;
  size_t size = Syntax(best.expected.text).getStatements().size();
  for (size_t chunk = std::max<size_t>(size / 2, 1); chunk; chunk /= 2) {
    // From the end: what is used last can be left out first.
    for (size_t back = 0; !isOver();) {
      Syntax syntax(best.expected.text);
      ArrayRef<Place> places = syntax.getStatements();
      if (back >= places.size())
        break;
      size_t last = places.size() - back, first = last > chunk ? last - chunk : 0;
      std::set<const ast::Stmt *> removed;
      for (const Place &place : places.slice(first, last - first))
        if (place.stmt != syntax.findFunction(best.expected.kernel) &&
            !isa<ast::PassStmt>(place.stmt))
          removed.insert(place.stmt);
      if (!removed.empty() && tryText(without(syntax, removed)))
        changed = true;
      else
        back += chunk;
    }
  }
  return changed;
}

/// The constant of a type that a comment gives, as "i32[64, 32]", or "".
std::string makeConstant(StringRef type, StringRef number) {
  static const std::pair<StringLiteral, StringLiteral> kNames[] = {
      {"i1", "int1"},       {"i8", "int8"},
      {"i16", "int16"},     {"i32", "int32"},
      {"i64", "int64"},     {"u8", "uint8"},
      {"u16", "uint16"},    {"u32", "uint32"},
      {"u64", "uint64"},    {"fp16", "float16"},
      {"bf16", "bfloat16"}, {"fp32", "float32"},
      {"fp64", "float64"},  {"fp8e4nv", "float8e4nv"},
      {"fp8e5", "float8e5"}};
  auto [elem, shape] = type.split('[');
  for (const auto &[name, tlName] : kNames)
    if (elem == name)
      return shape.empty() ? ("tl.cast(" + number + ", tl." + tlName + ")").str()
                           : ("tl.full([" + shape + ", " + number + ", tl." + tlName + ")").str();
  return "";
}

/// The type behind a statement, or "".
StringRef getTypeComment(const Syntax &syntax, const ast::Stmt *stmt) {
  size_t at = syntax.getEnd(stmt);
  StringRef rest = syntax.getText().slice(at, syntax.getLineEnd(at)).trim();
  return rest.consume_front("# ") && !rest.contains(", fp") ? rest : StringRef();
}

bool Minimizer::simplifyStatements() {
  bool changed = false;
  for (size_t i = 0; !isOver(); ++i) {
    Syntax syntax(best.expected.text);
    if (i >= syntax.getStatements().size())
      break;
    const Place &place = syntax.getStatements()[i];
    std::vector<std::string> candidates;
    if (auto *loop = dyn_cast<ast::ForStmt>(place.stmt)) {
      std::string lines = syntax.getLines(loop->body);
      candidates.push_back(lines);
      candidates.push_back(syntax.getText(loop->target).str() + " = 0\n" + lines);
    } else if (auto *loop = dyn_cast<ast::WhileStmt>(place.stmt)) {
      candidates.push_back(syntax.getLines(loop->body));
    } else if (auto *branch = dyn_cast<ast::IfStmt>(place.stmt)) {
      candidates.push_back(syntax.getLines(branch->body));
      if (!branch->orelse.empty()) {
        auto *elif = dyn_cast<ast::IfStmt>(branch->orelse.front());
        if (!elif || !elif->isElif)
          candidates.push_back(syntax.getLines(branch->orelse));
        candidates.push_back("if " + syntax.getText(branch->condition).str() + ":\n" +
                             indentLines(syntax.getLines(branch->body)));
      }
    } else if (auto *assign = dyn_cast<ast::AssignStmt>(place.stmt)) {
      StringRef type = getTypeComment(syntax, assign), value = syntax.getText(assign->value);
      if (!type.empty() && !value.starts_with("tl.full") && !value.starts_with("tl.cast"))
        for (StringRef number : {"0", "1", "2"})
          if (std::string text = makeConstant(type, number); !text.empty())
            candidates.push_back(syntax.getText(assign->targets[0]).str() + " = " + text + "  # " +
                                 type.str() + "\n");
    } else if (auto *aug = dyn_cast<ast::AugAssignStmt>(place.stmt)) {
      candidates.push_back(
          (syntax.getText(aug->target) + " = " + syntax.getText(aug->value) + "\n").str());
    }
    for (const std::string &lines : candidates)
      if (tryText(applyEdits(syntax.getText(), {syntax.replaceLines(place.stmt, lines)}))) {
        changed = true;
        --i;
        break;
      }
  }
  return changed;
}

//===--- Expressions ---------------------------------------------------------===//

/// Whether every element must keep its own address: the pointer of a store.
bool isFrozen(const Syntax &syntax, const ast::CallExpr *call) {
  StringRef callee = syntax.getText(call->callee);
  return callee == "tl.store" || callee.starts_with("tl.atomic");
}

bool isAtom(const ast::Expr *expr) {
  return isa<ast::NameExpr, ast::IntLiteral, ast::FloatLiteral, ast::BoolLiteral, ast::CallExpr,
             ast::AttributeExpr, ast::SubscriptExpr, ast::ListExpr>(expr);
}

/// Replacements of one expression, simple ones first.
std::vector<std::string> getSimpler(const Syntax &syntax, const ast::Expr *expr,
                                    ArrayRef<std::string> names) {
  std::vector<std::string> result;
  StringRef text = syntax.getText(expr);
  auto add = [&](const std::string &simple) {
    if (simple.size() < text.size() || (isa<ast::NameExpr>(expr) && simple < text.str()))
      result.push_back(simple);
  };
  if (auto *literal = dyn_cast<ast::IntLiteral>(expr)) {
    int64_t value = literal->getInt64().value_or(0);
    for (int64_t simple : {int64_t(0), int64_t(1), value / 2})
      if (simple < value)
        result.push_back(std::to_string(simple));
    return result;
  }
  if (isa<ast::FloatLiteral, ast::BoolLiteral, ast::ListExpr, ast::StringLiteral>(expr))
    return result;
  for (StringRef simple : {"0", "1", "True"})
    add(simple.str());
  for (const ast::Expr *operand : getOperands(expr)) {
    std::string part = syntax.getText(operand).str();
    if (part == "tl")
      continue;
    add(isAtom(operand) ? part : "(" + part + ")");
    for (const ast::Expr *inner : getOperands(operand))
      add(isAtom(inner) ? syntax.getText(inner).str() : "(" + syntax.getText(inner).str() + ")");
  }
  for (const std::string &name : names)
    add(name);
  // Arguments one by one.
  if (auto *call = dyn_cast<ast::CallExpr>(expr))
    for (const ast::Keyword *keyword : call->keywords) {
      size_t begin = syntax.getBegin(keyword), stop = syntax.getEnd(keyword);
      size_t comma = syntax.getText().rfind(',', begin);
      if (comma != StringRef::npos && comma > syntax.getBegin(call))
        result.push_back(syntax.getText().slice(syntax.getBegin(call), comma).str() +
                         syntax.getText().slice(stop, syntax.getEnd(call)).str());
    }
  return result;
}

bool Minimizer::simplifyExpressions() {
  bool changed = false;
  // Each round looks at one expression, counted through the whole source.
  for (size_t wantedIndex = 0; !isOver(); ++wantedIndex) {
    Syntax syntax(best.expected.text);
    size_t index = 0;
    const ast::Expr *found = nullptr;
    std::vector<std::string> names;
    for (const Place &place : syntax.getStatements()) {
      forEachExpr(place.stmt, [&](const ast::Expr *whole) {
        walk(whole, [&](const ast::Expr *expr) {
          auto *call = dyn_cast<ast::CallExpr>(expr);
          if (call && isFrozen(syntax, call)) {
            // The value and the mask are looked at, the address is not.
            for (size_t i = 1; i < call->args.size(); ++i)
              walk(call->args[i], [&](const ast::Expr *inner) {
                if (index++ == wantedIndex)
                  found = inner;
                return true;
              });
            if (index++ == wantedIndex)
              found = call;
            return false;
          }
          if (index++ == wantedIndex)
            found = expr;
          return true;
        });
      });
      if (found)
        break;
      if (isa<ast::AssignStmt>(place.stmt))
        for (StringRef name : getAssigned(place.stmt))
          if (!is_contained(names, name.str()))
            names.push_back(name.str());
    }
    if (!found)
      return changed;
    for (const std::string &simple : getSimpler(syntax, found, names))
      if (tryText(applyEdits(syntax.getText(),
                             {{syntax.getBegin(found), syntax.getEnd(found), simple}}))) {
        changed = true;
        --wantedIndex;
        break;
      }
  }
  return changed;
}

bool Minimizer::inlineNames() {
  bool changed = false;
  for (size_t i = 0; !isOver(); ++i) {
    Syntax syntax(best.expected.text);
    if (i >= syntax.getStatements().size())
      break;
    auto *assign = dyn_cast<ast::AssignStmt>(syntax.getStatements()[i].stmt);
    auto *target = assign ? dyn_cast<ast::NameExpr>(assign->targets[0]) : nullptr;
    if (!target)
      continue;
    std::vector<const ast::Expr *> uses;
    for (const Place &place : syntax.getStatements())
      forEachExpr(place.stmt, [&](const ast::Expr *whole) {
        walk(whole, [&](const ast::Expr *expr) {
          auto *name = dyn_cast<ast::NameExpr>(expr);
          if (name && name->name == target->name)
            uses.push_back(name);
          return true;
        });
      });
    StringRef value = syntax.getText(assign->value);
    bool isShort = isa<ast::NameExpr, ast::IntLiteral>(assign->value);
    if (uses.empty() || (uses.size() > 1 && !isShort))
      continue;
    std::vector<Edit> edits = {syntax.replaceLines(assign, "")};
    for (const ast::Expr *use : uses)
      edits.push_back({syntax.getBegin(use), syntax.getEnd(use),
                       isAtom(assign->value) ? value.str() : "(" + value.str() + ")"});
    if (tryText(applyEdits(syntax.getText(), edits))) {
      changed = true;
      --i;
    }
  }
  return changed;
}

bool Minimizer::dropBrackets() {
  bool changed = false;
  for (size_t at = 0; !isOver();) {
    std::string text = best.expected.text;
    at = text.find('(', at);
    if (at == std::string::npos)
      break;
    size_t depth = 0, close = at;
    for (; close < text.size(); ++close) {
      depth += text[close] == '(' ? 1 : 0;
      if (text[close] == ')' && --depth == 0)
        break;
    }
    bool isCall = at > 0 && (isAlnum(text[at - 1]) || text[at - 1] == '_');
    if (isCall || close >= text.size()) {
      ++at;
      continue;
    }
    if (tryText(text.substr(0, at) + text.substr(at + 1, close - at - 1) + text.substr(close + 1)))
      changed = true;
    else
      ++at;
  }
  return changed;
}

//===--- Numbers, parameters, launch -----------------------------------------===//

/// Every whole number in the text, with its places.
std::map<int64_t, std::vector<size_t>> findNumbers(StringRef text) {
  std::map<int64_t, std::vector<size_t>> result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!isDigit(text[i]))
      continue;
    size_t last = i;
    while (last < text.size() && isDigit(text[last]))
      ++last;
    char before = i ? text[i - 1] : ' ';
    int64_t number = 0;
    bool isWord = isAlpha(before) || before == '_' || before == '.';
    if (!isWord && !text.substr(i, last - i).getAsInteger(10, number))
      result[number].push_back(i);
    i = last;
  }
  return result;
}

bool Minimizer::shrinkNumbers() {
  bool changed = false;
  std::set<int64_t> failed;
  while (!isOver()) {
    std::string text = best.expected.text;
    bool isDone = true;
    auto numbers = findNumbers(text);
    for (auto entry = numbers.rbegin(); entry != numbers.rend(); ++entry) {
      auto &[number, places] = *entry;
      if (number < 2 || failed.count(number))
        continue;
      std::vector<Edit> edits;
      std::string old = std::to_string(number);
      for (size_t place : places)
        edits.push_back({place, place + old.size(), std::to_string(number / 2)});
      if (tryText(applyEdits(text, edits))) {
        changed = true;
        isDone = false;
        break;
      }
      failed.insert(number);
    }
    if (isDone)
      break;
  }
  return changed;
}

bool Minimizer::dropParams() {
  bool changed = false;
  for (size_t i = 0; !isOver(); ++i) {
    Syntax syntax(best.expected.text);
    const ast::FunctionDef *kernel = syntax.findFunction(best.expected.kernel);
    if (!kernel || i >= kernel->params.size())
      break;
    const ast::Param *param = kernel->params[i];
    size_t begin = syntax.getBegin(param), stop = syntax.getEnd(param);
    if (i + 1 < kernel->params.size())
      stop = syntax.getBegin(kernel->params[i + 1]);
    else if (i > 0)
      begin = syntax.getEnd(kernel->params[i - 1]);
    Case c = best.expected;
    c.text = applyEdits(syntax.getText(), {{begin, stop, ""}});
    erase_if(c.args, [&](const std::string &arg) {
      return StringRef(arg).starts_with((param->name + "=").str());
    });
    erase_if(c.defines, [&](const auto &define) { return define.first == param->name; });
    if (tryCase(c)) {
      changed = true;
      --i;
    }
  }
  return changed;
}

bool Minimizer::simplifyLaunch() {
  bool changed = false;
  auto change = [&](auto field, auto value) {
    Case c = best.expected;
    if (c.*field == value)
      return false;
    c.*field = value;
    return tryCase(c);
  };
  changed |= change(&Case::grid, std::array<uint64_t, 3>{1, 1, 1});
  for (unsigned warps : {1u, 2u, 4u, 8u})
    if (best.expected.numWarps > warps || !best.expected.numWarps)
      if (change(&Case::numWarps, warps)) {
        changed = true;
        break;
      }
  changed |= change(&Case::numStages, 0u);
  changed |= change(&Case::misalign, 0u);
  changed |= change(&Case::seed, uint64_t(0));
  // Simpler contents, and fewer elements.
  for (size_t i = 0; i < best.expected.args.size() && !isOver(); ++i) {
    StringRef arg = best.expected.args[i];
    size_t open = arg.find('('), close = arg.rfind(')');
    if (open == StringRef::npos || close == StringRef::npos) {
      auto [name, value] = arg.split('=');
      for (StringRef simple : {"0", "1", "2"})
        if (value.size() > 1 || simple < value.take_front(1)) {
          Case c = best.expected;
          c.args[i] = (name + "=" + simple).str();
          if (tryCase(c)) {
            changed = true;
            break;
          }
        }
      continue;
    }
    StringRef name = arg.take_front(open).split('=').first;
    StringRef type = arg.drop_front(close + 1);
    StringRef inside = arg.slice(open + 1, close);
    std::string count = (inside.contains(',') && !arg.contains("=full") ? inside.rsplit(',').second
                                                                        : inside.split(',').first)
                            .trim()
                            .str();
    for (StringRef simple : {"zeros", "ones", "arange"}) {
      std::string text = (name + "=" + simple + "(" + count + ")" + type).str();
      if (arg.contains("=" + simple.str() + "(") || simple.size() >= arg.split('=').second.size())
        break;
      Case c = best.expected;
      c.args[i] = text;
      if (tryCase(c)) {
        changed = true;
        break;
      }
    }
    for (bool again = true; again && !isOver();) {
      again = false;
      Case c = best.expected;
      uint64_t number = 0;
      if (StringRef(count).getAsInteger(10, number) || number < 2)
        break;
      std::string half = std::to_string(number / 2);
      StringRef now = c.args[i];
      size_t begin = now.find('('), stop = now.rfind(')');
      size_t at = begin + (now.contains("=full") ? now.slice(begin, stop).find(count)
                                                 : now.slice(begin, stop).rfind(count));
      c.args[i].replace(at, count.size(), half);
      if (tryCase(c)) {
        changed = again = true;
        count = half;
      }
    }
  }
  return changed;
}

void Minimizer::run() {
  // One kernel is better than two.
  if (best.tested) {
    Trial plain = best, changedOnly = best;
    plain.tested.reset();
    changedOnly.expected = *best.tested;
    changedOnly.tested.reset();
    if (!tryTrial(plain) && !tryTrial(changedOnly))
      return;
  }
  // Largest gains first; all again as long as any gains.
  for (bool changed = true; changed && !isOver();) {
    changed = dropStatements();
    changed |= dropParams();
    changed |= simplifyLaunch();
    changed |= simplifyStatements();
    changed |= shrinkNumbers();
    changed |= simplifyExpressions();
    changed |= inlineNames();
    changed |= dropBrackets();
  }
}

} // namespace

Trial minimize(const Trial &trial, Outcome &outcome, double seconds, double secondsPerTrial,
               raw_ostream &progress) {
  Minimizer minimizer(trial, outcome, seconds, secondsPerTrial);
  minimizer.run();
  outcome = minimizer.getOutcome();
  progress << "tile-fuzz: made smaller by " << minimizer.getNumTrials()
           << " trials: " << trial.expected.text.size() << " bytes to "
           << minimizer.getTrial().expected.text.size() << '\n';
  return minimizer.getTrial();
}

} // namespace tilec::fuzz
