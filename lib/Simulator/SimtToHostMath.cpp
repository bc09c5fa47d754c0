// simt-to-host: hardware functions, traps, and what has no meaning on the host.
#include "lib/Simulator/HostRewriter.h"

#include "dialects/TileGPU/IR/TileGPU.h"

using namespace mlir;

namespace tilec::sim {

namespace {

LogicalResult rewriteApprox(tilegpu::ApproxOp op, HostRewriter &rewriter) {
  if (!op.getType().isF32())
    return op.emitError() << "the simulator takes 'tilegpu.approx' of f32 only, not of "
                          << op.getType();
  std::string name = ("tilec_sim_" + tilegpu::stringifyApproxFn(op.getFn())).str();
  rewriter.replace(op, rewriter.call(name, op.getType(), {op.getX()}));
  return success();
}

LogicalResult rewriteDivFull(tilegpu::DivFullOp op, HostRewriter &rewriter) {
  if (!op.getType().isF32())
    return op.emitError() << "the simulator takes 'tilegpu.div_full' of f32 only, not of "
                          << op.getType();
  rewriter.replace(
      op, LLVM::FDivOp::create(rewriter.getBuilder(), op.getLoc(), op.getLhs(), op.getRhs()));
  return success();
}

/// What is out of range, and NaN, as PTX's cvt has it (lib/Support/FloatToInt.h) and x86 has not.
template <typename Op>
LogicalResult rewriteFPToInt(Op op, HostRewriter &rewriter) {
  OpBuilder &builder = rewriter.getBuilder();
  Location loc = op.getLoc();
  StringRef name = std::is_same_v<Op, LLVM::FPToSIOp> ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  unsigned bits = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
  unsigned width = std::max(bits, 16u);
  auto withElement = [&](Type element) -> Type {
    if (auto vector = dyn_cast<VectorType>(op.getType()))
      return vector.clone(element);
    return element;
  };
  Type type = withElement(builder.getIntegerType(width));
  Value result =
      LLVM::CallIntrinsicOp::create(builder, loc, type, StringAttr::get(op.getContext(), name),
                                    ValueRange{op.getArg()})
          .getResult(0);
  if (getElementTypeOrSelf(op.getArg().getType()).isF64() || width == 64) {
    TypedAttr highest =
        builder.getIntegerAttr(builder.getIntegerType(width), llvm::APInt::getSignMask(width));
    if (auto vector = dyn_cast<VectorType>(type))
      highest = DenseElementsAttr::get(vector, Attribute(highest));
    Value isNaN = LLVM::FCmpOp::create(builder, loc, withElement(builder.getI1Type()),
                                       LLVM::FCmpPredicate::uno, op.getArg(), op.getArg());
    result = LLVM::SelectOp::create(builder, loc, isNaN,
                                    LLVM::ConstantOp::create(builder, loc, type, highest), result);
  }
  if (width != bits)
    result = LLVM::TruncOp::create(builder, loc, op.getType(), result);
  rewriter.replace(op, result);
  return success();
}

LogicalResult rewriteAssume(LLVM::AssumeOp op, HostRewriter &rewriter) {
  rewriter.call("tilec_sim_assume", nullptr, {op.getCond(), rewriter.addSite(op, "assumption")});
  op.erase();
  return success();
}

LogicalResult rewriteTrap(LLVM::Trap op, HostRewriter &rewriter) {
  rewriter.call("tilec_sim_trap", nullptr, {rewriter.addSite(op, "trap")});
  op.erase();
  return success();
}

LogicalResult refuseAsm(LLVM::InlineAsmOp op, HostRewriter &) {
  return op.emitError() << "the simulator cannot run inline assembly '" << op.getAsmString() << "'";
}

/// Of two zeros +0 is the larger one, as in PTX; LLVM leaves it open.
template <typename Op>
LogicalResult rewriteExtremum(Op op, HostRewriter &rewriter) {
  StringRef name = std::is_same_v<Op, LLVM::MaxNumOp> ? "llvm.maximumnum" : "llvm.minimumnum";
  rewriter.replace(op, LLVM::CallIntrinsicOp::create(
                           rewriter.getBuilder(), op.getLoc(), op.getType(),
                           StringAttr::get(op.getContext(), name), ValueRange{op.getA(), op.getB()})
                           .getResults());
  return success();
}

/// "tilec_sim_add_rz_f" for "llvm.nvvm.add.rz.f"; "" if it is no arithmetic that rounds in a
/// direction.
std::string nameOfRounded(StringRef intrinsic) {
  SmallVector<StringRef, 5> parts;
  intrinsic.split(parts, '.');
  if (parts.size() != 5 || !llvm::is_contained({"rz", "rm", "rp"}, parts[3]) ||
      !llvm::is_contained({"add", "mul", "div", "fma", "rcp", "sqrt"}, parts[2]) ||
      !llvm::is_contained({"f", "d"}, parts[4]))
    return "";
  return ("tilec_sim_" + parts[2] + "_" + parts[3] + "_" + parts[4]).str();
}

LogicalResult rewriteIntrinsic(LLVM::CallIntrinsicOp op, HostRewriter &rewriter) {
  if (!op.getIntrin().starts_with("llvm.nvvm."))
    return success();
  if (std::string name = nameOfRounded(op.getIntrin()); !name.empty()) {
    rewriter.replace(
        op, rewriter.call(name, op.getResult(0).getType(), SmallVector<Value>(op.getArgs())));
    return success();
  }
  return op.emitError() << "the simulator does not know '" << op.getIntrin()
                        << "'; use the operation of the nvvm dialect";
}

} // namespace

void addMathHandlers(HandlerTable &table) {
  table.on<tilegpu::ApproxOp>(rewriteApprox);
  table.on<tilegpu::DivFullOp>(rewriteDivFull);
  table.on<LLVM::FPToSIOp>(rewriteFPToInt<LLVM::FPToSIOp>);
  table.on<LLVM::FPToUIOp>(rewriteFPToInt<LLVM::FPToUIOp>);
  table.on<LLVM::MaxNumOp>(rewriteExtremum<LLVM::MaxNumOp>);
  table.on<LLVM::MinNumOp>(rewriteExtremum<LLVM::MinNumOp>);
  table.on<LLVM::AssumeOp>(rewriteAssume);
  table.on<LLVM::Trap>(rewriteTrap);
  table.on<LLVM::InlineAsmOp>(refuseAsm);
  table.on<LLVM::CallIntrinsicOp>(rewriteIntrinsic);
}

} // namespace tilec::sim
