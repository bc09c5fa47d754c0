// RUN: tile-opt %s --tile-print-axis-info | FileCheck %s

// Each line names the operation and what is known of its result, one entry a dimension:
// contiguity, divisibility, constancy (sorted by name: constancy, contiguity, divisibility).

// Zero is a multiple of everything: 2^40 stands for it.
// CHECK-LABEL: func.func @sources
func.func @sources(%n: i32 {tile.divisibility = 16 : i32}, %k: i32, %p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // CHECK: tile.arange 0, 128 {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 1099511627776>}
  %0 = tile.arange 0, 128 : tensor<128xi32>
  // CHECK: tile.arange 64, 96 {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 64>}
  %1 = tile.arange 64, 96 : tensor<32xi32>
  // CHECK: tile.arange -24, -20 {constancy = array<i64: 1>, contiguity = array<i64: 4>, divisibility = array<i64: 8>}
  %2 = tile.arange -24, -20 : tensor<4xi32>
  // CHECK: arith.constant {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 4>} 12 : i32
  %3 = arith.constant 12 : i32
  // CHECK: arith.constant {constancy = array<i64: 4, 8>, contiguity = array<i64: 1, 1>, divisibility = array<i64: 32, 32>} dense<-96>
  %4 = arith.constant dense<-96> : tensor<4x8xi32>
  // CHECK: arith.constant {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>} dense<[0, 8]>
  %5 = arith.constant dense<[0, 8]> : tensor<2xi32>
  // CHECK: arith.constant {{.*}}divisibility = array<i64: 1099511627776>} -9223372036854775808 : i64
  %6 = arith.constant -9223372036854775808 : i64
  // CHECK: tile.program_id 0 {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %7 = tile.program_id 0
  // CHECK: tile.splat %{{.*}} {constancy = array<i64: 4, 8>, contiguity = array<i64: 1, 1>, divisibility = array<i64: 16, 16>} : i32
  %8 = tile.splat %n : i32 -> tensor<4x8xi32>
  // CHECK: tile.splat %{{.*}} {constancy = array<i64: 8>, contiguity = array<i64: 1>, divisibility = array<i64: 1>} : i32
  %9 = tile.splat %k : i32 -> tensor<8xi32>
  // CHECK: tile.splat %{{.*}} {constancy = array<i64: 8>, contiguity = array<i64: 1>, divisibility = array<i64: 16>} : !tile.ptr<f32>
  %10 = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes() {
  %i = tile.arange 0, 64 : tensor<64xi32>
  // The new dimension's elements are each the start of a run of one: 1 divides all.
  // CHECK: tile.expand_dims %{{.*}} {axis = 0 : i32, constancy = array<i64: 1, 1>, contiguity = array<i64: 1, 64>, divisibility = array<i64: 1, 1099511627776>}
  %0 = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  // CHECK: tile.broadcast %{{.*}} {constancy = array<i64: 32, 1>, contiguity = array<i64: 1, 64>, divisibility = array<i64: 1, 1099511627776>}
  %1 = tile.broadcast %0 : tensor<1x64xi32> -> tensor<32x64xi32>
  // CHECK: tile.trans %{{.*}} {constancy = array<i64: 1, 32>, contiguity = array<i64: 64, 1>, divisibility = array<i64: 1099511627776, 1>, order
  %2 = tile.trans %1 {order = array<i32: 1, 0>} : tensor<32x64xi32> -> tensor<64x32xi32>
  // Runs along the innermost dimension stay, or are cut.
  // CHECK: tile.reshape %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 64>, divisibility = array<i64: 1099511627776>}
  %3 = tile.reshape %1 : tensor<32x64xi32> -> tensor<2048xi32>
  // CHECK: tile.reshape %{{.*}} {constancy = array<i64: 1, 1, 1>, contiguity = array<i64: 1, 16, 1>, divisibility = array<i64: 1, 16, 1>}
  %5 = tile.reshape %1 : tensor<32x64xi32> -> tensor<128x16x1xi32>
  // CHECK: tile.reshape %{{.*}} {constancy = array<i64: 32>, contiguity = array<i64: 1>
  %6 = tile.reshape %2 : tensor<64x32xi32> -> tensor<2048xi32>
  %c = arith.constant dense<24> : tensor<4x4xi32>
  // CHECK: tile.reshape %{{.*}} {constancy = array<i64: 4>, contiguity = array<i64: 1>, divisibility = array<i64: 8>}
  %4 = tile.reshape %c : tensor<4x4xi32> -> tensor<16xi32>
  return
}

// CHECK-LABEL: func.func @sums
func.func @sums(%n: i32 {tile.divisibility = 16 : i32}, %k: i32) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %ks = tile.splat %k : i32 -> tensor<128xi32>
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 16>}
  %0 = arith.addi %i, %ns : tensor<128xi32>
  // An unknown start still counts up, but may wrap inside a run: divisibility 1 says so.
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 1>}
  %1 = arith.addi %ks, %i : tensor<128xi32>
  // CHECK: arith.subi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 16>}
  %2 = arith.subi %i, %ns : tensor<128xi32>
  // What is subtracted counts down.
  // CHECK: arith.subi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %3 = arith.subi %ns, %i : tensor<128xi32>
  // Two that count up go up by two.
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %4 = arith.addi %i, %i : tensor<128xi32>
  // A multiple of 4 leaves the runs, but moves their starts.
  %c = arith.constant dense<4> : tensor<128xi32>
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 4>}
  %5 = arith.addi %0, %c : tensor<128xi32>
  // Equal on every eight elements: runs of eight remain.
  %e = arith.constant dense<8> : tensor<128xi32>
  %q = arith.divsi %i, %e : tensor<128xi32>
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 8>, divisibility = array<i64: 1>}
  %6 = arith.addi %i, %q : tensor<128xi32>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %one = arith.constant dense<1> : tensor<128xi32>
  %four = arith.constant dense<4> : tensor<128xi32>
  %two = arith.constant dense<2> : tensor<128xi32>
  // CHECK: arith.muli %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 1099511627776>}
  %0 = arith.muli %i, %one : tensor<128xi32>
  // CHECK: arith.muli %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 16>}
  %1 = arith.muli %i, %ns : tensor<128xi32>
  // CHECK: arith.muli %{{.*}} {constancy = array<i64: 128>, contiguity = array<i64: 1>, divisibility = array<i64: 64>}
  %2 = arith.muli %ns, %four : tensor<128xi32>
  // CHECK: arith.shli %{{.*}} {constancy = array<i64: 128>, contiguity = array<i64: 1>, divisibility = array<i64: 64>}
  %3 = arith.shli %ns, %two : tensor<128xi32>
  // CHECK: arith.shli %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %4 = arith.shli %i, %i : tensor<128xi32>
  return
}

