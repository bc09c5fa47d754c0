// Reading a block of inline PTX: comments, scopes, registers, instructions and their operands.
#include "lib/PtxAsm/AsmIr.h"

#include "lib/Support/FloatFormats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <map>
#include <mutex>

namespace tilec::ptx {

llvm::Expected<AsmConstraints> AsmConstraints::parse(llvm::StringRef text) {
  AsmConstraints result;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      continue;
    llvm::StringRef code = part;
    if (code.consume_front("~")) {
      if (!code.consume_front("{") || !code.consume_back("}") || code.empty() ||
          code.find_first_of("{}") != llvm::StringRef::npos)
        return llvm::createStringError("clobber '" + part + "' is not written like '~{memory}'");
      continue;
    }
    bool isOutput = code.consume_front("=");
    code.consume_front("&");
    AsmRegister reg;
    if (!isOutput && !code.getAsInteger(10, reg.tied)) {
      if (reg.tied < 0 || static_cast<size_t>(reg.tied) >= result.outputs.size())
        return llvm::createStringError("constraint '" + part + "' names no output");
      reg.code = result.outputs[reg.tied].code;
    } else if (code.size() == 1 && llvm::StringRef("bhrlfd").contains(code[0])) {
      reg.code = code[0];
    } else if (!isOutput && (code == "n" || code == "i")) {
      reg.code = 'n';
    } else {
      return llvm::createStringError("constraint '" + part +
                                     "' is not known; known are b, h, r, l, f and d, '=' before an "
                                     "output, n for a constant, and the number of an output for an "
                                     "input that shares its register");
    }
    if (isOutput && !result.inputs.empty())
      return llvm::createStringError("constraint '" + part + "' is an output after an input");
    (isOutput ? result.outputs : result.inputs).push_back(reg);
  }
  return result;
}

namespace {

class Parser {
public:
  Parser(llvm::StringRef text, ParsedAsm &result) : text(text), result(result) {
    scopes.emplace_back();
  }

  llvm::Error parse() {
    while (true) {
      skipSpace();
      if (text.empty())
        return llvm::Error::success();
      if (text.consume_front("{")) {
        scopes.emplace_back();
        continue;
      }
      if (text.consume_front("}")) {
        if (scopes.size() == 1)
          return llvm::createStringError("'}', which closes nothing,");
        scopes.pop_back();
        continue;
      }
      if (text.consume_front(";"))
        continue;
      llvm::StringRef statement = takeStatement();
      if (llvm::Error error = parseStatement(statement))
        return error;
    }
  }

private:
  void skipSpace() {
    while (true) {
      text = text.ltrim();
      if (text.starts_with("//"))
        text = text.drop_until([](char c) { return c == '\n'; });
      else if (text.starts_with("/*"))
        text = text.drop_front(std::min(text.find("*/", 2), text.size() - 2) + 2);
      else
        return;
    }
  }

  /// Up to the semicolon. A brace that no operand opened ends a scope whose last statement has
  /// none.
  llvm::StringRef takeStatement() {
    size_t end = 0;
    unsigned braces = 0;
    for (; end < text.size() && text[end] != ';'; ++end) {
      if (text[end] == '{')
        ++braces;
      if (text[end] == '}' && braces-- == 0)
        break;
    }
    llvm::StringRef statement = text.take_front(end);
    text = text.drop_front(end);
    text.consume_front(";");
    return statement.trim();
  }

  llvm::Error parseStatement(llvm::StringRef statement) {
    Instruction instruction;
    if (statement.consume_front("@")) {
      instruction.negated = statement.consume_front("!");
      llvm::StringRef name =
          statement.take_until([](char c) { return llvm::isSpace(c) || c == '\n'; });
      llvm::Expected<AsmOperand> guard = parseOperand(name);
      if (!guard)
        return guard.takeError();
      if (guard->kind != AsmOperand::Kind::Slot)
        return llvm::createStringError("'" + name + "' is no predicate");
      instruction.predicate = static_cast<int>(guard->slot);
      statement = statement.drop_front(name.size()).ltrim();
    }
    llvm::StringRef opcode =
        statement.take_until([](char c) { return llvm::isSpace(c) || c == '{'; });
    llvm::StringRef rest = statement.drop_front(opcode.size()).trim();
    if (opcode == ".reg")
      return parseRegisters(rest);
    if (opcode.ends_with(":"))
      return llvm::createStringError("label '" + opcode.drop_back() + "'");

    llvm::SmallVector<llvm::StringRef> parts;
    opcode.split(parts, '.', -1, /*KeepEmpty=*/false);
    if (parts.empty())
      return llvm::createStringError("'" + statement + "'");
    instruction.name = parts[0].str();
    for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front()) {
      PtxType type = PtxType::parse(part);
      if (type.kind != PtxType::Kind::None)
        instruction.types.push_back(type);
      else
        instruction.modifiers.push_back(part.str());
    }
    // What only waits or speaks to the launch means nothing here.
    if (instruction.name == "nanosleep" || instruction.name == "griddepcontrol")
      return llvm::Error::success();
    for (llvm::StringRef operand : splitOperands(rest)) {
      llvm::Expected<AsmOperand> parsed = parseOperand(operand);
      if (!parsed)
        return parsed.takeError();
      instruction.operands.push_back(std::move(*parsed));
    }
    instruction.run = findEvaluation(instruction);
    if (!instruction.run)
      return llvm::createStringError("instruction '" + opcode + "'");
    result.instructions.push_back(std::move(instruction));
    return llvm::Error::success();
  }

