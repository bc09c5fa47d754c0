// The entry points of the mock driver.

#include "MockDriver.h"

#include <cstdint>
#include <cstring>

#define MOCK extern "C" __attribute__((visibility("default"))) int

namespace {
MockState state;
thread_local std::vector<void *> contexts;
thread_local int captureMode = 0;
/// Handles are small numbers; a context is 0x1000 and its device.
char *const kContext0 = reinterpret_cast<char *>(0x1000);

int enter(const char *name) {
  if (state.recording)
    state.calls.push_back(name);
  if (state.failures.empty()) // The look-up allocates.
    return 0;
  auto it = state.failures.find(name);
  return it == state.failures.end() ? 0 : it->second;
}
} // namespace

#define ENTER()                                                                                    \
  if (int failure = enter(__func__))                                                               \
  return failure

extern "C" __attribute__((visibility("default"))) MockState *mockState() { return &state; }
extern "C" __attribute__((visibility("default"))) void *mockCurrentContext() {
  return contexts.empty() ? nullptr : contexts.back();
}
extern "C" __attribute__((visibility("default"))) int mockCaptureMode() { return captureMode; }
extern "C" __attribute__((visibility("default"))) void mockSetCurrentContext(void *context) {
  contexts.clear();
  if (context)
    contexts.push_back(context);
}