// CHECK-LABEL: func.func @quotients
func.func @quotients(%n: i32 {tile.divisibility = 16 : i32}, %k: i32) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %c8 = arith.constant dense<8> : tensor<128xi32>
  %c12 = arith.constant dense<12> : tensor<128xi32>
  %c3 = arith.constant dense<3> : tensor<128xi32>
  // CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %0 = arith.divsi %i, %c8 : tensor<128xi32>
  // 12 = 4 * 3: a run of four between multiples of four has one quotient.
  // CHECK: arith.divsi %{{.*}} {constancy = array<i64: 4>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %1 = arith.divsi %i, %c12 : tensor<128xi32>
  // CHECK: arith.divui %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %2 = arith.divui %i, %c3 : tensor<128xi32>
  // CHECK: arith.divsi %{{.*}} {constancy = array<i64: 128>, contiguity = array<i64: 1>, divisibility = array<i64: 2>}
  %3 = arith.divsi %ns, %c8 : tensor<128xi32>

  // Division rounds towards zero: of -8 to -1 by 8 the first quotient is -1, the others are 0.
  %d = arith.subi %i, %ns : tensor<128xi32>
  // CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %4 = arith.divsi %d, %c8 : tensor<128xi32>
  // Unsigned division and shifts round down.
  // CHECK: arith.divui %{{.*}} {constancy = array<i64: 8>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %5 = arith.divui %d, %c8 : tensor<128xi32>
  // CHECK: arith.shrsi %{{.*}} {constancy = array<i64: 8>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %6 = arith.shrsi %d, %c3 : tensor<128xi32>
  // A start that is no multiple of 8 splits a run.
  %ks = tile.splat %k : i32 -> tensor<128xi32>
  %e = arith.addi %i, %ks : tensor<128xi32>
  // CHECK: arith.divui %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %7 = arith.divui %e, %c8 : tensor<128xi32>
  return
}

