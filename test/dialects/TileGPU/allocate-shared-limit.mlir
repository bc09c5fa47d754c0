// RUN: tile-opt %s --tilegpu-allocate-shared=limit=16416 --verify-diagnostics --split-input-file | FileCheck %s
// RUN: not tile-opt %s --tilegpu-allocate-shared=limit=16400 --split-input-file 2>&1 | FileCheck %s --check-prefix=LESS

// LESS: error: kernel 'fits' needs 16416 bytes of shared memory a block, but the target has 16400
// LESS: note: 16384 bytes to move fp32[64, 64] between warps
// LESS: note: 32 bytes to move fp32[256] between warps

// Exactly as much as there is will do.
#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
#v = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64, 128]>
// CHECK-LABEL: func.func @fits
// CHECK-SAME: tilegpu.shared_bytes = 16416 : i32
func.func @fits() attributes {tilegpu.num_warps = 8 : i32} {
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #a>
  %0 = tilegpu.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
  %y = arith.constant dense<1.0> : tensor<256xf32, #v>
  %2 = tile.reduce %y {axis = 0 : i32} : tensor<256xf32, #v> -> f32 {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }
  return
}

// -----

#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
// expected-error@+1 {{kernel 'too_much' needs 32768 bytes of shared memory a block, but the target has 16416: make the tiles smaller}}
func.func @too_much() attributes {tilegpu.num_warps = 8 : i32} {
  %x = arith.constant dense<1.0> : tensor<64x64xf64, #a>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %0 = tilegpu.convert_layout %x : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  return
}

// -----

// Only the largest are named.
#a = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]]>
// expected-error@+1 {{kernel 'many' needs}}
func.func @many() attributes {tilegpu.num_warps = 8 : i32} {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #a>
  %y = arith.constant dense<1.0> : tensor<64x64xf64, #a>
  %0 = tilegpu.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %1 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %2 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %3 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %4 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %5 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %6 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %7 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  // expected-note@+1 {{32768 bytes to move fp64[64, 64] between warps}}
  %8 = tilegpu.convert_layout %y : tensor<64x64xf64, #a> -> tensor<64x64xf64, #b>
  %9 = tilegpu.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #b>
  return
}
