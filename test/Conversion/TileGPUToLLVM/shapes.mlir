// RUN: tile-opt %s --convert-tilegpu-to-llvm --split-input-file | FileCheck %s

// Operations without effects stay as long as CSE does not run.

// The thread's part of an index is computed once, the registers' part is a constant.
#l = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-LABEL: llvm.func @arange
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[M:.*]] = llvm.and %[[T]]
// CHECK: %[[S:.*]] = llvm.shl %[[M]]
// CHECK: %[[V:.*]] = llvm.insertelement %[[S]]
// CHECK: %[[ALL:.*]] = llvm.shufflevector %[[V]], %{{.*}} [0, 0, 0, 0]
// CHECK: %[[C:.*]] = llvm.mlir.constant(dense<[64, 65, 66, 67]> : vector<4xi32>)
// CHECK: llvm.add %[[ALL]], %[[C]] : vector<4xi32>
func.func @arange() attributes {tilegpu.num_warps = 4 : i32} {
  %0 = tile.arange 64, 576 : tensor<512xi32, #l>
  return
}

// -----

// Where lanes and registers flip the same bit, indices are exclusive ors, and the start is added.
#l = #tilegpu.layout<register = [1], lane = [3, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @swizzled
// CHECK: llvm.mlir.constant(dense<[0, 1]> : vector<2xi32>)
// CHECK: %[[X:.*]] = llvm.xor %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK: llvm.add %[[X]], %{{.*}} : vector<2xi32>
func.func @swizzled() attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.arange 7, 71 : tensor<64xi32, #l>
  return
}

// -----

#l = #tilegpu.layout<register = [32, 64], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @splats
// CHECK-SAME: (%[[X:.*]]: f16)
// CHECK: %[[V:.*]] = llvm.insertelement %[[X]], %{{.*}} : vector<4xf16>
// CHECK: llvm.shufflevector %[[V]], %{{.*}} [0, 0, 0, 0] : vector<4xf16>
// CHECK: llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
// CHECK: llvm.mlir.constant(dense<-1.500000e+00> : vector<4xbf16>) : vector<4xbf16>
func.func @splats(%x: f16) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.splat %x : f16 -> tensor<128xf16, #l>
  %1 = arith.constant dense<true> : tensor<128xi1, #l>
  %2 = arith.constant dense<-1.5> : tensor<128xbf16, #l>
  return
}

// -----

// Elementwise operations are one operation on the vector.
#l = #tilegpu.layout<register = [32, 64], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @elementwise
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: llvm.intr.maxnum(%{{.*}}) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK: %[[C:.*]] = llvm.fcmp "olt" %{{.*}} : vector<4xf32>
// CHECK: llvm.select %[[C]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: llvm.fptrunc %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK: llvm.sext %{{.*}} : vector<4xi8> to vector<4xi64>
// A scalar condition chooses between vectors.
// CHECK: llvm.select %{{.*}}, %{{.*}} : i1, vector<4xf32>
// Hardware functions take one register each.
// CHECK-COUNT-4: tilegpu.approx ex2 %{{.*}} : f32
// CHECK-NOT: tilegpu.approx
// CHECK-COUNT-4: tilegpu.div_full %{{.*}} : f32
func.func @elementwise(%a: f32, %b: i8, %c: i1) attributes {tilegpu.num_warps = 1 : i32} {
  %x = tile.splat %a : f32 -> tensor<128xf32, #l>
  %y = tile.splat %b : i8 -> tensor<128xi8, #l>
  %0 = arith.addf %x, %x : tensor<128xf32, #l>
  %1 = arith.maxnumf %0, %x : tensor<128xf32, #l>
  %2 = arith.cmpf olt, %0, %1 : tensor<128xf32, #l>
  %3 = arith.select %2, %0, %1 : tensor<128xi1, #l>, tensor<128xf32, #l>
  %4 = arith.truncf %3 : tensor<128xf32, #l> to tensor<128xf16, #l>
  %5 = arith.extsi %y : tensor<128xi8, #l> to tensor<128xi64, #l>
  %6 = arith.select %c, %0, %1 : tensor<128xf32, #l>
  %7 = tilegpu.approx ex2 %0 : tensor<128xf32, #l>
  %8 = tilegpu.div_full %0, %1 : tensor<128xf32, #l>
  return
}