// CHECK-LABEL: func.func @remainders
func.func @remainders(%n: i32 {tile.divisibility = 16 : i32}, %k: i32) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %ks = tile.splat %k : i32 -> tensor<128xi32>
  // CHECK: arith.remsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 16>, divisibility = array<i64: 16>}
  %0 = arith.remsi %i, %ns : tensor<128xi32>
  // CHECK: arith.remsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %1 = arith.remsi %i, %ks : tensor<128xi32>
  // What may be negative: -16 to -1 by 16 are 0, -15, -14, ...
  %d = arith.subi %i, %ns : tensor<128xi32>
  // CHECK: arith.remsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %2 = arith.remsi %d, %ns : tensor<128xi32>
  // CHECK: arith.remui %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 16>, divisibility = array<i64: 16>}
  %3 = arith.remui %d, %ns : tensor<128xi32>
  // CHECK: arith.andi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 16>, divisibility = array<i64: 16>}
  %c31 = arith.constant dense<31> : tensor<128xi32>
  %4 = arith.andi %d, %c31 : tensor<128xi32>
  // Programs have no negative numbers, and up to 65535 of them times 128 do not wrap.
  %pid = tile.program_id 1
  %three = arith.constant 3 : i32
  %width = arith.divsi %pid, %three : i32
  %b = arith.constant 128 : i32
  %first = arith.muli %width, %b : i32
  %fs = tile.splat %first : i32 -> tensor<128xi32>
  %at = arith.addi %fs, %i : tensor<128xi32>
  // CHECK: arith.remsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 16>, divisibility = array<i64: 16>}
  %5 = arith.remsi %at, %ns : tensor<128xi32>
  // A quotient by what may be negative may be negative.
  %any = arith.divsi %pid, %k : i32
  %firstAny = arith.muli %any, %b : i32
  %fsAny = tile.splat %firstAny : i32 -> tensor<128xi32>
  %atAny = arith.addi %fsAny, %i : tensor<128xi32>
  // CHECK: arith.remsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %6 = arith.remsi %atAny, %ns : tensor<128xi32>
  return
}

// A mask is equal on runs that start at multiples of their length, if the bound is such a multiple.
// CHECK-LABEL: func.func @masks
func.func @masks(%n: i32 {tile.divisibility = 16 : i32}, %k: i32) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %ks = tile.splat %k : i32 -> tensor<128xi32>
  // CHECK: arith.cmpi slt, %{{.*}} {constancy = array<i64: 16>,
  %0 = arith.cmpi slt, %i, %ns : tensor<128xi32>
  // CHECK: arith.cmpi ult, %{{.*}} {constancy = array<i64: 16>,
  %1 = arith.cmpi ult, %i, %ns : tensor<128xi32>
  // CHECK: arith.cmpi sge, %{{.*}} {constancy = array<i64: 16>,
  %2 = arith.cmpi sge, %i, %ns : tensor<128xi32>
  // i <= n is i < n + 1.
  // CHECK: arith.cmpi sle, %{{.*}} {constancy = array<i64: 1>,
  %3 = arith.cmpi sle, %i, %ns : tensor<128xi32>
  // CHECK: arith.cmpi sgt, %{{.*}} {constancy = array<i64: 16>,
  %4 = arith.cmpi sgt, %ns, %i : tensor<128xi32>
  // CHECK: arith.cmpi sle, %{{.*}} {constancy = array<i64: 16>,
  %5 = arith.cmpi sle, %ns, %i : tensor<128xi32>
  // CHECK: arith.cmpi slt, %{{.*}} {constancy = array<i64: 1>,
  %6 = arith.cmpi slt, %ns, %i : tensor<128xi32>
  // CHECK: arith.cmpi eq, %{{.*}} {constancy = array<i64: 1>,
  %7 = arith.cmpi eq, %i, %ns : tensor<128xi32>
  // CHECK: arith.cmpi slt, %{{.*}} {constancy = array<i64: 1>,
  %8 = arith.cmpi slt, %i, %ks : tensor<128xi32>
  // CHECK: arith.cmpi eq, %{{.*}} {constancy = array<i64: 128>,
  %9 = arith.cmpi eq, %ks, %ns : tensor<128xi32>
  // CHECK: arith.andi %{{.*}} {constancy = array<i64: 16>,
  %10 = arith.andi %0, %9 : tensor<128xi1>
  return
}

// CHECK-LABEL: func.func @selects
func.func @selects(%n: i32 {tile.divisibility = 16 : i32}, %c: i1) {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  %j = arith.addi %i, %ns : tensor<128xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<128xi32>
  // CHECK: arith.select %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 16>, divisibility = array<i64: 16>}
  %0 = arith.select %m, %i, %j : tensor<128xi1>, tensor<128xi32>
  // A scalar takes one side whole.
  // CHECK: arith.select %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 16>}
  %1 = arith.select %c, %i, %j : tensor<128xi32>
  return
}

