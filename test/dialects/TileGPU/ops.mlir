// Every operation and attribute of the dialect, through both syntaxes and bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#row = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
#other = #tilegpu.layout<register = [128, 256], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
#tile = #tilegpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#replicated = #tilegpu.layout<register = [], lane = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0]]>

// Layouts are printed once, at the top.
// CHECK-DAG: #[[ROW:.*]] = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
// CHECK-DAG: #[[OTHER:.*]] = #tilegpu.layout<register = [128, 256], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
// CHECK-DAG: #[[TILE:.*]] = #tilegpu.layout<register = {{\[}}[0, 1]], lane = {{\[}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-DAG: #[[REPLICATED:.*]] = #tilegpu.layout<register = [], lane = {{\[}}[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = {{\[}}[0, 0, 0]]>

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 2048 : i32}
func.func @kernel() attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 2048 : i32} {
  %c = arith.constant dense<1.0> : tensor<512xf32, #row>
  // CHECK: %[[C:.*]] = tilegpu.convert_layout %{{.*}} {tilegpu.shared_offset = 0 : i32} : tensor<512xf32, #[[ROW]]> -> tensor<512xf32, #[[OTHER]]>
  // GENERIC: "tilegpu.convert_layout"(%{{.*}}) {tilegpu.shared_offset = 0 : i32} : (tensor<512xf32, #{{.*}}>) -> tensor<512xf32, #{{.*}}>
  %0 = tilegpu.convert_layout %c {tilegpu.shared_offset = 0 : i32} : tensor<512xf32, #row> -> tensor<512xf32, #other>
  // CHECK: tilegpu.barrier
  // GENERIC: "tilegpu.barrier"() : () -> ()
  tilegpu.barrier
  // CHECK: tilegpu.approx ex2 %[[C]] : tensor<512xf32, #[[OTHER]]>
  // GENERIC: "tilegpu.approx"(%{{.*}}) <{fn = 0 : i32}>
  %1 = tilegpu.approx ex2 %0 : tensor<512xf32, #other>
  // CHECK: tilegpu.div_full %{{.*}}, %[[C]] : tensor<512xf32, #[[OTHER]]>
  %2 = tilegpu.div_full %1, %0 : tensor<512xf32, #other>
  return
}

