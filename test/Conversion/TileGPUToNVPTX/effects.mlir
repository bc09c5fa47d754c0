// RUN: tile-opt %s --convert-tilegpu-to-nvptx | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: tile-opt %s --convert-tilegpu-to-nvptx=target=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80

// Equal texts are one. The arguments lie in a structure, as vprintf takes them.
// CHECK-DAG: llvm.mlir.global internal constant @[[FORMAT:.*]]("x: %u %f\0A\00") {addr_space = 1 : i32}
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: llvm.func @print
// CHECK: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, f64)> {alignment = 8 : i64}
// CHECK: llvm.cond_br %{{.*}}, ^[[LINE:.*]], ^[[NEXT:.*]]
// CHECK: ^[[LINE]]:
// CHECK: llvm.getelementptr %[[BUFFER]][0, 1]
// CHECK: llvm.mlir.addressof @[[FORMAT]]
// CHECK: llvm.call @vprintf(%{{.*}}, %[[BUFFER]])
// CHECK: llvm.br ^[[NEXT]]
// CHECK: ^[[NEXT]]:
// CHECK: llvm.mlir.addressof @[[FORMAT]]
llvm.func @print(%m: i1, %i: i32, %d: f64) {
  tilegpu.print "x: %u %f\n"(%i, %d), pred %m : i32, f64
  tilegpu.print "x: %u %f\n"(%i, %d) : i32, f64
  llvm.return
}

// CHECK-LABEL: llvm.func @check
// CHECK: llvm.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[FAIL:.*]]
// CHECK: ^[[FAIL]]:
// CHECK: llvm.mlir.constant(7 : i32)
// CHECK: llvm.call @__assertfail
// CHECK: llvm.br ^[[NEXT]]
llvm.func @check(%c: i1) {
  tilegpu.check %c, "inside" loc("k.tile":7:3)
  llvm.return
}

// CHECK-LABEL: llvm.func @asm
// CHECK: llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %{{.*}} : (f32) -> f32
// CHECK: %[[S:.*]] = llvm.inline_asm has_side_effects "mov.b32 $0, $2; mov.b32 $1, $2;", "=r,=r,r" %{{.*}} : (i32) -> !llvm.struct<(i32, i32)>
// CHECK: llvm.extractvalue %[[S]][0]
// CHECK: llvm.extractvalue %[[S]][1]
llvm.func @asm(%f: f32, %i: i32) {
  %0 = tilegpu.asm "ex2.approx.f32 $0, $1;", "=f,f" pure(%f) : (f32) -> f32
  %1:2 = tilegpu.asm "mov.b32 $0, $2; mov.b32 $1, $2;", "=r,=r,r"(%i) : (i32) -> (i32, i32)
  llvm.return
}

// No access of memory passes it: the load after it stays there.
// CHECK-LABEL: llvm.func @dependency
// SM90: llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}"
// CHECK: llvm.load
// SM90: llvm.inline_asm has_side_effects "griddepcontrol.launch_dependents;", "~{memory}"
// SM80-NOT: griddepcontrol
llvm.func @dependency(%p: !llvm.ptr<1>) -> f32 {
  nvvm.griddepcontrol wait
  %0 = tilegpu.ld %p {align = 4 : i32} : !llvm.ptr<1> -> f32
  nvvm.griddepcontrol launch_dependents
  llvm.return %0 : f32
}
