// Parses text for a test and renders what came out.
#ifndef TILEC_TEST_UNIT_FRONTEND_PARSEHELPER_H
#define TILEC_TEST_UNIT_FRONTEND_PARSEHELPER_H

#include "lib/Frontend/ASTPrinter.h"
#include "lib/Frontend/Parser.h"

#include <gtest/gtest.h>

namespace tilec {

struct Parsed {
  SourceManager sources;
  DiagnosticEngine diags{sources};
  ast::ASTContext context;
  ast::Module *module;

  explicit Parsed(llvm::StringRef text) {
    module = parseModule(sources, sources.addText("k.tile", text), diags, context);
  }
  std::string dump() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    dumpModule(*module, os);
    return text;
  }
};

/// The tree of a file that must have no errors.
inline std::string tree(llvm::StringRef text) {
  Parsed parsed(text);
  EXPECT_EQ(parsed.diags.renderToString(), "") << text.str();
  return parsed.dump();
}

/// The tree of one expression.
inline std::string expr(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  ast::Expr *result = parseExpression(sources, sources.addText("e", text), diags, context);
  EXPECT_EQ(diags.renderToString(), "") << text.str();
  if (!result)
    return "";
  std::string dumped;
  llvm::raw_string_ostream os(dumped);
  dumpExpr(*result, os);
  return dumped;
}

/// Everything that is reported about a file.
inline std::string report(llvm::StringRef text) { return Parsed(text).diags.renderToString(); }

/// The errors as "line:column: message", a line each.
inline std::string errors(llvm::StringRef text) {
  Parsed parsed(text);
  std::string result;
  llvm::raw_string_ostream os(result);
  for (const Diagnostic &diagnostic : parsed.diags.getDiagnostics()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    LineColumn place = parsed.sources.getLineColumn(diagnostic.range.begin);
    os << place.line << ':' << place.column << ": " << diagnostic.message << '\n';
  }
  return result;
}

} // namespace tilec

#endif // TILEC_TEST_UNIT_FRONTEND_PARSEHELPER_H
