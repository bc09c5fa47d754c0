// Printing, assertions, inline PTX and the machine's registers.
#include "lib/Conversion/TileGPUToLLVM/Patterns.h"
#include "lib/Conversion/TileGPUToLLVM/Utility.h"
#include "lib/Conversion/TileToTileGPU/CheckInlineAsm.h"

#include "lib/PtxAsm/PtxAsm.h"
#include "lib/Support/DevicePrint.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

namespace {

//===--- Printing ----------------------------------------------------------===//

struct PrintLowering : ConvertOpToLLVMPattern<tile::PrintOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  /// An element as C passes it.
  static Value promote(OpBuilder &builder, Location loc, Value value, PrintedOperand &operand,
                       bool isSigned) {
    Type type = value.getType();
    if (isa<LLVM::LLVMPointerType>(type)) {
      operand.type = Printed::Pointer;
      operand.bits = 64;
      return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
    }
    operand.bits = type.getIntOrFloatBitWidth();
    if (isa<FloatType>(type) && !operand.hex) {
      operand.type = Printed::Double;
      if (operand.bits < 32)
        value = LLVM::FPExtOp::create(builder, loc, builder.getF32Type(), value);
      return operand.bits == 64
                 ? value
                 : LLVM::FPExtOp::create(builder, loc, builder.getF64Type(), value).getResult();
    }
    if (isa<FloatType>(type)) {
      value = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(operand.bits), value);
      isSigned = false;
    }
    if (operand.bits == 64) {
      operand.type = isSigned ? Printed::Long : Printed::ULong;
      return value;
    }
    operand.type = isSigned ? Printed::Int : Printed::UInt;
    if (operand.bits == 32)
      return value;
    // The bits of a narrow number are what `hex` shows.
    if (isSigned && !operand.hex)
      return LLVM::SExtOp::create(builder, loc, builder.getI32Type(), value);
    return LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value);
  }

  static SmallVector<Value> program(OpBuilder &builder, Location loc) {
    Type i32 = builder.getI32Type();
    return {NVVM::BlockIdXOp::create(builder, loc, i32),
            NVVM::BlockIdYOp::create(builder, loc, i32),
            NVVM::BlockIdZOp::create(builder, loc, i32)};
  }

  static void printTensor(Emitter &emit, Value vector, RankedTensorType type, StringRef prefix,
                          PrintedOperand operand, bool isSigned) {
    LinearLayout layout = tilegpu::linearLayoutOf(type);
    InputBits free = layout.freeBits();
    Value owner = emit.ownerPredicate(free.lanes, free.warps);
    auto bases = [&](InDim dim) {
      return SmallVector<uint32_t>(layout.getBases(dim).begin(), layout.getBases(dim).end());
    };
    OpBuilder &builder = emit.builder;
    Value thread =
        LLVM::XOrOp::create(builder, emit.loc, emit.linear(emit.lane(), bases(InDim::Lane)),
                            emit.linear(emit.warp(), bases(InDim::Warp)));
    operand.shape = type.getShape();
    SmallVector<Value> pid = program(builder, emit.loc);
    for (unsigned reg = 0; reg < layout.numRegisters(); ++reg) {
      if (reg & free.registers)
        continue;
      uint64_t constant = layout.applyLinear(reg, 0, 0);
      Value flat =
          constant ? LLVM::XOrOp::create(builder, emit.loc, thread, emit.i32(constant)).getResult()
                   : thread;
      SmallVector<Value> values(pid);
      unsigned shift = layout.getNumElementBits();
      for (int64_t extent : type.getShape()) {
        shift -= llvm::Log2_64(extent);
        Value part =
            shift ? LLVM::LShrOp::create(builder, emit.loc, flat, emit.i32(shift)).getResult()
                  : flat;
        values.push_back(LLVM::AndOp::create(builder, emit.loc, part, emit.i32(extent - 1)));
      }
      values.push_back(promote(builder, emit.loc, emit.extract(vector, reg), operand, isSigned));
      tilegpu::PrintOp::create(builder, emit.loc, makePrintFormat(prefix, operand), values, owner);
    }
  }

  LogicalResult matchAndRewrite(tile::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    // One thread prints for the program what is not a tensor.
    Value first = emit.ownerPredicate(31, numWarpsOf(op) - 1);
    if (op.getValues().empty())
      tilegpu::PrintOp::create(rewriter, op.getLoc(), makePrintFormat(op.getPrefix()),
                               program(rewriter, op.getLoc()), first);
    for (auto [i, value] : llvm::enumerate(op.getValues())) {
      PrintedOperand operand;
      operand.hex = op.getHex();
      operand.number = i;
      operand.count = op.getValues().size();
      bool isSigned = op.getIsSigned()[i] != 0;
      Value lowered = adaptor.getValues()[i];
      if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
        printTensor(emit, lowered, type, op.getPrefix(), operand, isSigned);
        continue;
      }
      SmallVector<Value> values = program(rewriter, op.getLoc());
      values.push_back(promote(rewriter, op.getLoc(), lowered, operand, isSigned));
      tilegpu::PrintOp::create(rewriter, op.getLoc(), makePrintFormat(op.getPrefix(), operand),
                               values, first);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct AssertLowering : ConvertOpToLLVMPattern<tile::AssertOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    Value holds = adaptor.getCondition();
    if (isa<VectorType>(holds.getType())) {
      // Replicas hold what their owners hold.
      Value vector = holds;
      holds = Value();
      for (int64_t reg = 0; reg < registersOf(vector); ++reg)
        holds = emit.both(holds, emit.extract(vector, reg));
    }
    rewriter.replaceOpWithNewOp<tilegpu::CheckOp>(op, holds, op.getMessage());
    return success();
  }
};

