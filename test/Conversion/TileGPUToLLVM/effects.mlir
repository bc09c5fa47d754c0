// RUN: tile-opt %s --convert-tilegpu-to-llvm --cse --split-input-file | FileCheck %s

// A line for each element, by its owner; what is no tensor is printed by one thread.
// CHECK-LABEL: llvm.func @print
// CHECK: tilegpu.print "pid (%u, %u, %u) idx (%1u, %1u) v: (operand 0) %f\0A"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}), pred %{{.*}} : i32, i32, i32, i32, i32, f64
// CHECK-NOT: operand 0
// CHECK: tilegpu.print "pid (%u, %u, %u) idx () v: (operand 1) %lli\0A"(%{{.*}}), pred %{{.*}} : i32, i32, i32, i64
// CHECK: %[[WIDE:.*]] = llvm.zext %{{.*}} : i8 to i32
// CHECK: tilegpu.print "pid (%u, %u, %u) idx () 100%% 0x%02x\0A"({{.*}}, %[[WIDE]]), pred
#t = #tilegpu.layout<register = [[0, 0]], lane = [[0, 1], [1, 0], [2, 0], [0, 0], [0, 0]], warp = []>
func.func @print(%n: i64, %b: i8) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %v = arith.constant dense<1.0> : tensor<4x2xf16, #t>
  tile.print " v: " %v, %n {is_signed = array<i32: 0, 1>} : tensor<4x2xf16, #t>, i64
  tile.print " 100% " hex %b {is_signed = array<i32: 1>} : i8
  return
}

// -----

#l = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @assert
// CHECK: %[[C:.*]] = llvm.icmp "slt"
// CHECK: %[[A:.*]] = llvm.extractelement %[[C]][
// CHECK: %[[B:.*]] = llvm.extractelement %[[C]][
// CHECK: %[[BOTH:.*]] = llvm.and %[[A]], %[[B]] : i1
// CHECK: tilegpu.check %[[BOTH]], "inside"
func.func @assert(%n: i32) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 64 : tensor<64xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<64xi32, #l>
  %c = arith.cmpi slt, %i, %ns : tensor<64xi32, #l>
  tile.assert %c, "inside" : tensor<64xi1, #l>
  return
}

// -----

// Four bytes fill a register. A thread that holds two elements repeats the first.
#l = #tilegpu.layout<register = [1], lane = [2, 4, 8, 16, 32], warp = []>
// CHECK-LABEL: llvm.func @inline_asm
// CHECK: llvm.shl %{{.*}}, %{{.*}} : i32
// CHECK: %[[R:.*]]:3 = tilegpu.asm "not.b32 $0, $3;", "=r,=r,=r,r" pure(%{{.*}}) : (i32) -> (i32, i32, i32)
// CHECK: llvm.trunc %[[R]]#0 : i32 to i8
// CHECK: llvm.lshr %[[R]]#0, %{{.*}} : i32
func.func @inline_asm(%p: !tile.ptr<i8>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %i = tile.arange 0, 64 : tensor<64xi32, #l>
  %v = arith.trunci %i : tensor<64xi32, #l> to tensor<64xi8, #l>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<64x!tile.ptr<i8>, #l>
  %a = tile.addptr %ps, %i : tensor<64x!tile.ptr<i8>, #l>, tensor<64xi32, #l>
  %r, %s = tile.inline_asm "not.b32 $0, $3;", "=r,=r,=r,r" pure %v {pack = 4 : i32} : (tensor<64xi8, #l>) -> (tensor<64xi8, #l>, tensor<64xi16, #l>)
  tile.store %a, %r : tensor<64x!tile.ptr<i8>, #l>
  return
}

// -----

// CHECK-LABEL: llvm.func @machine
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.read.ptx.sreg.globaltimer : i64
// CHECK: nvvm.read.ptx.sreg.smid : i32
// CHECK: nvvm.griddepcontrol launch_dependents
func.func @machine(%p: !tile.ptr<i64>, %q: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  tile.grid_dependency wait
  %t = tile.globaltimer
  tile.store %p, %t : !tile.ptr<i64>
  %s = tile.smid
  tile.store %q, %s : !tile.ptr<i32>
  tile.grid_dependency launch
  return
}

// -----

// What changes by itself is one thread's, for threads must not branch differently.
// CHECK-LABEL: llvm.func @clocks
// CHECK: %[[NOW:.*]] = nvvm.read.ptx.sreg.globaltimer : i64
// CHECK: tilegpu.st %[[PLACE:.*]], %[[NOW]], pred %{{.*}} {align = 8 : i32} : <3>, i64
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: tilegpu.ld %[[PLACE]] {align = 8 : i32} : <3> -> i64
// The other one is measured, and nobody looks.
// CHECK: nvvm.read.ptx.sreg.globaltimer : i64
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @clocks(%p: !tile.ptr<i64>) attributes {tile.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 16 : i32} {
  %t = tile.globaltimer {tilegpu.shared_offset = 0 : i32}
  tile.store %p, %t : !tile.ptr<i64>
  %unused = tile.globaltimer
  return
}
