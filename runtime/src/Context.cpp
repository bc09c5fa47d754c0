// GPUs, contexts and memory.

#include "CaptureScope.h"
#include "CudaDriver.h"
#include "tilert/Cuda.h"

#include <cstdio>

using namespace tilec::rt;

//===--- GPUs --------------------------------------------------------------===//

Status tilec::rt::getDriverVersion(int &version) {
  const Driver *driver = nullptr;
  if (Status status = getDriver(driver); !status.ok())
    return status;
  version = driver->version;
  return {};
}

Status tilec::rt::getGpuCount(int &count) {
  const Driver *driver = nullptr;
  if (Status status = getDriver(driver); !status.ok())
    return status;
  if (cuda::Result result = driver->deviceGetCount(&count))
    return makeDriverStatus(*driver, result, "cannot count the GPUs");
  return {};
}

static Status readGpuInfo(const Driver &driver, cuda::Device device, GpuInfo &info) {
  char name[256] = {};
  size_t bytes = 0;
  if (cuda::Result result = driver.deviceGetName(name, sizeof(name) - 1, device))
    return makeDriverStatus(driver, result, "cannot ask for the name of the GPU");
  if (cuda::Result result = driver.deviceTotalMem(&bytes, device))
    return makeDriverStatus(driver, result, "cannot ask for the memory of the GPU");
  info.name = name;
  info.memoryBytes = bytes;

  cuda::Result failed = cuda::kSuccess;
  auto get = [&](cuda::DeviceAttribute attribute) {
    int value = 0;
    if (cuda::Result result = driver.deviceGetAttribute(&value, attribute, device))
      failed = result;
    return value;
  };
  info.computeCapability =
      10 * get(cuda::kComputeCapabilityMajor) + get(cuda::kComputeCapabilityMinor);
  info.numMultiprocessors = get(cuda::kMultiprocessorCount);
  info.l2Bytes = get(cuda::kL2CacheSize);
  info.maxSharedBytes = get(cuda::kMaxSharedMemoryPerBlockOptin);
  info.maxThreadsPerBlock = get(cuda::kMaxThreadsPerBlock);
  info.reachesPageableMemory = get(cuda::kPageableMemoryAccess) != 0;
  if (failed)
    return makeDriverStatus(driver, failed, "cannot ask for the properties of the GPU");
  return {};
}

static Status findGpu(const Driver &driver, int ordinal, cuda::Device &device) {
  int count = 0;
  if (cuda::Result result = driver.deviceGetCount(&count))
    return makeDriverStatus(driver, result, "cannot count the GPUs");
  if (ordinal < 0 || ordinal >= count) {
    std::string have = count == 0 ? "the driver sees no GPU"
                       : count == 1
                           ? "the only GPU is 'cuda:0'"
                           : "there are 'cuda:0' to 'cuda:" + std::to_string(count - 1) + "'";
    return {Code::NotFound, "no GPU 'cuda:" + std::to_string(ordinal) + "': " + have};
  }
  if (cuda::Result result = driver.deviceGet(&device, ordinal))
    return makeDriverStatus(driver, result, "cannot get GPU " + std::to_string(ordinal));
  return {};
}

Status tilec::rt::getGpuInfo(int ordinal, GpuInfo &info) {
  const Driver *driver = nullptr;
  if (Status status = getDriver(driver); !status.ok())
    return status;
  cuda::Device device = 0;
  if (Status status = findGpu(*driver, ordinal, device); !status.ok())
    return status;
  info.ordinal = ordinal;
  return readGpuInfo(*driver, device, info);
}

//===--- Contexts ----------------------------------------------------------===//

Status Context::openPrimary(int ordinal, std::shared_ptr<Context> &context) {
  const Driver *driver = nullptr;
  if (Status status = rt::getDriver(driver); !status.ok())
    return status;
  cuda::Device device = 0;
  if (Status status = findGpu(*driver, ordinal, device); !status.ok())
    return status;
  GpuInfo info;
  info.ordinal = ordinal;
  if (Status status = readGpuInfo(*driver, device, info); !status.ok())
    return status;
  CaptureScope relaxed(*driver);
  cuda::Context handle = nullptr;
  if (cuda::Result result = driver->devicePrimaryCtxRetain(&handle, device))
    return makeDriverStatus(*driver, result,
                            "cannot get the primary context of 'cuda:" + std::to_string(ordinal) +
                                "'");
  context.reset(new Context(*driver, handle, std::move(info), /*isPrimary=*/true));
  return {};
}

