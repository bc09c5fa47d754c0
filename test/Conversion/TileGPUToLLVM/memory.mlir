// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// Four registers that lie next to each other in memory are one access; every access keeps the number
// of its argument. A mask that is equal on the vector is one predicate.
#l = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-LABEL: llvm.func @vectors
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1> {{.*}}, %[[Q:.*]]: !llvm.ptr<1> {{.*}}, %{{.*}}: i32 {{.*}})
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 128>
// CHECK: %[[A:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// CHECK: %[[V:.*]] = tilegpu.ld %[[A]] {align = 16 : i32, arg = 0 : i32} : {{.*}}<1> -> vector<4xf32>
// CHECK: %[[W:.*]] = tilegpu.ld %[[A]], pred %[[M:.*]], other %[[V]] : vector<4xf32> {align = 16 : i32, arg = 0 : i32}
// CHECK: %[[B:.*]] = llvm.getelementptr %[[Q]]
// CHECK: tilegpu.st %[[B]], %[[W]], pred %[[M]] {align = 16 : i32, arg = 1 : i32} : {{.*}}<1>, vector<4xf32>
func.func @vectors(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 512 : tensor<512xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #l>
  %a = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<512xi32, #l>
  %m = arith.cmpi slt, %i, %ns : tensor<512xi32, #l>
  %v = tile.load %a : tensor<512x!tile.ptr<f32>, #l>
  %w = tile.load %a, mask %m, other %v : tensor<512x!tile.ptr<f32>, #l>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #l>
  %b = tile.addptr %qs, %i : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  tile.store %b, %w, mask %m : tensor<512x!tile.ptr<f32>, #l>
  return
}

// -----

// Narrower, not wrong: an address of unknown alignment, one aligned to 8 bytes, a mask that may change
// inside a vector, and elements that are not neighbours.
#l = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-LABEL: llvm.func @narrower
// CHECK-COUNT-4: tilegpu.ld %{{.*}} {align = 4 : i32, arg = 0 : i32} : {{.*}}<1> -> f32
// CHECK-NOT: tilegpu.ld
// CHECK: tilegpu.ld %{{.*}} {align = 8 : i32, arg = 1 : i32} : {{.*}}<1> -> vector<2xf32>
// CHECK: tilegpu.ld %{{.*}} {align = 8 : i32, arg = 1 : i32} : {{.*}}<1> -> vector<2xf32>
// CHECK-NOT: tilegpu.ld
// CHECK: tilegpu.ld %{{.*}}, pred %[[M0:.*]] {align = 4 : i32, arg = 2 : i32} : {{.*}}<1> -> f32
// CHECK-NOT: tilegpu.ld {{.*}} pred %[[M0]]
// CHECK-COUNT-3: tilegpu.ld %{{.*}}, pred %{{.*}} {align = 4 : i32, arg = 2 : i32} : {{.*}}<1> -> f32
// CHECK-NOT: tilegpu.ld
// CHECK-COUNT-4: tilegpu.ld %{{.*}} {align = 4 : i32, arg = 2 : i32} : {{.*}}<1> -> f32
// CHECK-NOT: tilegpu.ld
// CHECK: llvm.return
func.func @narrower(%p: !tile.ptr<f32>, %q: !tile.ptr<f32> {tile.divisibility = 8 : i32}, %r: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 512 : tensor<512xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #l>
  %a = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  %v = tile.load %a : tensor<512x!tile.ptr<f32>, #l>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #l>
  %b = tile.addptr %qs, %i : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  %w = tile.load %b : tensor<512x!tile.ptr<f32>, #l>
  %rs = tile.splat %r : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #l>
  %c = tile.addptr %rs, %i : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<512xi32, #l>
  %m = arith.cmpi slt, %i, %ns : tensor<512xi32, #l>
  %x = tile.load %c, mask %m : tensor<512x!tile.ptr<f32>, #l>
  %two = arith.constant dense<2> : tensor<512xi32, #l>
  %j = arith.muli %i, %two : tensor<512xi32, #l>
  %d = tile.addptr %rs, %j : tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>
  %y = tile.load %d : tensor<512x!tile.ptr<f32>, #l>
  return
}