// CHECK-LABEL: func.func @casts
func.func @casts(%n: i32 {tile.divisibility = 16 : i32}) {
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  // CHECK: arith.extsi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1024>, divisibility = array<i64: 1099511627776>}
  %0 = arith.extsi %i : tensor<1024xi32> to tensor<1024xi64>
  // Eight bits count to 127 and start again at -128.
  // CHECK: arith.trunci %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 128>}
  %1 = arith.trunci %i : tensor<1024xi32> to tensor<1024xi8>
  // CHECK: arith.extui %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 128>, divisibility = array<i64: 128>}
  %2 = arith.extui %1 : tensor<1024xi8> to tensor<1024xi32>
  // CHECK: arith.trunci %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %3 = arith.trunci %i : tensor<1024xi32> to tensor<1024xi1>
  // -8 becomes 248: still a multiple of 8, but another constant.
  %c = arith.constant dense<-8> : tensor<4xi8>
  // CHECK: arith.extui %{{.*}} {constancy = array<i64: 4>, contiguity = array<i64: 1>, divisibility = array<i64: 8>}
  %4 = arith.extui %c : tensor<4xi8> to tensor<4xi32>
  return
}

// Pointers count in bytes.
// CHECK-LABEL: func.func @pointers
func.func @pointers(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f64>, %n: i32 {tile.divisibility = 16 : i32}, %k: i32) {
  %i = tile.arange 0, 64 : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 64>, divisibility = array<i64: 16>}
  %0 = tile.addptr %ps, %i : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 2>} : !tile.ptr<f16>, i32
  %1 = tile.addptr %p, %k : !tile.ptr<f16>, i32
  // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 16>} : !tile.ptr<f16>, i32
  %2 = tile.addptr %p, %n : !tile.ptr<f16>, i32
  %qs = tile.splat %q : !tile.ptr<f64> -> tensor<64x!tile.ptr<f64>>
  // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 64>, divisibility = array<i64: 1>}
  %3 = tile.addptr %qs, %i : tensor<64x!tile.ptr<f64>>, tensor<64xi32>
  // What a pointer that is equal on runs points to is equal on them.
  // CHECK: tile.load
  %c = arith.constant dense<4> : tensor<64xi32>
  %d = arith.divui %i, %c : tensor<64xi32>
  %is = tile.ptr_cast %p : !tile.ptr<f16> -> !tile.ptr<i32>
  %iss = tile.splat %is : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %4 = tile.addptr %iss, %d : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  // CHECK-SAME: {constancy = array<i64: 4>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %5 = tile.load %4 : tensor<64x!tile.ptr<i32>>
  return
}

// A promise raises what is known, it never lowers it.
// CHECK-LABEL: func.func @hints
func.func @hints(%t: tensor<64xi32>, %s: i32) {
  // CHECK: tile.hint %{{.*}} {constancy = array<i64: 4>, contiguity = array<i64: 16>, divisibility = array<i64: 32>}
  %0 = tile.hint %t {contiguity = array<i64: 16>, divisibility = array<i64: 32>, constancy = array<i64: 4>} : tensor<64xi32>
  // 48 is 16 * 3.
  // CHECK: tile.hint %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 16>} : i32
  %1 = tile.hint %s {divisibility = array<i64: 48>} : i32
  %i = tile.arange 0, 64 : tensor<64xi32>
  // CHECK: tile.hint %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 64>, divisibility = array<i64: 1099511627776>}
  %2 = tile.hint %i {contiguity = array<i64: 2>, divisibility = array<i64: 2>} : tensor<64xi32>
  // It is about elements that there are, not about those of a broadcast.
  %one = tile.arange 0, 1 : tensor<1xi32>
  // CHECK: tile.hint %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility
  %3 = tile.hint %one {contiguity = array<i64: 16>, constancy = array<i64: 8>} : tensor<1xi32>
  return
}

// A group of elements that go through inline PTX together may come out different.
// CHECK-LABEL: func.func @groups
func.func @groups() {
  %c = arith.constant dense<4> : tensor<64xi8>
  // CHECK: tile.inline_asm {{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>
  %0 = tile.inline_asm "add.u32 $0, $1, 0x03020100;", "=r,r" pure %c {pack = 4 : i32} : (tensor<64xi8>) -> tensor<64xi8>
  return
}

