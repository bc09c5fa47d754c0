// The recursive-descent parser. A parse function that returns null has reported why; its callers
// pass the null on until a statement or a block takes up again at the next line.
#ifndef TILEC_LIB_FRONTEND_PARSERIMPL_H
#define TILEC_LIB_FRONTEND_PARSERIMPL_H

#include "lib/Frontend/Lexer.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace tilec {

class Parser {
public:
  Parser(const SourceManager &sources, FileID file, DiagnosticEngine &diags,
         ast::ASTContext &context);
  ast::Module *parseFile();
  ast::Expr *parseSingleExpression();

private:
  using K = TokenKind;
  template <typename T>
  using Vector = llvm::SmallVector<T, 4>;

  /// How tightly operators bind, loosest first.
  enum Precedence : int {
    kOr = 1,
    kAnd,
    kNot,
    kComparison,
    kBitOr,
    kBitXor,
    kBitAnd,
    kShift,
    kSum,
    kTerm,
  };

  /// Counts a level of nesting while it lives. Converts to false, after a report, when there are
  /// too many.
  class Nesting {
  public:
    explicit Nesting(Parser &parser) : parser(parser) {
      if (++parser.depth > kMaxNesting) {
        ok = false;
        parser.error(parser.here()) << "nesting too deep: more than " << kMaxNesting << " levels";
      }
    }
    ~Nesting() { --parser.depth; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    explicit operator bool() const { return ok; }

  private:
    Parser &parser;
    bool ok = true;
  };

  // --- Tokens: Parser.cpp ---
  const Token &token() const { return tokens[pos]; }
  K kind() const { return tokens[pos].kind; }
  K kindAt(size_t ahead) const {
    return pos + ahead < tokens.size() ? tokens[pos + ahead].kind : K::EndOfFile;
  }
  bool at(K wanted) const { return kind() == wanted; }
  bool atWord(llvm::StringRef word) const { return at(K::Name) && spelling(token()) == word; }
  bool atLineEnd() const {
    return at(K::Newline) || at(K::EndOfFile) || at(K::Dedent) || at(K::Indent);
  }
  uint32_t begin() const { return token().begin; }
  llvm::StringRef spelling(const Token &t) const { return text.slice(t.begin, t.end); }
  void advance();
  bool accept(K wanted) {
    if (!at(wanted))
      return false;
    advance();
    return true;
  }
  void showProblems();

  SourceRange makeRange(uint32_t begin, uint32_t end) const {
    return {sources.getLoc(file, begin), sources.getLoc(file, end)};
  }
  SourceRange rangeOf(const Token &t) const { return makeRange(t.begin, t.end); }
  /// From `begin` to the end of the token consumed last.
  SourceRange rangeFrom(uint32_t begin) const {
    return makeRange(begin, std::max(begin, previousEnd));
  }
  /// Where an error about the current token is shown: at the token, or behind the previous one if
  /// the line has ended.
  SourceRange here() const;
  /// ", found 'x'", or nothing at the end of a line.
  std::string describeFound() const;

  DiagnosticBuilder error(SourceRange range) { return diags.error(range); }
  /// Reports an unexpected token, unless the lexer has said what is wrong with it.
  std::nullptr_t expected(const llvm::Twine &what);
  bool expectToken(K wanted, const llvm::Twine &where);
  bool expectCloser(K wanted, const Token &opener);
  bool expectName(const llvm::Twine &what, llvm::StringRef &name, SourceRange &range);

  /// A node of an expression; null if the tree grows too high.
  template <typename T, typename... Args>
  T *makeExpr(uint32_t begin, Args &&...args) {
    T *node = context.make<T>(rangeFrom(begin), std::forward<Args>(args)...);
    if (node->getHeight() <= ast::kMaxExprHeight)
      return node;
    error(node->range) << "expression too long: more than " << ast::kMaxExprHeight
                       << " operations in a chain; split it";
    return nullptr;
  }
  template <typename T, typename... Args>
  T *makeNode(uint32_t begin, Args &&...args) {
    return context.make<T>(rangeFrom(begin), std::forward<Args>(args)...);
  }
  template <typename T>
  llvm::ArrayRef<T> copy(const llvm::SmallVectorImpl<T> &elements) {
    return context.copyArray<T>(elements);
  }

