// Parameters of functions and lambdas, and lambdas themselves.
#include "lib/Frontend/ParserImpl.h"

#include "llvm/ADT/StringSet.h"

namespace tilec {

using namespace ast;

/// Parses up to `closer` and leaves it.
bool Parser::parseParams(K closer, bool isLambda, Vector<Param *> &params) {
  bool sawSlash = false, sawStar = false, sawDefault = false;
  bool needName = false; // After a bare '*'.
  SourceRange starRange;
  llvm::StringSet<> names;
  while (!at(closer)) {
    uint32_t start = begin();
    if (!params.empty() && params.back()->paramKind == ParamKind::VarKeyword) {
      error(here()) << "a parameter cannot follow '**" << params.back()->name << "'";
      return false;
    }
    if (at(K::Slash)) {
      if (params.empty() || sawSlash || sawStar) {
        error(here()) << (params.empty() ? "at least one parameter must precede '/'"
                          : sawSlash     ? "'/' may appear only once"
                                         : "'/' must be ahead of '*'");
        return false;
      }
      sawSlash = true;
      for (Param *param : params)
        param->paramKind = ParamKind::PositionalOnly;
      advance();
    } else if (at(K::Star) && (kindAt(1) == K::Comma || kindAt(1) == closer)) {
      if (sawStar) {
        error(here()) << "'*' may appear only once";
        return false;
      }
      sawStar = needName = true;
      starRange = rangeOf(token());
      advance();
    } else {
      ParamKind kind = sawStar ? ParamKind::KeywordOnly : ParamKind::Regular;
      if (at(K::Star)) {
        if (sawStar) {
          error(here()) << "'*' may appear only once";
          return false;
        }
        sawStar = true;
        kind = ParamKind::VarPositional;
        advance();
      } else if (accept(K::StarStar)) {
        if (needName) {
          error(starRange) << "at least one named parameter must follow a bare '*'";
          return false;
        }
        kind = ParamKind::VarKeyword;
      }
      llvm::StringRef name;
      SourceRange nameRange;
      if (!expectName(isLambda ? "a parameter name or ':'" : "a parameter name or ')'", name,
                      nameRange))
        return false;
      needName &= kind != ParamKind::KeywordOnly;
      if (!names.insert(name).second) {
        error(nameRange) << "parameter '" << name << "' is declared twice";
        return false;
      }
      Expr *annotation = nullptr, *defaultValue = nullptr;
      if (!isLambda && accept(K::Colon)) {
        annotation = kind == ParamKind::VarPositional ? parseStarredOrExpression() : parseExpr();
        if (!annotation)
          return false;
      }
      if (at(K::Equal)) {
        if (kind == ParamKind::VarPositional || kind == ParamKind::VarKeyword) {
          error(here()) << "'" << (kind == ParamKind::VarKeyword ? "**" : "*") << name
                        << "' cannot have a default value";
          return false;
        }
        advance();
        defaultValue = parseExpr();
        if (!defaultValue)
          return false;
      }
      if (kind == ParamKind::Regular) {
        if (sawDefault && !defaultValue) {
          error(nameRange) << "parameter '" << name
                           << "' without a default follows one with a default";
          return false;
        }
        sawDefault |= defaultValue != nullptr;
      }
      params.push_back(makeNode<Param>(start, kind, name, nameRange, annotation, defaultValue));
    }
    if (!accept(K::Comma))
      break;
  }
  if (needName) {
    error(starRange) << "at least one named parameter must follow a bare '*'";
    return false;
  }
  return true;
}

Expr *Parser::parseLambda() {
  uint32_t start = begin();
  advance();
  Vector<Param *> params;
  if (!parseParams(K::Colon, /*isLambda=*/true, params) ||
      !expectToken(K::Colon, "after the parameters of 'lambda'"))
    return nullptr;
  Expr *body = parseExpr();
  return body ? makeExpr<LambdaExpr>(start, copy(params), body) : nullptr;
}

} // namespace tilec
