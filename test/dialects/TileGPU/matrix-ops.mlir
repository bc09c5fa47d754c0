// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%h: vector<8xf16>, %i: vector<4xf16>, %c: vector<4xf32>, %d: vector<4xf16>, %t: vector<4xf32>,
                    %u: vector<2xf32>, %b: vector<16xi8>, %e: vector<8xi8>, %n: vector<4xi32>) {
  // CHECK: tilegpu.mma %{{.*}}, %{{.*}}, %{{.*}}, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf32>
  %0 = tilegpu.mma %h, %i, %c, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf32>
  // CHECK: tilegpu.mma {{.*}}, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf16>
  %1 = tilegpu.mma %h, %i, %d, f16 * f16 : vector<8xf16>, vector<4xf16>, vector<4xf16>
  // CHECK: tilegpu.mma {{.*}}, tf32 * tf32 : vector<4xf32>, vector<2xf32>, vector<4xf32>
  %2 = tilegpu.mma %t, %u, %c, tf32 * tf32 : vector<4xf32>, vector<2xf32>, vector<4xf32>
  // CHECK: tilegpu.mma {{.*}}, i8 * i8 : vector<16xi8>, vector<8xi8>, vector<4xi32>
  %3 = tilegpu.mma %b, %e, %n, i8 * i8 : vector<16xi8>, vector<8xi8>, vector<4xi32>
  // CHECK: tilegpu.mma {{.*}}, f8E4M3FN * f8E5M2 : vector<16xi8>, vector<8xi8>, vector<4xf32>
  %4 = tilegpu.mma %b, %e, %c, f8E4M3FN * f8E5M2 : vector<16xi8>, vector<8xi8>, vector<4xf32>
  return
}

// CHECK-LABEL: func.func @matrices
func.func @matrices(%p: !llvm.ptr<3>) {
  // CHECK: tilegpu.ldmatrix %{{.*}} : <3> -> vector<4xi32>
  %0 = tilegpu.ldmatrix %p : !llvm.ptr<3> -> vector<4xi32>
  // CHECK: tilegpu.ldmatrix %{{.*}} {trans} : <3> -> vector<1xi32>
  %1 = tilegpu.ldmatrix %p {trans} : !llvm.ptr<3> -> vector<1xi32>
  return
}
