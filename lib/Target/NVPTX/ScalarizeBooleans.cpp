// The LLVM pass that takes vectors of booleans apart.
#include "lib/Target/NVPTX/ScalarizeBooleans.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <numeric>

using namespace llvm;

namespace tilec {

namespace {

bool isBooleans(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1);
}

/// A sum of 16-bit integers, which the backend would compute two at a time.
bool isPackedSum(const Instruction &inst) {
  auto *vector = dyn_cast<FixedVectorType>(inst.getType());
  return vector && vector->getElementType()->isIntegerTy(16) &&
         (inst.getOpcode() == Instruction::Add || inst.getOpcode() == Instruction::Sub);
}

bool isComputation(const Instruction &inst) {
  if (isPackedSum(inst))
    return true;
  if (isa<CmpInst, BinaryOperator, FreezeInst>(inst))
    return isBooleans(inst.getType());
  // LLVM's scalarizer skips a select whose condition it would split otherwise than its values.
  if (isa<SelectInst>(inst))
    return isBooleans(inst.getType()) || isBooleans(inst.getOperand(0)->getType());
  return isa<ZExtInst, SExtInst, UIToFPInst, SIToFPInst>(inst) &&
         isBooleans(inst.getOperand(0)->getType());
}

class Scalarizer {
public:
  void scalarize(Instruction &inst) {
    IRBuilder<> builder(&inst);
    unsigned count = cast<FixedVectorType>(inst.getType())->getNumElements();
    SmallVector<Value *> elements;
    for (unsigned i = 0; i < count; ++i)
      elements.push_back(compute(builder, inst, i));
    scalars[&inst] = std::move(elements);
  }

  /// Removes an instruction whose computed users are gone: the others get its elements, or, if they
  /// need them all, a vector of them.
  void remove(Instruction &inst) {
    ArrayRef<Value *> elements = scalars[&inst];
    for (User *user : make_early_inc_range(inst.users())) {
      auto *extract = dyn_cast<ExtractElementInst>(user);
      auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
      if (!index || index->uge(elements.size()))
        continue;
      extract->replaceAllUsesWith(elements[index->getZExtValue()]);
      extract->eraseFromParent();
    }
    if (!inst.use_empty()) {
      IRBuilder<> builder(inst.getNextNode());
      inst.replaceAllUsesWith(assemble(builder, elements));
    }
    inst.eraseFromParent();
  }

private:
  /// LLVM's scalarizer takes time by the square of a chain of insertions, so long vectors are
  /// joined of halves.
  static Value *assemble(IRBuilder<> &builder, ArrayRef<Value *> elements) {
    constexpr size_t kLongestChain = 16;
    if (elements.size() <= kLongestChain || elements.size() % 2) {
      Value *whole =
          PoisonValue::get(FixedVectorType::get(elements[0]->getType(), elements.size()));
      for (auto [i, element] : enumerate(elements))
        whole = builder.CreateInsertElement(whole, element, uint64_t(i));
      return whole;
    }
    size_t half = elements.size() / 2;
    SmallVector<int> all(elements.size());
    std::iota(all.begin(), all.end(), 0);
    return builder.CreateShuffleVector(assemble(builder, elements.take_front(half)),
                                       assemble(builder, elements.drop_front(half)), all);
  }

  Value *element(IRBuilder<> &builder, Value *vector, unsigned i) {
    if (!vector->getType()->isVectorTy())
      return vector;
    if (auto found = scalars.find(vector); found != scalars.end())
      return found->second[i];
    if (auto *constant = dyn_cast<Constant>(vector))
      if (Constant *value = constant->getAggregateElement(i))
        return value;
    return builder.CreateExtractElement(vector, uint64_t(i));
  }

  Value *compute(IRBuilder<> &builder, Instruction &inst, unsigned i) {
    SmallVector<Value *, 3> operands;
    for (Value *operand : inst.operands())
      operands.push_back(element(builder, operand, i));
    Value *result = nullptr;
    if (auto *compare = dyn_cast<CmpInst>(&inst))
      result = builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
    else if (auto *binary = dyn_cast<BinaryOperator>(&inst))
      result = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
    else if (isa<SelectInst>(inst))
      result = builder.CreateSelect(operands[0], operands[1], operands[2]);
    else if (auto *cast = dyn_cast<CastInst>(&inst))
      result = builder.CreateCast(cast->getOpcode(), operands[0], inst.getType()->getScalarType());
    else
      result = builder.CreateFreeze(operands[0]);
    if (auto *made = dyn_cast<Instruction>(result))
      made->copyIRFlags(&inst);
    return result;
  }

  /// The elements of the vectors computed so far.
  DenseMap<Value *, SmallVector<Value *>> scalars;
};

} // namespace

PreservedAnalyses ScalarizeBooleansPass::run(Function &function, FunctionAnalysisManager &) {
  // Operands before their users, so that elements are found again instead of extracted.
  SmallVector<Instruction *> found;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &inst : *block)
      if (isComputation(inst))
        found.push_back(&inst);
  if (found.empty())
    return PreservedAnalyses::all();
  Scalarizer scalarizer;
  for (Instruction *inst : found)
    scalarizer.scalarize(*inst);
  for (Instruction *inst : llvm::reverse(found))
    scalarizer.remove(*inst);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tilec
