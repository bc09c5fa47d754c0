// Operations that bring elements to other places of a tensor.
#ifndef TILEC_DIALECTS_TILE_IR_REARRANGEOPS_TD
#define TILEC_DIALECTS_TILE_IR_REARRANGEOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "two tensors as one with a new last dimension of two";
  let description = [{
    ```mlir
    %j = tile.join %a, %b : tensor<128xf32> -> tensor<128x2xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$lhs, Tile_Tensor:$rhs);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "the two halves of a last dimension of two";
  let description = [{
    The source has at least two dimensions.

    ```mlir
    %a, %b = tile.split %j : tensor<128x2xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source);
  let results = (outs Tile_Tensor:$lhs, Tile_Tensor:$rhs);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs)";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "elements of a tensor picked by indices along one dimension";
  let description = [{
    Element `i` of the result is the element of `source` whose index is `i`, but for dimension `axis`, where it is
    `indices[i]`. The result has the shape of `indices`, which has the extents of the source in all other
    dimensions. Indices are in the bounds of that dimension.

    ```mlir
    %g = tile.gather %x, %i {axis = 0 : i32} : tensor<128xf32>, tensor<64xi32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, Tile_Tensor:$indices, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source `,` $indices attr-dict `:` type($source) `,` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "how often each number occurs";
  let description = [{
    Element `b` of the result counts the elements of `source` that are equal to `b` and whose `mask` is true. Elements that
    are no number of a bin are not counted.

    ```mlir
    %h = tile.histogram %x, mask %m : tensor<128xi32> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$source, Optional<Tile_Tensor>:$mask);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$source (`,` `mask` $mask^ `:` type($mask))? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILE_IR_REARRANGEOPS_TD
