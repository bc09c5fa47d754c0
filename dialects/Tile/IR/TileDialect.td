// The tile dialect, its types and enums.
#ifndef TILEC_DIALECTS_TILE_IR_TILEDIALECT_TD
#define TILEC_DIALECTS_TILE_IR_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let summary = "What a block-level kernel means";
  let description = [{
    Values are scalars, pointers (`!tile.ptr<f32>`) and ranked tensors of both with power-of-two
    extents. Everything elementwise is `arith` and `math` on tensors; control flow is `scf`; kernels
    are `func.func` with the unit attribute `tile.kernel`. There are no threads, no layouts and no
    machine here: one program works on whole tensors. Integers are signless; signedness lives in
    the operations, as upstream.

    Argument attributes of a kernel: `tile.name` (its name in the source), `tile.divisibility`
    (the value, or the address in bytes, is a multiple of it).
  }];
  let cppNamespace = "::tilec::tile";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
}

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "pointer to an element in global memory";
  let description = [{
    `!tile.ptr<f16>` is the address of one `f16` in global memory. A tensor of pointers is
    `tensor<128x!tile.ptr<f16>>`. The pointee of a pointer to booleans is `i8`: booleans are stored as bytes.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType);
  let assemblyFormat = "`<` $pointeeType `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
    return $_get(pointeeType.getContext(), pointeeType);
  }]>];
  let genVerifyDecl = 1;
}

def Tile_CacheModifier : I32EnumAttr<"CacheModifier", "PTX cache operator of an access", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"ca", 1>, I32EnumAttrCase<"cg", 2>,
    I32EnumAttrCase<"cs", 3>, I32EnumAttrCase<"cv", 4>, I32EnumAttrCase<"wb", 5>,
    I32EnumAttrCase<"wt", 6>]> {
  let cppNamespace = "::tilec::tile";
}

def Tile_EvictionPolicy : I32EnumAttr<"EvictionPolicy", "L1 eviction priority of an access", [
    I32EnumAttrCase<"normal", 0>, I32EnumAttrCase<"evict_first", 1>,
    I32EnumAttrCase<"evict_last", 2>]> {
  let cppNamespace = "::tilec::tile";
}

def Tile_AtomicKind : I32EnumAttr<"AtomicKind", "what an atomic access does to memory", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"fadd", 1>, I32EnumAttrCase<"and_", 2, "and">,
    I32EnumAttrCase<"or_", 3, "or">, I32EnumAttrCase<"xor_", 4, "xor">, I32EnumAttrCase<"xchg", 5>,
    I32EnumAttrCase<"max", 6>, I32EnumAttrCase<"min", 7>, I32EnumAttrCase<"umax", 8>,
    I32EnumAttrCase<"umin", 9>]> {
  let cppNamespace = "::tilec::tile";
}

def Tile_MemSemantic : I32EnumAttr<"MemSemantic", "memory order of an atomic access", [
    I32EnumAttrCase<"relaxed", 0>, I32EnumAttrCase<"acquire", 1>, I32EnumAttrCase<"release", 2>,
    I32EnumAttrCase<"acq_rel", 3>]> {
  let cppNamespace = "::tilec::tile";
}

def Tile_MemScope : I32EnumAttr<"MemScope", "threads that an atomic access is atomic to", [
    I32EnumAttrCase<"cta", 0>, I32EnumAttrCase<"gpu", 1>, I32EnumAttrCase<"sys", 2>]> {
  let cppNamespace = "::tilec::tile";
}

def Tile_InputPrecision : I32EnumAttr<"InputPrecision", "how a dot multiplies f32", [
    I32EnumAttrCase<"tf32", 0>, I32EnumAttrCase<"tf32x3", 1>, I32EnumAttrCase<"ieee", 2>,
    I32EnumAttrCase<"bf16x3", 3>, I32EnumAttrCase<"bf16x6", 4>]> {
  let cppNamespace = "::tilec::tile";
}

// The only result is the only operand, held or known in another way; analyses look through.
def Tile_SameValue : NativeOpTrait<"SameValue"> {
  let cppNamespace = "::tilec::tile";
}

// Type constraints.
def Tile_Float : AnyTypeOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2], "floating-point scalar">;
def Tile_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer scalar">;
def Tile_Scalar : AnyTypeOf<[Tile_Float, Tile_Int, Tile_PtrType], "scalar or pointer">;

def Tile_FixedShape : And<[HasStaticShapePred,
                           CPred<"::llvm::cast<::mlir::ShapedType>($_self).getRank() > 0">]>;
class Tile_TensorOf<list<Type> elements, string elementSummary>
    : Type<And<[RankedTensorOf<elements>.predicate, Tile_FixedShape]>,
           "tensor of " # elementSummary # " with fixed extents and at least one dimension",
           "::mlir::RankedTensorType">;
def Tile_Tensor : Tile_TensorOf<[Tile_Float, Tile_Int, Tile_PtrType], "scalars or pointers">;
def Tile_Value : AnyTypeOf<[Tile_Scalar, Tile_Tensor]>;
def Tile_PtrLike : AnyTypeOf<[Tile_PtrType, Tile_TensorOf<[Tile_PtrType], "pointers">],
                             "pointer or tensor of pointers">;
def Tile_IntLike : AnyTypeOf<[Tile_Int, Tile_TensorOf<[Tile_Int], "integers">],
                             "integer or tensor of integers">;
def Tile_BoolLike : AnyTypeOf<[I1, Tile_TensorOf<[I1], "i1">], "i1 or tensor of i1">;

#endif // TILEC_DIALECTS_TILE_IR_TILEDIALECT_TD
