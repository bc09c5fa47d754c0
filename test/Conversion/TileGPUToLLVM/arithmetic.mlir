// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse | FileCheck %s

// Shifts by the width or more leave zeros, or the sign. A constant amount below it needs no care.
// CHECK-LABEL: llvm.func @shifts
// CHECK-SAME: (%[[X:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32,
// CHECK: %[[LAST:.*]] = llvm.mlir.constant(31 : i32)
// CHECK: %[[INSIDE:.*]] = llvm.icmp "ule" %[[N]], %[[LAST]]
// CHECK: %[[LEFT:.*]] = llvm.shl %[[X]], %[[N]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.select %[[INSIDE]], %[[LEFT]], %[[ZERO]]
// CHECK: %[[RIGHT:.*]] = llvm.lshr %[[X]], %[[N]]
// CHECK: llvm.select %[[INSIDE]], %[[RIGHT]], %[[ZERO]]
// CHECK: %[[LIMITED:.*]] = llvm.intr.umin(%[[N]], %[[LAST]])
// CHECK: llvm.ashr %[[X]], %[[LIMITED]]
// CHECK: llvm.shl %[[X]], %{{.*}}
// CHECK-NOT: llvm.select
// CHECK: llvm.return
func.func @shifts(%x: i32, %n: i32, %p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %three = arith.constant 3 : i32
  %0 = arith.shli %x, %n : i32
  %1 = arith.shrui %x, %n : i32
  %2 = arith.shrsi %x, %n : i32
  %3 = arith.shli %x, %three : i32
  %4 = arith.addi %0, %1 : i32
  %5 = arith.addi %2, %3 : i32
  %6 = arith.addi %4, %5 : i32
  tile.store %p, %6 : !tile.ptr<i32>
  return
}

// Amounts of 64 bits are limited as well: the backend would cut them to 32.
// CHECK-LABEL: llvm.func @wide_shift
// CHECK-SAME: (%[[X:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64,
// CHECK: %[[LAST:.*]] = llvm.mlir.constant(63 : i64)
// CHECK: %[[INSIDE:.*]] = llvm.icmp "ule" %[[N]], %[[LAST]]
// CHECK: %[[LIMITED:.*]] = llvm.intr.umin(%[[N]], %[[LAST]])
// CHECK: %[[LEFT:.*]] = llvm.shl %[[X]], %[[LIMITED]]
// CHECK: llvm.select %[[INSIDE]], %[[LEFT]], %{{.*}}
func.func @wide_shift(%x: i64, %n: i64, %p: !tile.ptr<i64>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %0 = arith.shli %x, %n : i64
  tile.store %p, %0 : !tile.ptr<i64>
  return
}

// Arithmetic that rounds in a direction: an intrinsic for each register.
#l = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @rounded
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.add.rz.f"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rm.d"(%{{.*}}) : (f64, f64, f64) -> f64
// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rp.f"(%{{.*}}) : (f32) -> f32
func.func @rounded(%x: f32, %y: f64, %p: !tile.ptr<f32>, %q: !tile.ptr<f64>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<64xf32, #l>
  %ptrs = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #l>
  %0 = tile.math "add_rz" %t, %t : (tensor<64xf32, #l>, tensor<64xf32, #l>) -> tensor<64xf32, #l>
  tile.store %ptrs, %0 : tensor<64x!tile.ptr<f32>, #l>
  %1 = tile.math "fma_rd" %y, %y, %y : (f64, f64, f64) -> f64
  tile.store %q, %1 : !tile.ptr<f64>
  %2 = tile.math "sqrt_ru" %x : (f32) -> f32
  tile.store %p, %2 : !tile.ptr<f32>
  return
}
