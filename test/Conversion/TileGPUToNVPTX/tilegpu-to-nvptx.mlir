// RUN: tile-opt %s --convert-tilegpu-to-nvptx --split-input-file | FileCheck %s

// Nothing special: LLVM's own accesses.
// CHECK-LABEL: llvm.func @plain
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> bf16
// CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : bf16, !llvm.ptr<3>
// CHECK: llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: inline_asm
llvm.func @plain(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>) {
  %0 = tilegpu.ld %p {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
  tilegpu.st %p, %0 {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
  %1 = tilegpu.ld %s {align = 2 : i32} : !llvm.ptr<3> -> bf16
  tilegpu.st %s, %1 {align = 2 : i32} : !llvm.ptr<3>, bf16
  %2 = tilegpu.ld %p {align = 4 : i32, is_volatile} : !llvm.ptr<1> -> f32
  llvm.return
}

// -----

// A predicate needs no branch. Registers are tied to what they keep.
// CHECK-LABEL: llvm.func @predicated
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: i1, %[[O:.*]]: vector<4xf32>)
// CHECK: %[[W:.*]] = llvm.bitcast %[[O]] : vector<4xf32> to vector<4xi32>
// CHECK: %[[W0:.*]] = llvm.extractelement %[[W]]
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %[[P]], %[[M]], %[[W0]], %{{.*}}, %{{.*}}, %{{.*}} : (!llvm.ptr<1>, i1, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.extractvalue %[[R]][0]
// CHECK: llvm.extractvalue %[[R]][3]
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: llvm.inline_asm has_side_effects "@$5 st.global.v4.b32 [$4], {$0, $1, $2, $3};", "r,r,r,r,l,b" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[P]], %[[M]]
llvm.func @predicated(%p: !llvm.ptr<1>, %m: i1, %o: vector<4xf32>) {
  %0 = tilegpu.ld %p, pred %m, other %o : vector<4xf32> {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
  tilegpu.st %p, %0, pred %m {align = 16 : i32} : !llvm.ptr<1>, vector<4xf32>
  llvm.return
}

// -----

// Without other it keeps zero.
// CHECK-LABEL: llvm.func @zero
// CHECK: %[[Z:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0" %{{.*}}, %{{.*}}, %[[Z]] : (!llvm.ptr<1>, i1, i32) -> i32
// CHECK: llvm.bitcast %[[R]] : i32 to f32
llvm.func @zero(%p: !llvm.ptr<1>, %m: i1) {
  %0 = tilegpu.ld %p, pred %m {align = 4 : i32} : !llvm.ptr<1> -> f32
  llvm.return
}

// -----

// Every size: bytes travel in 16 bits, eight and sixteen bytes as words, 64 bits as themselves.
// CHECK-LABEL: llvm.func @sizes
// CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b,0"
// CHECK: llvm.trunc %{{.*}} : i16 to i8
// CHECK: "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0"
// CHECK: llvm.bitcast %{{.*}} : i16 to f16
// CHECK: "@$2 ld.global.b16 $0, [$1];", "=h,l,b,0"
// CHECK: llvm.bitcast %{{.*}} : i16 to vector<2xi8>
// CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0"
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xbf16>
// CHECK: "@$3 ld.global.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b,0,1"
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
// CHECK: "@$2 ld.global.b64 $0, [$1];", "=l,l,b,0"
// CHECK: llvm.bitcast %{{.*}} : i64 to f64
// CHECK: "@$3 ld.global.v2.b64 {$0, $1}, [$2];", "=l,=l,l,b,0,1"
// CHECK: llvm.bitcast %{{.*}} : vector<2xi64> to vector<2xf64>
// CHECK: "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<16xi8>
// CHECK: "@$2 ld.global.b64 $0, [$1];", "=l,l,b,0"
// CHECK: llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
llvm.func @sizes(%p: !llvm.ptr<1>, %m: i1) {
  %0 = tilegpu.ld %p, pred %m {align = 1 : i32} : !llvm.ptr<1> -> i8
  %1 = tilegpu.ld %p, pred %m {align = 2 : i32} : !llvm.ptr<1> -> f16
  %2 = tilegpu.ld %p, pred %m {align = 2 : i32} : !llvm.ptr<1> -> vector<2xi8>
  %3 = tilegpu.ld %p, pred %m {align = 4 : i32} : !llvm.ptr<1> -> vector<2xbf16>
  %4 = tilegpu.ld %p, pred %m {align = 8 : i32} : !llvm.ptr<1> -> vector<4xf16>
  %5 = tilegpu.ld %p, pred %m {align = 8 : i32} : !llvm.ptr<1> -> f64
  %6 = tilegpu.ld %p, pred %m {align = 16 : i32} : !llvm.ptr<1> -> vector<2xf64>
  %7 = tilegpu.ld %p, pred %m {align = 16 : i32} : !llvm.ptr<1> -> vector<16xi8>
  %8 = tilegpu.ld %p, pred %m {align = 8 : i32} : !llvm.ptr<1> -> !llvm.ptr<1>
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @stores
// CHECK: llvm.zext %{{.*}} : i8 to i16
// CHECK: "@$2 st.global.b8 [$1], $0;", "h,l,b"
// CHECK: llvm.bitcast %{{.*}} : bf16 to i16
// CHECK: "@$2 st.global.b16 [$1], $0;", "h,l,b"
// CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
// CHECK: "@$2 st.global.b64 [$1], $0;", "l,l,b"
// CHECK: llvm.ptrtoint %{{.*}} : vector<2x!llvm.ptr<1>> to vector<2xi64>
// CHECK: "@$3 st.global.v2.b64 [$2], {$0, $1};", "l,l,l,b"
llvm.func @stores(%p: !llvm.ptr<1>, %m: i1, %a: i8, %b: bf16, %c: vector<2x!llvm.ptr<1>>) {
  tilegpu.st %p, %a, pred %m {align = 1 : i32} : !llvm.ptr<1>, i8
  tilegpu.st %p, %b, pred %m {align = 2 : i32} : !llvm.ptr<1>, bf16
  tilegpu.st %p, %p, pred %m {align = 8 : i32} : !llvm.ptr<1>, !llvm.ptr<1>
  tilegpu.st %p, %c, pred %m {align = 16 : i32} : !llvm.ptr<1>, vector<2x!llvm.ptr<1>>
  llvm.return
}

// -----

// Cache operators and eviction priorities, with and without predicate; a cache operator comes first.
// CHECK-LABEL: llvm.func @caches
// CHECK: "ld.global.ca.b32 $0, [$1];", "=r,l"
// CHECK: "@$2 ld.global.cg.b32 $0, [$1];", "=r,l,b,0"
// CHECK: "ld.global.L1::evict_first.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
// CHECK: "ld.global.L1::evict_last.b32 $0, [$1];", "=r,l"
// CHECK: "ld.global.cs.b32 $0, [$1];", "=r,l"
// CHECK: "st.global.wt.b32 [$1], $0;", "r,l"
// CHECK: "@$2 st.global.L1::evict_first.b32 [$1], $0;", "r,l,b"
llvm.func @caches(%p: !llvm.ptr<1>, %m: i1, %v: f32) {
  %0 = tilegpu.ld %p {align = 4 : i32, cache = 1 : i32} : !llvm.ptr<1> -> f32
  %1 = tilegpu.ld %p, pred %m {align = 4 : i32, cache = 2 : i32} : !llvm.ptr<1> -> f32
  %2 = tilegpu.ld %p {align = 16 : i32, evict = 1 : i32} : !llvm.ptr<1> -> vector<4xf32>
  %3 = tilegpu.ld %p {align = 4 : i32, evict = 2 : i32} : !llvm.ptr<1> -> f32
  %4 = tilegpu.ld %p {align = 4 : i32, cache = 3 : i32, evict = 1 : i32} : !llvm.ptr<1> -> f32
  tilegpu.st %p, %v {align = 4 : i32, cache = 6 : i32} : !llvm.ptr<1>, f32
  tilegpu.st %p, %v, pred %m {align = 4 : i32, evict = 1 : i32} : !llvm.ptr<1>, f32
  llvm.return
}

// -----

// PTX has no cache operators on volatile loads.
// CHECK-LABEL: llvm.func @volatile
// CHECK: "@$2 ld.volatile.global.b32 $0, [$1];", "=r,l,b,0"
// CHECK: "@$2 ld.volatile.global.b32 $0, [$1];", "=r,l,b,0"
llvm.func @volatile(%p: !llvm.ptr<1>, %m: i1) {
  %0 = tilegpu.ld %p, pred %m {align = 4 : i32, is_volatile} : !llvm.ptr<1> -> f32
  %1 = tilegpu.ld %p, pred %m {align = 4 : i32, is_volatile, cache = 2 : i32} : !llvm.ptr<1> -> f32
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @shared
// CHECK: "@$2 ld.shared.b32 $0, [$1];", "=r,l,b,0" %{{.*}} : (!llvm.ptr<3>, i1, i32) -> i32
// CHECK: "@$5 st.shared.v4.b32 [$4], {$0, $1, $2, $3};", "r,r,r,r,l,b"
llvm.func @shared(%p: !llvm.ptr<3>, %m: i1, %v: vector<8xf16>) {
  %0 = tilegpu.ld %p, pred %m {align = 4 : i32} : !llvm.ptr<3> -> f32
  tilegpu.st %p, %v, pred %m {align = 16 : i32} : !llvm.ptr<3>, vector<8xf16>
  llvm.return
}

// -----

// Hardware functions are intrinsics or what code generation takes for them: LLVM knows that they touch
// no memory, which it does not know of inline PTX without side effects.
// CHECK-LABEL: llvm.func @functions
// CHECK-NOT: inline_asm
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%{{.*}}) : (f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"
// CHECK: llvm.fdiv %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<afn>} : f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"
// CHECK: llvm.intr.tanh(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.sin.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.cos.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK-NOT: inline_asm
// CHECK-NOT: tilegpu
llvm.func @functions(%x: f32, %y: f32) {
  %0 = tilegpu.approx ex2 %x : f32
  %1 = tilegpu.approx lg2 %x : f32
  %2 = tilegpu.approx rcp %x : f32
  %3 = tilegpu.approx rsqrt %x : f32
  %4 = tilegpu.approx sqrt %x : f32
  %5 = tilegpu.approx tanh %x : f32
  %6 = tilegpu.approx sin %x : f32
  %7 = tilegpu.approx cos %x : f32
  %8 = tilegpu.div_full %x, %y : f32
  llvm.return
}
