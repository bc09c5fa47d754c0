// Functions that the math dialect lacks.
#ifndef TILEC_DIALECTS_TILE_IR_MATHOPS_TD
#define TILEC_DIALECTS_TILE_IR_MATHOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

def Tile_MathFnOp : Tile_Op<"math", [Pure, Elementwise]> {
  let summary = "a function of libdevice that the math dialect lacks";
  let description = [{
    `fn` is libdevice's name without `__nv_` and the letter of the type. Operands and result have one shape; which element types go
    with a function is in its table (MathFunctions.h).

    ```mlir
    %y = tile.math "lgamma" %x : (tensor<128xf32>) -> tensor<128xf32>
    ```
  }];
  let arguments = (ins StrAttr:$fn, Variadic<Tile_Value>:$operands);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$fn $operands attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECTS_TILE_IR_MATHOPS_TD
