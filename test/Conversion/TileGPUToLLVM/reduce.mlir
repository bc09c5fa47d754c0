// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// In registers by halves, across lanes by butterflies, across warps through shared memory: one thread
// a warp writes, all threads read all with one wide access.
#l = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK: llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @sum
// CHECK: llvm.fadd %{{.*}} : vector<2xf32>
// CHECK: llvm.fadd %{{.*}} : vector<1xf32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} {align = 4 : i32} : {{.*}}<3>, f32
// CHECK-NEXT: nvvm.barrier
// CHECK: tilegpu.ld %{{.*}} {align = 16 : i32} : {{.*}}<3> -> vector<4xf32>
// CHECK: llvm.fadd %{{.*}} : vector<2xf32>
// CHECK: %[[R:.*]] = llvm.fadd %{{.*}} : vector<1xf32>
// CHECK: %[[S:.*]] = llvm.extractelement %[[R]]
// CHECK: tilegpu.st %{{.*}}, %[[S]]
func.func @sum(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 16 : i32} {
  %i = tile.splat %x : f32 -> tensor<512xf32, #l>
  %0 = tile.reduce %i {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<512xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %p, %0 : !tile.ptr<f32>
  return
}

// -----

// Rows in one warp each: no shared memory, and the result stays with the lanes that had the rows.
#m = #tilegpu.layout<register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#r = #tilegpu.layout<register = [], lane = [0, 0, 0, 0, 0], warp = [1, 2]>
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.add %{{.*}} : vector<1xi32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.barrier
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} : {{.*}}<1>, i32
func.func @rows(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.splat %x : i32 -> tensor<4x64xi32, #m>
  %0 = tile.reduce %i {axis = 1 : i32} : tensor<4x64xi32, #m> -> tensor<4xi32, #r> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>, #r>
  %j = tile.arange 0, 4 : tensor<4xi32, #r>
  %pa = tile.addptr %ps, %j : tensor<4x!tile.ptr<i32>, #r>, tensor<4xi32, #r>
  tile.store %pa, %0 : tensor<4x!tile.ptr<i32>, #r>
  return
}

// -----

// Columns: warps and no lanes cross the axis.
#m = #tilegpu.layout<register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#c = #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = [0, 0]>
// CHECK-LABEL: llvm.func @columns
// CHECK-NOT: nvvm.shfl.sync
// CHECK: tilegpu.st %{{.*}} : {{.*}}<3>
// CHECK: nvvm.barrier
// CHECK: tilegpu.ld %{{.*}} : {{.*}}<3>
// CHECK: llvm.add %{{.*}} : vector<2xi32>
func.func @columns(%x: i32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 1024 : i32} {
  %i = tile.splat %x : i32 -> tensor<4x64xi32, #m>
  %0 = tile.reduce %i {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<4x64xi32, #m> -> tensor<64xi32, #c> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  return
}

// -----

// Elements that threads hold twice enter once: neither the free lanes nor the free warp take part.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 0, 0], warp = [0]>
// CHECK-LABEL: llvm.func @replicated
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @replicated(%p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 2 : i32} {
  %i = tile.arange 0, 8 : tensor<8xi32, #l>
  %0 = tile.reduce %i {axis = 0 : i32} : tensor<8xi32, #l> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %p, %0 : !tile.ptr<i32>
  return
}

// -----

// Two operands move together, each in its own part of the scratch; a bool in a byte.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32]>
// CHECK-LABEL: llvm.func @two_operands
// CHECK: llvm.icmp "sgt" %{{.*}} : vector<1xi16>
// CHECK: llvm.select %{{.*}} : vector<1xi1>, vector<1xi16>
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} {align = 2 : i32} : {{.*}}<3>, i16
// CHECK: llvm.getelementptr %{{.*}}[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %{{.*}} {align = 1 : i32} : {{.*}}<3>, i8
// CHECK: nvvm.barrier
// CHECK-DAG: tilegpu.ld %{{.*}} {align = 4 : i32} : {{.*}}<3> -> vector<2xi16>
// CHECK-DAG: tilegpu.ld %{{.*}} {align = 2 : i32} : {{.*}}<3> -> vector<2xi8>
// CHECK: llvm.trunc %{{.*}} : vector<2xi8> to vector<2xi1>
func.func @two_operands(%p: !tile.ptr<i16>, %x: i16, %y: i1) attributes {tile.kernel, tilegpu.num_warps = 2 : i32, tilegpu.shared_bytes = 32 : i32} {
  %v = tile.splat %x : i16 -> tensor<64xi16, #l>
  %w = tile.splat %y : i1 -> tensor<64xi1, #l>
  %0:2 = tile.reduce %v, %w {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<64xi16, #l>, tensor<64xi1, #l> -> i16, i1 {
  ^bb0(%a: i16, %ai: i1, %b: i16, %bi: i1):
    %c = arith.cmpi sgt, %a, %b : i16
    %r = arith.select %c, %a, %b : i16
    %ri = arith.select %c, %ai, %bi : i1
    tile.yield %r, %ri : i16, i1
  }
  tile.store %p, %0#0, mask %0#1 : !tile.ptr<i16>
  return
}

