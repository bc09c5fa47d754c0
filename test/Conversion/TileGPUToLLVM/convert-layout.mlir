// RUN: tile-opt %s --convert-tilegpu-to-llvm --split-input-file | FileCheck %s

// The same threads with other registers: a permutation.
#a = #tilegpu.layout<register = [1, 32], lane = [2, 4, 8, 16, 64], warp = []>
#b = #tilegpu.layout<register = [32, 1], lane = [2, 4, 8, 16, 64], warp = []>
// CHECK-LABEL: llvm.func @registers
// CHECK: llvm.shufflevector %{{.*}} [0, 0, 0, 0]
// CHECK: llvm.shufflevector %{{.*}} [0, 2, 1, 3] : vector<4xf32>
// CHECK-NOT: shfl
// CHECK-NOT: tilegpu_shared
// CHECK: llvm.return
func.func @registers(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f32 -> tensor<128xf32, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128xf32, #a> -> tensor<128xf32, #b>
  return
}

// -----

// Fewer registers, where the others repeated them.
#a = #tilegpu.layout<register = [0, 32], lane = [1, 2, 4, 8, 16], warp = []>
#b = #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @dropped
// CHECK: llvm.shufflevector %{{.*}} [0, 0, 0, 0]
// CHECK: llvm.shufflevector %{{.*}} [0, 2] : vector<4xf32>
// CHECK-NOT: shfl
func.func @dropped(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f32 -> tensor<64xf32, #a>
  %1 = tilegpu.convert_layout %0 : tensor<64xf32, #a> -> tensor<64xf32, #b>
  return
}

// -----

// Other lanes of one warp: shuffles. Elements of two words take two, of half a word one for two, of a
// byte one for four, and a bool counts as a byte.
#a = #tilegpu.layout<register = [32, 64], lane = [1, 2, 4, 8, 16], warp = []>
#b = #tilegpu.layout<register = [32, 64], lane = [2, 1, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @f32
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK-LABEL: llvm.func @f64
// CHECK-COUNT-8: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK-LABEL: llvm.func @bf16
// CHECK: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK-LABEL: llvm.func @i1
// CHECK: llvm.zext %{{.*}} : vector<4xi1> to vector<4xi8>
// CHECK: llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.trunc %{{.*}} : vector<4xi8> to vector<4xi1>
// CHECK-LABEL: llvm.func @pointers
// CHECK: llvm.ptrtoint
// CHECK-COUNT-8: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.inttoptr
func.func @f32(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f32 -> tensor<128xf32, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128xf32, #a> -> tensor<128xf32, #b>
  return
}
func.func @f64(%x: f64) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f64 -> tensor<128xf64, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128xf64, #a> -> tensor<128xf64, #b>
  return
}
func.func @bf16(%x: bf16) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : bf16 -> tensor<128xbf16, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128xbf16, #a> -> tensor<128xbf16, #b>
  return
}
func.func @i1(%x: i1) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : i1 -> tensor<128xi1, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128xi1, #a> -> tensor<128xi1, #b>
  return
}
func.func @pointers(%x: !tile.ptr<f32>) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #a>
  %1 = tilegpu.convert_layout %0 : tensor<128x!tile.ptr<f32>, #a> -> tensor<128x!tile.ptr<f32>, #b>
  return
}

// -----

// Other warps: a trip through shared memory, as wide as both sides allow.
#a = #tilegpu.layout<register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]]>
// CHECK: llvm.mlir.global external @tilegpu_shared
// CHECK-LABEL: llvm.func @shared
// CHECK: %[[S:.*]] = llvm.mlir.addressof @tilegpu_shared
// CHECK: llvm.getelementptr %[[S]][32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: tilegpu.st %{{.*}} : {{.*}}<3>
// CHECK: nvvm.barrier
// CHECK-NOT: tilegpu.st
// CHECK: tilegpu.ld %{{.*}} : {{.*}}<3>
// CHECK-NOT: nvvm.barrier
func.func @shared(%x: f32) attributes {tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 16416 : i32} {
  %0 = tile.splat %x : f32 -> tensor<64x64xf32, #a>
  %1 = tilegpu.convert_layout %0 {tilegpu.shared_offset = 32 : i32} : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
  return
}

// -----

// Booleans go as bytes.
#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
#b = #tilegpu.layout<register = [], lane = [64, 32, 4, 8, 16], warp = [2, 1]>
// CHECK-LABEL: llvm.func @booleans
// CHECK: llvm.zext %{{.*}} : vector<1xi1> to vector<1xi8>
// CHECK: tilegpu.st %{{.*}} {align = 1 : i32} : {{.*}}<3>, i8
// CHECK: nvvm.barrier
// CHECK: tilegpu.ld %{{.*}} {align = 1 : i32} : {{.*}}<3> -> i8
// CHECK: llvm.trunc %{{.*}} : vector<1xi8> to vector<1xi1>
func.func @booleans(%x: i1) attributes {tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 128 : i32} {
  %0 = tile.splat %x : i1 -> tensor<128xi1, #a>
  %1 = tilegpu.convert_layout %0 {tilegpu.shared_offset = 0 : i32} : tensor<128xi1, #a> -> tensor<128xi1, #b>
  return
}

// -----

// More than 32 KiB go in pieces through the same bytes: here two, with a barrier between them.
#a = #tilegpu.layout<register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#b = #tilegpu.layout<register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]]>
// CHECK-LABEL: llvm.func @pieces
// CHECK-SAME: tilegpu.shared_bytes = 32768 : i32
// CHECK: tilegpu.st
// CHECK: nvvm.barrier0
// CHECK: tilegpu.ld
// CHECK: nvvm.barrier0
// CHECK: tilegpu.st
// CHECK: nvvm.barrier0
// CHECK: tilegpu.ld
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
func.func @pieces(%x: f64) attributes {tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 32768 : i32} {
  %0 = tile.splat %x : f64 -> tensor<128x64xf64, #a>
  %1 = tilegpu.convert_layout %0 {tilegpu.shared_offset = 0 : i32} : tensor<128x64xf64, #a> -> tensor<128x64xf64, #b>
  return
}
