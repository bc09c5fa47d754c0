// Vectors taken apart: what is left of them, and that functions compute what they did before, run
// on this machine's processor.
#include "lib/Target/NVPTX/Scalarize.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace llvm;
using namespace tilec;

namespace {

std::unique_ptr<Module> parse(LLVMContext &context, StringRef text) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str() << " at line " << diagnostic.getLineNo();
  return module;
}

void scalarize(Module &module) {
  FunctionAnalysisManager none;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    ScalarizePass().run(function, none);
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      RecursivelyDeleteTriviallyDeadInstructions(&inst);
  }
}

/// The body of @f after the pass.
std::string scalarized(StringRef text) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(context, text);
  scalarize(*module);
  std::string result;
  raw_string_ostream os(result);
  EXPECT_FALSE(verifyModule(*module, &os)) << result;
  module->getFunction("f")->print(os);
  return result;
}

constexpr size_t kBytes = 256;
using Bytes = std::array<uint8_t, kBytes>;

/// Runs @f(in, out, n) on this machine.
Bytes runHere(StringRef text, bool apart, Bytes in, int n) {
  static const bool ready = !InitializeNativeTarget() && !InitializeNativeTargetAsmPrinter();
  EXPECT_TRUE(ready);
  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = parse(*context, text);
  if (apart)
    scalarize(*module);
  auto jit = orc::LLJITBuilder().create();
  if (!jit) {
    ADD_FAILURE() << toString(jit.takeError());
    return {};
  }
  module->setDataLayout((*jit)->getDataLayout());
  cantFail((*jit)->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))));
  auto function = cantFail((*jit)->lookup("f")).toPtr<void (*)(void *, void *, int)>();
  alignas(32) Bytes source = in;
  alignas(32) Bytes out;
  out.fill(0xa5);
  function(source.data(), out.data(), n);
  return out;
}

struct Program {
  const char *name;
  const char *text;
};