// -----

// What is not 32 bits wide: f64 in two words, f16 and bf16 in the low half of one.
#l = #tilegpu.layout<register = [], lane = [1, 0, 0, 0, 0], warp = []>
// CHECK-LABEL: llvm.func @widths
// CHECK: llvm.bitcast %{{.*}} : i64 to vector<2xi32>
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.trunc %{{.*}} : i32 to i16
// CHECK: llvm.bitcast %{{.*}} : i16 to f16
func.func @widths(%p: !tile.ptr<f64>, %q: !tile.ptr<f16>, %x: f64, %y: f16) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f64 -> tensor<2xf64, #l>
  %0 = tile.reduce %v {axis = 0 : i32} : tensor<2xf64, #l> -> f64 {
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tile.yield %c : f64
  }
  tile.store %p, %0 : !tile.ptr<f64>
  %w = tile.splat %y : f16 -> tensor<2xf16, #l>
  %1 = tile.reduce %w {axis = 0 : i32} : tensor<2xf16, #l> -> f16 {
  ^bb0(%a: f16, %b: f16):
    %c = arith.mulf %a, %b : f16
    tile.yield %c : f16
  }
  tile.store %q, %1 : !tile.ptr<f16>
  return
}

// -----

// A combiner may use constants and values of the program.
#l = #tilegpu.layout<register = [], lane = [1, 0, 0, 0, 0], warp = []>
// CHECK-LABEL: llvm.func @captures
// CHECK: %[[PID:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[V:.*]] = llvm.insertelement %[[PID]]
// CHECK: llvm.add %{{.*}}, %[[V]] : vector<1xi32>
// CHECK-NOT: unrealized_conversion_cast
func.func @captures(%p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %pid = tile.program_id 0
  %i = tile.arange 0, 2 : tensor<2xi32, #l>
  %0 = tile.reduce %i {axis = 0 : i32} : tensor<2xi32, #l> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    %d = arith.addi %c, %pid : i32
    %one = arith.constant 1 : i32
    %e = arith.maxsi %d, %one : i32
    tile.yield %e : i32
  }
  tile.store %p, %0 : !tile.ptr<i32>
  return
}

// -----

// One element is its own result.
#l = #tilegpu.layout<register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]>
#s = #tilegpu.layout<register = [], lane = [0, 0, 0, 0, 0], warp = [0]>
// CHECK-LABEL: llvm.func @one
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @one(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tilegpu.num_warps = 2 : i32} {
  %v = tile.splat %x : f32 -> tensor<1x1xf32, #l>
  %0 = tile.reduce %v {axis = 1 : i32} : tensor<1x1xf32, #l> -> tensor<1xf32, #s> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %1 = tile.reduce %0 {axis = 0 : i32} : tensor<1xf32, #s> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %p, %1 : !tile.ptr<f32>
  return
}
