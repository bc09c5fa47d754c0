// The number of warps that the largest tile of a kernel gets, and what overrides it.
//
// RUN: tile-opt %s --convert-tile-to-tilegpu | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 | FileCheck %s --check-prefix=FOUR

// FOUR-COUNT-11: tilegpu.num_warps = 4 : i32

// CHECK-LABEL: @tile_32(
// CHECK-SAME: tilegpu.num_warps = 1 : i32
func.func @tile_32(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 32 : tensor<32xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %a : tensor<32x!tile.ptr<f32>>
  tile.store %a, %v : tensor<32x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_128(
// CHECK-SAME: tilegpu.num_warps = 2 : i32
func.func @tile_128(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 128 : tensor<128xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %a : tensor<128x!tile.ptr<f32>>
  tile.store %a, %v : tensor<128x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_256(
// CHECK-SAME: tilegpu.num_warps = 2 : i32
func.func @tile_256(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 256 : tensor<256xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %a : tensor<256x!tile.ptr<f32>>
  tile.store %a, %v : tensor<256x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_512(
// CHECK-SAME: tilegpu.num_warps = 2 : i32
func.func @tile_512(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 512 : tensor<512xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %a : tensor<512x!tile.ptr<f32>>
  tile.store %a, %v : tensor<512x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_1024(
// CHECK-SAME: tilegpu.num_warps = 2 : i32
func.func @tile_1024(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 1024 : tensor<1024xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %a : tensor<1024x!tile.ptr<f32>>
  tile.store %a, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_2048(
// CHECK-SAME: tilegpu.num_warps = 4 : i32
func.func @tile_2048(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 2048 : tensor<2048xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %a : tensor<2048x!tile.ptr<f32>>
  tile.store %a, %v : tensor<2048x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_4096(
// CHECK-SAME: tilegpu.num_warps = 8 : i32
func.func @tile_4096(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 4096 : tensor<4096xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v = tile.load %a : tensor<4096x!tile.ptr<f32>>
  tile.store %a, %v : tensor<4096x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_8192(
// CHECK-SAME: tilegpu.num_warps = 8 : i32
func.func @tile_8192(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 8192 : tensor<8192xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<8192x!tile.ptr<f32>>, tensor<8192xi32>
  %v = tile.load %a : tensor<8192x!tile.ptr<f32>>
  tile.store %a, %v : tensor<8192x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_16384(
// CHECK-SAME: tilegpu.num_warps = 16 : i32
func.func @tile_16384(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 16384 : tensor<16384xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<16384x!tile.ptr<f32>>, tensor<16384xi32>
  %v = tile.load %a : tensor<16384x!tile.ptr<f32>>
  tile.store %a, %v : tensor<16384x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_32768(
// CHECK-SAME: tilegpu.num_warps = 16 : i32
func.func @tile_32768(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 32768 : tensor<32768xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<32768x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<32768x!tile.ptr<f32>>, tensor<32768xi32>
  %v = tile.load %a : tensor<32768x!tile.ptr<f32>>
  tile.store %a, %v : tensor<32768x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @tile_65536(
// CHECK-SAME: tilegpu.num_warps = 32 : i32
func.func @tile_65536(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.arange 0, 65536 : tensor<65536xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
  %a = tile.addptr %s, %i : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  %v = tile.load %a : tensor<65536x!tile.ptr<f32>>
  tile.store %a, %v : tensor<65536x!tile.ptr<f32>>
  return
}
