# Installs into WORK and builds and runs SOURCE/user against it, with the compiler that built tilec: a
# machine need not have another.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component compiler)
run(${CMAKE_COMMAND} -S ${SOURCE}/user -B ${WORK}/user -G Ninja -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_EXE_LINKER_FLAGS=${LINK_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/user)
run(${WORK}/user/user ${EXAMPLES}/01-vector-add/vector_add.tile)

# tilec.pc finds the headers from where it was installed.
file(GLOB_RECURSE pc ${WORK}/prefix/tilec.pc)
cmake_path(GET pc PARENT_PATH pcfiledir)
file(STRINGS ${pc} prefix REGEX "^prefix=")
string(REGEX REPLACE "^prefix=" "" prefix "${prefix}")
string(CONFIGURE "${prefix}" prefix)
if(NOT EXISTS ${prefix}/include/tilec/tilec.h)
  message(FATAL_ERROR "tilec.pc: no tilec/tilec.h below the prefix ${prefix}")
endif()