const Program programs[] = {
    {"ShufflesAndInsertions", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <4 x i32>, ptr %in, align 16
  %q = getelementptr i8, ptr %in, i64 16
  %b = load <4 x i32>, ptr %q, align 16
  %s = shufflevector <4 x i32> %a, <4 x i32> %b, <6 x i32> <i32 7, i32 0, i32 3, i32 3, i32 4, i32 1>
  %e = extractelement <4 x i32> %b, i64 2
  %i = insertelement <6 x i32> %s, i32 %e, i64 3
  %j = insertelement <6 x i32> %s, i32 %n, i64 0
  %k = insertelement <6 x i32> %j, i32 %e, i64 5
  %r = add <6 x i32> %i, %k
  %t = mul <6 x i32> %j, %r
  store <6 x i32> %t, ptr %out, align 8
  ret void
})"},
    {"ChainsBranchOff", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load i32, ptr %in
  %v0 = insertelement <4 x i32> zeroinitializer, i32 %a, i64 0
  %v1 = insertelement <4 x i32> %v0, i32 %n, i64 1
  %v2 = insertelement <4 x i32> %v1, i32 7, i64 2
  %w2 = insertelement <4 x i32> %v1, i32 9, i64 0
  %s = sub <4 x i32> %v2, %w2
  store <4 x i32> %s, ptr %out, align 16
  ret void
})"},
    {"LoopOfVectors", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
entry:
  %start = load <8 x i16>, ptr %in, align 16
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi <8 x i16> [ %start, %entry ], [ %y, %loop ]
  %z = phi <8 x i16> [ zeroinitializer, %entry ], [ %x, %loop ]
  %t = trunc i32 %i to i16
  %one = insertelement <8 x i16> %x, i16 %t, i64 5
  %turned = shufflevector <8 x i16> %one, <8 x i16> %z, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 15, i32 0>
  %y = xor <8 x i16> %turned, <i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 8>
  %next = add i32 %i, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %sum = add <8 x i16> %y, %z
  store <8 x i16> %sum, ptr %out, align 16
  ret void
})"},
    {"InsertionIntoPhi", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi <2 x i32> [ <i32 3, i32 4>, %entry ], [ %y, %loop ]
  %y = insertelement <2 x i32> %x, i32 %i, i64 1
  %next = add i32 %i, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  store <2 x i32> %y, ptr %out, align 8
  ret void
})"},
    {"BooleansAndSelects", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <8 x i16>, ptr %in, align 16
  %q = getelementptr i8, ptr %in, i64 16
  %b = load <8 x i16>, ptr %q, align 16
  %less = icmp slt <8 x i16> %a, %b
  %odd = trunc <8 x i16> %a to <8 x i1>
  %both = and <8 x i1> %less, %odd
  %chosen = select <8 x i1> %both, <8 x i16> %a, <8 x i16> %b
  %flag = icmp sgt i32 %n, 3
  %picked = select i1 %flag, <8 x i16> %chosen, <8 x i16> %a
  %wide = zext <8 x i1> %both to <8 x i32>
  store <8 x i16> %picked, ptr %out, align 16
  %o = getelementptr i8, ptr %out, i64 32
  store <8 x i32> %wide, ptr %o, align 32
  ret void
})"},
    {"BitcastsOfOtherWidths", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <8 x i8>, ptr %in, align 8
  %words = bitcast <8 x i8> %a to <2 x i32>
  %more = add <2 x i32> %words, <i32 19, i32 -7>
  %halves = bitcast <2 x i32> %more to <4 x i16>
  %turned = shufflevector <4 x i16> %halves, <4 x i16> poison, <4 x i32> <i32 2, i32 3, i32 1, i32 0>
  %long = bitcast <4 x i16> %turned to i64
  %back = bitcast i64 %long to <8 x i8>
  %c = shufflevector <8 x i8> %back, <8 x i8> %a, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11, i32 7, i32 6, i32 5, i32 4, i32 15, i32 14, i32 13, i32 12>
  %d = xor <16 x i8> %c, splat (i8 33)
  store <16 x i8> %d, ptr %out, align 16
  %o = getelementptr i8, ptr %out, i64 16
  store i64 %long, ptr %o
  ret void
})"},
    {"FloatsAndIntrinsics", R"(
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)
declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)
declare <4 x float> @llvm.powi.v4f32.i32(<4 x float>, i32)
define void @f(ptr %in, ptr %out, i32 %n) {
  %i = load <4 x i32>, ptr %in, align 16
  %a = sitofp <4 x i32> %i to <4 x float>
  %small = fmul <4 x float> %a, splat (float 0x3E00000000000000)
  %c = call <4 x float> @llvm.fma.v4f32(<4 x float> %small, <4 x float> %a, <4 x float> splat (float 0.5))
  %d = call <4 x float> @llvm.fabs.v4f32(<4 x float> %c)
  %e = call <4 x float> @llvm.powi.v4f32.i32(<4 x float> %small, i32 2)
  %m = fneg <4 x float> %e
  %s = fadd <4 x float> %d, %m
  store <4 x float> %s, ptr %out, align 16
  %j = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %i, i1 false)
  %o = getelementptr i8, ptr %out, i64 16
  store <4 x i32> %j, ptr %o, align 16
  ret void
})"},
    {"Addresses", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %i = load <4 x i32>, ptr %in, align 16
  %k = and <4 x i32> %i, splat (i32 15)
  %w = zext <4 x i32> %k to <4 x i64>
  %p = getelementptr inbounds i32, ptr %in, <4 x i64> %w
  %p1 = extractelement <4 x ptr> %p, i64 1
  %p3 = extractelement <4 x ptr> %p, i64 3
  %x = load i32, ptr %p1
  %y = load i32, ptr %p3
  store i32 %x, ptr %out
  %o = getelementptr i8, ptr %out, i64 4
  store i32 %y, ptr %o
  ret void
})"},
    {"IndexAtRunTimeAndReductions", R"(
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <4 x i32>, ptr %in, align 16
  %b = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>
  %k = and i32 %n, 3
  %e = extractelement <4 x i32> %b, i32 %k
  %c = insertelement <4 x i32> %b, i32 11, i32 %k
  %d = mul <4 x i32> %c, %b
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %d)
  %x = add i32 %r, %e
  store i32 %x, ptr %out
  ret void
})"},
    {"LengthsThatDoNotPack", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
entry:
  %a = load <7 x i16>, ptr %in, align 16
  %flag = icmp sgt i32 %n, 2
  br i1 %flag, label %then, label %exit
then:
  %b = or <7 x i16> %a, splat (i16 257)
  br label %exit
exit:
  %r = phi <7 x i16> [ %a, %entry ], [ %b, %then ]
  %f = freeze <7 x i16> %r
  store <7 x i16> %f, ptr %out, align 16
  ret void
})"},
    {"VectorsOfOneElement", R"(
define <1 x i32> @twice(<1 x i32> %v) {
  %w = add <1 x i32> %v, %v
  ret <1 x i32> %w
}
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <1 x i32>, ptr %in, align 4
  %b = mul <1 x i32> %a, %a
  %c = call <1 x i32> @twice(<1 x i32> %b)
  %d = xor <1 x i32> %c, %b
  %zero = and i32 %n, 0
  %e = extractelement <1 x i32> %d, i32 %zero
  %i = insertelement <1 x i32> %b, i32 %e, i32 %zero
  %s = sub <1 x i32> %i, %c
  store <1 x i32> %s, ptr %out, align 4
  ret void
}
)"},
    {"TwoBranchesOfOneBlock", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
entry:
  %a = load <8 x i8>, ptr %in, align 8
  %b = shufflevector <8 x i8> %a, <8 x i8> poison, <8 x i32> <i32 3, i32 1, i32 2, i32 0, i32 7, i32 4, i32 4, i32 5>
  switch i32 %n, label %other [ i32 1, label %join
                                i32 2, label %join ]
other:
  br label %join
join:
  %p = phi <8 x i8> [ %b, %entry ], [ %b, %entry ], [ %a, %other ]
  store <8 x i8> %p, ptr %out, align 8
  ret void
})"},
    {"BitcastsOfWidthsThatDoNotDivide", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
  %a = load <3 x i32>, ptr %in, align 16
  %b = add <3 x i32> %a, %a
  %c = bitcast <3 x i32> %b to <2 x i48>
  %d = mul <2 x i48> %c, splat (i48 3)
  %e = bitcast <2 x i48> %d to <3 x i32>
  store <3 x i32> %e, ptr %out, align 16
  ret void
})"},
    {"UnreachableBlocks", R"(
define void @f(ptr %in, ptr %out, i32 %n) {
entry:
  %a = load <2 x i32>, ptr %in, align 8
  %b = add <2 x i32> %a, %a
  br label %exit
dead:
  %c = add <2 x i32> %b, %d
  %d = mul <2 x i32> %c, %a
  br label %exit
exit:
  %r = phi <2 x i32> [ %b, %entry ], [ %c, %dead ]
  store <2 x i32> %r, ptr %out, align 8
  ret void
})"},
};

