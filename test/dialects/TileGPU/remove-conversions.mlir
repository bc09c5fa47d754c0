// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=4 --tilegpu-coalesce --tilegpu-remove-conversions --canonicalize --cse --split-input-file | FileCheck %s

// A row is loaded, reduced and stored in one layout.
// CHECK: #[[W:.*]] = #tilegpu.layout<register = [1, 2, 512], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: convert_layout
// CHECK: tile.arange 0, 1024 : tensor<1024xi32, #[[W]]>
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}} : tensor<1024x!tile.ptr<f32>, #[[W]]>
func.func @softmax(%o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %s: i32 {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %pid = tile.program_id 0
  %c = tile.arange 0, 1024 : tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %c, %ns : tensor<1024xi32>
  %row = arith.muli %pid, %s : i32
  %xp = tile.addptr %x, %row : !tile.ptr<f32>, i32
  %xs = tile.splat %xp : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xa = tile.addptr %xs, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %inf = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %v = tile.load %xa, mask %m, other %inf : tensor<1024x!tile.ptr<f32>>
  %mx = tile.reduce %v {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maxnumf %a, %b : f32
    tile.yield %r : f32
  }
  %mxs = tile.splat %mx : f32 -> tensor<1024xf32>
  %d = arith.subf %v, %mxs : tensor<1024xf32>
  %e = math.exp2 %d : tensor<1024xf32>
  %sum = tile.reduce %e {axis = 0 : i32} : tensor<1024xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tile.yield %r : f32
  }
  %sums = tile.splat %sum : f32 -> tensor<1024xf32>
  %q = arith.divf %e, %sums : tensor<1024xf32>
  %op = tile.addptr %o, %row : !tile.ptr<f32>, i32
  %os = tile.splat %op : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %oa = tile.addptr %os, %c : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %oa, %q, mask %m : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// The data of a transposition moves once; indices are computed on both sides.
// CHECK-LABEL: func.func @transpose
// CHECK-NOT: convert_layout
// CHECK: %[[V:.*]] = tile.load
// CHECK-NOT: convert_layout
// CHECK: %[[T:.*]] = tilegpu.convert_layout %{{.*}} : tensor<64x64xf32, #{{.*}}> -> tensor<64x64xf32, #{{.*}}>
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}}, %[[T]]
func.func @transpose(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 64 : tensor<64xi32>
  %re = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ce = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %rm = arith.muli %re, %ms : tensor<64x1xi32>
  %rmb = tile.broadcast %rm : tensor<64x1xi32> -> tensor<64x64xi32>
  %ceb = tile.broadcast %ce : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %rmb, %ceb : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %v = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %t = tile.trans %v {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %op = tile.addptr %os, %off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %op, %t : tensor<64x64x!tile.ptr<f32>>
  return
}

// -----

// Row sums and column sums of one tile: the tile stays as it was loaded, only the small results move
// where they are stored otherwise.
// CHECK-LABEL: func.func @reductions
// CHECK: %[[V:.*]] = tile.load %{{.*}} : tensor<64x64x!tile.ptr<f32>, #[[L:.*]]>
// CHECK-NOT: convert_layout {{.*}} : tensor<64x64x
// CHECK: tile.reduce %[[V]] {axis = 0 : i32} : tensor<64x64xf32, #[[L]]>
// CHECK: tile.reduce %[[V]] {axis = 1 : i32} : tensor<64x64xf32, #[[L]]>
// CHECK-NOT: convert_layout {{.*}} : tensor<64x64x
// CHECK: return
func.func @reductions(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 64 : tensor<64xi32>
  %re = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ce = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %rm = arith.muli %re, %ms : tensor<64x1xi32>
  %rmb = tile.broadcast %rm : tensor<64x1xi32> -> tensor<64x64xi32>
  %ceb = tile.broadcast %ce : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %rmb, %ceb : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %v = tile.load %xp : tensor<64x64x!tile.ptr<f32>>
  %c = tile.reduce %v {axis = 0 : i32} : tensor<64x64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tile.yield %r : f32
  }
  %d = tile.reduce %v {axis = 1 : i32} : tensor<64x64xf32> -> tensor<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tile.yield %r : f32
  }
  %e = arith.addf %c, %d : tensor<64xf32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %op, %e : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// A matrix times a vector, by blocks of columns: the vector is loaded in the layout that the matrix's
