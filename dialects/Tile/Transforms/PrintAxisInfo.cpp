// A pass for tests: what axis analysis knows, as attributes.
#include "dialects/Tile/Transforms/AxisInfo.h"
#include "dialects/Tile/Transforms/Passes.h"

namespace tilec::tile {
#define GEN_PASS_DEF_PRINTAXISINFOPASS
#include "dialects/Tile/Transforms/Passes.h.inc"
} // namespace tilec::tile

using namespace mlir;
using namespace tilec::tile;

namespace {
struct PrintAxisInfo : tilec::tile::impl::PrintAxisInfoPassBase<PrintAxisInfo> {
  void runOnOperation() override {
    Builder builder(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      AxisInfoAnalysis analysis(function);
      function.walk([&](Operation *op) {
        if (op->getNumResults() != 1)
          return;
        Type element = elementTypeOf(op->getResult(0).getType());
        if (!element.isInteger() && !isa<PtrType>(element))
          return;
        AxisInfo info = analysis.get(op->getResult(0));
        op->setAttr("contiguity", builder.getDenseI64ArrayAttr(info.contiguity));
        op->setAttr("divisibility", builder.getDenseI64ArrayAttr(info.divisibility));
        op->setAttr("constancy", builder.getDenseI64ArrayAttr(info.constancy));
      });
    }
  }
};
} // namespace
