// LLVM IR to PTX: versions, fusion of products and sums, divergence, and errors that are caught.
#include "lib/Target/NVPTX/FatalErrors.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <thread>

using namespace llvm;
using namespace tilec;

namespace {

std::unique_ptr<Module> parse(LLVMContext &context, StringRef text) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

PtxOptions optionsFor(StringRef target) {
  PtxOptions options;
  options.target = lookupTarget(target);
  return options;
}

std::string ptxOf(StringRef text, const PtxOptions &options) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, text);
  Expected<std::string> ptx = emitPtx(*module, options);
  if (!ptx)
    return "error: " + toString(ptx.takeError());
  return *ptx;
}

bool contains(StringRef text, StringRef part) { return text.contains(part); }

constexpr StringLiteral kAxpy = R"(
define ptx_kernel void @axpy(ptr addrspace(1) %p, float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %c
  store float %s, ptr addrspace(1) %p
  ret void
})";

constexpr StringLiteral kPlainAxpy = R"(
define ptx_kernel void @axpy(ptr addrspace(1) %p, float %a, float %b, float %c) {
  %m = fmul float %a, %b
  %s = fadd float %m, %c
  store float %s, ptr addrspace(1) %p
  ret void
})";

TEST(EmitPtx, EachTargetGetsItsNameAndLowestVersion) {
  for (const TargetInfo &target : allTargets()) {
    std::string ptx = ptxOf(kAxpy, optionsFor(target.name));
    std::string version = ".version " + std::to_string(target.minPtxVersion / 10) + "." +
                          std::to_string(target.minPtxVersion % 10) + "\n";
    EXPECT_TRUE(contains(ptx, version)) << ptx;
    EXPECT_TRUE(contains(ptx, ".target " + target.name.str() + "\n")) << ptx;
    EXPECT_TRUE(contains(ptx, ".visible .entry axpy(")) << ptx;
  }
}

TEST(EmitPtx, PtxVersionCanBeRaisedAndIsChecked) {
  PtxOptions options = optionsFor("sm_90a");
  options.ptxVersion = 84;
  EXPECT_TRUE(contains(ptxOf(kAxpy, options), ".version 8.4\n"));
  options.ptxVersion = 78;
  EXPECT_EQ(ptxOf(kAxpy, options),
            "error: target 'sm_90a' needs PTX 8.0 or later, but PTX 7.8 was asked for");
  options.ptxVersion = 95;
  EXPECT_EQ(ptxOf(kAxpy, options),
            "error: PTX 9.5 was asked for, but this compiler writes up to 9.0");
}

constexpr StringLiteral kFloat8Product = R"(
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32(
    i32, i32, i32, i32, i32, i32, float, float, float, float)
define ptx_kernel void @product(ptr addrspace(1) %p, i32 %a, float %c) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32(
      i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c)
  %x = extractvalue { float, float, float, float } %r, 0
  store float %x, ptr addrspace(1) %p
  ret void
})";

