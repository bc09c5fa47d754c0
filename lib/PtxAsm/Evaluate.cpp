// Operands of PTX instructions, and finding the evaluation of one.
#include "lib/PtxAsm/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>

namespace tilec::ptx {

uint64_t readBits(const AsmOperand &operand, const PtxType &type, Slots slots) {
  switch (operand.kind) {
  case AsmOperand::Kind::Slot:
    return maskTo(slots[operand.slot], type.totalBits());
  case AsmOperand::Kind::Timer:
    return maskTo(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count(),
                  type.totalBits());
  case AsmOperand::Kind::Integer:
    if (!type.isFloat())
      return maskTo(operand.integer, type.totalBits());
    [[fallthrough]];
  case AsmOperand::Kind::Float: {
    if (!type.isFloat())
      return maskTo(encode(PtxType::parse(type.bits == 64 ? "f64" : "f32"), operand.number),
                    type.totalBits());
    uint64_t element = encode(type, operand.number), bits = 0;
    for (unsigned i = 0; i < type.count; ++i)
      bits |= element << (i * type.bits);
    return bits;
  }
  case AsmOperand::Kind::Tuple:
  case AsmOperand::Kind::Sink:
    break;
  }
  return 0;
}

double readFloat(const AsmOperand &operand, const PtxType &type, Slots slots, unsigned i) {
  return decode(type, maskTo(readBits(operand, type, slots) >> (i * type.bits), type.bits));
}

int64_t readInt(const AsmOperand &operand, const PtxType &type, Slots slots) {
  uint64_t bits = readBits(operand, type, slots);
  return type.isSigned() ? signExtend(bits, type.bits) : static_cast<int64_t>(bits);
}

void writeBits(const AsmOperand &operand, uint64_t bits, Slots slots) {
  if (operand.kind == AsmOperand::Kind::Slot)
    slots[operand.slot] = bits;
}

Rounding roundingOf(const Instruction &instruction) {
  auto is = [&](llvm::StringRef a, llvm::StringRef b) {
    return instruction.has(a) || instruction.has(b);
  };
  if (is("rz", "rzi"))
    return Rounding::Zero;
  if (is("rm", "rmi"))
    return Rounding::Down;
  if (is("rp", "rpi"))
    return Rounding::Up;
  return instruction.has("rna") ? Rounding::NearestAway : Rounding::Nearest;
}

Evaluation findRow(llvm::ArrayRef<EvaluationRow> rows, const Instruction &instruction) {
  for (const EvaluationRow &row : rows) {
    if (row.name != instruction.name)
      continue;
    size_t count = instruction.operands.size();
    if (count < row.minOperands || count > row.maxOperands)
      return nullptr;
    llvm::SmallVector<llvm::StringRef> known;
    row.modifiers.split(known, ' ');
    for (const std::string &modifier : instruction.modifiers)
      if (!llvm::is_contained(known, llvm::StringRef(modifier)))
        return nullptr;
    return row.run;
  }
  return nullptr;
}

Evaluation findEvaluation(const Instruction &instruction) {
  if (Evaluation run = findConversion(instruction))
    return run;
  if (Evaluation run = findFloatEvaluation(instruction))
    return run;
  return findIntegerEvaluation(instruction);
}

} // namespace tilec::ptx