  // --- Expressions: ParseExpr.cpp ---
  bool startsExpression() const;
  ast::Expr *parseStarExpressions();
  ast::Expr *parseStarredOrExpression();
  ast::Expr *parseStarredOrNamed();
  ast::Expr *parseNamedExpression();
  ast::Expr *parseExpr();
  ast::Expr *parseYieldOrStarExpressions();
  ast::Expr *parseYield();
  ast::Expr *parseOperators(int minPrecedence);
  ast::Expr *parseBoolOp(uint32_t begin, ast::Expr *first, ast::BoolOpKind op, K opToken,
                         int level);
  ast::Expr *parseComparison(uint32_t begin, ast::Expr *first);
  bool acceptComparison(ast::CompareOp &op);
  ast::Expr *parseUnary();
  ast::Expr *parsePower();
  ast::Expr *parsePostfix(uint32_t begin, ast::Expr *base);
  ast::Expr *parseCall(uint32_t begin, ast::Expr *callee);
  bool parseArguments(const Token &opener, Vector<ast::Expr *> &args,
                      Vector<ast::Keyword *> &keywords);
  bool parseArgument(Vector<ast::Expr *> &args, Vector<ast::Keyword *> &keywords,
                     bool &sawUnpacking);
  ast::Expr *parseSubscript(uint32_t begin, ast::Expr *base);
  ast::Expr *parseSliceOrIndex();

  // --- Atoms and displays: ParseAtom.cpp ---
  ast::Expr *parseAtom();
  ast::Expr *parseParenthesized();
  ast::Expr *parseListDisplay();
  ast::Expr *parseBraceDisplay();
  ast::Expr *parseDictRest(const Token &opener, ast::Expr *key, ast::Expr *value);
  bool parseDictItem(ast::Expr *&key, ast::Expr *&value);
  bool atComprehension() const { return at(K::KwFor) || (at(K::KwAsync) && kindAt(1) == K::KwFor); }
  bool parseClauses(Vector<ast::ForClause *> &clauses);
  ast::Expr *parseGenerator(uint32_t begin, ast::Expr *element);
  ast::Expr *parseTargetList(llvm::StringRef where);

  // --- Literals: ParseNumber.cpp, ParseString.cpp, StringDecoder.cpp ---
  ast::Expr *parseInt();
  ast::Expr *parseFloat(bool imaginary);
  ast::Expr *parseStrings();
  struct StringForm {
    bool bytes = false;
    bool raw = false;
    bool doubledBraces = false; ///< "{{" and "}}" stand for one brace.
    bool warned = false;        ///< About an escape; once for each literal is enough.
  };
  bool decodeToken(const Token &t, llvm::SmallVectorImpl<char> &out);
  bool decode(uint32_t at, uint32_t end, StringForm form, llvm::SmallVectorImpl<char> &out);
  bool decodeEscape(uint32_t &at, uint32_t end, StringForm &form, llvm::SmallVectorImpl<char> &out);
  bool decodeHexEscape(uint32_t &at, uint32_t end, unsigned digits, StringForm form,
                       llvm::SmallVectorImpl<char> &out);
  bool decodeNamedEscape(uint32_t &at, uint32_t end, llvm::SmallVectorImpl<char> &out);

  /// Joins adjacent pieces of text between the fields of f-strings.
  struct StringParts {
    llvm::SmallString<64> text;
    uint32_t textBegin = 0, textEnd = 0;
    bool hasText = false;
    Vector<ast::Expr *> parts;
  };
  void addText(StringParts &parts, llvm::StringRef text, uint32_t begin, uint32_t end);
  void flushText(StringParts &parts);
  bool parseFString(StringParts &parts);
  bool parseFStringParts(StringParts &parts, bool raw, bool inSpec);
  bool parseField(StringParts &parts, bool raw);

