// RUN: tile-opt %s --convert-tilegpu-to-llvm --split-input-file --verify-diagnostics

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
#b = #tilegpu.layout<register = [], lane = [64, 32, 4, 8, 16], warp = [2, 1]>
func.func @convert(%x: f32) attributes {tilegpu.num_warps = 4 : i32} {
  %0 = tile.splat %x : f32 -> tensor<128xf32, #a>
  // expected-error@+2 {{conversion through shared memory has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first}}
  // expected-error@+1 {{failed to legalize operation 'tilegpu.convert_layout'}}
  %1 = tilegpu.convert_layout %0 : tensor<128xf32, #a> -> tensor<128xf32, #b>
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @reduce(%x: f32, %p: !tile.ptr<f32>) attributes {tilegpu.num_warps = 4 : i32} {
  %0 = tile.splat %x : f32 -> tensor<128xf32, #a>
  // expected-error@+2 {{reduction across warps has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first}}
  // expected-error@+1 {{failed to legalize operation 'tile.reduce'}}
  %1 = tile.reduce %0 {axis = 0 : i32} : tensor<128xf32, #a> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  tile.store %p, %1 : !tile.ptr<f32>
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
#c = #tilegpu.layout<register = [], lane = [[2, 0], [1, 0], [4, 0], [8, 0], [16, 0]], warp = []>
func.func @rename(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f32 -> tensor<32xf32, #a>
  // expected-error-re@+2 {{layouts of {{.*}} and {{.*}} do not keep elements in their threads}}
  // expected-error@+1 {{failed to legalize operation 'tile.expand_dims'}}
  %1 = tile.expand_dims %0 {axis = 1 : i32} : tensor<32xf32, #a> -> tensor<32x1xf32, #c>
  return
}
