// RUN: tile-opt %s --tile-canonicalize-pointers --canonicalize --split-input-file | FileCheck %s

// What all elements add alike moves to the base.
// CHECK-LABEL: func.func @scalar_part
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32, %[[I:.*]]: tensor<128xi32>)
// CHECK: %[[B:.*]] = tile.addptr %[[P]], %[[N]] : !tile.ptr<f32>, i32
// CHECK: %[[S:.*]] = tile.splat %[[B]]
// CHECK: %[[R:.*]] = tile.addptr %[[S]], %[[I]] : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
// CHECK: return %[[R]]
func.func @scalar_part(%p: !tile.ptr<f32>, %n: i32, %i: tensor<128xi32>) -> tensor<128x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %2 = tile.splat %n : i32 -> tensor<128xi32>
  %3 = tile.addptr %1, %2 : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  return %3 : tensor<128x!tile.ptr<f32>>
}

// -----

// The same of constants, of unsigned offsets, and of splats that were stretched.
// CHECK-LABEL: func.func @scalar_parts
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32)
// CHECK-DAG: %[[C:.*]] = arith.constant 64 : i64
// CHECK: %[[B1:.*]] = tile.addptr %[[P]], %[[C]] : !tile.ptr<f32>, i64
// CHECK: %[[B2:.*]] = tile.addptr %[[B1]], %[[N]] unsigned : !tile.ptr<f32>, i32
// CHECK: %[[B3:.*]] = tile.addptr %[[B2]], %[[N]] : !tile.ptr<f32>, i32
// CHECK: %[[R:.*]] = tile.splat %[[B3]] : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
// CHECK: return %[[R]]
func.func @scalar_parts(%p: !tile.ptr<f32>, %n: i32) -> tensor<4x8x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %c = arith.constant dense<64> : tensor<4xi64>
  %1 = tile.addptr %0, %c : tensor<4x!tile.ptr<f32>>, tensor<4xi64>
  %ns = tile.splat %n : i32 -> tensor<4xi32>
  %2 = tile.addptr %1, %ns unsigned : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %ne = tile.expand_dims %ns {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %nb = tile.broadcast %ne : tensor<4x1xi32> -> tensor<4x8xi32>
  %3 = tile.expand_dims %2 {axis = 1 : i32} : tensor<4x!tile.ptr<f32>> -> tensor<4x1x!tile.ptr<f32>>
  %4 = tile.broadcast %3 : tensor<4x1x!tile.ptr<f32>> -> tensor<4x8x!tile.ptr<f32>>
  %5 = tile.addptr %4, %nb : tensor<4x8x!tile.ptr<f32>>, tensor<4x8xi32>
  return %5 : tensor<4x8x!tile.ptr<f32>>
}

// -----

// Two narrow offsets could overflow together: their sum is taken in 64 bits.
// CHECK-LABEL: func.func @sum_of_offsets
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<128xi32>, %[[J:.*]]: tensor<128xi16>, %[[U:.*]]: tensor<128xi32>)
// CHECK-DAG: %[[IW:.*]] = arith.extsi %[[I]] : tensor<128xi32> to tensor<128xi64>
// CHECK-DAG: %[[JW:.*]] = arith.extsi %[[J]] : tensor<128xi16> to tensor<128xi64>
// CHECK-DAG: %[[IJ:.*]] = arith.addi %[[IW]], %[[JW]] : tensor<128xi64>
// CHECK-DAG: %[[UW:.*]] = arith.extui %[[U]] : tensor<128xi32> to tensor<128xi64>
// CHECK: %[[IJU:.*]] = arith.addi %[[IJ]], %[[UW]] : tensor<128xi64>
// CHECK: %[[S:.*]] = tile.splat %[[P]]
// CHECK: tile.addptr %[[S]], %[[IJU]] : tensor<128x!tile.ptr<f32>>, tensor<128xi64>
func.func @sum_of_offsets(%p: !tile.ptr<f32>, %i: tensor<128xi32>, %j: tensor<128xi16>, %u: tensor<128xi32>) -> tensor<128x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %2 = tile.addptr %1, %j : tensor<128x!tile.ptr<f32>>, tensor<128xi16>
  %3 = tile.addptr %2, %u unsigned : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  return %3 : tensor<128x!tile.ptr<f32>>
}

