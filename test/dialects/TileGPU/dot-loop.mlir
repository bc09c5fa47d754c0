// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-coalesce --tilegpu-assign-dot-layouts --tilegpu-remove-conversions --canonicalize --cse | FileCheck %s

// The accumulator keeps its layout from the first turn to the last; in the loop only the operands change theirs.
// CHECK: #[[ACC:.*]] = #tilegpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 8]]>
// CHECK-LABEL: func.func @loop
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[ACC]]>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[ZERO]]
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[Y:.*]] = tile.load
// CHECK: tilegpu.convert_layout %[[X]]
// CHECK-NEXT: tilegpu.convert_layout %[[Y]]
// CHECK-NOT: convert_layout
// CHECK: %[[D:.*]] = tile.dot {{.*}}, %[[C]]
// CHECK-NOT: convert_layout
// CHECK: scf.yield %[[D]]
// CHECK: }
// CHECK: %[[S:.*]] = arith.mulf %[[R]], %[[R]] : tensor<64x64xf32, #[[ACC]]>
// CHECK: tilegpu.convert_layout %[[S]]
// CHECK-NEXT: tile.store
func.func @loop(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange 0, 64 : tensor<64xi32>
  %row = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %col = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %rs = arith.muli %row, %c64 : tensor<64x1xi32>
  %rb = tile.broadcast %rs : tensor<64x1xi32> -> tensor<64x64xi32>
  %cb = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %rb, %cb : tensor<64x64xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pk = tile.addptr %p, %k : !tile.ptr<f16>, i32
    %ps = tile.splat %pk : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %a = tile.addptr %ps, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %ps2 = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %b = tile.addptr %ps2, %o : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %a : tensor<64x64x!tile.ptr<f16>>
    %y = tile.load %b : tensor<64x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %sq = arith.mulf %r, %r : tensor<64x64xf32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %qa = tile.addptr %qs, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %qa, %sq : tensor<64x64x!tile.ptr<f32>>
  return
}
