// RUN: tile-opt %s --tilegpu-insert-barriers --split-input-file | FileCheck %s

// The barrier inside a reduction or conversion orders its writes and reads; what is missing is one
// before scratch that others may still be reading is written again.

#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @straight
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce
// CHECK: return
func.func @straight() attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  // Places of their own.
  %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  // The place of the one before.
  %2 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// The barrier of the second reduction also ends the reads of the first.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @between
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @between() attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  %2 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// A loop with one reduction needs one barrier a turn; one with two in places of their own none.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tilegpu.barrier
// CHECK: scf.for
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @loops(%n: i32) attributes {tilegpu.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
    %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 32 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
  }
  return
}

// -----

// What is read last in a loop is pending after it, also when the loop does not run; what was read
// before it is pending in its first turn.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @around
// CHECK: tile.reduce
// CHECK: scf.for
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce
// CHECK: }
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce {{.*}}shared_offset = 0
func.func @around(%n: i32) attributes {tilegpu.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  %p = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
    %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
  }
  %q = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// Either side of a branch may have read; a barrier on one side only does not serve the other.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @branches
// CHECK: scf.if
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce {{.*}}shared_offset = 0
// CHECK: }
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce {{.*}}shared_offset = 0
// CHECK: scf.if
// CHECK: tilegpu.barrier {written}
// CHECK: } else {
// CHECK-NOT: tilegpu.barrier
// CHECK: }
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce {{.*}}shared_offset = 0
func.func @branches(%c: i1) attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  scf.if %c {
    %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
  }
  %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  scf.if %c {
    tilegpu.barrier {written}
  } else {
    %z = arith.constant 0 : i32
  }
  %2 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// A while loop runs its condition once more than its body.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @while
// CHECK: scf.while
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce {{.*}}shared_offset = 0
// CHECK: scf.condition
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce {{.*}}shared_offset = 16
// CHECK: scf.yield
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce {{.*}}shared_offset = 0
func.func @while() attributes {tilegpu.num_warps = 4 : i32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
    %c = arith.cmpf olt, %0, %zero : f32
    scf.condition(%c)
  } do {
    %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
    ^bb0(%a: f32, %b: f32):
      tile.yield %a : f32
    }
    scf.yield
  }
  %2 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// Scratch overlaps byte by byte: 32 bytes at 0 and 16 bytes at 16 do, 16 bytes at 32 don't. A barrier
// of the program counts.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @overlap
// CHECK: tile.reduce {{.*}}shared_offset = 0
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce {{.*}}shared_offset = 16
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.reduce {{.*}}shared_offset = 32
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.barrier
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @overlap() attributes {tilegpu.num_warps = 4 : i32} {
  %y = arith.constant dense<1.0> : tensor<128xf64, #l>
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  %0 = tile.reduce %y {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf64, #l> -> f64 {
  ^bb0(%a: f64, %b: f64):
    tile.yield %a : f64
  }
  %1 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 16 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  %2 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 32 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  tile.barrier
  %3 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 32 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

// Results that only move between the lanes of a warp leave the warps' accesses unordered.
// CHECK-LABEL: func.func @lanes
// CHECK: tile.atomic_rmw add relaxed
// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.atomic_rmw add release
#lanes = #tilegpu.layout<register = [], lane = [0, 0, 1, 2, 4], warp = [8, 16]>
func.func @lanes(%p: !tile.ptr<i32>, %v: i32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 32 : tensor<32xi32, #lanes>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #lanes>
  %a = tile.addptr %ps, %i : tensor<32x!tile.ptr<i32>, #lanes>, tensor<32xi32, #lanes>
  %0 = tile.atomic_rmw add relaxed gpu %a, %i {tilegpu.shared_offset = 0 : i32} : tensor<32x!tile.ptr<i32>, #lanes>
  %1 = arith.addi %0, %i : tensor<32xi32, #lanes>
  %2 = tile.atomic_rmw add release gpu %p, %v : !tile.ptr<i32>
  return
}

// -----

// All threads load a scalar and one stores it, in its place or elsewhere in the same memory. Other
// memory is another matter, and so are tensors with one thread to an element.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @scalars
// CHECK: tile.load
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.store %arg1
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.store %arg0
// CHECK-NEXT: tile.store %arg0
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.load %{{.*}} : !tile.ptr<i32>
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @scalars(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tilegpu.num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %i = tile.arange 0, 128 : tensor<128xi32, #l>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #l>
  %a = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>, #l>, tensor<128xi32, #l>
  %next = tile.addptr %p, %one : !tile.ptr<i32>, i32
  %v = tile.load %p : !tile.ptr<i32>
  tile.store %q, %v : !tile.ptr<i32>
  tile.store %p, %v : !tile.ptr<i32>
  tile.store %p, %one : !tile.ptr<i32>
  %w = tile.load %next : !tile.ptr<i32>
  %x = tile.load %a : tensor<128x!tile.ptr<i32>, #l>
  tile.store %a, %x : tensor<128x!tile.ptr<i32>, #l>
  tile.store %q, %w : !tile.ptr<i32>
  return
}

// -----

// The same of 32 elements that four warps hold, whose address a loop carries: the store of a turn
// comes after its load, and the load of the next turn after it.
#r = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [0, 0]>
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @carried(%p: !tile.ptr<i32>, %n: i32) attributes {tilegpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = tile.arange 0, 32 : tensor<32xi32, #r>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #r>
  %a = tile.addptr %ps, %i : tensor<32x!tile.ptr<i32>, #r>, tensor<32xi32, #r>
  %end = scf.for %k = %zero to %n step %one iter_args(%at = %a) -> (tensor<32x!tile.ptr<i32>, #r>) : i32 {
    %v = tile.load %at : tensor<32x!tile.ptr<i32>, #r>
    tile.store %at, %v : tensor<32x!tile.ptr<i32>, #r>
    %next = tile.addptr %at, %i : tensor<32x!tile.ptr<i32>, #r>, tensor<32xi32, #r>
    scf.yield %next : tensor<32x!tile.ptr<i32>, #r>
  }
  return
}

// -----

// An address that is one of two, and addresses that were numbers: any of these may be any other.
// CHECK-LABEL: func.func @chosen
// CHECK: tile.load %arg0
// CHECK: arith.select
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.load %arg1
// CHECK: tile.load
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.store %arg2
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NOT: tilegpu.barrier
// CHECK: return
func.func @chosen(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %r: !tile.ptr<i32>, %c: i1, %m: i64, %n: i64) attributes {tilegpu.num_warps = 4 : i32} {
  %v = tile.load %p : !tile.ptr<i32>
  %either = arith.select %c, %p, %q : !tile.ptr<i32>
  tile.store %either, %v : !tile.ptr<i32>
  %w = tile.load %q : !tile.ptr<i32>
  %a = tile.int_to_ptr %m : i64 -> !tile.ptr<i32>
  %b = tile.int_to_ptr %n : i64 -> !tile.ptr<i32>
  %x = tile.load %a : !tile.ptr<i32>
  tile.store %r, %w : !tile.ptr<i32>
  tile.store %b, %x : !tile.ptr<i32>
  return
}
