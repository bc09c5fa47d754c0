// RUN: tile-opt %s --simt-to-host | FileCheck %s

// What the processor has in another form, or the library computes.
// CHECK-LABEL: llvm.func @k(
// CHECK: llvm.call @tilec_sim_mul_rp_f(%[[X:.*]], %[[X]])
// CHECK: llvm.call @tilec_sim_rcp_rz_d(%{{.*}})
// CHECK: llvm.call_intrinsic "llvm.maximumnum"(%[[X]], %{{.*}}) : (f32, f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.minimumnum"
llvm.func @k(%x: f32, %y: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
  %0 = llvm.call_intrinsic "llvm.nvvm.mul.rp.f"(%x, %x) : (f32, f32) -> f32
  %1 = llvm.call_intrinsic "llvm.nvvm.rcp.rz.d"(%y) : (f64) -> f64
  %2 = llvm.intr.maxnum(%x, %0) : (f32, f32) -> f32
  %3 = llvm.intr.minnum(%1, %y) : (f64, f64) -> f64
  llvm.return
}
