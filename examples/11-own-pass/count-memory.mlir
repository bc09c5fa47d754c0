// RUN: tile-opt %s --load-pass-plugin=./CountMemory.so --pass-pipeline='builtin.module(count-memory)' -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'copy' has 1 loads and 1 stores
func.func @copy(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>) {
  %value = tile.load %from : !tile.ptr<f32>
  tile.store %to, %value : !tile.ptr<f32>
  return
}