// -----

// 16 bytes at most: f64 in twos, f16 in eights, bytes in sixteens.
#l = #tilegpu.layout<register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = []>
// CHECK-LABEL: llvm.func @widths
// CHECK-COUNT-8: tilegpu.ld %{{.*}} {align = 16 : i32, arg = 0 : i32} : {{.*}}<1> -> vector<2xf64>
// CHECK-COUNT-2: tilegpu.ld %{{.*}} {align = 16 : i32, arg = 1 : i32} : {{.*}}<1> -> vector<8xf16>
// CHECK-COUNT-2: tilegpu.ld %{{.*}} {align = 16 : i32, arg = 2 : i32} : {{.*}}<1> -> vector<8xbf16>
// CHECK: tilegpu.ld %{{.*}} {align = 16 : i32, arg = 3 : i32} : {{.*}}<1> -> vector<16xi8>
// CHECK-NOT: tilegpu.ld
// CHECK: llvm.return
func.func @widths(%p: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %r: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %s: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 512 : tensor<512xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<512x!tile.ptr<f64>, #l>
  %pa = tile.addptr %ps, %i : tensor<512x!tile.ptr<f64>, #l>, tensor<512xi32, #l>
  %pv = tile.load %pa : tensor<512x!tile.ptr<f64>, #l>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>, #l>
  %qa = tile.addptr %qs, %i : tensor<512x!tile.ptr<f16>, #l>, tensor<512xi32, #l>
  %qv = tile.load %qa : tensor<512x!tile.ptr<f16>, #l>
  %rs = tile.splat %r : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>, #l>
  %ra = tile.addptr %rs, %i : tensor<512x!tile.ptr<bf16>, #l>, tensor<512xi32, #l>
  %rv = tile.load %ra : tensor<512x!tile.ptr<bf16>, #l>
  %ss = tile.splat %s : !tile.ptr<i8> -> tensor<512x!tile.ptr<i8>, #l>
  %sa = tile.addptr %ss, %i : tensor<512x!tile.ptr<i8>, #l>, tensor<512xi32, #l>
  %sv = tile.load %sa : tensor<512x!tile.ptr<i8>, #l>
  tile.store %sa, %sv : tensor<512x!tile.ptr<i8>, #l>
  return
}

// -----

// A scalar is read by all threads and written by one.
// CHECK-LABEL: llvm.func @scalars
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: i1, %[[O:.*]]: f32)
// CHECK: %[[V:.*]] = tilegpu.ld %[[P]], pred %[[M]], other %[[O]] : f32 {align = 4 : i32, arg = 0 : i32}
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(127 : i32)
// CHECK: %[[A:.*]] = llvm.and %[[T]], %[[ALL]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[A]], %{{.*}}
// CHECK: %[[BOTH:.*]] = llvm.and %[[M]], %[[FIRST]] : i1
// CHECK: tilegpu.st %[[P]], %[[V]], pred %[[BOTH]] {align = 4 : i32, arg = 0 : i32} : {{.*}}<1>, f32
func.func @scalars(%p: !tile.ptr<f32>, %m: i1, %o: f32) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %v = tile.load %p, mask %m, other %o : !tile.ptr<f32>
  tile.store %p, %v, mask %m : !tile.ptr<f32>
  return
}

// -----

