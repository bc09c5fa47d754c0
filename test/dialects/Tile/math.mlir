// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: func @functions
// CHECK: tile.math "lgamma" %{{.*}} : (f32) -> f32
// CHECK: tile.math "hypot" %{{.*}}, %{{.*}} : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
// CHECK: tile.math "fma_rz" %{{.*}}, %{{.*}}, %{{.*}} : (f32, f32, f32) -> f32
func.func @functions(%x: f32, %y: tensor<8xf64>) {
  %0 = tile.math "lgamma" %x : (f32) -> f32
  %1 = tile.math "hypot" %y, %y : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  %2 = tile.math "fma_rz" %x, %x, %x : (f32, f32, f32) -> f32
  return
}
