// Whether inline PTX fits its operands.
#include "lib/Conversion/TileToTileGPU/CheckInlineAsm.h"

#include "lib/PtxAsm/PtxAsm.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;

/// Registers that a group of `pack` elements of each type fills, in order. A result may be wider
/// than its register: then its upper bits are zero.
static LogicalResult checkRegisters(tile::InlineAsmOp op, TypeRange types,
                                    ArrayRef<ptx::AsmRegister> registers, StringRef what,
                                    StringRef whose) {
  size_t next = 0;
  unsigned pack = op.getPack();
  for (Type type : types) {
    Type element = tile::elementTypeOf(type);
    unsigned bits = isa<tile::PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
    unsigned perRegister = ptx::elementsPerRegister(bits, pack);
    if (pack % perRegister)
      return op.emitError() << "groups of " << pack << " elements of " << element
                            << " fill no whole registers; 'pack' must be a multiple of "
                            << perRegister;
    unsigned need = perRegister > 1 ? perRegister * std::max(bits, 8u) : bits;
    for (unsigned i = 0; i < pack / perRegister; ++i, ++next)
      if (next < registers.size() && registers[next].getBits() < need &&
          (what == "input" || perRegister > 1))
        return op.emitError() << "constraint '" << registers[next].code << "' of " << what << " "
                              << next << " is a register of " << registers[next].getBits()
                              << " bits, but " << whose << " have " << need;
  }
  if (next != registers.size())
    return op.emitError() << "the constraints of inline PTX describe " << registers.size() << " "
                          << what << (registers.size() == 1 ? "" : "s") << ", but " << whose
                          << " fill " << next << (next == 1 ? " register" : " registers");
  return success();
}

/// Whether every `$N` and `${N:c}` of the text is an operand. `$$` is a dollar.
static LogicalResult checkOperandNumbers(tile::InlineAsmOp op, size_t numOperands) {
  StringRef text = op.getAsmString();
  while (!(text = text.drop_until([](char c) { return c == '$'; })).empty()) {
    text = text.drop_front();
    if (text.consume_front("$"))
      continue;
    text.consume_front("{");
    StringRef digits = text.take_while(llvm::isDigit);
    unsigned long long number;
    if (!digits.empty() && (digits.getAsInteger(10, number) || number >= numOperands))
      return op.emitError() << "inline PTX names operand $" << digits
                            << ", but its constraints describe " << numOperands
                            << (numOperands == 1 ? " operand" : " operands") << ", counted from $0";
  }
  return success();
}

std::optional<APInt> tilec::constantOf(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getSource();
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant) : std::nullopt;
}

/// Whether what a constraint wants as a constant is one.
static LogicalResult checkConstants(tile::InlineAsmOp op, ArrayRef<ptx::AsmRegister> inputs) {
  for (auto [i, reg] : llvm::enumerate(inputs)) {
    if (!reg.isConstant())
      continue;
    if (op.getPack() != 1)
      return op.emitError() << "constraint 'n' of input " << i << " needs 'pack' to be 1";
    if (!constantOf(op.getOperand(i)))
      return op.emitError() << "constraint 'n' of input " << i
                            << " takes a constexpr int, but the argument is a run-time value";
  }
  return success();
}

LogicalResult tilec::checkInlineAsm(tile::InlineAsmOp op) {
  llvm::Expected<ptx::AsmConstraints> constraints = ptx::AsmConstraints::parse(op.getConstraints());
  if (!constraints)
    return op.emitError(llvm::toString(constraints.takeError()));
  if (failed(
          checkRegisters(op, op.getResultTypes(), constraints->outputs, "output", "the results")))
    return failure();
  if (failed(
          checkRegisters(op, op.getOperandTypes(), constraints->inputs, "input", "the arguments")))
    return failure();
  if (failed(checkConstants(op, constraints->inputs)))
    return failure();
  return checkOperandNumbers(op, constraints->outputs.size() + constraints->inputs.size());
}
