// RUN: tile-opt %s --simt-to-host | FileCheck %s

// A loop calls the library once in 256 iterations; a branch forwards costs nothing.
// CHECK: line = 4 : i32, what = "loop"
// CHECK-LABEL: llvm.func @k(
// CHECK: %[[COUNTER:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: llvm.mlir.constant(256 : i32)
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](%[[I:.*]]: i32):
// CHECK: %[[COUNT:.*]] = llvm.sub
// CHECK: llvm.store %[[COUNT]], %[[COUNTER]]
// CHECK: %[[DUE:.*]] = llvm.icmp "eq" %[[COUNT]]
// CHECK: llvm.cond_br %[[DUE]], ^[[CHECK:bb[0-9]+]], ^[[REST:bb[0-9]+]]
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
