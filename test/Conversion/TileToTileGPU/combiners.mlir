// RUN: tile-opt %s --convert-tile-to-tilegpu="num-warps=1" | FileCheck %s

// Both sides of a branch in a combiner are computed, inner ones first, and promises go.
// CHECK-LABEL: func.func @branches
// CHECK: tile.scan
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK-NEXT: %[[P:.*]] = arith.cmpi slt, %[[A]], %[[B]] : i32
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[B]] : i32
// CHECK-NEXT: %[[Q:.*]] = arith.cmpi eq, %[[A]], %[[B]] : i32
// CHECK-NEXT: %[[I:.*]] = arith.select %[[Q]], %[[A]], %[[B]] : i32
// CHECK-NEXT: %[[R:.*]] = arith.select %[[P]], %[[S]], %[[I]] : i32
// CHECK-NEXT: tile.yield %[[R]] : i32
func.func @branches(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange 0, 32 : tensor<32xi32>
  %0 = tile.scan %i {axis = 0 : i32} : tensor<32xi32> {
  ^bb0(%a: i32, %b: i32):
    %less = arith.cmpi slt, %a, %b : i32
    tile.assume %less
    %r = scf.if %less -> i32 {
      %s = arith.addi %a, %b : i32
      scf.yield %s : i32
    } else {
      %equal = arith.cmpi eq, %a, %b : i32
      %inner = scf.if %equal -> i32 {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      scf.yield %inner : i32
    }
    tile.yield %r : i32
  }
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  tile.store %ps, %0 : tensor<32x!tile.ptr<i32>>
  return
}
