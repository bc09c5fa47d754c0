// The passes of the simulator.
#ifndef TILEC_LIB_SIMULATOR_PASSES_TD
#define TILEC_LIB_SIMULATOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimtToHostPass : Pass<"simt-to-host", "::mlir::ModuleOp"> {
  let summary = "turn a lowered GPU module into one that runs on the host";
  let description = [{
    Replaces NVVM operations and the hardware operations of tilegpu by calls of the simulator's
    library, and sends the address of every access of global and shared memory through it. What
    the library has to know about an operation (its place, size, argument) goes to the module
    attribute `tilegpu.sim_sites`, and the call carries the number of its entry. For each kernel
    `k` a function `__sim_k` is added that takes the arguments as cuLaunchKernel does. A loop looks
    at a number of the library, which is not zero while a launch wants to end, and calls it then.

    ```mlir
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %v = tilegpu.ld %p, pred %m {align = 4 : i32, arg = 0 : i32} : !llvm.ptr<1> -> f32
    ```
    becomes
    ```mlir
    %t = llvm.call @tilec_sim_special(%c0) : (i32) -> i32
    %q = llvm.call @tilec_sim_global_load(%p, %m, %site) : (!llvm.ptr<1>, i1, i32) -> !llvm.ptr<1>
    %v = llvm.load %q {alignment = 1 : i64} : !llvm.ptr<1> -> f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::tilec::tilegpu::TileGPUDialect"];
}

#endif // TILEC_LIB_SIMULATOR_PASSES_TD
