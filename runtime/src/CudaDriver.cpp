// Opens libcuda.so.1 and fills the table of entry points.

#include "CudaDriver.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>

using namespace tilec::rt;

namespace {

constexpr const char *kLibraryName = "libcuda.so.1";
/// CUDA 11.0: the oldest driver that knows sm_80.
constexpr int kOldestVersion = 11000;

/// What is known of the driver. It has no destructor: objects of the user may outlive static ones.
struct State {
  std::mutex mutex;
  std::atomic<const Driver *> ready{nullptr};
  bool tried = false;
  Status failure;
  const char *path = kLibraryName;
};

State &getState() {
  static State *state = new State;
  return *state;
}

std::string formatVersion(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Status openDriver(const char *path, const Driver *&result) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return {Code::NoDriver, std::string("cannot open the CUDA driver library '") + path +
                                "': install the NVIDIA driver, or use the device 'sim' (" +
                                (reason ? reason : "unknown reason") + ")"};
  }

  auto *driver = new Driver;
  const char *missing = nullptr;
#define TILERT_CUDA_FN(member, symbol, params)                                                     \
  driver->member = reinterpret_cast<decltype(driver->member)>(dlsym(library, #symbol));            \
  if (!driver->member && !missing)                                                                 \
    missing = #symbol;
#include "CudaDriver.def"

  Status status;
  if (missing) {
    status = {Code::NoDriver, std::string("the CUDA driver library '") + path + "' has no '" +
                                  missing + "': update the NVIDIA driver to one for CUDA " +
                                  formatVersion(kOldestVersion) + " or newer"};
  } else if (cuda::Result result = driver->init(0)) {
    status = makeDriverStatus(*driver, result, "cannot initialise the CUDA driver");
    status = {Code::NoDriver, status.getMessage(), status.getDriverError()};
  } else if (cuda::Result result = driver->driverGetVersion(&driver->version)) {
    status = makeDriverStatus(*driver, result, "cannot ask the CUDA driver for its version");
  } else if (driver->version < kOldestVersion) {
    status = {Code::NoDriver, "the CUDA driver is for CUDA " + formatVersion(driver->version) +
                                  ": update it to one for CUDA " + formatVersion(kOldestVersion) +
                                  " or newer"};
  }
  if (!status.ok()) {
    delete driver;
    dlclose(library);
    return status;
  }
  result = driver;
  return {};
}

} // namespace

Status tilec::rt::getDriver(const Driver *&driver) {
  State &state = getState();
  driver = state.ready.load(std::memory_order_acquire);
  if (driver)
    return {};
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.tried) {
    state.tried = true;
    const Driver *opened = nullptr;
    state.failure = openDriver(state.path, opened);
    state.ready.store(opened, std::memory_order_release);
  }
  driver = state.ready.load(std::memory_order_relaxed);
  return state.failure;
}

Status tilec::rt::makeDriverStatus(const Driver &driver, cuda::Result result,
                                   const std::string &what) {
  const char *name = nullptr, *text = nullptr;
  if (driver.getErrorName(result, &name) != cuda::kSuccess || !name)
    name = "CUDA_ERROR_UNKNOWN";
  if (driver.getErrorString(result, &text) != cuda::kSuccess || !text)
    text = "unknown error";

  Code code = Code::DriverError;
  switch (result) {
  case cuda::kOutOfMemory:
    code = Code::OutOfMemory;
    break;
  case cuda::kNoDevice:
  case cuda::kInvalidDevice:
    code = Code::NotFound;
    break;
  case cuda::kInvalidImage:
  case cuda::kInvalidPtx:
  case cuda::kNoBinaryForGpu:
  case cuda::kUnsupportedPtxVersion:
    code = Code::CompileError;
    break;
  default:
    break;
  }
  return {code, what + ": " + text + " (" + name + ")", name};
}

void tilec::rt::setDriverLibraryForTesting(const char *path) {
  State &state = getState();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.path = path ? path : kLibraryName;
  state.tried = false;
  state.failure = {};
  state.ready.store(nullptr, std::memory_order_release);
}
