// Atomic accesses of global memory.
#ifndef TILEC_DIALECTS_TILE_IR_ATOMICOPS_TD
#define TILEC_DIALECTS_TILE_IR_ATOMICOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "change global memory atomically";
  let description = [{
    For each pointer where `mask` is true, replaces the element by what `kind` makes of it and of `value`, and returns
    what stood there before; elsewhere memory is not touched and the result is zero. Pointers that are equal are changed
    once each, in an order of the compiler's. `add` and `max`/`min` take integers (`umax`/`umin` compare as unsigned), `fadd` floats.

    ```mlir
    %old = tile.atomic_rmw fadd acq_rel gpu %p, %v, mask %m : tensor<128x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, Tile_MemSemantic:$sem, Tile_MemScope:$scope,
                       Tile_PtrLike:$ptr, Tile_Value:$value, Optional<Tile_BoolLike>:$mask);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $sem $scope $ptr `,` $value (`,` `mask` $mask^)? attr-dict `:` custom<AtomicTypes>(ref($mask), type($ptr), type($value), type($mask), type($result))";
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "exchange elements of global memory that equal a given one";
  let description = [{
    For each pointer, atomically: if the element's bits equal those of `cmp` it becomes `value`. Returns what stood there before.

    ```mlir
    %old = tile.atomic_cas acq_rel gpu %p, %cmp, %v : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemSemantic:$sem, Tile_MemScope:$scope, Tile_PtrLike:$ptr,
                       Tile_Value:$cmp, Tile_Value:$value);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$sem $scope $ptr `,` $cmp `,` $value attr-dict `:` custom<CASTypes>(type($ptr), type($cmp), type($value), type($result))";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILE_IR_ATOMICOPS_TD
