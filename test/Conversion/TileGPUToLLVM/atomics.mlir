// RUN: tile-opt %s --tilegpu-allocate-shared --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// Owners change each element once; without a use nothing goes further.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 0], warp = [0, 0]>
// CHECK-LABEL: llvm.func @owners
// CHECK-SAME: tilegpu.shared_bytes = 0 : i32
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq"
// CHECK: %[[PRED:.*]] = llvm.and %{{.*}}, %[[OWNER]] : i1
// CHECK: tilegpu.atom add relaxed gpu %{{.*}}, %{{.*}}, pred %[[PRED]] {arg = 0 : i32} : <1>, i32
// CHECK-NOT: tilegpu.st
func.func @owners(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 16 : tensor<16xi32, #l>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #l>
  %a = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #l>, tensor<16xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<16xi32, #l>
  %m = arith.cmpi slt, %i, %ns : tensor<16xi32, #l>
  %0 = tile.atomic_rmw add relaxed gpu %a, %i, mask %m : tensor<16x!tile.ptr<i32>, #l>
  return
}

// -----

// A result that several threads hold goes through shared memory, written by the owners.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 0], warp = [0, 0]>
// CHECK-LABEL: llvm.func @replicated
// CHECK-SAME: tilegpu.shared_bytes = 64 : i32
// CHECK: %[[OLD:.*]] = tilegpu.cas acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}}, pred %[[OWNER:[^ ]*]]
// CHECK: tilegpu.st %[[S:.*]], %{{.*}}, pred %[[OWNER]] {align = 4 : i32} : <3>, i32
// CHECK: nvvm.barrier0
// CHECK: tilegpu.ld %[[S]] {align = 4 : i32} : <3> -> i32
func.func @replicated(%p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 16 : tensor<16xi32, #l>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #l>
  %a = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #l>, tensor<16xi32, #l>
  %0 = tile.atomic_cas acq_rel gpu %a, %i, %i : tensor<16x!tile.ptr<i32>, #l>
  tile.store %a, %0 : tensor<16x!tile.ptr<i32>, #l>
  return
}

// -----

// Registers that hold one element are one access.
#l = #tilegpu.layout<register = [1, 0], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @registers
// CHECK-COUNT-2: tilegpu.atom fadd
// CHECK-NOT: tilegpu.atom
// CHECK-NOT: tilegpu.st %{{.*}}<3>
// CHECK: llvm.return
func.func @registers(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 64 : tensor<64xi32, #l>
  %v = arith.constant dense<1.0> : tensor<64xf16, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #l>
  %a = tile.addptr %ps, %i : tensor<64x!tile.ptr<f16>, #l>, tensor<64xi32, #l>
  %0 = tile.atomic_rmw fadd relaxed gpu %a, %v : tensor<64x!tile.ptr<f16>, #l>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #l>
  %b = tile.addptr %qs, %i : tensor<64x!tile.ptr<f16>, #l>, tensor<64xi32, #l>
  tile.store %b, %0 : tensor<64x!tile.ptr<f16>, #l>
  return
}

// -----

// A scalar is one thread's; the program has 4 warps.
// CHECK-LABEL: llvm.func @scalar
// CHECK-SAME: tilegpu.shared_bytes = 16 : i32
// CHECK: %[[OLD:.*]] = tilegpu.atom xchg acquire sys %{{.*}}, %{{.*}}, pred %[[FIRST:.*]] {arg = 0 : i32} : <1>, i64
// CHECK: tilegpu.st %[[S:.*]], %[[OLD]], pred %[[FIRST]] {align = 8 : i32} : <3>, i64
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: %[[ALL:.*]] = tilegpu.ld %[[S]] {align = 8 : i32} : <3> -> i64
// CHECK: tilegpu.st %{{.*}}, %[[ALL]]
func.func @scalar(%p: !tile.ptr<i64>, %v: i64) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %0 = tile.atomic_rmw xchg acquire sys %p, %v : !tile.ptr<i64>
  tile.store %p, %0 : !tile.ptr<i64>
  return
}

// -----

// One warp needs no memory.
// CHECK-LABEL: llvm.func @one_warp
// CHECK-SAME: tilegpu.shared_bytes = 0 : i32
// CHECK: %[[OLD:.*]] = tilegpu.atom add acq_rel gpu
// CHECK: nvvm.shfl.sync idx %{{.*}}, %[[OLD]]
// CHECK: nvvm.bar.warp.sync
func.func @one_warp(%p: !tile.ptr<i32>, %v: i32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %0 = tile.atomic_rmw add acq_rel gpu %p, %v : !tile.ptr<i32>
  tile.store %p, %0 : !tile.ptr<i32>
  return
}
