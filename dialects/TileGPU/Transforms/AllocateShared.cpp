// Places scratch in shared memory.
#include "dialects/TileGPU/Transforms/Passes.h"
#include "dialects/TileGPU/Transforms/Scratch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "tilegpu-allocate-shared"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec::tilegpu;

/// Up to here every operation gets bytes of its own: as much as leaves 16 programs on a
/// multiprocessor with 100 KB of shared memory, the smallest of our targets.
static constexpr int64_t kOwnBytes = 6 * 1024;

namespace {
struct AllocateShared : tilec::tilegpu::impl::AllocateSharedPassBase<AllocateShared> {
  using AllocateSharedPassBase::AllocateSharedPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kNumWarpsAttr) && failed(allocate(function)))
        return signalPassFailure();
  }

  LogicalResult allocate(func::FuncOp function) {
    SmallVector<std::pair<Operation *, int64_t>> users;
    function.walk([&](Operation *op) {
      if (int64_t bytes = scratchOf(op).bytes)
        users.push_back({op, bytes});
    });
    // Small ones first get a place of their own, the rest share what follows.
    SmallVector<std::pair<Operation *, int64_t>> bySize(users);
    llvm::stable_sort(bySize, [](auto &a, auto &b) { return a.second < b.second; });
    Builder builder(&getContext());
    int64_t own = 0, shared = 0;
    for (auto [op, bytes] : bySize) {
      bool fits = shared == 0 && own + bytes <= kOwnBytes;
      op->setAttr(kSharedOffsetAttr, builder.getI32IntegerAttr(own));
      if (fits)
        own += bytes;
      else
        shared = std::max(shared, bytes);
    }
    int64_t total = own + shared;
    function->setAttr(kSharedBytesAttr, builder.getI32IntegerAttr(total));
    if (limit && total > static_cast<int64_t>(limit)) {
      auto diagnostic = function.emitError()
                        << "kernel '" << function.getName() << "' needs " << total
                        << " bytes of shared memory a block, but the target has " << unsigned(limit)
                        << ": make the tiles smaller";
      for (auto [op, bytes] : users) {
        auto type = cast<RankedTensorType>(op->getOperand(0).getType());
        diagnostic.attachNote(op->getLoc())
            << bytes << " bytes to move a "
            << RankedTensorType::get(type.getShape(), type.getElementType()) << " between warps";
      }
      return failure();
    }
    return success();
  }
};
} // namespace