  /// At commas outside braces and brackets; `p|q` is two operands.
  static llvm::SmallVector<llvm::StringRef> splitOperands(llvm::StringRef list) {
    llvm::SmallVector<llvm::StringRef> operands;
    size_t begin = 0;
    unsigned depth = 0;
    for (size_t i = 0; i <= list.size(); ++i) {
      if (i < list.size() && (list[i] == '{' || list[i] == '['))
        ++depth;
      else if (i < list.size() && (list[i] == '}' || list[i] == ']'))
        --depth;
      else if (i == list.size() || (depth == 0 && (list[i] == ',' || list[i] == '|'))) {
        llvm::StringRef operand = list.slice(begin, i).trim();
        if (!operand.empty())
          operands.push_back(operand);
        begin = i + 1;
      }
    }
    return operands;
  }

  /// `.b32 a, b<4>`
  llvm::Error parseRegisters(llvm::StringRef list) {
    llvm::StringRef typeText = list.take_until([](char c) { return llvm::isSpace(c); });
    PtxType type = PtxType::parse(typeText.ltrim('.'));
    if (type.kind == PtxType::Kind::None)
      return llvm::createStringError("registers of type '" + typeText + "'");
    for (llvm::StringRef name : splitOperands(list.drop_front(typeText.size()))) {
      unsigned count = 0;
      size_t angle = name.find('<');
      llvm::StringRef base = name.take_front(angle).trim();
      if (angle == llvm::StringRef::npos) {
        scopes.back()[base] = addSlot(type.totalBits());
        continue;
      }
      if (name.drop_front(angle + 1)
              .take_until([](char c) { return c == '>'; })
              .trim()
              .getAsInteger(10, count) ||
          count > 1024)
        return llvm::createStringError("registers '" + name + "'");
      for (unsigned i = 0; i < count; ++i)
        scopes.back()[(base + llvm::Twine(i)).str()] = addSlot(type.totalBits());
    }
    return llvm::Error::success();
  }

  unsigned addSlot(unsigned bits) {
    result.slotBits.push_back(bits);
    return result.slotBits.size() - 1;
  }

  llvm::Expected<AsmOperand> parseOperand(llvm::StringRef operand) {
    AsmOperand parsed;
    operand = operand.trim();
    if (operand == "_") {
      parsed.kind = AsmOperand::Kind::Sink;
      return parsed;
    }
    if (operand.starts_with("{") && operand.ends_with("}")) {
      parsed.kind = AsmOperand::Kind::Tuple;
      for (llvm::StringRef part : splitOperands(operand.drop_front().drop_back())) {
        llvm::Expected<AsmOperand> element = parseOperand(part);
        if (!element)
          return element.takeError();
        if (element->kind != AsmOperand::Kind::Slot && element->kind != AsmOperand::Kind::Sink)
          return llvm::createStringError("operand '" + operand + "'");
        parsed.parts.push_back(element->kind == AsmOperand::Kind::Slot ? element->slot : ~0u);
      }
      return parsed;
    }
    // The host has one multiprocessor and a clock.
    if (operand == "%globaltimer" || operand == "%clock64" || operand == "%clock") {
      parsed.kind = AsmOperand::Kind::Timer;
      return parsed;
    }
    if (operand == "%smid") {
      parsed.kind = AsmOperand::Kind::Integer;
      return parsed;
    }
    llvm::StringRef name = operand;
    if (name.consume_front("$")) {
      if (name.consume_front("{"))
        name = name.take_until([](char c) { return c == ':' || c == '}'; });
      unsigned index;
      if (name.getAsInteger(10, index) ||
          index >= result.constraints.outputs.size() + result.constraints.inputs.size())
        return llvm::createStringError("operand '" + operand + "', which no constraint describes,");
      parsed.slot = index;
      return parsed;
    }
    for (auto &scope : llvm::reverse(scopes)) {
      auto it = scope.find(operand);
      if (it != scope.end()) {
        parsed.slot = it->second;
        return parsed;
      }
    }
    return parseImmediate(operand);
  }

