// Tokens, errors and recovery: what all parts of the parser share.
#include "lib/Frontend/ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

namespace tilec {

using namespace ast;

Module *parseModule(SourceManager &sources, FileID file, DiagnosticEngine &diags,
                    ASTContext &context) {
  return Parser(sources, file, diags, context).parseFile();
}

Expr *parseExpression(SourceManager &sources, FileID file, DiagnosticEngine &diags,
                      ASTContext &context) {
  return Parser(sources, file, diags, context).parseSingleExpression();
}

Parser::Parser(const SourceManager &sources, FileID file, DiagnosticEngine &diags,
               ASTContext &context)
    : sources(sources), file(file), diags(diags), context(context), text(sources.getText(file)) {
  TokenStream stream = Lexer(sources, file).run();
  tokens = std::move(stream.tokens);
  problems = std::move(stream.problems);
  showProblems();
}

Module *Parser::parseFile() {
  llvm::SmallVector<Stmt *, 32> body;
  while (!at(K::EndOfFile) && !diags.isErrorLimitReached()) {
    parseStatements(body);
    accept(K::Dedent);
  }
  return context.make<Module>(makeRange(0, uint32_t(text.size())), file, copy(body));
}

Expr *Parser::parseSingleExpression() {
  Expr *expr = parseStarExpressions();
  if (!expr)
    return nullptr;
  accept(K::Newline);
  if (!at(K::EndOfFile))
    return expected("expected the end of the expression");
  return expr;
}

// --- Tokens and errors --------------------------------------------------------

void Parser::advance() {
  if (!atLineEnd())
    previousEnd = token().end;
  if (pos + 1 < tokens.size())
    ++pos;
  showProblems();
}

/// Reports what the lexer found up to the current token.
void Parser::showProblems() {
  while (nextProblem < problems.size() && problems[nextProblem].tokenIndex <= pos)
    diags.report(std::move(problems[nextProblem++].diagnostic));
}

SourceRange Parser::here() const {
  if (atLineEnd() && previousEnd != 0 && !at(K::Indent))
    return SourceRange(sources.getLoc(file, previousEnd));
  return rangeOf(token());
}

std::string Parser::describeFound() const {
  if (atLineEnd())
    return "";
  switch (kind()) {
  case K::String:
  case K::Bytes:
  case K::FStringStart:
    return ", found a string";
  case K::FStringMiddle:
  case K::FStringEnd:
    return ", found the end of the field";
  default:
    break;
  }
  constexpr size_t kLongest = 40;
  llvm::StringRef found = spelling(token());
  std::string what = getTokenSpelling(kind()).empty() || !llvm::isAlpha(found[0])
                         ? ", found '"
                         : ", found keyword '";
  if (found.size() > kLongest)
    return what + found.take_front(kLongest).str() + "...'";
  return what + found.str() + "'";
}

std::nullptr_t Parser::expected(const llvm::Twine &what) {
  if (!at(K::Error))
    error(here()) << what << describeFound();
  return nullptr;
}

bool Parser::expectToken(K wanted, const llvm::Twine &where) {
  if (accept(wanted))
    return true;
  expected("expected '" + getTokenSpelling(wanted) + "' " + where);
  return false;
}

/// A closer that is missing at the end of a line is shown as missing there.
bool Parser::expectCloser(K wanted, const Token &opener) {
  if (accept(wanted))
    return true;
  if (at(K::Error))
    return false;
  bool lineEnded = text.slice(previousEnd, begin()).find_first_of("\r\n") != llvm::StringRef::npos;
  SourceRange place = lineEnded ? SourceRange(sources.getLoc(file, previousEnd)) : here();
  std::string found = lineEnded ? "" : describeFound();
  llvm::StringRef open = getTokenSpelling(opener.kind);
  (error(place) << "expected '" << getTokenSpelling(wanted) << "' to close '" << open << "'"
                << found)
          .note(rangeOf(opener))
      << "'" << open << "' is here";
  return false;
}

bool Parser::expectName(const llvm::Twine &what, llvm::StringRef &name, SourceRange &range) {
  if (!at(K::Name)) {
    expected("expected " + what);
    return false;
  }
  name = context.intern(spelling(token()));
  range = rangeOf(token());
  advance();
  return true;
}

// --- Statements and recovery --------------------------------------------------

/// Parses up to the end of the block that is open, and leaves its Dedent.
void Parser::parseStatements(Statements &out) {
  while (!at(K::EndOfFile) && !at(K::Dedent) && !diags.isErrorLimitReached()) {
    size_t before = pos;
    parseStatement(out);
    if (pos == before)
      advance();
  }
}

void Parser::parseStatement(Statements &out) {
  if (accept(K::Newline))
    return;
  if (at(K::Indent)) {
    error(rangeOf(token())) << "unexpected indent";
    return recover();
  }
  if (isCompound(kind()) || isMatchStatement())
    return addOrRecover(out, parseCompound());
  parseSimpleLine(out);
}

/// Adds a compound statement. A broken one has parsed its block and stands at the next line.
void Parser::addOrRecover(Statements &out, Stmt *stmt) {
  if (stmt)
    out.push_back(stmt);
  else if (pos > 0 && tokens[pos - 1].kind != K::Newline && tokens[pos - 1].kind != K::Dedent)
    recover();
}

void Parser::parseSimpleLine(Statements &out) {
  do {
    if (isCompound(kind())) {
      error(rangeOf(token())) << "'" << spelling(token()) << "' must begin on a line of its own";
      return recover();
    }
    Stmt *stmt = parseSimpleStatement();
    if (!stmt)
      return recover();
    out.push_back(stmt);
  } while (accept(K::Semicolon) && !atLineEnd());
  if (accept(K::Newline) || at(K::EndOfFile))
    return;
  auto *previous = llvm::dyn_cast<ExprStmt>(out.back());
  auto *name = previous ? llvm::dyn_cast<NameExpr>(previous->value) : nullptr;
  if (at(K::RParen) || at(K::RBracket) || at(K::RBrace))
    error(here()) << "unmatched '" << spelling(token()) << "'";
  else if (name && name->name == "print" && !at(K::Error))
    error(here()) << "missing parentheses in call to 'print'";
  else
    expected("expected the end of the statement");
  recover();
}

void Parser::skipLine() {
  while (!atLineEnd())
    advance();
}

/// At an Indent: to behind its Dedent.
void Parser::skipBlock() {
  unsigned level = 0;
  do {
    level += at(K::Indent);
    level -= at(K::Dedent);
    advance();
  } while (level > 0 && !at(K::EndOfFile));
}

/// Goes to the next line. If a block begins there, it belongs to the statement that failed: its
/// own errors are shown, its statements dropped.
void Parser::recover() {
  skipLine();
  accept(K::Newline);
  if (!at(K::Indent))
    return;
  Nesting nesting(*this);
  if (!nesting)
    return skipBlock();
  advance();
  llvm::SmallVector<Stmt *, 8> dropped;
  parseStatements(dropped);
  accept(K::Dedent);
}

} // namespace tilec