MOCK cuInit(unsigned) {
  ENTER();
  return 0;
}
MOCK cuDriverGetVersion(int *version) {
  ENTER();
  *version = state.driverVersion;
  return 0;
}
MOCK cuGetErrorName(int error, const char **name) {
  switch (error) {
  case 1:
    *name = "CUDA_ERROR_INVALID_VALUE";
    return 0;
  case 2:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return 0;
  case 100:
    *name = "CUDA_ERROR_NO_DEVICE";
    return 0;
  case 218:
    *name = "CUDA_ERROR_INVALID_PTX";
    return 0;
  case 222:
    *name = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    return 0;
  case 700:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return 0;
  default:
    return 1;
  }
}
MOCK cuGetErrorString(int error, const char **text) {
  *text = error == 2 ? "out of memory" : "text of the error";
  return 0;
}
MOCK cuDeviceGetCount(int *count) {
  ENTER();
  *count = state.deviceCount;
  return 0;
}
MOCK cuDeviceGet(int *device, int ordinal) {
  ENTER();
  *device = ordinal;
  return 0;
}
MOCK cuDeviceGetName(char *name, int length, int) {
  ENTER();
  strncpy(name, "Mock GPU", length);
  return 0;
}
MOCK cuDeviceGetAttribute(int *value, int attribute, int) {
  ENTER();
  switch (attribute) {
  case 75:
    *value = state.computeCapability / 10;
    return 0;
  case 76:
    *value = state.computeCapability % 10;
    return 0;
  case 97:
    *value = state.maxSharedBytes;
    return 0;
  case 16:
    *value = 132;
    return 0;
  case 88:
    *value = 0;
    return 0;
  default:
    *value = 1024;
    return 0;
  }
}
MOCK cuDeviceTotalMem_v2(size_t *bytes, int) {
  ENTER();
  *bytes = size_t(80) << 30;
  return 0;
}
MOCK cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER();
  ++state.contextsRetained;
  *context = kContext0 + device;
  return 0;
}
MOCK cuDevicePrimaryCtxRelease_v2(int) {
  ENTER();
  --state.contextsRetained;
  return 0;
}
MOCK cuCtxGetCurrent(void **context) {
  ENTER();
  *context = mockCurrentContext();
  return 0;
}
MOCK cuCtxPushCurrent_v2(void *context) {
  ENTER();
  contexts.push_back(context);
  return 0;
}
MOCK cuCtxPopCurrent_v2(void **context) {
  ENTER();
  *context = mockCurrentContext();
  if (contexts.empty())
    return 1;
  contexts.pop_back();
  return 0;
}
MOCK cuCtxGetDevice(int *device) {
  ENTER();
  *device = int(static_cast<char *>(mockCurrentContext()) - kContext0);
  return 0;
}
MOCK cuCtxSynchronize() {
  ENTER();
  return 0;
}
MOCK cuModuleLoadDataEx(void **module, const void *, unsigned count, int *options, void **values) {
  state.captureModeAtLoad = captureMode;
  for (unsigned i = 0; i != count; ++i)
    if (options[i] == 5)
      strcpy(static_cast<char *>(values[i]), state.jitLog.c_str());
  ENTER();
  ++state.modulesLoaded;
  *module = static_cast<char *>(mockCurrentContext()) + 0x10000;
  return 0;
}
MOCK cuModuleUnload(void *) {
  ENTER();
  --state.modulesLoaded;
  state.captureModeAtUnload = captureMode;
  return 0;
}
MOCK cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER();
  if (strcmp(name, "missing") == 0)
    return 500;
  *function = static_cast<char *>(module) + 0x10000;
  return 0;
}
MOCK cuFuncGetAttribute(int *value, int attribute, void *) {
  ENTER();
  *value = attribute == 4 ? 42 : 0;
  return 0;
}
MOCK cuFuncSetAttribute(void *, int attribute, int value) {
  ENTER();
  return attribute == 8 && value <= state.maxSharedBytes ? 0 : 1;
}
MOCK cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned block, unsigned,
                    unsigned, unsigned sharedBytes, void *, void **params, void **) {
  ENTER();
  state.grid[0] = x;
  state.grid[1] = y;
  state.grid[2] = z;
  state.block = block;
  state.sharedBytes = sharedBytes;
  state.launchContext = mockCurrentContext();
  state.launchFunction = function;
  state.launchParams = params;
  return 0;
}
MOCK cuMemAlloc_v2(unsigned long long *address, size_t) {
  ENTER();
  *address = 0x7f0000000000;
  state.pointers[*address] = int(static_cast<char *>(mockCurrentContext()) - kContext0);
  return 0;
}
MOCK cuMemFree_v2(unsigned long long) {
  ENTER();
  return 0;
}
MOCK cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER();
  *free = 123;
  *total = 456;
  return 0;
}
MOCK cuMemcpyHtoD_v2(unsigned long long, const void *, size_t) {
  ENTER();
  return 0;
}
MOCK cuMemcpyDtoH_v2(void *, unsigned long long, size_t) {
  ENTER();
  return 0;
}
MOCK cuMemsetD8_v2(unsigned long long, unsigned char, size_t) {
  ENTER();
  return 0;
}
MOCK cuPointerGetAttribute(void *value, int attribute, unsigned long long address) {
  ENTER();
  auto it = state.pointers.find(address);
  if (it == state.pointers.end())
    return 1;
  int device = int(static_cast<char *>(mockCurrentContext()) - kContext0);
  if (attribute == 9) {
    memcpy(value, &it->second, sizeof it->second);
    return 0;
  }
  if (device != it->second)
    return 1;
  memcpy(value, &address, sizeof address);
  return 0;
}
MOCK cuStreamCreate(void **stream, unsigned) {
  ENTER();
  *stream = reinterpret_cast<void *>(0x5000);
  return 0;
}
MOCK cuStreamDestroy_v2(void *) {
  ENTER();
  return 0;
}
MOCK cuStreamSynchronize(void *) {
  ENTER();
  return 0;
}
MOCK cuStreamIsCapturing(void *, int *capturing) {
  ENTER();
  *capturing = state.streamsCapture;
  return 0;
}
MOCK cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER();
  std::swap(*mode, captureMode);
  return 0;
}
MOCK cuEventCreate(void **event, unsigned) {
  ENTER();
  *event = reinterpret_cast<void *>(0x6000);
  return 0;
}
MOCK cuEventDestroy_v2(void *) {
  ENTER();
  return 0;
}
MOCK cuEventRecord(void *, void *) {
  ENTER();
  return 0;
}
MOCK cuEventSynchronize(void *) {
  ENTER();
  return 0;
}
MOCK cuEventElapsedTime(float *milliseconds, void *, void *) {
  ENTER();
  *milliseconds = 1.5f;
  return 0;
}
