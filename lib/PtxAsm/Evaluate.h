// Reading and writing the operands of PTX instructions, for the files that evaluate them.
#ifndef TILEC_LIB_PTXASM_EVALUATE_H
#define TILEC_LIB_PTXASM_EVALUATE_H

#include "lib/PtxAsm/AsmIr.h"

namespace tilec::ptx {

inline uint64_t maskTo(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}
inline int64_t signExtend(uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// The bits of an operand as `type`; an immediate stands in every element.
uint64_t readBits(const AsmOperand &operand, const PtxType &type, Slots slots);
/// Element `i` of an operand of a float type.
double readFloat(const AsmOperand &operand, const PtxType &type, Slots slots, unsigned i = 0);
/// An integer of a type, sign-extended if that is signed.
int64_t readInt(const AsmOperand &operand, const PtxType &type, Slots slots);
void writeBits(const AsmOperand &operand, uint64_t bits, Slots slots);

/// What `rn`, `rz`, `rm`, `rp` and `rna` say, or their integer forms.
Rounding roundingOf(const Instruction &instruction);

// One per family: the evaluation, or null.
Evaluation findFloatEvaluation(const Instruction &instruction);
Evaluation findIntegerEvaluation(const Instruction &instruction);
Evaluation findConversion(const Instruction &instruction);

/// A row of a family's table: what an instruction may say besides its types.
struct EvaluationRow {
  llvm::StringLiteral name;
  unsigned minOperands, maxOperands;
  llvm::StringLiteral modifiers;
  Evaluation run;
};
/// The row of an instruction if all its modifiers are known to it.
Evaluation findRow(llvm::ArrayRef<EvaluationRow> rows, const Instruction &instruction);

} // namespace tilec::ptx

#endif // TILEC_LIB_PTXASM_EVALUATE_H
