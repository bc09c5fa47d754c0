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

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @scan(%x: f32) attributes {tilegpu.num_warps = 4 : i32} {
  %0 = tile.splat %x : f32 -> tensor<128xf32, #a>
  // expected-error@+2 {{scan across warps has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first}}
  // expected-error@+1 {{failed to legalize operation 'tile.scan'}}
  %1 = tile.scan %0 {axis = 0 : i32} : tensor<128xf32, #a> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#s = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [33]>
func.func @swizzled_scan(%x: f32) attributes {tilegpu.num_warps = 2 : i32} {
  %0 = tile.splat %x : f32 -> tensor<64xf32, #s>
  // expected-error@+2 {{mixes coordinates; convert the operand of the scan to a blocked layout}}
  // expected-error@+1 {{failed to legalize operation 'tile.scan'}}
  %1 = tile.scan %0 {axis = 0 : i32} : tensor<64xf32, #s> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

#h = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 0], warp = []>
#j = #tilegpu.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
func.func @join(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f32 -> tensor<16xf32, #h>
  // expected-error@+2 {{do not keep elements in their threads}}
  // expected-error@+1 {{failed to legalize operation 'tile.join'}}
  %1 = tile.join %0, %0 : tensor<16xf32, #h> -> tensor<16x2xf32, #j>
  return
}

// -----

#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 0], warp = [16]>
func.func @gather(%i: i32) attributes {tilegpu.num_warps = 2 : i32} {
  %0 = tile.splat %i : i32 -> tensor<32xi32, #l>
  // expected-error@+2 {{'tile.gather' has no 'tilegpu.shared_offset'; run tilegpu-allocate-shared first}}
  // expected-error@+1 {{failed to legalize operation 'tile.gather'}}
  %1 = tile.gather %0, %0 {axis = 0 : i32} : tensor<32xi32, #l>, tensor<32xi32, #l> -> tensor<32xi32, #l>
  return
}
