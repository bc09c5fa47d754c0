// RUN: tile-opt %s --tilegpu-expand-math --split-input-file --verify-diagnostics | FileCheck %s

// exp is the hardware's power of two, times 1 + what rounding the product lost.
// CHECK-LABEL: func @exp
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK: %[[Y:.*]] = tilegpu.approx ex2 %[[P]] : f32
// CHECK: %[[N:.*]] = arith.negf %[[P]]
// CHECK: %[[R:.*]] = math.fma %[[X]], %{{.*}}, %[[N]]
// CHECK: %[[S:.*]] = math.fma %[[X]], %{{.*}}, %[[R]]
// CHECK: %[[T:.*]] = arith.mulf %[[Y]]
// CHECK: %[[U:.*]] = math.fma %[[T]], %[[S]], %[[Y]]
// CHECK: arith.maxnumf %[[U]], %[[T]]
// CHECK-NOT: math.exp
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// afn takes the hardware's error.
// CHECK-LABEL: func @fast_exp
// CHECK: arith.mulf
// CHECK-NEXT: tilegpu.approx ex2
// CHECK-NEXT: return
func.func @fast_exp(%x: f32) -> f32 {
  %0 = math.exp %x fastmath<afn> : f32
  return %0 : f32
}

// CHECK-LABEL: func @exp2
// CHECK-NEXT: tilegpu.approx ex2
// CHECK-NEXT: return
func.func @exp2(%x: f32) -> f32 {
  %0 = math.exp2 %x : f32
  return %0 : f32
}

// -----

// The type stays, layout and all; constants are splats of it.
#row = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = []>
// CHECK-LABEL: func @tensors
// CHECK: arith.constant dense<{{.*}}> : tensor<128xf32, #[[L:.*]]>
// CHECK: arith.bitcast %{{.*}} : tensor<128xf32, #[[L]]> to tensor<128xi32, #[[L]]>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<128xi1, #[[L]]>, tensor<128xf32, #[[L]]>
// CHECK: return %{{.*}} : tensor<128xf32, #[[L]]>
func.func @tensors(%x: tensor<128xf32, #row>) -> tensor<128xf32, #row> {
  %0 = math.log %x : tensor<128xf32, #row>
  return %0 : tensor<128xf32, #row>
}

// -----

// 16-bit floats are computed in f32.
// CHECK-LABEL: func @narrow
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: tilegpu.approx ex2
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.extf %{{.*}} : tensor<4xf16> to tensor<4xf32>
// CHECK: tilegpu.approx rsqrt
// CHECK: arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xf16>
func.func @narrow(%x: bf16, %y: tensor<4xf16>) -> (bf16, tensor<4xf16>) {
  %0 = math.exp %x : bf16
  %1 = math.rsqrt %y : tensor<4xf16>
  return %0, %1 : bf16, tensor<4xf16>
}

// -----

// Division and square root are left to the backend, which rounds them correctly, unless a flag says
// that an approximation will do.
// CHECK-LABEL: func @rounding
// CHECK-NEXT: arith.divf
// CHECK-NEXT: tilegpu.div_full
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: tilegpu.approx sqrt
// CHECK-NEXT: arith.divf {{.*}} : f64
// CHECK-NEXT: return
func.func @rounding(%a: f32, %b: f32, %c: f64) -> (f32, f32, f32, f32, f64) {
  %0 = arith.divf %a, %b : f32
  %1 = arith.divf %a, %b fastmath<arcp> : f32
  %2 = math.sqrt %a : f32
  %3 = math.sqrt %a fastmath<afn> : f32
  %4 = arith.divf %c, %c fastmath<arcp> : f64
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f64
}

// -----

// No function is left that the backend cannot select, in f32 or f64.
// CHECK-LABEL: func @all
// CHECK-NOT: math.{{exp|log|sin|cos|tan|erf|rsqrt}}
// CHECK: return
func.func @all(%x: f32, %y: f64) {
  %0 = math.exp2 %x : f32
  %1 = math.expm1 %0 : f32
  %2 = math.log2 %1 : f32
  %3 = math.log10 %2 : f32
  %4 = math.log1p %3 : f32
  %5 = math.sin %4 : f32
  %6 = math.cos %5 : f32
  %7 = math.tan %6 : f32
  %8 = math.erf %7 : f32
  %9 = math.tanh %8 : f32
  %10 = math.exp %y : f64
  %11 = math.exp2 %10 : f64
  %12 = math.expm1 %11 : f64
  %13 = math.log %12 : f64
  %14 = math.log2 %13 : f64
  %15 = math.log10 %14 : f64
  %16 = math.log1p %15 : f64
  %17 = math.sin %16 : f64
  %18 = math.cos %17 : f64
  %19 = math.tan %18 : f64
  %20 = math.erf %19 : f64
  %21 = math.tanh %20 : f64
  %22 = math.rsqrt %21 : f64
  return
}

