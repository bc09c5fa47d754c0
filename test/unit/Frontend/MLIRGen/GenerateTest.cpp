// The interface of the generator: options, errors, limits, one context for many modules.
#include "lib/Frontend/MLIRGen/Frontend.h"

#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/Parser.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {

struct Generation {
  SourceManager sources;
  DiagnosticEngine diags{sources};
  ast::ASTContext ast;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  Generation(mlir::MLIRContext &context, llvm::StringRef text,
             const FrontendOptions &options = {}) {
    FileID file = sources.addText("k.tile", text);
    ast::Module *tree = parseModule(sources, file, diags, ast);
    if (!diags.hasErrors())
      module = generate(context, *tree, sources, diags, options);
  }
  std::string firstMessage() const {
    return diags.getDiagnostics().empty() ? "" : diags.getDiagnostics().front().message;
  }
};

class Generate : public testing::Test {
protected:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

constexpr char kTwoKernels[] = R"(
@triton.jit
def first(x: "*fp32", N: tl.constexpr = 4):
    tl.store(x + tl.arange(0, N), 0.0)
@triton.jit
def second(x: "*fp32"):
    tl.store(x, 1.0)
)";

TEST_F(Generate, OneContextServesManyModules) {
  for (int i = 0; i < 3; ++i) {
    Generation run(context, kTwoKernels);
    ASSERT_TRUE(run.module) << run.diags.renderToString();
    auto functions = run.module->getOps<mlir::func::FuncOp>();
    EXPECT_EQ(std::distance(functions.begin(), functions.end()), 2);
    for (mlir::func::FuncOp function : functions)
      EXPECT_TRUE(function->hasAttr(tile::kKernelAttr));
  }
}

TEST_F(Generate, TakesOnlyTheKernelsAskedFor) {
  FrontendOptions options;
  options.kernels = {"second", "second"};
  Generation run(context, kTwoKernels, options);
  ASSERT_TRUE(run.module) << run.diags.renderToString();
  auto functions = run.module->getOps<mlir::func::FuncOp>();
  ASSERT_EQ(std::distance(functions.begin(), functions.end()), 1);
  EXPECT_EQ((*functions.begin()).getName(), "second");
}

TEST_F(Generate, ErrorsGiveNoModuleAndStopAtTheLimit) {
  std::string text = "@triton.jit\ndef k(x: \"*fp32\"):\n";
  for (int i = 0; i < 40; ++i)
    text += "    tl.store(x, unknown" + std::to_string(i) + ")\n";
  Generation run(context, text);
  EXPECT_FALSE(run.module);
  EXPECT_EQ(run.diags.getErrorCount(), DiagnosticEngine::kDefaultErrorLimit);
  EXPECT_TRUE(run.diags.isErrorLimitReached());
}

TEST_F(Generate, OneMistakeIsOneError) {
  Generation run(context, R"(
@triton.jit
def k(x: "*fp32", n: "i32"):
    a = tl.load(x + missing)
    for i in range(n):
        a += 1.0
    if a > 0:
        c = a
    else:
        c = n
    tl.store(x, a + c)
)");
  EXPECT_EQ(run.diags.getErrorCount(), 1u) << run.diags.renderToString();
  EXPECT_EQ(run.firstMessage(), "unknown name 'missing'");
}

TEST_F(Generate, UnrollingIsBounded) {
  Generation run(context, R"(
@triton.jit
def k(x: "*fp32"):
    for i in tl.static_range(1000):
        for j in tl.static_range(1000):
            tl.store(x + i + j, 0.0)
)");
  EXPECT_FALSE(run.module);
  EXPECT_EQ(run.firstMessage(),
            "the kernel grows past 200000 operations by unrolling and inlining");
}

TEST_F(Generate, DefinitionsThatNameNothingAreWarnedAbout) {
  FrontendOptions options;
  options.defines = {{"BLOK", "4"}};
  Generation run(context, kTwoKernels, options);
  EXPECT_TRUE(run.module);
  EXPECT_EQ(run.firstMessage(), "-D BLOK names no parameter and no constant that is used");
}

TEST_F(Generate, ASignatureNeedsOneKernel) {
  FrontendOptions options;
  options.kernels = {"first", "second"};
  options.signature = "*fp16";
  Generation run(context, kTwoKernels, options);
  EXPECT_FALSE(run.module);
  EXPECT_EQ(run.firstMessage(),
            "a signature needs one kernel; name one of 'first', 'second' with --kernel");
}

TEST_F(Generate, AFileWithoutKernelsSaysSo) {
  Generation run(context, "x = 1\n");
  EXPECT_FALSE(run.module);
  EXPECT_EQ(run.firstMessage(), "the file has no jit function; decorate a kernel with @triton.jit");
}

} // namespace
