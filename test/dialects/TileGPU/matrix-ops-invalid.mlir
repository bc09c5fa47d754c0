// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @factors(%a: vector<8xf64>, %b: vector<4xf64>, %c: vector<4xf32>) {
  // expected-error@+1 {{multiplies tf32, f16, bf16, i8 or f8 by their like, got 'f64' and 'f64'}}
  %0 = tilegpu.mma %a, %b, %c, f64 * f64 : vector<8xf64>, vector<4xf64>, vector<4xf32>
  return
}

// -----

func.func @mixed(%a: vector<8xf16>, %b: vector<4xbf16>, %c: vector<4xf32>) {
  // expected-error@+1 {{multiplies tf32, f16, bf16, i8 or f8 by their like, got 'f16' and 'bf16'}}
  %0 = tilegpu.mma %a, %b, %c, f16 * bf16 : vector<8xf16>, vector<4xbf16>, vector<4xf32>
  return
}

// -----

func.func @sum(%a: vector<8xbf16>, %b: vector<4xbf16>, %c: vector<4xf16>) {
  // expected-error@+1 {{acc must have four elements of the type that products of 'bf16' are summed in, got 'vector<4xf16>'}}
  %0 = tilegpu.mma %a, %b, %c, bf16 * bf16 : vector<8xbf16>, vector<4xbf16>, vector<4xf16>
  return
}

// -----

func.func @lhs(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error@+1 {{lhs must be 'vector<8xf16>', got 'vector<4xf16>'}}
  %0 = tilegpu.mma %a, %b, %c, f16 * f16 : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

func.func @rhs(%a: vector<4xf32>, %b: vector<2xi32>, %c: vector<4xf32>) {
  // expected-error@+1 {{rhs must be 'vector<2xf32>', got 'vector<2xi32>'}}
  %0 = tilegpu.mma %a, %b, %c, tf32 * tf32 : vector<4xf32>, vector<2xi32>, vector<4xf32>
  return
}

// -----

func.func @matrices(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{reads one, two or four matrices, got 3}}
  %0 = tilegpu.ldmatrix %p : !llvm.ptr<3> -> vector<3xi32>
  return
}

// -----

func.func @space(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{must be LLVM pointer in address space 3}}
  %0 = tilegpu.ldmatrix %p : !llvm.ptr<1> -> vector<4xi32>
  return
}
