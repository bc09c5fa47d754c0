// RUN: tile-opt %s --simt-to-host --split-input-file --verify-diagnostics

llvm.func @k() attributes {nvvm.kernel} {
  // expected-error @+1 {{the simulator cannot run inline assembly 'membar.gl;'}}
  llvm.inline_asm has_side_effects "membar.gl;", "" : () -> ()
  llvm.return
}

// -----

llvm.func @k() attributes {nvvm.kernel} {
  // expected-error @+1 {{the simulator does not know 'nvvm.read.ptx.sreg.clock'}}
  %0 = nvvm.read.ptx.sreg.clock : i32
  llvm.return
}

// -----

llvm.func @k() attributes {nvvm.kernel} {
  // expected-error @+1 {{the simulator does not know 'llvm.nvvm.barrier0'; use the operation of the nvvm dialect}}
  llvm.call_intrinsic "llvm.nvvm.barrier0"() : () -> ()
  llvm.return
}

// -----

llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel} {
  // expected-error @+1 {{the simulator cannot check 'llvm.intr.memcpy' on GPU memory}}
  "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
  llvm.return
}

// -----

// expected-error @+1 {{the simulator knows no shared memory but 'tilegpu_shared', found 'other'}}
llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<64 x i8>
