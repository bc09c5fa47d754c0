// Reading constraints and blocks of inline PTX, and what is said of what cannot be read.
#include "lib/PtxAsm/PtxAsm.h"

#include "gtest/gtest.h"

using namespace tilec::ptx;

namespace {

std::string errorOf(llvm::StringRef text, llvm::StringRef constraints) {
  auto program = AsmProgram::get(text, constraints);
  return program ? "" : llvm::toString(program.takeError());
}

TEST(AsmConstraints, OutputsInputsAndClobbers) {
  auto constraints = AsmConstraints::parse("=r,=&l,f,d , h,0,~{memory}");
  ASSERT_TRUE(static_cast<bool>(constraints));
  ASSERT_EQ(constraints->outputs.size(), 2u);
  EXPECT_EQ(constraints->outputs[1].getBits(), 64u);
  ASSERT_EQ(constraints->inputs.size(), 4u);
  EXPECT_TRUE(constraints->inputs[0].isFloat());
  EXPECT_EQ(constraints->inputs[2].getBits(), 16u);
  EXPECT_EQ(constraints->inputs[3].tied, 0);
  EXPECT_EQ(constraints->inputs[3].code, 'r');
}

TEST(AsmConstraints, Errors) {
  auto errorIn = [](llvm::StringRef text) {
    auto constraints = AsmConstraints::parse(text);
    return constraints ? "" : llvm::toString(constraints.takeError());
  };
  EXPECT_NE(errorIn("=q,r").find("constraint '=q' is not known"), std::string::npos);
  EXPECT_EQ(errorIn("=r,r,=r"), "constraint '=r' is an output after an input");
  EXPECT_EQ(errorIn("=r,3"), "constraint '3' names no output");
}

TEST(AsmProgram, ErrorsNameWhatIsNotSimulated) {
  EXPECT_EQ(errorOf("add.u32 $0, $1, 1; redux.sync.add.s32 $0, $0, -1;", "=r,r"),
            "instruction 'redux.sync.add.s32' of inline PTX is not simulated");
  // A carry is not a sum.
  EXPECT_EQ(errorOf("add.cc.u32 $0, $1, 1;", "=r,r"),
            "instruction 'add.cc.u32' of inline PTX is not simulated");
  EXPECT_EQ(errorOf("again: bra again;", "=r"), "label 'again' of inline PTX is not simulated");
  EXPECT_EQ(errorOf("mov.b32 $0, $4;", "=r,r"),
            "operand '$4', which no constraint describes, of inline PTX is not simulated");
  EXPECT_EQ(errorOf("mov.b32 $0, nothing;", "=r,r"),
            "operand 'nothing' of inline PTX is not simulated");
  EXPECT_EQ(errorOf("cvt.rs.f16x2.f32 $0, $1, $1, $1;", "=r,f"),
            "instruction 'cvt.rs.f16x2.f32' of inline PTX is not simulated");
  EXPECT_EQ(errorOf("} mov.b32 $0, $1;", "=r,r"),
            "'}', which closes nothing, of inline PTX is not simulated");
}

TEST(AsmProgram, EveryTextIsReadToItsEnd) {
  // Nothing of these may crash or hang.
  for (const char *text : {"{",
                           "}",
                           ";",
                           "@",
                           "@!",
                           "@p",
                           "mov",
                           "mov.",
                           ".",
                           "/*",
                           "/* *",
                           "//",
                           "{ .reg .b32 a<; }",
                           ".reg",
                           ".reg .b32",
                           ".reg .b32 a<99999999999>;",
                           "mov.b32 {",
                           "mov.b32 {a, $0;",
                           "$",
                           "${",
                           "${0",
                           "setp.lt.u32 $0;",
                           "cvt.f32 $0, $1;",
                           "cvt $0, $1;",
                           "mov.b32 $0, {};",
                           "prmt.b32 $0;"})
    errorOf(text, "=r,r");
}

} // namespace
