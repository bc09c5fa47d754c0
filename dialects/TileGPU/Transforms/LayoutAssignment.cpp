// Spreads the layouts of memory accesses over a kernel.
#include "dialects/TileGPU/Transforms/LayoutAssignment.h"
#include "dialects/TileGPU/Transforms/DotKind.h"

#include "lib/Layout/ScanPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static LayoutAttr transform(LayoutAttr layout, Value of,
                            llvm::function_ref<LinearLayout(LinearLayout)> function) {
  if (!layout)
    return {};
  return LayoutAttr::get(layout.getContext(), function(layout.toLinear(shapeOf(of))));
}

/// The layout itself if a scan works on it, else a blocked one.
static LayoutAttr scannable(LayoutAttr layout, Value of) {
  return transform(layout, of, [&](LinearLayout l) {
    return isScannable(l) ? l : LinearLayout::defaultBlocked(shapeOf(of), l.numWarps());
  });
}

static SmallVector<unsigned> toUnsigned(ArrayRef<int32_t> order) {
  return SmallVector<unsigned>(order.begin(), order.end());
}

Value tilec::tilegpu::throughConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSource();
  return value;
}

LayoutAttr LayoutAssignment::fixedOperandLayout(OpOperand &operand) {
  if (!isTensor(operand.get()))
    return {};
  Operation *op = operand.getOwner();
  if (isAccess(op))
    return accessLayout(op);
  auto dot = dyn_cast<tile::DotOp>(op);
  return dot && mmaPlanOf(dot) ? layoutOf(operand.get().getType()) : LayoutAttr();
}

LayoutAttr LayoutAssignment::accessLayout(Operation *access) {
  return layoutOf(access->getOperand(0).getType());
}

LayoutAttr tilec::tilegpu::requiredOperandLayout(OpOperand &operand,
                                                 llvm::function_ref<LayoutAttr(Value)> layoutOf) {
  Operation *op = operand.getOwner();
  if (!isTensor(operand.get()))
    return {};
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp>(
          [&](Operation *access) -> LayoutAttr { return LayoutAssignment::accessLayout(access); })
      .Case<tile::ReduceOp>([&](tile::ReduceOp reduce) { return layoutOf(reduce.getOperand(0)); })
      .Case<tile::DotOp>([&](tile::DotOp dot) {
        // The others' layouts are the instruction's: see fixedOperandLayout.
        return &operand == &dot.getAccMutable() ? layoutOf(dot.getResult()) : LayoutAttr();
      })
      .Case<tile::ScanOp>([&](tile::ScanOp scan) {
        return scannable(layoutOf(scan.getResult(0)), scan.getResult(0));
      })
      .Case<tile::JoinOp>([&](tile::JoinOp join) {
        return transform(layoutOf(join.getResult()), join.getResult(),
                         [](LinearLayout l) { return l.slice(l.getRank() - 1); });
      })
      .Case<tile::SplitOp>([&](tile::SplitOp split) {
        return transform(layoutOf(split.getLhs()), split.getLhs(),
                         [](LinearLayout l) { return l.joined(); });
      })
      .Case<tile::GatherOp>([&](tile::GatherOp gather) {
        return operand.getOperandNumber() == 1 ? layoutOf(gather.getResult()) : LayoutAttr();
      })
      .Case<tile::HistogramOp>([&](tile::HistogramOp histogram) {
        return operand.getOperandNumber() == 1 ? layoutOf(histogram.getSource()) : LayoutAttr();
      })
      .Case<tile::ExpandDimsOp>([&](tile::ExpandDimsOp expand) {
        return transform(layoutOf(expand.getResult()), expand.getResult(),
                         [&](LinearLayout l) { return l.slice(expand.getAxis()); });
      })
      .Case<tile::BroadcastOp>([&](tile::BroadcastOp broadcast) {
        return transform(
            layoutOf(broadcast.getResult()), broadcast.getResult(),
            [&](LinearLayout l) { return l.broadcastSource(shapeOf(broadcast.getSource())); });
      })
      .Case<tile::TransOp>([&](tile::TransOp trans) {
        return transform(layoutOf(trans.getResult()), trans.getResult(), [&](LinearLayout l) {
          SmallVector<unsigned> inverse(trans.getOrder().size());
          for (auto [to, from] : llvm::enumerate(trans.getOrder()))
            inverse[from] = to;
          return l.transpose(inverse);
        });
      })
      .Case<tile::ReshapeOp>([&](tile::ReshapeOp reshape) {
        return transform(layoutOf(reshape.getResult()), reshape.getResult(),
                         [&](LinearLayout l) { return l.reshape(shapeOf(reshape.getSource())); });
      })
      .Case<scf::ForOp>([&](scf::ForOp loop) { return layoutOf(loop.getTiedLoopResult(&operand)); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) {
        return layoutOf(loop.getBeforeArguments()[operand.getOperandNumber()]);
      })
      .Case<scf::ConditionOp>([&](scf::ConditionOp condition) {
        return layoutOf(condition->getParentOp()->getResult(operand.getOperandNumber() - 1));
      })
      .Case<scf::YieldOp>([&](scf::YieldOp yield) -> LayoutAttr {
        unsigned index = operand.getOperandNumber();
        if (auto loop = dyn_cast<scf::WhileOp>(yield->getParentOp()))
          return layoutOf(loop.getBeforeArguments()[index]);
        return layoutOf(yield->getParentOp()->getResult(index));
      })
      .Default([&](Operation *op) -> LayoutAttr {
        for (Value result : op->getResults())
          if (isTensor(result) && shapeOf(result) == shapeOf(operand.get()))
            return layoutOf(result);
        return {};
      });
}

