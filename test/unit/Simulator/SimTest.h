// A fixture that compiles kernels written as text and launches them on the simulated GPU.
#ifndef TILEC_TEST_UNIT_SIMULATOR_SIMTEST_H
#define TILEC_TEST_UNIT_SIMULATOR_SIMTEST_H

#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Simulator/SimMemory.h"
#include "lib/Simulator/Simulator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilec {

class SimTest : public ::testing::Test {
protected:
  SimTest() {
    context.loadDialect<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect, tile::TileDialect,
                        tilegpu::TileGPUDialect>();
  }

  /// Compiles `body`, a list of operations of the module; "" or the message of the error.
  std::string build(const std::string &body, SimOptions options = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(body, &context, "k.mlir");
    if (!module)
      return "the test's module does not parse";
    auto result = SimProgram::create(*module, options);
    if (!result)
      return llvm::toString(result.takeError());
    program = std::move(*result);
    return "";
  }

  /// A buffer that holds `values`.
  template <typename T>
  T *upload(const std::vector<T> &values) {
    T *buffer = allocate<T>(values.size());
    llvm::cantFail(memory.copyToDevice(buffer, values.data(), values.size() * sizeof(T)));
    return buffer;
  }
  template <typename T>
  T *allocate(size_t count) {
    return static_cast<T *>(llvm::cantFail(memory.allocate(count * sizeof(T))));
  }
  template <typename T>
  std::vector<T> download(const T *buffer, size_t count) {
    std::vector<T> values(count);
    llvm::cantFail(memory.copyToHost(values.data(), buffer, count * sizeof(T)));
    return values;
  }

  /// Launches; "" or the message of the error.
  template <typename... ArgTs>
  std::string launch(llvm::StringRef kernel, std::array<unsigned, 3> grid, ArgTs... args) {
    void *pointers[] = {static_cast<void *>(&args)..., nullptr};
    std::vector<SimBuffer> buffers = memory.getBuffers();
    return llvm::toString(program->launch(
        kernel, grid, llvm::ArrayRef<void *>(pointers, sizeof...(args)), buffers, &stats));
  }

  mlir::MLIRContext context;
  SimMemory memory;
  std::unique_ptr<SimProgram> program;
  SimLaunchStats stats;
};

/// `text` with every `from` replaced; the test is wrong if there is none.
inline std::string edit(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  while (at != std::string::npos) {
    text.replace(at, from.size(), to);
    at = text.find(from, at + to.size());
  }
  return text;
}

/// out[i] = x[i] + y[i] for i < n, one element a thread.
inline const char *const kAdd = R"(
llvm.func @add(%x: !llvm.ptr<1> {tile.name = "x_ptr", tile.type = "*fp32"},
               %y: !llvm.ptr<1> {tile.name = "y_ptr", tile.type = "*fp32"},
               %out: !llvm.ptr<1> {tile.name = "out_ptr", tile.type = "*fp32"},
               %n: i32 {tile.name = "n", tile.type = "i32"})
    attributes {nvvm.kernel, tilegpu.num_warps = 4 : i32} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %dim = nvvm.read.ptx.sreg.ntid.x : i32
  %first = llvm.mul %block, %dim : i32
  %i = llvm.add %first, %tid : i32
  %m = llvm.icmp "slt" %i, %n : i32
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %po = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %vx = tilegpu.ld %px, pred %m {align = 4 : i32, arg = 0 : i32} : !llvm.ptr<1> -> f32 loc("add.tile":7:10)
  %vy = tilegpu.ld %py, pred %m {align = 4 : i32, arg = 1 : i32} : !llvm.ptr<1> -> f32 loc("add.tile":8:10)
  %s = llvm.fadd %vx, %vy : f32
  tilegpu.st %po, %s, pred %m {align = 4 : i32, arg = 2 : i32} : !llvm.ptr<1>, f32 loc("add.tile":9:14)
  llvm.return loc("add.tile":10:1)
}
)";

/// out[block] = sum of x over the block's 128 elements: shuffles in a warp, shared memory between
/// warps, one barrier.
inline const char *const kReduce = R"(
llvm.mlir.global external @tilegpu_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.func @reduce(%x: !llvm.ptr<1> {tile.name = "x_ptr", tile.type = "*fp32"},
                  %out: !llvm.ptr<1> {tile.name = "out_ptr", tile.type = "*fp32"})
    attributes {nvvm.kernel, tilegpu.num_warps = 4 : i32, tilegpu.shared_bytes = 16 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %shared = llvm.mlir.addressof @tilegpu_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %dim = nvvm.read.ptx.sreg.ntid.x : i32
  %first = llvm.mul %block, %dim : i32
  %i = llvm.add %first, %tid : i32
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v0 = tilegpu.ld %px {align = 4 : i32, arg = 0 : i32} : !llvm.ptr<1> -> f32 loc("reduce.tile":4:5)
  %s0 = nvvm.shfl.sync bfly %all, %v0, %c16, %c31 : f32 -> f32 loc("reduce.tile":5:1)
  %v1 = llvm.fadd %v0, %s0 : f32
  %s1 = nvvm.shfl.sync bfly %all, %v1, %c8, %c31 : f32 -> f32 loc("reduce.tile":5:2)
  %v2 = llvm.fadd %v1, %s1 : f32
  %s2 = nvvm.shfl.sync bfly %all, %v2, %c4, %c31 : f32 -> f32 loc("reduce.tile":5:3)
  %v3 = llvm.fadd %v2, %s2 : f32
  %s3 = nvvm.shfl.sync bfly %all, %v3, %c2, %c31 : f32 -> f32 loc("reduce.tile":5:4)
  %v4 = llvm.fadd %v3, %s3 : f32
  %s4 = nvvm.shfl.sync bfly %all, %v4, %c1, %c31 : f32 -> f32 loc("reduce.tile":5:5)
  %v5 = llvm.fadd %v4, %s4 : f32
  %warp = llvm.lshr %tid, %c5 : i32
  %first_lane = llvm.icmp "eq" %lane, %c0 : i32
  %ps = llvm.getelementptr %shared[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  llvm.cond_br %first_lane, ^write, ^read
^write:
  llvm.store %v5, %ps : f32, !llvm.ptr<3> loc("reduce.tile":6:3)
  llvm.br ^read
^read:
  nvvm.barrier0 loc("reduce.tile":7:3)
  %p1 = llvm.getelementptr %shared[%c1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %p2 = llvm.getelementptr %shared[%c2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %p3 = llvm.getelementptr %shared[%c3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %r0 = llvm.load %shared : !llvm.ptr<3> -> f32 loc("reduce.tile":8:3)
  %r1 = llvm.load %p1 : !llvm.ptr<3> -> f32 loc("reduce.tile":8:4)
  %r2 = llvm.load %p2 : !llvm.ptr<3> -> f32 loc("reduce.tile":8:5)
  %r3 = llvm.load %p3 : !llvm.ptr<3> -> f32 loc("reduce.tile":8:6)
  %t0 = llvm.fadd %r0, %r1 : f32
  %t1 = llvm.fadd %r2, %r3 : f32
  %t = llvm.fadd %t0, %t1 : f32
  %first_thread = llvm.icmp "eq" %tid, %c0 : i32
  %po = llvm.getelementptr %out[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  tilegpu.st %po, %t, pred %first_thread {align = 4 : i32, arg = 1 : i32} : !llvm.ptr<1>, f32 loc("reduce.tile":9:3)
  llvm.return loc("reduce.tile":10:1)
}
)";

} // namespace tilec

#endif // TILEC_TEST_UNIT_SIMULATOR_SIMTEST_H
