// RUN: tile-opt %s --convert-tilegpu-to-nvptx | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: tile-opt %s --convert-tilegpu-to-nvptx=target=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: not tile-opt %s --convert-tilegpu-to-nvptx=target=gpu 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: target 'gpu' has no number, as in 'sm_90'

// `red` where nothing uses what stood there; it acquires nothing.
// CHECK-LABEL: llvm.func @unused
// CHECK: "red.release.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}"
// CHECK: "@$2 red.relaxed.sys.global.max.s64 [$0], $1;", "l,l,b,~{memory}"
// CHECK: "red.release.cta.global.add.f32 [$0], $1;"
// CHECK: "red.relaxed.gpu.global.add.noftz.f16 [$0], $1;", "l,h,~{memory}"
// CHECK: "red.relaxed.gpu.global.and.b32
// CHECK: "red.relaxed.gpu.global.or.b32
// CHECK: "red.relaxed.gpu.global.xor.b64
// CHECK: "red.relaxed.gpu.global.min.u32
// CHECK: "red.relaxed.gpu.global.min.s32
// CHECK: "red.relaxed.gpu.global.max.u64
// CHECK: "red.relaxed.gpu.global.add.f64
// There is no exchange that forgets.
// CHECK: "atom.acq_rel.gpu.global.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"
llvm.func @unused(%p: !llvm.ptr<1>, %m: i1, %i: i32, %l: i64, %f: f32, %h: f16, %d: f64) {
  %0 = tilegpu.atom add acq_rel gpu %p, %i : !llvm.ptr<1>, i32
  %1 = tilegpu.atom max acquire sys %p, %l, pred %m : !llvm.ptr<1>, i64
  %2 = tilegpu.atom fadd release cta %p, %f : !llvm.ptr<1>, f32
  %3 = tilegpu.atom fadd relaxed gpu %p, %h : !llvm.ptr<1>, f16
  %4 = tilegpu.atom and relaxed gpu %p, %i : !llvm.ptr<1>, i32
  %5 = tilegpu.atom or relaxed gpu %p, %i : !llvm.ptr<1>, i32
  %6 = tilegpu.atom xor relaxed gpu %p, %l : !llvm.ptr<1>, i64
  %7 = tilegpu.atom umin relaxed gpu %p, %i : !llvm.ptr<1>, i32
  %8 = tilegpu.atom min relaxed gpu %p, %i : !llvm.ptr<1>, i32
  %9 = tilegpu.atom umax relaxed gpu %p, %l : !llvm.ptr<1>, i64
  %10 = tilegpu.atom fadd relaxed gpu %p, %d : !llvm.ptr<1>, f64
  %11 = tilegpu.atom xchg acq_rel gpu %p, %f : !llvm.ptr<1>, f32
  llvm.return
}

// Zero where the predicate is false.
// CHECK-LABEL: llvm.func @used
// CHECK: %[[Z:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects "@$3 atom.acquire.gpu.global.add.f32 $0, [$1], $2;", "=r,l,r,b,0,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %[[Z]] : (!llvm.ptr<1>, i32, i1, i32) -> i32
// CHECK: llvm.bitcast %[[R]] : i32 to f32
llvm.func @used(%p: !llvm.ptr<1>, %m: i1, %f: f32) -> f32 {
  %0 = tilegpu.atom fadd acquire gpu %p, %f, pred %m : !llvm.ptr<1>, f32
  llvm.return %0 : f32
}

// CHECK-LABEL: llvm.func @swap
// CHECK: "@$4 atom.acq_rel.gpu.global.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,b,0,~{memory}"
// CHECK: "atom.relaxed.sys.global.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l,~{memory}"
llvm.func @swap(%p: !llvm.ptr<1>, %m: i1, %h: f16, %l: i64) {
  %0 = tilegpu.cas acq_rel gpu %p, %h, %h, pred %m : !llvm.ptr<1>, f16
  %1 = tilegpu.cas relaxed sys %p, %l, %l : !llvm.ptr<1>, i64
  llvm.return
}

// Before sm_90 nothing adds bf16 in memory.
// CHECK-LABEL: llvm.func @bf16
// SM90: "@$2 red.relaxed.gpu.global.add.noftz.bf16 [$0], $1;"
// SM80: @!$3 bra done;
// SM80-SAME: ld.relaxed.gpu.global.b16 $0, [$1];
// SM80-SAME: fma.rn.bf16 sum, seen, one, $2;
// SM80-SAME: atom.relaxed.gpu.global.cas.b16 $0, [$1], seen, sum;
llvm.func @bf16(%p: !llvm.ptr<1>, %m: i1, %b: bf16) {
  %0 = tilegpu.atom fadd relaxed gpu %p, %b, pred %m : !llvm.ptr<1>, bf16
  llvm.return
}