// Elements that several threads hold are stored by the first of them: here four lanes of one warp.
#l = #tilegpu.layout<register = [], lane = [1, 2, 0, 0, 0], warp = [0, 0]>
// CHECK-LABEL: llvm.func @replicated
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(124 : i32)
// CHECK: %[[BITS:.*]] = llvm.and %{{.*}}, %[[MASK]]
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %[[BITS]], %{{.*}}
// CHECK: tilegpu.st %{{.*}}, %{{.*}}, pred %[[OWNER]] {align = 4 : i32
// CHECK-NOT: tilegpu.st
func.func @replicated(%p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 4 : i32} {
  %i = tile.arange 0, 4 : tensor<4xi32, #l>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>, #l>
  %a = tile.addptr %ps, %i : tensor<4x!tile.ptr<i32>, #l>, tensor<4xi32, #l>
  tile.store %a, %i : tensor<4x!tile.ptr<i32>, #l>
  return
}

// -----

// Registers that repeat others are stored once.
#l = #tilegpu.layout<register = [0, 32], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @repeated
// CHECK-COUNT-2: tilegpu.st
// CHECK-NOT: tilegpu.st
func.func @repeated(%p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 64 : tensor<64xi32, #l>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #l>
  %a = tile.addptr %ps, %i : tensor<64x!tile.ptr<i32>, #l>, tensor<64xi32, #l>
  tile.store %a, %i : tensor<64x!tile.ptr<i32>, #l>
  return
}

// -----

// Offsets are extended as they say: unsigned by zeros, others by the sign, which addresses do anyway.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @offsets
// CHECK: %[[Z:.*]] = llvm.zext %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[Z]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i16
// CHECK-NOT: llvm.zext
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
// Scalars: the size in memory counts, not the type.
// CHECK: %[[S:.*]] = llvm.zext %{{.*}} : i32 to i64
// CHECK: llvm.getelementptr %{{.*}}[%[[S]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
func.func @offsets(%p: !tile.ptr<f16>, %q: !tile.ptr<!tile.ptr<f16>>, %n: i32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 32 : tensor<32xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>, #l>
  %a = tile.addptr %ps, %i unsigned : tensor<32x!tile.ptr<f16>, #l>, tensor<32xi32, #l>
  %v = tile.load %a : tensor<32x!tile.ptr<f16>, #l>
  %b = tile.addptr %ps, %i : tensor<32x!tile.ptr<f16>, #l>, tensor<32xi32, #l>
  tile.store %b, %v : tensor<32x!tile.ptr<f16>, #l>
  %c = tile.addptr %q, %n unsigned : !tile.ptr<!tile.ptr<f16>>, i32
  %w = tile.load %c {is_volatile} : !tile.ptr<!tile.ptr<f16>>
  return
}

// -----

// Pointers of unknown shape are a vector, one address a register; hints on caches stay.
#l = #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>
// CHECK-LABEL: llvm.func @gather
// CHECK-COUNT-2: tilegpu.ld %{{.*}} {align = 8 : i32, arg = 0 : i32} : {{.*}}<1> -> !llvm.ptr<1>
// CHECK: %[[P:.*]] = llvm.extractelement %{{.*}} : vector<2x!llvm.ptr<1>>
// CHECK: tilegpu.ld %[[P]] {align = 4 : i32, cache = 2 : i32, evict = 1 : i32, is_volatile} : {{.*}}<1> -> f32
// CHECK: tilegpu.st %{{.*}}, %{{.*}} {align = 4 : i32, cache = 3 : i32} : {{.*}}<1>, f32
func.func @gather(%p: !tile.ptr<!tile.ptr<f32>>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 64 : tensor<64xi32, #l>
  %ps = tile.splat %p : !tile.ptr<!tile.ptr<f32>> -> tensor<64x!tile.ptr<!tile.ptr<f32>>, #l>
  %a = tile.addptr %ps, %i : tensor<64x!tile.ptr<!tile.ptr<f32>>, #l>, tensor<64xi32, #l>
  %b = tile.load %a : tensor<64x!tile.ptr<!tile.ptr<f32>>, #l>
  %v = tile.load %b {is_volatile, cache = 2 : i32, evict = 1 : i32} : tensor<64x!tile.ptr<f32>, #l>
  tile.store %b, %v {cache = 3 : i32} : tensor<64x!tile.ptr<f32>, #l>
  return
}

