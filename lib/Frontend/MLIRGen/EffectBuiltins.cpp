// Functions that speak to the host, to the machine, or in PTX [R40, R48].
#include "lib/Frontend/MLIRGen/Effects.h"

#include "dialects/Tile/IR/Tile.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilec::frontend {

//===--- Printing ----------------------------------------------------------===//

static Value emitPrint(Generator &g, const CallArgs &args) {
  if (!args[0].isString())
    return g.error(args.ranges[0])
           << "'" << args.builtin->spelling() << "' takes a text first, as in (\"x\", x), not "
           << args[0].describe();
  std::string prefix = args[0].getText().str();
  for (char c : prefix)
    if (!llvm::isPrint(c) && !llvm::isSpace(c))
      return g.error(args.ranges[0])
             << "the text of '" << args.builtin->spelling() << "' has characters outside ASCII";
  std::optional<bool> hex = g.getConstBool(args, 2, false);
  if (!hex)
    return Value();
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int32_t> isSigned;
  for (const Value &element : args[1].isNone() ? llvm::ArrayRef<Value>() : args[1].getElements()) {
    if (!element.isTensor() && !element.isNumber())
      return g.error(args.ranges[1]) << "'" << args.builtin->spelling()
                                     << "' prints numbers and tensors, not " << element.describe();
    Value value = g.toTensor(element, args.ranges[1]);
    if (value.isPoison())
      return value;
    if (value.getDType().isFP8())
      value = g.castTo(value, Scalar::FP32, args.range);
    operands.push_back(value.getSSA());
    isSigned.push_back(value.getDType().isSigned());
  }
  // A space before the text, and ": " between it and a value.
  if (!operands.empty() && !llvm::StringRef(prefix).ends_with(" "))
    prefix += " ";
  if (!operands.empty() && !llvm::StringRef(prefix).ends_with(": "))
    prefix = prefix.substr(0, prefix.size() - 1) + ": ";
  if (prefix.size() > 2 && prefix[0] != ' ')
    prefix = " " + prefix;
  tile::PrintOp::create(g.builder, g.loc(), prefix, operands, *hex, isSigned);
  return Value::none();
}

//===--- Assertions --------------------------------------------------------===//

bool emitRuntimeAssert(Generator &g, const Value &condition, const Value &message,
                       const Value &mask, SourceRange range) {
  // Without them it stands for nothing [R40].
  if (!g.options.assertsEnabled || condition.isPoison())
    return true;
  Value holds = g.castTo(condition, Scalar::I1, range);
  if (mask.isTensor()) {
    Value outside = g.unary(ast::UnaryOp::Invert, g.castTo(mask, Scalar::I1, range), range);
    holds = g.binary(ast::BinaryOp::BitOr, holds, outside, range);
  }
  if (holds.isPoison())
    return false;
  std::string text = message.isString()                       ? message.getText().str()
                     : message.isPoison() || message.isNone() ? std::string()
                                                              : message.toPython();
  tile::AssertOp::create(g.builder, g.loc(), holds.getSSA(), text);
  return true;
}

static Value emitDeviceAssert(Generator &g, const CallArgs &args) {
  if (args[0].isPoison())
    return args[0];
  if (!g.options.assertsEnabled)
    return Value::none();
  Value condition = g.getTensor(args, 0);
  Value mask = args.has(2) ? g.getTensor(args, 2) : Value::none();
  if (condition.isPoison() || mask.isPoison())
    return Value();
  return emitRuntimeAssert(g, condition, args.has(1) ? args[1] : Value::none(), mask, args.range)
             ? Value::none()
             : Value();
}

//===--- PTX ---------------------------------------------------------------===//

/// The type or types of the results.
static std::optional<llvm::SmallVector<DType>> readResultTypes(Generator &g, const CallArgs &args,
                                                               unsigned index) {
  llvm::SmallVector<DType> types;
  if (!args[index].isTuple()) {
    std::optional<DType> type = g.getDType(args, index);
    if (!type)
      return std::nullopt;
    types.push_back(*type);
  } else {
    for (const Value &element : args[index].getElements()) {
      if (!element.is(Value::Kind::Type)) {
        g.error(args.ranges[index])
            << "'dtype' of 'tl.inline_asm_elementwise' holds types, not " << element.describe();
        return std::nullopt;
      }
      types.push_back(element.getDType());
    }
  }
  if (types.empty()) {
    g.error(args.ranges[index]) << "'tl.inline_asm_elementwise' needs at least one result";
    return std::nullopt;
  }
  if (llvm::is_contained(types, DType(Scalar::Void))) {
    g.error(args.ranges[index]) << "a result of 'tl.inline_asm_elementwise' cannot be void";
    return std::nullopt;
  }
  return types;
}

