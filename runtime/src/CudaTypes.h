// The part of the CUDA driver API's types that we use, so that nothing of CUDA is needed to build.
// Handles have the tags of cuda.h, so that both may be included.
#ifndef TILERT_SRC_CUDATYPES_H
#define TILERT_SRC_CUDATYPES_H

#include <cstddef>
#include <cstdint>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;

namespace tilec::rt::cuda {

using Result = int;
using Device = int;
using DevicePtr = unsigned long long;
using Context = CUctx_st *;
using Module = CUmod_st *;
using Function = CUfunc_st *;
using Stream = CUstream_st *;
using Event = CUevent_st *;

enum : Result {
  kSuccess = 0,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kNotFound = 500,
  kIllegalAddress = 700,
};

enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMultiprocessorCount = 16,
  kL2CacheSize = 38,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kPageableMemoryAccess = 88,
  kMaxSharedMemoryPerBlockOptin = 97,
};

enum FunctionAttribute : int {
  kLocalSizeBytes = 3,
  kNumRegs = 4,
  kMaxDynamicSharedSizeBytes = 8,
};

enum PointerAttribute : int {
  kDevicePointer = 3,
  kDeviceOrdinal = 9,
};

enum JitOption : int {
  kJitErrorLogBuffer = 5,
  kJitErrorLogBufferSizeBytes = 6,
};

enum CaptureMode : int { kCaptureModeRelaxed = 2 };

} // namespace tilec::rt::cuda

#endif // TILERT_SRC_CUDATYPES_H
