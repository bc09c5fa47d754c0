// RUN: tile-opt %s --convert-tile-to-tilegpu --split-input-file --verify-diagnostics

func.func @inputs(%x: f32) attributes {tile.kernel} {
  // expected-error@+1 {{the constraints of inline PTX describe 1 input, but the arguments fill 2 registers}}
  %0 = tile.inline_asm "add.f32 $0, $1, $2;", "=f,f" %x, %x {pack = 1 : i32} : (f32, f32) -> f32
  return
}

// -----

func.func @outputs(%x: i16) attributes {tile.kernel} {
  %v = tile.splat %x : i16 -> tensor<8xi16>
  // expected-error@+1 {{the constraints of inline PTX describe 1 output, but the results fill 2 registers}}
  %0 = tile.inline_asm "", "=r,r,r" %v {pack = 4 : i32} : (tensor<8xi16>) -> tensor<8xi16>
  return
}

// -----

func.func @narrow(%x: i64) attributes {tile.kernel} {
  // expected-error@+1 {{constraint 'r' of input 0 is a register of 32 bits, but the arguments have 64}}
  %0 = tile.inline_asm "", "=r,r" %x {pack = 1 : i32} : (i64) -> i32
  return
}

// -----

func.func @part(%x: i8) attributes {tile.kernel} {
  // expected-error@+1 {{groups of 6 elements of 'i8' fill no whole registers; 'pack' must be a multiple of 4}}
  %0 = tile.inline_asm "", "=r,r" %x {pack = 6 : i32} : (i8) -> i8
  return
}

// -----

func.func @unknown(%x: i32) attributes {tile.kernel} {
  // expected-error@+1 {{constraint '=q' is not known}}
  %0 = tile.inline_asm "", "=q,r" %x {pack = 1 : i32} : (i32) -> i32
  return
}

// -----

func.func @clobber(%x: i32) attributes {tile.kernel} {
  // expected-error@+1 {{clobber '~{' is not written like '~{memory}'}}
  %0 = tile.inline_asm "", "=r,r,~{" %x {pack = 1 : i32} : (i32) -> i32
  return
}

// -----

func.func @number(%x: i32) attributes {tile.kernel} {
  // expected-error@+1 {{inline PTX names operand $2, but its constraints describe 2 operands, counted from $0}}
  %0 = tile.inline_asm "mov.b32 $0, $$1; add.s32 ${0}, $1, $2;", "=r,r" %x {pack = 1 : i32} : (i32) -> i32
  return
}