// -----

// Operations that rename elements move nothing, or permute registers.
#l = #tilegpu.layout<register = [32, 64], lane = [1, 2, 4, 8, 16], warp = []>
#c = #tilegpu.layout<register = [[32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#m = #tilegpu.layout<register = [[0, 1], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#t = #tilegpu.layout<register = [[0, 32], [0, 64], [1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#r = #tilegpu.layout<register = [1, 64, 128], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @renamed
// CHECK: %[[I:.*]] = llvm.add %{{.*}} : vector<4xi32>
// CHECK: %[[B:.*]] = llvm.shufflevector %[[I]], %{{.*}} [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi32>
// CHECK: llvm.shufflevector %[[B]], %{{.*}} [0, 2, 4, 6, 1, 3, 5, 7] : vector<8xi32>
// The reshape is nothing: its result is added to the broadcast.
// CHECK-NOT: llvm.shufflevector
// CHECK: llvm.add %[[B]], %[[B]] : vector<8xi32>
func.func @renamed() attributes {tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 128 : tensor<128xi32, #l>
  %e = tile.expand_dims %i {axis = 1 : i32} : tensor<128xi32, #l> -> tensor<128x1xi32, #c>
  %b = tile.broadcast %e : tensor<128x1xi32, #c> -> tensor<128x2xi32, #m>
  %t = tile.trans %b {order = array<i32: 1, 0>} : tensor<128x2xi32, #m> -> tensor<2x128xi32, #t>
  %r = tile.reshape %b : tensor<128x2xi32, #m> -> tensor<256xi32, #r>
  %s = arith.addi %r, %r : tensor<256xi32, #r>
  return
}

// -----

// Programs, and what is promised of values.
// CHECK-LABEL: llvm.func @programs
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.x
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.y
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.z
// CHECK-DAG: nvvm.read.ptx.sreg.nctaid.x
// CHECK-DAG: nvvm.read.ptx.sreg.nctaid.y
// CHECK-DAG: nvvm.read.ptx.sreg.nctaid.z
// CHECK: llvm.intr.assume
// CHECK-NOT: tile.hint
func.func @programs(%c: i1) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.program_id 0
  %1 = tile.program_id 1
  %2 = tile.program_id 2
  %3 = tile.num_programs 0
  %4 = tile.num_programs 1
  %5 = tile.num_programs 2
  %6 = tile.hint %0 {divisibility = array<i64: 16>} : i32
  tile.assume %c
  return
}

// -----

// One warp orders its lanes among themselves.
// CHECK-LABEL: llvm.func @one_warp
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: nvvm.barrier
func.func @one_warp() attributes {tilegpu.num_warps = 1 : i32} {
  tilegpu.barrier
  return
}

// -----

// CHECK-LABEL: llvm.func @two_warps
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.bar.warp.sync
func.func @two_warps() attributes {tilegpu.num_warps = 2 : i32} {
  tilegpu.barrier
  tile.barrier
  return
}

// -----

// Tensors in control flow are vectors of block arguments.
#l = #tilegpu.layout<register = [32, 64], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @control_flow
// CHECK: llvm.br ^[[HEAD:.*]](%{{.*}} : i32, vector<4xi32>)
// CHECK: ^[[HEAD]](%{{.*}}: i32, %{{.*}}: vector<4xi32>):
// CHECK: llvm.cond_br
// CHECK: llvm.add %{{.*}} : vector<4xi32>
// CHECK: llvm.br ^[[HEAD]]
func.func @control_flow(%n: i32) attributes {tilegpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0, 128 : tensor<128xi32, #l>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> (tensor<128xi32, #l>) : i32 {
    %b = arith.addi %a, %i : tensor<128xi32, #l>
    scf.yield %b : tensor<128xi32, #l>
  }
  return
}