//===--- Inline PTX --------------------------------------------------------===//

Type registerType(OpBuilder &builder, const ptx::AsmRegister &reg) {
  if (reg.code == 'f')
    return builder.getF32Type();
  if (reg.code == 'd')
    return builder.getF64Type();
  return builder.getIntegerType(reg.getBits());
}

unsigned bitsOf(Type element) {
  return isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

Value castBits(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value
                                 : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
}

/// Values of one element type as the bits of one register: the first in the lowest.
Value packRegister(OpBuilder &builder, Location loc, ArrayRef<Value> elements, Type type) {
  unsigned width = std::max(bitsOf(elements[0].getType()), elements.size() > 1 ? 8u : 1u);
  unsigned registerBits = bitsOf(type);
  Type word = builder.getIntegerType(registerBits);
  Value result;
  for (auto [i, element] : llvm::enumerate(elements)) {
    Value bits = element;
    if (isa<LLVM::LLVMPointerType>(bits.getType()))
      bits = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), bits);
    unsigned own = bits.getType().getIntOrFloatBitWidth();
    bits = castBits(builder, loc, bits, builder.getIntegerType(own));
    if (own < registerBits)
      bits = LLVM::ZExtOp::create(builder, loc, word, bits);
    if (i) {
      Value amount =
          LLVM::ConstantOp::create(builder, loc, word, builder.getIntegerAttr(word, i * width));
      bits = LLVM::ShlOp::create(builder, loc, bits, amount);
    }
    result = result ? LLVM::OrOp::create(builder, loc, result, bits).getResult() : bits;
  }
  return castBits(builder, loc, result, type);
}

Value unpackRegister(OpBuilder &builder, Location loc, Value reg, unsigned index, Type element) {
  unsigned registerBits = bitsOf(reg.getType()), own = bitsOf(element);
  Type word = builder.getIntegerType(registerBits);
  Value bits = castBits(builder, loc, reg, word);
  if (index) {
    Value amount = LLVM::ConstantOp::create(
        builder, loc, word, builder.getIntegerAttr(word, index * std::max(own, 8u)));
    bits = LLVM::LShrOp::create(builder, loc, bits, amount);
  }
  if (own < registerBits)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(own), bits);
  else if (own > registerBits)
    bits = LLVM::ZExtOp::create(builder, loc, builder.getIntegerType(own), bits);
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::IntToPtrOp::create(builder, loc, element, bits);
  return castBits(builder, loc, bits, element);
}

