// RUN: tile-opt %s --tilegpu-allocate-shared --convert-tilegpu-to-llvm --split-input-file | FileCheck %s

// One instruction for each tile of the accumulator and step along K; here one tile and two steps.
#acc = #tilegpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#lhs = #tilegpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#rhs = #tilegpu.layout<register = [[1, 0], [8, 0], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @tensor_cores
// CHECK: %[[A0:.*]] = llvm.shufflevector %[[A:.*]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf16>
// CHECK: %[[A1:.*]] = llvm.shufflevector %[[A]], %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf16>
// CHECK: %[[B0:.*]] = llvm.shufflevector %[[B:.*]], %{{.*}} [0, 1, 2, 3] : vector<8xf16>
// CHECK: %[[B1:.*]] = llvm.shufflevector %[[B]], %{{.*}} [4, 5, 6, 7] : vector<8xf16>
// CHECK: %[[S:.*]] = tilegpu.mma %[[A0]], %[[B0]], %{{.*}}, f16 * f16
// CHECK: tilegpu.mma %[[A1]], %[[B1]], %[[S]], f16 * f16
// CHECK-NOT: tilegpu.mma
// CHECK: llvm.return
func.func @tensor_cores(%x: f16, %y: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x32xf16, #lhs>
  %b = tile.splat %x : f16 -> tensor<32x8xf16, #rhs>
  %c = tile.splat %y : f32 -> tensor<16x8xf32, #acc>
  %d = tile.dot %a, %b, %c : tensor<16x32xf16, #lhs>, tensor<32x8xf16, #rhs> -> tensor<16x8xf32, #acc>
  return
}

// -----

// Two pieces of each factor: the products of small ones are summed apart, then those of the large ones on top of them.
#acc = #tilegpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#lhs = #tilegpu.layout<register = [[8, 0], [0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
#rhs = #tilegpu.layout<register = [[4, 0]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @pieces
// CHECK: llvm.fsub
// CHECK: %[[P:.*]] = tilegpu.mma %[[AL:.*]], %[[BS:.*]], %{{.*}}, tf32 * tf32
// CHECK: %[[Q:.*]] = tilegpu.mma %[[AS:.*]], %[[BL:.*]], %[[P]], tf32 * tf32
// CHECK: %[[O:.*]] = llvm.fcmp "ord" %[[Q]], %[[Q]]
// CHECK: %[[R:.*]] = llvm.select %[[O]], %[[Q]], %{{.*}}
// CHECK: %[[S:.*]] = tilegpu.mma %[[AL]], %[[BL]], %[[R]], tf32 * tf32
// CHECK: llvm.fadd %{{.*}}, %[[S]]
func.func @pieces(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x8xf32, #lhs>
  %b = tile.splat %x : f32 -> tensor<8x8xf32, #rhs>
  %c = tile.splat %x : f32 -> tensor<16x8xf32, #acc>
  %d = tile.dot %a, %b, %c precision tf32x3 : tensor<16x8xf32, #lhs>, tensor<8x8xf32, #rhs> -> tensor<16x8xf32, #acc>
  return
}

// -----

// Without tensor cores: operands to shared memory, one barrier, a loop over K.
#l = #tilegpu.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#k = #tilegpu.layout<register = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#r = #tilegpu.layout<register = [[8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0], [0, 0]]>
// CHECK-LABEL: llvm.func @multiply_add
// CHECK: tilegpu.st
// CHECK: nvvm.barrier
// CHECK: llvm.br ^[[BODY:.*]](%{{.*}}, %{{.*}} : i32, vector<4xf64>)
// CHECK: ^[[BODY]](%[[K:.*]]: i32, %[[SUM:.*]]: vector<4xf64>):
// CHECK: tilegpu.ld
// CHECK: %[[NEXT:.*]] = llvm.intr.fma(%{{.*}}, %{{.*}}, %[[SUM]]) : (vector<4xf64>, vector<4xf64>, vector<4xf64>) -> vector<4xf64>
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY]](%{{.*}}, %{{.*}} : i32, vector<4xf64>), ^
func.func @multiply_add(%x: f64) attributes {tilegpu.num_warps = 4 : i32} {
  %a = tile.splat %x : f64 -> tensor<64x64xf64, #k>
  %b = tile.splat %x : f64 -> tensor<64x8xf64, #r>
  %c = tile.splat %x : f64 -> tensor<64x8xf64, #l>
  %d = tile.dot %a, %b, %c : tensor<64x64xf64, #k>, tensor<64x8xf64, #r> -> tensor<64x8xf64, #l>
  return
}

// -----

// From rows of a load to fragments: ldmatrix.
#from = #tilegpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lhs = #tilegpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]]>
// CHECK-LABEL: llvm.func @rows
// CHECK: tilegpu.st %{{.*}}, %{{.*}} {align = 16 : i32} : <3>, vector<8xf16>
// CHECK: nvvm.barrier
// CHECK: %[[V:.*]] = tilegpu.ldmatrix %{{.*}} : <3> -> vector<4xi32>
// CHECK: llvm.bitcast %[[V]] : vector<4xi32> to vector<8xf16>
// CHECK: %[[W:.*]] = tilegpu.ldmatrix %{{.*}} : <3> -> vector<4xi32>
// CHECK: llvm.bitcast %[[W]] : vector<4xi32> to vector<8xf16>
func.func @rows(%x: f16) attributes {tilegpu.num_warps = 4 : i32} {
  %a = tile.splat %x : f16 -> tensor<32x32xf16, #from>
  %b = tilegpu.convert_layout %a : tensor<32x32xf16, #from> -> tensor<32x32xf16, #lhs>
  return
}

// -----

// The same with columns side by side.
#from = #tilegpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#rhs = #tilegpu.layout<register = [[1, 0], [8, 0], [16, 0], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 8]]>
// CHECK-LABEL: llvm.func @columns
// CHECK-COUNT-2: tilegpu.ldmatrix %{{.*}} {trans} : <3> -> vector<4xi32>
func.func @columns(%x: f16) attributes {tilegpu.num_warps = 4 : i32} {
  %a = tile.splat %x : f16 -> tensor<32x32xf16, #from>
  %b = tilegpu.convert_layout %a : tensor<32x32xf16, #from> -> tensor<32x32xf16, #rhs>
  return
}

// -----

// A thread with more sums than registers spills; it is to have all the registers that there are.
#acc = #tilegpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#lhs = #tilegpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#rhs = #tilegpu.layout<register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
// CHECK-LABEL: llvm.func @large
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-COUNT-64: tilegpu.mma
func.func @large(%x: f16, %y: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<64x16xf16, #lhs>
  %b = tile.splat %x : f16 -> tensor<16x128xf16, #rhs>
  %c = tile.splat %y : f32 -> tensor<64x128xf32, #acc>
  %d = tile.dot %a, %b, %c : tensor<64x16xf16, #lhs>, tensor<16x128xf16, #rhs> -> tensor<64x128xf32, #acc>
  return
}
