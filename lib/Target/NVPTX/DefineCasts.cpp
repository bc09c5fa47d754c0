// The LLVM pass that makes casts of floats to integers mean something out of range.
#include "lib/Target/NVPTX/DefineCasts.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tilec {

namespace {

/// The letter of an operand in the constraints of inline PTX.
char constraint(const Type *type) {
  switch (type->getScalarSizeInBits()) {
  case 16:
    return 'h';
  case 32:
    return type->isFloatTy() ? 'f' : 'r';
  default:
    return type->isDoubleTy() ? 'd' : 'l';
  }
}

bool isUndefinedToLLVM(const Instruction &inst) {
  if (!isa<FPToSIInst, FPToUIInst>(inst) || inst.getType()->isVectorTy())
    return false;
  unsigned bits = inst.getType()->getIntegerBitWidth();
  return bits == 8 || (bits <= 64 && inst.getOperand(0)->getType()->isDoubleTy());
}

void define(Instruction &inst) {
  IRBuilder<> builder(&inst);
  Value *from = inst.getOperand(0);
  if (from->getType()->isBFloatTy())
    from = builder.CreateFPExt(from, builder.getFloatTy());
  std::string source = "f" + std::to_string(from->getType()->getScalarSizeInBits());
  if (from->getType()->isHalfTy())
    from = builder.CreateBitCast(from, builder.getInt16Ty());
  Type *to = builder.getIntNTy(std::max(16u, inst.getType()->getIntegerBitWidth()));
  std::string text = std::string("cvt.rzi.") + (isa<FPToSIInst>(inst) ? "s" : "u") +
                     std::to_string(to->getIntegerBitWidth()) + "." + source + " $0, $1;";
  std::string constraints = {'=', constraint(to), ',', constraint(from->getType())};
  auto *type = FunctionType::get(to, {from->getType()}, false);
  CallInst *call =
      builder.CreateCall(InlineAsm::get(type, text, constraints, /*hasSideEffects=*/false), {from});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  inst.replaceAllUsesWith(builder.CreateTrunc(call, inst.getType()));
  inst.eraseFromParent();
}

} // namespace

PreservedAnalyses DefineCastsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (isUndefinedToLLVM(inst)) {
      define(inst);
      changed = true;
    }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tilec
