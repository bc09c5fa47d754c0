// The text of every diagnostic of the dialect's parsers and verifiers.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{pointee of a tile pointer must fill whole bytes, got 'i1'; booleans are stored as 'i8'}}
func.func @pointer_to_booleans(%p: !tile.ptr<i1>)

// -----

// expected-error@+1 {{pointee of a tile pointer must be an integer or a float of 8, 16, 32 or 64 bits, or a pointer, got 'index'}}
func.func @pointer_to_index(%p: !tile.ptr<index>)

// -----

// expected-error@+1 {{pointee of a tile pointer must be an integer or a float of 8, 16, 32 or 64 bits, or a pointer, got 'i12'}}
func.func @pointer_to_odd_width(%p: !tile.ptr<i12>)

// -----

// expected-error@+1 {{pointee of a tile pointer must be an integer or a float of 8, 16, 32 or 64 bits, or a pointer, got 'ui32'}}
func.func @pointer_to_unsigned(%p: !tile.ptr<ui32>)

// -----

// expected-error@+1 {{pointee of a tile pointer must be an integer or a float of 8, 16, 32 or 64 bits, or a pointer, got 'tensor<4xf32>'}}
func.func @pointer_to_tensor(%p: !tile.ptr<tensor<4xf32>>)

// -----

func.func @grid_axis() {
  // expected-error@+1 {{'tile.program_id' op attribute 'axis' failed to satisfy constraint}}
  %0 = tile.program_id 3
  return
}

// -----

func.func @grid_extent_axis() {
  // expected-error@+1 {{'tile.num_programs' op attribute 'axis' failed to satisfy constraint}}
  %0 = tile.num_programs -1
  return
}

// -----

func.func @hint_rank(%t: tensor<4x4xi32>) {
  // expected-error@+1 {{'tile.hint' op divisibility has 1 entries, the value has rank 2}}
  %0 = tile.hint %t {divisibility = array<i64: 16>} : tensor<4x4xi32>
  return
}

// -----

func.func @hint_scalar(%s: i32) {
  // expected-error@+1 {{'tile.hint' op contiguity has 2 entries, the value has rank 1}}
  %0 = tile.hint %s {contiguity = array<i64: 1, 1>} : i32
  return
}

// -----

func.func @hint_value(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.hint' op constancy must be positive, got 0}}
  %0 = tile.hint %t {constancy = array<i64: 0>} : tensor<4xi32>
  return
}

// -----

func.func @arange_length() {
  // expected-error@+1 {{'tile.arange' op length must be a positive power of two, got 100}}
  %0 = tile.arange 0, 100 : tensor<100xi32>
  return
}

// -----

func.func @arange_backwards() {
  // expected-error@+1 {{'tile.arange' op length must be a positive power of two, got -8}}
  %0 = tile.arange 8, 0 : tensor<8xi32>
  return
}

// -----

func.func @arange_result() {
  // expected-error@+1 {{'tile.arange' op result has 64 elements, the range has 128}}
  %0 = tile.arange 0, 128 : tensor<64xi32>
  return
}

// -----

func.func @arange_type() {
  // expected-error@+1 {{'tile.arange' op result #0 must be 1D tensor of 32-bit signless integer values}}
  %0 = tile.arange 0, 4 : tensor<4xi64>
  return
}

// -----

func.func @splat_type(%x: f32) {
  // expected-error@+1 {{'tile.splat' op source 'f32' and result element 'f16' must be the same type}}
  %0 = tile.splat %x : f32 -> tensor<4xf16>
  return
}

// -----

func.func @splat_scalar(%x: f32) {
  // expected-error@+1 {{'tile.splat' op result #0 must be tensor of scalars or pointers with fixed extents and at least one dimension, but got 'tensor<f32>'}}
  %0 = tile.splat %x : f32 -> tensor<f32>
  return
}

// -----

