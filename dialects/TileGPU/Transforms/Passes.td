// Passes on the tilegpu dialect.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_TD
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AllocateSharedPass : Pass<"tilegpu-allocate-shared", "::mlir::ModuleOp"> {
  let summary = "place the scratch of reductions and conversions in shared memory";
  let description = [{
    Every operation that moves data between warps gets `tilegpu.shared_offset`, a kernel gets
    `tilegpu.shared_bytes`. Scratch is needed only while its operation runs, so operations may share
    bytes; as long as a kernel stays small they don't, because a place of its own saves a barrier.

    ```mlir
    %1 = tilegpu.convert_layout %0 : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    // becomes
    %1 = tilegpu.convert_layout %0 {tilegpu.shared_offset = 0 : i32} : ...
    ```
  }];
  let options = [Option<"limit", "limit", "unsigned", "0",
                        "bytes a program may use on the target; 0 does not check">];
}

def AssignDotLayoutsPass : Pass<"tilegpu-assign-dot-layouts", "::mlir::ModuleOp"> {
  let summary = "give each matrix product the layouts of an instruction";
  let description = [{
    Products that tensor cores do get the accumulator's layout of `mma.sync` and the operands' that go with it, the others
    a blocked layout for the result. f8 becomes f16 where the target, or the precision asked for, has no
    instruction for it. What stands between two products keeps whole rows in a warp.

    ```mlir
    %d = tile.dot %a, %b, %c : tensor<64x32xf16, #default>, tensor<32x64xf16, #default> -> tensor<64x64xf32, #default>
    // becomes
    %x = tilegpu.convert_layout %a : tensor<64x32xf16, #default> -> tensor<64x32xf16, #lhs>
    %y = tilegpu.convert_layout %b : tensor<32x64xf16, #default> -> tensor<32x64xf16, #rhs>
    %z = tilegpu.convert_layout %c : tensor<64x64xf32, #default> -> tensor<64x64xf32, #acc>
    %e = tile.dot %x, %y, %z : tensor<64x32xf16, #lhs>, tensor<32x64xf16, #rhs> -> tensor<64x64xf32, #acc>
    %d = tilegpu.convert_layout %e : tensor<64x64xf32, #acc> -> tensor<64x64xf32, #default>
    ```
  }];
  let options = [Option<"capability", "capability", "unsigned", "90",
                        "compute capability of the target: 80 is sm_80">];
  let dependentDialects = ["::tilec::tilegpu::TileGPUDialect"];
}

def CoalescePass : Pass<"tilegpu-coalesce", "::mlir::ModuleOp"> {
  let summary = "give each memory access the layout that moves the widest, fullest vectors";
  let description = [{
    From the axis analysis: neighbouring elements go to one thread up to 16 bytes, then to
    neighbouring lanes along the contiguous dimension. Accesses of one shape and order share the
    most elements that one of them moves at once, so that they share a layout. Operands and results are converted.

    ```mlir
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>, #default>
    // becomes
    %q = tilegpu.convert_layout %p : tensor<1024x!tile.ptr<f32>, #default> -> tensor<1024x!tile.ptr<f32>, #wide>
    %w = tile.load %q : tensor<1024x!tile.ptr<f32>, #wide>
    %v = tilegpu.convert_layout %w : tensor<1024xf32, #wide> -> tensor<1024xf32, #default>
    ```
  }];
  let dependentDialects = ["::tilec::tilegpu::TileGPUDialect"];
}

def InsertBarriersPass : Pass<"tilegpu-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "order the uses of shared memory with barriers, where they need one";
  let description = [{
    An operation that overwrites scratch which others may still be reading gets a
    `tilegpu.barrier` before it. What was read since the last barrier flows through
    branches and around loops. So do loads and stores of global memory that a layout
    replicates, which all threads load and one stores: a store gets a barrier after a load
    of the same parameter's memory, and a load after a store.

    ```mlir
    scf.for ... {
      %m = tile.reduce ... {tilegpu.shared_offset = 0 : i32}
    }
    // becomes
    scf.for ... {
      tilegpu.barrier
      %m = tile.reduce ... {tilegpu.shared_offset = 0 : i32}
    }
    ```
  }];
  let dependentDialects = ["::tilec::tilegpu::TileGPUDialect"];
}

def RemoveConversionsPass : Pass<"tilegpu-remove-conversions", "::mlir::ModuleOp"> {
  let summary = "choose layouts so that few conversions remain, and recompute what is cheap";
  let description = [{
    Layouts flow from memory accesses to everything computed from them, then backwards to
    what accesses need. Where two layouts meet, the cheap side (index arithmetic, masks, constants) is
    computed again in the other layout, unless it costs more than the conversion.

    ```mlir
    %i = tile.arange 0, 128 : tensor<128xi32, #a>
    %j = tilegpu.convert_layout %i : tensor<128xi32, #a> -> tensor<128xi32, #b>
    // becomes
    %j = tile.arange 0, 128 : tensor<128xi32, #b>
    ```
  }];
  let dependentDialects = ["::tilec::tilegpu::TileGPUDialect"];
}

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_PASSES_TD
