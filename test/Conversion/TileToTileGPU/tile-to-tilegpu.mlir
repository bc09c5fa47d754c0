// RUN: tile-opt %s --convert-tile-to-tilegpu --split-input-file | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=8 --split-input-file | FileCheck %s --check-prefix=EIGHT

// Functions that are no kernels are left alone.
// CHECK-LABEL: func.func @no_kernel
// CHECK-NOT: tilegpu
// CHECK: return
func.func @no_kernel() -> tensor<32xi32> {
  %0 = tile.arange 0, 32 : tensor<32xi32>
  return %0 : tensor<32xi32>
}

// -----

// Every tensor gets the default layout of its shape: lanes, then warps, then registers fill it.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: tile.kernel, tilegpu.num_warps = {{[0-9]+}} : i32
// EIGHT-DAG: #[[L:.*]] = #tilegpu.layout<register = [256, 512, 1024, 2048], lane = [1, 2, 4, 8, 16], warp = [32, 64, 128]>
// EIGHT-LABEL: func.func @elementwise
// EIGHT-SAME: tilegpu.num_warps = 8 : i32
func.func @elementwise(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  // EIGHT: arith.constant dense<7> : tensor<4096xi32, #[[L]]>
  // EIGHT: tile.arange 0, 4096 : tensor<4096xi32, #[[L]]>
  // EIGHT: arith.addi %{{.*}} : tensor<4096xi32, #[[L]]>
  // EIGHT: tile.splat %{{.*}} -> tensor<4096x!tile.ptr<f32>, #[[L]]>
  // EIGHT: tile.load %{{.*}} : tensor<4096x!tile.ptr<f32>, #[[L]]>
  // EIGHT-NOT: convert_layout
  %c = arith.constant dense<7> : tensor<4096xi32>
  %i = tile.arange 0, 4096 : tensor<4096xi32>
  %j = arith.addi %i, %c : tensor<4096xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %a = tile.addptr %ps, %j : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v = tile.load %a : tensor<4096x!tile.ptr<f32>>
  tile.store %a, %v : tensor<4096x!tile.ptr<f32>>
  return
}

// -----

// Where shape operations relate layouts in another way there is a conversion: before what expands and
// stretches, after what turns, renames and folds.
// EIGHT-DAG: #[[V:.*]] = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 0, 0]>
// EIGHT-DAG: #[[M:.*]] = #tilegpu.layout<register = {{\[}}[4, 0], [8, 0], [16, 0], [32, 0]], lane = {{\[}}[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[}}[0, 32], [1, 0], [2, 0]]>
// EIGHT-DAG: #[[S:.*]] = #tilegpu.layout<register = [4, 8, 16, 32], lane = [0, 0, 0, 0, 0], warp = [0, 1, 2]>
// EIGHT-LABEL: func.func @shapes
func.func @shapes(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.arange 0, 64 : tensor<64xi32>
  // The layout of a column is that of its rows, seen from one side.
  // EIGHT: %[[I:.*]] = tile.arange 0, 64 : tensor<64xi32, #[[V]]>
  // EIGHT: tile.expand_dims %{{.*}} -> tensor<64x1xi32, #[[C:.*]]>
  // EIGHT: %[[CE:.*]] = tilegpu.convert_layout %{{.*}} : tensor<64x1xi32, #[[C]]> -> tensor<64x1xi32, #{{.*}}>
  // EIGHT: %[[B:.*]] = tile.broadcast %[[CE]] : {{.*}} -> tensor<64x64xi32, #[[M]]>
  %ie = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ib = tile.broadcast %ie : tensor<64x1xi32> -> tensor<64x64xi32>
  // EIGHT: %[[T:.*]] = tile.trans %[[B]] {{.*}} -> tensor<64x64xi32, #[[TL:.*]]>
  // EIGHT: tilegpu.convert_layout %[[T]] : tensor<64x64xi32, #[[TL]]> -> tensor<64x64xi32, #[[M]]>
  %t = tile.trans %ib {order = array<i32: 1, 0>} : tensor<64x64xi32> -> tensor<64x64xi32>
  // EIGHT: %[[R:.*]] = tile.reduce %{{.*}} -> tensor<64xi32, #[[S]]> {
  // EIGHT: tilegpu.convert_layout %[[R]] : tensor<64xi32, #[[S]]> -> tensor<64xi32, #[[V]]>
  %r = tile.reduce %t {axis = 1 : i32} : tensor<64x64xi32> -> tensor<64xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  // To a scalar nothing is to convert.
  // EIGHT: tile.reduce %{{.*}} -> i32
  %q = tile.reduce %r {axis = 0 : i32} : tensor<64xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tile.yield %s : i32
  }
  tile.store %p, %q : !tile.ptr<i32>
  return
}

// -----

// Control flow carries tensors with their layouts.
// EIGHT-LABEL: func.func @loops
// EIGHT: scf.for {{.*}} -> (tensor<256xi32, #[[L:.*]]>)
// EIGHT: arith.addi %{{.*}} : tensor<256xi32, #[[L]]>
// EIGHT: scf.while {{.*}} : (tensor<256xi32, #[[L]]>, i32) -> (tensor<256xi32, #[[L]]>, i32)
// EIGHT: ^bb0(%{{.*}}: tensor<256xi32, #[[L]]>, %{{.*}}: i32):
// EIGHT: scf.if {{.*}} -> (tensor<256xi32, #[[L]]>)
func.func @loops(%n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0, 256 : tensor<256xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> (tensor<256xi32>) : i32 {
    %b = arith.addi %a, %i : tensor<256xi32>
    scf.yield %b : tensor<256xi32>
  }
  %w:2 = scf.while (%a = %r, %k = %c0) : (tensor<256xi32>, i32) -> (tensor<256xi32>, i32) {
    %c = arith.cmpi slt, %k, %n : i32
    scf.condition(%c) %a, %k : tensor<256xi32>, i32
  } do {
  ^bb0(%a: tensor<256xi32>, %k: i32):
    %l = arith.addi %k, %c1 : i32
    scf.yield %a, %l : tensor<256xi32>, i32
  }
  %c = arith.cmpi slt, %c0, %n : i32
  %x = scf.if %c -> tensor<256xi32> {
    scf.yield %r : tensor<256xi32>
  } else {
    scf.yield %w#0 : tensor<256xi32>
  }
  return
}

// -----

// Few elements need few warps, a row of 65536 takes all: nothing is left to four warps by default.
// CHECK-LABEL: func.func @one
// CHECK-SAME: tilegpu.num_warps = 1 : i32
func.func @one(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %c = arith.constant 1 : i32
  tile.store %p, %c : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func.func @small
// CHECK-SAME: tilegpu.num_warps = 1 : i32
func.func @small() attributes {tile.kernel} {
  %0 = tile.arange 0, 32 : tensor<32xi32>
  return
}

// CHECK-LABEL: func.func @large
// CHECK-SAME: tilegpu.num_warps = 32 : i32
func.func @large() attributes {tile.kernel} {
  %0 = tile.arange 0, 65536 : tensor<65536xi32>
  return
}

// The largest tile counts, wherever it is.
// CHECK-LABEL: func.func @largest
// CHECK-SAME: tilegpu.num_warps = 32 : i32
func.func @largest(%n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tile.arange 0, 32 : tensor<32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %1 = tile.splat %k : i32 -> tensor<256x256xi32>
  }
  return
}