TEST(EmitPtx, ProductsOfFloat8RaiseTheVersion) {
  PtxOptions options = optionsFor("sm_89");
  std::string ptx = ptxOf(kFloat8Product, options);
  EXPECT_TRUE(contains(ptx, ".version 8.4\n")) << ptx;
  EXPECT_TRUE(contains(ptx, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32")) << ptx;
  EXPECT_TRUE(contains(ptxOf(kFloat8Product, optionsFor("sm_120")), ".version 8.7\n"));
  options.ptxVersion = 80;
  EXPECT_EQ(ptxOf(kFloat8Product, options),
            "error: products of fp8 on tensor cores need PTX 8.4 or later, but PTX 8.0 was asked "
            "for");
}

// Rule 32: a flagged product and sum fuse; unflagged ones must not, in LLVM or in ptxas, which
// fuses what carries no rounding mode.
TEST(EmitPtx, OnlyFlaggedProductsFuse) {
  for (unsigned level : {1u, 2u, 3u}) {
    PtxOptions options = optionsFor("sm_80");
    options.optLevel = level;
    EXPECT_TRUE(contains(ptxOf(kAxpy, options), "fma.rn.f32"));
    std::string plain = ptxOf(kPlainAxpy, options);
    EXPECT_FALSE(contains(plain, "fma")) << plain;
    EXPECT_TRUE(contains(plain, "mul.rn.f32")) << plain;
    EXPECT_TRUE(contains(plain, "add.rn.f32")) << plain;
  }
}

// Scalarizing keeps what the hardware does two at a time.
TEST(EmitPtx, PairsOfHalvesStayPairs) {
  std::string ptx = ptxOf(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load <8 x half>, ptr addrspace(1) %p, align 16
  %b = load <8 x float>, ptr addrspace(1) %q, align 16
  %s = fadd <8 x half> %a, %a
  %t = fptrunc <8 x float> %b to <8 x half>
  %r = fmul <8 x half> %s, %t
  store <8 x half> %r, ptr addrspace(1) %p, align 16
  ret void
})",
                          optionsFor("sm_90"));
  EXPECT_EQ(StringRef(ptx).count("add.rn.f16x2"), 4u) << ptx;
  EXPECT_EQ(StringRef(ptx).count("mul.rn.f16x2"), 4u) << ptx;
  EXPECT_EQ(StringRef(ptx).count("cvt.rn.f16x2.f32"), 4u) << ptx;
  EXPECT_EQ(StringRef(ptx).count("v4.b32"), 4u) << ptx;
}

// A vector of booleans is one predicate for each element, never bits of a word.
TEST(EmitPtx, BooleansArePredicates) {
  constexpr StringLiteral text = R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i1 %all) {
  %a = load <4 x i32>, ptr addrspace(1) %p, align 16
  %i = insertelement <4 x i32> poison, i32 %n, i32 0
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %less = icmp slt <4 x i32> %a, %s
  %positive = icmp sgt <4 x i32> %a, zeroinitializer
  %both = and <4 x i1> %less, %positive
  %c = select i1 %all, <4 x i1> splat (i1 true), <4 x i1> %both
  %f = freeze <4 x i1> %c
  %r = select <4 x i1> %f, <4 x i32> %a, <4 x i32> splat (i32 7)
  store <4 x i32> %r, ptr addrspace(1) %p, align 16
  ret void
})";
  for (unsigned level : {1u, 2u, 3u}) {
    PtxOptions options = optionsFor("sm_90");
    options.optLevel = level;
    LLVMContext context;
    std::unique_ptr<Module> module = parse(context, text);
    ASSERT_FALSE(bool(optimizeForNvptx(*module, options)));
    std::string ir;
    raw_string_ostream os(ir);
    module->print(os, nullptr);
    EXPECT_FALSE(contains(ir, "x i1>")) << ir;
    EXPECT_EQ(StringRef(ptxOf(text, options)).count("and.pred"), 4u);
  }
}

TEST(EmitPtx, DataLayoutIsTheTargetMachines) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, kAxpy);
  configureForNvptx(*module);
  auto machine = createNvptxTargetMachine(optionsFor("sm_90"));
  ASSERT_TRUE(bool(machine)) << toString(machine.takeError());
  EXPECT_EQ(module->getDataLayout(), (*machine)->createDataLayout());
}

// Without this the middle end duplicates barriers: see "Miscompiles" in docs/design/ptx.md.
TEST(EmitPtx, TheMiddleEndKnowsThatBranchesDiverge) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, kAxpy);
  configureForNvptx(*module);
  auto machine = createNvptxTargetMachine(optionsFor("sm_90"));
  ASSERT_TRUE(bool(machine)) << toString(machine.takeError());
  TargetTransformInfo info = (*machine)->getTargetTransformInfo(*module->getFunction("axpy"));
  EXPECT_TRUE(info.hasBranchDivergence());
}

// The barrier must stay a single one that all threads reach, whatever the branch before it knows.
TEST(EmitPtx, BarriersAreNotDuplicated) {
  for (unsigned level : {0u, 1u, 2u, 3u}) {
    PtxOptions options = optionsFor("sm_90");
    options.optLevel = level;
    std::string ptx = ptxOf(R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @guarded(ptr addrspace(1) %y, ptr addrspace(1) %z, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr addrspace(1) %z
  br label %join
join:
  %p = phi i1 [ true, %then ], [ false, %entry ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) #0
  br i1 %p, label %last, label %end
last:
  store i32 2, ptr addrspace(1) %y
  br label %end
end:
  ret void
}
attributes #0 = { convergent nounwind }
)",
                            options);
    EXPECT_EQ(StringRef(ptx).count("bar.sync") + StringRef(ptx).count("barrier.sync"), 1u) << ptx;
  }
}

