// Atomics get layouts, scratch for results that move, and barriers before what is released.
// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-coalesce --tilegpu-remove-conversions \
// RUN:   --tilegpu-allocate-shared --tilegpu-insert-barriers --split-input-file | FileCheck %s

// Neighbours belong to neighbouring lanes; the load of the same shape has the same layout.
// CHECK: #[[L:.*]] = #tilegpu.layout<register = [128], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-LABEL: func.func @layouts
// CHECK-NOT: convert_layout
// CHECK: tile.atomic_rmw fadd relaxed gpu {{.*}} : tensor<256x!tile.ptr<f32>, #[[L]]>
func.func @layouts(%p: !tile.ptr<f32> {tile.divisibility = 4 : i32}, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 256 : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %a = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %a : tensor<256x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %b = tile.addptr %qs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %0 = tile.atomic_rmw fadd relaxed gpu %b, %v : tensor<256x!tile.ptr<f32>>
  return
}

// -----

// What all threads stored comes before the release; what is relaxed or acquires waits for nothing,
// and where nothing was accessed there is nothing to wait for.
// CHECK-LABEL: func.func @release
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.atomic_rmw add release
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.store
// CHECK-NEXT: tile.atomic_rmw add relaxed
// CHECK-NEXT: tile.atomic_rmw add acquire
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.atomic_rmw add release
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.atomic_cas acq_rel
func.func @release(%p: !tile.ptr<i32>, %v: i32) attributes {tile.kernel} {
  %0 = tile.atomic_rmw add release gpu %p, %v : !tile.ptr<i32>
  tile.store %p, %v : !tile.ptr<i32>
  %1 = tile.atomic_rmw add relaxed gpu %p, %v : !tile.ptr<i32>
  %2 = tile.atomic_rmw add acquire gpu %p, %v : !tile.ptr<i32>
  %3 = tile.atomic_rmw add release gpu %p, %v : !tile.ptr<i32>
  %4 = tile.atomic_cas acq_rel gpu %p, %v, %v : !tile.ptr<i32>
  return
}

// -----

// A lock: the result goes through scratch that the iteration before may still be reading.
// CHECK-LABEL: func.func @lock
// CHECK-SAME: tilegpu.shared_bytes = 16 : i32
// CHECK: scf.while
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.atomic_cas acq_rel gpu %{{.*}} {tilegpu.shared_offset = 0 : i32}
// CHECK: tile.store
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.atomic_rmw xchg release
func.func @lock(%l: !tile.ptr<i32>, %x: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %old = tile.atomic_cas acq_rel gpu %l, %zero, %one : !tile.ptr<i32>
    %taken = arith.cmpi eq, %old, %one : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  tile.store %x, %one : !tile.ptr<i32>
  %1 = tile.atomic_rmw xchg release gpu %l, %zero : !tile.ptr<i32>
  return
}

// -----

// Atomics of a tensor wait for what the program stored, not for what it loaded or changed atomically.
// CHECK-LABEL: func.func @tensor
// CHECK: tile.load
// CHECK-NOT: tilegpu.barrier
// CHECK: tile.atomic_rmw add acq_rel
// CHECK-NEXT: tile.atomic_rmw add acq_rel
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.atomic_rmw add relaxed
// CHECK-NEXT: tilegpu.barrier
// CHECK-NEXT: tile.atomic_rmw add release
// CHECK-NEXT: tile.atomic_rmw add release
func.func @tensor(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %a = tile.addptr %ps, %i : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %v = tile.load %a : tensor<128x!tile.ptr<i32>>
  %0 = tile.atomic_rmw add acq_rel gpu %a, %v : tensor<128x!tile.ptr<i32>>
  %1 = tile.atomic_rmw add acq_rel gpu %a, %v : tensor<128x!tile.ptr<i32>>
  tile.store %a, %v : tensor<128x!tile.ptr<i32>>
  %2 = tile.atomic_rmw add relaxed gpu %a, %v : tensor<128x!tile.ptr<i32>>
  %3 = tile.atomic_rmw add release gpu %a, %v : tensor<128x!tile.ptr<i32>>
  %4 = tile.atomic_rmw add release gpu %a, %v : tensor<128x!tile.ptr<i32>>
  return
}
