// RUN: tile-opt %s --tile-print-axis-info | FileCheck %s

// Whether a signed quotient by 8 is equal on aligned runs of 8 shows whether its dividend is proven
// not to be negative: constancy 8, else 1. Every function divides one `base + 0..63`.

// 2^31 - 1 programs times 64 wrap.
// CHECK-LABEL: func.func @wraps
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>,
func.func @wraps() {
  %pid = tile.program_id 0
  %c64 = arith.constant 64 : i32
  %base = arith.muli %pid, %c64 : i32
  %i = tile.arange 0, 64 : tensor<64xi32>
  %bases = tile.splat %base : i32 -> tensor<64xi32>
  %at = arith.addi %bases, %i : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %q = arith.divsi %at, %c8 : tensor<64xi32>
  return
}

// CHECK-LABEL: func.func @in_64_bits
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
func.func @in_64_bits() {
  %pid = tile.program_id 0
  %wide = arith.extsi %pid : i32 to i64
  %c64 = arith.constant 64 : i64
  %base = arith.muli %wide, %c64 : i64
  %i = tile.arange 0, 64 : tensor<64xi32>
  %iw = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
  %bases = tile.splat %base : i64 -> tensor<64xi64>
  %at = arith.addi %bases, %iw : tensor<64xi64>
  %c8 = arith.constant dense<8> : tensor<64xi64>
  %q = arith.divsi %at, %c8 : tensor<64xi64>
  return
}

// Along y there are at most 65535 programs: times 32768 it is still below 2^31, times 65536 not.
// CHECK-LABEL: func.func @along_y
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>,
func.func @along_y() {
  %pid = tile.program_id 1
  %i = tile.arange 0, 64 : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %c32768 = arith.constant 32768 : i32
  %near = arith.muli %pid, %c32768 : i32
  %nears = tile.splat %near : i32 -> tensor<64xi32>
  %at = arith.addi %nears, %i : tensor<64xi32>
  %q = arith.divsi %at, %c8 : tensor<64xi32>
  %c65536 = arith.constant 65536 : i32
  %far = arith.muli %pid, %c65536 : i32
  %fars = tile.splat %far : i32 -> tensor<64xi32>
  %beyond = arith.addi %fars, %i : tensor<64xi32>
  %r = arith.divsi %beyond, %c8 : tensor<64xi32>
  return
}

// Promises hold for what their own block defines, whatever comes first.
// CHECK-LABEL: func.func @promises
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>,
func.func @promises(%n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}, %c: i1) {
  %pid = tile.program_id 0
  %c64 = arith.constant 64 : i32
  %base = arith.muli %pid, %c64 : i32
  %i = tile.arange 0, 64 : tensor<64xi32>
  %bases = tile.splat %base : i32 -> tensor<64xi32>
  %at = arith.addi %bases, %i : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %q = arith.divsi %at, %c8 : tensor<64xi32>
  %few = arith.constant 1000000 : i32
  %small = arith.cmpi slt, %pid, %few : i32
  %zero = arith.constant 0 : i32
  %positive = arith.cmpi sle, %zero, %n : i32
  %short = arith.cmpi slt, %n, %few : i32
  %both = arith.andi %positive, %short : i1
  tile.assume %small
  tile.assume %both
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %an = arith.addi %ns, %i : tensor<64xi32>
  %r = arith.divsi %an, %c8 : tensor<64xi32>
  // One that a branch makes holds there alone.
  scf.if %c {
    %some = arith.cmpi sge, %k, %zero : i32
    tile.assume %some
    scf.yield
  }
  %ks = tile.splat %k : i32 -> tensor<64xi32>
  %ak = arith.addi %ks, %i : tensor<64xi32>
  %s = arith.divsi %ak, %c8 : tensor<64xi32>
  return
}

// CHECK-LABEL: func.func @loops
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
func.func @loops(%n: i32) {
  %zero = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c4096 = arith.constant 4096 : i32
  %i = tile.arange 0, 64 : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  // From 0 to 4095 in steps of 64; what is carried may be anything.
  %carried:2 = scf.for %k = %zero to %c4096 step %c64 iter_args(%x = %zero, %y = %zero) -> (i32, i32) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64xi32>
    %at = arith.addi %ks, %i : tensor<64xi32>
    %q = arith.divsi %at, %c8 : tensor<64xi32>
    %xs = tile.splat %x : i32 -> tensor<64xi32>
    %ax = arith.addi %xs, %i : tensor<64xi32>
    %r = arith.divsi %ax, %c8 : tensor<64xi32>
    %next = arith.addi %x, %c64 : i32
    scf.yield %next, %k : i32, i32
  }
  // After the loop it is what it was before or what a turn gave.
  %ys = tile.splat %carried#1 : i32 -> tensor<64xi32>
  %ay = arith.addi %ys, %i : tensor<64xi32>
  %s = arith.divsi %ay, %c8 : tensor<64xi32>
  return
}

// The remainder of what is not negative is none, whatever the divisor; that of others may be.
// CHECK-LABEL: func.func @remainders
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 8>,
// CHECK: arith.divsi %{{.*}} {constancy = array<i64: 1>,
func.func @remainders(%n: i32, %k: i32) {
  %pid = tile.program_id 0
  %i = tile.arange 0, 64 : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %c64 = arith.constant 64 : i32
  %c1000 = arith.constant 1000 : i32
  %a = arith.remsi %pid, %n : i32
  %b = arith.remsi %a, %c1000 : i32
  %base = arith.muli %b, %c64 : i32
  %bases = tile.splat %base : i32 -> tensor<64xi32>
  %at = arith.addi %bases, %i : tensor<64xi32>
  %q = arith.divsi %at, %c8 : tensor<64xi32>
  %c = arith.remsi %k, %c1000 : i32
  %start = arith.muli %c, %c64 : i32
  %starts = tile.splat %start : i32 -> tensor<64xi32>
  %other = arith.addi %starts, %i : tensor<64xi32>
  %r = arith.divsi %other, %c8 : tensor<64xi32>
  return
}
