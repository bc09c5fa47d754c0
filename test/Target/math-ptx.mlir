// Every expanded function gets through code generation, and what must not fuse does not.
// RUN: tile-opt %s --tile-pipeline --tilegpu-pipeline=num-warps=4 --lowering-pipeline --nvptx-pipeline \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 | FileCheck %s

// The products and sums of a formula carry their rounding: without it ptxas may fuse them.
// CHECK-LABEL: .entry exp_f32(
// CHECK-NOT: {{mul|add|sub}}.f32
// CHECK: mul.rn.f32
// CHECK: ex2.approx.f32
// CHECK: fma.rn.f32
// CHECK: max.f32
// CHECK-NOT: {{mul|add|sub}}.f32
// CHECK: ret;
func.func @exp_f32(%x: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.arange 0, 512 : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %py = tile.addptr %ys, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %px : tensor<512x!tile.ptr<f32>>
  %r = math.exp %v : tensor<512xf32>
  tile.store %py, %r : tensor<512x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: .entry all_f32(
// CHECK-NOT: call
// CHECK: ret;
func.func @all_f32(%x: !tile.ptr<f32>) attributes {tile.kernel} {
  %0 = tile.load %x : !tile.ptr<f32>
  %1 = math.exp2 %0 : f32
  %2 = math.expm1 %1 : f32
  %3 = math.log %2 : f32
  %4 = math.log2 %3 : f32
  %5 = math.log10 %4 : f32
  %6 = math.log1p %5 : f32
  %7 = math.sqrt %6 : f32
  %8 = math.sqrt %7 fastmath<afn> : f32
  %9 = math.rsqrt %8 : f32
  %10 = math.sin %9 : f32
  %11 = math.cos %10 : f32
  %12 = math.tan %11 : f32
  %13 = math.erf %12 : f32
  %14 = math.tanh %13 : f32
  %15 = math.tanh %14 fastmath<afn> : f32
  %16 = math.floor %15 : f32
  %17 = math.ceil %16 : f32
  %18 = math.absf %17 : f32
  %19 = math.fma %18, %17, %16 : f32
  %20 = arith.divf %19, %18 : f32
  %21 = arith.divf %20, %18 fastmath<arcp> : f32
  tile.store %x, %21 : !tile.ptr<f32>
  return
}

// CHECK-LABEL: .entry all_f64(
// CHECK-NOT: call
// CHECK: ret;
func.func @all_f64(%x: !tile.ptr<f64>) attributes {tile.kernel} {
  %0 = tile.load %x : !tile.ptr<f64>
  %1 = math.exp2 %0 : f64
  %2 = math.exp %1 : f64
  %3 = math.log %2 : f64
  %4 = math.log2 %3 : f64
  %5 = math.log10 %4 : f64
  %6 = math.log1p %5 : f64
  %7 = math.sqrt %6 : f64
  %8 = math.expm1 %7 : f64
  %9 = math.rsqrt %8 : f64
  %10 = math.sin %9 : f64
  %11 = math.cos %10 : f64
  %12 = math.tan %11 : f64
  %13 = math.erf %12 : f64
  %14 = math.tanh %13 : f64
  %15 = math.floor %14 : f64
  %16 = arith.divf %15, %14 fastmath<arcp> : f64
  tile.store %x, %16 : !tile.ptr<f64>
  return
}

// CHECK-LABEL: .entry narrow(
// CHECK-NOT: call
// CHECK: ret;
func.func @narrow(%x: !tile.ptr<f16>, %y: !tile.ptr<bf16>) attributes {tile.kernel} {
  %0 = tile.load %x : !tile.ptr<f16>
  %1 = math.exp %0 : f16
  %2 = math.sqrt %1 : f16
  %3 = math.floor %2 : f16
  %4 = math.ceil %3 : f16
  %5 = math.absf %4 : f16
  %6 = math.fma %5, %4, %3 : f16
  tile.store %x, %6 : !tile.ptr<f16>
  %7 = tile.load %y : !tile.ptr<bf16>
  %8 = math.exp %7 : bf16
  %9 = math.sqrt %8 : bf16
  %10 = math.floor %9 : bf16
  %11 = math.ceil %10 : bf16
  %12 = math.absf %11 : bf16
  %13 = math.fma %12, %11, %10 : bf16
  tile.store %y, %13 : !tile.ptr<bf16>
  return
}
