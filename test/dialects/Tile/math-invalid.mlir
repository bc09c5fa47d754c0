// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @unknown(%x: f32) {
  // expected-error@+1 {{'tile.math' op has no function 'bessel'}}
  %0 = tile.math "bessel" %x : (f32) -> f32
  return
}

// -----

func.func @count(%x: f32) {
  // expected-error@+1 {{'tile.math' op 'hypot' takes 2 operands, 1 are given}}
  %0 = tile.math "hypot" %x : (f32) -> f32
  return
}

// -----

func.func @element(%x: f16) {
  // expected-error@+1 {{'tile.math' op 'erfinv' is on f32 and f64, not on 'f16'}}
  %0 = tile.math "erfinv" %x : (f16) -> f16
  return
}

// -----

func.func @types(%x: f32, %y: f64) {
  // expected-error@+1 {{'tile.math' op operand has type 'f64', but the result has type 'f32'}}
  %0 = tile.math "hypot" %x, %y : (f32, f64) -> f32
  return
}
