// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-coalesce --split-input-file | FileCheck %s

// Four neighbours of 4 bytes go to one thread, the next to the next lane.
// CHECK-DAG: #[[D:.*]] = #tilegpu.layout<register = [128, 256, 512], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-DAG: #[[W:.*]] = #tilegpu.layout<register = [1, 2, 512], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-LABEL: func.func @row
// CHECK: %[[A:.*]] = tile.addptr {{.*}} : tensor<1024x!tile.ptr<f32>, #[[D]]>
// CHECK: %[[M:.*]] = arith.cmpi
// CHECK: %[[AW:.*]] = tilegpu.convert_layout %[[A]] : tensor<1024x!tile.ptr<f32>, #[[D]]> -> tensor<1024x!tile.ptr<f32>, #[[W]]>
// CHECK: %[[MW:.*]] = tilegpu.convert_layout %[[M]] : tensor<1024xi1, #[[D]]> -> tensor<1024xi1, #[[W]]>
// CHECK: %[[V:.*]] = tile.load %[[AW]], mask %[[MW]] : tensor<1024x!tile.ptr<f32>, #[[W]]>
// CHECK: tilegpu.convert_layout %[[V]] : tensor<1024xf32, #[[W]]> -> tensor<1024xf32, #[[D]]>
// CHECK: tile.store %{{.*}}, %{{.*}}, mask %{{.*}} : tensor<1024x!tile.ptr<f32>, #[[W]]>
func.func @row(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %v = tile.load %a, mask %m : tensor<1024x!tile.ptr<f32>>
  tile.store %a, %v, mask %m : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// Nothing is known of the address: one element a thread, as the default has it, and nothing to do.
// CHECK-LABEL: func.func @unaligned
// CHECK-NOT: convert_layout
// CHECK: return
func.func @unaligned(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %a : tensor<1024x!tile.ptr<f32>>
  tile.store %a, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// A mask that may change at any element leaves no vectors: neighbours go to neighbouring lanes.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: convert_layout
// CHECK: return
func.func @ragged(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %v = tile.load %a, mask %m : tensor<1024x!tile.ptr<f32>>
  tile.store %a, %v, mask %m : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// f16 moves eight elements at once, f32 beside it then takes two accesses: they share a layout.
// CHECK: #[[W:.*]] = #tilegpu.layout<register = [1, 2, 4, 1024], lane = [8, 16, 32, 64, 128], warp = [256, 512]>
// CHECK-LABEL: func.func @mixed
// CHECK: tile.load %{{.*}} : tensor<2048x!tile.ptr<f16>, #[[W]]>
// CHECK: tile.store %{{.*}} : tensor<2048x!tile.ptr<f32>, #[[W]]>
func.func @mixed(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 2048 : tensor<2048xi32>
  %s = tile.splat %p : !tile.ptr<f16> -> tensor<2048x!tile.ptr<f16>>
  %a = tile.addptr %s, %i : tensor<2048x!tile.ptr<f16>>, tensor<2048xi32>
  %v = tile.load %a : tensor<2048x!tile.ptr<f16>>
  %w = arith.extf %v : tensor<2048xf16> to tensor<2048xf32>
  %t = tile.splat %q : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %b = tile.addptr %t, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  tile.store %b, %w : tensor<2048x!tile.ptr<f32>>
  return
}

// -----

// All threads take part before any takes a vector: 256 elements are two for each of 128 threads,
// 64 don't even give one to each.
// CHECK-DAG: #[[TWO:.*]] = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = [64, 128]>
// CHECK-DAG: #[[ONE:.*]] = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 0]>
// CHECK-LABEL: func.func @small
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<f32>, #[[TWO]]>
// CHECK: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>, #[[ONE]]>
func.func @small(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 256 : tensor<256xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %a {is_volatile} : tensor<256x!tile.ptr<f32>>
  %j = tile.arange 0, 64 : tensor<64xi32>
  %t = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %b = tile.addptr %t, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %w = tile.load %b {is_volatile} : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// Vectors lie along the dimension whose neighbours are neighbours in memory: rows of one array,
// columns of the other.
// CHECK-DAG: #[[ROWS:.*]] = #tilegpu.layout<register = {{\[}}[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = {{\[}}[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = {{\[}}[2, 0], [4, 0]]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tilegpu.layout<register = {{\[}}[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = {{\[}}[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = {{\[}}[0, 2], [0, 4]]>
// CHECK-LABEL: func.func @orders
// CHECK: tile.load %{{.*}} : tensor<64x64x!tile.ptr<f32>, #[[ROWS]]>
// CHECK: tile.store %{{.*}} : tensor<64x64x!tile.ptr<f32>, #[[COLUMNS]]>
func.func @orders(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 64 : tensor<64xi32>
  %ie = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %je = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %s1 = tile.splat %stride : i32 -> tensor<64x1xi32>
  %s0 = tile.splat %stride : i32 -> tensor<1x64xi32>
  %ir = arith.muli %ie, %s1 : tensor<64x1xi32>
  %jr = arith.muli %je, %s0 : tensor<1x64xi32>
  %irb = tile.broadcast %ir : tensor<64x1xi32> -> tensor<64x64xi32>
  %jb = tile.broadcast %je : tensor<1x64xi32> -> tensor<64x64xi32>
  %ib = tile.broadcast %ie : tensor<64x1xi32> -> tensor<64x64xi32>
  %jrb = tile.broadcast %jr : tensor<1x64xi32> -> tensor<64x64xi32>
  %rows = arith.addi %irb, %jb : tensor<64x64xi32>
  %columns = arith.addi %ib, %jrb : tensor<64x64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %a = tile.addptr %ps, %rows : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %v = tile.load %a : tensor<64x64x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %b = tile.addptr %qs, %columns : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %b, %v : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// A scalar access has no layout.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: convert_layout
func.func @scalar(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  return
}
