// RUN: tile-opt %s --convert-tilegpu-to-nvptx | FileCheck %s

// Vectors of pointers travel as integers.
// CHECK-LABEL: llvm.func @pointers
// CHECK: llvm.ptrtoint %{{.*}} : vector<2x!llvm.ptr<1>> to vector<2xi64>
// CHECK: llvm.inline_asm has_side_effects "@$3 st.global.v2.b64 [$2], {$0, $1};"
// CHECK: llvm.inline_asm has_side_effects "@$3 ld.global.v2.b64 {$0, $1}, [$2];"
// CHECK: llvm.inttoptr %{{.*}} : vector<2xi64> to vector<2x!llvm.ptr<1>>
llvm.func @pointers(%p: !llvm.ptr<1>, %v: vector<2x!llvm.ptr<1>>, %m: i1) -> vector<2x!llvm.ptr<1>> {
  tilegpu.st %p, %v, pred %m {align = 16 : i32} : !llvm.ptr<1>, vector<2x!llvm.ptr<1>>
  %0 = tilegpu.ld %p, pred %m {align = 16 : i32} : !llvm.ptr<1> -> vector<2x!llvm.ptr<1>>
  llvm.return %0 : vector<2x!llvm.ptr<1>>
}

// ptxas takes `.volatile` with neither a cache operator nor a hint at eviction.
// CHECK-LABEL: llvm.func @volatile
// CHECK: "@$2 ld.volatile.global.b32 $0, [$1];"
// CHECK: "@$2 ld.volatile.global.b32 $0, [$1];"
// CHECK: "@$2 ld.global.cg.b32 $0, [$1];"
// CHECK: "@$2 ld.global.L1::evict_first.b32 $0, [$1];"
llvm.func @volatile(%p: !llvm.ptr<1>, %m: i1) {
  %0 = tilegpu.ld %p, pred %m {align = 4 : i32, cache = 2 : i32, is_volatile} : !llvm.ptr<1> -> f32
  %1 = tilegpu.ld %p, pred %m {align = 4 : i32, evict = 1 : i32, is_volatile} : !llvm.ptr<1> -> f32
  %2 = tilegpu.ld %p, pred %m {align = 4 : i32, cache = 2 : i32, evict = 1 : i32} : !llvm.ptr<1> -> f32
  %3 = tilegpu.ld %p, pred %m {align = 4 : i32, evict = 1 : i32} : !llvm.ptr<1> -> f32
  llvm.return
}