// -----

// Rows of a matrix in the layout of two dimensions: a vector lies along the dimension that is
// contiguous.
#l = #tilegpu.layout<register = [[1, 0], [2, 0], [0, 1]], lane = [[4, 0], [8, 0], [0, 2], [0, 4], [0, 8]], warp = []>
// CHECK-LABEL: llvm.func @columns
// CHECK-COUNT-2: tilegpu.ld %{{.*}} {align = 16 : i32, arg = 0 : i32} : {{.*}}<1> -> vector<4xf32>
// CHECK-NOT: tilegpu.ld
func.func @columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %ir = tile.arange 0, 16 : tensor<16xi32, #tilegpu.layout<register = [1, 2], lane = [4, 8, 0, 0, 0], warp = []>>
  %jr = tile.arange 0, 16 : tensor<16xi32, #tilegpu.layout<register = [1], lane = [0, 0, 2, 4, 8], warp = []>>
  %ie = tile.expand_dims %ir {axis = 1 : i32} : tensor<16xi32, #tilegpu.layout<register = [1, 2], lane = [4, 8, 0, 0, 0], warp = []>> -> tensor<16x1xi32, #tilegpu.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
  %je = tile.expand_dims %jr {axis = 0 : i32} : tensor<16xi32, #tilegpu.layout<register = [1], lane = [0, 0, 2, 4, 8], warp = []>> -> tensor<1x16xi32, #tilegpu.layout<register = [[0, 1]], lane = [[0, 0], [0, 0], [0, 2], [0, 4], [0, 8]], warp = []>>
  %c = arith.constant dense<16> : tensor<1x16xi32, #tilegpu.layout<register = [[0, 1]], lane = [[0, 0], [0, 0], [0, 2], [0, 4], [0, 8]], warp = []>>
  %jm = arith.muli %je, %c : tensor<1x16xi32, #tilegpu.layout<register = [[0, 1]], lane = [[0, 0], [0, 0], [0, 2], [0, 4], [0, 8]], warp = []>>
  %ib = tile.broadcast %ie : tensor<16x1xi32, #tilegpu.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 0], [0, 0], [0, 0]], warp = []>> -> tensor<16x16xi32, #l>
  %jb = tile.broadcast %jm : tensor<1x16xi32, #tilegpu.layout<register = [[0, 1]], lane = [[0, 0], [0, 0], [0, 2], [0, 4], [0, 8]], warp = []>> -> tensor<16x16xi32, #l>
  %o = arith.addi %ib, %jb : tensor<16x16xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>, #l>
  %a = tile.addptr %ps, %o : tensor<16x16x!tile.ptr<f32>, #l>, tensor<16x16xi32, #l>
  %v = tile.load %a : tensor<16x16x!tile.ptr<f32>, #l>
  tile.store %a, %v : tensor<16x16x!tile.ptr<f32>, #l>
  return
}

// -----

// A volatile load of a scalar is one thread's, for what others would find may differ by then.
// CHECK-LABEL: llvm.func @flag
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: %[[PRED:.*]] = llvm.and %{{.*}}, %[[FIRST]] : i1
// CHECK: %[[SEEN:.*]] = tilegpu.ld %{{.*}}, pred %[[PRED]] {align = 4 : i32, arg = 0 : i32, is_volatile} : <1> -> i32
// CHECK: tilegpu.st %[[PLACE:.*]], %[[SEEN]], pred %[[FIRST]] {align = 4 : i32} : <3>, i32
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: tilegpu.ld %[[PLACE]] {align = 4 : i32} : <3> -> i32
func.func @flag(%p: !tile.ptr<i32>, %m: i1) attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 16 : i32} {
  %0 = tile.load %p, mask %m {is_volatile, tilegpu.shared_offset = 0 : i32} : !tile.ptr<i32>
  tile.store %p, %0 : !tile.ptr<i32>
  return
}