// columns have, so nothing moves in the loop; the accumulator is carried in the matrix's.
// CHECK-LABEL: func.func @matvec
// CHECK: scf.for {{.*}} -> (tensor<32x64xf32, #[[L:.*]]>)
// CHECK-NOT: convert_layout
// CHECK: %[[V:.*]] = tile.load %{{.*}} : tensor<64x!tile.ptr<f32>, #[[S:.*]]>
// CHECK: tile.expand_dims %[[V]] {{.*}} : tensor<64xf32, #[[S]]>
// CHECK-NOT: convert_layout
// CHECK: scf.yield %{{.*}} : tensor<32x64xf32, #[[L]]>
// CHECK: tile.reduce %{{.*}} : tensor<32x64xf32, #[[L]]>
func.func @matvec(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %k: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %i = tile.arange 0, 32 : tensor<32xi32>
  %j = tile.arange 0, 64 : tensor<64xi32>
  %ie = tile.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %je = tile.expand_dims %j {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ks = tile.splat %k : i32 -> tensor<32x1xi32>
  %ik = arith.muli %ie, %ks : tensor<32x1xi32>
  %ikb = tile.broadcast %ik : tensor<32x1xi32> -> tensor<32x64xi32>
  %jb = tile.broadcast %je : tensor<1x64xi32> -> tensor<32x64xi32>
  %off = arith.addi %ikb, %jb : tensor<32x64xi32>
  %acc = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<32x64xf32>) : i32 {
    %xc = tile.addptr %x, %c : !tile.ptr<f32>, i32
    %xs = tile.splat %xc : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
    %xa = tile.addptr %xs, %off : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
    %m = tile.load %xa : tensor<32x64x!tile.ptr<f32>>
    %yc = tile.addptr %y, %c : !tile.ptr<f32>, i32
    %ys = tile.splat %yc : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %ya = tile.addptr %ys, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %ya : tensor<64x!tile.ptr<f32>>
    %ve = tile.expand_dims %v {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %vb = tile.broadcast %ve : tensor<1x64xf32> -> tensor<32x64xf32>
    %p = arith.mulf %m, %vb : tensor<32x64xf32>
    %n = arith.addf %s, %p : tensor<32x64xf32>
    scf.yield %n : tensor<32x64xf32>
  }
  %r = tile.reduce %acc {axis = 1 : i32} : tensor<32x64xf32> -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %oa = tile.addptr %os, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %oa, %r : tensor<32x!tile.ptr<f32>>
  return
}

// -----

// A tensor that a branch or a while loop carries has one layout from start to end.
// CHECK-LABEL: func.func @control_flow
// CHECK: %[[V:.*]] = tile.load %{{.*}} : tensor<512x!tile.ptr<f32>, #[[L:.*]]>
// CHECK-NOT: convert_layout
// CHECK: scf.if {{.*}} -> (tensor<512xf32, #[[L]]>)
// CHECK-NOT: convert_layout
// CHECK: scf.while {{.*}} (tensor<512xf32, #[[L]]>, i32) -> (tensor<512xf32, #[[L]]>, i32)
// CHECK-NOT: convert_layout
// CHECK: tile.store %{{.*}} : tensor<512x!tile.ptr<f32>, #[[L]]>
func.func @control_flow(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange 0, 512 : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %xa = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %xa : tensor<512x!tile.ptr<f32>>
  %p = arith.cmpi slt, %c0, %n : i32
  %if = scf.if %p -> tensor<512xf32> {
    %f = arith.sitofp %i : tensor<512xi32> to tensor<512xf32>
    scf.yield %f : tensor<512xf32>
  } else {
    scf.yield %v : tensor<512xf32>
  }
  %w:2 = scf.while (%a = %if, %k = %c0) : (tensor<512xf32>, i32) -> (tensor<512xf32>, i32) {
    %c = arith.cmpi slt, %k, %n : i32
    scf.condition(%c) %a, %k : tensor<512xf32>, i32
  } do {
  ^bb0(%a: tensor<512xf32>, %k: i32):
    %b = arith.addf %a, %v : tensor<512xf32>
    %l = arith.addi %k, %c1 : i32
    scf.yield %b, %l : tensor<512xf32>, i32
  }
  tile.store %xa, %w#0 : tensor<512x!tile.ptr<f32>>
  return
}

// -----

// A load stays single, whatever layouts its users want: memory may change between two reads. The
// volatile one does not even move.
// CHECK-LABEL: func.func @loads_once
// CHECK-COUNT-2: tile.load
// CHECK-NOT: tile.load
// CHECK: return
func.func @loads_once(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = tile.arange 0, 64 : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xa = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xa : tensor<64x!tile.ptr<f32>>
  %w = tile.load %xa {is_volatile} : tensor<64x!tile.ptr<f32>>
  %z = arith.addf %v, %w : tensor<64xf32>
  %r = tile.expand_dims %v {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %c = tile.expand_dims %z {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %rb = tile.broadcast %r : tensor<64x1xf32> -> tensor<64x64xf32>
  %cb = tile.broadcast %c : tensor<1x64xf32> -> tensor<64x64xf32>
  %p = arith.mulf %rb, %cb : tensor<64x64xf32>
  %re = tile.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ce = tile.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %rm = arith.muli %re, %c64 : tensor<64x1xi32>
  %rmb = tile.broadcast %rm : tensor<64x1xi32> -> tensor<64x64xi32>
  %ceb = tile.broadcast %ce : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %rmb, %ceb : tensor<64x64xi32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %oa = tile.addptr %os, %off : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %oa, %p : tensor<64x64x!tile.ptr<f32>>
  tile.store %xa, %v : tensor<64x!tile.ptr<f32>>
  return
}
