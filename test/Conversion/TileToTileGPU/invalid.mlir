// RUN: tile-opt %s --convert-tile-to-tilegpu --split-input-file --verify-diagnostics

func.func @extent() attributes {tile.kernel} {
  // expected-error@+1 {{extent 48 of dim 1 of 'tensor<2x48xf32>' must be a power of two}}
  %0 = arith.constant dense<0.0> : tensor<2x48xf32>
  return
}

// -----

func.func @empty() attributes {tile.kernel} {
  // expected-error@+1 {{extent 0 of dim 0 of 'tensor<0xf32>' must be a power of two}}
  %0 = arith.constant dense<0.0> : tensor<0xf32>
  return
}

// -----

func.func @dynamic(%i: index) attributes {tile.kernel} {
  // expected-error@+1 {{extent of dim 0 of 'tensor<?xf32>' must be fixed}}
  %0 = builtin.unrealized_conversion_cast %i : index to tensor<?xf32>
  return
}

// -----

func.func @unranked(%i: index) attributes {tile.kernel} {
  // expected-error@+1 {{rank of 'tensor<*xf32>' must be known}}
  %0 = builtin.unrealized_conversion_cast %i : index to tensor<*xf32>
  return
}

// -----

func.func @scalar() attributes {tile.kernel} {
  // expected-error@+1 {{tensor 'tensor<f32>' must have at least one dimension}}
  %0 = arith.constant dense<0.0> : tensor<f32>
  return
}

// -----

func.func @too_large() attributes {tile.kernel} {
  // expected-error@+1 {{tensor 'tensor<1024x2048xf32>' must have at most 1048576 elements}}
  %0 = arith.constant dense<0.0> : tensor<1024x2048xf32>
  return
}

// -----

func.func @far_too_large() attributes {tile.kernel} {
  // expected-error@+1 {{must have at most 1048576 elements}}
  %0 = arith.constant dense<0.0> : tensor<4294967296x4294967296xf32>
  return
}

// -----

func.func @layout() attributes {tile.kernel} {
  // expected-error-re@+1 {{tensor {{.*}} must not have a layout yet}}
  %0 = arith.constant dense<0.0> : tensor<32xf32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>>
  return
}

// -----

func.func @constant() attributes {tile.kernel} {
  // expected-error@+1 {{elements of a constant tensor must all be equal}}
  %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  return
}

// -----

func.func @combiner(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = tile.arange 0, 32 : tensor<32xi32>
  %s = tile.reduce %x {axis = 0 : i32} : tensor<32xi32> -> i32 {
  ^bb0(%a: i32, %b: i32):
    %zero = arith.constant 0 : i32
    %less = arith.cmpi slt, %a, %b : i32
    // expected-error@+1 {{'scf.if' in the combiner of a reduction or scan must work element by element}}
    %c = scf.if %less -> i32 {
      %v = tile.load %p : !tile.ptr<i32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    }
    tile.yield %c : i32
  }
  return
}

// -----

// expected-error@+1 {{kernel 'blocks' must have one block; its control flow is that of 'scf'}}
func.func @blocks(%c: i1) attributes {tile.kernel} {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}

// -----

// expected-error@+1 {{argument 1 of kernel 'argument' must not be a tensor, got 'tensor<32xf32>'}}
func.func @argument(%a: i32, %b: tensor<32xf32>) attributes {tile.kernel} {
  return
}

// -----

// expected-error@+1 {{kernel 'result' must not return values}}
func.func @result(%a: i32) -> i32 attributes {tile.kernel} {
  return %a : i32
}