// -----

// CHECK-LABEL: func @kept
// CHECK-NEXT: math.floor
// CHECK-NEXT: math.ceil
// CHECK-NEXT: math.absf
// CHECK-NEXT: math.fma
// CHECK-NEXT: return
func.func @kept(%x: f32, %y: f16) {
  %0 = math.floor %x : f32
  %1 = math.ceil %y : f16
  %2 = math.absf %y : f16
  %3 = math.fma %x, %x, %x : f32
  return
}

// -----

func.func @unknown(%x: tensor<8xf32>, %n: tensor<8xi64>) -> tensor<8xf32> {
  // expected-error @below {{'math.fpowi' on 'tensor<8xf32>' has no expansion for GPUs yet}}
  %0 = math.fpowi %x, %n : tensor<8xf32>, tensor<8xi64>
  return %0 : tensor<8xf32>
}

// -----

// Towards zero: the nearest, or the one before it if that is farther from zero.
// CHECK-LABEL: func @toward_zero
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[NEAREST:.*]] = arith.truncf %[[X]] : f32 to f16
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f16 to f32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAREST]] : f16 to i16
// CHECK: %[[FARTHER:.*]] = arith.cmpf ogt
// CHECK: %[[BEFORE:.*]] = arith.subi %[[BITS]]
// CHECK: %[[CHOSEN:.*]] = arith.select %[[FARTHER]], %[[BEFORE]], %[[BITS]]
// CHECK: %[[RESULT:.*]] = arith.bitcast %[[CHOSEN]] : i16 to f16
// CHECK: return %[[RESULT]]
func.func @toward_zero(%x: f32) -> f16 {
  %0 = arith.truncf %x toward_zero : f32 to f16
  return %0 : f16
}

// fp8e5 is the first byte of an f16.
// CHECK-LABEL: func @extend_fp8e5
// CHECK: arith.extui {{.*}} : tensor<8xi8> to tensor<8xi16>
// CHECK: arith.shli
// CHECK: arith.bitcast {{.*}} : tensor<8xi16> to tensor<8xf16>
// CHECK-NEXT: return
func.func @extend_fp8e5(%x: tensor<8xf8E5M2>) -> tensor<8xf16> {
  %0 = arith.extf %x : tensor<8xf8E5M2> to tensor<8xf16>
  return %0 : tensor<8xf16>
}

// CHECK-LABEL: func @truncate_fp8e4nv
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : i8 to f8E4M3FN
func.func @truncate_fp8e4nv(%x: f32) -> f8E4M3FN {
  %0 = arith.truncf %x : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// -----

// A cast limits its operand anyway: what did so before goes, but not what did something else.
// CHECK-LABEL: func @limits
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: arith.bitcast %[[X]] : f32 to i32
func.func @limits(%x: f32) -> f8E4M3FN {
  %most = arith.constant 448.0 : f32
  %least = arith.constant -448.0 : f32
  %0 = arith.minimumf %x, %most : f32
  %1 = arith.maximumf %0, %least : f32
  %2 = arith.truncf %1 : f32 to f8E4M3FN
  return %2 : f8E4M3FN
}

// CHECK-LABEL: func @no_limits
// CHECK: %[[MOST:.*]] = arith.maximumf
// CHECK: arith.bitcast %[[MOST]] : f32 to i32
func.func @no_limits(%x: f32) -> f8E4M3FN {
  %most = arith.constant 448.0 : f32
  %0 = arith.minimumf %x, %most : f32
  %1 = arith.maximumf %0, %most : f32
  %2 = arith.truncf %1 : f32 to f8E4M3FN
  return %2 : f8E4M3FN
}

// -----

func.func @fp8_arithmetic(%x: tensor<8xf8E5M2>) -> tensor<8xf8E5M2> {
  // expected-error @below {{arithmetic and comparisons of fp8e5 are not supported; cast to fp16 or fp32 first}}
  %0 = arith.addf %x, %x : tensor<8xf8E5M2>
  return %0 : tensor<8xf8E5M2>
}
