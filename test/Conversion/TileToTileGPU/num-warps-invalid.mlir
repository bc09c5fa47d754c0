// RUN: tile-opt %s --convert-tile-to-tilegpu=num-warps=3 --verify-diagnostics
// RUN: not tile-opt %s --convert-tile-to-tilegpu=num-warps=64 2>&1 | FileCheck %s

// CHECK: error: number of warps must be 1, 2, 4, 8, 16 or 32, got 64
// expected-error@+1 {{number of warps must be 1, 2, 4, 8, 16 or 32, got 3}}
func.func @k() attributes {tile.kernel} {
  return
}
