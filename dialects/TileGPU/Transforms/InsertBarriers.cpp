// Orders the uses of shared memory, and what all threads load with what one stores for all.
#include "dialects/TileGPU/Transforms/Passes.h"
#include "dialects/TileGPU/Transforms/Scratch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tilegpu-insert-barriers"

namespace tilec::tilegpu {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "dialects/TileGPU/Transforms/Passes.h.inc"
} // namespace tilec::tilegpu

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

namespace {

/// A range of bytes of shared memory.
struct Interval {
  int64_t begin, end;
  bool operator<(const Interval &o) const {
    return std::tie(begin, end) < std::tie(o.begin, o.end);
  }
  bool overlaps(const Interval &o) const { return begin < o.end && o.begin < end; }
};

/// What some warp may still be reading.
using PendingReads = std::set<Interval>;

/// Stand for the accesses of global memory that some warp may not have made yet, and for the stores
/// among them.
constexpr Interval kGlobalAccesses{INT64_MIN, INT64_MIN + 1};
constexpr Interval kGlobalStores{INT64_MIN + 1, INT64_MIN + 2};

/// What has to come before an atomic that releases. One of a scalar is one thread's, but what the
/// program did before it is all threads'. Those of a tensor wait for stores only: they are many,
/// and what they add was mostly loaded just before.
std::optional<Interval> releasedBy(Operation &op) {
  auto released = [](Value pointer, tile::MemSemantic sem) -> std::optional<Interval> {
    if (sem != tile::MemSemantic::release && sem != tile::MemSemantic::acq_rel)
      return std::nullopt;
    return isa<RankedTensorType>(pointer.getType()) ? kGlobalStores : kGlobalAccesses;
  };
  if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
    return released(rmw.getPtr(), rmw.getSem());
  if (auto cas = dyn_cast<tile::AtomicCASOp>(op))
    return released(cas.getPtr(), cas.getSem());
  return std::nullopt;
}

/// Whether a layout replicates what is at these addresses: all its threads load it, and one of them
/// stores it.
bool isReplicated(Type pointer) {
  auto tensor = dyn_cast<RankedTensorType>(pointer);
  if (!tensor)
    return true;
  if (!layoutOf(tensor))
    return false;
  InputBits free = linearLayoutOf(tensor).freeBits();
  return free.lanes || free.warps;
}

/// What a value is one of, by the branch or the turn of a loop that gave it; nothing if it is
/// computed or a parameter.
SmallVector<Value, 2> alternativesOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(value).getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(parent))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  if (auto loop = dyn_cast<scf::WhileOp>(parent);
      loop && (!argument || argument.getOwner() == loop.getAfterBody()))
    return {loop.getConditionOp().getArgs()[number]};
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  if (!loop)
    return {};
  if (!argument)
    argument = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
  if (OpOperand *init = loop.getTiedLoopInit(argument))
    return {init->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  return {};
}

/// What an address may be computed from: parameters, and null for whatever is none, such as an
/// address that was loaded.
llvm::SmallSetVector<Value, 2> rootsOf(Value pointer) {
  auto isPointer = [](Value value) {
    return isa<tile::PtrType>(tile::elementTypeOf(value.getType()));
  };
  llvm::SmallSetVector<Value, 8> reached;
  reached.insert(pointer);
  llvm::SmallSetVector<Value, 2> roots;
  for (size_t i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    SmallVector<Value, 2> sources = alternativesOf(value);
    Operation *op = value.getDefiningOp();
    if (op && op->getNumRegions() == 0 && isMemoryEffectFree(op))
      llvm::copy_if(op->getOperands(), std::back_inserter(sources), isPointer);
    reached.insert(sources.begin(), sources.end());
    if (sources.empty())
      roots.insert(op ? Value() : value);
  }
  return roots;
}

/// Loads too: what others may overwrite must have been read.
bool accessesGlobal(Operation &op) { return !op.getNumRegions() && !isMemoryEffectFree(&op); }

class BarrierInserter {
public:
  explicit BarrierInserter(MLIRContext *context) : builder(context) {}

  /// The reads pending after `block`, if `pending` are before. Inserts barriers if `insert`.
  PendingReads visit(Block &block, PendingReads pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block))
      pending = visit(op, std::move(pending), insert);
    return pending;
  }

