# Helpers that keep the leaves short.
#   tilec_add_library(NAME files... [LINK libs...] [DEPENDS targets...])
#   tilec_add_executable(NAME files... [LINK libs...])
#   tilec_tablegen(OUTPUT -gen-... ): mlir_tablegen with the include paths set

include_guard()

separate_arguments(tilec_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# What every target of ours is compiled with.
add_library(tilec_flags INTERFACE)
target_include_directories(tilec_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_include_directories(tilec_flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tilec_flags INTERFACE ${tilec_llvm_definitions})
# RTTI stays on because Debian's LLVM has it; exceptions are off as in LLVM.
target_compile_options(tilec_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations> # std::stable_sort of GCC 12's library
  -ffunction-sections -fdata-sections)
if(TILEC_SANITIZE)
  target_compile_options(tilec_flags INTERFACE -fsanitize=${TILEC_SANITIZE} -fno-sanitize=vptr,function
    -fno-omit-frame-pointer)
  target_link_options(tilec_flags INTERFACE -fsanitize=${TILEC_SANITIZE})
endif()
if(NOT TILEC_ENABLE_ASSERTS)
  target_compile_definitions(tilec_flags INTERFACE NDEBUG)
endif()

if(TILEC_STATIC_LLVM)
  include(StaticMLIR)
else()
  add_library(tilec_llvm INTERFACE)
  target_link_libraries(tilec_llvm INTERFACE MLIR LLVM)
  set(TILEC_OPT_LIBS "")
endif()

# One precompiled header for all targets: MLIR's headers are 95 % of a file's cost.
if(TILEC_ENABLE_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/pch/pch.cpp "")
  add_library(tilec_pch STATIC ${PROJECT_BINARY_DIR}/pch/pch.cpp)
  target_link_libraries(tilec_pch PUBLIC tilec_flags)
  target_precompile_headers(tilec_pch PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/pch.h>")
endif()

function(tilec_use_pch target)
  if(TILEC_ENABLE_PCH)
    target_precompile_headers(${target} REUSE_FROM tilec_pch)
  endif()
endfunction()

function(tilec_add_library name)
  cmake_parse_arguments(arg "NO_PCH" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tilec_flags ${arg_LINK})
  # Every library may include generated dialect headers through another's header.
  add_dependencies(${name} tilec-headers ${arg_DEPENDS})
  if(NOT arg_NO_PCH)
    tilec_use_pch(${name})
  endif()
endfunction()

function(tilec_add_executable name)
  cmake_parse_arguments(arg "NO_PCH" "" "LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE tilec_flags ${arg_LINK} tilec_llvm)
  add_dependencies(${name} tilec-headers)
  if(TILEC_SANITIZE)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/SanitizerDefaults.cpp)
  endif()
  if(NOT arg_NO_PCH)
    tilec_use_pch(${name})
    # Executables get -fPIE, which the header, made for libraries, doesn't match.
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
endfunction()

# Umbrella for all TableGen outputs.
add_custom_target(tilec-headers)

# mlir_tablegen with our include paths, which are target properties everywhere else.
macro(tilec_tablegen)
  mlir_tablegen(${ARGV} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR} ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
endmacro()
