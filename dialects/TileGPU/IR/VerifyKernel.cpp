// What holds of every kernel whose tensors have layouts: the verifier of the dialect's attributes.
#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

static LogicalResult verifyLayout(Operation *op, Type type, int64_t numWarps) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  LayoutAttr layout = layoutOf(tensor);
  if (!layout)
    return op->emitError() << "tensor " << tensor << " must have a layout in a kernel with '"
                           << kNumWarpsAttr << "'";
  if (layout.getNumWarps() != numWarps)
    return op->emitError() << "layout of " << tensor << " has " << layout.getNumWarps()
                           << " warps, the kernel has " << numWarps;
  return success();
}

LogicalResult tilec::tilegpu::requireLayouts(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    auto check = [&](TypeRange types) {
      for (Type type : types)
        if (isa<TensorType>(type) && !layoutOf(type)) {
          op->emitError() << "tensor " << type
                          << " has no layout; run 'convert-tile-to-tilegpu' before this pass, and "
                             "mark kernels with '"
                          << tile::kKernelAttr << "'";
          return failure();
        }
      return success();
    };
    if (failed(check(op->getResultTypes())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(check(block.getArgumentTypes())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Elementwise operations keep their operands' layout.
static LogicalResult verifyOneLayout(Operation *op) {
  RankedTensorType first;
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (!first)
      first = tensor;
    if (layoutOf(tensor) == layoutOf(first))
      return success();
    return op->emitOpError() << "works element by element, but its tensors " << first << " and "
                             << tensor << " differ in their layouts";
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

/// Reductions and scans work on whole vectors of elements.
static LogicalResult verifyCombiner(Operation *combining) {
  for (Operation &op : combining->getRegion(0).front().without_terminator())
    if (!op.hasTrait<OpTrait::Elementwise>() && !op.hasTrait<OpTrait::ConstantLike>() &&
        !isa<tile::AssertOp>(op))
      return op.emitOpError() << "does not work element by element; the combiner of a reduction "
                                 "or scan holds only operations that do";
  return success();
}

static LogicalResult verifyReduce(tile::ReduceOp reduce) {
  // A function's attributes are verified before what it holds.
  if (failed(reduce->getName().verifyInvariants(reduce)))
    return failure();
  auto source = cast<RankedTensorType>(reduce.getOperand(0).getType());
  LinearLayout expected = linearLayoutOf(source).slice(reduce.getAxis());
  for (Type type : reduce.getResultTypes()) {
    auto result = dyn_cast<RankedTensorType>(type);
    if (result && linearLayoutOf(result) != expected)
      return reduce.emitOpError() << "result " << result << " must have the layout of operand "
                                  << source << " without dimension " << reduce.getAxis();
  }
  return verifyCombiner(reduce);
}

static LogicalResult verifyScan(tile::ScanOp scan) {
  if (failed(scan->getName().verifyInvariants(scan)))
    return failure();
  return verifyCombiner(scan);
}

static LogicalResult verifyKernel(FunctionOpInterface function, Attribute value) {
  auto numWarps = dyn_cast<IntegerAttr>(value);
  if (!numWarps || !numWarps.getType().isInteger(32) || numWarps.getInt() < 1 ||
      numWarps.getInt() > 32 || !llvm::isPowerOf2_64(numWarps.getInt()))
    return function.emitError() << "'" << kNumWarpsAttr << "' must be 1, 2, 4, 8, 16 or 32 of type "
                                << "i32, got " << value;
  if (!llvm::hasSingleElement(function.getFunctionBody()))
    return function.emitError() << "kernel '" << function.getName()
                                << "' must have one block; its control flow is that of 'scf'";
  WalkResult result = function->walk([&](Operation *op) {
    auto verify = [&](Type type) { return verifyLayout(op, type, numWarps.getInt()); };
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(verify(type)))
            return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (failed(verify(type)))
        return WalkResult::interrupt();
    if (op->hasTrait<OpTrait::Elementwise>() && failed(verifyOneLayout(op)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = function->walk([](Operation *op) {
    LogicalResult valid = success();
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      valid = verifyReduce(reduce);
    else if (auto scan = dyn_cast<tile::ScanOp>(op))
      valid = verifyScan(scan);
    return failed(valid) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult TileGPUDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kNumWarpsAttr) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    // A lowered kernel has no tensors any more.
    if (!function || isa<LLVM::LLVMFuncOp>(op) || function.isExternal())
      return success();
    return verifyKernel(function, attribute.getValue());
  }
  auto isSize = [&](int64_t multiple) {
    auto value = dyn_cast<IntegerAttr>(attribute.getValue());
    return value && value.getType().isInteger(32) && value.getInt() >= 0 &&
           value.getInt() % multiple == 0;
  };
  if (name == kSharedBytesAttr && !isSize(1))
    return op->emitError() << "'" << name << "' must be a number of bytes of type i32, got "
                           << attribute.getValue();
  if (name == kSharedOffsetAttr && !isSize(16))
    return op->emitError() << "'" << name << "' must be a multiple of 16 of type i32 that is not "
                           << "negative, got " << attribute.getValue();
  return success();
}
