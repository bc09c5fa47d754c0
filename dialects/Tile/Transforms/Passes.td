// Passes on the tile dialect.
#ifndef TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_TD
#define TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CanonicalizePointersPass : Pass<"tile-canonicalize-pointers", "::mlir::ModuleOp"> {
  let summary = "write each tensor of pointers as one base and a tensor of offsets";
  let description = [{
    After the pass a tensor of pointers is `addptr(splat(base), offsets)` wherever all its elements
    come from one base. What every element adds alike moves into the base, which is one 64-bit
    scalar; loops carry the base and, if they change, the offsets. Offsets keep their integer
    type; sums of two offset tensors are taken in 64 bits.

    ```mlir
    %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
    %1 = tile.addptr %0, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    %2 = tile.splat %n : i32 -> tensor<128xi32>
    %3 = tile.addptr %1, %2 : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    // becomes
    %0 = tile.addptr %p, %n : !tile.ptr<f32>, i32
    %1 = tile.splat %0 : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
    %3 = tile.addptr %1, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PrintAxisInfoPass : Pass<"tile-print-axis-info", "::mlir::ModuleOp"> {
  let summary = "attach what axis analysis knows to each operation, for tests";
  let description = [{
    Gives every operation with a result of integers or pointers the attributes `contiguity`,
    `divisibility` and `constancy`, one entry a dimension.
  }];
}

#endif // TILEC_DIALECTS_TILE_TRANSFORMS_PASSES_TD
