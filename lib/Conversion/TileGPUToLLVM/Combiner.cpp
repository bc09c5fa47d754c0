// The combiner of a reduction or scan, applied to many registers at once.
#include "lib/Conversion/TileGPUToLLVM/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

/// One operation on vectors of registers.
void Combiner::vectorize(Operation &inner, IRMapping &mapping, int64_t count) {
  Operation *clone = emit.builder.clone(inner, mapping);
  for (Value result : clone->getResults())
    result.setType(VectorType::get({count}, converter.convertType(result.getType())));
}

/// One operation for each register: hardware functions work on scalars.
void Combiner::unroll(Operation &inner, IRMapping &mapping, int64_t count) {
  SmallVector<SmallVector<Value>> results(inner.getNumResults());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping scalars;
    for (Value operand : inner.getOperands())
      scalars.map(operand, emit.extract(mapping.lookup(operand), i));
    Operation *clone = emit.builder.clone(inner, scalars);
    for (auto [all, result] : llvm::zip(results, clone->getResults())) {
      result.setType(converter.convertType(result.getType()));
      all.push_back(result);
    }
  }
  for (auto [result, all] : llvm::zip(inner.getResults(), results))
    mapping.map(result, emit.fromScalars(all));
}

Accumulators Combiner::operator()(const Accumulators &lhs, const Accumulators &rhs) {
  int64_t count = registersOf(lhs[0]);
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), llvm::concat<const Value>(lhs, rhs)))
    mapping.map(argument, value);
  for (Operation &inner : body.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      auto type = VectorType::get({count}, converter.convertType(constant.getType()));
      Attribute element = constant.getValue();
      if (auto number = dyn_cast<FloatAttr>(element))
        if (!isa<FloatType>(type.getElementType())) // 8-bit floats are their bits
          element = IntegerAttr::get(type.getElementType(), number.getValue().bitcastToAPInt());
      mapping.map(constant.getResult(),
                  LLVM::ConstantOp::create(emit.builder, emit.loc, type,
                                           DenseElementsAttr::get(type, element)));
      continue;
    }
    for (Value operand : inner.getOperands())
      if (!mapping.contains(operand)) // a scalar from outside
        mapping.map(operand, emit.splat(operand, count));
    if (isa<arith::ArithDialect, math::MathDialect>(inner.getDialect()))
      vectorize(inner, mapping, count);
    else
      unroll(inner, mapping, count);
  }
  Accumulators results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.contains(value) ? mapping.lookup(value)
                                              : emit.splat(value, count)); // from outside
  return results;
}

bool Combiner::isSymmetric() const {
  Operation &first = body.front();
  Operation *terminator = body.getTerminator();
  return terminator->getNumOperands() == 1 && first.getNextNode() == terminator &&
         first.hasTrait<OpTrait::IsCommutative>() &&
         terminator->getOperand(0).getDefiningOp() == &first;
}

Accumulators tilec::lowering::permute(Emitter &emit, const Accumulators &values,
                                      ArrayRef<int32_t> indices) {
  Accumulators results;
  for (Value value : values)
    results.push_back(emit.permute(value, indices));
  return results;
}

Accumulators tilec::lowering::select(Emitter &emit, Value condition, const Accumulators &yes,
                                     const Accumulators &no) {
  Accumulators results;
  for (auto [a, b] : llvm::zip(yes, no))
    results.push_back(LLVM::SelectOp::create(emit.builder, emit.loc, condition, a, b));
  return results;
}

Accumulators tilec::lowering::shuffleXor(Emitter &emit, const Accumulators &values,
                                         uint32_t laneXor) {
  Accumulators results;
  for (Value value : values) {
    SmallVector<Value> moved;
    for (int64_t i = 0; i < registersOf(value); ++i)
      moved.push_back(emit.shuffleXor(emit.extract(value, i), laneXor));
    results.push_back(emit.fromScalars(moved));
  }
  return results;
}