// A loop knows what holds on entry and after every turn.
// CHECK-LABEL: func.func @loops
func.func @loops(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %i = tile.arange 0, 32 : tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %start = tile.addptr %ps, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %two = arith.constant dense<2> : tensor<32xi32>
  %c6 = arith.constant dense<6> : tensor<32xi32>
  %r:3 = scf.for %iv = %zero to %n step %step iter_args(%a = %start, %b = %i, %j = %i) -> (tensor<32x!tile.ptr<f32>>, tensor<32xi32>, tensor<32xi32>) : i32 {
    // The counter is a multiple of 32.
    // CHECK: tile.splat %{{.*}} {constancy = array<i64: 32>, contiguity = array<i64: 1>, divisibility = array<i64: 32>}
    %ivs = tile.splat %iv : i32 -> tensor<32xi32>
    // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 16>}
    %a1 = tile.addptr %a, %ivs : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    // Multiples of 2 after the first turn.
    // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 2>}
    %b1 = arith.addi %b, %c6 : tensor<32xi32>
    // Nothing is left of what is doubled.
    // CHECK: arith.muli %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 2>}
    %j1 = arith.muli %j, %two : tensor<32xi32>
    scf.yield %a1, %b1, %j1 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>, tensor<32xi32>
  }
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 2>}
  %0 = arith.addi %r#1, %two : tensor<32xi32>
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 1>}
  %1 = arith.addi %r#2, %two : tensor<32xi32>

  %c4 = arith.constant 4 : i32
  %w:2 = scf.while (%x = %zero, %y = %i) : (i32, tensor<32xi32>) -> (i32, tensor<32xi32>) {
    %c = arith.cmpi slt, %x, %n : i32
    scf.condition(%c) %x, %y : i32, tensor<32xi32>
  } do {
  ^bb0(%x: i32, %y: tensor<32xi32>):
    // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 4>}
    %x1 = arith.addi %x, %c4 : i32
    %xs = tile.splat %x1 : i32 -> tensor<32xi32>
    // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 4>}
    %y1 = arith.addi %y, %xs : tensor<32xi32>
    scf.yield %x1, %y1 : i32, tensor<32xi32>
  }
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 2>}
  %2 = arith.addi %w#1, %two : tensor<32xi32>
  return
}

// CHECK-LABEL: func.func @branches
func.func @branches(%c: i1, %n: i32 {tile.divisibility = 8 : i32}) {
  %i = tile.arange 0, 32 : tensor<32xi32>
  %zero = arith.constant dense<0> : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %r = scf.if %c -> tensor<32xi32> {
    %0 = arith.addi %i, %ns : tensor<32xi32>
    scf.yield %0 : tensor<32xi32>
  } else {
    scf.yield %i : tensor<32xi32>
  }
  // CHECK: %[[R:.*]] = scf.if
  // CHECK: arith.addi %[[R]], %{{.*}} {constancy = array<i64: 1>, contiguity = array<i64: 32>, divisibility = array<i64: 8>}
  %1 = arith.addi %r, %zero : tensor<32xi32>
  return
}

// What two dimensions know of each other: the row's start is a multiple of the row's length.
// CHECK-LABEL: func.func @rows
func.func @rows(%stride: i32 {tile.divisibility = 16 : i32}, %p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange 0, 8 : tensor<8xi32>
  %j = tile.arange 0, 32 : tensor<32xi32>
  %ie = tile.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %je = tile.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %s = tile.splat %stride : i32 -> tensor<8x1xi32>
  // CHECK: arith.muli %{{.*}} {constancy = array<i64: 1, 1>, contiguity = array<i64: 1, 1>, divisibility = array<i64: 16, 16>}
  %r = arith.muli %ie, %s : tensor<8x1xi32>
  %rb = tile.broadcast %r : tensor<8x1xi32> -> tensor<8x32xi32>
  %jb = tile.broadcast %je : tensor<1x32xi32> -> tensor<8x32xi32>
  // CHECK: arith.addi %{{.*}} {constancy = array<i64: 1, 1>, contiguity = array<i64: 1, 32>, divisibility = array<i64: 1, 16>}
  %o = arith.addi %rb, %jb : tensor<8x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x32x!tile.ptr<f32>>
  // CHECK: tile.addptr %{{.*}} {constancy = array<i64: 1, 1>, contiguity = array<i64: 1, 32>, divisibility = array<i64: 4, 16>}
  %a = tile.addptr %ps, %o : tensor<8x32x!tile.ptr<f32>>, tensor<8x32xi32>
  return
}