TEST(ScalarizeTest, ComputesWhatItDid) {
  std::mt19937 random(20261130);
  for (const Program &program : programs) {
    SCOPED_TRACE(program.name);
    scalarized(program.text); // a valid module
    for (int n : {1, 2, 5, 8}) {
      Bytes in;
      for (uint8_t &byte : in)
        byte = random();
      EXPECT_EQ(runHere(program.text, false, in, n), runHere(program.text, true, in, n));
    }
  }
}

bool contains(StringRef text, StringRef part) { return text.contains(part); }

TEST(ScalarizeTest, ShufflesLeaveNothing) {
  std::string text = scalarized(R"(
define float @f(<4 x float> %a) {
  %turned = shufflevector <4 x float> %a, <4 x float> poison, <8 x i32> <i32 3, i32 2, i32 1, i32 0, i32 3, i32 2, i32 1, i32 0>
  %part = shufflevector <8 x float> %turned, <8 x float> poison, <2 x i32> <i32 2, i32 3>
  %chain = insertelement <2 x float> %part, float 1.0, i64 1
  %sum = fadd contract <2 x float> %chain, %part
  %first = extractelement <2 x float> %sum, i64 0
  ret float %first
})");
  EXPECT_FALSE(contains(text, "shufflevector")) << text;
  EXPECT_FALSE(contains(text, "insertelement")) << text;
  EXPECT_TRUE(contains(text, "fadd contract float")) << text;
}

TEST(ScalarizeTest, PairsOfHalvesStayWhole) {
  std::string text = scalarized(R"(
define void @f(ptr %p) {
  %a = load <8 x half>, ptr %p, align 16
  %s = fadd contract <8 x half> %a, splat (half 1.0)
  store <8 x half> %s, ptr %p, align 16
  ret void
})");
  EXPECT_TRUE(contains(text, "load <4 x i32>, ptr %p, align 16")) << text;
  EXPECT_EQ(StringRef(text).count("fadd contract <2 x half>"), 4u) << text;
  EXPECT_TRUE(contains(text, "store <4 x i32>")) << text;
  EXPECT_FALSE(contains(text, " half ")) << text;
}

