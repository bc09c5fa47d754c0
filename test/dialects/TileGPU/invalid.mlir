// The text of every diagnostic of the dialect's parsers and verifiers.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

//===--- Layouts -----------------------------------------------------------===//

// expected-error@+1 {{layout has no basis}}
func.func @empty(%x: tensor<4xf32, #tilegpu.layout<register = [], lane = [], warp = []>>)

// -----

// expected-error@+1 {{basis has 1 coordinates, expected 2}}
func.func @ranks(%x: tensor<4x4xf32, #tilegpu.layout<register = [[0, 1]], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{layout has 4 lane bases, a warp needs 5}}
func.func @lanes(%x: tensor<16xf32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8], warp = []>>)

// -----

// expected-error@+1 {{layout coordinates must not be negative, got -1}}
func.func @negative(%x: tensor<16xf32, #tilegpu.layout<register = [-1], lane = [1, 2, 4, 8, 0], warp = []>>)

// -----

// expected-error@+1 {{layout has 2^6 warps, a program has at most 32}}
func.func @warps(%x: tensor<32xf32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [0, 0, 0, 0, 0, 0]>>)

// -----

// expected-error@+1 {{layout has 21 register bases, at most 20 are allowed}}
func.func @registers(%x: tensor<32xf32, #tilegpu.layout<register = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{layout has rank 1, the tensor has rank 2}}
func.func @rank(%x: tensor<32x1xf32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{extent 48 of dim 0 must be a power of two in a tensor with a layout}}
func.func @extent(%x: tensor<48xf32, #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{of dim 0 must be a power of two in a tensor with a layout}}
func.func @dynamic(%x: tensor<?xf32, #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{layout reaches index 32 of dim 0, whose extent is 32}}
func.func @reach(%x: tensor<32xf32, #tilegpu.layout<register = [32], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{layout does not cover every element of the tensor}}
func.func @cover(%x: tensor<64xf32, #tilegpu.layout<register = [16], lane = [1, 2, 4, 8, 16], warp = []>>)

// -----

// expected-error@+1 {{a tensor with a layout has at most 2^31 elements}}
func.func @huge(%x: tensor<65536x65536xf32, #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>>)

// -----

//===--- Kernels -----------------------------------------------------------===//

// expected-error@+1 {{'tilegpu.num_warps' must be 1, 2, 4, 8, 16 or 32 of type i32, got 3 : i32}}
func.func @three_warps() attributes {tilegpu.num_warps = 3 : i32} {
  return
}

// -----

// expected-error@+1 {{'tilegpu.num_warps' must be 1, 2, 4, 8, 16 or 32 of type i32, got 4 : i64}}
func.func @wide_warps() attributes {tilegpu.num_warps = 4 : i64} {
  return
}

// -----

// expected-error@+1 {{'tilegpu.shared_bytes' must be a number of bytes of type i32, got -16 : i32}}
func.func @shared_bytes() attributes {tilegpu.shared_bytes = -16 : i32} {
  return
}

// -----

func.func @shared_offset() {
  // expected-error@+1 {{'tilegpu.shared_offset' must be a multiple of 16 of type i32 that is not negative, got 8 : i32}}
  tilegpu.barrier {tilegpu.shared_offset = 8 : i32}
  return
}

// -----

func.func @without_layout() attributes {tilegpu.num_warps = 1 : i32} {
  // expected-error@+1 {{tensor 'tensor<32xi32>' must have a layout in a kernel with 'tilegpu.num_warps'}}
  %0 = tile.arange 0, 32 : tensor<32xi32>
  return
}

// -----

func.func @other_warps() attributes {tilegpu.num_warps = 1 : i32} {
  // expected-error-re@+1 {{layout of {{.*}} has 2 warps, the kernel has 1}}
  %0 = tile.arange 0, 32 : tensor<32xi32, #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [0]>>
  return
}

// -----

// expected-error@+1 {{kernel 'blocks' must have one block; its control flow is that of 'scf'}}
func.func @blocks(%c: i1) attributes {tilegpu.num_warps = 1 : i32} {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
#b = #tilegpu.layout<register = [], lane = [16, 8, 4, 2, 1], warp = []>
func.func @elementwise() attributes {tilegpu.num_warps = 1 : i32} {
  %0 = arith.constant dense<1.0> : tensor<32xf16, #a>
  // expected-error-re@+1 {{'arith.extf' op works element by element, but its tensors {{.*}} and {{.*}} differ in their layouts}}
  %1 = arith.extf %0 : tensor<32xf16, #a> to tensor<32xf32, #b>
  return
}

// -----

#tile = #tilegpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []>
#wrong = #tilegpu.layout<register = [], lane = [1, 2, 0, 0, 0], warp = []>
func.func @reduce_layout() attributes {tilegpu.num_warps = 1 : i32} {
  %0 = arith.constant dense<1.0> : tensor<4x8xf32, #tile>
  // expected-error-re@+1 {{'tile.reduce' op result {{.*}} must have the layout of operand {{.*}} without dimension 1}}
  %1 = tile.reduce %0 {axis = 1 : i32} : tensor<4x8xf32, #tile> -> tensor<4xf32, #wrong> {
  ^bb0(%x: f32, %y: f32):
    tile.yield %x : f32
  }
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
func.func @combiner(%p: !tile.ptr<f32>) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #a>
  %1 = tile.reduce %0 {axis = 0 : i32} : tensor<32xf32, #a> -> f32 {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{'tile.load' op does not work element by element; the combiner of a reduction or scan holds only operations that do}}
    %2 = tile.load %p : !tile.ptr<f32>
    tile.yield %2 : f32
  }
  return
}

// -----

//===--- Operations --------------------------------------------------------===//

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
func.func @convert_shape(%x: tensor<32xf32, #a>) {
  // expected-error-re@+1 {{'tilegpu.convert_layout' op source {{.*}} and result {{.*}} must have the same shape and element type}}
  %0 = tilegpu.convert_layout %x : tensor<32xf32, #a> -> tensor<32xi32, #a>
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
func.func @convert_layout(%x: tensor<32xf32, #a>) {
  // expected-error-re@+1 {{'tilegpu.convert_layout' op source {{.*}} and result 'tensor<32xf32>' must have layouts}}
  %0 = tilegpu.convert_layout %x : tensor<32xf32, #a> -> tensor<32xf32>
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
#b = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [0]>
func.func @convert_warps(%x: tensor<32xf32, #a>) {
  // expected-error@+1 {{'tilegpu.convert_layout' op source has 1 warps, the result has 2}}
  %0 = tilegpu.convert_layout %x : tensor<32xf32, #a> -> tensor<32xf32, #b>
  return
}

// -----

func.func @approx_type(%x: f64) {
  // expected-error@+1 {{'tilegpu.approx' op operand #0 must be 32-bit float or ranked tensor of 32-bit float values, but got 'f64'}}
  %0 = tilegpu.approx ex2 %x : f64
  return
}

// -----

func.func @ld_other(%p: !llvm.ptr<1>, %o: f32) {
  // expected-error@+1 {{'tilegpu.ld' op has 'other' without 'pred'}}
  %0 = "tilegpu.ld"(%p, %o) <{align = 4 : i32, operandSegmentSizes = array<i32: 1, 0, 1>}> : (!llvm.ptr<1>, f32) -> f32
  return
}

// -----

func.func @ld_other_type(%p: !llvm.ptr<1>, %m: i1, %o: f32) {
  // expected-error@+1 {{'tilegpu.ld' op other 'f32' must have the type of the result 'i32'}}
  %0 = tilegpu.ld %p, pred %m, other %o : f32 {align = 4 : i32} : !llvm.ptr<1> -> i32
  return
}

// -----

func.func @ld_size(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{'tilegpu.ld' op moves 1, 2, 4, 8 or 16 bytes, got 'vector<8xf32>'}}
  %0 = tilegpu.ld %p {align = 32 : i32} : !llvm.ptr<1> -> vector<8xf32>
  return
}

// -----

func.func @ld_bits(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{'tilegpu.ld' op moves 1, 2, 4, 8 or 16 bytes, got 'i1'}}
  %0 = tilegpu.ld %p {align = 1 : i32} : !llvm.ptr<1> -> i1
  return
}

// -----

func.func @ld_three(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{'tilegpu.ld' op moves 1, 2, 4, 8 or 16 bytes, got 'vector<3xf32>'}}
  %0 = tilegpu.ld %p {align = 16 : i32} : !llvm.ptr<1> -> vector<3xf32>
  return
}

// -----

func.func @st_align(%p: !llvm.ptr<1>, %v: vector<4xf32>) {
  // expected-error@+1 {{'tilegpu.st' op alignment 4 must be a power of two of at least the 16 bytes of 'vector<4xf32>'}}
  tilegpu.st %p, %v {align = 4 : i32} : !llvm.ptr<1>, vector<4xf32>
  return
}

// -----

func.func @st_align_power(%p: !llvm.ptr<1>, %v: f32) {
  // expected-error@+1 {{'tilegpu.st' op alignment 12 must be a power of two of at least the 4 bytes of 'f32'}}
  tilegpu.st %p, %v {align = 12 : i32} : !llvm.ptr<1>, f32
  return
}

// -----

func.func @st_size(%p: !llvm.ptr<1>, %v: vector<2x2xf32>) {
  // expected-error@+1 {{'tilegpu.st' op moves 1, 2, 4, 8 or 16 bytes, got 'vector<2x2xf32>'}}
  tilegpu.st %p, %v {align = 16 : i32} : !llvm.ptr<1>, vector<2x2xf32>
  return
}

// -----

// A kernel's attributes are verified before what it holds.
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
func.func @reduce_without_axis(%x: f32) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #l>
  // expected-error@+1 {{'tile.reduce' op requires attribute 'axis'}}
  %1 = "tile.reduce"(%0) ({
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }) : (tensor<32xf32, #l>) -> f32
  return
}

// -----

#a = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = []>
func.func @scan_combiner(%x: tensor<32xi32, #a>, %p: !tile.ptr<i32>) attributes {tilegpu.num_warps = 1 : i32} {
  %0 = tile.scan %x {axis = 0 : i32} : tensor<32xi32, #a> {
  ^bb0(%a: i32, %b: i32):
    // expected-error@+1 {{'tile.load' op does not work element by element; the combiner of a reduction or scan holds only operations that do}}
    %c = tile.load %p : !tile.ptr<i32>
    tile.yield %c : i32
  }
  return
}

// -----

//===--- Atomics -----------------------------------------------------------===//

func.func @atomic_of_bytes(%p: !llvm.ptr<1>, %v: i8) {
  // expected-error@+1 {{'tilegpu.atom' op 'add' does not work on 'i8'}}
  %0 = tilegpu.atom add relaxed gpu %p, %v : !llvm.ptr<1>, i8
  return
}

// -----

func.func @float_kind(%p: !llvm.ptr<1>, %v: f32) {
  // expected-error@+1 {{'tilegpu.atom' op 'max' does not work on 'f32'}}
  %0 = tilegpu.atom max relaxed gpu %p, %v : !llvm.ptr<1>, f32
  return
}

// -----

func.func @integer_kind(%p: !llvm.ptr<1>, %v: i32) {
  // expected-error@+1 {{'tilegpu.atom' op 'fadd' does not work on 'i32'}}
  %0 = tilegpu.atom fadd relaxed gpu %p, %v : !llvm.ptr<1>, i32
  return
}

// -----

func.func @exchange_of_halves(%p: !llvm.ptr<1>, %v: f16) {
  // expected-error@+1 {{'tilegpu.atom' op 'xchg' does not work on 'f16'}}
  %0 = tilegpu.atom xchg relaxed gpu %p, %v : !llvm.ptr<1>, f16
  return
}

// -----

func.func @swap_of_bytes(%p: !llvm.ptr<1>, %v: i8) {
  // expected-error@+1 {{'tilegpu.cas' op 'cas' does not work on 'i8'}}
  %0 = tilegpu.cas relaxed gpu %p, %v, %v : !llvm.ptr<1>, i8
  return
}