  // --- Statements: Parser.cpp, ParseStmt.cpp, ParseCompound.cpp ---
  using Statements = llvm::SmallVectorImpl<ast::Stmt *>;
  void parseStatement(Statements &out);
  void parseStatements(Statements &out);
  void parseSimpleLine(Statements &out);
  void recover();
  void skipLine();
  void addOrRecover(Statements &out, ast::Stmt *stmt);

  ast::Stmt *parseSimpleStatement();
  ast::Stmt *parseExprStatement();
  ast::Stmt *parseAssignment(uint32_t begin, ast::Expr *first);
  ast::Stmt *parseAnnotated(uint32_t begin, ast::Expr *target);
  ast::Stmt *parseReturn();
  ast::Stmt *parseRaise();
  ast::Stmt *parseAssert();
  ast::Stmt *parseDelete();
  ast::Stmt *parseGlobal(bool nonlocal);
  ast::Stmt *parseImport();
  ast::Stmt *parseImportFrom();
  bool parseDottedName(llvm::StringRef &name);
  ast::Alias *parseAlias(bool dotted);
  ast::Stmt *parseTypeAlias();
  bool parseTypeParams(Vector<ast::TypeParam *> &params);

  enum class TargetUse { Assign, AugAssign, Annotate, Delete };
  bool checkTarget(const ast::Expr *target, TargetUse use);

  /// The line that begins a block. A broken one was reported; its block is parsed all the same.
  struct Header {
    llvm::StringRef what; ///< As in "expected an indented block after WHAT".
    uint32_t begin;
    bool ok = true;
  };
  void finishHeader(Header &header, bool parsed, const llvm::Twine &afterWhat);
  ast::Block parseSuite(Header &header);
  void skipBlock();
  bool isCompound(K kind) const;
  ast::Stmt *parseCompound();
  ast::Stmt *parseIf();
  ast::Stmt *parseFor(uint32_t begin, bool isAsync);
  ast::Stmt *parseWhile();
  ast::Block parseElse(bool &ok);
  ast::Stmt *parseWith(uint32_t begin, bool isAsync);
  bool isParenthesizedWith() const;
  bool parseWithItem(Vector<ast::WithItem *> &items);
  ast::Stmt *parseTry();
  ast::ExceptHandler *parseHandler(bool &isStar, bool isFirst);
  ast::Stmt *parseAsync();
  ast::Block parseFinally(bool &ok);
  ast::Stmt *parseDecorated();
  ast::Stmt *parseFunction(uint32_t begin, llvm::ArrayRef<ast::Expr *> decorators, bool isAsync);
  ast::Stmt *parseClass(llvm::ArrayRef<ast::Expr *> decorators);

  // --- Parameters: ParseParams.cpp ---
  ast::Expr *parseLambda();
  bool parseParams(K closer, bool isLambda, Vector<ast::Param *> &params);

  // --- Patterns: ParsePattern.cpp ---
  bool isMatchStatement() const;
  ast::Stmt *parseMatch();
  ast::MatchCase *parseCase(bool &ok);
  ast::Pattern *parseTopPattern();
  ast::Pattern *parseAsPattern();
  ast::Pattern *parseStarOrAsPattern();
  ast::Pattern *parseOrPattern();
  ast::Pattern *parseClosedPattern();
  ast::Pattern *parseNamePattern();
  ast::Pattern *parseClassPattern(uint32_t begin, ast::Expr *cls);
  ast::Pattern *parseSequencePattern(K closer);
  ast::Pattern *parseMappingPattern();
  ast::Expr *parsePatternLiteral();

  const SourceManager &sources;
  FileID file;
  DiagnosticEngine &diags;
  ast::ASTContext &context;
  llvm::StringRef text;
  std::vector<Token> tokens;
  std::vector<TokenStream::Problem> problems;
  size_t nextProblem = 0;
  size_t pos = 0;
  uint32_t previousEnd = 0;
  unsigned depth = 0;
};

} // namespace tilec

#endif // TILEC_LIB_FRONTEND_PARSERIMPL_H
