// The pass says what is missing instead of lowering a tensor without a layout.
// RUN: tile-opt %s --convert-tilegpu-to-llvm --verify-diagnostics --split-input-file

func.func @not_a_kernel() {
  // expected-error@+1 {{tensor 'tensor<64xi32>' has no layout; run 'convert-tile-to-tilegpu' before this pass, and mark kernels with 'tile.kernel'}}
  %0 = tile.arange 0, 64 : tensor<64xi32>
  return
}

// -----

func.func @reduce_in_loop(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  // expected-error@+1 {{tensor 'tensor<64xf32>' has no layout}}
  %0 = arith.constant dense<1.0> : tensor<64xf32>
  return
}
