// Signatures, annotations and the list of a file's kernels.
#include "lib/Frontend/MLIRGen/Signature.h"

#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Frontend/Parser.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::frontend;

namespace {

std::string read(llvm::StringRef text) {
  std::optional<ParamType> type = parseParamType(text);
  if (!type)
    return "none";
  return type->str() + ":" + std::to_string(type->divisibility) + (type->isOne ? " one" : "");
}

TEST(Signature, ReadsTypesR42) {
  EXPECT_EQ(read("*fp32:16"), "*fp32:16");
  EXPECT_EQ(read(" i32 : 16 "), "i32:16");
  EXPECT_EQ(read("i64:1"), "i64:1 one");
  EXPECT_EQ(read("*bf16"), "*bf16:1");
  EXPECT_EQ(read("**fp32"), "*i64:1");
  EXPECT_EQ(read("B"), "i1:1");
  EXPECT_EQ(read("fp32:16"), "fp32:1");
  for (llvm::StringRef wrong :
       {"", "*", "fp33", "i32:", "i32:0", "i32:x", "*fp32:-1", "128", "None"})
    EXPECT_EQ(read(wrong), "none") << wrong.str();
}

TEST(Signature, ReadsDescriptorsR20) {
  EXPECT_EQ(read("tensordesc<fp16[128, 64]>"), "tensordesc<fp16[128, 64]>:1");
  EXPECT_EQ(read(" tensordesc<fp32[4],nan> : 16 "), "tensordesc<fp32[4], nan>:16");
  for (llvm::StringRef wrong :
       {"tensordesc", "tensordesc<fp16>", "tensordesc<fp16[128, 64]", "tensordesc<*fp16[64]>",
        "tensordesc<fp16[]>", "tensordesc<fp16[48]>", "tensordesc<fp16[64, 4]>",
        "tensordesc<fp16[2, 2, 2, 2, 2, 8]>", "tensordesc<fp16[2048, 1024]>",
        "tensordesc<i32[8], nan>", "tensordesc<fp16[64], inf>", "tensordesc<fp16[64]>:0"})
    EXPECT_EQ(read(wrong), "none") << wrong.str();
  EXPECT_TRUE(looksLikeType("tensordesc<fp16[3]>"));
  EXPECT_EQ(splitSignature("tensordesc<fp16[128, 64], nan>, i32").size(), 2u);
}

TEST(Signature, SplitsOutsideBracketsAndQuotes) {
  auto entries = splitSignature("*fp32:16, (1, 2), 'a,b', constexpr,");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[1], "(1, 2)");
  EXPECT_EQ(entries[2], "'a,b'");
  EXPECT_EQ(entries[3], "constexpr");
  EXPECT_TRUE(splitSignature("  ").empty());
}

TEST(Signature, ListsKernels) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  FileID file = sources.addText("k.tile", R"(
@triton.autotune(configs=[], key=[])
@triton.jit
def typed(x: "*fp16:16", n: tl.int32, BLOCK: tl.constexpr = 64):
    pass
def host(x):
    pass
if CONDITION:
    @jit
    def untyped(x, *, n: "i32" = 3):
        pass
@triton.jit
def helper(N: tl.constexpr):
    pass
)");
  std::vector<KernelInfo> kernels = listKernels(*parseModule(sources, file, diags, context));
  ASSERT_FALSE(diags.hasErrors());
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].name, "typed");
  EXPECT_TRUE(kernels[0].isTyped());
  ASSERT_EQ(kernels[0].params.size(), 3u);
  EXPECT_EQ(kernels[0].params[0].type, "*fp16");
  EXPECT_EQ(kernels[0].params[0].divisibility, 16u);
  EXPECT_EQ(kernels[0].params[1].type, "i32");
  EXPECT_TRUE(kernels[0].params[2].isConstexpr);
  EXPECT_TRUE(kernels[0].params[2].hasDefault);
  EXPECT_EQ(kernels[1].name, "untyped");
  EXPECT_FALSE(kernels[1].isTyped());
  EXPECT_EQ(kernels[2].name, "helper");
  EXPECT_FALSE(kernels[2].isTyped());
}

} // namespace
