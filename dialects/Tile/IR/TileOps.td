// The operations of the tile dialect: programs, shapes, pointers and memory here, the others in the files
// included.
#ifndef TILEC_DIALECTS_TILE_IR_TILEOPS_TD
#define TILEC_DIALECTS_TILE_IR_TILEOPS_TD

include "dialects/Tile/IR/AtomicOps.td"
include "dialects/Tile/IR/CombineOps.td"
include "dialects/Tile/IR/DotOps.td"
include "dialects/Tile/IR/EffectOps.td"
include "dialects/Tile/IR/MathOps.td"
include "dialects/Tile/IR/RearrangeOps.td"
include "dialects/Tile/IR/TileOpBase.td"


//===--- Programs ----------------------------------------------------------===//

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of this program in the grid";
  let description = [{
    The index of the running program along `axis` (0, 1 or 2) of the launch grid.

    ```mlir
    %pid = tile.program_id 0
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the launch grid";
  let description = [{
    The number of programs along `axis` (0, 1 or 2) of the launch grid.

    ```mlir
    %n = tile.num_programs 0
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier"> {
  let summary = "order the memory accesses of a program";
  let description = [{
    Every access before the barrier, by any lane of the program, happens before every access after
    it. Without one, two accesses of a program to the same global address by different lanes have no order.

    ```mlir
    tile.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite]>]> {
  let summary = "a condition that the program promises";
  let description = [{
    The compiler may rely on `condition` being true; if it is false the behaviour is undefined.
    The interpreter reports a false one.

    ```mlir
    tile.assume %positive
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Tile_HintOp : Tile_Op<"hint", [Pure, Tile_SameValue, AllTypesMatch<["value", "result"]>]> {
  let summary = "the same value, with promised axis properties";
  let description = [{
    Returns `value`. Per dimension: `divisibility` promises that the first element of each
    contiguous run is a multiple of it, `contiguity` that aligned runs of that length count up by
    one, `constancy` that aligned runs of that length are equal. An empty list promises nothing.

    ```mlir
    %1 = tile.hint %0 {divisibility = array<i64: 16>} : tensor<128xi32>
    ```
  }];
  let arguments = (ins Tile_Value:$value,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$divisibility,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$contiguity,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$constancy);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===--- Shapes ------------------------------------------------------------===//

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    The integers of [`start`, `end`) as `i32`; their number is a power of two.

    ```mlir
    %i = tile.arange 0, 128 : tensor<128xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs 1DTensorOf<[I32]>:$result);
  let assemblyFormat = "$start `,` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tensor whose elements are all one scalar";
  let description = [{
    ```mlir
    %t = tile.splat %s : f32 -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$source);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "insert a dimension of extent one";
  let description = [{
    The new dimension stands at `axis` of the result.

    ```mlir
    %c = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "stretch dimensions of extent one";
  let description = [{
    Rank stays; each extent stays or grows from one.

    ```mlir
    %m = tile.broadcast %c : tensor<1x64xi32> -> tensor<128x64xi32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements under another shape";
  let description = [{
    Elements keep their row-major order, unless `allow_reorder` lets the compiler choose a cheaper one.

    ```mlir
    %r = tile.reshape %m : tensor<128x64xf32> -> tensor<8192xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, UnitAttr:$allow_reorder);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source (`allow_reorder` $allow_reorder^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure]> {
  let summary = "permute dimensions";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    ```mlir
    %t = tile.trans %m {order = array<i32: 1, 0>} : tensor<128x64xf32> -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, DenseI32ArrayAttr:$order);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===--- Pointers ----------------------------------------------------------===//

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "move a pointer by a number of elements";
  let description = [{
    The address of `ptr` plus `offset` times the size of the pointee. The offset is
    sign-extended to 64 bits, or zero-extended with `unsigned`. Shapes agree.

    ```mlir
    %q = tile.addptr %p, %off : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Tile_IntLike:$offset, UnitAttr:$unsigned_offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset (`unsigned` $unsigned_offset^)? attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PtrCastOp : Tile_Op<"ptr_cast", [Pure]> {
  let summary = "the same address with another pointee";
  let description = [{
    ```mlir
    %q = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_PtrToIntOp : Tile_Op<"ptr_to_int", [Pure]> {
  let summary = "the address of a pointer in bytes";
  let description = [{
    ```mlir
    %a = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
    ```
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs Tile_IntLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_IntToPtrOp : Tile_Op<"int_to_ptr", [Pure]> {
  let summary = "a pointer from an address in bytes";
  let description = [{
    ```mlir
    %p = tile.int_to_ptr %a : i64 -> !tile.ptr<f32>
    ```
  }];
  let arguments = (ins Tile_IntLike:$source);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===--- Memory ------------------------------------------------------------===//

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments,
                                   DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read global memory";
  let description = [{
    Reads the element at each pointer. Where `mask` is false memory is not touched and the
    element is that of `other`, or zero without one. Pointer, mask, other and result have one shape.
    A volatile load is carried out as often as the program says, in its place.

    ```mlir
    %v = tile.load %p, mask %m, other %o : tensor<128x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$ptr, Optional<Tile_BoolLike>:$mask,
                       Optional<Tile_Value>:$other,
                       DefaultValuedAttr<Tile_CacheModifier, "CacheModifier::none">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicy, "EvictionPolicy::normal">:$evict,
                       UnitAttr:$is_volatile);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$ptr (`,` `mask` $mask^)? (`,` `other` $other^)? attr-dict `:` custom<LoadTypes>(ref($mask), ref($other), type($ptr), type($mask), type($other), type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$mask, "::mlir::Value":$other)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The element type read; the pointee of the pointer.
    ::mlir::Type getPointeeType();
  }];
}

def Tile_StoreOp : Tile_Op<"store", []> {
  let summary = "write global memory";
  let description = [{
    Writes each element of `value` to its pointer where `mask` is true, or everywhere without one.
    Pointer, value and mask have one shape. Two lanes that write one address leave one of their values.

    ```mlir
    tile.store %p, %v, mask %m : tensor<128x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Arg<Tile_PtrLike, "", [MemWrite]>:$ptr, Tile_Value:$value,
                       Optional<Tile_BoolLike>:$mask,
                       DefaultValuedAttr<Tile_CacheModifier, "CacheModifier::none">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicy, "EvictionPolicy::normal">:$evict);
  let assemblyFormat = "$ptr `,` $value (`,` `mask` $mask^)? attr-dict `:` custom<StoreTypes>(ref($mask), type($ptr), type($value), type($mask))";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILE_IR_TILEOPS_TD