// CHECK-LABEL: func.func private @layouts
// CHECK-SAME: (tensor<8x8xf32, #[[TILE]]>, tensor<2x1x1xi8, #[[REPLICATED]]>)
func.func private @layouts(tensor<8x8xf32, #tile>, tensor<2x1x1xi8, #replicated>)

// CHECK-LABEL: func.func @approximations
func.func @approximations(%x: f32) {
  // CHECK: tilegpu.approx ex2 %{{.*}} : f32
  %0 = tilegpu.approx ex2 %x : f32
  // CHECK: tilegpu.approx lg2
  %1 = tilegpu.approx lg2 %x : f32
  // CHECK: tilegpu.approx rcp
  %2 = tilegpu.approx rcp %x : f32
  // CHECK: tilegpu.approx rsqrt
  %3 = tilegpu.approx rsqrt %x : f32
  // CHECK: tilegpu.approx sqrt
  %4 = tilegpu.approx sqrt %x : f32
  // CHECK: tilegpu.approx tanh
  %5 = tilegpu.approx tanh %x : f32
  // CHECK: tilegpu.approx sin
  %6 = tilegpu.approx sin %x : f32
  // CHECK: tilegpu.approx cos
  %7 = tilegpu.approx cos %x : f32
  return
}

// CHECK-LABEL: func.func @accesses
// CHECK-SAME: (%[[G:.*]]: !llvm.ptr<1>, %[[S:.*]]: !llvm.ptr<3>, %[[M:.*]]: i1, %[[V:.*]]: vector<4xf32>)
func.func @accesses(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %m: i1, %v: vector<4xf32>) {
  // CHECK: tilegpu.ld %[[G]] {align = 16 : i32} : {{.*}}<1> -> vector<4xf32>
  %0 = tilegpu.ld %g {align = 16 : i32} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: tilegpu.ld %[[G]], pred %[[M]] {align = 2 : i32, arg = 3 : i32, is_volatile} : {{.*}}<1> -> i16
  %1 = tilegpu.ld %g, pred %m {align = 2 : i32, arg = 3 : i32, is_volatile} : !llvm.ptr<1> -> i16
  // CHECK: tilegpu.ld %[[G]], pred %[[M]], other %[[V]] : vector<4xf32> {align = 16 : i32, cache = 3 : i32, evict = 1 : i32} : {{.*}}<1> -> vector<4xf32>
  // GENERIC: "tilegpu.ld"(%{{.*}}, %{{.*}}, %{{.*}}) <{align = 16 : i32, cache = 3 : i32, evict = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}>
  %2 = tilegpu.ld %g, pred %m, other %v : vector<4xf32> {align = 16 : i32, cache = 3 : i32, evict = 1 : i32} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: tilegpu.ld %[[S]] {align = 8 : i32} : {{.*}}<3> -> !llvm.ptr<1>
  %3 = tilegpu.ld %s {align = 8 : i32} : !llvm.ptr<3> -> !llvm.ptr<1>
  // CHECK: tilegpu.st %[[G]], %[[V]] {align = 32 : i32} : {{.*}}<1>, vector<4xf32>
  tilegpu.st %g, %v {align = 32 : i32} : !llvm.ptr<1>, vector<4xf32>
  // CHECK: tilegpu.st %[[S]], %[[V]], pred %[[M]] {align = 16 : i32, arg = 0 : i32} : {{.*}}<3>, vector<4xf32>
  tilegpu.st %s, %v, pred %m {align = 16 : i32, arg = 0 : i32} : !llvm.ptr<3>, vector<4xf32>
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: !llvm.ptr<1>, %m: i1, %i: i32, %h: f16) {
  // CHECK: tilegpu.atom add acq_rel gpu %{{.*}}, %{{.*}}, pred %{{.*}} {arg = 2 : i32} : <1>, i32
  // GENERIC: "tilegpu.atom"(%{{.*}}, %{{.*}}, %{{.*}}) <{arg = 2 : i32, kind = 0 : i32, scope = 1 : i32, sem = 3 : i32}>
  %0 = tilegpu.atom add acq_rel gpu %p, %i, pred %m {arg = 2 : i32} : !llvm.ptr<1>, i32
  // CHECK: tilegpu.atom fadd relaxed cta %{{.*}}, %{{.*}} : <1>, f16
  %1 = tilegpu.atom fadd relaxed cta %p, %h : !llvm.ptr<1>, f16
  // CHECK: tilegpu.atom xchg release sys %{{.*}}, %{{.*}} : <1>, !llvm.ptr<1>
  %2 = tilegpu.atom xchg release sys %p, %p : !llvm.ptr<1>, !llvm.ptr<1>
  // CHECK: tilegpu.cas acquire gpu %{{.*}}, %{{.*}}, %{{.*}}, pred %{{.*}} : <1>, f16
  %3 = tilegpu.cas acquire gpu %p, %h, %h, pred %m : !llvm.ptr<1>, f16
  return
}

// CHECK-LABEL: func.func @effects
func.func @effects(%m: i1, %i: i32, %d: f64) {
  // CHECK: tilegpu.print "x: %u %f\0A"(%{{.*}}, %{{.*}}), pred %{{.*}} : i32, f64
  tilegpu.print "x: %u %f\n"(%i, %d), pred %m : i32, f64
  // CHECK: tilegpu.print "done\0A"()
  tilegpu.print "done\n"()
  // CHECK: tilegpu.check %{{.*}}, "inside"
  tilegpu.check %m, "inside"
  // CHECK: tilegpu.asm "mov.b32 $0, $1;", "=r,r" pure(%{{.*}}) : (i32) -> i32
  %0 = tilegpu.asm "mov.b32 $0, $1;", "=r,r" pure(%i) : (i32) -> i32
  // CHECK: tilegpu.asm "nanosleep.u32 10;", ""() : () -> ()
  tilegpu.asm "nanosleep.u32 10;", ""() : () -> ()
  return
}
