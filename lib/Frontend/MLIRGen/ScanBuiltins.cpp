// Scans.
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Reduce.h"

using namespace mlir;

namespace tilec::frontend {

/// `tl.associative_scan` with a jit function that combines scalars [R30].
static Value emitAssociativeScan(Generator &g, const CallArgs &args) {
  std::optional<llvm::SmallVector<Value>> inputs = getCombined(g, args);
  std::optional<bool> reverse = g.getConstBool(args, 3, false);
  Combiner combine = combinerOf(g, args, 2);
  if (!inputs || !reverse || !combine)
    return Value();
  auto axis = g.getAxis(args, 1, static_cast<int64_t>(inputs->front().getType().shape.size()));
  if (!axis)
    return Value();
  Value results = scan(g, *inputs, *axis, *reverse, combine);
  return args[0].isTuple() || results.isPoison() ? results : results.getElements().front();
}

/// `tl.cumsum`, `tl.cumprod`: bf16 becomes fp32; sums take small integers to 32 bits, or everything
/// to the type given [R51].
template <ast::BinaryOp Op>
static Value emitCumulative(Generator &g, const CallArgs &args) {
  Value input = g.getTensor(args, 0);
  std::optional<bool> reverse = g.getConstBool(args, 2, false);
  if (input.isPoison() || !reverse)
    return Value();
  if (input.getType().isScalar())
    return g.error(args.ranges[0])
           << "'" << args.builtin->spelling() << "' takes a tensor, not " << input.describe();
  if (input.getDType().isPointer())
    return g.error(args.ranges[0])
           << "'" << args.builtin->spelling() << "' takes numbers, not " << input.describe();
  std::optional<int64_t> axis = 0;
  if (args.has(1))
    axis = g.getAxis(args, 1, static_cast<int64_t>(input.getType().shape.size()));
  DType type = input.getDType();
  if (type == Scalar::BF16)
    type = Scalar::FP32;
  if (Op == ast::BinaryOp::Add) {
    std::optional<DType> wanted = args.has(3) ? g.getDType(args, 3) : sumType(type);
    if (!wanted)
      return Value();
    // As in Triton, by way of fp32 if it is bf16.
    input = g.castTo(input, type, args.range);
    type = *wanted;
  }
  input = g.castTo(input, type, args.range);
  if (!axis || input.isPoison())
    return Value();
  Value results = scan(g, {input}, *axis, *reverse, operatorCombiner(g, Op, args.range));
  return results.isPoison() ? results : results.getElements().front();
}

llvm::ArrayRef<Builtin> getScanBuiltins() {
  static constexpr Builtin table[] = {
      {"associative_scan", "tl", "input axis combine_fn reverse?", emitAssociativeScan},
      {"cumsum", "tl", "input axis? reverse? dtype?", emitCumulative<ast::BinaryOp::Add>},
      {"cumprod", "tl", "input axis? reverse?", emitCumulative<ast::BinaryOp::Mul>},
  };
  return table;
}

} // namespace tilec::frontend
