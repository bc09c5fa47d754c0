// Every operation of the tile dialect, and everything that front ends emit, has an interpretation.
#include "TestKernel.h"

#include "dialects/Tile/IR/Tile.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

namespace {

std::vector<std::string> missingOf(llvm::StringRef dialect,
                                   llvm::ArrayRef<llvm::StringRef> exceptions = {}) {
  std::vector<std::string> missing;
  for (mlir::RegisteredOperationName op : getContext().getRegisteredOperationsByDialect(dialect))
    if (!hasInterpretation(op.getStringRef()) && !llvm::is_contained(exceptions, op.getStringRef()))
      missing.push_back(op.getStringRef().str());
  return missing;
}

TEST(Coverage, TileOpsAreAllInterpreted) {
  ASSERT_FALSE(getContext().getRegisteredOperationsByDialect("tile").empty());
  EXPECT_EQ(missingOf("tile"), std::vector<std::string>());
}

TEST(Coverage, ArithOpsAreInterpreted) {
  // Microscaling conversions: no front end makes them.
  EXPECT_EQ(missingOf("arith", {"arith.scaling_extf", "arith.scaling_truncf"}),
            std::vector<std::string>());
}

TEST(Coverage, MathOpsAreInterpreted) { EXPECT_EQ(missingOf("math"), std::vector<std::string>()); }

TEST(Coverage, ControlFlowOpsAreInterpreted) {
  for (llvm::StringRef op : {"scf.for", "scf.if", "scf.while", "scf.yield", "scf.condition",
                             "func.return", "func.call", "ub.poison"})
    EXPECT_TRUE(hasInterpretation(op)) << op.str();
}

TEST(Coverage, TheTableHasNoNamesThatNoDialectHas) {
  for (llvm::StringRef name : getInterpretedOps()) {
    if (name.starts_with("ub."))
      continue;
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(name, &getContext())) << name.str();
  }
}

TEST(Coverage, UnknownOperationIsNamed) {
  TestKernel kernel(R"(func.func @k(%n: index) {
  scf.forall (%i) in (%n) {
  }
  return
})");
  EXPECT_EQ(kernel.run({RefArgument::scalar(1)}),
            "test.mlir:2:3: no interpretation for 'scf.forall'");
}

} // namespace