// -----

// A sum in 64 bits splits exactly; one in 32 bits wraps as a whole and stays.
// CHECK-LABEL: func.func @split
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[N:.*]]: i64, %[[I:.*]]: tensor<128xi64>)
// CHECK: %[[B:.*]] = tile.addptr %[[P]], %[[N]] : !tile.ptr<f32>, i64
// CHECK: %[[S:.*]] = tile.splat %[[B]]
// CHECK: tile.addptr %[[S]], %[[I]]
func.func @split(%p: !tile.ptr<f32>, %n: i64, %i: tensor<128xi64>) -> tensor<128x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %ns = tile.splat %n : i64 -> tensor<128xi64>
  %sum = arith.addi %ns, %i : tensor<128xi64>
  %1 = tile.addptr %0, %sum : tensor<128x!tile.ptr<f32>>, tensor<128xi64>
  return %1 : tensor<128x!tile.ptr<f32>>
}

// CHECK-LABEL: func.func @no_split
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>,
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[S:.*]] = tile.splat %[[P]]
// CHECK: tile.addptr %[[S]], %[[SUM]] : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
func.func @no_split(%p: !tile.ptr<f32>, %n: i32, %i: tensor<128xi32>) -> tensor<128x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %sum = arith.addi %ns, %i : tensor<128xi32>
  %1 = tile.addptr %0, %sum : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  return %1 : tensor<128x!tile.ptr<f32>>
}

// -----

// Shape operations work on the offsets alone.
// CHECK-LABEL: func.func @shapes
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<4x8xi32>)
// CHECK: %[[T:.*]] = tile.trans %[[I]] {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi32>
// CHECK: %[[R:.*]] = tile.reshape %[[T]] : tensor<8x4xi32> -> tensor<32xi32>
// CHECK: %[[S:.*]] = tile.splat %[[P]] : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
// CHECK: tile.addptr %[[S]], %[[R]]
func.func @shapes(%p: !tile.ptr<f32>, %i: tensor<4x8xi32>) -> tensor<32x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<4x8x!tile.ptr<f32>>, tensor<4x8xi32>
  %2 = tile.trans %1 {order = array<i32: 1, 0>} : tensor<4x8x!tile.ptr<f32>> -> tensor<8x4x!tile.ptr<f32>>
  %3 = tile.reshape %2 : tensor<8x4x!tile.ptr<f32>> -> tensor<32x!tile.ptr<f32>>
  return %3 : tensor<32x!tile.ptr<f32>>
}

// -----

// A loop that moves all elements alike carries one scalar.
// CHECK-LABEL: func.func @uniform_loop
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<128xi32>, %[[N:.*]]: i32)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]]) -> (!tile.ptr<f32>)
// CHECK: %[[S:.*]] = tile.splat %[[A]]
// CHECK: %[[T:.*]] = tile.addptr %[[S]], %[[I]]
// CHECK: tile.load %[[T]]
// CHECK: %[[B:.*]] = tile.addptr %[[A]], %[[N]] : !tile.ptr<f32>, i32
// CHECK: scf.yield %[[B]] : !tile.ptr<f32>
func.func @uniform_loop(%p: !tile.ptr<f32>, %i: tensor<128xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %1) -> (tensor<128x!tile.ptr<f32>>) : i32 {
    %v = tile.load %a : tensor<128x!tile.ptr<f32>>
    tile.store %a, %v : tensor<128x!tile.ptr<f32>>
    %ns = tile.splat %n : i32 -> tensor<128xi32>
    %b = tile.addptr %a, %ns : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    scf.yield %b : tensor<128x!tile.ptr<f32>>
  }
  return
}

// -----

