// Printing, assertions, inline PTX, and what speaks to the machine.
#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"
#include "lib/PtxAsm/PtxAsm.h"
#include "lib/Support/DevicePrint.h"

#include <chrono>

using namespace mlir;

namespace tilec::ref {
namespace {

//===--- Printing ----------------------------------------------------------===//

template <Kind K>
double decodeAs(const Value &value, int64_t i) {
  using Traits = FloatTraits<K>;
  return static_cast<double>(
      Traits::load(reinterpret_cast<const typename Traits::Storage *>(value.data())[i]));
}

double decode(const Value &value, int64_t i) {
  switch (value.getKind()) {
  case Kind::F16:
    return decodeAs<Kind::F16>(value, i);
  case Kind::BF16:
    return decodeAs<Kind::BF16>(value, i);
  case Kind::F32:
    return decodeAs<Kind::F32>(value, i);
  case Kind::F8E4M3:
    return decodeAs<Kind::F8E4M3>(value, i);
  case Kind::F8E5M2:
    return decodeAs<Kind::F8E5M2>(value, i);
  default:
    return decodeAs<Kind::F64>(value, i);
  }
}

/// The type that an element is printed as.
Printed printedAs(Kind kind, bool isSigned, bool hex) {
  if (kind == Kind::Ptr)
    return Printed::Pointer;
  if (isFloat(kind) && !hex)
    return Printed::Double;
  if (byteSize(kind) == 8)
    return isSigned && !hex ? Printed::Long : Printed::ULong;
  return isSigned && !hex ? Printed::Int : Printed::UInt;
}

uint64_t printedBits(const Value &value, int64_t i, Printed type) {
  switch (type) {
  case Printed::Double:
    return bitCast<uint64_t>(decode(value, i));
  case Printed::Int:
  case Printed::Long:
    return static_cast<uint64_t>(value.getSigned(i));
  default:
    return value.getUnsigned(i);
  }
}

LogicalResult runPrint(Program &program, const Step &step) {
  auto op = cast<tile::PrintOp>(step.op);
  SmallVector<uint64_t> args;
  for (int64_t id : program.id)
    args.push_back(static_cast<uint64_t>(id));
  if (step.operands.empty())
    writePrint(formatPrint(makePrintFormat(op.getPrefix()), args));
  for (unsigned n = 0; n < step.operands.size(); ++n) {
    const Value &value = program.operand(step, n);
    PrintedOperand operand;
    operand.type = printedAs(value.getKind(), op.getIsSigned()[n] != 0, op.getHex());
    operand.bits = value.getKind() == Kind::I1 ? 1 : byteSize(value.getKind()) * 8;
    operand.hex = op.getHex();
    operand.number = n;
    operand.count = step.operands.size();
    auto type = dyn_cast<RankedTensorType>(op.getValues()[n].getType());
    if (type)
      operand.shape = type.getShape();
    std::string format = makePrintFormat(op.getPrefix(), operand);
    for (int64_t i = 0; i < value.getSize(); ++i) {
      if (failed(checkDefined(program, value, i)))
        return failure();
      args.resize(3 + operand.shape.size());
      int64_t rest = i;
      for (unsigned d = operand.shape.size(); d-- > 0;) {
        args[3 + d] = static_cast<uint64_t>(rest % operand.shape[d]);
        rest /= operand.shape[d];
      }
      args.push_back(printedBits(value, i, operand.type));
      writePrint(formatPrint(format, args));
    }
  }
  return success();
}

//===--- Assertions --------------------------------------------------------===//

LogicalResult runAssert(Program &program, const Step &step) {
  const Value &condition = program.operand(step, 0);
  for (int64_t i = 0; i < condition.getSize(); ++i) {
    if (failed(checkDefined(program, condition, i)))
      return failure();
    if (condition.data()[i])
      continue;
    AccessFault fault;
    fault.kind = AccessFault::Kind::FalseAssert;
    fault.message = cast<tile::AssertOp>(step.op).getMessage().str();
    return program.fail(step, std::move(fault));
  }
  return success();
}

//===--- Inline PTX --------------------------------------------------------===//

/// Elements from `first` on as the bits of a register, `count` of them; there is none past the end.
uint64_t packElements(const Value &value, int64_t first, unsigned count) {
  unsigned width = byteSize(value.getKind()) * 8;
  uint64_t bits = 0;
  for (unsigned k = 0; k < count; ++k) {
    int64_t index = value.getSize() == 1 ? 0 : std::min<int64_t>(first + k, value.getSize() - 1);
    bits |= value.getUnsigned(index) << (k * width);
  }
  return bits;
}

LogicalResult runInlineAsm(Program &program, const Step &step) {
  auto op = cast<tile::InlineAsmOp>(step.op);
  auto asmProgram = ptx::AsmProgram::get(op.getAsmString(), op.getConstraints());
  if (!asmProgram)
    return program.fail(step, AccessFault::Kind::Other, llvm::toString(asmProgram.takeError()));
  unsigned pack = op.getPack();
  int64_t size = step.resultTypes[0].size;
  llvm::SmallVector<Value> results;
  size_t numInputs = 0, numOutputs = 0;
  auto registers = [&](Kind kind) {
    return pack / ptx::elementsPerRegister(byteSize(kind) * 8, pack);
  };
  for (ValueType type : step.resultTypes) {
    results.emplace_back(type.kind, type.size);
    numOutputs += registers(type.kind);
  }
  for (unsigned i = 0; i < step.operands.size(); ++i) {
    const Value &operand = program.operand(step, i);
    if (operand.getUndefined())
      for (int64_t k = 0; k < operand.getSize(); ++k)
        if (failed(checkDefined(program, operand, k)))
          return failure();
    numInputs += registers(operand.getKind());
  }
  if (numInputs != (*asmProgram)->getNumInputs() || numOutputs != (*asmProgram)->getNumOutputs())
    return program.fail(
        step, AccessFault::Kind::Other,
        llvm::formatv("the constraints of inline PTX describe {0} outputs and {1} inputs, but "
                      "groups of {2} elements fill {3} and {4}",
                      (*asmProgram)->getNumOutputs(), (*asmProgram)->getNumInputs(), pack,
                      numOutputs, numInputs));
  llvm::SmallVector<uint64_t> inputs(numInputs), outputs(numOutputs);
  for (int64_t begin = 0; begin < size; begin += pack) {
    size_t next = 0;
    for (unsigned i = 0; i < step.operands.size(); ++i) {
      const Value &operand = program.operand(step, i);
      unsigned perRegister = ptx::elementsPerRegister(byteSize(operand.getKind()) * 8, pack);
      for (unsigned k = 0; k < pack; k += perRegister)
        inputs[next++] = packElements(operand, begin + k, perRegister);
    }
    (*asmProgram)->run(inputs, outputs);
    next = 0;
    for (Value &result : results) {
      unsigned bytes = byteSize(result.getKind());
      unsigned perRegister = ptx::elementsPerRegister(bytes * 8, pack);
      for (unsigned k = 0; k < pack && begin + k < size; ++k) {
        uint64_t bits = outputs[next + k / perRegister] >> (k % perRegister * bytes * 8);
        if (result.getKind() == Kind::I1)
          bits &= 1;
        std::memcpy(result.data() + (begin + k) * bytes, &bits, bytes); // Little-endian hosts only.
      }
      next += pack / perRegister;
    }
  }
  for (auto [i, result] : llvm::enumerate(results))
    program.result(step, i) = std::move(result);
  return success();
}

//===--- The machine -------------------------------------------------------===//

LogicalResult runGlobalTimer(Program &program, const Step &step) {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  program.result(step) =
      Value::scalar(Kind::I64, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return success();
}

LogicalResult runSmId(Program &program, const Step &step) {
  program.result(step) = Value::scalar(Kind::I32, 0);
  return success();
}

/// Launches do not overlap.
LogicalResult runGridDependency(Program &, const Step &) { return success(); }

} // namespace

void addEffectOps(OpTable &table) {
  table["tile.print"] = {runPrint};
  table["tile.assert"] = {runAssert};
  table["tile.inline_asm"] = {runInlineAsm};
  table["tile.globaltimer"] = {runGlobalTimer};
  table["tile.smid"] = {runSmId};
  table["tile.grid_dependency"] = {runGridDependency};
}

} // namespace tilec::ref
