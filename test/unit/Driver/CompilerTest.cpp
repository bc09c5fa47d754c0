// Compilations: stages, what an artifact gets, warm contexts; and signatures from arguments.

#include "lib/Driver/Compiler.h"
#include "lib/Driver/Run.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

const char *const kAdd = R"(
@triton.jit
def add(x: "*fp32", out: "*fp32", n: "i32", BLOCK: tl.constexpr = 128):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + 1.0, mask=m)
)";

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.find(part) != llvm::StringRef::npos;
}

TEST(CompilerTest, StagesHaveNames) {
  for (const StageInfo &stage : getStages())
    EXPECT_EQ(findStage(stage.name), stage.stage);
  EXPECT_EQ(findStage("nvvm"), std::nullopt);
}

TEST(CompilerTest, ArtifactGetsWhatIsWanted) {
  CompileOptions options;
  CompileResult all = compileText("add.tile", kAdd, options);
  ASSERT_TRUE(all.succeeded) << all.diagnostics->renderToString();
  EXPECT_FALSE(all.artifact.ptx.empty());
  EXPECT_FALSE(all.artifact.tileModule.empty());
  EXPECT_FALSE(all.artifact.loweredModule.empty());
  EXPECT_TRUE(all.text.empty());
  ASSERT_EQ(all.artifact.kernels.size(), 1u);
  EXPECT_EQ(all.artifact.kernels[0].params.size(), 3u);
  EXPECT_EQ(all.artifact.kernels[0].params[0].kind, ScalarKind::Pointer);

  options.wantPtx = options.wantTileModule = false;
  CompileResult sim = compileText("add.tile", kAdd, options);
  ASSERT_TRUE(sim.succeeded);
  EXPECT_TRUE(sim.artifact.ptx.empty());
  EXPECT_TRUE(sim.artifact.tileModule.empty());
  EXPECT_EQ(sim.artifact.loweredModule, all.artifact.loweredModule);

  options.stage = Stage::Tile;
  options.wantTileModule = true;
  CompileResult ref = compileText("add.tile", kAdd, options);
  ASSERT_TRUE(ref.succeeded);
  EXPECT_TRUE(ref.artifact.loweredModule.empty());
  EXPECT_EQ(ref.artifact.tileModule, all.artifact.tileModule);
  EXPECT_EQ(ref.artifact.kernels.size(), 1u);
}

TEST(CompilerTest, TextOfEveryStage) {
  const char *parts[] = {"(def add", "tile.program_id", "#tilegpu.layout", "define ", ".entry add"};
  for (const StageInfo &stage : getStages()) {
    CompileOptions options;
    options.stage = stage.stage;
    options.wantText = true;
    CompileResult result = compileText("add.tile", kAdd, options);
    ASSERT_TRUE(result.succeeded) << result.diagnostics->renderToString();
    EXPECT_TRUE(contains(result.text, parts[static_cast<size_t>(stage.stage)])) << result.text;
  }
}

TEST(CompilerTest, WarmContextGivesTheSameText) {
  releaseWarmContexts();
  std::string cold = compileText("add.tile", kAdd, {}).artifact.ptx;
  for (int i = 0; i != 70; ++i)
    ASSERT_EQ(compileText("add.tile", kAdd, {}).artifact.ptx, cold) << i;
}

TEST(CompilerTest, FailureLeavesTheContextUsable) {
  CompileResult bad =
      compileText("bad.tile", "@triton.jit\ndef f(x: \"*fp32\"):\n    tl.store(x, y)\n", {});
  EXPECT_FALSE(bad.succeeded);
  EXPECT_TRUE(bad.diagnostics->hasErrors());
  EXPECT_TRUE(compileText("add.tile", kAdd, {}).succeeded);
}

TEST(CompilerTest, NoKernelIsAnError) {
  CompileResult result = compileText("empty.tile", "x = 1\n", {});
  EXPECT_FALSE(result.succeeded);
  EXPECT_TRUE(contains(result.diagnostics->renderToString(), "error: "));
}

TEST(CompilerTest, TimesOfEveryPart) {
  CompileResult result = compileText("add.tile", kAdd, {});
  std::vector<std::string> names;
  for (const StageTime &time : result.times) {
    names.push_back(time.name);
    EXPECT_GE(time.milliseconds, 0);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"parse", "context", "generate", "tile", "tilegpu",
                                             "lower", "nvvm", "translate", "optimize", "codegen"}));
}

//===--- Signatures from arguments -----------------------------------------===//

KernelInfo makeKernel() {
  KernelInfo kernel;
  kernel.name = "k";
  for (const char *name : {"x", "n", "scale", "BLOCK"}) {
    ParamInfo param;
    param.name = name;
    kernel.params.push_back(param);
  }
  kernel.params[3].isConstexpr = true;
  return kernel;
}

std::string infer(const KernelInfo &kernel, std::vector<const char *> texts,
                  Specialize mode = Specialize::Align) {
  std::vector<ArgumentValue> args;
  for (const char *text : texts)
    args.push_back(llvm::cantFail(parseArgument(text)));
  auto signature = inferSignature(kernel, args, {}, mode);
  return signature ? *signature : toString(signature.takeError());
}

TEST(SignatureTest, TypesOfValues) {
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)", "n=100", "scale=0.5"}),
            "*fp32:16, i32, fp32, constexpr");
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4):bf16", "n=32", "scale=True"}),
            "*bf16:16, i32:16, i1, constexpr");
  EXPECT_EQ(infer(makeKernel(), {"x=arange(4)", "n=3000000001", "scale=2:fp16"}),
            "*i32:16, i64, fp16, constexpr");
}

TEST(SignatureTest, Modes) {
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)", "n=32", "scale=1"}, Specialize::None),
            "*fp32, i32, i32, constexpr");
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)", "n=32", "scale=1"}, Specialize::Align),
            "*fp32:16, i32:16, i32, constexpr");
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)", "n=32", "scale=1"}, Specialize::Full),
            "*fp32:16, i32:16, 1, constexpr");
}

TEST(SignatureTest, DeclaredTypesCount) {
  KernelInfo kernel = makeKernel();
  kernel.params[1].type = "i64";
  kernel.params[2].type = "fp32";
  EXPECT_EQ(infer(kernel, {"x=zeros(4)", "n=5", "scale=16"}), "*fp32:16, i64, fp32, constexpr");
}

TEST(SignatureTest, Errors) {
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)"}),
            "parameter 'n' of kernel 'k' has no value: give it with --arg n=VALUE");
  EXPECT_EQ(infer(makeKernel(), {"y=zeros(4)"}),
            "kernel 'k' has no parameter 'y'; it has 'x', 'n', 'scale', 'BLOCK'");
  EXPECT_EQ(infer(makeKernel(), {"x=zeros(4)", "n=1", "scale=1", "BLOCK=4"}),
            "parameter 'BLOCK' of kernel 'k' is a compile-time constant: give it with -D "
            "BLOCK=VALUE");
}

} // namespace