static Value emitInlineAsm(Generator &g, const CallArgs &args) {
  std::optional<std::string> text = g.getConstString(args, 0);
  std::optional<std::string> constraints = g.getConstString(args, 1);
  if (!text || !constraints)
    return Value();
  if (!args[2].isTuple())
    return g.error(args.ranges[2])
           << "'args' of 'tl.inline_asm_elementwise' is a list, not " << args[2].describe();
  std::optional<llvm::SmallVector<DType>> types = readResultTypes(g, args, 3);
  std::optional<bool> isPure = g.getConstBool(args, 4, false);
  std::optional<Int> pack = g.getConstInt(args, 5);
  if (!types || !isPure || !pack)
    return Value();
  if (*pack < 1 || *pack > 1024)
    return g.error(args.ranges[5]) << "'pack' must be 1 to 1024, not " << intToString(*pack);
  // All arguments take one shape and keep their types.
  std::vector<Value> operands;
  for (const Value &element : args[2].getElements()) {
    Value value = g.toTensor(element, args.ranges[2]);
    if (value.isPoison())
      return value;
    operands.push_back(std::move(value));
  }
  for (size_t round = 0; round < 2; ++round)
    for (Value &value : operands)
      if (!g.broadcastPair(operands.front(), value, args.ranges[2]))
        return Value();
  llvm::ArrayRef<int64_t> shape;
  if (!operands.empty())
    shape = operands.front().getType().shape;
  llvm::SmallVector<mlir::Value> inputs;
  for (const Value &value : operands)
    inputs.push_back(value.getSSA());
  llvm::SmallVector<Type> results;
  for (DType type : *types)
    results.push_back(g.typeOf(type, shape));
  auto op = tile::InlineAsmOp::create(g.builder, g.loc(), results, *text, *constraints, *isPure,
                                      static_cast<uint32_t>(*pack), inputs);
  std::vector<Value> outputs;
  for (auto [result, type] : llvm::zip(op.getResults(), *types))
    outputs.push_back(Value::tensor(result, type));
  return args[3].isTuple() ? Value::tuple(std::move(outputs)) : outputs.front();
}

//===--- The machine -------------------------------------------------------===//

template <bool IsLaunch>
static Value emitGridDependency(Generator &g, const CallArgs &) {
  tile::GridDependencyOp::create(g.builder, g.loc(), IsLaunch);
  return Value::none();
}

static Value emitGlobalTimer(Generator &g, const CallArgs &) {
  return Value::tensor(tile::ClockOp::create(g.builder, g.loc()).getResult(), Scalar::I64);
}

static Value emitSmId(Generator &g, const CallArgs &) {
  return Value::tensor(tile::SmIdOp::create(g.builder, g.loc()).getResult(), Scalar::I32);
}

/// A constant: the number that was asked for, or Triton's default, which the kernel then gets.
template <unsigned Factor>
static Value emitNumWarps(Generator &g, const CallArgs &) {
  g.fixedNumWarps = g.options.numWarps ? g.options.numWarps : 4;
  return Value::integer(g.fixedNumWarps * Factor);
}

llvm::ArrayRef<Builtin> getEffectBuiltins() {
  static constexpr Builtin table[] = {
      {"device_print", "tl", "prefix *values hex?", emitPrint},
      {"print", "", "prefix *values hex?", emitPrint},
      {"device_assert", "tl", "cond msg? mask?", emitDeviceAssert},
      {"inline_asm_elementwise", "tl", "asm constraints args dtype is_pure pack", emitInlineAsm},
      {"gdc_wait", "tl.extra.cuda", "", emitGridDependency<false>},
      {"gdc_launch_dependents", "tl.extra.cuda", "", emitGridDependency<true>},
      {"globaltimer", "tl.extra.cuda", "", emitGlobalTimer},
      {"smid", "tl.extra.cuda", "", emitSmId},
      {"num_warps", "tl.extra.cuda", "", emitNumWarps<1>},
      {"num_threads", "tl.extra.cuda", "", emitNumWarps<32>},
  };
  return table;
}

} // namespace tilec::frontend