// One that moves them apart carries the base and offsets of 64 bits. Other values keep their places.
// CHECK-LABEL: func.func @varying_loop
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<128xi32>, %[[N:.*]]: i32, %[[X:.*]]: tensor<128xf32>)
// CHECK: %[[W:.*]] = arith.extsi %[[I]] : tensor<128xi32> to tensor<128xi64>
// CHECK: %[[L:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]], %[[Y:.*]] = %[[X]], %[[O:.*]] = %[[W]]) -> (!tile.ptr<f32>, tensor<128xf32>, tensor<128xi64>)
// CHECK: %[[S:.*]] = tile.splat %[[A]]
// CHECK: %[[T:.*]] = tile.addptr %[[S]], %[[O]]
// CHECK: tile.load %[[T]]
// CHECK-DAG: %[[B:.*]] = tile.addptr %[[A]], %[[N]] : !tile.ptr<f32>, i32
// CHECK-DAG: %[[U:.*]] = arith.addi %[[O]], %{{.*}} : tensor<128xi64>
// CHECK: scf.yield %[[B]], %{{.*}}, %[[U]]
// CHECK: %[[S2:.*]] = tile.splat %[[L]]#0
// CHECK: %[[T2:.*]] = tile.addptr %[[S2]], %[[L]]#2
// CHECK: tile.store %[[T2]], %[[L]]#1
func.func @varying_loop(%p: !tile.ptr<f32>, %i: tensor<128xi32>, %n: i32, %x: tensor<128xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %2:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %1, %y = %x) -> (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) : i32 {
    %v = tile.load %a : tensor<128x!tile.ptr<f32>>
    %z = arith.addf %y, %v : tensor<128xf32>
    %b = tile.addptr %a, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    %c = tile.addptr %b, %ns : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    scf.yield %c, %z : tensor<128x!tile.ptr<f32>>, tensor<128xf32>
  }
  tile.store %2#0, %2#1 : tensor<128x!tile.ptr<f32>>
  return
}

// -----

// The inner loop moves all alike, the outer one doesn't.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<64xi32>, %[[N:.*]]: i32)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]], %[[O:.*]] = %{{.*}}) -> (!tile.ptr<f32>, tensor<64xi64>)
// CHECK: %[[IN:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (!tile.ptr<f32>)
// CHECK: %[[S:.*]] = tile.splat %[[B]]
// CHECK: tile.addptr %[[S]], %[[O]]
// CHECK: scf.yield %{{.*}} : !tile.ptr<f32>
// CHECK: %[[U:.*]] = arith.addi %[[O]]
// CHECK: scf.yield %[[IN]], %[[U]]
func.func @nested(%p: !tile.ptr<f32>, %i: tensor<64xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %1) -> (tensor<64x!tile.ptr<f32>>) : i32 {
    %in = scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<64x!tile.ptr<f32>>) : i32 {
      %v = tile.load %b {is_volatile} : tensor<64x!tile.ptr<f32>>
      %b1 = tile.addptr %b, %ns : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      scf.yield %b1 : tensor<64x!tile.ptr<f32>>
    }
    %in1 = tile.addptr %in, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    scf.yield %in1 : tensor<64x!tile.ptr<f32>>
  }
  return
}

// -----

// Choosing between pointers of one base chooses between offsets.
// CHECK-LABEL: func.func @select
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %{{.*}}: !tile.ptr<f32>, %[[I:.*]]: tensor<64xi32>, %[[J:.*]]: tensor<64xi64>, %[[C:.*]]: tensor<64xi1>)
// CHECK: %[[W:.*]] = arith.extsi %[[I]]
// CHECK: %[[O:.*]] = arith.select %[[C]], %[[W]], %[[J]] : tensor<64xi1>, tensor<64xi64>
// CHECK: %[[S:.*]] = tile.splat %[[P]]
// CHECK: %[[R:.*]] = tile.addptr %[[S]], %[[O]]
// Two bases stay two tensors of pointers, and what is added to them is added to pointers.
// CHECK: %[[T:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
// CHECK: %[[Q:.*]] = tile.addptr %[[T]], %[[I]]
// CHECK: return %[[R]], %[[Q]]
func.func @select(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %i: tensor<64xi32>, %j: tensor<64xi64>, %c: tensor<64xi1>) -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %0 = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %1 = tile.addptr %ps, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %2 = tile.addptr %qs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %3 = arith.select %c, %0, %1 : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
  %4 = arith.select %c, %0, %2 : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
  %5 = tile.addptr %4, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  return %3, %5 : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>
}

// -----