private:
  PendingReads visit(Operation &op, PendingReads pending, bool insert) {
    if (isa<BarrierOp, tile::BarrierOp>(op))
      return {};
    // Each level of a nest of loops asks about the body twice; without the answers of before, a
    // nest of 30 would take 2^30 visits.
    if (insert || !isa<scf::ForOp, scf::WhileOp>(op))
      return visitAnew(op, std::move(pending), insert);
    std::pair<Operation *, PendingReads> key(&op, pending);
    auto found = around.find(key);
    if (found == around.end())
      found = around.emplace(key, visitAnew(op, std::move(pending), insert)).first;
    return found->second;
  }

  PendingReads visitAnew(Operation &op, PendingReads pending, bool insert) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      PendingReads start = aroundLoop(
          pending, [&](PendingReads in) { return visit(*loop.getBody(), std::move(in), false); });
      return merge(pending, visit(*loop.getBody(), start, insert));
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto body = [&](PendingReads in, bool insert) {
        return visit(*loop.getAfterBody(), visit(*loop.getBeforeBody(), std::move(in), insert),
                     insert);
      };
      PendingReads start =
          aroundLoop(pending, [&](PendingReads in) { return body(std::move(in), false); });
      body(start, insert);
      return visit(*loop.getBeforeBody(), start, false);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      PendingReads taken = visit(*branch.thenBlock(), pending, insert);
      PendingReads other =
          branch.elseBlock() ? visit(*branch.elseBlock(), pending, insert) : pending;
      return merge(taken, other);
    }
    SmallVector<Interval, 2> needs;
    auto offset = op.getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
    Scratch scratch = offset ? scratchOf(&op) : Scratch();
    if (offset)
      needs.push_back({offset.getInt(), offset.getInt() + scratch.bytes});
    if (std::optional<Interval> released = releasedBy(op))
      needs.push_back(*released);
    SmallVector<Interval, 2> replicated;
    if (auto load = dyn_cast<tile::LoadOp>(op))
      replicated = orderReplicated(load.getPtr(), /*isLoad=*/true, needs);
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      replicated = orderReplicated(store.getPtr(), /*isLoad=*/false, needs);
    else if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
      replicated = orderReplicated(rmw.getPtr(), /*isLoad=*/false, needs);
    else if (auto cas = dyn_cast<tile::AtomicCASOp>(op))
      replicated = orderReplicated(cas.getPtr(), /*isLoad=*/false, needs);
    if (llvm::any_of(pending, [&](const Interval &read) {
          return llvm::any_of(needs, [&](const Interval &need) { return read.overlaps(need); });
        })) {
      pending.clear();
      if (insert) {
        builder.setInsertionPoint(&op);
        BarrierOp::create(builder, op.getLoc());
      }
    }
    if (scratch.hasBarrier)
      pending.clear();
    if (offset)
      pending.insert(needs.front());
    if (!scratch.hasBarrier)
      pending.insert(replicated.begin(), replicated.end());
    if (accessesGlobal(op) && !scratch.hasBarrier)
      pending.insert(kGlobalAccesses);
    if (isa<tile::StoreOp>(op))
      pending.insert(kGlobalStores);
    return pending;
  }

  /// Of an access that a layout replicates, what it has to come after goes to `needs`, and what
  /// stands for it is returned. One thread stores what all load: without an order, some of them
  /// would load what the program stores later, and have other values than the rest.
  SmallVector<Interval, 2> orderReplicated(Value pointer, bool isLoad,
                                           SmallVectorImpl<Interval> &needs) {
    SmallVector<Interval, 2> result;
    if (!isReplicated(pointer.getType()))
      return result;
    auto [known, isNew] = roots.try_emplace(pointer);
    if (isNew)
      known->second = rootsOf(pointer);
    for (Value root : known->second) {
      auto number = static_cast<int64_t>(numbers.try_emplace(root, numbers.size()).first->second);
      int64_t loads = kGlobalStores.end + 2 * number, stores = loads + 1;
      Interval load{loads, loads + 1}, store{stores, stores + 1};
      needs.push_back(isLoad ? store : load);
      result.push_back(isLoad ? load : store);
    }
    return result;
  }

  static PendingReads merge(PendingReads a, const PendingReads &b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  /// What is pending at the top of a loop's body: on entry, or from the iteration before.
  static PendingReads aroundLoop(const PendingReads &entry,
                                 llvm::function_ref<PendingReads(PendingReads)> body) {
    PendingReads start = entry;
    while (true) {
      PendingReads next = merge(start, body(start));
      if (next.size() == start.size())
        return start;
      start = std::move(next);
    }
  }

  OpBuilder builder;
  /// The roots of addresses that are replicated, and the numbers of these.
  llvm::DenseMap<Value, llvm::SmallSetVector<Value, 2>> roots;
  llvm::DenseMap<Value, size_t> numbers;
  /// What is pending after a loop, by what is before. A barrier inserted since then only takes
  /// away.
  std::map<std::pair<Operation *, PendingReads>, PendingReads> around;
};

struct InsertBarriers : tilec::tilegpu::impl::InsertBarriersPassBase<InsertBarriers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      BarrierInserter inserter(&getContext());
      for (Block &block : function.getBody())
        inserter.visit(block, {}, /*insert=*/true);
    }
  }
};

} // namespace
