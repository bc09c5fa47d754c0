// Atomics as inline PTX: `atom`, or `red` where nothing uses what stood there before.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Conversion/TileGPUToNVPTX/Patterns.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

Value tilec::ptx::createAsm(OpBuilder &builder, Location loc, Type result, ValueRange operands,
                            StringRef text, StringRef constraints) {
  std::string all = (constraints + (constraints.empty() ? "" : ",") + "~{memory}").str();
  auto op = LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), operands, text, all,
      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op->getResult(0) : Value();
}

namespace {

/// The register that holds an element.
struct Register {
  Type type;
  unsigned bits;
  StringRef constraint;

  Register(OpBuilder &builder, Type element) {
    bits = isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
    type = builder.getIntegerType(bits);
    constraint = bits == 64 ? "l" : bits == 32 ? "r" : "h";
  }

  Value pack(OpBuilder &builder, Location loc, Value value) const {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      return LLVM::PtrToIntOp::create(builder, loc, type, value);
    return value.getType() == type ? value
                                   : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
  }
  Value unpack(OpBuilder &builder, Location loc, Value bits, Type element) const {
    if (isa<LLVM::LLVMPointerType>(element))
      return LLVM::IntToPtrOp::create(builder, loc, element, bits);
    return element == type ? bits
                           : LLVM::BitcastOp::create(builder, loc, element, bits).getResult();
  }
};

/// ".acq_rel.gpu.global"
std::string qualifiers(tile::MemSemantic sem, tile::MemScope scope) {
  return ("." + tile::stringifyMemSemantic(sem) + "." + tile::stringifyMemScope(scope) + ".global")
      .str();
}

/// ".add.u32"
std::string operation(tile::AtomicKind kind, Type element, unsigned bits) {
  using tile::AtomicKind;
  std::string width = std::to_string(bits);
  switch (kind) {
  case AtomicKind::add:
    return ".add.u" + width;
  case AtomicKind::fadd:
    return bits == 16 ? std::string(".add.noftz.") + (element.isBF16() ? "bf16" : "f16")
                      : ".add.f" + width;
  case AtomicKind::and_:
    return ".and.b" + width;
  case AtomicKind::or_:
    return ".or.b" + width;
  case AtomicKind::xor_:
    return ".xor.b" + width;
  case AtomicKind::xchg:
    return ".exch.b" + width;
  case AtomicKind::max:
    return ".max.s" + width;
  case AtomicKind::min:
    return ".min.s" + width;
  case AtomicKind::umax:
    return ".max.u" + width;
  case AtomicKind::umin:
    return ".min.u" + width;
  }
  llvm_unreachable("covered");
}

/// `red` acquires nothing: nobody could tell what it read.
tile::MemSemantic withoutAcquire(tile::MemSemantic sem) {
  return sem == tile::MemSemantic::acq_rel || sem == tile::MemSemantic::release
             ? tile::MemSemantic::release
             : tile::MemSemantic::relaxed;
}

/// Emits `text` on a result, if it has one, an address and values: $0 is the result or the address.
/// A predicate that is false leaves zero in the result. Of several instructions the first may write
/// the result while the others still read the operands: `sequence` keeps them apart.
class AtomicEmitter {
public:
  AtomicEmitter(OpBuilder &builder, Operation *op, Type element)
      : builder(builder), loc(op->getLoc()), element(element), reg(builder, element) {}

  Value
  emit(Value pointer, ValueRange values, Value pred, bool hasResult,
       llvm::function_ref<std::string(StringRef predicate, ArrayRef<std::string> operands)> write,
       bool sequence = false) {
    SmallVector<Value> inputs{pointer};
    std::string constraints =
        hasResult ? ((sequence ? "=&" : "=") + reg.constraint + ",l").str() : "l";
    for (Value value : values) {
      inputs.push_back(reg.pack(builder, loc, value));
      constraints += ("," + reg.constraint).str();
    }
    unsigned next = hasResult ? 1 : 0;
    SmallVector<std::string> names;
    if (hasResult)
      names.push_back("$0");
    for (size_t i = 0; i < inputs.size(); ++i)
      names.push_back("$" + std::to_string(next++));
    std::string predicate;
    if (pred) {
      predicate = "$" + std::to_string(next);
      inputs.push_back(pred);
      constraints += ",b";
      if (hasResult) {
        inputs.push_back(
            LLVM::ConstantOp::create(builder, loc, reg.type, builder.getIntegerAttr(reg.type, 0)));
        constraints += ",0";
      }
    }
    Value old = ptx::createAsm(builder, loc, hasResult ? reg.type : Type(), inputs,
                               write(predicate, names), constraints);
    return hasResult ? reg.unpack(builder, loc, old, element) : Value();
  }

