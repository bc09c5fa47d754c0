// RUN: tile-opt %s --tilegpu-allocate-shared --split-input-file | FileCheck %s

// Small scratch: places of its own for each. A reduction of four warps leaves four numbers.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @own_places
// CHECK-SAME: tilegpu.shared_bytes = 48 : i32
func.func @own_places() attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  %y = arith.constant dense<1.0> : tensor<128xf64, #l>
  // CHECK: tile.reduce %{{.*}} {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32
  %0 = tile.reduce %x {axis = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  // CHECK: tile.reduce %{{.*}} {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf64
  %1 = tile.reduce %y {axis = 0 : i32} : tensor<128xf64, #l> -> f64 {
  ^bb0(%a: f64, %b: f64):
    tile.yield %a : f64
  }
  return
}

// -----

// Each operand of a reduction has its part, rounded up to 16 bytes.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @operands
// CHECK-SAME: tilegpu.shared_bytes = 48 : i32
func.func @operands() attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf64, #l>
  %i = arith.constant dense<1> : tensor<128xi8, #l>
  // CHECK: tilegpu.shared_offset = 0 : i32
  %0:2 = tile.reduce %x, %i {axis = 0 : i32} : tensor<128xf64, #l>, tensor<128xi8, #l> -> f64, i8 {
  ^bb0(%a: f64, %ai: i8, %b: f64, %bi: i8):
    tile.yield %a, %ai : f64, i8
  }
  return
}

// -----

// What stays in a warp needs none.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
#r = #tilegpu.layout<register = [], lane = [16, 8, 4, 2, 1], warp = []>
// CHECK-LABEL: func.func @none
// CHECK-SAME: tilegpu.shared_bytes = 0 : i32
// CHECK-NOT: tilegpu.shared_offset
func.func @none() attributes {tilegpu.num_warps = 1 : i32} {
  %x = arith.constant dense<1.0> : tensor<32xf32, #l>
  %0 = tile.reduce %x {axis = 0 : i32} : tensor<32xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  %1 = tilegpu.convert_layout %x : tensor<32xf32, #l> -> tensor<32xf32, #r>
  return
}

// -----

// Large scratch is shared: two conversions of 16 KiB take turns, the reduction keeps its own place.
#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
#v = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64, 128]>
// CHECK-LABEL: func.func @large
// CHECK-SAME: tilegpu.shared_bytes = 16416 : i32
func.func @large() attributes {tilegpu.num_warps = 8 : i32} {
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #a>
  // CHECK: tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 32 : i32}
  %0 = tilegpu.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
  // CHECK: tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 32 : i32}
  %1 = tilegpu.convert_layout %0 : tensor<64x64xf32, #b> -> tensor<64x64xf32, #a>
  %y = arith.constant dense<1.0> : tensor<256xf32, #v>
  // CHECK: tile.reduce %{{.*}} {axis = 0 : i32, tilegpu.shared_offset = 0 : i32}
  %2 = tile.reduce %y {axis = 0 : i32} : tensor<256xf32, #v> -> f32 {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }
  return
}

// -----

// Booleans take a byte each.
#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
// CHECK-LABEL: func.func @booleans
// CHECK-SAME: tilegpu.shared_bytes = 4096 : i32
func.func @booleans() attributes {tilegpu.num_warps = 8 : i32} {
  %x = arith.constant dense<true> : tensor<64x64xi1, #a>
  %0 = tilegpu.convert_layout %x : tensor<64x64xi1, #a> -> tensor<64x64xi1, #b>
  return
}

// -----

// In a kernel with products, conversions in a loop have places of their own, which saves barriers; what runs once
// shares theirs.
#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
#s = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
// CHECK-LABEL: func.func @products
// CHECK-SAME: tilegpu.shared_bytes = 32896 : i32
func.func @products(%n: i32) attributes {tilegpu.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #a>
  %d = arith.constant dense<1.0> : tensor<64x64xf64, #a>
  %m = arith.constant dense<1.0> : tensor<4x4xf32, #s>
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 128 : i32}
    %0 = tilegpu.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    // CHECK: tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 16512 : i32}
    %1 = tilegpu.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    // CHECK: tile.dot {{.*}} {tilegpu.shared_offset = 0 : i32}
    %2 = tile.dot %m, %m, %m precision ieee : tensor<4x4xf32, #s>, tensor<4x4xf32, #s> -> tensor<4x4xf32, #s>
  }
  // CHECK: tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 0 : i32} : tensor<64x64xf64
  %3 = tilegpu.convert_layout %d : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  return
}