LayoutAttr tilec::tilegpu::inferredResultLayout(OpResult result,
                                                llvm::function_ref<LayoutAttr(Value)> layoutOf) {
  Operation *op = result.getOwner();
  if (!isTensor(result))
    return {};
  auto source = [&] { return op->getOperand(0); };
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case<tile::LoadOp, tile::AtomicRMWOp, tile::AtomicCASOp>(
          [&](Operation *load) -> LayoutAttr { return LayoutAssignment::accessLayout(load); })
      .Case<tile::ReduceOp>([&](tile::ReduceOp reduce) {
        return transform(layoutOf(source()), source(),
                         [&](LinearLayout l) { return l.slice(reduce.getAxis()); });
      })
      .Case<tile::ScanOp>([&](Operation *) { return scannable(layoutOf(source()), source()); })
      .Case<tile::JoinOp>([&](Operation *) {
        return transform(layoutOf(source()), source(), [](LinearLayout l) { return l.joined(); });
      })
      .Case<tile::SplitOp>([&](Operation *) {
        return transform(layoutOf(source()), source(), [](LinearLayout l) { return l.halved(); });
      })
      .Case<tile::GatherOp>([&](tile::GatherOp gather) { return layoutOf(gather.getIndices()); })
      .Case<tile::HistogramOp>([](Operation *) { return LayoutAttr(); })
      .Case<tile::ExpandDimsOp>([&](tile::ExpandDimsOp expand) {
        return transform(layoutOf(source()), source(),
                         [&](LinearLayout l) { return l.expandDims(expand.getAxis()); });
      })
      .Case<tile::TransOp>([&](tile::TransOp trans) {
        return transform(layoutOf(source()), source(),
                         [&](LinearLayout l) { return l.transpose(toUnsigned(trans.getOrder())); });
      })
      .Case<tile::ReshapeOp>([&](tile::ReshapeOp reshape) {
        return transform(layoutOf(source()), source(),
                         [&](LinearLayout l) { return l.reshape(shapeOf(result)); });
      })
      .Case<tile::BroadcastOp, tile::DotOp, scf::ForOp, scf::WhileOp, scf::IfOp>(
          [](Operation *) { return LayoutAttr(); })
      .Default([&](Operation *op) -> LayoutAttr {
        for (Value operand : op->getOperands())
          if (isTensor(operand) && shapeOf(operand) == shapeOf(result))
            if (LayoutAttr layout = layoutOf(operand))
              return layout;
        return {};
      });
}

LayoutAttr LayoutAssignment::get(Value value) const {
  auto it = classes.findLeader(key(throughConversions(value)));
  if (it == classes.member_end())
    return {};
  return layouts.lookup(*it);
}

