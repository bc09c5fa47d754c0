// Every operation of the dialect, through both syntaxes and bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @programs(
// CHECK-SAME: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}
// CHECK-SAME: attributes {tile.kernel}
// GENERIC: "tile.program_id"() <{axis = 0 : i32}> : () -> i32
func.func @programs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"})
    attributes {tile.kernel} {
  // CHECK: tile.program_id 0
  %0 = tile.program_id 0
  // CHECK: tile.program_id 1
  %1 = tile.program_id 1
  // CHECK: tile.program_id 2
  %2 = tile.program_id 2
  // CHECK: tile.num_programs 0
  %3 = tile.num_programs 0
  // CHECK: tile.num_programs 2
  %4 = tile.num_programs 2
  // CHECK: tile.barrier
  tile.barrier
  %5 = arith.cmpi slt, %0, %3 : i32
  // CHECK: tile.assume %{{.*}}
  // GENERIC: "tile.assume"(%{{.*}}) : (i1) -> ()
  tile.assume %5
  return
}

// CHECK-LABEL: func.func @hints
// CHECK-SAME: (%[[T:.*]]: tensor<8x16xi32>, %[[S:.*]]: i32, %[[P:.*]]: !tile.ptr<f16>)
func.func @hints(%t: tensor<8x16xi32>, %s: i32, %p: !tile.ptr<f16>) {
  // CHECK: tile.hint %[[T]] {constancy = array<i64: 8, 1>, contiguity = array<i64: 1, 16>, divisibility = array<i64: 1, 16>} : tensor<8x16xi32>
  %0 = tile.hint %t {divisibility = array<i64: 1, 16>, contiguity = array<i64: 1, 16>, constancy = array<i64: 8, 1>} : tensor<8x16xi32>
  // CHECK: tile.hint %[[S]] {divisibility = array<i64: 32>} : i32
  %1 = tile.hint %s {divisibility = array<i64: 32>} : i32
  // CHECK: tile.hint %[[P]] : !tile.ptr<f16>
  %2 = tile.hint %p : !tile.ptr<f16>
  return
}

// CHECK-LABEL: func.func @shapes
// CHECK-SAME: (%[[F:.*]]: f32)
func.func @shapes(%f: f32) {
  // CHECK: %[[I:.*]] = tile.arange 0, 128 : tensor<128xi32>
  // GENERIC: "tile.arange"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32>
  %0 = tile.arange 0, 128 : tensor<128xi32>
  // CHECK: tile.arange -64, 64 : tensor<128xi32>
  %1 = tile.arange -64, 64 : tensor<128xi32>
  // CHECK: tile.splat %[[F]] : f32 -> tensor<4x8xf32>
  %2 = tile.splat %f : f32 -> tensor<4x8xf32>
  // CHECK: %[[E:.*]] = tile.expand_dims %[[I]] {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %3 = tile.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  // CHECK: %[[B:.*]] = tile.broadcast %[[E]] : tensor<128x1xi32> -> tensor<128x64xi32>
  %4 = tile.broadcast %3 : tensor<128x1xi32> -> tensor<128x64xi32>
  // CHECK: tile.reshape %[[B]] : tensor<128x64xi32> -> tensor<8192xi32>
  %5 = tile.reshape %4 : tensor<128x64xi32> -> tensor<8192xi32>
  // CHECK: tile.reshape %[[B]] allow_reorder : tensor<128x64xi32> -> tensor<64x128xi32>
  %6 = tile.reshape %4 allow_reorder : tensor<128x64xi32> -> tensor<64x128xi32>
  // CHECK: tile.trans %[[B]] {order = array<i32: 1, 0>} : tensor<128x64xi32> -> tensor<64x128xi32>
  %7 = tile.trans %4 {order = array<i32: 1, 0>} : tensor<128x64xi32> -> tensor<64x128xi32>
  return
}

