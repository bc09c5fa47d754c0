// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// The two sides are neighbours in a thread.
#h = #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>
#j = #tilegpu.layout<register = [[0, 1], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
// CHECK-LABEL: llvm.func @join_split
// CHECK: %[[J:.*]] = llvm.shufflevector %[[A:.*]], %[[B:.*]] [0, 2, 1, 3] : vector<2xf32>
// CHECK: llvm.shufflevector %[[J]], %{{.*}} [0, 2]
// CHECK: llvm.shufflevector %[[J]], %{{.*}} [1, 3]
// CHECK-NOT: nvvm.shfl
func.func @join_split(%p: !tile.ptr<f32>, %x: f32, %y: f32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<64xf32, #h>
  %b = tile.splat %y : f32 -> tensor<64xf32, #h>
  %j = tile.join %a, %b : tensor<64xf32, #h> -> tensor<64x2xf32, #j>
  %l, %r = tile.split %j : tensor<64x2xf32, #j> -> tensor<64xf32, #h>
  %s = arith.subf %l, %r : tensor<64xf32, #h>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #h>
  tile.store %ps, %s : tensor<64x!tile.ptr<f32>, #h>
  return
}

// -----

// The sides are neighbouring lanes, both of which hold the halves: each takes its own.
#h = #tilegpu.layout<register = [], lane = [0, 1, 2, 4, 8], warp = []>
#j = #tilegpu.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
// CHECK-LABEL: llvm.func @lanes
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[M:.*]] = llvm.and %[[T]], %{{.*}} : i32
// CHECK: %[[ODD:.*]] = llvm.icmp "ne" %[[M]], %{{.*}} : i32
// CHECK: llvm.select %[[ODD]], %{{.*}}, %{{.*}} : i1, vector<1xf32>
func.func @lanes(%p: !tile.ptr<f32>, %x: f32, %y: f32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16xf32, #h>
  %b = tile.splat %y : f32 -> tensor<16xf32, #h>
  %j = tile.join %a, %b : tensor<16xf32, #h> -> tensor<16x2xf32, #j>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x2x!tile.ptr<f32>, #j>
  tile.store %ps, %j : tensor<16x2x!tile.ptr<f32>, #j>
  return
}

// -----

// Owners write the source, and all read where their indices say, which go around.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 0], warp = [16]>
// CHECK-LABEL: llvm.func @gather
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} : {{.*}}<3>, f32
// CHECK: nvvm.barrier
// CHECK: %[[I:.*]] = llvm.extractelement
// CHECK: llvm.and %[[I]], %{{.*}} : i32
// CHECK: tilegpu.ld %{{.*}} : {{.*}}<3> -> f32
func.func @gather(%p: !tile.ptr<f32>, %x: f32, %k: i32) attributes {tile.kernel, tilegpu.num_warps = 2 : i32, tilegpu.shared_bytes = 128 : i32} {
  %a = tile.splat %x : f32 -> tensor<32xf32, #l>
  %i = tile.splat %k : i32 -> tensor<32xi32, #l>
  %g = tile.gather %a, %i {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<32xf32, #l>, tensor<32xi32, #l> -> tensor<32xf32, #l>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #l>
  tile.store %ps, %g : tensor<32x!tile.ptr<f32>, #l>
  return
}

// -----

// A row is 16 lanes of two elements: both are asked for, and the index says which it is.
#l = #tilegpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]], warp = [[2, 0]]>
// CHECK-LABEL: llvm.func @gather_in_warp
// CHECK-NOT: nvvm.barrier
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK: llvm.select
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK: llvm.select
// CHECK-NOT: nvvm
// CHECK: llvm.return
func.func @gather_in_warp(%p: !tile.ptr<f32>, %x: f32, %k: i32) attributes {tile.kernel, tilegpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f32 -> tensor<4x32xf32, #l>
  %i = tile.splat %k : i32 -> tensor<4x32xi32, #l>
  %g = tile.gather %a, %i {axis = 1 : i32} : tensor<4x32xf32, #l>, tensor<4x32xi32, #l> -> tensor<4x32xf32, #l>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x32x!tile.ptr<f32>, #l>
  tile.store %ps, %g : tensor<4x32x!tile.ptr<f32>, #l>
  return
}

// -----

// Zeros, a barrier, one addition for each element, a barrier.
#l = #tilegpu.layout<register = [64], lane = [1, 2, 4, 8, 16], warp = [32]>
#b = #tilegpu.layout<register = [], lane = [1, 2, 4, 0, 0], warp = [0]>
// CHECK-LABEL: llvm.func @histogram
// CHECK: tilegpu.st
// CHECK: nvvm.barrier
// CHECK-COUNT-2: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, i32
// CHECK: nvvm.barrier
// CHECK: tilegpu.ld
func.func @histogram(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel, tilegpu.num_warps = 2 : i32, tilegpu.shared_bytes = 32 : i32} {
  %a = tile.splat %x : i32 -> tensor<128xi32, #l>
  %h = tile.histogram %a {tilegpu.shared_offset = 0 : i32} : tensor<128xi32, #l> -> tensor<8xi32, #b>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>, #b>
  tile.store %ps, %h : tensor<8x!tile.ptr<i32>, #b>
  return
}
