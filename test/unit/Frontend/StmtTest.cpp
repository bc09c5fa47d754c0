// Statements, from the tree that they give.
#include "test/unit/Frontend/ParseHelper.h"

namespace tilec {
namespace {

/// The tree without "(module" around it, and with the line breaks folded.
std::string stmt(llvm::StringRef text) {
  std::string owned = tree(text);
  llvm::StringRef dump = owned;
  dump.consume_front("(module");
  dump = dump.trim();
  dump.consume_back(")");
  std::string result;
  for (size_t i = 0; i < dump.size(); ++i) {
    if (dump[i] == '\n') {
      i = dump.find_first_not_of("\n ", i) - 1;
      result += ' ';
    } else {
      result += dump[i];
    }
  }
  return llvm::StringRef(result).trim().str();
}

TEST(Stmt, Assignments) {
  EXPECT_EQ(stmt("a = 1"), "(= a 1)");
  EXPECT_EQ(stmt("a = b = c, d = 1"), "(= a b (tuple c d) 1)");
  EXPECT_EQ(stmt("a, (b, *c) = [d] = e"), "(= (tuple a (tuple b *c)) (list d) e)");
  EXPECT_EQ(stmt("a.b = c[0] = yield"), "(= a.b (index c 0) (yield))");
  EXPECT_EQ(stmt("a += b"), "(+= a b)");
  EXPECT_EQ(stmt("a **= b; a //= c; a @= d; a >>= e"), "(**= a b) (//= a c) (@= a d) (>>= a e)");
  EXPECT_EQ(stmt("a: b"), "(annotate a : b)");
  EXPECT_EQ(stmt("N: tl.constexpr = 1, 2"), "(annotate N : tl.constexpr = (tuple 1 2))");
}

TEST(Stmt, Simple) {
  EXPECT_EQ(stmt("pass; break; continue;"), "(pass) (break) (continue)");
  EXPECT_EQ(stmt("return"), "(return)");
  EXPECT_EQ(stmt("return a, *b"), "(return (tuple a *b))");
  EXPECT_EQ(stmt("raise"), "(raise)");
  EXPECT_EQ(stmt("raise A(1) from b"), "(raise (call A 1) from b)");
  EXPECT_EQ(stmt("assert a, 'm'"), "(assert a \"m\")");
  EXPECT_EQ(stmt("del a, b[0], (c, d)"), "(del a (index b 0) (tuple c d))");
  EXPECT_EQ(stmt("global a, b"), "(global a b)");
  EXPECT_EQ(stmt("nonlocal a"), "(nonlocal a)");
  EXPECT_EQ(stmt("print"), "(expr print)");
  EXPECT_EQ(stmt("*a, b"), "(expr (tuple *a b))");
}

TEST(Stmt, Imports) {
  EXPECT_EQ(stmt("import a.b.c as d, e"), "(import (as a.b.c d) e)");
  EXPECT_EQ(stmt("from a.b import c as d, e"), "(from a.b import (as c d) e)");
  EXPECT_EQ(stmt("from . import (a, b,)"), "(from . import a b)");
  EXPECT_EQ(stmt("from ....a import *"), "(from ....a import *)");
}

TEST(Stmt, If) {
  EXPECT_EQ(stmt("if a: b; c"), "(if a (then (expr b) (expr c)))");
  EXPECT_EQ(stmt("if a:\n  b\nelif c:\n  d\nelse:\n  e\n"),
            "(if a (then (expr b)) (else (elif c (then (expr d)) (else (expr e)))))");
  EXPECT_EQ(stmt("if a:\n  if b: c\nelse: d"),
            "(if a (then (if b (then (expr c)))) (else (expr d)))");
  EXPECT_EQ(stmt("if x := y: pass"), "(if (:= x y) (then (pass)))");
}

TEST(Stmt, Loops) {
  EXPECT_EQ(stmt("for i in range(n): pass"), "(for i (call range n) (body (pass)))");
  EXPECT_EQ(stmt("for i, (a, *b) in c, d:\n  pass\nelse:\n  e"),
            "(for (tuple i (tuple a *b)) (tuple c d) (body (pass)) (else (expr e)))");
  EXPECT_EQ(stmt("for x[0] in y: pass"), "(for (index x 0) y (body (pass)))");
  EXPECT_EQ(stmt("while a:\n  b\nelse:\n  c"), "(while a (body (expr b)) (else (expr c)))");
  EXPECT_EQ(stmt("async for a in b: c"), "(async-for a b (body (expr c)))");
}

TEST(Stmt, With) {
  EXPECT_EQ(stmt("with a: b"), "(with a (body (expr b)))");
  EXPECT_EQ(stmt("with a as b, c as (d, e): f"), "(with a as b c as (tuple d e) (body (expr f)))");
  EXPECT_EQ(stmt("with (a as b, c,): d"), "(with a as b c (body (expr d)))");
  EXPECT_EQ(stmt("with (a, b): c"), "(with a b (body (expr c)))");
  EXPECT_EQ(stmt("with (a, b) as c: d"), "(with (tuple a b) as c (body (expr d)))");
  EXPECT_EQ(stmt("with (a).b: c"), "(with a.b (body (expr c)))");
  EXPECT_EQ(stmt("with (x for x in y): c"), "(with (generator x (for x y)) (body (expr c)))");
  EXPECT_EQ(stmt("with (yield a): c"), "(with (yield a) (body (expr c)))");
  EXPECT_EQ(stmt("with (): c"), "(with (tuple) (body (expr c)))");
}

TEST(Stmt, Try) {
  EXPECT_EQ(stmt("try: a\nexcept B as c: d\nexcept (E, F): g\nexcept: h\nelse: i\nfinally: j"),
            "(try (body (expr a)) (except B as c (body (expr d))) "
            "(except (tuple E F) (body (expr g))) (except (body (expr h))) (else (expr i)) "
            "(finally (expr j)))");
  EXPECT_EQ(stmt("try: a\nexcept* B: c"), "(try (body (expr a)) (except* B (body (expr c))))");
}

TEST(Stmt, Functions) {
  EXPECT_EQ(stmt("@triton.jit\n@f(x=1)\ndef g(a: '*fp32', /, b=1, *, c: tl.constexpr = 2) -> d:\n"
                 "  return a\n"),
            "(def g (decorator triton.jit) (decorator (call f x=1)) "
            "(positional-only a : \"*fp32\") (param b = 1) (keyword-only c : tl.constexpr = 2) "
            "(returns d) (body (return a)))");
  EXPECT_EQ(stmt("def f(*args: *T, **kw): pass"),
            "(def f (param *args : *T) (param **kw) (body (pass)))");
  EXPECT_EQ(stmt("async def f(): await x"), "(async-def f (body (expr (await x))))");
  EXPECT_EQ(stmt("def f[T: int = str, *Ts, **P](): pass"),
            "(def f (type-param T : int = str) (type-param *Ts) (type-param **P) (body (pass)))");
}

TEST(Stmt, Classes) {
  EXPECT_EQ(stmt("class A: pass"), "(class A (body (pass)))");
  EXPECT_EQ(stmt("@d\nclass A[T](B, *c, m=D, **e):\n  x: int = 1\n  def f(self): pass"),
            "(class A (decorator d) (type-param T) (base B) (base *c) (keyword m D) "
            "(keyword ** e) (body (annotate x : int = 1) (def f (param self) (body (pass)))))");
}

TEST(Stmt, Match) {
  EXPECT_EQ(stmt("match a, *b:\n  case 1 | -2.5 | 'x' | None: c\n  case [d, *_] if e: f\n"),
            "(match (tuple a *b) (case (| (value 1) (value (- 2.5)) (value \"x\") (value None)) "
            "(body (expr c))) (case (sequence d *_) if e (body (expr f))))");
  EXPECT_EQ(stmt("match a:\n  case {'k': v, b.c: _, **r}: d\n  case E(f, g=1) as h: i\n"
                 "  case x, *y: z\n  case 1+2j: w"),
            "(match a (case (mapping (\"k\" v) (b.c _) **r) (body (expr d))) "
            "(case (as (class E f g=(value 1)) h) (body (expr i))) "
            "(case (sequence x *y) (body (expr z))) (case (value (+ 1 2.0j)) (body (expr w))))");
}

TEST(Stmt, SoftKeywordsAreNames) {
  EXPECT_EQ(stmt("match = 1; case = match; type = case; _ = type"),
            "(= match 1) (= case match) (= type case) (= _ type)");
  EXPECT_EQ(stmt("match(x)"), "(expr (call match x))");
  EXPECT_EQ(stmt("match[x]: int = 1"), "(annotate (index match x) : int = 1)");
  EXPECT_EQ(stmt("match * a, b"), "(expr (tuple (* match a) b))");
  EXPECT_EQ(stmt("match -x"), "(expr (- match x))");
  EXPECT_EQ(stmt("print(x, file=y)"), "(expr (call print x file=y))");
  EXPECT_EQ(stmt("type(x)"), "(expr (call type x))");
  EXPECT_EQ(stmt("type X[T] = list[T]"), "(type X (type-param T) (index list T))");
}

TEST(Stmt, DumpIsIndented) {
  EXPECT_EQ(tree("def f(a):\n  if a:\n    b = 1\nc\n"), "(module\n"
                                                        "  (def f\n"
                                                        "    (param a)\n"
                                                        "    (body\n"
                                                        "      (if a\n"
                                                        "        (then\n"
                                                        "          (= b 1)))))\n"
                                                        "  (expr c))\n");
  EXPECT_EQ(tree(""), "(module)\n");
}

TEST(Stmt, RangesCoverTheSource) {
  Parsed parsed("x = (a + b) * c  # d\nif x:\n  y\n");
  auto text = [&](const ast::Node *node) { return parsed.sources.getText(node->range).str(); };
  auto *assign = llvm::cast<ast::AssignStmt>(parsed.module->body[0]);
  EXPECT_EQ(text(assign), "x = (a + b) * c");
  auto *product = llvm::cast<ast::BinaryExpr>(assign->value);
  EXPECT_EQ(text(product), "(a + b) * c");
  EXPECT_EQ(text(product->lhs), "a + b");
  EXPECT_EQ(parsed.sources.getText(product->opRange), "*");
  EXPECT_EQ(text(parsed.module->body[1]), "if x:\n  y");
}

} // namespace
} // namespace tilec
