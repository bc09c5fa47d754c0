// The tilegpu dialect and its layout attribute.
#ifndef TILEC_DIALECTS_TILEGPU_IR_TILEGPUDIALECT_TD
#define TILEC_DIALECTS_TILEGPU_IR_TILEGPUDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"

def TileGPU_Dialect : Dialect {
  let name = "tilegpu";
  let summary = "How a GPU carries out a tile program";
  let description = [{
    The tensors of the tile dialect carry a layout, `tensor<128xf32, #tilegpu.layout<...>>`, which says
    which thread holds which element in which register. Operations of this dialect move data between
    layouts and order the threads of a program; at the end of the lowering a few stand for
    hardware operations that upstream NVVM lacks, so that one module serves the GPU and the simulator.

    Attributes: `tilegpu.num_warps` (i32, on a kernel), `tilegpu.shared_bytes` (i32, on a kernel),
    `tilegpu.shared_offset` (i32, on an operation that needs scratch), `tilegpu.target` (string, on the module).
  }];
  let cppNamespace = "::tilec::tilegpu";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::tilec::tile::TileDialect", "::mlir::LLVM::LLVMDialect"];
}

def TileGPU_LayoutAttr
    : AttrDef<TileGPU_Dialect, "Layout", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "which thread holds which element, as a linear map over F2";
  let description = [{
    Maps the bits of (register, lane, warp) to a tensor index, as in "Linear Layouts"
    (arXiv 2505.23819): the index held by a register of a thread is the exclusive or of the basis
    vectors of the bits set in its numbers. A zero basis means that the data is replicated.

    ```mlir
    #row = #tilegpu.layout<register = [1, 2], lane = [4, 8, 16, 32, 64], warp = [128, 256]>
    #tile = #tilegpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
    ```
  }];
  let parameters = (ins "unsigned":$rank, ArrayRefParameter<"int32_t">:$registerBases,
                        ArrayRefParameter<"int32_t">:$laneBases,
                        ArrayRefParameter<"int32_t">:$warpBases);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout of a tensor of `shape` as a value to compute with.
    ::tilec::LinearLayout toLinear(::llvm::ArrayRef<int64_t> shape) const;
    static LayoutAttr get(::mlir::MLIRContext *context, const ::tilec::LinearLayout &layout);
    /// Registers a thread holds, lanes of a warp and warps of a program.
    int64_t getNumRegisters() const { return int64_t(1) << (getRegisterBases().size() / getRank()); }
    int64_t getNumWarps() const { return int64_t(1) << (getWarpBases().size() / getRank()); }
  }];
}

def TileGPU_ApproxFn : I32EnumAttr<"ApproxFn", "hardware approximation", [
    I32EnumAttrCase<"ex2", 0>, I32EnumAttrCase<"lg2", 1>, I32EnumAttrCase<"rcp", 2>,
    I32EnumAttrCase<"rsqrt", 3>, I32EnumAttrCase<"sqrt", 4>, I32EnumAttrCase<"tanh", 5>,
    I32EnumAttrCase<"sin", 6>, I32EnumAttrCase<"cos", 7>]> {
  let cppNamespace = "::tilec::tilegpu";
}

#endif // TILEC_DIALECTS_TILEGPU_IR_TILEGPUDIALECT_TD
