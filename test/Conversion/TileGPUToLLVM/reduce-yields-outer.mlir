// A combiner may give a scalar from outside.
// RUN: tile-opt %s --convert-tilegpu-to-llvm | FileCheck %s

#l = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @outer
// CHECK-NOT: tile.reduce
// CHECK: llvm.return
func.func @outer(%p: !tile.ptr<f32>, %s: f32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %x = arith.constant dense<1.0> : tensor<64xf32, #l>
  %0 = tile.reduce %x {axis = 0 : i32} : tensor<64xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %s : f32
  }
  tile.store %p, %0 : !tile.ptr<f32>
  return
}
