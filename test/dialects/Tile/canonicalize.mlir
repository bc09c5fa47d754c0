// What the dialect's folds do.
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// A constant goes through every operation that only shapes it.
// CHECK-LABEL: func.func @constants
// CHECK: %[[C:.*]] = arith.constant dense<3> : tensor<4x8xi32>
// CHECK-NOT: tile.
// CHECK: return %[[C]]
func.func @constants() -> tensor<4x8xi32> {
  %c = arith.constant 3 : i32
  %0 = tile.splat %c : i32 -> tensor<4xi32>
  %1 = tile.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %2 = tile.broadcast %1 : tensor<4x1xi32> -> tensor<4x8xi32>
  return %2 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @float_constant
// CHECK: arith.constant dense<0xFC00> : tensor<16xf16>
func.func @float_constant() -> tensor<16xf16> {
  %c = arith.constant 0xFC00 : f16
  %0 = tile.splat %c : f16 -> tensor<16xf16>
  return %0 : tensor<16xf16>
}

// Constants with different elements stay what they are.
// CHECK-LABEL: func.func @different
// CHECK: tile.expand_dims
func.func @different() -> tensor<2x1xi32> {
  %c = arith.constant dense<[1, 2]> : tensor<2xi32>
  %0 = tile.expand_dims %c {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
  return %0 : tensor<2x1xi32>
}

// CHECK-LABEL: func.func @same_shape
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @same_shape(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tile.broadcast %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @no_move
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[T:.*]]: tensor<4x!tile.ptr<f32>>)
// CHECK-NEXT: return %[[P]], %[[T]]
func.func @no_move(%p: !tile.ptr<f32>, %t: tensor<4x!tile.ptr<f32>>) -> (!tile.ptr<f32>, tensor<4x!tile.ptr<f32>>) {
  %c = arith.constant 0 : i64
  %z = arith.constant dense<0> : tensor<4xi32>
  %0 = tile.addptr %p, %c : !tile.ptr<f32>, i64
  %1 = tile.addptr %t, %z : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  return %0, %1 : !tile.ptr<f32>, tensor<4x!tile.ptr<f32>>
}

// A pointer that moves is not touched, nor is a splat of pointers a constant.
// CHECK-LABEL: func.func @moves
// CHECK: tile.splat
// CHECK: tile.addptr
func.func @moves(%p: !tile.ptr<f32>) -> tensor<4x!tile.ptr<f32>> {
  %c = arith.constant dense<1> : tensor<4xi32>
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %1 = tile.addptr %0, %c : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  return %1 : tensor<4x!tile.ptr<f32>>
}

// Loads without use go, volatile ones and stores don't; nor does a promise.
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: tile.load %{{.*}} {is_volatile}
// CHECK-NEXT: tile.assume
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: return
func.func @effects(%p: tensor<4x!tile.ptr<f32>>, %v: tensor<4xf32>, %c: i1) {
  %0 = tile.load %p : tensor<4x!tile.ptr<f32>>
  %1 = tile.load %p {is_volatile} : tensor<4x!tile.ptr<f32>>
  tile.assume %c
  tile.barrier
  tile.store %p, %v : tensor<4x!tile.ptr<f32>>
  return
}

// One read serves twice, unless something may have written between, or it is volatile.
// CHECK-LABEL: func.func @twice
// CHECK: %[[A:.*]] = tile.load %{{.*}} : !tile.ptr<f32>
// CHECK-NEXT: %[[V:.*]] = tile.load %{{.*}} {is_volatile}
// CHECK-NEXT: %[[W:.*]] = tile.load %{{.*}} {is_volatile}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: %[[B:.*]] = tile.load
// CHECK-NEXT: return %[[A]], %[[A]], %[[V]], %[[W]], %[[B]]
func.func @twice(%p: !tile.ptr<f32>) -> (f32, f32, f32, f32, f32) {
  %0 = tile.load %p : !tile.ptr<f32>
  %1 = tile.load %p : !tile.ptr<f32>
  %2 = tile.load %p {is_volatile} : !tile.ptr<f32>
  %3 = tile.load %p {is_volatile} : !tile.ptr<f32>
  tile.barrier
  %4 = tile.load %p : !tile.ptr<f32>
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}