// A promise stays with what is loaded from; arithmetic goes around it.
// CHECK-LABEL: func.func @hint
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<64xi32>, %[[N:.*]]: i32)
// CHECK: %[[S:.*]] = tile.splat %[[P]]
// CHECK: %[[A:.*]] = tile.addptr %[[S]], %[[I]]
// CHECK: %[[H:.*]] = tile.hint %[[A]] {contiguity = array<i64: 4>, divisibility = array<i64: 16>}
// CHECK: tile.load %[[H]]
// CHECK: %[[B:.*]] = tile.addptr %[[P]], %[[N]]
// CHECK: %[[T:.*]] = tile.splat %[[B]]
// CHECK: tile.addptr %[[T]], %[[I]]
func.func @hint(%p: !tile.ptr<f32>, %i: tensor<64xi32>, %n: i32) -> (tensor<64xf32>, tensor<64x!tile.ptr<f32>>) {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %2 = tile.hint %1 {contiguity = array<i64: 4>, divisibility = array<i64: 16>} : tensor<64x!tile.ptr<f32>>
  %v = tile.load %2 : tensor<64x!tile.ptr<f32>>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %3 = tile.addptr %2, %ns : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  return %v, %3 : tensor<64xf32>, tensor<64x!tile.ptr<f32>>
}

// -----

// Another pointee of the same size casts the base; offsets of another size would have to be scaled.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: tensor<64xi32>)
// CHECK: %[[B:.*]] = tile.ptr_cast %[[P]] : !tile.ptr<f32> -> !tile.ptr<i32>
// CHECK: %[[S:.*]] = tile.splat %[[B]] : !tile.ptr<i32>
// CHECK: tile.addptr %[[S]], %[[I]]
// CHECK: tile.ptr_cast %{{.*}} : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i8>>
func.func @casts(%p: !tile.ptr<f32>, %i: tensor<64xi32>) -> (tensor<64x!tile.ptr<i32>>, tensor<64x!tile.ptr<i8>>) {
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %1 = tile.addptr %0, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %2 = tile.ptr_cast %1 : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i32>>
  %3 = tile.ptr_cast %1 : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i8>>
  return %2, %3 : tensor<64x!tile.ptr<i32>>, tensor<64x!tile.ptr<i8>>
}

// -----

// Pointers that come from elsewhere, or that a loop exchanges, stay tensors of pointers.
// CHECK-LABEL: func.func @elsewhere
// CHECK: %[[V:.*]] = tile.load
// CHECK: tile.addptr %[[V]], %{{.*}} : tensor<64x!tile.ptr<f32>>
func.func @elsewhere(%p: !tile.ptr<!tile.ptr<f32>>, %i: tensor<64xi32>) -> tensor<64x!tile.ptr<f32>> {
  %0 = tile.splat %p : !tile.ptr<!tile.ptr<f32>> -> tensor<64x!tile.ptr<!tile.ptr<f32>>>
  %1 = tile.addptr %0, %i : tensor<64x!tile.ptr<!tile.ptr<f32>>>, tensor<64xi32>
  %2 = tile.load %1 : tensor<64x!tile.ptr<!tile.ptr<f32>>>
  %3 = tile.addptr %2, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  return %3 : tensor<64x!tile.ptr<f32>>
}

// CHECK-LABEL: func.func @exchanged
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>)
// CHECK: scf.yield %[[B]], %[[A]]
func.func @exchanged(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %1 = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0, %b = %1) -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>) : i32 {
    %v = tile.load %b : tensor<64x!tile.ptr<f32>>
    tile.store %a, %v : tensor<64x!tile.ptr<f32>>
    scf.yield %b, %a : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>
  }
  return
}

// CHECK-LABEL: func.func @while
// CHECK: scf.while {{.*}} (tensor<64x!tile.ptr<f32>>, i32) -> (tensor<64x!tile.ptr<f32>>, i32)
// CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
func.func @while(%p: !tile.ptr<f32>, %n: i32, %o: tensor<64xi32>) -> tensor<64x!tile.ptr<f32>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %r:2 = scf.while (%a = %0, %i = %c0) : (tensor<64x!tile.ptr<f32>>, i32) -> (tensor<64x!tile.ptr<f32>>, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %a, %i : tensor<64x!tile.ptr<f32>>, i32
  } do {
  ^bb0(%a: tensor<64x!tile.ptr<f32>>, %i: i32):
    %a1 = tile.addptr %a, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %i1 = arith.addi %i, %c1 : i32
    scf.yield %a1, %i1 : tensor<64x!tile.ptr<f32>>, i32
  }
  return %r#0 : tensor<64x!tile.ptr<f32>>
}
