// Rewrites tensors of pointers as one base and a tensor of offsets.
#include "dialects/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tile-canonicalize-pointers"

namespace tilec::tile {
#define GEN_PASS_DEF_CANONICALIZEPOINTERSPASS
#include "dialects/Tile/Transforms/Passes.h.inc"
} // namespace tilec::tile

using namespace mlir;
using namespace tilec::tile;

namespace {

/// A tensor of pointers as `addptr(splat(base), offset)`; without an offset all are `base`.
struct FatPointer {
  Value base;
  Value offset;
};

/// How a loop changes a tensor of pointers that it carries.
enum class LoopUpdate { Unknown, Uniform, Varying };

class Rewriter {
public:
  explicit Rewriter(MLIRContext *context) : builder(context) {}

  void rewriteBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      rewrite(op);
  }

private:
  void rewrite(Operation &op);
  void rewriteLoop(scf::ForOp loop);
  std::optional<FatPointer> decompose(Operation &op);
  Value materialize(Location loc, FatPointer pointer, Type type);
  Value addOffsets(Location loc, Value a, Value b);
  Value widen(Location loc, Value offset, bool isUnsigned);
  Value uniformScalar(Value tensor);

  OpBuilder builder;
  llvm::DenseMap<Value, FatPointer> pointers;
};

bool isPointerTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<PtrType>(tensor.getElementType());
}

} // namespace

Value Rewriter::materialize(Location loc, FatPointer pointer, Type type) {
  Value splat = SplatOp::create(builder, loc, type, pointer.base);
  Value result =
      pointer.offset ? AddPtrOp::create(builder, loc, splat, pointer.offset).getResult() : splat;
  pointers[result] = pointer;
  return result;
}

Value Rewriter::widen(Location loc, Value offset, bool isUnsigned) {
  if (elementTypeOf(offset.getType()).isInteger(64))
    return offset;
  Type wide = withElementType(offset.getType(), builder.getI64Type());
  // Folds constants, so that they stay visible to the analyses.
  return isUnsigned ? builder.createOrFold<arith::ExtUIOp>(loc, wide, offset)
                    : builder.createOrFold<arith::ExtSIOp>(loc, wide, offset);
}

/// Exact sum of two signed offsets: in 64 bits, where pointer arithmetic wraps anyway.
Value Rewriter::addOffsets(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AddIOp::create(builder, loc, widen(loc, a, false), widen(loc, b, false));
}

/// The scalar that every element of `tensor` equals, or null.
Value Rewriter::uniformScalar(Value tensor) {
  if (auto splat = tensor.getDefiningOp<SplatOp>())
    return splat.getSource();
  if (auto broadcast = tensor.getDefiningOp<BroadcastOp>())
    return uniformScalar(broadcast.getSource());
  if (auto expand = tensor.getDefiningOp<ExpandDimsOp>())
    return uniformScalar(expand.getSource());
  SplatElementsAttr value;
  if (matchPattern(tensor, m_Constant(&value)))
    return arith::ConstantOp::create(builder, tensor.getLoc(),
                                     cast<TypedAttr>(value.getSplatValue<Attribute>()));
  return {};
}