// CHECK-LABEL: func.func @pointers
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[T:.*]]: tensor<4x!tile.ptr<!tile.ptr<bf16>>>, %[[O:.*]]: tensor<4xi32>, %[[U:.*]]: i64)
func.func @pointers(%p: !tile.ptr<f32>, %t: tensor<4x!tile.ptr<!tile.ptr<bf16>>>, %o: tensor<4xi32>, %u: i64) {
  // CHECK: tile.addptr %[[P]], %[[U]] : !tile.ptr<f32>, i64
  %0 = tile.addptr %p, %u : !tile.ptr<f32>, i64
  // CHECK: tile.addptr %[[T]], %[[O]] unsigned : tensor<4x!tile.ptr<!tile.ptr<bf16>>>, tensor<4xi32>
  // GENERIC: "tile.addptr"(%{{.*}}, %{{.*}}) <{unsigned_offset}> : (tensor<4x!tile.ptr<!tile.ptr<bf16>>>, tensor<4xi32>) -> tensor<4x!tile.ptr<!tile.ptr<bf16>>>
  %1 = tile.addptr %t, %o unsigned : tensor<4x!tile.ptr<!tile.ptr<bf16>>>, tensor<4xi32>
  // CHECK: tile.ptr_cast %[[P]] : !tile.ptr<f32> -> !tile.ptr<i8>
  %2 = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i8>
  // CHECK: tile.ptr_to_int %[[T]] : tensor<4x!tile.ptr<!tile.ptr<bf16>>> -> tensor<4xi64>
  %3 = tile.ptr_to_int %t : tensor<4x!tile.ptr<!tile.ptr<bf16>>> -> tensor<4xi64>
  // CHECK: tile.int_to_ptr %[[U]] : i64 -> !tile.ptr<f8E4M3FN>
  %4 = tile.int_to_ptr %u : i64 -> !tile.ptr<f8E4M3FN>
  return
}

// CHECK-LABEL: func.func @memory
// CHECK-SAME: (%[[P:.*]]: tensor<4x!tile.ptr<f16>>, %[[M:.*]]: tensor<4xi1>, %[[V:.*]]: tensor<4xf16>, %[[S:.*]]: !tile.ptr<i32>, %[[B:.*]]: i1, %[[I:.*]]: i32)
func.func @memory(%p: tensor<4x!tile.ptr<f16>>, %m: tensor<4xi1>, %v: tensor<4xf16>, %s: !tile.ptr<i32>, %b: i1, %i: i32) {
  // CHECK: tile.load %[[P]] : tensor<4x!tile.ptr<f16>>
  %0 = tile.load %p : tensor<4x!tile.ptr<f16>>
  // CHECK: tile.load %[[P]], mask %[[M]] : tensor<4x!tile.ptr<f16>>
  %1 = tile.load %p, mask %m : tensor<4x!tile.ptr<f16>>
  // CHECK: tile.load %[[P]], mask %[[M]], other %[[V]] {cache = 2 : i32, evict = 1 : i32, is_volatile} : tensor<4x!tile.ptr<f16>>
  // GENERIC: "tile.load"(%{{.*}}, %{{.*}}, %{{.*}}) <{cache = 2 : i32, evict = 1 : i32, is_volatile, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x!tile.ptr<f16>>, tensor<4xi1>, tensor<4xf16>) -> tensor<4xf16>
  %2 = tile.load %p, mask %m, other %v {cache = 2 : i32, evict = 1 : i32, is_volatile} : tensor<4x!tile.ptr<f16>>
  // CHECK: tile.load %[[S]], mask %[[B]], other %[[I]] : !tile.ptr<i32>
  %3 = tile.load %s, mask %b, other %i : !tile.ptr<i32>
  // CHECK: tile.store %[[P]], %[[V]] : tensor<4x!tile.ptr<f16>>
  tile.store %p, %v : tensor<4x!tile.ptr<f16>>
  // CHECK: tile.store %[[P]], %[[V]], mask %[[M]] {cache = 6 : i32, evict = 2 : i32} : tensor<4x!tile.ptr<f16>>
  tile.store %p, %v, mask %m {cache = 6 : i32, evict = 2 : i32} : tensor<4x!tile.ptr<f16>>
  // CHECK: tile.store %[[S]], %[[I]], mask %[[B]] : !tile.ptr<i32>
  tile.store %s, %i, mask %b : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func.func @reductions
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<4x8xi32>, %[[V:.*]]: tensor<16xi64>)
func.func @reductions(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %v: tensor<16xi64>) {
  // CHECK: tile.reduce %[[V]] {axis = 0 : i32} : tensor<16xi64> -> i64 {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64):
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[B]] : i64
  // CHECK-NEXT: tile.yield %[[S]] : i64
  %0 = tile.reduce %v {axis = 0 : i32} : tensor<16xi64> -> i64 {
  ^bb0(%a: i64, %b: i64):
    %s = arith.addi %a, %b : i64
    tile.yield %s : i64
  }
  // CHECK: %{{.*}}:2 = tile.reduce %[[X]], %[[I]] {axis = 1 : i32} : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
  // GENERIC: "tile.reduce"(%{{.*}}, %{{.*}}) <{axis = 1 : i32}> ({
  // GENERIC: "tile.yield"(%{{.*}}, %{{.*}}) : (f32, i32) -> ()
  %1:2 = tile.reduce %x, %i {axis = 1 : i32} : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %c = arith.cmpf ogt, %a, %b : f32
    %r = arith.select %c, %a, %b : f32
    %ri = arith.select %c, %ai, %bi : i32
    tile.yield %r, %ri : f32, i32
  }
  return
}
