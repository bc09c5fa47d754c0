// Elements that an integer division by zero left without a value.
#include "lib/Interpreter/Evaluator.h"

using namespace mlir;

namespace tilec::ref {

LogicalResult checkDefined(Program &program, const Value &value, int64_t i) {
  if (!value.isUndefined(i))
    return success();
  return program.fail(*value.getUndefined()->origin, AccessFault::Kind::DivisionByZero);
}

void propagateUndefined(const Step &step, llvm::ArrayRef<const Value *> operands,
                        llvm::MutableArrayRef<Value> results) {
  StringRef name = step.op->getName().getStringRef();
  const Step *origin = nullptr;
  for (const Value *operand : operands)
    if (!origin && operand->getUndefined())
      origin = operand->getUndefined()->origin;

  auto isUndefined = [&](int64_t i) {
    auto undefined = [&](unsigned n) { return operands[n]->isUndefined(i); };
    auto element = [&](unsigned n) {
      return operands[n]->getUnsigned(operands[n]->getSize() == 1 ? 0 : i);
    };
    if (name == "arith.select")
      return undefined(0) || undefined(element(0) ? 1 : 2);
    // A defined zero decides a conjunction, a defined one a disjunction of booleans.
    bool isAnd = name == "arith.andi";
    if (isAnd || (name == "arith.ori" && operands[0]->getKind() == Kind::I1)) {
      auto decides = [&](unsigned n) { return !undefined(n) && (element(n) != 0) != isAnd; };
      return (undefined(0) || undefined(1)) && !decides(0) && !decides(1);
    }
    return llvm::any_of(llvm::seq<unsigned>(operands.size()), undefined);
  };
  for (Value &result : results) {
    std::vector<uint8_t> elements(result.getSize());
    for (int64_t i = 0; i < result.getSize(); ++i)
      elements[i] = isUndefined(i);
    if (llvm::is_contained(elements, 1))
      result.setUndefined(origin, std::move(elements));
  }
}

} // namespace tilec::ref