struct InlineAsmLowering : ConvertOpToLLVMPattern<tile::InlineAsmOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(tile::InlineAsmOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(checkInlineAsm(op)))
      return failure();
    ptx::AsmConstraints constraints =
        llvm::cantFail(ptx::AsmConstraints::parse(op.getConstraints()));
    Emitter emit(rewriter, op.getLoc());
    unsigned pack = op.getPack();
    auto first = dyn_cast<VectorType>(getTypeConverter()->convertType(op.getResult(0).getType()));
    int64_t count = first ? first.getNumElements() : 1;
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (int64_t begin = 0; begin < count; begin += pack)
      runGroup(op, adaptor, constraints, emit, begin, count, results);
    SmallVector<Value> values;
    for (SmallVector<Value> &elements : results) {
      elements.resize(count);
      values.push_back(first ? emit.fromScalars(elements) : elements[0]);
    }
    rewriter.replaceOp(op, values);
    return success();
  }

  /// One instance, on the elements from `begin`; past the end the first one stands in.
  void runGroup(tile::InlineAsmOp op, OpAdaptor adaptor, const ptx::AsmConstraints &constraints,
                Emitter &emit, int64_t begin, int64_t count,
                SmallVectorImpl<SmallVector<Value>> &results) const {
    OpBuilder &builder = emit.builder;
    unsigned pack = op.getPack();
    SmallVector<Value> inputs;
    for (auto [number, operand] : llvm::enumerate(adaptor.getOperands())) {
      Type element = operand.getType();
      if (constraints.inputs[inputs.size()].isConstant()) {
        APInt constant = *constantOf(op.getOperand(number));
        Type type = builder.getIntegerType(constant.getBitWidth());
        inputs.push_back(LLVM::ConstantOp::create(builder, emit.loc, type,
                                                  builder.getIntegerAttr(type, constant)));
        continue;
      }
      if (auto vector = dyn_cast<VectorType>(element))
        element = vector.getElementType();
      unsigned perRegister = ptx::elementsPerRegister(bitsOf(element), pack);
      for (unsigned i = 0; i < pack; i += perRegister) {
        SmallVector<Value> elements;
        for (unsigned k = 0; k < perRegister; ++k) {
          int64_t index = begin + i + k;
          elements.push_back(isa<VectorType>(operand.getType())
                                 ? emit.extract(operand, index < count ? index : begin)
                                 : operand);
        }
        inputs.push_back(packRegister(builder, emit.loc, elements,
                                      registerType(builder, constraints.inputs[inputs.size()])));
      }
    }
    SmallVector<Type> outputs;
    for (const ptx::AsmRegister &reg : constraints.outputs)
      outputs.push_back(registerType(builder, reg));
    auto call = tilegpu::AsmOp::create(builder, emit.loc, outputs, op.getAsmString(),
                                       op.getConstraints(), op.getPure(), inputs);
    unsigned next = 0;
    for (auto [result, elements] : llvm::zip(op.getResults(), results)) {
      Type element = getTypeConverter()->convertType(tile::elementTypeOf(result.getType()));
      unsigned perRegister = ptx::elementsPerRegister(bitsOf(element), pack);
      for (unsigned i = 0; i < pack; ++i)
        elements.push_back(unpackRegister(builder, emit.loc, call.getResult(next + i / perRegister),
                                          i % perRegister, element));
      next += pack / perRegister;
    }
  }
};

//===--- The machine -------------------------------------------------------===//

struct ClockLowering : ConvertOpToLLVMPattern<tile::ClockOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(tile::ClockOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value own = NVVM::GlobalTimerOp::create(rewriter, op.getLoc(), rewriter.getI64Type());
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Emitter emit(rewriter, op.getLoc());
    Value all = fromFirstThread(op, own, emit);
    if (!all)
      return failure();
    rewriter.replaceOp(op, all);
    return success();
  }
};

struct SmIdLowering : ConvertOpToLLVMPattern<tile::SmIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(tile::SmIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::SmIdOp>(op, rewriter.getI32Type());
    return success();
  }
};

struct GridDependencyLowering : ConvertOpToLLVMPattern<tile::GridDependencyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(tile::GridDependencyOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(
        op, op.getLaunch() ? NVVM::GridDepActionKind::launch_dependents
                           : NVVM::GridDepActionKind::wait);
    return success();
  }
};

} // namespace

void tilec::lowering::populateEffectPatterns(LLVMTypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<PrintLowering, AssertLowering, InlineAsmLowering, ClockLowering, SmIdLowering,
               GridDependencyLowering>(converter);
}
