// RUN: tile-opt %s --convert-tilegpu-to-nvptx --verify-diagnostics

func.func @k(%x: i32) {
  // expected-error @+1 {{must stand in an 'llvm.func'}}
  tilegpu.print "x: %u\0A"(%x) : i32
  return
}