  unsigned bits() const { return reg.bits; }

private:
  OpBuilder &builder;
  Location loc;
  Type element;
  Register reg;
};

std::string guard(StringRef predicate) {
  return predicate.empty() ? "" : ("@" + predicate + " ").str();
}

struct AtomToPtx : OpRewritePattern<AtomOp> {
  AtomToPtx(MLIRContext *context, unsigned architecture)
      : OpRewritePattern(context), architecture(architecture) {}

  LogicalResult matchAndRewrite(AtomOp op, PatternRewriter &rewriter) const override {
    Type element = op.getType();
    AtomicEmitter emitter(rewriter, op, element);
    if (op.getKind() == tile::AtomicKind::fadd && element.isBF16() && architecture < 90) {
      rewriter.replaceOp(op, emitter.emit(
                                 op.getPtr(), {op.getValue()}, op.getPred(),
                                 /*hasResult=*/true,
                                 [&](StringRef predicate, ArrayRef<std::string> names) {
                                   return addInLoop(op, predicate, names);
                                 },
                                 /*sequence=*/true));
      return success();
    }
    bool isUsed = !op.getResult().use_empty() || op.getKind() == tile::AtomicKind::xchg;
    tile::MemSemantic sem = isUsed ? op.getSem() : withoutAcquire(op.getSem());
    std::string name = (isUsed ? "atom" : "red") + qualifiers(sem, op.getScope()) +
                       operation(op.getKind(), element, emitter.bits());
    Value old = emitter.emit(op.getPtr(), {op.getValue()}, op.getPred(), isUsed,
                             [&](StringRef predicate, ArrayRef<std::string> names) {
                               std::string result = isUsed ? names[0] + ", " : "";
                               return guard(predicate) + name + " " + result + "[" + names[isUsed] +
                                      "], " + names[isUsed + 1] + ";";
                             });
    if (old)
      rewriter.replaceOp(op, old);
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  /// Before sm_90 nothing adds bf16 in memory. `1 * old + value` is rounded once, as a sum is.
  static std::string addInLoop(AtomOp op, StringRef predicate, ArrayRef<std::string> names) {
    const std::string &old = names[0], &address = names[1], &value = names[2];
    std::string scope = ("." + tile::stringifyMemScope(op.getScope())).str();
    std::string skip = predicate.empty() ? "" : "@!" + predicate.str() + " bra done;\n";
    return "{\n.reg .pred again;\n.reg .b16 seen, one, sum;\nmov.b16 one, 0x3F80;\n" + skip +
           "ld.relaxed" + scope + ".global.b16 " + old + ", [" + address + "];\nagain_:\n" +
           "mov.b16 seen, " + old + ";\nfma.rn.bf16 sum, seen, one, " + value + ";\natom" +
           qualifiers(op.getSem(), op.getScope()) + ".cas.b16 " + old + ", [" + address +
           "], seen, sum;\nsetp.ne.s16 again, " + old + ", seen;\n@again bra again_;\ndone:\n}";
  }

  unsigned architecture;
};

struct CasToPtx : OpRewritePattern<CasOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CasOp op, PatternRewriter &rewriter) const override {
    AtomicEmitter emitter(rewriter, op, op.getType());
    std::string name =
        "atom" + qualifiers(op.getSem(), op.getScope()) + ".cas.b" + std::to_string(emitter.bits());
    rewriter.replaceOp(
        op, emitter.emit(op.getPtr(), {op.getCmp(), op.getValue()}, op.getPred(),
                         /*hasResult=*/true, [&](StringRef predicate, ArrayRef<std::string> names) {
                           return guard(predicate) + name + " " + names[0] + ", [" + names[1] +
                                  "], " + names[2] + ", " + names[3] + ";";
                         }));
    return success();
  }
};

} // namespace

void tilec::ptx::populateAtomicPatterns(RewritePatternSet &patterns, unsigned architecture) {
  patterns.add<AtomToPtx>(patterns.getContext(), architecture);
  patterns.add<CasToPtx>(patterns.getContext());
}
