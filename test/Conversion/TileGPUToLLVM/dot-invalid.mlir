// RUN: tile-opt %s --convert-tilegpu-to-llvm --split-input-file --verify-diagnostics

#l = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []>
#s = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []>
func.func @no_place(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<4x4xf32, #s>
  %b = tile.splat %x : f32 -> tensor<4x8xf32, #l>
  // expected-error@+2 {{product without tensor cores has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot'}}
  %c = tile.dot %a, %b, %b precision ieee : tensor<4x4xf32, #s>, tensor<4x8xf32, #l> -> tensor<4x8xf32, #l>
  return
}

// -----

#l = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []>
#s = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = []>
func.func @bytes(%x: f8E5M2, %y: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f8E5M2 -> tensor<4x4xf8E5M2, #s>
  %b = tile.splat %x : f8E5M2 -> tensor<4x8xf8E5M2, #l>
  %c = tile.splat %y : f32 -> tensor<4x8xf32, #l>
  // expected-error@+2 {{products of 'f8E5M2' need their layouts; run tilegpu-assign-dot-layouts first}}
  // expected-error@+1 {{failed to legalize operation 'tile.dot'}}
  %d = tile.dot %a, %b, %c : tensor<4x4xf8E5M2, #s>, tensor<4x8xf8E5M2, #l> -> tensor<4x8xf32, #l>
  return
}
