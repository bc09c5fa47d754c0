// Operations that speak to the host, to the machine, or in PTX.
#ifndef TILEC_DIALECTS_TILE_IR_EFFECTOPS_TD
#define TILEC_DIALECTS_TILE_IR_EFFECTOPS_TD

include "dialects/Tile/IR/TileOpBase.td"

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "print values to the host's standard output";
  let description = [{
    For every element of the operands one line with the program's indices, the element's index, `prefix` and the value; `hex` prints bits.
    `is_signed` says for each operand whether its integers are signed.

    ```mlir
    tile.print "x: " %x {is_signed = array<i32: 1>} : tensor<128xi32>
    ```
  }];
  let arguments = (ins StrAttr:$prefix, Variadic<Tile_Value>:$values, UnitAttr:$hex, DenseI32ArrayAttr:$is_signed);
  let assemblyFormat = "$prefix (`hex` $hex^)? ($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "end the launch with a message where a condition is false";
  let description = [{
    ```mlir
    tile.assert %inside, "index in bounds" : tensor<128xi1>
    ```
  }];
  let arguments = (ins Tile_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [Elementwise, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX applied to groups of elements";
  let description = [{
    Runs `asm` once for each `pack` consecutive elements of the operands (all of one shape); elements of fewer
    than 32 bits are packed into words. `constraints` are LLVM's: outputs first. Without `pure` it is run as often as the program says.

    ```mlir
    %y = tile.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" pure %x {pack = 1 : i32} : tensor<128xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, UnitAttr:$pure, I32Attr:$pack, Variadic<Tile_Value>:$operands);
  let results = (outs Variadic<Tile_Value>:$results);
  let assemblyFormat = "$asm_string `,` $constraints (`pure` $pure^)? ($operands^)? attr-dict `:` functional-type($operands, $results)";
  let hasVerifier = 1;
}

def Tile_ClockOp : Tile_Op<"globaltimer", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "nanoseconds of the GPU's clock";
  let description = [{
    ```mlir
    %t = tile.globaltimer
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_SmIdOp : Tile_Op<"smid", [MemoryEffects<[MemRead]>]> {
  let summary = "the multiprocessor that the program runs on";
  let description = [{
    ```mlir
    %s = tile.smid
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_GridDependencyOp : Tile_Op<"grid_dependency", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "programmatic dependent launch";
  let description = [{
    `wait` until the grids that this one depends on have finished and their memory can be seen; `launch` says that dependent grids may start.
    No access of memory is moved across either. Before sm_90 both are nothing.

    ```mlir
    tile.grid_dependency wait
    ```
  }];
  let arguments = (ins UnitAttr:$launch);
  let assemblyFormat = "(`launch` $launch^):(`wait`)? attr-dict";
}

#endif // TILEC_DIALECTS_TILE_IR_EFFECTOPS_TD
