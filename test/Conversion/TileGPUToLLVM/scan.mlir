// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// Two elements a thread: one combination in it, five shuffles across lanes, one exchange between warps
// through shared memory, and what came before is added to both elements at the end.
#l = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = [64]>
// CHECK-LABEL: llvm.func @sums
// CHECK: llvm.fadd %{{.*}} : vector<1xf32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} {align = 4 : i32} : {{.*}}<3>, f32
// CHECK-NEXT: nvvm.barrier
// CHECK: tilegpu.ld %{{.*}} {align = 4 : i32} : {{.*}}<3> -> f32
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @sums(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tilegpu.num_warps = 2 : i32, tilegpu.shared_bytes = 16 : i32} {
  %i = tile.splat %x : f32 -> tensor<128xf32, #l>
  %0 = tile.scan %i {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #l>
  tile.store %ps, %0 : tensor<128x!tile.ptr<f32>, #l>
  return
}

// -----

// Rows in one thread each, scanned from their ends: what comes first stands left.
#m = #tilegpu.layout<register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[LAST:.*]] = llvm.shufflevector %[[V:.*]], %{{.*}} [1]
// CHECK: %[[FIRST:.*]] = llvm.shufflevector %[[V]], %{{.*}} [0]
// CHECK: llvm.sub %[[LAST]], %[[FIRST]] : vector<1xi32>
// CHECK-NOT: nvvm
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [1, 0]
func.func @rows(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.splat %x : i32 -> tensor<32x2xi32, #m>
  %0 = tile.scan %i reverse {axis = 1 : i32} : tensor<32x2xi32, #m> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.subi %a, %b : i32
    tile.yield %c : i32
  }
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x2x!tile.ptr<i32>, #m>
  tile.store %ps, %0 : tensor<32x2x!tile.ptr<i32>, #m>
  return
}

// -----

// Hardware functions in a combiner work on one register at a time.
#r = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = []>
// CHECK-LABEL: llvm.func @functions
// CHECK: tilegpu.approx ex2 %{{.*}} : f32
// CHECK: tilegpu.approx ex2 %{{.*}} : f32
func.func @functions(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.splat %x : f32 -> tensor<128xf32, #r>
  %0 = tile.reduce %i {axis = 0 : i32} : tensor<128xf32, #r> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %e = tilegpu.approx ex2 %a : f32
    %c = arith.addf %e, %b : f32
    tile.yield %c : f32
  }
  tile.store %p, %0 : !tile.ptr<f32>
  return
}
