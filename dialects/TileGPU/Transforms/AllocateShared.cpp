// Places scratch in shared memory.
#include "dialects/TileGPU/Transforms/Passes.h"
#include "dialects/TileGPU/Transforms/Scratch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#define DEBUG_TYPE "tilegpu-allocate-shared"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

/// Up to here every operation gets bytes of its own: as much as leaves 16 programs on a
/// multiprocessor with 100 KB of shared memory, the smallest of our targets.
static constexpr int64_t kOwnBytes = 6 * 1024;
/// Up to here in a kernel with matrix products, for what is in loops: operands that share bytes
/// cost two more barriers a turn, and the accumulator's registers leave room for few programs
/// anyway.
static constexpr int64_t kOwnBytesOfProducts = 48 * 1024;

/// As the language spells it: "fp32[64, 64]". Integers have no sign any more.
static std::string spell(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<BFloat16Type>(type.getElementType()))
    os << "bf16";
  else if (isa<Float8E4M3FNType>(type.getElementType()))
    os << "fp8e4nv";
  else if (isa<Float8E5M2Type>(type.getElementType()))
    os << "fp8e5";
  else if (isa<FloatType>(type.getElementType()))
    os << "fp" << type.getElementTypeBitWidth();
  else if (type.getElementType().isInteger())
    os << "i" << type.getElementTypeBitWidth();
  else
    os << "pointer";
  os << '[';
  llvm::interleaveComma(type.getShape(), os);
  os << ']';
  return text;
}

/// Notes at the operations that take the most shared memory.
static void explain(ArrayRef<std::pair<Operation *, int64_t>> users, InFlightDiagnostic &report) {
  constexpr size_t kMostNotes = 8;
  SmallVector<std::pair<Operation *, int64_t>> bySize;
  // What goes from one thread to the others is small.
  for (auto [op, bytes] : users)
    if (op->getNumOperands() && isa<RankedTensorType>(op->getOperand(0).getType()))
      bySize.push_back({op, bytes});
  llvm::stable_sort(bySize, [](auto &a, auto &b) { return a.second > b.second; });
  for (auto [op, bytes] : ArrayRef(bySize).take_front(kMostNotes)) {
    std::string type = spell(cast<RankedTensorType>(op->getOperand(0).getType()));
    if (isa<tile::DotOp>(op))
      report.attachNote(op->getLoc())
          << bytes << " bytes for the operands of a product without tensor cores, " << type
          << " on the left";
    else
      report.attachNote(op->getLoc()) << bytes << " bytes to move " << type << " between warps";
  }
}

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
    bool hasProducts = false;
    function.walk([&](tile::DotOp) { hasProducts = true; });
    int64_t total = place(users, hasProducts ? kOwnBytesOfProducts : kOwnBytes, hasProducts);
    if (hasProducts && limit && total > static_cast<int64_t>(limit))
      total = place(users, kOwnBytes, false);
    function->setAttr(kSharedBytesAttr, Builder(&getContext()).getI32IntegerAttr(total));
    if (limit && total > static_cast<int64_t>(limit)) {
      InFlightDiagnostic diagnostic = function.emitError()
                                      << "kernel '" << function.getName() << "' needs " << total
                                      << " bytes of shared memory a block, but the target has "
                                      << unsigned(limit) << ": make the tiles smaller";
      explain(users, diagnostic);
      return failure();
    }
    return success();
  }

  /// Gives each a place, the small ones first and up to `ownBytes` their own; the rest share what
  /// follows. With `onlyLoops` what runs once shares its bytes with all others. Returns the bytes
  /// of all.
  int64_t place(ArrayRef<std::pair<Operation *, int64_t>> users, int64_t ownBytes, bool onlyLoops) {
    SmallVector<std::pair<Operation *, int64_t>> bySize(users);
    llvm::stable_sort(bySize, [](auto &a, auto &b) { return a.second < b.second; });
    Builder builder(&getContext());
    int64_t own = 0, shared = 0, once = 0;
    for (auto [op, bytes] : bySize) {
      if (onlyLoops && bytes > kOwnBytes && !op->getParentOfType<LoopLikeOpInterface>()) {
        op->setAttr(kSharedOffsetAttr, builder.getI32IntegerAttr(0));
        once = std::max(once, bytes);
        continue;
      }
      bool fits = shared == 0 && own + bytes <= ownBytes;
      op->setAttr(kSharedOffsetAttr, builder.getI32IntegerAttr(own));
      if (fits)
        own += bytes;
      else
        shared = std::max(shared, bytes);
    }
    return std::max(own + shared, once);
  }
};
} // namespace