TEST(ScalarizeTest, SumsOfShortsAreTakenApart) {
  std::string text = scalarized(R"(
define <2 x i16> @f(<2 x i16> %a) {
  %s = add <2 x i16> %a, splat (i16 -1)
  %x = xor <2 x i16> %s, splat (i16 3)
  ret <2 x i16> %x
})");
  EXPECT_EQ(StringRef(text).count("add i16"), 2u) << text;
  EXPECT_TRUE(contains(text, "xor <2 x i16>")) << text;
}

TEST(ScalarizeTest, AccumulatorsAreScalarsAndPairs) {
  std::string text = scalarized(R"(
define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %x = phi <4 x float> [ zeroinitializer, %entry ], [ %y, %loop ]
  %h = phi <4 x half> [ zeroinitializer, %entry ], [ %g, %loop ]
  %y = fadd <4 x float> %x, splat (float 1.0)
  %g = fadd <4 x half> %h, splat (half 1.0)
  br i1 %c, label %loop, label %exit
exit:
  store <4 x float> %y, ptr %p
  %q = getelementptr i8, ptr %p, i64 16
  store <4 x half> %g, ptr %q
  ret void
})");
  EXPECT_EQ(StringRef(text).count("phi float"), 4u) << text;
  EXPECT_EQ(StringRef(text).count("phi <2 x half>"), 2u) << text;
}

TEST(ScalarizeTest, AtomicAndVolatileAccessesKeepWhatTheyAre) {
  std::string text = scalarized(R"(
define void @f(ptr %p) {
  %a = load volatile <4 x half>, ptr %p, align 8, !invariant.load !0
  store volatile <4 x half> %a, ptr %p, align 8
  ret void
}
!0 = !{})");
  EXPECT_TRUE(contains(text, "load volatile <2 x i32>, ptr %p, align 8, !invariant.load")) << text;
  EXPECT_TRUE(contains(text, "store volatile <2 x i32>")) << text;
}

TEST(ScalarizeTest, MetadataOfBytesIsNotThatOfWords) {
  std::string text = scalarized(R"(
define <8 x i8> @f(ptr %p) {
  %a = load <8 x i8>, ptr %p, align 8, !range !0, !nontemporal !1, !invariant.load !2
  ret <8 x i8> %a
}
!0 = !{i8 0, i8 2}
!1 = !{i32 1}
!2 = !{})");
  EXPECT_TRUE(contains(text, "load <2 x i32>")) << text;
  EXPECT_TRUE(contains(text, "!nontemporal")) << text;
  EXPECT_TRUE(contains(text, "!invariant.load")) << text;
  EXPECT_FALSE(contains(text, "!range")) << text;
}

TEST(ScalarizeTest, FlagsAndMetadataStay) {
  std::string text = scalarized(R"(
define void @f(ptr %p, <2 x i32> %a, <2 x i32> %b) {
  %s = add nsw <2 x i32> %a, %b
  %c = icmp samesign ult <2 x i32> %s, %b
  %z = zext nneg <2 x i32> %s to <2 x i64>
  %g = getelementptr inbounds i32, ptr %p, <2 x i64> %z
  %t = select <2 x i1> %c, <2 x ptr> %g, <2 x ptr> poison
  store <2 x ptr> %t, ptr %p
  ret void
})");
  for (const char *part :
       {"add nsw i32", "icmp samesign ult i32", "zext nneg i32", "getelementptr inbounds i32"})
    EXPECT_EQ(StringRef(text).count(part), 2u) << part << " in\n" << text;
}

TEST(ScalarizeTest, LongChainsTakeLinearTime) {
  // Twenty thousand insertions, each into the vector before it.
  constexpr unsigned count = 20000;
  std::string text = "define i32 @f(i32 %x) {\n";
  raw_string_ostream os(text);
  std::string type = "<" + std::to_string(count) + " x i32>";
  for (unsigned i = 0; i < count; ++i)
    os << "  %v" << i << " = insertelement " << type << " "
       << (i ? "%v" + std::to_string(i - 1) : std::string("poison")) << ", i32 %x, i64 " << i
       << "\n";
  os << "  %s = add " << type << " %v" << count - 1 << ", splat (i32 1)\n"
     << "  %e = extractelement " << type << " %s, i64 77\n  ret i32 %e\n}\n";
  EXPECT_EQ(StringRef(scalarized(text)).count("add i32"), 1u);
}

} // namespace
