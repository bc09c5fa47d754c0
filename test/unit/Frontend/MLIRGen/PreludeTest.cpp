// The functions that are written in the language: their files are right, and read only when used.
#include "lib/Frontend/Prelude/Prelude.h"

#include "lib/Frontend/MLIRGen/Builtins.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::frontend;

namespace {

TEST(Prelude, EveryFileParses) {
  llvm::StringSet<> seen;
  for (const PreludeFunction &function : getPreludeFunctions()) {
    if (!seen.insert(function.file->name).second)
      continue;
    SourceManager sources;
    DiagnosticEngine diags(sources);
    ast::ASTContext context;
    FileID file = sources.addText(function.file->name, function.file->text);
    parseModule(sources, file, diags, context);
    EXPECT_FALSE(diags.hasErrors()) << diags.renderToString();
  }
  EXPECT_GE(seen.size(), 3u);
}

TEST(Prelude, NoNameIsTakenTwice) {
  llvm::StringSet<> seen;
  for (const PreludeFunction &function : getPreludeFunctions()) {
    llvm::StringRef module = function.file->module;
    EXPECT_TRUE(seen.insert((module + "." + function.name).str()).second) << function.name.str();
    EXPECT_EQ(findBuiltin(module, function.name), nullptr)
        << function.name.str() << " is a builtin too, which comes first";
  }
}

TEST(Prelude, NamesOfItsOwnAreHidden) {
  EXPECT_NE(findPreludeFunction("tl", "rand"), nullptr);
  EXPECT_NE(findPreludeFunction("libdevice", "nextafter"), nullptr);
  EXPECT_EQ(findPreludeFunction("tl", "nextafter"), nullptr);
  EXPECT_EQ(findPreludeFunction("libdevice", "__float"), nullptr);
}

TEST(Prelude, AFileIsReadWhenAKernelNamesAFunctionOfIt) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (bool usesRandom : {false, true}) {
    SourceManager sources;
    DiagnosticEngine diags(sources);
    ast::ASTContext ast;
    FileID file = sources.addText(
        "k.tile", std::string("@triton.jit\ndef k(x: \"*fp32\"):\n    ") +
                      (usesRandom ? "tl.store(x, tl.rand(1, 2))\n" : "tl.store(x, tl.exp(1.0))\n"));
    ast::Module *tree = parseModule(sources, file, diags, ast);
    ASSERT_TRUE(generate(context, *tree, sources, diags, {})) << diags.renderToString();
    EXPECT_EQ(sources.findLoc("<random.tile>", {1, 1}).isValid(), usesRandom);
    EXPECT_FALSE(sources.findLoc("<libdevice.tile>", {1, 1}).isValid());
  }
}

} // namespace