TEST(EmitPtx, InvalidModuleIsAnError) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, kAxpy);
  module->getFunction("axpy")->begin()->back().eraseFromParent();
  Expected<std::string> ptx = emitPtx(*module, optionsFor("sm_90"));
  ASSERT_FALSE(bool(ptx));
  EXPECT_TRUE(contains(toString(ptx.takeError()), "the LLVM module is not valid: "));
}

// LLVM would print and abort.
TEST(EmitPtx, CannotSelectIsAnErrorAndTheProcessGoesOn) {
  const char *text = R"(
declare float @llvm.log2.f32(float)
define ptx_kernel void @k(ptr addrspace(1) %p, float %x) {
  %y = call float @llvm.log2.f32(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
})";
  for (int i = 0; i < 3; ++i) {
    std::string result = ptxOf(text, optionsFor("sm_90"));
    EXPECT_TRUE(StringRef(result).starts_with("error: code generation for 'sm_90' failed: "))
        << result;
    EXPECT_TRUE(contains(ptxOf(kAxpy, optionsFor("sm_90")), "fma.rn.f32"));
  }
}

TEST(FatalErrors, TextIsReturned) {
  Error error = runCatchingFatalErrors([] { report_fatal_error("out of luck"); });
  EXPECT_EQ(toString(std::move(error)), "out of luck");
  int ran = 0;
  EXPECT_FALSE(bool(runCatchingFatalErrors([&] { ++ran; })));
  EXPECT_EQ(ran, 1);
}

// R13: LLVM would leave the extension of 8 bits out, and narrow the f64 to the f32 it was.
TEST(EmitPtx, CastsOutOfRangeAreTheInstruction) {
  std::string ptx = ptxOf(R"(
define ptx_kernel void @k(ptr addrspace(1) %p, float %x, half %h, bfloat %b) {
  %i8 = fptosi float %x to i8
  %w8 = sext i8 %i8 to i64
  store i64 %w8, ptr addrspace(1) %p
  %v = insertelement <2 x half> poison, half %h, i64 0
  %v2 = insertelement <2 x half> %v, half 1.0, i64 1
  %u8 = fptoui <2 x half> %v2 to <2 x i8>
  %u0 = extractelement <2 x i8> %u8, i64 0
  %w = zext i8 %u0 to i64
  %p1 = getelementptr i64, ptr addrspace(1) %p, i64 1
  store i64 %w, ptr addrspace(1) %p1
  %d = fpext float %x to double
  %i = fptosi double %d to i32
  %p2 = getelementptr i64, ptr addrspace(1) %p, i64 2
  store i32 %i, ptr addrspace(1) %p2
  %s = fptosi bfloat %b to i8
  %p3 = getelementptr i64, ptr addrspace(1) %p, i64 3
  store i8 %s, ptr addrspace(1) %p3
  %plain = fptosi float %x to i32
  %p4 = getelementptr i64, ptr addrspace(1) %p, i64 4
  store i32 %plain, ptr addrspace(1) %p4
  ret void
})",
                          optionsFor("sm_90"));
  for (const char *part :
       {"cvt.rzi.s16.f32", "cvt.rzi.u16.f16", "cvt.rzi.s32.f64", "cvt.rzi.s32.f32", "cvt.s64.s8"})
    EXPECT_TRUE(contains(ptx, part)) << part << " in\n" << ptx;
}

TEST(EmitPtx, ThreadsCompileAtTheSameTime) {
  std::string expected = ptxOf(kAxpy, optionsFor("sm_90"));
  std::vector<std::thread> threads;
  std::vector<std::string> results(8);
  for (std::string &result : results)
    threads.emplace_back([&result] {
      for (int i = 0; i < 5; ++i)
        result = ptxOf(kAxpy, optionsFor("sm_90"));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, expected);
}

} // namespace
