// Matrix products.
#ifndef TILEC_DIALECTS_TILE_IR_DOTOPS_TD
#define TILEC_DIALECTS_TILE_IR_DOTOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product, added to an accumulator";
  let description = [{
    `lhs` is MxK, `rhs` is KxN, `acc` and the result are MxN; all three may have one more dimension in front, of one extent (a batch).
    Operands are of one element type (f8 kinds may mix). f16, bf16 and f8 products are exact and summed in the accumulator's
    type, f32 or f16; i8 products are signed and summed in i32; f64 in f64; f32 as `precision` says, for which other types
    ignore it. The order of the sums is the compiler's. `max_imprecise` is the number of
    f8 products that may be summed with less than f32's precision; 0 is none, absent is any.

    ```mlir
    %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs, Tile_Tensor:$acc,
                       DefaultValuedAttr<Tile_InputPrecision, "InputPrecision::tf32">:$precision,
                       OptionalAttr<I32Attr>:$max_imprecise);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc (`precision` $precision^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILE_IR_DOTOPS_TD
