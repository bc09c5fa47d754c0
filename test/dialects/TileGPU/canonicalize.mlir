// What the dialect's folds do.
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
#b = #tilegpu.layout<register = [], lane = [16, 8, 4, 2, 1], warp = []>

// CHECK-LABEL: func.func @same
// CHECK-SAME: (%[[X:.*]]: tensor<32xf32, #{{.*}}>)
// CHECK-NEXT: return %[[X]]
func.func @same(%x: tensor<32xf32, #a>) -> tensor<32xf32, #a> {
  %0 = tilegpu.convert_layout %x : tensor<32xf32, #a> -> tensor<32xf32, #a>
  return %0 : tensor<32xf32, #a>
}

// A constant is the same in every layout.
// CHECK-LABEL: func.func @constant
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<32xf32, #[[B:.*]]>
// CHECK-NEXT: return %[[C]] : tensor<32xf32, #[[B]]>
func.func @constant() -> tensor<32xf32, #b> {
  %c = arith.constant dense<2.0> : tensor<32xf32, #a>
  %0 = tilegpu.convert_layout %c : tensor<32xf32, #a> -> tensor<32xf32, #b>
  return %0 : tensor<32xf32, #b>
}

// CHECK-LABEL: func.func @kept
// CHECK-NEXT: tilegpu.convert_layout
func.func @kept(%x: tensor<32xf32, #a>) -> tensor<32xf32, #b> {
  %0 = tilegpu.convert_layout %x : tensor<32xf32, #a> -> tensor<32xf32, #b>
  return %0 : tensor<32xf32, #b>
}

// Pure operations without use go, accesses stay if they are volatile or write.
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: tilegpu.ld %{{.*}} {align = 4 : i32, is_volatile}
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tilegpu.st
// CHECK-NEXT: return
func.func @effects(%p: !llvm.ptr<1>, %x: f32) {
  %0 = tilegpu.approx ex2 %x : f32
  %1 = tilegpu.div_full %x, %x : f32
  %2 = tilegpu.ld %p {align = 4 : i32} : !llvm.ptr<1> -> f32
  %3 = tilegpu.ld %p {align = 4 : i32, is_volatile} : !llvm.ptr<1> -> f32
  tilegpu.barrier
  tilegpu.st %p, %x {align = 4 : i32} : !llvm.ptr<1>, f32
  return
}
