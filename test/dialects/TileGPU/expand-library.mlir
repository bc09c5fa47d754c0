// RUN: tile-opt %s --tilegpu-expand-math | FileCheck %s

// Functions of libdevice become arithmetic and approximations; what rounds in a direction has an
// instruction and stays.
// CHECK-LABEL: func @formulas
// CHECK-NOT: math.{{atan|powf|fpowi|cbrt|sinh|erfc}}
// CHECK-NOT: tile.math "{{erfinv|tgamma|norm3d|sinpi}}
// CHECK: tile.math "add_rz" %{{.*}}, %{{.*}} : (f32, f32) -> f32
// CHECK-NEXT: return
func.func @formulas(%x: f32, %y: tensor<8xf64>, %n: i32, %h: f16) {
  %0 = math.atan %x : f32
  %1 = math.powf %y, %y : tensor<8xf64>
  %2 = math.fpowi %h, %n : f16, i32
  %3 = math.cbrt %x : f32
  %4 = math.sinh %h : f16
  %5 = math.erfc %y : tensor<8xf64>
  %6 = tile.math "erfinv" %x : (f32) -> f32
  %7 = tile.math "tgamma" %x : (f32) -> f32
  %8 = tile.math "norm3d" %x, %x, %x : (f32, f32, f32) -> f32
  %9 = tile.math "sinpi" %y : (tensor<8xf64>) -> tensor<8xf64>
  %10 = tile.math "add_rz" %x, %x : (f32, f32) -> f32
  return
}

// A cast to 8 bits saturates by itself: the limits that the front end puts before it, for constants,
// are not computed twice.
// CHECK-LABEL: func @saturated
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: arith.bitcast %[[X]] : f32 to i32
// CHECK: arith.minui
// CHECK: return
func.func @saturated(%x: f32) -> f8E5M2 {
  %high = arith.constant 5.734400e+04 : f32
  %low = arith.constant -5.734400e+04 : f32
  %0 = arith.minimumf %x, %high : f32
  %1 = arith.maximumf %0, %low : f32
  %2 = arith.truncf %1 : f32 to f8E5M2
  return %2 : f8E5M2
}

// Constants become what cvt.rzi would give, where LLVM would have any value [R13].
// CHECK-LABEL: func @out_of_range
// CHECK-DAG: %[[SINGLE:.*]] = arith.constant 2147483647 : i32
// CHECK-DAG: %[[WIDE:.*]] = arith.constant dense<[44, 0]> : tensor<2xi8>
// CHECK: return %[[SINGLE]], %[[WIDE]]
func.func @out_of_range() -> (i32, tensor<2xi8>) {
  %0 = arith.constant 3.0e9 : f32
  %1 = arith.fptosi %0 : f32 to i32
  %2 = arith.constant dense<[3.0e2, 0x7FF8000000000000]> : tensor<2xf64>
  %3 = arith.fptoui %2 : tensor<2xf64> to tensor<2xi8>
  return %1, %3 : i32, tensor<2xi8>
}

// ptxas takes abs.s16 for a number that is not negative.
// CHECK-LABEL: func @least_magnitude
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : vector<4xi16> to vector<4xi32>
// CHECK: %[[ABS:.*]] = math.absi %[[WIDE]]
// CHECK: arith.trunci %[[ABS]]
func.func @least_magnitude(%x: vector<4xi16>) -> vector<4xi16> {
  %0 = math.absi %x : vector<4xi16>
  return %0 : vector<4xi16>
}
