// RUN: tile-opt %s --convert-tilegpu-to-nvptx | FileCheck %s

// f16 travels in pairs, everything else in words.
// CHECK-LABEL: llvm.func @halves
// CHECK-SAME: (%[[A:.*]]: vector<8xf16>, %[[B:.*]]: vector<4xf16>, %[[C:.*]]: vector<4xf32>
// CHECK: %[[A0:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 1] : vector<8xf16>
// CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"(%[[A0]], {{.*}}) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK: llvm.extractvalue %[[R]][3]
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f16.f16"({{.*}}) : {{.*}} -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
llvm.func @halves(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>, %d: vector<4xf16>) {
  %0 = tilegpu.mma %a, %b, %c, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf32>
  %1 = tilegpu.mma %a, %b, %d, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf16>
  llvm.return
}

// CHECK-LABEL: llvm.func @words
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"({{.*}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.tf32"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.s8"({{.*}}) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"
llvm.func @words(%a: vector<8xbf16>, %b: vector<4xbf16>, %c: vector<4xf32>, %t: vector<2xf32>, %x: vector<16xi8>,
                 %y: vector<8xi8>, %n: vector<4xi32>) {
  %0 = tilegpu.mma %a, %b, %c, bf16 * bf16 : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
  %1 = tilegpu.mma %c, %t, %c, tf32 * tf32 : vector<4xf32>, vector<2xf32>, vector<4xf32>
  %2 = tilegpu.mma %x, %y, %n, i8 * i8 : vector<16xi8>, vector<8xi8>, vector<4xi32>
  %3 = tilegpu.mma %x, %y, %c, f8E4M3FN * f8E5M2 : vector<16xi8>, vector<8xi8>, vector<4xf32>
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3"(%{{.*}}) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3"(%{{.*}}) : (!llvm.ptr<3>) -> i32
llvm.func @matrices(%p: !llvm.ptr<3>) {
  %0 = tilegpu.ldmatrix %p {trans} : !llvm.ptr<3> -> vector<4xi32>
  %1 = tilegpu.ldmatrix %p : !llvm.ptr<3> -> vector<2xi32>
  %2 = tilegpu.ldmatrix %p : !llvm.ptr<3> -> vector<1xi32>
  llvm.return
}
