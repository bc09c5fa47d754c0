// Whether inline PTX fits its operands.
#include "lib/Conversion/TileToTileGPU/CheckInlineAsm.h"

#include "lib/PtxAsm/PtxAsm.h"

using namespace mlir;
using namespace tilec;

/// Registers that a group of `pack` elements of each type fills, in order.
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
      if (next < registers.size() && registers[next].getBits() < need)
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
  return checkOperandNumbers(op, constraints->outputs.size() + constraints->inputs.size());
}
