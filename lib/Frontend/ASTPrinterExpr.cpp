// Expressions and patterns as nested lists.
#include "lib/Frontend/ASTPrinterImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <charconv>
#include <cmath>

namespace tilec {

using namespace ast;

void ASTPrinter::printEach(llvm::ArrayRef<Expr *> exprs) {
  for (const Expr *expr : exprs)
    printChild(expr);
}

void ASTPrinter::printList(llvm::StringRef head, llvm::ArrayRef<Expr *> exprs) {
  os << '(' << head;
  printEach(exprs);
  os << ')';
}

void ASTPrinter::printString(llvm::StringRef text, bool bytes) {
  os << (bytes ? "b\"" : "\"");
  for (char c : text) {
    if (c == '\n')
      os << "\\n";
    else if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (uint8_t(c) < 0x20 || c == 0x7F || (bytes && uint8_t(c) >= 0x80))
      os << "\\x" << llvm::utohexstr(uint8_t(c), /*LowerCase=*/true, /*Width=*/2);
    else
      os << c;
  }
  os << '"';
}

/// Decimal, which takes quadratic time, up to 256 bits; hexadecimal beyond.
void ASTPrinter::printInt(const IntLiteral *literal) {
  if (literal->words.size() <= 4) {
    llvm::SmallString<80> digits;
    literal->getValue().toStringUnsigned(digits);
    os << digits;
    return;
  }
  os << "0x" << llvm::utohexstr(literal->words.back());
  for (uint64_t word : llvm::reverse(literal->words.drop_back()))
    os << llvm::utohexstr(word, /*LowerCase=*/false, /*Width=*/16);
}

/// The shortest text that reads back as the same number.
void ASTPrinter::printFloat(double value) {
  if (std::isinf(value)) {
    os << "1e999";
    return;
  }
  char buffer[32];
  auto result = std::to_chars(std::begin(buffer), std::end(buffer), value);
  llvm::StringRef digits(buffer, size_t(result.ptr - buffer));
  os << digits;
  if (digits.find_first_of(".e") == llvm::StringRef::npos)
    os << ".0";
}

void ASTPrinter::printDict(const DictExpr *dict) {
  os << "(dict";
  for (size_t i = 0; i < dict->keys.size(); ++i) {
    os << " (";
    if (dict->keys[i])
      printExpr(dict->keys[i]);
    else
      os << "**";
    printChild(dict->values[i]);
    os << ')';
  }
  os << ')';
}

void ASTPrinter::printCall(const CallExpr *call) {
  os << "(call";
  printChild(call->callee);
  printEach(call->args);
  for (const Keyword *keyword : call->keywords) {
    os << ' ';
    if (keyword->name.empty())
      os << "**";
    else
      os << keyword->name << '=';
    printExpr(keyword->value);
  }
  os << ')';
}

void ASTPrinter::printCompare(const CompareExpr *compare) {
  if (compare->ops.size() == 1)
    return printList(getSpelling(compare->ops[0]), compare->operands);
  os << "(chain";
  printChild(compare->operands[0]);
  for (size_t i = 0; i < compare->ops.size(); ++i) {
    os << ' ' << getSpelling(compare->ops[i]);
    printChild(compare->operands[i + 1]);
  }
  os << ')';
}

void ASTPrinter::printComprehension(const ComprehensionExpr *comprehension) {
  constexpr llvm::StringLiteral kHeads[] = {"(list-of", "(set-of", "(dict-of", "(generator"};
  os << kHeads[size_t(comprehension->form)];
  printChild(comprehension->element);
  if (comprehension->value)
    printChild(comprehension->value);
  for (const ForClause *clause : comprehension->clauses) {
    os << (clause->isAsync ? " (async-for" : " (for");
    printChild(clause->target);
    printChild(clause->iterable);
    for (const Expr *condition : clause->conditions) {
      os << " (if";
      printChild(condition);
      os << ')';
    }
    os << ')';
  }
  os << ')';
}

void ASTPrinter::printField(const FormattedValue *field) {
  os << "(field";
  printChild(field->value);
  if (field->conversion)
    os << " !" << field->conversion;
  if (field->formatSpec)
    printChild(field->formatSpec);
  os << ')';
}

void ASTPrinter::printParam(const Param *param) {
  switch (param->paramKind) {
  case ParamKind::PositionalOnly:
    os << "(positional-only ";
    break;
  case ParamKind::Regular:
    os << "(param ";
    break;
  case ParamKind::VarPositional:
    os << "(param *";
    break;
  case ParamKind::KeywordOnly:
    os << "(keyword-only ";
    break;
  case ParamKind::VarKeyword:
    os << "(param **";
    break;
  }
  os << param->name;
  if (param->annotation) {
    os << " :";
    printChild(param->annotation);
  }
  if (param->defaultValue) {
    os << " =";
    printChild(param->defaultValue);
  }
  os << ')';
}

void ASTPrinter::printExpr(const Expr *expr) {
  llvm::TypeSwitch<const Expr *>(expr)
      .Case([&](const NameExpr *e) { os << e->name; })
      .Case([&](const IntLiteral *e) { printInt(e); })
      .Case([&](const FloatLiteral *e) { printFloat(e->value); })
      .Case([&](const ImaginaryLiteral *e) {
        printFloat(e->value);
        os << 'j';
      })
      .Case([&](const StringLiteral *e) { printString(e->value, /*bytes=*/false); })
      .Case([&](const BytesLiteral *e) { printString(e->value, /*bytes=*/true); })
      .Case([&](const BoolLiteral *e) { os << (e->value ? "True" : "False"); })
      .Case([&](const NoneLiteral *) { os << "None"; })
      .Case([&](const EllipsisLiteral *) { os << "..."; })
      .Case([&](const JoinedStr *e) { printList("fstring", e->parts); })
      .Case([&](const FormattedValue *e) { printField(e); })
      .Case([&](const UnaryExpr *e) { printList(getSpelling(e->op), e->operand); })
      .Case([&](const BinaryExpr *e) { printList(getSpelling(e->op), {e->lhs, e->rhs}); })
      .Case([&](const BoolOpExpr *e) { printList(getSpelling(e->op), e->operands); })
      .Case([&](const CompareExpr *e) { printCompare(e); })
      .Case([&](const CallExpr *e) { printCall(e); })
      .Case([&](const AttributeExpr *e) {
        printExpr(e->base);
        os << '.' << e->attr;
      })
      .Case([&](const SubscriptExpr *e) { printList("index", {e->base, e->index}); })
      .Case([&](const SliceExpr *e) {
        os << "(slice";
        for (const Expr *part : {e->lower, e->upper, e->step}) {
          os << ' ';
          if (part)
            printExpr(part);
          else
            os << '_';
        }
        os << ')';
      })
      .Case([&](const LambdaExpr *e) {
        os << "(lambda";
        for (const Param *param : e->params) {
          os << ' ';
          printParam(param);
        }
        printChild(e->body);
        os << ')';
      })
      .Case([&](const ConditionalExpr *e) {
        printList("if", {e->condition, e->thenValue, e->elseValue});
      })
      .Case([&](const TupleExpr *e) { printList("tuple", e->elements); })
      .Case([&](const ListExpr *e) { printList("list", e->elements); })
      .Case([&](const SetExpr *e) { printList("set", e->elements); })
      .Case([&](const DictExpr *e) { printDict(e); })
      .Case([&](const ComprehensionExpr *e) { printComprehension(e); })
      .Case([&](const ast::NamedExpr *e) { printList(":=", {e->target, e->value}); })
      .Case([&](const StarredExpr *e) {
        os << '*';
        printExpr(e->value);
      })
      .Case([&](const AwaitExpr *e) { printList("await", e->value); })
      .Case([&](const YieldExpr *e) {
        os << "(yield";
        if (e->value)
          printChild(e->value);
        os << ')';
      })
      .Case([&](const YieldFromExpr *e) { printList("yield-from", e->value); });
}

void ASTPrinter::printPatterns(llvm::StringRef head, llvm::ArrayRef<Pattern *> patterns) {
  os << '(' << head;
  for (const Pattern *pattern : patterns) {
    os << ' ';
    printPattern(pattern);
  }
  os << ')';
}

void ASTPrinter::printPattern(const Pattern *pattern) {
  llvm::TypeSwitch<const Pattern *>(pattern)
      .Case([&](const ValuePattern *p) {
        os << "(value";
        printChild(p->value);
        os << ')';
      })
      .Case([&](const AsPattern *p) {
        if (!p->pattern) {
          os << (p->name.empty() ? "_" : p->name);
          return;
        }
        os << "(as ";
        printPattern(p->pattern);
        os << ' ' << p->name << ')';
      })
      .Case([&](const OrPattern *p) { printPatterns("|", p->patterns); })
      .Case([&](const SequencePattern *p) { printPatterns("sequence", p->patterns); })
      .Case([&](const StarPattern *p) { os << '*' << (p->name.empty() ? "_" : p->name); })
      .Case([&](const MappingPattern *p) {
        os << "(mapping";
        for (size_t i = 0; i < p->keys.size(); ++i) {
          os << " (";
          printExpr(p->keys[i]);
          os << ' ';
          printPattern(p->patterns[i]);
          os << ')';
        }
        if (!p->rest.empty())
          os << " **" << p->rest;
        os << ')';
      })
      .Case([&](const ClassPattern *p) {
        os << "(class";
        printChild(p->cls);
        for (const Pattern *sub : p->patterns) {
          os << ' ';
          printPattern(sub);
        }
        for (size_t i = 0; i < p->keywordNames.size(); ++i) {
          os << ' ' << p->keywordNames[i] << '=';
          printPattern(p->keywordPatterns[i]);
        }
        os << ')';
      });
}

} // namespace tilec