  static llvm::Expected<AsmOperand> parseImmediate(llvm::StringRef operand) {
    AsmOperand parsed;
    uint64_t bits;
    bool isExact = operand.size() > 2 && operand[0] == '0';
    if (isExact && (operand[1] == 'f' || operand[1] == 'F') && operand.size() == 10 &&
        !operand.drop_front(2).getAsInteger(16, bits)) {
      parsed.kind = AsmOperand::Kind::Float;
      parsed.number = bitCast<float>(static_cast<uint32_t>(bits));
      return parsed;
    }
    if (isExact && (operand[1] == 'd' || operand[1] == 'D') && operand.size() == 18 &&
        !operand.drop_front(2).getAsInteger(16, bits)) {
      parsed.kind = AsmOperand::Kind::Float;
      parsed.number = bitCast<double>(bits);
      return parsed;
    }
    parsed.kind = AsmOperand::Kind::Integer;
    llvm::StringRef digits = operand;
    bool negative = digits.consume_front("-");
    digits.consume_back("U");
    if (!digits.empty() && !digits.getAsInteger(0, bits)) {
      parsed.integer = negative ? 0 - bits : bits;
      parsed.number = negative ? -static_cast<double>(bits) : static_cast<double>(bits);
      return parsed;
    }
    if (!operand.getAsDouble(parsed.number)) {
      parsed.kind = AsmOperand::Kind::Float;
      return parsed;
    }
    return llvm::createStringError("operand '" + operand + "'");
  }

  llvm::StringRef text;
  ParsedAsm &result;
  std::vector<llvm::StringMap<unsigned>> scopes;
};

class Program final : public AsmProgram {
public:
  explicit Program(ParsedAsm parsed) : parsed(std::move(parsed)) {}

  size_t getNumInputs() const override { return parsed.constraints.inputs.size(); }
  size_t getNumOutputs() const override { return parsed.constraints.outputs.size(); }

  void run(llvm::ArrayRef<uint64_t> inputs,
           llvm::MutableArrayRef<uint64_t> outputs) const override {
    llvm::SmallVector<uint64_t, 32> slots(parsed.slotBits.size(), 0);
    size_t numOutputs = parsed.constraints.outputs.size();
    for (auto [i, input] : llvm::enumerate(inputs)) {
      slots[numOutputs + i] = input;
      if (int tied = parsed.constraints.inputs[i].tied; tied >= 0)
        slots[tied] = input;
    }
    for (const Instruction &instruction : parsed.instructions)
      if (instruction.predicate < 0 ||
          (slots[instruction.predicate] & 1) != static_cast<uint64_t>(instruction.negated))
        instruction.run(instruction, slots);
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i] = slots[i];
  }

private:
  ParsedAsm parsed;
};

} // namespace

llvm::Expected<ParsedAsm> parseAsm(llvm::StringRef text, llvm::StringRef constraints) {
  ParsedAsm result;
  llvm::Expected<AsmConstraints> registers = AsmConstraints::parse(constraints);
  if (!registers)
    return registers.takeError();
  result.constraints = std::move(*registers);
  for (const AsmRegister &reg : result.constraints.outputs)
    result.slotBits.push_back(reg.getBits());
  for (const AsmRegister &reg : result.constraints.inputs)
    result.slotBits.push_back(reg.getBits());
  if (llvm::Error error = Parser(text, result).parse())
    return std::move(error);
  return result;
}

llvm::Expected<std::shared_ptr<const AsmProgram>> AsmProgram::get(llvm::StringRef text,
                                                                  llvm::StringRef constraints) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::shared_ptr<const AsmProgram>> programs;
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const AsmProgram> &program = programs[{text.str(), constraints.str()}];
  if (program)
    return program;
  llvm::Expected<ParsedAsm> parsed = parseAsm(text, constraints);
  if (!parsed)
    return llvm::createStringError(llvm::toString(parsed.takeError()) +
                                   " of inline PTX is not simulated");
  program = std::make_shared<Program>(std::move(*parsed));
  return program;
}

} // namespace tilec::ptx