Status Context::openCurrent(std::shared_ptr<Context> &context) {
  context.reset();
  const Driver *driver = nullptr;
  if (Status status = rt::getDriver(driver); !status.ok())
    return status;
  cuda::Context handle = nullptr;
  if (cuda::Result result = driver->ctxGetCurrent(&handle))
    return makeDriverStatus(*driver, result, "cannot ask for the current context");
  if (!handle)
    return {};
  cuda::Device device = 0;
  if (cuda::Result result = driver->ctxGetDevice(&device))
    return makeDriverStatus(*driver, result, "cannot ask for the GPU of the current context");
  GpuInfo info;
  // A CUdevice is the ordinal.
  info.ordinal = device;
  if (Status status = readGpuInfo(*driver, device, info); !status.ok())
    return status;
  context.reset(new Context(*driver, handle, std::move(info), /*isPrimary=*/false));
  return {};
}

Context::~Context() {
  if (isPrimary)
    driver.devicePrimaryCtxRelease(info.ordinal);
}

ContextScope::ContextScope(const Context &context) : driver(context.getDriver()) {
  cuda::Context current = nullptr;
  if (driver.ctxGetCurrent(&current) == cuda::kSuccess && current == context.getHandle())
    return;
  if (cuda::Result result = driver.ctxPushCurrent(context.getHandle()))
    status = makeDriverStatus(driver, result, "cannot make the context current");
  else
    pushed = true;
}

ContextScope::~ContextScope() {
  cuda::Context old = nullptr;
  if (pushed)
    driver.ctxPopCurrent(&old);
}

Status Context::synchronize() {
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.ctxSynchronize())
    return makeDriverStatus(driver, result, "a kernel or copy failed");
  return {};
}

Status Context::synchronize(CUstream_st *stream) {
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.streamSynchronize(stream))
    return makeDriverStatus(driver, result, "a kernel or copy failed");
  return {};
}

//===--- Memory ------------------------------------------------------------===//

Status Context::allocate(uint64_t bytes, uint64_t &address) {
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  CaptureScope relaxed(driver);
  cuda::DevicePtr pointer = 0;
  // The driver rejects an allocation of nothing.
  if (cuda::Result result = driver.memAlloc(&pointer, bytes ? bytes : 1)) {
    std::string what = "cannot allocate " + std::to_string(bytes) + " bytes";
    size_t free = 0, total = 0;
    if (result == cuda::kOutOfMemory && driver.memGetInfo(&free, &total) == cuda::kSuccess)
      what += ", " + std::to_string(free) + " of " + std::to_string(total) + " are free";
    return makeDriverStatus(driver, result, what);
  }
  address = pointer;
  return {};
}

Status Context::free(uint64_t address) {
  if (!address)
    return {};
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  CaptureScope relaxed(driver);
  if (cuda::Result result = driver.memFree(address))
    return makeDriverStatus(driver, result, "cannot free memory");
  return {};
}

Status Context::copyIn(uint64_t target, const void *source, uint64_t bytes) {
  if (!bytes)
    return {};
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.memcpyHtoD(target, source, bytes))
    return makeDriverStatus(driver, result,
                            "cannot copy " + std::to_string(bytes) + " bytes to the GPU");
  return {};
}

Status Context::copyOut(void *target, uint64_t source, uint64_t bytes) {
  if (!bytes)
    return {};
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.memcpyDtoH(target, source, bytes))
    return makeDriverStatus(driver, result,
                            "cannot copy " + std::to_string(bytes) + " bytes from the GPU");
  return {};
}

Status Context::fill(uint64_t target, uint8_t byte, uint64_t bytes) {
  if (!bytes)
    return {};
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.memsetD8(target, byte, bytes))
    return makeDriverStatus(driver, result, "cannot fill memory");
  return {};
}

Status Context::checkPointer(uint64_t address, const std::string &what) {
  if (!address || info.reachesPageableMemory)
    return {};
  ContextScope scope(*this);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  // Succeeds for memory of another GPU too if access between the two is enabled.
  cuda::DevicePtr reached = 0;
  if (driver.pointerGetAttribute(&reached, cuda::kDevicePointer, address) == cuda::kSuccess)
    return {};

  char digits[24];
  std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(address));
  std::string gpu = "'cuda:" + std::to_string(info.ordinal) + "'";
  int ordinal = 0;
  if (driver.pointerGetAttribute(&ordinal, cuda::kDeviceOrdinal, address) != cuda::kSuccess)
    return {Code::InvalidArgument, what + " points to " + digits +
                                       ", which is no memory that the driver knows; copy it to " +
                                       gpu + " first"};
  if (ordinal == info.ordinal)
    return {};
  return {Code::InvalidArgument, what + " points to memory of 'cuda:" + std::to_string(ordinal) +
                                     "', but the kernel is loaded on " + gpu};
}
