// RUN: tile-opt %s --convert-tilegpu-to-llvm | FileCheck %s

// A counter from 0 and a step stay below 2^32: compared without signs, they do not wrap.
// CHECK-LABEL: llvm.func @from_zero
// CHECK-SAME: (%[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[ANY:.*]] = llvm.icmp "sgt" %[[N]], %{{.*}}
// CHECK: llvm.cond_br %[[ANY]]
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[NEXT:.*]] = llvm.add %[[I]], %[[STEP]]
// CHECK: %[[MORE:.*]] = llvm.icmp "ult" %[[NEXT]], %[[N]]
// CHECK: llvm.cond_br %[[MORE]], ^bb1(%[[NEXT]]
func.func @from_zero(%n: i32, %p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %sum = scf.for %i = %zero to %n step %four iter_args(%s = %zero) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  tile.store %p, %sum : !tile.ptr<i32>
  return
}

// One that may be negative is compared before it is stepped, with a limit that the loop does not
// compute.
// CHECK-LABEL: llvm.func @any_bound
// CHECK-SAME: (%[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-DAG: %[[LEAST:.*]] = llvm.mlir.constant(-2147483644 : i32)
// CHECK: %[[BOUND:.*]] = llvm.intr.smax(%[[N]], %[[LEAST]])
// CHECK: %[[LIMIT:.*]] = llvm.sub %[[BOUND]], %[[STEP]]
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[NEXT:.*]] = llvm.add %[[I]], %[[STEP]]
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[I]], %[[LIMIT]]
// CHECK: llvm.cond_br %[[MORE]], ^bb1(%[[NEXT]]
func.func @any_bound(%m: i32, %n: i32, %p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %sum = scf.for %i = %m to %n step %four iter_args(%s = %zero) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  tile.store %p, %sum : !tile.ptr<i32>
  return
}

// Steps of one, and bounds that are far enough from the largest number, cannot pass it.
// CHECK-LABEL: llvm.func @near_bound
// CHECK-NOT: llvm.intr.smax
// CHECK-NOT: llvm.icmp "ult"
// CHECK: llvm.return
func.func @near_bound(%n: i32, %p: !tile.ptr<i32>) attributes {tile.kernel, tilegpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %many = arith.constant 1000 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %most = arith.minsi %n, %many : i32
  %all = scf.for %i = %zero to %most step %four iter_args(%s = %sum) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  tile.store %p, %all : !tile.ptr<i32>
  return
}
