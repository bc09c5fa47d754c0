// The LLVM pass that takes vectors apart.
#include "lib/Target/NVPTX/Scalarize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tilec {

namespace {

/// An element of a vector: a scalar, or the element at `index` of a vector that stays.
struct Lane {
  Value *source = nullptr;
  unsigned index = 0;
};

/// How many values of that type a 32-bit register holds, where it can hold several.
unsigned packing(const Type *element) {
  unsigned bits = element->isIntegerTy() || element->isFloatingPointTy()
                      ? element->getPrimitiveSizeInBits().getFixedValue()
                      : 0;
  return bits == 8 || bits == 16 ? 32 / bits : 1;
}

bool isPackedIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fma:
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return true;
  default:
    return false;
  }
}

/// How many elements of its result an instruction computes at once.
unsigned width(const Instruction &inst) {
  const Type *element = inst.getType()->getScalarType();
  unsigned packed = packing(element);
  switch (inst.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Freeze:
    return packed;
  case Instruction::Select:
    return inst.getOperand(0)->getType()->isVectorTy() ? 1 : packed;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return packed;
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return element->is16bitFPTy() ? packed : 1;
  case Instruction::Call:
    return packed == 2 && isPackedIntrinsic(cast<CallInst>(inst).getIntrinsicID()) ? packed : 1;
  default:
    return 1;
  }
}

/// Calls `take(first, count)` for the registers of `count` elements, where `packed` fit into one:
/// for as many each, and for every element of a rest.
void forParts(size_t count, unsigned packed, function_ref<void(size_t, unsigned)> take) {
  for (size_t i = 0; i < count;) {
    unsigned step = i + packed <= count ? packed : 1;
    take(i, step);
    i += step;
  }
}

FixedVectorType *vectorType(const Value *value) {
  return dyn_cast<FixedVectorType>(value->getType());
}

/// Whether elements smaller than a register fill several of them.
bool isInWords(const FixedVectorType *type) {
  unsigned packed = type ? packing(type->getElementType()) : 1;
  return packed > 1 && type->getNumElements() > packed && type->getNumElements() % packed == 0;
}

class Scalarizer : public InstVisitor<Scalarizer> {
public:
  explicit Scalarizer(Function &function) : builder(function.getContext()) {}

  void visitBlock(BasicBlock &block) {
    for (Instruction &inst : make_early_inc_range(block)) {
      builder.SetInsertPoint(&inst);
      visit(inst);
    }
  }

  /// Fills the PHIs in and removes what was replaced.
  bool finish() {
    for (PHINode *phi : phis)
      fill(*phi);
    for (Instruction *inst : reverse(replaced)) {
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
      inst->eraseFromParent();
    }
    return changed;
  }

  void visitPHINode(PHINode &phi) {
    FixedVectorType *type = vectorType(&phi);
    if (!type)
      return;
    phis.push_back(&phi);
    MutableArrayRef<Lane> lanes = newLanes(type->getNumElements());
    forParts(lanes.size(), width(phi), [&](size_t i, unsigned step) {
      set(lanes.slice(i, step), builder.CreatePHI(part(type, step), phi.getNumIncomingValues()));
    });
    define(phi, lanes);
  }

  void visitExtractElementInst(ExtractElementInst &inst) {
    auto *index = dyn_cast<ConstantInt>(inst.getIndexOperand());
    FixedVectorType *type = vectorType(inst.getVectorOperand());
    if (!type || !index || index->uge(type->getNumElements()))
      return visitInstruction(inst);
    const Lane &lane = lanesOf(inst.getVectorOperand())[index->getZExtValue()];
    if (lane.source == inst.getVectorOperand())
      return; // nothing better than what stands there
    inst.replaceAllUsesWith(scalar(lane));
    replaced.push_back(&inst);
  }

