// The operations of the tilegpu dialect.
#ifndef TILEC_DIALECTS_TILEGPU_IR_TILEGPUOPS_TD
#define TILEC_DIALECTS_TILEGPU_IR_TILEGPUOPS_TD

include "dialects/Tile/IR/TileDialect.td"
include "dialects/TileGPU/IR/TileGPUDialect.td"
include "dialects/TileGPU/IR/MatrixOps.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileGPU_Op<string mnemonic, list<Trait> traits = []> : Op<TileGPU_Dialect, mnemonic, traits>;

//===--- Tensors -----------------------------------------------------------===//

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [Pure, Tile_SameValue]> {
  let summary = "the same tensor, held by other threads";
  let description = [{
    Depending on the two layouts this is nothing, a permutation of registers, warp shuffles, or a
    trip through shared memory, for which `tilegpu-allocate-shared` reserves scratch.

    ```mlir
    %1 = tilegpu.convert_layout %0 : tensor<128xf32, #a> -> tensor<128xf32, #b>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileGPU_BarrierOp : TileGPU_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the program arrive before any leaves";
  let description = [{
    Orders shared and global memory accesses of the program's threads.

    ```mlir
    tilegpu.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===--- Elementwise hardware functions ------------------------------------===//

def TileGPU_ApproxOp : TileGPU_Op<"approx", [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = "a hardware approximation of a function of one f32";
  let description = [{
    PTX's `ex2.approx`, `lg2.approx`, `rcp.approx`, `rsqrt.approx`, `sqrt.approx`, `tanh.approx`, `sin.approx`
    and `cos.approx` on f32, with denormals kept. The PTX manual gives their errors.

    ```mlir
    %y = tilegpu.approx ex2 %x : tensor<128xf32>
    ```
  }];
  let arguments = (ins TileGPU_ApproxFn:$fn, AnyTypeOf<[F32, RankedTensorOf<[F32]>]>:$x);
  let results = (outs AnyTypeOf<[F32, RankedTensorOf<[F32]>]>:$result);
  let assemblyFormat = "$fn $x attr-dict `:` type($x)";
}

def TileGPU_DivFullOp : TileGPU_Op<"div_full", [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = "division within two units in the last place";
  let description = [{
    PTX's `div.full.f32`.

    ```mlir
    %q = tilegpu.div_full %a, %b : tensor<128xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, RankedTensorOf<[F32]>]>:$lhs, AnyTypeOf<[F32, RankedTensorOf<[F32]>]>:$rhs);
  let results = (outs AnyTypeOf<[F32, RankedTensorOf<[F32]>]>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

//===--- What a thread does ------------------------------------------------===//

def TileGPU_LdOp : TileGPU_Op<"ld", [AttrSizedOperandSegments,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a thread's read of memory, whole or not at all";
  let description = [{
    Reads a scalar or a vector of up to 16 bytes of global memory (address space 1) or shared
    memory (address space 3), aligned to `align` bytes. With a predicate that is
    false memory is not touched and the result is `other`, or zero. `arg` is the number of the kernel
    argument that the address comes from, where that is known.

    ```mlir
    %v = tilegpu.ld %p, pred %m, other %o {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$ptr, Optional<I1>:$pred,
                       Optional<AnyType>:$other, I32Attr:$align,
                       DefaultValuedAttr<Tile_CacheModifier, "::tilec::tile::CacheModifier::none">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicy, "::tilec::tile::EvictionPolicy::normal">:$evict,
                       UnitAttr:$is_volatile, OptionalAttr<I32Attr>:$arg);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ptr (`,` `pred` $pred^)? (`,` `other` $other^ `:` type($other))? attr-dict `:` type($ptr) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_StOp : TileGPU_Op<"st", []> {
  let summary = "a thread's write to memory, whole or not at all";
  let description = [{
    Writes a scalar or a vector of up to 16 bytes to global memory (address space 1) or shared memory
    (address space 3), aligned to `align` bytes, unless the predicate is false.

    ```mlir
    tilegpu.st %p, %v, pred %m {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
    ```
  }];
  let arguments = (ins Arg<LLVM_AnyPointer, "", [MemWrite]>:$ptr, AnyType:$value, Optional<I1>:$pred,
                       I32Attr:$align,
                       DefaultValuedAttr<Tile_CacheModifier, "::tilec::tile::CacheModifier::none">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicy, "::tilec::tile::EvictionPolicy::normal">:$evict,
                       OptionalAttr<I32Attr>:$arg);
  let assemblyFormat = "$ptr `,` $value (`,` `pred` $pred^)? attr-dict `:` type($ptr) `,` type($value)";
  let hasVerifier = 1;
}

def TileGPU_AtomOp : TileGPU_Op<"atom", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["value", "result"]>]> {
  let summary = "a thread's atomic access of global memory";
  let description = [{
    Replaces a scalar by what `kind` makes of it and of `value`, and returns what stood there before. With a predicate
    that is false memory is not touched and the result is zero. `arg` is the number of the kernel argument that the
    address comes from, where that is known.

    ```mlir
    %old = tilegpu.atom add acq_rel gpu %p, %v, pred %m : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, Tile_MemSemantic:$sem, Tile_MemScope:$scope, LLVM_AnyPointer:$ptr,
                       AnyType:$value, Optional<I1>:$pred, OptionalAttr<I32Attr>:$arg);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$kind $sem $scope $ptr `,` $value (`,` `pred` $pred^)? attr-dict `:` type($ptr) `,` type($value)";
  let hasVerifier = 1;
}

def TileGPU_CasOp : TileGPU_Op<"cas", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["cmp", "value", "result"]>]> {
  let summary = "a thread's compare and swap in global memory";
  let description = [{
    If the bits of a scalar equal those of `cmp` it becomes `value`. Returns what stood there before. Predicate and
    `arg` are those of `tilegpu.atom`.

    ```mlir
    %old = tilegpu.cas acq_rel gpu %p, %c, %v, pred %m : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins Tile_MemSemantic:$sem, Tile_MemScope:$scope, LLVM_AnyPointer:$ptr, AnyType:$cmp,
                       AnyType:$value, Optional<I1>:$pred, OptionalAttr<I32Attr>:$arg);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$sem $scope $ptr `,` $cmp `,` $value (`,` `pred` $pred^)? attr-dict `:` type($ptr) `,` type($value)";
  let hasVerifier = 1;
}

//===--- Effects of a thread -----------------------------------------------===//

def TileGPU_PrintOp : TileGPU_Op<"print", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a thread prints one line";
  let description = [{
    Prints `values` as `format` says, in C's notation (`%d %u %lld %llu %x %f %p`, with widths), unless the predicate
    is false. Integers have 32 or 64 bits, floats 64.

    ```mlir
    tilegpu.print "x: %d\n"(%x), pred %m : i32
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$values, Optional<I1>:$pred);
  let assemblyFormat = "$format `(` $values `)` (`,` `pred` $pred^)? attr-dict (`:` type($values)^)?";
}

def TileGPU_CheckOp : TileGPU_Op<"check", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a thread ends the launch unless a condition holds";
  let description = [{
    ```mlir
    tilegpu.check %inside, "index in bounds"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def TileGPU_AsmOp : TileGPU_Op<"asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX of a program, on one thread's registers";
  let description = [{
    `asm_string` and `constraints` are LLVM's; the outputs of the constraints are the results. Without `pure` it is run
    as often as the program says.

    ```mlir
    %y = tilegpu.asm "ex2.approx.f32 $0, $1;", "=f,f" pure (%x) : (f32) -> f32
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, UnitAttr:$pure, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$asm_string `,` $constraints (`pure` $pure^)? `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

#endif // TILEC_DIALECTS_TILEGPU_IR_TILEGPUOPS_TD
