// Conversions between dialects.
#ifndef TILEC_LIB_CONVERSION_PASSES_TD
#define TILEC_LIB_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileGPUToLLVMPass : Pass<"convert-tilegpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lower tensors with layouts to one vector per thread";
  let description = [{
    A tensor whose layout gives a thread R registers becomes `vector<RxT>`; elementwise operations stay
    single operations on vectors. Loads and stores become `tilegpu.ld` and `tilegpu.st` of up to 16
    bytes, reductions and layout conversions shuffles and shared memory. What remains besides
    the LLVM and NVVM dialects are the hardware operations of tilegpu.

    ```mlir
    %s = arith.addf %x, %y : tensor<512xf32, #l>
    // becomes
    %s = llvm.fadd %x, %y : vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::cf::ControlFlowDialect", "::tilec::tilegpu::TileGPUDialect"];
}

def ConvertTileGPUToNVPTXPass : Pass<"convert-tilegpu-to-nvptx", "::mlir::ModuleOp"> {
  let summary = "turn hardware operations into loads, stores and inline PTX";
  let description = [{
    Plain accesses become LLVM loads and stores, predicated ones and those with cache hints inline PTX
    without a branch; approximations become inline PTX.

    ```mlir
    %v = tilegpu.ld %p, pred %m {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
    // becomes
    %v = llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", ...
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"",
                        "the GPU: what it has no instruction for becomes several">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertTileToTileGPUPass : Pass<"convert-tile-to-tilegpu", "::mlir::ModuleOp"> {
  let summary = "give every tensor a layout";
  let description = [{
    Every tensor of a kernel gets the default layout of its shape; where an operation relates the
    layouts of operand and result in another way, as expand_dims and reduce do, a conversion is inserted.
    Kernels get `tilegpu.num_warps`.

    ```mlir
    %i = tile.arange 0, 128 : tensor<128xi32>
    // becomes
    %i = tile.arange 0, 128 : tensor<128xi32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>>
    ```
  }];
  let options = [Option<"numWarps", "num-warps", "unsigned", "0",
                        "warps of a program; 0 chooses by the largest tile">];
  let dependentDialects = ["::tilec::tilegpu::TileGPUDialect"];
}

#endif // TILEC_LIB_CONVERSION_PASSES_TD