void LayoutAssignment::collect(Operation *op) {
  auto add = [&](Value value) {
    if (!isTensor(value))
      return;
    classes.insert(key(value));
    values.push_back(value);
  };
  if (isa<ConvertLayoutOp>(op))
    return;
  for (Value result : op->getResults())
    add(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        add(argument);
}

LayoutAssignment::LayoutAssignment(func::FuncOp function, unsigned numWarps) {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
  // What control flow carries has one layout from start to end. Initial and yielded values stay
  // apart: converting them once is cheaper than a wrong layout in the loop.
  auto tieTensors = [&](ValueRange a, ValueRange b) {
    for (auto [x, y] : llvm::zip(a, b))
      if (isTensor(x))
        tie(x, y);
  };
  function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      tieTensors(loop.getResults(), loop.getRegionIterArgs());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      tieTensors(loop.getResults(), loop.getAfterArguments());
    } else if (isa<tile::ScanOp, tile::SplitOp>(op)) {
      tieTensors(op->getResults().drop_front(), op->getResults().drop_back());
    }
  });
  for (Value value : values)
    members[*classes.findLeader(key(value))].push_back(value);

  // Products first: their instructions leave no choice, and an accumulator must not change its
  // layout in a loop.
  for (Value value : values)
    if (value.getDefiningOp<tile::DotOp>())
      assign(value, layoutOf(value.getType()));
  spread();
  // Then loads, the largest first: their data is what costs most to move.
  SmallVector<Value> loads;
  for (Value value : values)
    if (value.getDefiningOp<tile::LoadOp>())
      loads.push_back(value);
  llvm::stable_sort(loads, [](Value a, Value b) {
    return cast<RankedTensorType>(a.getType()).getNumElements() >
           cast<RankedTensorType>(b.getType()).getNumElements();
  });
  for (Value load : loads) {
    assign(load, accessLayout(load.getDefiningOp()));
    spread();
  }
  // Then what accesses need of their operands.
  function.walk([&](Operation *op) {
    if (!isAccess(op))
      return;
    for (Value result : op->getResults())
      if (isTensor(result))
        assign(result, accessLayout(op));
    for (Value operand : op->getOperands())
      if (isTensor(operand))
        assign(throughConversions(operand), accessLayout(op));
    spread();
  });
  for (Value value : values) {
    assign(value, LayoutAttr::get(value.getContext(),
                                  LinearLayout::defaultBlocked(shapeOf(value), numWarps)));
    spread();
  }
}

bool LayoutAssignment::assign(Value value, LayoutAttr layout) {
  if (!layout || !isTensor(value))
    return false;
  void *leader = *classes.findLeader(key(value));
  if (!layouts.try_emplace(leader, layout).second)
    return false;
  worklist.push_back(leader);
  return true;
}

/// Forward to everything computed from the values assigned last, then back to what they come from.
void LayoutAssignment::spread() {
  SmallVector<void *> assigned;
  auto lookup = [&](Value value) { return get(value); };
  auto forward = [&](void *leader) {
    for (Value value : members.lookup(leader)) {
      SmallVector<Value> aliases{value};
      for (size_t i = 0; i < aliases.size(); ++i) {
        for (OpOperand &use : aliases[i].getUses()) {
          Operation *user = use.getOwner();
          if (auto convert = dyn_cast<ConvertLayoutOp>(user)) {
            aliases.push_back(convert.getResult());
          } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
            if (Value result = loop.getTiedLoopResult(&use))
              assign(result, lookup(value));
          } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
            assign(loop.getBeforeArguments()[use.getOperandNumber()], lookup(value));
          } else if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
            assign(condition->getParentOp()->getResult(use.getOperandNumber() - 1), lookup(value));
          } else if (isa<scf::YieldOp>(user)) {
            Operation *parent = user->getParentOp();
            if (auto loop = dyn_cast<scf::WhileOp>(parent))
              assign(loop.getBeforeArguments()[use.getOperandNumber()], lookup(value));
            else
              assign(parent->getResult(use.getOperandNumber()), lookup(value));
          } else {
            for (OpResult result : user->getResults())
              assign(result, inferredResultLayout(result, lookup));
          }
        }
      }
    }
  };
  auto backward = [&](void *leader) {
    for (Value value : members.lookup(leader)) {
      Operation *op = value.getDefiningOp();
      if (auto argument = dyn_cast<BlockArgument>(value))
        op = argument.getOwner()->getParentOp();
      if (!op)
        continue;
      if (op->getNumRegions() && !isa<tile::ReduceOp, tile::ScanOp>(op)) {
        // What enters and what is yielded.
        for (OpOperand &operand : op->getOpOperands())
          if (isTensor(operand.get()))
            assign(throughConversions(operand.get()), requiredOperandLayout(operand, lookup));
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (OpOperand &operand : block.getTerminator()->getOpOperands())
              if (isTensor(operand.get()))
                assign(throughConversions(operand.get()), requiredOperandLayout(operand, lookup));
        continue;
      }
      if (isa<tile::ReduceOp>(op))
        continue; // a result does not determine what is reduced
      for (OpOperand &operand : op->getOpOperands())
        if (isTensor(operand.get()))
          assign(throughConversions(operand.get()), requiredOperandLayout(operand, lookup));
    }
  };
  // All the way forward before any step back.
  while (!worklist.empty() || !assigned.empty()) {
    if (!worklist.empty()) {
      void *leader = worklist.front();
      worklist.pop_front();
      forward(leader);
      assigned.push_back(leader);
      continue;
    }
    void *leader = assigned.pop_back_val();
    backward(leader);
  }
}
