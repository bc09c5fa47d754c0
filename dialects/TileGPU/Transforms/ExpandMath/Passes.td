// The pass that expands math operations.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_PASSES_TD
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"tilegpu-expand-math"> {
  let summary = "expand math operations into arithmetic and hardware approximations";
  let description = [{
    LLVM's NVPTX backend lowers few of the math dialect's functions. This pass writes the others as
    short formulas on the same type, scalar or tensor of any layout, without branches and without
    libdevice. `docs/math.md` gives each one's error, which is that of a measurement. f16 and bf16 are
    computed in f32. `afn` on an operation asks for the hardware's approximation as it is, `arcp` on
    a division of f32 for `div.full`.

    Casts from and to the 8-bit floats, and those that round towards zero, become arithmetic on the
    bits too. To 8 bits what overflows becomes the largest number, as `cvt.satfinite` has it.

    ```mlir
    %1 = math.exp %0 : tensor<128xf32>
    %3 = arith.divf %1, %2 fastmath<arcp> : tensor<128xf32>
    ```
    becomes
    ```mlir
    %p = arith.mulf %0, %log2e : tensor<128xf32>
    %e = tilegpu.approx ex2 %p : tensor<128xf32>
    ...                          // times 1 + what rounding %p lost
    %3 = tilegpu.div_full %1, %2 : tensor<128xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::tilec::tilegpu::TileGPUDialect"];
}

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_PASSES_TD
