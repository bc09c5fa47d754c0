# Links LLVM and MLIR statically: defines `tilec_llvm` and TILEC_OPT_LIBS for the release preset.
#
# Debian builds LLVM with LLVM_LINK_LLVM_DYLIB, so nearly every exported static MLIR library names
# the *shared* LLVM, and some the shared MLIR, as its interface. One such edge left in place puts a
# second LLVM into the process, which aborts at start because options are registered twice. The
# edges are cut here and the static components of LLVM are named instead.

include_guard()

function(tilec_cut_shared_edges target)
  get_target_property(edges ${target} INTERFACE_LINK_LIBRARIES)
  if(edges)
    list(REMOVE_ITEM edges LLVM MLIR)
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${edges}")
  endif()
endfunction()

get_property(tilec_mlir_targets GLOBAL PROPERTY MLIR_ALL_LIBS)
foreach(target IN LISTS tilec_mlir_targets)
  if(TARGET ${target})
    tilec_cut_shared_edges(${target})
  endif()
endforeach()

# LLVMSupport with zlib and zstd as archives. Z3 is left out: only Z3Solver.cpp, which nothing of
# ours reaches, would use it.
find_library(TILEC_LIBZ libz.a REQUIRED)
find_library(TILEC_LIBZSTD libzstd.a REQUIRED)
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
  "LLVMDemangle;${TILEC_LIBZ};${TILEC_LIBZSTD};rt;dl;m")

llvm_map_components_to_libnames(tilec_llvm_components
  analysis asmparser bitreader bitwriter core instcombine ipo irreader linker mc passes
  scalaropts support target targetparser transformutils vectorize
  nvptxcodegen nvptxdesc nvptxinfo
  jitlink orcjit x86asmparser x86codegen x86desc x86info)

add_library(tilec_llvm INTERFACE)
target_link_libraries(tilec_llvm INTERFACE
  # Core and tools
  MLIRIR MLIRParser MLIRAsmParser MLIRBytecodeReader MLIRBytecodeWriter MLIRPass MLIRSupport
  MLIRAnalysis MLIRRewrite MLIRTransforms MLIRTransformUtils MLIRDebug
  MLIRInferIntRangeCommon MLIRInferIntRangeInterface MLIRInferTypeOpInterface
  # Dialects
  MLIRArithDialect MLIRArithTransforms MLIRArithUtils MLIRControlFlowDialect MLIRDLTIDialect
  MLIRFuncDialect MLIRFuncTransforms MLIRFunctionInterfaces MLIRIndexDialect MLIRLLVMDialect
  MLIRLLVMIRTransforms MLIRMathDialect MLIRMathTransforms MLIRNVVMDialect MLIRSCFDialect
  MLIRSCFTransforms MLIRSCFUtils MLIRTensorDialect MLIRUBDialect MLIRVectorDialect
  MLIRVectorTransforms MLIRVectorUtils
  # Conversions
  MLIRArithToLLVM MLIRControlFlowToLLVM MLIRFuncToLLVM MLIRIndexToLLVM MLIRLLVMCommonConversion
  MLIRMathToLLVM MLIRNVVMToLLVM MLIRReconcileUnrealizedCasts MLIRSCFToControlFlow MLIRUBToLLVM
  MLIRVectorToLLVM MLIRVectorToLLVMPass
  # Export
  MLIRTargetLLVMIRExport MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation
  MLIRNVVMToLLVMIRTranslation
  ${tilec_llvm_components})
# The C++ run-time library goes in too, so that only glibc is asked of the machine.
target_link_options(tilec_llvm INTERFACE -static-libstdc++ -static-libgcc
  -Wl,--gc-sections -Wl,--as-needed -Wl,-s -Wl,--exclude-libs,ALL)

# What mlir-opt's main needs beyond the above.
set(TILEC_OPT_LIBS MLIROptLib)
