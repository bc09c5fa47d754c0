// RUN: tile-opt %s --simt-to-host | FileCheck %s

// One entry per instrumented operation, in the order of the calls.
// CHECK: module attributes {tilegpu.sim_sites = [
// CHECK-SAME: {align = 16 : i32, arg = 0 : i32, bytes = 16 : i32, column = 9 : i32, element = "fp32", element_bytes = 4 : i32, file = "k.tile", line = 3 : i32, what = "load"}
// CHECK-SAME: {align = 4 : i32, bytes = 4 : i32, column = 1 : i32, element = "fp32", element_bytes = 4 : i32, file = "k.tile", line = 4 : i32, what = "store"}
// CHECK-SAME: {column = 1 : i32, file = "k.tile", line = 5 : i32, what = "barrier"}
// CHECK-SAME: what = "shuffle"
// CHECK-SAME: {align = 2 : i32, arg = 0 : i32, bytes = 2 : i32,
// CHECK-SAME: element = "fp32", element_bytes = 4 : i32,
// CHECK-SAME: what = "store"}
// CHECK-SAME: what = "return"

// The shared array is the library's; what the library offers is declared on first use.
// CHECK-NOT: tilegpu_shared
// CHECK-DAG: llvm.func @tilec_sim_special(i32) -> i32
// CHECK-DAG: llvm.func @tilec_sim_global_load(!llvm.ptr<1>, i1 {llvm.zeroext}, i32) -> !llvm.ptr<1>
// CHECK-DAG: llvm.func @tilec_sim_shared_store(!llvm.ptr<3>, i1 {llvm.zeroext}, i32) -> !llvm.ptr<3>
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

// The entry takes the arguments as cuLaunchKernel does.
// CHECK-LABEL: llvm.func @__sim_k(%arg0: !llvm.ptr)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %arg0[1]
// CHECK: %[[AT:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[N:.*]] = llvm.load %[[AT]] {alignment = 1 : i64} : !llvm.ptr -> i32
// CHECK: llvm.call @k(%{{.*}}, %[[N]])

// No attribute of the GPU is left on the kernel.
// CHECK-LABEL: llvm.func @k(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %[[LIMIT:.*]]: i32) attributes {passthrough = {{\[\[}}"probe-stack", "inline-asm"]]}
llvm.func @k(%x: !llvm.ptr<1> {tile.name = "x_ptr", tile.type = "*fp32"}, %n: i32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tilegpu.num_warps = 1 : i32, tilegpu.shared_bytes = 128 : i32} {
  // CHECK: %[[BASE:.*]] = llvm.call @tilec_sim_shared_base() : () -> !llvm.ptr<3>
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %o = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  // CHECK: %[[TID:.*]] = llvm.call @tilec_sim_special(%{{.*}}) : (i32) -> i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %m = llvm.icmp "slt" %tid, %n : i32
  // CHECK: %[[M:.*]] = llvm.icmp "slt" %[[TID]], %[[LIMIT]]

  // A load that the predicate keeps away reads scratch memory, and then `other` replaces it.
  // CHECK: %[[S0:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[Q:.*]] = llvm.call @tilec_sim_global_load(%[[X]], %[[M]], %[[S0]])
  // CHECK: %[[RAW:.*]] = llvm.load %[[Q]] {alignment = 1 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: llvm.select %[[M]], %[[RAW]], %{{.*}} : i1, vector<4xf32>
  %v = tilegpu.ld %x, pred %m, other %o : vector<4xf32> {align = 16 : i32, arg = 0 : i32} : !llvm.ptr<1> -> vector<4xf32> loc("k.tile":3:9)
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %e = llvm.extractelement %v[%c0 : i32] : vector<4xf32>

  // CHECK: %[[R:.*]] = llvm.call @tilec_sim_shared_store(%[[BASE]], %{{.*}}, %{{.*}})
  // CHECK: llvm.store %{{.*}}, %[[R]] {alignment = 1 : i64} : f32, !llvm.ptr<3>
  llvm.store %e, %shared : f32, !llvm.ptr<3> loc("k.tile":4:1)

  // CHECK: llvm.call @tilec_sim_barrier(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32) -> ()
  nvvm.barrier0 loc("k.tile":5:1)

  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[BOTH:.*]] = llvm.call @tilec_sim_shuffle_bfly(%{{.*}}, %[[BITS]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[BOTH]] : i64 to i32
  // CHECK: llvm.bitcast %[[LOW]] : i32 to f32
  %s = nvvm.shfl.sync bfly %all, %e, %c1, %c31 : f32 -> f32

  // CHECK: llvm.call @tilec_sim_ex2(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.fdiv
  %a = tilegpu.approx ex2 %s : f32
  %d = tilegpu.div_full %a, %s : f32
  %h = llvm.fptrunc %d : f32 to f16

  // CHECK: llvm.call @tilec_sim_global_store(%[[X]], %[[M]], %{{.*}})
  tilegpu.st %x, %h, pred %m {align = 2 : i32, arg = 0 : i32} : !llvm.ptr<1>, f16

  // CHECK: llvm.call @tilec_sim_exit
  // CHECK-NEXT: llvm.return
  llvm.return
}

// Accesses of the stack are the kernel's own business.
// CHECK-LABEL: llvm.func @private
// CHECK-NOT: llvm.call
// CHECK: llvm.return
llvm.func @private(%p: !llvm.ptr) -> f32 {
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return %v : f32
}
