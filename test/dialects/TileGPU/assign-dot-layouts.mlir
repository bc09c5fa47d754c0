// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-assign-dot-layouts=capability=80 --split-input-file | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-assign-dot-layouts=capability=89 --split-input-file | FileCheck %s --check-prefixes=CHECK,SM89

// The instruction's tile of the accumulator, and the fragments that go with it: two warps part the rows, two the
// columns.
// CHECK-DAG: #[[ACC:.*]] = #tilegpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 8]]>
// CHECK-DAG: #[[LHS:.*]] = #tilegpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [32, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 0]]>
// CHECK-DAG: #[[RHS:.*]] = #tilegpu.layout<register = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 16], [0, 32]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{\[\[}}0, 0], [0, 8]]>
// CHECK-LABEL: func.func @halves
// CHECK: %[[A:.*]] = tilegpu.convert_layout %{{.*}} -> tensor<64x32xf16, #[[LHS]]>
// CHECK: %[[B:.*]] = tilegpu.convert_layout %{{.*}} -> tensor<32x64xf16, #[[RHS]]>
// CHECK: %[[C:.*]] = tilegpu.convert_layout %{{.*}} -> tensor<64x64xf32, #[[ACC]]>
// CHECK: %[[D:.*]] = tile.dot %[[A]], %[[B]], %[[C]] : {{.*}} -> tensor<64x64xf32, #[[ACC]]>
// CHECK: tilegpu.convert_layout %[[D]] : tensor<64x64xf32, #[[ACC]]> -> tensor<64x64xf32, #{{.*}}>
func.func @halves(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<2.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// What tensor cores do not do as precisely as asked: a thread has 4x4 elements of the result, operands stay.
// CHECK: #[[ACC:.*]] = #tilegpu.layout<register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [4, 0], [8, 0]], warp = {{\[\[}}0, 32], [16, 0]]>
// CHECK-LABEL: func.func @ieee
// CHECK: %[[A:.*]] = arith.constant dense<1.{{.*}}> : tensor<32x32xf32
// CHECK: tile.dot %[[A]], %{{.*}}, %{{.*}} precision ieee : {{.*}} -> tensor<32x64xf32, #[[ACC]]>
func.func @ieee() attributes {tile.kernel} {
  %a = arith.constant dense<1.0> : tensor<32x32xf32>
  %b = arith.constant dense<2.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<32x64xf32>
  %d = tile.dot %a, %b, %c precision ieee : tensor<32x32xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  return
}

// -----

// f16 holds every f8; it takes its place where tensor cores have no f8, or sum it with too few bits.
// CHECK-LABEL: func.func @bytes
// SM80: tile.dot {{.*}} tensor<16x32xf16
// SM89: tile.dot {{.*}} tensor<16x32xf8E4M3FN{{.*}} tensor<32x16xf8E5M2
// CHECK: tile.dot {{.*}} tensor<16x32xf16
func.func @bytes() attributes {tile.kernel} {
  %a = arith.constant dense<1.0> : tensor<16x32xf8E4M3FN>
  %b = arith.constant dense<2.0> : tensor<32x16xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %c : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  %e = tile.dot %a, %b, %d {max_imprecise = 0 : i32} : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  return
}

// -----

// A product whose result becomes another's left operand keeps whole rows in a warp.
// CHECK: #[[ACC:.*]] = #tilegpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8]], lane = {{.*}}, warp = {{\[\[}}16, 0], [32, 0]]>
// CHECK-LABEL: func.func @chain
// CHECK: tile.dot {{.*}} -> tensor<64x16xf32, #[[ACC]]>
// CHECK: tile.dot {{.*}} -> tensor<64x16xf32, #[[ACC]]>
func.func @chain() attributes {tile.kernel} {
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %b = arith.constant dense<2.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<64x16xf32>
  %p = tile.dot %a, %b, %c : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
  %h = arith.truncf %p : tensor<64x16xf32> to tensor<64x16xf16>
  %d = tile.dot %h, %b, %c : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
  return
}
