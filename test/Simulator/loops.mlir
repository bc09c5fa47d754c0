// RUN: tile-opt %s --simt-to-host | FileCheck %s

// A loop looks whether a launch wants to end, and calls the library then; a branch forwards does not.
// CHECK: line = 4 : i32, what = "loop"
// CHECK: llvm.mlir.global external @tilec_sim_alarm() {addr_space = 0 : i32} : i32
// CHECK-LABEL: llvm.func @k(
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](%[[I:.*]]: i32):
// CHECK: %[[ALARM:.*]] = llvm.mlir.addressof @tilec_sim_alarm
// CHECK: %[[COUNT:.*]] = llvm.load volatile %[[ALARM]]
// CHECK: %[[CALM:.*]] = llvm.icmp "eq" %[[COUNT]]
// CHECK: llvm.cond_br %[[CALM]], ^[[REST:bb[0-9]+]], ^[[CHECK:bb[0-9]+]]
// CHECK: ^[[CHECK]]:
// CHECK: llvm.call @tilec_sim_loop(
// CHECK: llvm.br ^[[REST]]
// CHECK: ^[[REST]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
// CHECK-NOT: tilec_sim_loop
llvm.func @k(%n: i32) attributes {nvvm.kernel, tilegpu.num_warps = 1 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %some = llvm.icmp "sgt" %n, %c0 : i32
  llvm.cond_br %some, ^loop(%c0 : i32), ^end
^loop(%i: i32):
  %next = llvm.add %i, %c1 : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end loc("k.tile":4:5)
^end:
  llvm.return
}
