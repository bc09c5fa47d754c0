// Operations that combine elements by a region: reductions and scans.
#ifndef TILEC_DIALECTS_TILE_IR_COMBINEOPS_TD
#define TILEC_DIALECTS_TILE_IR_COMBINEOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

//===--- Reductions --------------------------------------------------------===//

def Tile_ReduceOp : Tile_Op<"reduce", [Pure,
                                       SingleBlock]> {
  let summary = "combine the elements along one dimension";
  let description = [{
    Folds dimension `axis` of every operand with the scalar combiner in the region, whose arguments
    are the left elements of all operands and then the right ones. The combiner is associative and commutative;
    the order in which elements are combined is the compiler's. The result of a one-dimensional reduction is a scalar.

    ```mlir
    %s = tile.reduce %x {axis = 0 : i32} : tensor<128xf32> -> f32 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$operands, I32Attr:$axis);
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = "$operands attr-dict `:` type($operands) `->` type($results) custom<Combiner>($combiner)";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int":$axis)>];
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, SingleBlock]> {
  let summary = "inclusive prefix combination along one dimension";
  let description = [{
    Element `k` along `axis` of each result combines the elements 0 to `k` of the operands in index order, or with
    `reverse` the elements from the last one down to `k` in that order. The combiner takes what is combined so far and then the
    next elements; it is associative, and need not be commutative.

    ```mlir
    %s = tile.scan %x {axis = 0 : i32} : tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = "$operands (`reverse` $reverse^)? attr-dict `:` custom<SameTypes>(type($operands), type($results)) custom<Combiner>($combiner)";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "int":$axis, "bool":$reverse)>];
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "the combined elements";
  let description = [{
    ```mlir
    tile.yield %c : f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // TILEC_DIALECTS_TILE_IR_COMBINEOPS_TD