func.func @splat_dynamic(%x: f32) {
  // expected-error@+1 {{'tile.splat' op result #0 must be tensor of scalars or pointers with fixed extents and at least one dimension, but got 'tensor<?xf32>'}}
  %0 = tile.splat %x : f32 -> tensor<?xf32>
  return
}

// -----

func.func @expand_dims_axis(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.expand_dims' op axis 2 is out of range for a source of rank 1}}
  %0 = tile.expand_dims %t {axis = 2 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  return
}

// -----

func.func @expand_dims_negative(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.expand_dims' op axis -1 is out of range for a source of rank 1}}
  %0 = tile.expand_dims %t {axis = -1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  return
}

// -----

func.func @expand_dims_shape(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.expand_dims' op result 'tensor<4x1xi32>' must be source 'tensor<4xi32>' with a 1 inserted at 0}}
  %0 = tile.expand_dims %t {axis = 0 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  return
}

// -----

func.func @expand_dims_element(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.expand_dims' op source element 'i32' and result element 'f32' must be the same type}}
  %0 = tile.expand_dims %t {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xf32>
  return
}

// -----

func.func @broadcast_rank(%t: tensor<4xi32>) {
  // expected-error@+1 {{'tile.broadcast' op source 'tensor<4xi32>' and result 'tensor<4x4xi32>' must have the same rank}}
  %0 = tile.broadcast %t : tensor<4xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @broadcast_extent(%t: tensor<1x4xi32>) {
  // expected-error@+1 {{'tile.broadcast' op dim 1 of the source (4) must be 1 or that of the result (8)}}
  %0 = tile.broadcast %t : tensor<1x4xi32> -> tensor<8x8xi32>
  return
}

// -----

func.func @broadcast_element(%t: tensor<1x4xi32>) {
  // expected-error@+1 {{'tile.broadcast' op source element 'i32' and result element 'i64' must be the same type}}
  %0 = tile.broadcast %t : tensor<1x4xi32> -> tensor<8x4xi64>
  return
}

// -----

func.func @reshape_count(%t: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.reshape' op source has 32 elements, the result has 64}}
  %0 = tile.reshape %t : tensor<4x8xi32> -> tensor<64xi32>
  return
}

// -----

func.func @reshape_element(%t: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.reshape' op source element 'i32' and result element 'f32' must be the same type}}
  %0 = tile.reshape %t : tensor<4x8xi32> -> tensor<32xf32>
  return
}

// -----

func.func @trans_order_length(%t: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.trans' op order has 1 entries, the source has rank 2 and the result rank 2}}
  %0 = tile.trans %t {order = array<i32: 0>} : tensor<4x8xi32> -> tensor<8x4xi32>
  return
}

// -----

func.func @trans_order_twice(%t: tensor<4x4xi32>) {
  // expected-error@+1 {{'tile.trans' op order must be a permutation of 0 to 1}}
  %0 = tile.trans %t {order = array<i32: 1, 1>} : tensor<4x4xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @trans_order_range(%t: tensor<4x4xi32>) {
  // expected-error@+1 {{'tile.trans' op order must be a permutation of 0 to 1}}
  %0 = tile.trans %t {order = array<i32: 2, 0>} : tensor<4x4xi32> -> tensor<4x4xi32>
  return
}

// -----

func.func @trans_shape(%t: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.trans' op dim 0 of the result (4) must be dim 1 of the source (8)}}
  %0 = tile.trans %t {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<4x8xi32>
  return
}

// -----

func.func @trans_element(%t: tensor<4x8xi32>) {
  // expected-error@+1 {{'tile.trans' op source element 'i32' and result element 'i16' must be the same type}}
  %0 = tile.trans %t {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi16>
  return
}

// -----

func.func @addptr_shape(%p: tensor<4x!tile.ptr<f32>>, %o: tensor<8xi32>) {
  // expected-error@+1 {{'tile.addptr' op offset 'tensor<8xi32>' must have the shape of pointer 'tensor<4x!tile.ptr<f32>>'}}
  %0 = tile.addptr %p, %o : tensor<4x!tile.ptr<f32>>, tensor<8xi32>
  return
}

// -----

func.func @addptr_scalar(%p: tensor<4x!tile.ptr<f32>>, %o: i32) {
  // expected-error@+1 {{'tile.addptr' op offset 'i32' must have the shape of pointer 'tensor<4x!tile.ptr<f32>>'}}
  %0 = tile.addptr %p, %o : tensor<4x!tile.ptr<f32>>, i32
  return
}

// -----

func.func @addptr_float(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error@+1 {{'tile.addptr' op operand #1 must be integer or tensor of integers, but got 'f32'}}
  %0 = tile.addptr %p, %o : !tile.ptr<f32>, f32
  return
}

// -----

func.func @ptr_cast_shape(%p: tensor<4x!tile.ptr<f32>>) {
  // expected-error@+1 {{'tile.ptr_cast' op source 'tensor<4x!tile.ptr<f32>>' must have the shape of result '!tile.ptr<i32>'}}
  %0 = tile.ptr_cast %p : tensor<4x!tile.ptr<f32>> -> !tile.ptr<i32>
  return
}

// -----

func.func @ptr_to_int_width(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{'tile.ptr_to_int' op address must be i64, got 'i32'}}
  %0 = tile.ptr_to_int %p : !tile.ptr<f32> -> i32
  return
}

// -----

func.func @ptr_to_int_shape(%p: tensor<4x!tile.ptr<f32>>) {
  // expected-error@+1 {{'tile.ptr_to_int' op address 'tensor<2xi64>' must have the shape of pointer 'tensor<4x!tile.ptr<f32>>'}}
  %0 = tile.ptr_to_int %p : tensor<4x!tile.ptr<f32>> -> tensor<2xi64>
  return
}

// -----

func.func @int_to_ptr_width(%a: i16) {
  // expected-error@+1 {{'tile.int_to_ptr' op address must be i64, got 'i16'}}
  %0 = tile.int_to_ptr %a : i16 -> !tile.ptr<f32>
  return
}

// -----

func.func @load_not_a_pointer(%t: tensor<4xf32>) {
  // expected-error@+1 {{expected a pointer or a tensor of pointers, got 'tensor<4xf32>'}}
  %0 = tile.load %t : tensor<4xf32>
  return
}

// -----

func.func @store_not_a_pointer(%t: tensor<4xf32>) {
  // expected-error@+1 {{expected a pointer or a tensor of pointers, got 'tensor<4xf32>'}}
  tile.store %t, %t : tensor<4xf32>
  return
}

// -----

func.func @load_result(%p: tensor<4x!tile.ptr<f32>>) {
  // expected-error@+1 {{'tile.load' op result 'tensor<4xf16>' must be 'tensor<4xf32>', what the pointer 'tensor<4x!tile.ptr<f32>>' points to}}
  %0 = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x!tile.ptr<f32>>) -> tensor<4xf16>
  return
}

// -----

func.func @load_other_without_mask(%p: tensor<4x!tile.ptr<f32>>, %o: tensor<4xf32>) {
  // expected-error@+1 {{'tile.load' op has 'other' without 'mask'}}
  %0 = "tile.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x!tile.ptr<f32>>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @load_mask(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<8xi1>) {
  // expected-error@+1 {{'tile.load' op mask 'tensor<8xi1>' must have the shape of pointer 'tensor<4x!tile.ptr<f32>>'}}
  %0 = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tile.ptr<f32>>, tensor<8xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @load_other(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<4xi1>, %o: f32) {
  // expected-error@+1 {{'tile.load' op other 'f32' must have the type of the result 'tensor<4xf32>'}}
  %0 = "tile.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x!tile.ptr<f32>>, tensor<4xi1>, f32) -> tensor<4xf32>
  return
}

// -----

func.func @load_cache(%p: !tile.ptr<f32>) {
  // expected-error@+1 {{'tile.load' op cache modifier 'wb' must be one of 'none', 'ca', 'cg', 'cs', 'cv'}}
  %0 = tile.load %p {cache = 5 : i32} : !tile.ptr<f32>
  return
}

// -----

func.func @store_value(%p: tensor<4x!tile.ptr<f32>>, %v: tensor<4xi32>) {
  // expected-error@+1 {{'tile.store' op value 'tensor<4xi32>' must be 'tensor<4xf32>', what the pointer 'tensor<4x!tile.ptr<f32>>' points to}}
  "tile.store"(%p, %v) : (tensor<4x!tile.ptr<f32>>, tensor<4xi32>) -> ()
  return
}

// -----

func.func @store_mask(%p: tensor<4x!tile.ptr<f32>>, %v: tensor<4xf32>, %m: i1) {
  // expected-error@+1 {{'tile.store' op mask 'i1' must have the shape of pointer 'tensor<4x!tile.ptr<f32>>'}}
  "tile.store"(%p, %v, %m) : (tensor<4x!tile.ptr<f32>>, tensor<4xf32>, i1) -> ()
  return
}

// -----

func.func @store_cache(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error@+1 {{'tile.store' op cache modifier 'ca' must be one of 'none', 'wb', 'cg', 'cs', 'wt'}}
  tile.store %p, %v {cache = 1 : i32} : !tile.ptr<f32>
  return
}

// -----

func.func @reduce_nothing() {
  // expected-error@+1 {{'tile.reduce' op needs at least one operand}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  return
}

// -----

func.func @reduce_results(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op has 1 operands and 2 results; their numbers must agree}}
  %0:2 = "tile.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }) : (tensor<4xf32>) -> (f32, f32)
  return
}

// -----

func.func @reduce_axis(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op axis 1 is out of range for operands of rank 1}}
  %0 = tile.reduce %t {axis = 1 : i32} : tensor<4xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_operands(%t: tensor<4xf32>, %u: tensor<8xf32>) {
  // expected-error@+1 {{'tile.reduce' op operand 'tensor<8xf32>' must have the shape of the first operand 'tensor<4xf32>'}}
  %0:2 = tile.reduce %t, %u {axis = 0 : i32} : tensor<4xf32>, tensor<8xf32> -> f32, f32 {
  ^bb0(%a: f32, %ai: f32, %b: f32, %bi: f32):
    tile.yield %a, %ai : f32, f32
  }
  return
}

// -----

func.func @reduce_result(%t: tensor<4x8xf32>) {
  // expected-error@+1 {{'tile.reduce' op result 0 'tensor<8xf32>' must be operand 'tensor<4x8xf32>' without dimension 1}}
  %0 = tile.reduce %t {axis = 1 : i32} : tensor<4x8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_arguments(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op combiner must take the elements of all operands twice, 2 arguments, got 1}}
  %0 = tile.reduce %t {axis = 0 : i32} : tensor<4xf32> -> f32 {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_yield(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op combiner must yield one element for each operand}}
  %0 = tile.reduce %t {axis = 0 : i32} : tensor<4xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @reduce_terminator(%t: tensor<4xf32>) {
  // expected-error@+1 {{'tile.reduce' op combiner must end in 'tile.yield'}}
  %0 = tile.reduce %t {axis = 0 : i32} : tensor<4xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }
  return
}

// -----

func.func @yield_elsewhere(%x: f32) {
  // expected-error@+1 {{'tile.yield' op expects parent op to be one of 'tile.reduce, tile.scan'}}
  tile.yield %x : f32
}

// -----

// A value of a region that fails to parse, used ahead of it: was a write to freed memory.
func.func @use_ahead_of_wrong_region(%t: tensor<4xf32>) {
  %0 = arith.negf %v : f32
  %1 = tile.reduce %t {axis = 0 : i32} : tensor<4xf32> -> f32 {
    %v = arith.constant 1.0 : f32
  // expected-error@+1 {{expected non-function type}}
  ^bb0(%a: junk, %b: f32):
    tile.yield %b : f32
  }
  return
}
