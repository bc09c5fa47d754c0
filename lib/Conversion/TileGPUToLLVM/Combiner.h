// The combiner of a reduction or scan, applied to many registers at once.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTOLLVM_COMBINER_H
#define TILEC_LIB_CONVERSION_TILEGPUTOLLVM_COMBINER_H

#include "lib/Conversion/TileGPUToLLVM/Utility.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilec::lowering {

/// One vector of registers per operand of the reduction or scan.
using Accumulators = llvm::SmallVector<mlir::Value, 2>;

class Combiner {
public:
  Combiner(Emitter &emit, mlir::Region &region, const mlir::TypeConverter &converter)
      : emit(emit), body(region.front()), converter(converter) {}

  /// Combines each register of `lhs` with that of `rhs`: what comes earlier stands left.
  Accumulators operator()(const Accumulators &lhs, const Accumulators &rhs);

  /// Whether the combiner gives one result for both orders of its operands, as far as is known.
  bool isSymmetric() const;

private:
  void vectorize(mlir::Operation &inner, mlir::IRMapping &mapping, int64_t count);
  void unroll(mlir::Operation &inner, mlir::IRMapping &mapping, int64_t count);

  Emitter &emit;
  mlir::Block &body;
  const mlir::TypeConverter &converter;
};

/// The registers `indices` of each.
Accumulators permute(Emitter &emit, const Accumulators &values, llvm::ArrayRef<int32_t> indices);
/// `yes` where the condition, an i1, is true, else `no`.
Accumulators select(Emitter &emit, mlir::Value condition, const Accumulators &yes,
                    const Accumulators &no);
/// What the lane whose number differs in the bits of `laneXor` holds.
Accumulators shuffleXor(Emitter &emit, const Accumulators &values, uint32_t laneXor);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILEGPUTOLLVM_COMBINER_H
