// What a warp does with its tensor cores. Included by TileGPUOps.td.
#ifndef TILEC_DIALECTS_TILEGPU_IR_MATRIXOPS_TD
#define TILEC_DIALECTS_TILEGPU_IR_MATRIXOPS_TD

include "dialects/TileGPU/IR/TileGPUDialect.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileGPU_MmaOp : Op<TileGPU_Dialect, "mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "a warp multiplies two small matrices and adds a third";
  let description = [{
    PTX's `mma.sync.m16n8kX`: a thread holds 16 bytes of the 16xX matrix, 8 bytes of the Xx8 matrix and four elements of the
    16x8 accumulator, in the places that the PTX manual gives. X is 8 for tf32, 16 for f16 and bf16, 32 for i8 and f8.
    `lhs_type` and `rhs_type` say what the operands' bits are; f8 travels as i8, tf32 as f32.
    All threads of the warp must run it.

    ```mlir
    %d = tilegpu.mma %a, %b, %c, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf32>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs, AnyVectorOfNonZeroRank:$acc,
                       TypeAttr:$lhs_type, TypeAttr:$rhs_type);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc `,` $lhs_type `*` $rhs_type attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc)";
  let hasVerifier = 1;
}

def TileGPU_LdMatrixOp : Op<TileGPU_Dialect, "ldmatrix", []> {
  let summary = "a warp reads 8x8 matrices of 16-bit elements from shared memory";
  let description = [{
    PTX's `ldmatrix.sync.m8n8`: lane 8i+j gives the address of row j of matrix i, 16 bytes at a multiple of 16. Lane l gets in
    word i two neighbours of row l/4 of matrix i, from column 2(l%4) on; with `trans` of column l/4, from row 2(l%4) on.
    All threads of the warp must run it.

    ```mlir
    %w = tilegpu.ldmatrix %p {trans} : !llvm.ptr<3> -> vector<4xi32>
    ```
  }];
  let arguments = (ins Arg<LLVM_PointerInAddressSpace<3>, "", [MemRead]>:$ptr, UnitAttr:$trans);
  let results = (outs VectorOfRankAndType<[1], [I32]>:$result);
  let assemblyFormat = "$ptr attr-dict `:` type($ptr) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILEGPU_IR_MATRIXOPS_TD