std::optional<FatPointer> Rewriter::decompose(Operation &op) {
  Location loc = op.getLoc();
  auto find = [&](Value value) -> std::optional<FatPointer> {
    auto it = pointers.find(value);
    if (it == pointers.end())
      return std::nullopt;
    return it->second;
  };
  if (auto splat = dyn_cast<SplatOp>(op))
    return FatPointer{splat.getSource(), {}};
  if (auto add = dyn_cast<AddPtrOp>(op)) {
    std::optional<FatPointer> pointer = find(add.getPtr());
    if (!pointer)
      return std::nullopt;
    if (Value scalar = uniformScalar(add.getOffset())) {
      pointer->base =
          AddPtrOp::create(builder, loc, pointer->base, scalar, add.getUnsignedOffset());
      return pointer;
    }
    Value offset = add.getOffset();
    if (add.getUnsignedOffset())
      offset = widen(loc, offset, true);
    // In 64 bits a sum splits exactly into what all elements share and the rest.
    auto sum = offset.getDefiningOp<arith::AddIOp>();
    if (sum && elementTypeOf(offset.getType()).isInteger(64)) {
      for (auto [shared, rest] :
           {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
        if (Value scalar = uniformScalar(shared)) {
          pointer->base = AddPtrOp::create(builder, loc, pointer->base, scalar);
          offset = rest;
          break;
        }
      }
    }
    pointer->offset = addOffsets(loc, pointer->offset, offset);
    return pointer;
  }
  if (isa<BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp>(op)) {
    std::optional<FatPointer> pointer = find(op.getOperand(0));
    if (!pointer || !pointer->offset)
      return pointer;
    IRMapping mapping;
    mapping.map(op.getOperand(0), pointer->offset);
    Operation *clone = builder.clone(op, mapping);
    clone->getResult(0).setType(
        withElementType(op.getResult(0).getType(), elementTypeOf(pointer->offset.getType())));
    pointer->offset = clone->getResult(0);
    return pointer;
  }
  if (auto cast = dyn_cast<PtrCastOp>(op)) {
    std::optional<FatPointer> pointer = find(cast.getSource());
    auto from = mlir::cast<PtrType>(elementTypeOf(cast.getSource().getType()));
    auto to = mlir::cast<PtrType>(elementTypeOf(cast.getType()));
    if (!pointer || storageBits(from.getPointeeType()) != storageBits(to.getPointeeType()))
      return std::nullopt;
    pointer->base = PtrCastOp::create(builder, loc, to, pointer->base);
    return pointer;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<FatPointer> a = find(select.getTrueValue()), b = find(select.getFalseValue());
    if (!a || !b || a->base != b->base || !a->offset || !b->offset)
      return std::nullopt;
    Value lhs = a->offset, rhs = b->offset;
    if (lhs.getType() != rhs.getType()) {
      lhs = widen(loc, lhs, false);
      rhs = widen(loc, rhs, false);
    }
    return FatPointer{a->base,
                      arith::SelectOp::create(builder, loc, select.getCondition(), lhs, rhs)};
  }
  return std::nullopt;
}

void Rewriter::rewrite(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return rewriteLoop(loop);
  for (Region &region : op.getRegions())
    for (Block &block : region)
      rewriteBlock(block);
  if (op.getNumResults() != 1 || !isPointerTensor(op.getResult(0).getType()))
    return;
  builder.setInsertionPoint(&op);
  if (auto hint = dyn_cast<HintOp>(op)) {
    // The hint stays on the tensor that accesses use; arithmetic goes on without it.
    auto it = pointers.find(hint.getValue());
    if (it != pointers.end())
      pointers[hint.getResult()] = FatPointer(it->second);
    return;
  }
  std::optional<FatPointer> pointer = decompose(op);
  if (!pointer)
    return;
  Value result = materialize(op.getLoc(), *pointer, op.getResult(0).getType());
  op.getResult(0).replaceAllUsesWith(result);
  pointers.erase(op.getResult(0)); // a later value may get the address
  op.erase();
}

/// How the value `yielded` at the end of a loop comes from the loop's argument.
static LoopUpdate classifyUpdate(Value yielded, Value argument,
                                 llvm::function_ref<bool(Value)> isUniform) {
  LoopUpdate update = LoopUpdate::Uniform;
  while (yielded != argument) {
    if (auto add = yielded.getDefiningOp<AddPtrOp>()) {
      if (!isUniform(add.getOffset()))
        update = LoopUpdate::Varying;
      yielded = add.getPtr();
    } else if (auto hint = yielded.getDefiningOp<HintOp>()) {
      yielded = hint.getValue();
    } else if (auto inner = yielded.getDefiningOp<scf::ForOp>()) {
      unsigned index = cast<OpResult>(yielded).getResultNumber();
      LoopUpdate nested =
          classifyUpdate(inner.getYieldedValues()[index], inner.getRegionIterArg(index), isUniform);
      if (nested == LoopUpdate::Unknown)
        return nested;
      if (nested == LoopUpdate::Varying)
        update = nested;
      yielded = inner.getInitArgs()[index];
    } else {
      return LoopUpdate::Unknown;
    }
  }
  return update;
}

static bool isUniformTensor(Value tensor) {
  if (auto broadcast = tensor.getDefiningOp<BroadcastOp>())
    return isUniformTensor(broadcast.getSource());
  if (auto expand = tensor.getDefiningOp<ExpandDimsOp>())
    return isUniformTensor(expand.getSource());
  SplatElementsAttr value;
  return tensor.getDefiningOp<SplatOp>() || matchPattern(tensor, m_Constant(&value));
}

void Rewriter::rewriteLoop(scf::ForOp loop) {
  struct Carried {
    unsigned index;
    FatPointer init;
    bool carriesOffset;
  };
  SmallVector<Carried> carried;
  SmallVector<Value> inits(loop.getInitArgs());
  builder.setInsertionPoint(loop);
  for (auto [index, init] : llvm::enumerate(loop.getInitArgs())) {
    auto it = pointers.find(init);
    if (!isPointerTensor(init.getType()) || it == pointers.end())
      continue;
    LoopUpdate update = classifyUpdate(loop.getYieldedValues()[index], loop.getRegionIterArg(index),
                                       isUniformTensor);
    if (update == LoopUpdate::Unknown)
      continue;
    FatPointer pointer = it->second;
    bool varies = update == LoopUpdate::Varying;
    if (varies) {
      auto wide = cast<RankedTensorType>(withElementType(init.getType(), builder.getI64Type()));
      pointer.offset = pointer.offset ? widen(loop.getLoc(), pointer.offset, false)
                                      : arith::ConstantOp::create(builder, loop.getLoc(),
                                                                  builder.getZeroAttr(wide))
                                            .getResult();
    }
    carried.push_back({static_cast<unsigned>(index), pointer, varies});
  }
  if (carried.empty()) {
    rewriteBlock(*loop.getBody());
    return;
  }

  // The base takes the place of the tensor; changing offsets are appended.
  for (Carried &c : carried) {
    inits[c.index] = c.init.base;
    if (c.carriesOffset)
      inits.push_back(c.init.offset);
  }
  auto fresh = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), inits);
  fresh->setAttrs(loop->getAttrs());
  Block *body = fresh.getBody();
  if (!body->empty())
    body->back().erase(); // an empty yield, which the builder adds for loops without values
  unsigned oldArguments = loop.getBody()->getNumArguments();
  for (unsigned i = 0; i < oldArguments; ++i)
    loop.getBody()->getArgument(i).replaceAllUsesWith(body->getArgument(i));
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());

  builder.setInsertionPointToStart(body);
  unsigned extra = oldArguments;
  for (Carried &c : carried) {
    Value base = body->getArgument(1 + c.index);
    FatPointer pointer{base, c.carriesOffset ? body->getArgument(extra++) : c.init.offset};
    Type type = loop.getInitArgs()[c.index].getType();
    // The body's uses of the base stand for the tensor.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : base.getUses())
      uses.push_back(&use);
    Value tensor = materialize(loop.getLoc(), pointer, type);
    for (OpOperand *use : uses)
      use->set(tensor);
  }
  rewriteBlock(*body);

  auto yield = cast<scf::YieldOp>(body->getTerminator());
  SmallVector<Value> yielded(yield.getOperands());
  builder.setInsertionPoint(yield);
  for (Carried &c : carried) {
    FatPointer pointer = pointers.lookup(yielded[c.index]);
    assert(pointer.base && "a classified update must decompose");
    yielded[c.index] = pointer.base;
    if (c.carriesOffset)
      yielded.push_back(widen(loop.getLoc(), pointer.offset, false));
  }
  scf::YieldOp::create(builder, yield.getLoc(), yielded);
  yield.erase();

  builder.setInsertionPointAfter(fresh);
  extra = loop.getNumResults();
  SmallVector<Value> replacements(fresh.getResults().take_front(loop.getNumResults()));
  for (Carried &c : carried) {
    FatPointer pointer{fresh.getResult(c.index),
                       c.carriesOffset ? fresh.getResult(extra++) : c.init.offset};
    replacements[c.index] =
        materialize(loop.getLoc(), pointer, loop.getInitArgs()[c.index].getType());
  }
  loop->replaceAllUsesWith(replacements);
  loop->erase();
}

namespace {
struct CanonicalizePointers
    : tilec::tile::impl::CanonicalizePointersPassBase<CanonicalizePointers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      Rewriter rewriter(&getContext());
      for (Block &block : function.getBody())
        rewriter.rewriteBlock(block);
    }
  }
};
} // namespace