  void visitInsertElementInst(InsertElementInst &inst) {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(2));
    FixedVectorType *type = vectorType(&inst);
    if (!type || !index || index->uge(type->getNumElements()))
      return visitInstruction(inst);
    Value *into = inst.getOperand(0);
    MutableArrayRef<Lane> lanes = lanesOf(into);
    // The links of a chain of insertions share one list.
    if (!isa<InsertElementInst>(into) || !into->hasOneUse())
      lanes = copy(lanes);
    lanes[index->getZExtValue()] = Lane{inst.getOperand(1), 0};
    define(inst, lanes);
  }

  void visitShuffleVectorInst(ShuffleVectorInst &inst) {
    FixedVectorType *type = vectorType(&inst);
    if (!type || !vectorType(inst.getOperand(0)))
      return visitInstruction(inst);
    ArrayRef<Lane> first = lanesOf(inst.getOperand(0));
    ArrayRef<Lane> second = lanesOf(inst.getOperand(1));
    MutableArrayRef<Lane> lanes = newLanes(type->getNumElements());
    for (auto [lane, from] : zip_equal(lanes, inst.getShuffleMask()))
      lane = from < 0                      ? Lane{PoisonValue::get(type->getElementType()), 0}
             : size_t(from) < first.size() ? first[from]
                                           : second[from - first.size()];
    define(inst, lanes);
  }

  void visitBitCastInst(BitCastInst &inst) {
    FixedVectorType *from = vectorType(inst.getOperand(0)), *to = vectorType(&inst);
    if (!from || !to ||
        (from->getNumElements() % to->getNumElements() &&
         to->getNumElements() % from->getNumElements()))
      return visitInstruction(inst);
    ArrayRef<Lane> source = lanesOf(inst.getOperand(0));
    MutableArrayRef<Lane> lanes = newLanes(to->getNumElements());
    if (lanes.size() == source.size()) {
      unsigned packed = packing(to->getElementType());
      for (size_t i = 0; i < lanes.size();) {
        // Pairs that are whole stay so.
        unsigned step = i + packed <= lanes.size() && whole(source.slice(i, packed)) ? packed : 1;
        set(lanes.slice(i, step), castPart(source.slice(i, step), part(to, step)));
        i += step;
      }
    } else if (lanes.size() > source.size()) {
      unsigned ratio = lanes.size() / source.size();
      for (size_t i = 0; i < source.size(); ++i)
        set(lanes.slice(i * ratio, ratio), castPart(source.slice(i, 1), part(to, ratio)));
    } else {
      unsigned ratio = source.size() / lanes.size();
      for (size_t i = 0; i < lanes.size(); ++i)
        set(lanes.slice(i, 1), castPart(source.slice(i * ratio, ratio), to->getElementType()));
    }
    define(inst, lanes);
  }

  void visitLoadInst(LoadInst &load) {
    FixedVectorType *type = vectorType(&load);
    if (load.isAtomic() || !isInWords(type))
      return;
    unsigned packed = packing(type->getElementType());
    auto *words = FixedVectorType::get(builder.getInt32Ty(), type->getNumElements() / packed);
    LoadInst *loaded = builder.CreateAlignedLoad(words, load.getPointerOperand(), load.getAlign(),
                                                 load.isVolatile());
    copyMetadataForLoad(*loaded, load);
    MutableArrayRef<Lane> lanes = newLanes(type->getNumElements());
    for (unsigned i = 0; i < words->getNumElements(); ++i)
      set(lanes.slice(i * packed, packed),
          builder.CreateBitCast(builder.CreateExtractElement(loaded, uint64_t(i)),
                                part(type, packed)));
    define(load, lanes);
  }

  void visitStoreInst(StoreInst &store) {
    FixedVectorType *type = vectorType(store.getValueOperand());
    if (store.isAtomic() || !isInWords(type))
      return visitInstruction(store);
    unsigned packed = packing(type->getElementType());
    ArrayRef<Lane> lanes = lanesOf(store.getValueOperand());
    SmallVector<Lane> words;
    for (; !lanes.empty(); lanes = lanes.drop_front(packed))
      words.push_back(Lane{castPart(lanes.take_front(packed), builder.getInt32Ty()), 0});
    store.setOperand(0, pack(words));
    changed = true;
  }

  void visitUnaryOperator(UnaryOperator &inst) { visitElementwise(inst); }
  void visitBinaryOperator(BinaryOperator &inst) { visitElementwise(inst); }
  void visitCmpInst(CmpInst &inst) { visitElementwise(inst); }
  void visitSelectInst(SelectInst &inst) { visitElementwise(inst); }
  void visitCastInst(CastInst &inst) { visitElementwise(inst); }
  void visitFreezeInst(FreezeInst &inst) { visitElementwise(inst); }
  void visitGetElementPtrInst(GetElementPtrInst &inst) { visitElementwise(inst); }

  void visitCallInst(CallInst &call) {
    if (isTriviallyVectorizable(call.getIntrinsicID()))
      visitElementwise(call);
    else
      visitInstruction(call);
  }

  /// Any other instruction takes and gives vectors as they are.
  void visitInstruction(Instruction &inst) {
    for (Use &use : inst.operands()) {
      auto known = vectorType(use) ? lanes.find(use) : lanes.end();
      if (known == lanes.end())
        continue;
      use.set(pack(known->second));
      changed = true;
    }
  }

private:
  static Type *part(FixedVectorType *type, unsigned count) {
    return count == 1 ? type->getElementType()
                      : FixedVectorType::get(type->getElementType(), count);
  }

  MutableArrayRef<Lane> newLanes(size_t count) {
    return MutableArrayRef(new (allocator.Allocate<Lane>(count)) Lane[count], count);
  }

  MutableArrayRef<Lane> copy(ArrayRef<Lane> lanes) {
    MutableArrayRef<Lane> copied = newLanes(lanes.size());
    llvm::copy(lanes, copied.begin());
    return copied;
  }

  static void set(MutableArrayRef<Lane> lanes, Value *value) {
    for (auto [i, lane] : enumerate(lanes))
      lane = Lane{value, unsigned(i)};
  }

  void define(Instruction &inst, MutableArrayRef<Lane> elements) {
    lanes[&inst] = elements;
    replaced.push_back(&inst);
    changed = true;
  }

  MutableArrayRef<Lane> lanesOf(Value *vector) {
    MutableArrayRef<Lane> &elements = lanes[vector];
    if (!elements.empty())
      return elements;
    auto *type = cast<FixedVectorType>(vector->getType());
    elements = newLanes(type->getNumElements());
    set(elements, vector);
    if (auto *constant = dyn_cast<Constant>(vector))
      for (Lane &lane : elements)
        if (Constant *element = constant->getAggregateElement(lane.index))
          lane = Lane{element, 0};
    return elements;
  }

  Value *scalar(const Lane &lane) {
    if (!lane.source->getType()->isVectorTy())
      return lane.source;
    Value *&extracted = extracts[{lane.source, lane.index, builder.GetInsertBlock()}];
    if (!extracted)
      extracted = builder.CreateExtractElement(lane.source, uint64_t(lane.index));
    return extracted;
  }

  /// The vector that has just these elements, if there is one.
  static Value *whole(ArrayRef<Lane> elements) {
    FixedVectorType *type = vectorType(elements[0].source);
    if (!type || type->getNumElements() != elements.size())
      return nullptr;
    for (auto [i, lane] : enumerate(elements))
      if (lane.source != elements[0].source || lane.index != i)
        return nullptr;
    return elements[0].source;
  }

  /// The vector of these elements.
  Value *pack(ArrayRef<Lane> elements) {
    if (Value *vector = whole(elements))
      return vector;
    if (elements.size() != 2)
      return join(elements);
    Value *&pair = pairs[{elements[0].source, elements[0].index, elements[1].source,
                          elements[1].index, builder.GetInsertBlock()}];
    if (!pair)
      pair = join(elements);
    return pair;
  }

  Value *join(ArrayRef<Lane> elements) {
    Value *source = elements[0].source;
    if (isa<FixedVectorType>(source->getType()) &&
        all_of(elements, [&](const Lane &lane) { return lane.source == source; })) {
      SmallVector<int> mask;
      for (const Lane &lane : elements)
        mask.push_back(lane.index);
      return builder.CreateShuffleVector(source, mask);
    }
    Value *vector =
        PoisonValue::get(FixedVectorType::get(source->getType()->getScalarType(), elements.size()));
    for (auto [i, lane] : enumerate(elements))
      if (!isa<PoisonValue>(lane.source))
        vector = builder.CreateInsertElement(vector, scalar(lane), uint64_t(i));
    return vector;
  }

  Value *castPart(ArrayRef<Lane> elements, Type *type) {
    return builder.CreateBitCast(elements.size() == 1 ? scalar(elements[0]) : pack(elements), type);
  }

  void visitElementwise(Instruction &inst) {
    FixedVectorType *type = vectorType(&inst);
    if (!type)
      return visitInstruction(inst);
    MutableArrayRef<Lane> results = newLanes(type->getNumElements());
    SmallVector<ArrayRef<Lane>, 3> operands;
    for (Value *operand : valueOperands(inst))
      operands.push_back(vectorType(operand) ? lanesOf(operand) : ArrayRef<Lane>());
    forParts(results.size(), width(inst), [&](size_t i, unsigned step) {
      SmallVector<Value *, 3> parts;
      for (auto [elements, operand] : zip_equal(operands, valueOperands(inst)))
        parts.push_back(elements.empty() ? operand
                        : step == 1      ? scalar(elements[i])
                                         : pack(elements.slice(i, step)));
      set(results.slice(i, step), compute(inst, parts, part(type, step)));
    });
    define(inst, results);
  }

  /// The operands without what a call calls.
  static iterator_range<User::op_iterator> valueOperands(Instruction &inst) {
    if (auto *call = dyn_cast<CallInst>(&inst))
      return call->args();
    return inst.operands();
  }

  Value *compute(Instruction &inst, ArrayRef<Value *> operands, Type *type) {
    Value *result = nullptr;
    if (auto *compare = dyn_cast<CmpInst>(&inst))
      result = builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
    else if (auto *binary = dyn_cast<BinaryOperator>(&inst))
      result = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
    else if (auto *unary = dyn_cast<UnaryOperator>(&inst))
      result = builder.CreateUnOp(unary->getOpcode(), operands[0]);
    else if (isa<SelectInst>(inst))
      result = builder.CreateSelect(operands[0], operands[1], operands[2]);
    else if (auto *cast = dyn_cast<CastInst>(&inst))
      result = builder.CreateCast(cast->getOpcode(), operands[0], type);
    else if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
      result = builder.CreateGEP(address->getSourceElementType(), operands[0],
                                 operands.drop_front(), "", address->getNoWrapFlags());
    else if (auto *call = dyn_cast<CallInst>(&inst))
      result = callIntrinsic(*call, operands, type);
    else
      result = builder.CreateFreeze(operands[0]);
    if (auto *made = dyn_cast<Instruction>(result))
      made->copyIRFlags(&inst);
    return result;
  }

  Value *callIntrinsic(CallInst &call, ArrayRef<Value *> operands, Type *type) {
    Intrinsic::ID id = call.getIntrinsicID();
    SmallVector<Type *, 3> overloads;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, /*TTI=*/nullptr))
      overloads.push_back(type);
    for (auto [i, operand] : enumerate(operands))
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, i, /*TTI=*/nullptr))
        overloads.push_back(operand->getType());
    return builder.CreateCall(Intrinsic::getOrInsertDeclaration(call.getModule(), id, overloads),
                              operands);
  }

  void fill(PHINode &phi) {
    for (auto [value, block] : zip_equal(phi.incoming_values(), phi.blocks())) {
      builder.SetInsertPoint(block->getTerminator());
      ArrayRef<Lane> elements = lanesOf(value), results = lanes[&phi];
      for (size_t i = 0; i < results.size();) {
        auto *made = cast<PHINode>(results[i].source);
        FixedVectorType *type = vectorType(made);
        unsigned step = type ? type->getNumElements() : 1;
        // A block that branches here twice gives one value.
        int known = made->getBasicBlockIndex(block);
        made->addIncoming(known >= 0  ? made->getIncomingValue(known)
                          : step == 1 ? scalar(elements[i])
                                      : pack(elements.slice(i, step)),
                          block);
        i += step;
      }
    }
  }

  IRBuilder<> builder;
  BumpPtrAllocator allocator;
  DenseMap<Value *, MutableArrayRef<Lane>> lanes;
  /// Elements and pairs that were taken from vectors or joined, by block: what stands earlier in a
  /// block can be used later in it.
  DenseMap<std::tuple<Value *, unsigned, BasicBlock *>, Value *> extracts;
  DenseMap<std::tuple<Value *, unsigned, Value *, unsigned, BasicBlock *>, Value *> pairs;
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> replaced;
  bool changed = false;
};

} // namespace

PreservedAnalyses ScalarizePass::run(Function &function, FunctionAnalysisManager &) {
  Scalarizer scalarizer(function);
  // Operands before their users.
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    scalarizer.visitBlock(*block);
  if (!scalarizer.finish())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tilec
